//! Who steps before whom.

use super::Method;
use crate::graph::{Feedthrough, Graph, ParticipantId, strongly_connected};
use std::ops::Range;

/// For each participant those that read its outputs.
fn readers(graph: &Graph) -> Vec<Vec<usize>> {
    let mut readers = vec![Vec::new(); graph.nodes.len()];
    for connection in &graph.connections {
        readers[connection.from.participant.index()].push(connection.to.participant.index());
    }
    for list in &mut readers {
        list.sort_unstable();
        list.dedup();
    }
    readers
}

/// An order in which sources come before their readers where that is possible. Inside a circle, those whose outputs
/// react at once to others come after them; else the order of the description decides.
pub(super) fn derive(graph: &Graph, feedthrough: &Feedthrough) -> Vec<ParticipantId> {
    let mut rank = vec![usize::MAX; graph.nodes.len()];
    for (place, participant) in feedthrough.sequence.iter().enumerate() {
        rank[participant.index()] = place;
    }
    let mut order = Vec::with_capacity(graph.nodes.len());
    for mut group in strongly_connected(&readers(graph)) {
        group.sort_by_key(|&p| {
            (
                feedthrough.needs_inputs[p],
                if feedthrough.needs_inputs[p] { rank[p] } else { p },
            )
        });
        order.extend(group.into_iter().map(|p| ParticipantId(p as u32)));
    }
    order
}

/// The circles of participants.
pub(super) fn groups(graph: &Graph) -> Vec<Vec<ParticipantId>> {
    strongly_connected(&readers(graph))
        .into_iter()
        .filter(|group| group.len() > 1)
        .map(|group| group.into_iter().map(|p| ParticipantId(p as u32)).collect())
        .collect()
}

/// Cuts the order into groups in which nobody reads a new point of another.
pub(super) fn waves(graph: &Graph, method: Method, order: &[ParticipantId]) -> Vec<Range<usize>> {
    if method == Method::Jacobi {
        let foretold = |p: &&ParticipantId| graph.node(**p).interface.foretold;
        let first = order.iter().take_while(foretold).count();
        let waves = [0..first, first..order.len()];
        let all = || Range {
            start: 0,
            end: order.len(),
        };
        return match waves.iter().any(Range::is_empty) {
            true => vec![all()],
            false => waves.to_vec(),
        };
    }
    let mut sources = vec![Vec::new(); graph.nodes.len()];
    for connection in &graph.connections {
        sources[connection.to.participant.index()].push(connection.from.participant);
    }
    let mut waves = Vec::new();
    let mut start = 0;
    // Since when each participant stands in the order; the future for those that have not come yet.
    let mut place = vec![usize::MAX; graph.nodes.len()];
    for (index, participant) in order.iter().enumerate() {
        let in_wave = |s: &ParticipantId| (start..index).contains(&place[s.index()]);
        if sources[participant.index()].iter().any(in_wave) {
            waves.push(start..index);
            start = index;
        }
        place[participant.index()] = index;
    }
    waves.push(start..order.len());
    waves
}
