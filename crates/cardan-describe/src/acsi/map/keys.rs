//! The keys of a map: those of a component, and which of its ports are at an interaction.

use crate::toml::keys::{COMPONENT, Key, Kind, LIMITS, METHOD, RECORD, SYSTEM, key};

pub(super) static MAP: &[Key] = &[
    key(
        "system",
        Kind::Table(SYSTEM),
        "the run as a whole: start, stop, name",
    ),
    key(
        "codes",
        Kind::Named(CODE),
        "what processes are made from, by their `code`",
    ),
    key(
        "processes",
        Kind::Named(PROCESS),
        "the same for single ones, by their `name`",
    ),
    key(
        "method",
        Kind::Table(METHOD),
        "what the script has no keyword for",
    ),
    key("limits", Kind::Table(LIMITS), "what a component may use up"),
    key("record", Kind::Table(RECORD), "what is kept of the run"),
];

const PORTS: [Key; 2] = [
    key(
        "motion",
        Kind::TextOrTexts,
        "the port with the motion at an interaction, or several of them: an output of a leader, an input of a follower",
    ),
    key(
        "force",
        Kind::TextOrTexts,
        "the port with the force at an interaction, or several of them: an input of a leader, an output of a follower",
    ),
];

pub(super) static INTERACTION: &[Key] = &PORTS;

const OWN_INTERACTIONS: [Key; 3] = [
    PORTS[0],
    PORTS[1],
    key(
        "interactions",
        Kind::Named(INTERACTION),
        "other ports for single interactions, by their `name`",
    ),
];

pub(super) static CODE: &[Key] = &joined::<{ COMPONENT.len() + PORTS.len() }>(COMPONENT, &PORTS);

pub(super) static PROCESS: &[Key] =
    &joined::<{ COMPONENT.len() + OWN_INTERACTIONS.len() }>(COMPONENT, &OWN_INTERACTIONS);

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
