//! What a factorisation needs to know of a pattern: which columns belong together, and where their entries go.

use super::ordering::minimum_degree;

/// Columns that follow each other and have the same entries below them: one dense block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Panel {
    pub(super) first: u32,
    pub(super) width: u32,
    /// Where its rows below the block begin among all such rows, and how many they are; the targets of its updates stand at
    /// the same places.
    pub(super) below: u32,
    pub(super) count: u32,
    /// Where its entries begin: column by column, each from its diagonal down to the last row below.
    pub(super) values: u32,
    /// Are all targets straight?
    pub(super) straight: bool,
}

impl Panel {
    /// The number of its entries.
    #[inline]
    pub(super) fn len(&self) -> usize {
        let (width, count) = (self.width as usize, self.count as usize);
        width * (width + 1) / 2 + width * count
    }
}

/// Where one column of a panel's update goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Target {
    /// The place of the first entry.
    pub(super) base: u32,
    /// Where the places of all its entries are listed; [`STRAIGHT`](Self::STRAIGHT) if they follow the first one.
    pub(super) list: u32,
}

impl Target {
    pub(super) const STRAIGHT: u32 = u32::MAX;
}

/// The analysed pattern of a symmetric matrix.
#[derive(Debug, Clone)]
pub(super) struct Symbolic {
    /// The row that is eliminated as the k-th.
    pub(super) order: Vec<u32>,
    /// In the order of columns.
    panels: Vec<Panel>,
    /// In an order of elimination that lets neighbours be independent of each other, where that is possible.
    pub(super) schedule: Vec<Panel>,
    /// The panel of each column.
    panel_of: Vec<u32>,
    pub(super) below: Vec<u32>,
    pub(super) targets: Vec<Target>,
    pub(super) lists: Vec<u32>,
    /// Places of the diagonal's entries.
    pub(super) diagonal: Vec<u32>,
    /// The number of entries of the factor, those of the diagonal included.
    pub(super) entries: usize,
}

impl Symbolic {
    pub(super) fn new(size: usize, entries: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let order = minimum_degree(size, entries.clone());
        let (parents, _) = eliminate(&order, entries.clone());
        // Children before parents, and whole subtrees one after the other: nothing more fills in, and columns of one
        // panel become neighbours.
        let order: Vec<usize> = postorder(&parents).into_iter().map(|k| order[k]).collect();
        let (_, columns) = eliminate(&order, entries);
        let mut symbolic = Symbolic {
            order: order.iter().map(|&row| small(row)).collect(),
            panels: Vec::new(),
            schedule: Vec::new(),
            panel_of: Vec::with_capacity(size),
            below: Vec::new(),
            targets: Vec::new(),
            lists: Vec::new(),
            diagonal: Vec::new(),
            entries: 0,
        };
        symbolic.gather(&columns);
        symbolic.aim();
        symbolic.schedule();
        symbolic.diagonal = (0..small(size)).filter_map(|k| symbolic.place(k, k)).collect();
        symbolic
    }

    /// Puts columns with the same rows below them into panels.
    fn gather(&mut self, columns: &[Vec<u32>]) {
        let mut first = 0;
        while first < columns.len() {
            // Rows of a column, without the next column, are always rows of the next one: if there are no others, both
            // are the same.
            let same = |k: &usize| {
                let (this, next) = (&columns[*k - 1], &columns[*k]);
                this.first() == Some(&small(*k)) && this.len() == next.len() + 1
            };
            let width = 1 + (first + 1..columns.len()).take_while(same).count();
            let below = &columns[first + width - 1];
            self.panel_of.resize(first + width, small(self.panels.len()));
            let panel = Panel {
                first: small(first),
                width: small(width),
                below: small(self.below.len()),
                count: small(below.len()),
                values: small(self.entries),
                straight: true,
            };
            self.panels.push(panel);
            self.below.extend(below);
            self.entries += panel.len();
            first += width;
        }
    }

    /// Finds where updates go.
    fn aim(&mut self) {
        let mut places = Vec::new();
        for k in 0..self.panels.len() {
            let panel = self.panels[k];
            let below = &self.below[panel.below as usize..][..panel.count as usize];
            for (b, &column) in below.iter().enumerate() {
                places.clear();
                // Every row below is one of the column's: that is what filling in means.
                places.extend(below[b..].iter().map(|&row| self.place(row, column).unwrap_or(0)));
                let base = places[0];
                let straight = places.iter().enumerate().all(|(i, &p)| p == base + small(i));
                let list = if straight {
                    Target::STRAIGHT
                } else {
                    small(self.lists.len())
                };
                self.targets.push(Target { base, list });
                if !straight {
                    self.panels[k].straight = false;
                    self.lists.extend(&places);
                }
            }
        }
    }

    /// Sorts panels by how many stand in line before them. What follows from each other makes a processor wait; what does
    /// not is done at the same time.
    fn schedule(&mut self) {
        let mut ranks = vec![0u32; self.panels.len()];
        for (k, panel) in self.panels.iter().enumerate() {
            for &row in &self.below[panel.below as usize..][..panel.count as usize] {
                let later = self.panel_of[row as usize] as usize;
                ranks[later] = ranks[later].max(ranks[k] + 1);
            }
        }
        let mut order: Vec<usize> = (0..self.panels.len()).collect();
        order.sort_by_key(|&k| (ranks[k], k));
        self.schedule = order.into_iter().map(|k| self.panels[k]).collect();
    }

    /// The place of an entry on or below the diagonal; rows and columns in the order of elimination.
    pub(super) fn place(&self, row: u32, column: u32) -> Option<u32> {
        let panel = self.panels[*self.panel_of.get(column as usize)? as usize];
        let (before, width) = (column - panel.first, panel.width);
        // Columns get shorter by one each.
        let start = panel.values + before * (width + panel.count) - before * before.saturating_sub(1) / 2;
        if row < panel.first + width {
            return Some(start + row.checked_sub(column)?);
        }
        let below = &self.below[panel.below as usize..][..panel.count as usize];
        let found = below.binary_search(&row).ok()?;
        Some(start + width - before + small(found))
    }

    /// For each row when it is eliminated.
    pub(super) fn places(&self) -> Vec<usize> {
        let mut place = vec![0; self.order.len()];
        for (k, &row) in self.order.iter().enumerate() {
            place[row as usize] = k;
        }
        place
    }
}

const NONE: usize = usize::MAX;

/// The elimination tree, and the rows of each column of the factor below the diagonal, ascending.
fn eliminate(order: &[usize], entries: impl Iterator<Item = (usize, usize)>) -> (Vec<usize>, Vec<Vec<u32>>) {
    let size = order.len();
    let mut place = vec![0; size];
    for (k, &row) in order.iter().enumerate() {
        place[row] = k;
    }
    let mut rows = vec![Vec::new(); size];
    for (a, b) in entries {
        let (a, b) = (place[a], place[b]);
        rows[a.max(b)].push(a.min(b));
    }
    let (mut parents, mut seen) = (vec![NONE; size], vec![NONE; size]);
    let mut columns = vec![Vec::new(); size];
    for (k, row) in rows.iter().enumerate() {
        seen[k] = k;
        for &column in row {
            let mut node = column;
            while seen[node] != k {
                seen[node] = k;
                columns[node].push(small(k));
                if parents[node] == NONE {
                    parents[node] = k;
                }
                node = parents[node];
            }
        }
    }
    (parents, columns)
}

/// Nodes of a forest, each behind its children, those in ascending order.
fn postorder(parents: &[usize]) -> Vec<usize> {
    let size = parents.len();
    let (mut child, mut sibling) = (vec![NONE; size], vec![NONE; size]);
    for (node, &parent) in parents.iter().enumerate().rev() {
        if parent != NONE {
            sibling[node] = child[parent];
            child[parent] = node;
        }
    }
    let mut order = Vec::with_capacity(size);
    let mut stack = Vec::new();
    for (root, _) in parents.iter().enumerate().filter(|(_, parent)| **parent == NONE) {
        stack.push(root);
        while let Some(&node) = stack.last() {
            let next = std::mem::replace(&mut child[node], NONE);
            if next == NONE {
                order.push(node);
                stack.pop();
            } else {
                child[node] = sibling[next];
                stack.push(next);
            }
        }
    }
    order
}

/// Matrices with more than four thousand million entries do not fit into memory anyway.
fn small(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_fills_nothing() {
        let chain = Symbolic::new(100, (1..100).map(|k| (k - 1, k)));
        assert_eq!(chain.entries, 199);
    }

    /// Neighbours in a chain of pairs see each other: each pair is a panel, and its update lies straight in the next.
    #[test]
    fn pairs_stay_together() {
        let pairs = (0..50usize).flat_map(|k| {
            let (a, b) = (2 * k, 2 * k + 1);
            let before = [a.saturating_sub(2), a.saturating_sub(1)];
            before
                .into_iter()
                .flat_map(move |c| [(a, c), (b, c)])
                .chain([(b, a)])
        });
        let chain = Symbolic::new(100, pairs);
        // The last two pairs are one block of four.
        assert_eq!(chain.panels.len(), 49);
        assert!(chain.targets.iter().all(|target| target.list == Target::STRAIGHT));
        assert_eq!(chain.entries, 50 * 3 + 49 * 4);
    }

    #[test]
    fn a_full_matrix_is_one_panel() {
        let full = Symbolic::new(6, (0..6).flat_map(|a| (0..a).map(move |b| (a, b))));
        assert_eq!((full.panels.len(), full.entries), (1, 21));
    }

    #[test]
    fn children_come_before_parents() {
        assert_eq!(postorder(&[4, 3, 3, 4, NONE]), [0, 1, 2, 3, 4]);
        assert_eq!(postorder(&[2, 3, 4, 4, NONE]), [0, 2, 1, 3, 4]);
    }
}
