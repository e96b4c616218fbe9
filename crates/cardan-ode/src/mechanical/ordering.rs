//! In which order a sparse symmetric matrix is eliminated so that little fills in.

use std::collections::BTreeSet;

/// A permutation by minimum degree: entry `k` is the row that is eliminated as the `k`-th.
///
/// Of rows with the same degree the one goes first whose degree has been the same for longest, then the one with the smallest
/// number. So the answer is the same every time, and a chain is eliminated from both ends in turns, which a processor does at
/// the same time.
pub(super) fn minimum_degree(size: usize, entries: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); size];
    for (row, column) in entries.filter(|(row, column)| row != column) {
        neighbours[row].insert(column);
        neighbours[column].insert(row);
    }
    // Degree, when it became that, row.
    let mut since = vec![0; size];
    let mut queue: BTreeSet<(usize, usize, usize)> = neighbours
        .iter()
        .enumerate()
        .map(|(row, near)| (near.len(), 0, row))
        .collect();
    let mut order = Vec::with_capacity(size);
    while let Some((_, _, row)) = queue.pop_first() {
        order.push(row);
        // Whoever was a neighbour of the eliminated row is now a neighbour of all its other neighbours.
        let clique = std::mem::take(&mut neighbours[row]);
        for &member in &clique {
            let near = &mut neighbours[member];
            queue.remove(&(near.len(), since[member], member));
            near.remove(&row);
            near.extend(clique.iter().filter(|&&other| other != member));
            since[member] = order.len();
            queue.insert((near.len(), since[member], member));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_eliminated_from_its_tips() {
        // Eliminating the centre first would make all tips neighbours.
        let order = minimum_degree(5, (1..5).map(|tip| (0, tip)));
        assert!(order[..3].iter().all(|&row| row != 0));
    }

    #[test]
    fn every_row_has_its_turn() {
        let mut order = minimum_degree(9, (0..8).map(|k| (k, (k * 5 + 1) % 9)));
        order.sort_unstable();
        assert_eq!(order, (0..9).collect::<Vec<_>>());
    }
}
