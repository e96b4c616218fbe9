//! Bodies as combinations of nodes: basic points, and unit vectors where points do not fix the orientation.

use cardan_core::spatial::cross;

use super::combination::Combination;
use super::constraint::{Constraint, dot};
use super::description::{Mistake, Place};
use super::motion::Number;
use super::sharing::Sharing;

/// A body: where its origin is and how its axes lie, in coordinates.
#[derive(Debug, Clone)]
pub(super) struct Solid<const D: usize> {
    pub(super) origin: Combination<D>,
    /// None for a particle, which has no orientation.
    pub(super) axes: Option<[Combination<D>; D]>,
}

impl<const D: usize> Solid<D> {
    /// The ground: nothing moves.
    pub(super) fn ground() -> Self {
        Solid {
            origin: Combination::constant([0.0; D]),
            axes: Some(std::array::from_fn(|i| {
                let mut axis = [0.0; D];
                axis[i] = 1.0;
                Combination::constant(axis)
            })),
        }
    }

    /// A point fixed to the body.
    pub(super) fn point(&self, local: [f64; 3]) -> Combination<D> {
        self.origin.clone().plus(1.0, &self.direction(local))
    }

    /// A direction fixed to the body. Particles have none.
    pub(super) fn direction(&self, local: [f64; 3]) -> Combination<D> {
        let mut sum = Combination::constant([0.0; D]);
        for (axis, part) in self.axes.iter().flatten().zip(local) {
            sum = sum.plus(part, axis);
        }
        sum
    }
}

/// The first `D` parts.
pub(super) fn cut<const D: usize>(x: [f64; 3]) -> [f64; D] {
    std::array::from_fn(|i| x[i])
}

/// All bodies, and the constraints that keep them rigid.
pub(super) struct Solids<const D: usize> {
    pub(super) solids: Vec<Solid<D>>,
    pub(super) constraints: Vec<(Place, Constraint<D>)>,
    pub(super) nodes: Vec<Node>,
    /// The length of directions that are nodes.
    pub(super) size: f64,
}

/// A node that moves: its first coordinate is `D` times its index. Remembers how it was seen from a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) body: usize,
    pub(super) local: [f64; 3],
    /// Is it a point, or a direction?
    pub(super) point: bool,
}

impl<const D: usize> Solids<D> {
    /// Builds all bodies from the points and directions they share.
    pub(super) fn new(
        names: &[String],
        oriented: &[bool],
        centers: &[[f64; 3]],
        sharing: &Sharing,
        size: f64,
    ) -> Result<Self, Mistake> {
        let mut building = Solids {
            solids: vec![Solid::ground()],
            constraints: Vec::new(),
            nodes: Vec::new(),
            size,
        };
        let mut shared = vec![None; sharing.classes()];
        for (class, fixed) in sharing.fixed() {
            shared[class] = Some(Combination::constant(cut(fixed)));
        }
        for body in 1..names.len() {
            building.add(
                body,
                &names[body],
                oriented[body],
                centers[body],
                sharing,
                &mut shared,
            )?;
        }
        Ok(building)
    }

    fn node(&mut self, body: usize, local: [f64; 3], point: bool) -> Combination<D> {
        let at = self.nodes.len() * D;
        self.nodes.push(Node { body, local, point });
        Combination::node(at)
    }

    fn add(
        &mut self,
        body: usize,
        name: &str,
        oriented: bool,
        center: [f64; 3],
        sharing: &Sharing,
        shared: &mut [Option<Combination<D>>],
    ) -> Result<(), Mistake> {
        let place = Place::Body(name.to_owned());
        let points: Vec<(usize, [f64; 3])> = sharing.points_of(body);
        let arrows: Vec<(usize, [f64; 3])> = sharing.arrows_of(body);
        let mut take = |building: &mut Self, class: usize, local: [f64; 3], point: bool| {
            shared[class]
                .get_or_insert_with(|| building.node(body, local, point))
                .clone()
        };
        if !oriented && points.len() <= 1 && arrows.is_empty() {
            let (local, origin) = match points.first() {
                Some(&(class, local)) => (local, take(self, class, local, true)),
                None => (center, self.node(body, center, true)),
            };
            if local != center {
                return Err(Mistake::at(
                    place,
                    "is held at a point apart from its mass, but has no inertia",
                )
                .advise("give it an inertia or a shape"));
            }
            self.solids.push(Solid { origin, axes: None });
            return Ok(());
        }
        // The base: one point, and as many directions as a plane or space has, from its own points where possible.
        let first = match points.first() {
            Some(&(class, local)) => (local, take(self, class, local, true)),
            None => (center, self.node(body, center, true)),
        };
        let mut base: Vec<([f64; 3], Combination<D>)> = Vec::new();
        let mut used = vec![points.first().map(|(class, _)| *class)];
        let mut candidates: Vec<(usize, [f64; 3], bool)> = points
            .iter()
            .skip(1)
            .map(|&(class, local)| (class, local, true))
            .collect();
        candidates.extend(arrows.iter().map(|&(class, local)| (class, local, false)));
        let wanted = if D == 2 { 1 } else { 3 };
        while base.len() < wanted {
            let direction = |&(_, local, point): &(usize, [f64; 3], bool)| match point {
                true => std::array::from_fn(|i| local[i] - first.0[i]),
                false => local,
            };
            let best = candidates
                .iter()
                .map(|candidate| (fresh(direction(candidate), &base), candidate))
                .max_by(|a, b| a.0.total_cmp(&b.0));
            match best {
                Some((news, &(class, local, point))) if news > 0.2 => {
                    let node = take(self, class, local, point);
                    let vector = if point { node.minus(&first.1) } else { node };
                    base.push((direction(&(class, local, point)), vector));
                    used.push(Some(class));
                    candidates.retain(|candidate| candidate.0 != class);
                }
                _ => {
                    let local = across(&base, D).map(|part| self.size * part);
                    let vector = self.node(body, local, false);
                    base.push((local, vector));
                }
            }
        }
        let axes = axes(&base);
        for (i, (local, vector)) in base.iter().enumerate() {
            for (other, against) in &base[..=i] {
                let target = Number::Constant(dot(*local, *other));
                let constraint = match std::ptr::eq(vector, against) {
                    true => Constraint::square(vector.clone(), target),
                    false => Constraint::dot(vector.clone(), against.clone(), target),
                };
                self.constrain(place.clone(), constraint);
            }
        }
        let mut origin = first.1;
        for (axis, part) in axes.iter().zip(first.0) {
            origin = origin.plus(-part, axis);
        }
        let solid = Solid {
            origin,
            axes: Some(axes),
        };
        // What is shared and not part of the base is tied to it.
        let rest = points.iter().map(|&(class, local)| (class, local, true));
        let rest = rest.chain(arrows.iter().map(|&(class, local)| (class, local, false)));
        for (class, local, point) in rest.filter(|(class, _, _)| !used.contains(&Some(*class))) {
            let node = take(self, class, local, point);
            let own = if point {
                solid.point(local)
            } else {
                solid.direction(local)
            };
            for part in 0..D {
                let constraint = Constraint::part(node.minus(&own), part, self.size);
                self.constrain(place.clone(), constraint);
            }
        }
        self.solids.push(solid);
        Ok(())
    }

    /// Adds a constraint, and tells its number. Between points of the ground there is nothing to hold.
    pub(super) fn constrain(&mut self, place: Place, constraint: Constraint<D>) -> Option<usize> {
        if constraint.is_empty() {
            return None;
        }
        self.constraints.push((place, constraint));
        Some(self.constraints.len() - 1)
    }
}

/// How much of a direction is new beside those of the base, as a part of its length.
fn fresh<const D: usize>(direction: [f64; 3], base: &[([f64; 3], Combination<D>)]) -> f64 {
    let length = dot(direction, direction).sqrt();
    if length == 0.0 {
        return 0.0;
    }
    let across = away(direction, base);
    dot(across, across).sqrt() / length
}

/// What is left of a direction without its parts in the span of the base.
fn away<const D: usize>(mut direction: [f64; 3], base: &[([f64; 3], Combination<D>)]) -> [f64; 3] {
    let mut basis: Vec<[f64; 3]> = Vec::new();
    let cleaned = |mut x: [f64; 3], basis: &[[f64; 3]]| {
        for unit in basis {
            let along = dot(x, *unit);
            x = std::array::from_fn(|i| x[i] - along * unit[i]);
        }
        x
    };
    for (local, _) in base {
        let rest = cleaned(*local, &basis);
        let length = dot(rest, rest).sqrt();
        basis.push(rest.map(|part| part / length));
    }
    direction = cleaned(direction, &basis);
    direction
}

/// A unit vector across all of the base, as near to one of the body's axes as can be.
fn across<const D: usize>(base: &[([f64; 3], Combination<D>)], dimensions: usize) -> [f64; 3] {
    let mut best = ([0.0; 3], 0.0);
    for i in 0..dimensions {
        let mut axis = [0.0; 3];
        axis[i] = 1.0;
        let rest = away(axis, base);
        let length = dot(rest, rest).sqrt();
        // The first axis wins where several are as good.
        if length > best.1 + 1e-9 {
            best = (rest.map(|part| part / length), length);
        }
    }
    best.0
}

/// The body's axes from the directions of its base.
fn axes<const D: usize>(base: &[([f64; 3], Combination<D>)]) -> [Combination<D>; D] {
    if D == 2 {
        let ([x, y, _], vector) = &base[0];
        let square = x * x + y * y;
        // The x axis is the direction, turned back by its own angle in the body, and divided by its length.
        let first = vector.times(x / square).plus(-y / square, &vector.turned());
        let second = first.turned();
        let both = [first, second];
        return std::array::from_fn(|i| both[i % 2].clone());
    }
    let [a, b, c] = [base[0].0, base[1].0, base[2].0];
    let volume = dot(a, cross(b, c));
    // Rows of the inverse of the matrix whose columns are the directions.
    let rows = [cross(b, c), cross(c, a), cross(a, b)].map(|row| row.map(|part| part / volume));
    std::array::from_fn(|i| {
        let mut axis = Combination::constant([0.0; D]);
        for (row, (_, vector)) in rows.iter().zip(base) {
            axis = axis.plus(row[i], vector);
        }
        axis
    })
}
