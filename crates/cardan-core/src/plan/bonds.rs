//! Where power crosses borders.

use super::columns::Places;
use super::probes::{element_of, elements};
use super::{RealInput, Seat};
use crate::graph::{Bond, Conversion, Endpoint, Graph, ParticipantId};

/// One participant at an end of a bond: it gives one of the two and reads the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Side {
    /// Who.
    pub participant: ParticipantId,
    /// What it gives: which real of its row.
    pub column: u32,
    /// From there to SI.
    pub gives: Conversion,
    /// What it reads: which of its real inputs.
    pub input: u32,
    /// From there to SI. What happens on the connection is undone: the power is that of what the two give.
    pub reads: Conversion,
}

/// One element of a bond.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tie {
    /// Which bond.
    pub bond: u32,
    /// Who gives the effort.
    pub effort: Side,
    /// Who gives the flow.
    pub flow: Side,
    /// 1 if a positive product flows into whoever gives the effort, else -1.
    pub sign: f64,
}

/// All bonds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bonds {
    /// Of the bonds, for people.
    pub names: Vec<String>,
    /// Their elements, bond by bond.
    pub ties: Vec<Tie>,
}

impl Bonds {
    /// Readers of descriptions have made sure that the two ends of a bond read each other; what does not is left out.
    pub(super) fn of(graph: &Graph, places: &Places, seats: &mut [Seat]) -> Self {
        let mut bonds = Bonds::default();
        for bond in &graph.bonds {
            let index = bonds.names.len() as u32;
            bonds.names.push(bond.name.clone());
            for element in 0..elements(graph, bond.effort) {
                let Some((effort, flow)) = sides(graph, places, seats, bond, element) else {
                    continue;
                };
                for side in [effort, flow] {
                    seats[side.participant.index()].bonded = true;
                }
                bonds.ties.push(Tie {
                    bond: index,
                    effort,
                    flow,
                    sign: if bond.into_effort { 1.0 } else { -1.0 },
                });
            }
        }
        bonds
    }
}

fn sides(graph: &Graph, places: &Places, seats: &[Seat], bond: &Bond, element: u32) -> Option<(Side, Side)> {
    let side = |gives: Endpoint, gives_si: Conversion, reads: Endpoint, reads_si: Conversion| {
        let end = element_of(reads, element);
        let (input, conversion) = reader(graph, places, seats, end, gives.participant)?;
        Some(Side {
            participant: gives.participant,
            column: places.get(&(gives.participant, gives.port))? + gives.element.unwrap_or(0) + element,
            gives: gives_si,
            input,
            reads: conversion.inverse()?.then(reads_si),
        })
    };
    Some((
        side(bond.effort, bond.effort_to_si, bond.flow, bond.flow_to_si)?,
        side(bond.flow, bond.flow_to_si, bond.effort, bond.effort_to_si)?,
    ))
}

/// The real input of `reader` that reads one element of an output, and what happens on the way.
fn reader(
    graph: &Graph,
    places: &Places,
    seats: &[Seat],
    output: Endpoint,
    reader: ParticipantId,
) -> Option<(u32, Conversion)> {
    let column = places.get(&(output.participant, output.port))? + output.element.unwrap_or(0);
    // The first of several connections, in the order of the description.
    let connections = graph.connections.iter();
    connections
        .filter(|c| c.to.participant == reader && c.from.participant == output.participant)
        .find_map(|connection| {
            let to = connection.to;
            (0..elements(graph, to)).find_map(|element| {
                let input = places.get(&(reader, to.port))? + to.element.unwrap_or(0) + element;
                match seats[reader.index()].real_inputs.get(input as usize)? {
                    RealInput::Wire(w) if w.source == output.participant && w.column == column => {
                        Some((input, w.conversion))
                    }
                    _ => None,
                }
            })
        })
}
