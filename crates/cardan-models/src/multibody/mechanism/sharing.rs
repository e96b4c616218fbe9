//! Which points and directions bodies have in common: joints in natural coordinates are mostly that.

use super::names::{GROUND, Spot};

/// Points and directions of bodies, in classes of those that are the same node.
#[derive(Debug, Default)]
pub(super) struct Sharing {
    items: Vec<Item>,
}

#[derive(Debug)]
struct Item {
    spot: Spot,
    point: bool,
    /// The item that stands for the class, at the end of a chain.
    parent: usize,
}

impl Sharing {
    /// The two points are one.
    pub(super) fn join_points(&mut self, a: Spot, b: Spot) {
        let (a, b) = (self.item(a, true), self.item(b, true));
        self.join(a, b);
    }

    /// The two directions, of length one, are one.
    pub(super) fn join_arrows(&mut self, a: Spot, b: Spot) {
        let (a, b) = (self.item(a, false), self.item(b, false));
        self.join(a, b);
    }

    /// A point is worth being a node even if nobody shares it.
    pub(super) fn mark(&mut self, point: Spot) {
        self.item(point, true);
    }

    fn item(&mut self, spot: Spot, point: bool) -> usize {
        let near = |item: &Item| {
            let gap = item
                .spot
                .local
                .iter()
                .zip(spot.local)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max);
            item.point == point && item.spot.body == spot.body && gap < 1e-12
        };
        if let Some(known) = self.items.iter().position(near) {
            return known;
        }
        let parent = self.items.len();
        self.items.push(Item { spot, point, parent });
        parent
    }

    fn head(&self, mut item: usize) -> usize {
        while self.items[item].parent != item {
            item = self.items[item].parent;
        }
        item
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.head(a), self.head(b));
        let (first, second) = (a.min(b), a.max(b));
        self.items[second].parent = first;
    }

    /// Classes are numbered by their heads; not every number is one.
    pub(super) fn classes(&self) -> usize {
        self.items.len()
    }

    /// Classes that belong to the ground, and where they are.
    pub(super) fn fixed(&self) -> impl Iterator<Item = (usize, [f64; 3])> + '_ {
        let of_ground = self
            .items
            .iter()
            .enumerate()
            .filter(|(_, item)| item.spot.body == GROUND);
        of_ground.map(|(index, item)| (self.head(index), item.spot.local))
    }

    /// The points of a body that are nodes, each once, with their places in the body.
    pub(super) fn points_of(&self, body: usize) -> Vec<(usize, [f64; 3])> {
        self.of(body, true)
    }

    /// The same for directions.
    pub(super) fn arrows_of(&self, body: usize) -> Vec<(usize, [f64; 3])> {
        self.of(body, false)
    }

    fn of(&self, body: usize, point: bool) -> Vec<(usize, [f64; 3])> {
        let own = self
            .items
            .iter()
            .enumerate()
            .filter(|(_, item)| item.spot.body == body && item.point == point);
        let mut classes: Vec<(usize, [f64; 3])> = Vec::new();
        for (index, item) in own {
            let class = self.head(index);
            if classes.iter().all(|(known, _)| *known != class) {
                classes.push((class, item.spot.local));
            }
        }
        classes
    }
}

impl Sharing {
    /// A body (or the ground) of which two different points or directions would have to be one.
    pub(super) fn conflict(&self) -> Option<usize> {
        let mut seen: std::collections::BTreeSet<(usize, usize)> = std::collections::BTreeSet::new();
        let mut items = self.items.iter().enumerate();
        items
            .find(|(index, item)| !seen.insert((self.head(*index), item.spot.body)))
            .map(|(_, item)| item.spot.body)
    }
}
