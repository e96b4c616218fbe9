//! Transmission lines as places in rows and on planes.

use super::columns::Places;
use super::{RealInput, Seat};
use crate::graph::{Endpoint, Graph, ParticipantId};
use crate::interface::Port;
use crate::line::{Medium, Properties};

/// A line in the plan. Its ends are numbered `2 · line` and `2 · line + 1`.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// For people and results.
    pub name: String,
    /// What it carries.
    pub medium: Medium,
    /// What it is made of.
    pub properties: Properties,
    /// Numbers that travel each way.
    pub width: u32,
    /// Where it ends.
    pub ends: [LineEnd; 2],
}

/// An interface at which a line ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LineEnd {
    /// Whose interface.
    pub participant: ParticipantId,
    /// Where the first number that moves lies in the row of the participant.
    pub flow: Option<u32>,
    /// Where the first number on which the line acts lies among its real inputs.
    pub effort: Option<u32>,
    /// Where its position lies in the row, if that is known: three numbers in space.
    pub position: Option<u32>,
    /// From the unit of the flow to SI.
    pub flow_to_si: f64,
    /// From the unit of the effort to SI.
    pub effort_to_si: f64,
    /// From the unit of the position to SI.
    pub position_to_si: f64,
}

/// The velocities of a frame lie behind its position and its quaternion.
const VELOCITY_OF_FRAME: u32 = 7;

/// Finds the places of all lines and enters them in the seats.
pub(super) fn lines(graph: &Graph, places: &Places, seats: &mut [Seat]) -> Vec<Line> {
    let mut lines = Vec::with_capacity(graph.lines.len());
    for (index, line) in graph.lines.iter().enumerate() {
        let width = line.width(graph) as u32;
        let place = |end: Endpoint| {
            let first = places.get(&(end.participant, end.port)).copied().unwrap_or(0);
            first + end.element.unwrap_or(0)
        };
        let ends = [0, 1].map(|side| {
            let end = &line.ends[side];
            let skip = match line.medium {
                Medium::Spatial => VELOCITY_OF_FRAME,
                _ => 0,
            };
            let effort = end.effort.map(place);
            if let Some(first) = effort {
                for component in 0..width {
                    seats[end.participant.index()].real_inputs[(first + component) as usize] =
                        RealInput::Line {
                            end: (2 * index + side) as u32,
                            component,
                        };
                }
            }
            LineEnd {
                participant: end.participant,
                flow: end.flow.map(|flow| place(flow) + skip),
                effort,
                position: match line.medium {
                    Medium::Spatial => end.flow.map(place),
                    _ => end.position.map(place),
                },
                flow_to_si: end.flow_to_si,
                effort_to_si: end.effort_to_si,
                position_to_si: end.position_to_si,
            }
        });
        lines.push(Line {
            name: line.name.clone(),
            medium: line.medium,
            properties: line.properties,
            width,
            ends,
        });
    }
    lines
}

/// The ports that lines use.
pub(super) fn ports(graph: &Graph) -> impl Iterator<Item = Endpoint> {
    let ends = graph.lines.iter().flat_map(|line| &line.ends);
    ends.flat_map(|end| [end.flow, end.effort, end.position].into_iter().flatten())
}

/// The line end and the component that acts on an element of an input.
pub(super) fn acting_on(
    graph: &Graph,
    participant: ParticipantId,
    port: crate::interface::PortId,
    element: u32,
) -> Option<(u32, u32)> {
    for (index, line) in graph.lines.iter().enumerate() {
        for (side, end) in line.ends.iter().enumerate() {
            let Some(effort) = end.effort else { continue };
            if (effort.participant, effort.port) != (participant, port) {
                continue;
            }
            let component = match effort.element {
                Some(only) if only == element => 0,
                Some(_) => continue,
                None => element,
            };
            return Some(((2 * index + side) as u32, component));
        }
    }
    None
}

/// What a line shows of itself in results.
pub(super) fn energy_port() -> Port {
    Port::output("energy")
        .unit("J")
        .described("energy of the waves on their way through the line")
}
