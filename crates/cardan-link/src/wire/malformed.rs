//! What can be wrong with bytes.

/// Why bytes are not a message of the protocol.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Malformed {
    /// The payload ends inside of something.
    #[error("the message ends inside {0}")]
    CutOff(&'static str),
    /// There is more than the message can hold.
    #[error("{0} byte(s) are left over at the end of the message")]
    LeftOver(usize),
    /// A number that stands for a choice is none of them.
    #[error("{number} stands for no {what}")]
    Unknown {
        /// What it should stand for.
        what: &'static str,
        /// What was found.
        number: u64,
    },
    /// A count or a length beyond what is allowed.
    #[error("{what} is {found}, more than the {most} that are allowed")]
    TooMuch {
        /// Of what.
        what: &'static str,
        /// What was found.
        found: u64,
        /// What is allowed.
        most: u64,
    },
    /// A text that is not UTF-8.
    #[error("a text is not UTF-8")]
    Text,
    /// A time that is not a number.
    #[error("a time is not a number")]
    Time,
    /// The protocol was not even begun.
    #[error("it does not begin with the magic bytes")]
    Magic,
    /// A message that has no place here.
    #[error("the message has no place here: expected {expected}, found kind {found:#06x}")]
    Unexpected {
        /// What should have come.
        expected: &'static str,
        /// The kind that came.
        found: u16,
    },
    /// A reply that belongs to another request.
    #[error("the reply carries the number {found} where {expected} was asked")]
    Sequence {
        /// The number of the request.
        expected: u64,
        /// The number of the reply.
        found: u64,
    },
    /// Parts that contradict each other.
    #[error("{0}")]
    Contradiction(String),
}
