//! Strongly connected components.

/// The strongly connected components of a directed graph given by its successors, each sorted, in an order in
/// which every edge points from an earlier component to a later one (or stays inside).
///
/// Tarjan's algorithm (SIAM J. Comput. 1, 1972), with an explicit stack: a chain of ten thousand participants must
/// not overflow the call stack.
pub fn strongly_connected(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let n = successors.len();
    let mut index = vec![UNSEEN; n];
    let mut low = vec![0; n];
    let mut open = vec![false; n];
    let mut path = Vec::new();
    let mut found = Vec::new();
    let mut next_index = 0;
    let mut calls: Vec<(usize, usize)> = Vec::new();

    for root in 0..n {
        if index[root] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, edge)) = calls.pop() {
            if edge == 0 {
                index[node] = next_index;
                low[node] = next_index;
                next_index += 1;
                path.push(node);
                open[node] = true;
            }
            if let Some(&successor) = successors[node].get(edge) {
                calls.push((node, edge + 1));
                if index[successor] == UNSEEN {
                    calls.push((successor, 0));
                } else if open[successor] {
                    low[node] = low[node].min(index[successor]);
                }
                continue;
            }
            if low[node] == index[node] {
                let start = path.iter().rposition(|&p| p == node).unwrap_or(0);
                let mut component = path.split_off(start);
                component.iter().for_each(|&p| open[p] = false);
                component.sort_unstable();
                found.push(component);
            }
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    // Tarjan finds a component after everything it leads to.
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_cycles_in_topological_order() {
        // 0 → 1 ⇄ 2 → 3, 4 alone, 5 → 5
        let graph = vec![vec![1], vec![2], vec![1, 3], vec![], vec![], vec![5]];
        let components = strongly_connected(&graph);
        let place = |node: usize| components.iter().position(|c| c.contains(&node)).unwrap();
        assert!(components.contains(&vec![1, 2]));
        assert_eq!(components.len(), 5);
        assert!(place(0) < place(1) && place(2) < place(3));
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let n = 200_000;
        let chain: Vec<Vec<usize>> = (0..n)
            .map(|i| if i + 1 < n { vec![i + 1] } else { vec![] })
            .collect();
        let components = strongly_connected(&chain);
        assert_eq!(components.len(), n);
        assert_eq!(components[0], [0]);
    }
}
