//! Transmission lines between interfaces of two participants.

use super::{Endpoint, ParticipantId};
use crate::line::{Medium, Properties};

/// A line from one interface to another.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// For people and results.
    pub name: String,
    /// What it carries.
    pub medium: Medium,
    /// What it is made of.
    pub properties: Properties,
    /// Where it ends. A signal goes from the first to the second.
    pub ends: [LineEnd; 2],
}

/// An interface at which a line ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LineEnd {
    /// Whose interface.
    pub participant: ParticipantId,
    /// The output that moves: a velocity, a flow, a frame. None where a signal arrives.
    pub flow: Option<Endpoint>,
    /// The input on which the line acts: a force, a pressure, a load. None where a signal begins.
    pub effort: Option<Endpoint>,
    /// An output that tells where the interface is, for gaps.
    pub position: Option<Endpoint>,
    /// From the unit of the flow to SI.
    pub flow_to_si: f64,
    /// From the unit of the effort to SI.
    pub effort_to_si: f64,
    /// From the unit of the position to SI.
    pub position_to_si: f64,
}

impl Line {
    /// Numbers that travel each way.
    pub fn width(&self, graph: &super::Graph) -> usize {
        match (self.medium, self.ends[1].effort.or(self.ends[0].flow)) {
            (Medium::Spatial, _) => 6,
            (Medium::Signal, Some(end)) if end.element.is_none() => {
                let ports = &graph.node(end.participant).interface.ports;
                ports[end.port.index()].shape.len()
            }
            _ => 1,
        }
    }
}
