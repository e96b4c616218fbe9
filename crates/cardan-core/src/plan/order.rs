//! Who steps before whom.

use crate::graph::{Feedthrough, Graph, ParticipantId, strongly_connected};
use crate::method::Sweep;
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

/// The order of stepping, cut into waves: groups that may step side by side.
#[derive(Debug)]
pub(super) struct Stages {
    pub(super) order: Vec<ParticipantId>,
    /// Ranges of the order.
    pub(super) waves: Vec<Range<usize>>,
    /// Parallel to the waves: is it a circle whose members repeat their steps?
    pub(super) repeats: Vec<bool>,
}

impl Stages {
    /// Everybody steps once, in that order.
    pub(super) fn once(graph: &Graph, sweep: Sweep, order: Vec<ParticipantId>) -> Self {
        let waves = match sweep {
            Sweep::Jacobi => {
                let foretold = |p: &&ParticipantId| graph.node(**p).interface.foretold;
                let first = order.iter().take_while(foretold).count();
                let waves = [0..first, first..order.len()];
                let all = || Range {
                    start: 0,
                    end: order.len(),
                };
                match waves.iter().any(Range::is_empty) {
                    true => vec![all()],
                    false => waves.to_vec(),
                }
            }
            Sweep::GaussSeidel => cut(graph, &order, 0..order.len()),
        };
        Stages {
            repeats: vec![false; waves.len()],
            waves,
            order,
        }
    }

    /// Circles of those who are `free` to repeat their steps become waves of their own. Sources come before their readers;
    /// those known ahead come first, and those who cannot repeat a step come last, when nothing is going to be repeated any
    /// more. Inside a circle the given order counts.
    pub(super) fn repeating(
        graph: &Graph,
        order: &[ParticipantId],
        free: impl Fn(ParticipantId) -> bool,
    ) -> Self {
        let foretold = |p: &ParticipantId| graph.node(*p).interface.foretold;
        let repeatable = |p: &ParticipantId| !foretold(p) && free(*p);
        let mut rank = vec![0; order.len()];
        for (place, participant) in order.iter().enumerate() {
            rank[participant.index()] = place;
        }
        let mut stages = Stages {
            order: order.iter().copied().filter(foretold).collect(),
            waves: Vec::new(),
            repeats: Vec::new(),
        };
        let mut begin = 0;
        let all = readers(graph);
        let among: Vec<Vec<usize>> = (0..all.len())
            .map(|from| match repeatable(&ParticipantId(from as u32)) {
                true => {
                    let to = all[from].iter().copied();
                    to.filter(|to| repeatable(&ParticipantId(*to as u32))).collect()
                }
                false => Vec::new(),
            })
            .collect();
        for mut group in strongly_connected(&among) {
            if !repeatable(&ParticipantId(group[0] as u32)) {
                continue;
            }
            group.sort_by_key(|p| rank[*p]);
            let circle = group.len() > 1 || among[group[0]].contains(&group[0]);
            if circle {
                stages.close(graph, begin);
                begin = stages.order.len();
            }
            stages
                .order
                .extend(group.into_iter().map(|p| ParticipantId(p as u32)));
            if circle {
                stages.waves.push(begin..stages.order.len());
                stages.repeats.push(true);
                begin = stages.order.len();
            }
        }
        let last = order.iter().filter(|p| !foretold(p) && !free(**p));
        stages.order.extend(last);
        stages.close(graph, begin);
        stages
    }

    /// Cuts what stands in the order since `begin` into waves.
    fn close(&mut self, graph: &Graph, begin: usize) {
        if begin < self.order.len() {
            self.waves
                .extend(cut(graph, &self.order, begin..self.order.len()));
            self.repeats.resize(self.waves.len(), false);
        }
    }

    /// For each participant the circle it repeats its steps in, if any.
    pub(super) fn circles(&self) -> Vec<Option<usize>> {
        let mut circles = vec![None; self.order.len()];
        for (index, wave) in self.waves.iter().enumerate() {
            for participant in &self.order[wave.clone()] {
                circles[participant.index()] = self.repeats[index].then_some(index);
            }
        }
        circles
    }
}

/// Cuts a part of the order into waves in which nobody reads a new point of another.
fn cut(graph: &Graph, order: &[ParticipantId], part: Range<usize>) -> Vec<Range<usize>> {
    let mut sources = vec![Vec::new(); graph.nodes.len()];
    for connection in &graph.connections {
        sources[connection.to.participant.index()].push(connection.from.participant);
    }
    let mut waves = Vec::new();
    let mut start = part.start;
    // Since when each participant stands in the order; the future for those that have not come yet.
    let mut place = vec![usize::MAX; graph.nodes.len()];
    for index in part.clone() {
        let participant = order[index];
        let in_wave = |s: &ParticipantId| (start..index).contains(&place[s.index()]);
        if sources[participant.index()].iter().any(in_wave) {
            waves.push(start..index);
            start = index;
        }
        place[participant.index()] = index;
    }
    waves.push(start..part.end);
    waves
}
