//! The system as a checked graph: who takes part, what is connected, what reacts at once to what.
//!
//! Names end here. Readers of descriptions build a graph after they have checked every name, type, shape and unit
//! against the participants' interfaces; the plan is compiled from it.

mod bond;
mod components;
mod feedthrough;
mod line;
mod mapping;

pub use bond::Bond;
pub use components::strongly_connected;
pub use feedthrough::{Feedthrough, Phase};
pub use line::{Line, LineEnd};
pub use mapping::Mapping;

use crate::interface::{Causality, Interface, PortId, Variability};
use crate::signal::Reading;
use crate::time::SimTime;
use crate::value::Value;
use std::fmt;

/// Index of a participant in the graph, the plan and the world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ParticipantId(pub u32);

impl ParticipantId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A port of a participant, or one element of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Endpoint {
    /// Whose port.
    pub participant: ParticipantId,
    /// Which port.
    pub port: PortId,
    /// One element of it, counted from 0; the whole port if none.
    pub element: Option<u32>,
}

/// `to = factor · from + offset`: what a change of units does to a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Conversion {
    /// The factor.
    pub factor: f64,
    /// The offset.
    pub offset: f64,
}

impl Conversion {
    /// Leaves the value as it is.
    pub const NONE: Conversion = Conversion {
        factor: 1.0,
        offset: 0.0,
    };

    /// The converted value.
    #[inline]
    pub fn apply(self, value: f64) -> f64 {
        self.factor * value + self.offset
    }

    /// What takes it back, if that can be.
    pub fn inverse(self) -> Option<Conversion> {
        match self {
            Conversion::NONE => Some(Conversion::NONE),
            Conversion { factor: 0.0, .. } => None,
            Conversion { factor, offset } => Some(Conversion {
                factor: 1.0 / factor,
                offset: -offset / factor,
            }),
        }
    }

    /// First this one, then `next`.
    #[must_use]
    pub fn then(self, next: Conversion) -> Conversion {
        match (self, next) {
            // One factor and no rounding where one of the two does nothing.
            (Conversion::NONE, only) | (only, Conversion::NONE) => only,
            _ => Conversion {
                factor: next.factor * self.factor,
                offset: next.apply(self.offset),
            },
        }
    }
}

/// An output that drives an input.
#[derive(Clone, PartialEq, Debug)]
pub struct Connection {
    /// Its name in what is said about it, where it has one.
    pub name: Option<String>,
    /// The output.
    pub from: Endpoint,
    /// The input.
    pub to: Endpoint,
    /// How the input reads the output between and beyond its points.
    pub reading: Reading,
    /// For reals: from the output's unit to the input's, and what the user wants done to the value.
    pub conversion: Conversion,
    /// For whole numbers, enumerations and truth values: what they become.
    pub mapping: Mapping,
}

/// A participant in the graph.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// The component's name.
    pub name: String,
    /// What it shows to the outside.
    pub interface: Interface,
    /// Its own communication step, where it does not follow the method's.
    pub step: Option<f64>,
    /// Points of its outputs before the start, oldest first, given by the user.
    pub past: Vec<PastPoint>,
}

/// A value of an output at an instant before the start.
#[derive(Clone, PartialEq, Debug)]
pub struct PastPoint {
    /// The output.
    pub port: PortId,
    /// The instant.
    pub time: SimTime,
    /// All elements of the port.
    pub value: Value,
}

/// The checked system.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Graph {
    /// In the order of the description.
    pub nodes: Vec<Node>,
    /// In the order of the description.
    pub connections: Vec<Connection>,
    /// In the order of the description.
    pub bonds: Vec<Bond>,
    /// In the order of the description.
    pub lines: Vec<Line>,
}

impl Graph {
    /// The participant of that name.
    pub fn find(&self, name: &str) -> Option<ParticipantId> {
        let index = self.nodes.iter().position(|n| n.name == name)?;
        Some(ParticipantId(index as u32))
    }

    /// The participant in `component.variable`, and what follows. Names of components may hold dots themselves, so the
    /// longest one that is there counts.
    pub fn split_name<'a>(&self, name: &'a str) -> Option<(ParticipantId, &'a str)> {
        let mut dots = name.rmatch_indices('.').map(|(at, _)| at);
        dots.find_map(|at| Some((self.find(&name[..at])?, &name[at + 1..])))
    }

    /// All participants.
    pub fn participants(&self) -> impl Iterator<Item = ParticipantId> + use<> {
        (0..self.nodes.len() as u32).map(ParticipantId)
    }

    /// The node of a participant.
    pub fn node(&self, participant: ParticipantId) -> &Node {
        &self.nodes[participant.index()]
    }

    /// `component.port`, with an index for a single element.
    pub fn name_of(&self, endpoint: Endpoint) -> String {
        let node = self.node(endpoint.participant);
        let port = &node.interface.ports[endpoint.port.index()];
        let suffix = endpoint.element.map(|e| port.element_suffix(e as usize));
        format!("{}.{}{}", node.name, port.name, suffix.unwrap_or_default())
    }

    /// Does anything change inside the source between its points?
    pub fn is_continuous(&self, endpoint: Endpoint) -> bool {
        let port = &self.node(endpoint.participant).interface.ports[endpoint.port.index()];
        port.variability == Variability::Continuous
    }
}

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for node in &self.nodes {
            let list = |causality| -> String {
                let names: Vec<&str> = node
                    .interface
                    .ports_of(causality)
                    .map(|(_, p)| p.name.as_str())
                    .collect();
                if names.is_empty() {
                    "–".into()
                } else {
                    names.join(" ")
                }
            };
            writeln!(
                f,
                "{}: {} → {}",
                node.name,
                list(Causality::Input),
                list(Causality::Output)
            )?;
        }
        for connection in &self.connections {
            write!(
                f,
                "{} → {}  ({}",
                self.name_of(connection.from),
                self.name_of(connection.to),
                connection.reading
            )?;
            if connection.conversion != Conversion::NONE {
                write!(f, ", × {}", connection.conversion.factor)?;
                if connection.conversion.offset != 0.0 {
                    write!(f, " + {}", connection.conversion.offset)?;
                }
            }
            for (from, to) in connection.mapping.entries() {
                write!(f, ", {from} becomes {to}")?;
            }
            writeln!(f, ")")?;
        }
        for bond in &self.bonds {
            let (effort, flow) = (self.name_of(bond.effort), self.name_of(bond.flow));
            writeln!(f, "bond {}: {effort} × {flow}", bond.name)?;
        }
        for line in &self.lines {
            let name = |end: &LineEnd| {
                let port = end.flow.or(end.effort);
                port.map_or_else(String::new, |port| self.name_of(port))
            };
            let [from, to] = line.ends.each_ref().map(name);
            let medium = line.medium;
            writeln!(
                f,
                "line {}: {from} ⇄ {to}  ({medium}, delay {} s)",
                line.name, line.properties.delay
            )?;
        }
        Ok(())
    }
}
