//! The manager's answer to the registration of an interface point.

use super::law::Placement;
use super::line_end::Line;
use super::message::Message;

/// Numbers in the answer.
const NUMBERS: usize = 29;

/// What a manager says of a line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct LineReply {
    pub(crate) line: Line,
    /// Does it only ask where the interface points are?
    pub(crate) asks: bool,
}

impl LineReply {
    /// The line, or what is wrong with it. None where the interface point is not connected.
    pub(crate) fn read(message: &Message) -> Option<Result<Self, String>> {
        if message.header.interface < 0 {
            return None;
        }
        let numbers = message.numbers().unwrap_or_default();
        let [delay, zf, zfr, alpha, rest @ ..] = numbers.as_slice() else {
            return Some(Err(short(message)));
        };
        if numbers.len() != NUMBERS {
            return Some(Err(short(message)));
        }
        let mut placement = Placement::default();
        placement.position.copy_from_slice(&rest[..3]);
        placement.rotation.copy_from_slice(&rest[3..12]);
        let line = Line {
            delay: *delay,
            zf: *zf,
            zfr: *zfr,
            alpha: *alpha,
            placement,
        };
        let asks = numbers[NUMBERS - 1] > 0.0;
        Some(match objection(&line, asks) {
            Some(objection) => Err(objection),
            None => Ok(LineReply { line, asks }),
        })
    }
}

fn short(message: &Message) -> String {
    format!(
        "the manager describes it with {} bytes instead of {}",
        message.payload.len(),
        8 * NUMBERS
    )
}

fn objection(line: &Line, asks: bool) -> Option<String> {
    let Line {
        delay,
        zf,
        zfr,
        alpha,
        placement,
    } = line;
    let frame = placement.position.iter().chain(&placement.rotation);
    if [delay, zf, zfr, alpha]
        .into_iter()
        .chain(frame)
        .any(|n| !n.is_finite())
    {
        return Some("a number that describes it is not finite".to_owned());
    }
    if !asks && *delay <= 0.0 {
        return Some(format!("its delay is {delay} s, which lets nobody go on"));
    }
    if !(0.0..1.0).contains(alpha) {
        return Some(format!("alpha is {alpha}; it must be at least 0 and below 1"));
    }
    None
}
