//! What a message is about.

/// The type of a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Samples of an interface point.
    TimeData,
    /// A tool says which component it is; the answer is its number.
    RegisterComponent,
    /// A tool or a monitor asks for an interface point; the answer holds the parameters of its line.
    RegisterInterface,
    /// A tool is ready; the answer says whether all are.
    CheckModel,
    /// A tool gives up.
    Abort,
    /// A tool asks for a parameter.
    RegisterParameter,
    /// A tool or a monitor has come to its end.
    CloseRequest,
    /// All have come to their end.
    ClosePermission,
}

impl Kind {
    /// All of them, in the order of their numbers.
    pub const ALL: [Kind; 8] = [
        Kind::TimeData,
        Kind::RegisterComponent,
        Kind::RegisterInterface,
        Kind::CheckModel,
        Kind::Abort,
        Kind::RegisterParameter,
        Kind::CloseRequest,
        Kind::ClosePermission,
    ];

    /// The number in the header.
    pub fn number(self) -> u8 {
        match self {
            Kind::TimeData => 1,
            Kind::RegisterComponent => 2,
            Kind::RegisterInterface => 3,
            Kind::CheckModel => 4,
            Kind::Abort => 5,
            Kind::RegisterParameter => 6,
            Kind::CloseRequest => 7,
            Kind::ClosePermission => 8,
        }
    }

    /// The type of a number.
    pub fn from_number(number: u8) -> Option<Self> {
        let index = usize::from(number).checked_sub(1)?;
        Kind::ALL.get(index).copied()
    }

    /// The name in the protocol, for messages to people.
    pub fn name(self) -> &'static str {
        match self {
            Kind::TimeData => "TIME_DATA",
            Kind::RegisterComponent => "REG_COMPONENT",
            Kind::RegisterInterface => "REG_INTERFACE",
            Kind::CheckModel => "CHECK_MODEL",
            Kind::Abort => "ABORT",
            Kind::RegisterParameter => "REG_PARAMETER",
            Kind::CloseRequest => "CLOSE_REQUEST",
            Kind::ClosePermission => "CLOSE_PERMISSION",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_both_ways() {
        for number in 0..=u8::MAX {
            match Kind::from_number(number) {
                Some(kind) => assert_eq!(kind.number(), number),
                None => assert!(number == 0 || number > 8),
            }
        }
    }
}
