//! Who of a group reads what of whom, taken from the plan.

use super::coupled::Wire;
use crate::graph::ParticipantId;
use crate::plan::{Plan, RealInput, Seat};

/// The members of a group in the order in which they step.
pub(super) fn in_order(plan: &Plan, group: &[ParticipantId]) -> Vec<ParticipantId> {
    plan.order
        .iter()
        .copied()
        .filter(|id| group.contains(id))
        .collect()
}

/// The real inputs of a member that the group drives: place, source, its column, and the wire.
pub(super) fn driven<'a>(
    seat: &'a Seat,
    group: &'a [ParticipantId],
) -> impl Iterator<Item = (usize, &'a crate::plan::Wire)> {
    seat.real_inputs
        .iter()
        .enumerate()
        .filter_map(move |(place, input)| match input {
            RealInput::Wire(wire) | RealInput::Rotation(wire) | RealInput::RotationRest(wire)
                if group.contains(&wire.source) =>
            {
                Some((place, wire))
            }
            _ => None,
        })
}

/// The real outputs of a member that the group reads.
pub(super) fn read_by(plan: &Plan, group: &[ParticipantId], member: ParticipantId) -> Vec<usize> {
    let readers = group.iter().map(|reader| &plan.seats[reader.index()]);
    let wires = readers.flat_map(|seat| driven(seat, group));
    let mut columns: Vec<usize> = wires
        .filter(|(_, wire)| wire.source == member)
        .map(|(_, wire)| wire.column as usize)
        .collect();
    columns.sort_unstable();
    columns.dedup();
    columns
}

/// The wires of a group, by input.
pub(super) fn wires(plan: &Plan, members: &[ParticipantId]) -> Vec<Wire> {
    let shown: Vec<Vec<usize>> = members.iter().map(|m| read_by(plan, members, *m)).collect();
    let mut first = vec![0; members.len()];
    for k in 1..members.len() {
        first[k] = first[k - 1] + shown[k - 1].len();
    }
    let mut wires = Vec::new();
    for member in members {
        for (_, wire) in driven(&plan.seats[member.index()], members) {
            let source = members.iter().position(|m| *m == wire.source).unwrap_or(0);
            let column = shown[source].iter().position(|c| *c == wire.column as usize);
            wires.push(Wire {
                from: first[source] + column.unwrap_or(0),
                to: wires.len(),
                factor: wire.conversion.factor,
                reading: wire.reading.as_chosen(),
            });
        }
    }
    wires
}
