//! What a participant has to say: failures and logs.

use super::malformed::Malformed;
use super::reader::Reader;
use super::writer::Writer;
use cardan_core::participant::{Failure, FailureKind};

/// Who a log message is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Something broke.
    Error,
    /// Something is odd.
    Warning,
    /// Something users want to see.
    Info,
    /// Something developers of the model want to see.
    Debug,
}

/// Writes a failure.
pub fn write_failure(failure: &Failure, writer: &mut Writer<'_>) {
    writer.u32(match failure.kind {
        // Of an engine that broke over there nothing but the words can be used here.
        FailureKind::Failed | FailureKind::Engine => 0,
        FailureKind::Numbers => 1,
    });
    writer.text(&failure.message);
    writer.optional(failure.advice.as_deref(), |writer, advice| {
        writer.text(advice);
    });
}

/// Reads a failure.
pub fn read_failure(payload: &[u8]) -> Result<Failure, Malformed> {
    let mut reader = Reader::new(payload);
    let kind = match reader.u32("the kind of a failure")? {
        0 => FailureKind::Failed,
        1 => FailureKind::Numbers,
        other => {
            return Err(Malformed::Unknown {
                what: "kind of failure",
                number: other.into(),
            });
        }
    };
    let failure = Failure {
        kind,
        message: reader.text("the message of a failure")?.to_owned(),
        advice: reader.optional(|reader| reader.text("an advice").map(str::to_owned))?,
    };
    reader.finish()?;
    Ok(failure)
}

/// Writes a log message.
pub fn write_log(level: Level, message: &str, writer: &mut Writer<'_>) {
    writer.u32(level as u32).text(message);
}

/// Reads a log message.
pub fn read_log(payload: &[u8]) -> Result<(Level, &str), Malformed> {
    let mut reader = Reader::new(payload);
    let level = match reader.u32("the level of a message")? {
        0 => Level::Error,
        1 => Level::Warning,
        2 => Level::Info,
        3 => Level::Debug,
        other => {
            return Err(Malformed::Unknown {
                what: "level",
                number: other.into(),
            });
        }
    };
    let message = reader.text("a message")?;
    reader.finish()?;
    Ok((level, message))
}
