//! The manager's answer to the registration of an interface point.

use super::connection::Message;
use super::law::Placement;
use super::line_end::Line;
use crate::wire::{InterfaceReply, Mode};

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
        let reply = match InterfaceReply::decode(message.header.order, &message.payload) {
            Ok(reply) => reply,
            Err(error) => return Some(Err(error.to_string())),
        };
        let line = Line {
            delay: reply.delay,
            zf: reply.zf,
            zfr: reply.zfr,
            alpha: reply.alpha,
            placement: Placement {
                position: reply.inertial_position,
                rotation: reply.inertial_rotation,
            },
        };
        let asks = reply.mode == Mode::InterfaceRequest;
        Some(match objection(&line, asks) {
            Some(objection) => Err(objection),
            None => Ok(LineReply { line, asks }),
        })
    }
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
