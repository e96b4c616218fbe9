//! The keys of a component that takes part by itself: those of a component, and where lines end at it.

use crate::toml::keys::{COMPONENT, Key, Kind, key};

/// In the order of [`LineBeginning`](super::LineBeginning).
const BEGINNINGS: &[&str] = &["attached", "compatible"];

/// In the order of [`LineReading`](super::LineReading).
const READINGS: &[&str] = &["linear", "cubic"];

const OWN: [Key; 2] = [
    key(
        "interfaces",
        Kind::Named(INTERFACE),
        "which ports an interface point is, by its name in the meta-model",
    ),
    key(
        "line",
        Kind::Table(LINE),
        "how waves are treated at this end of the lines",
    ),
];

pub(super) static CLIENT: &[Key] = &joined::<{ COMPONENT.len() + OWN.len() }>(COMPONENT, &OWN);

pub(super) static INTERFACE: &[Key] = &[
    key(
        "flow",
        Kind::Text,
        "the output with the velocity, the volume flow or the current",
    ),
    key(
        "effort",
        Kind::Text,
        "the input with the force, the torque, the pressure or the voltage",
    ),
    key(
        "position",
        Kind::Text,
        "the output with the position or the angle",
    ),
    key(
        "frame",
        Kind::Text,
        "the output with the motion of a body at a point",
    ),
    key(
        "load",
        Kind::Text,
        "the input with the force and the moment there",
    ),
    key("value", Kind::Text, "the input or the output with a signal"),
    key(
        "domain",
        Kind::Text,
        "mechanical, rotational, hydraulic, electric; as the unit of the effort says if left out",
    ),
    key("negate_flow", Kind::Flag, "the flow is counted the other way"),
    key("negate_effort", Kind::Flag, "the effort is counted the other way"),
    key(
        "initial_effort",
        Kind::Number,
        "the effort, or the value of a signal, before anything arrives",
    ),
];

pub(super) static LINE: &[Key] = &[
    key(
        "beginning",
        Kind::Choice(BEGINNINGS),
        "what the line does before the first wave: attached from the start, or compatible with the public plugin",
    ),
    key(
        "interpolation",
        Kind::Choice(READINGS),
        "how waves are read between samples; linear if left out",
    ),
    key(
        "feedback",
        Kind::Positive,
        "how far back the filter looks, in delays; 1.5 if left out",
    ),
];

/// Two tables of keys in one.
const fn joined<const N: usize>(first: &[Key], second: &[Key]) -> [Key; N] {
    let mut all = [first[0]; N];
    let mut index = 0;
    while index < N {
        all[index] = if index < first.len() {
            first[index]
        } else {
            second[index - first.len()]
        };
        index += 1;
    }
    all
}
