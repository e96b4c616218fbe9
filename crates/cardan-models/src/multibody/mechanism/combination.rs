//! Points and directions of bodies: sums of coordinates, with weights that never change.

/// A vector of `D` parts that is linear in the coordinates, plus a constant.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Combination<const D: usize> {
    constant: [f64; D],
    terms: Vec<Term>,
}

/// A node's coordinates, weighed; in a plane also turned by a right angle and weighed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Term {
    at: usize,
    straight: f64,
    turned: f64,
}

/// `x` turned by a right angle, in a plane.
fn turn<const D: usize>(x: [f64; D]) -> [f64; D] {
    let mut turned = [0.0; D];
    if D == 2 {
        turned[0] = -x[1];
        turned[1] = x[0];
    }
    turned
}

impl<const D: usize> Combination<D> {
    /// A vector that does not move.
    pub(super) fn constant(constant: [f64; D]) -> Self {
        Combination {
            constant,
            terms: Vec::new(),
        }
    }

    /// The coordinates from this one on.
    pub(super) fn node(at: usize) -> Self {
        Combination {
            constant: [0.0; D],
            terms: vec![Term {
                at,
                straight: 1.0,
                turned: 0.0,
            }],
        }
    }

    pub(super) fn plus(mut self, factor: f64, other: &Self) -> Self {
        for i in 0..D {
            self.constant[i] += factor * other.constant[i];
        }
        for term in &other.terms {
            let (straight, turned) = (factor * term.straight, factor * term.turned);
            match self.terms.iter_mut().find(|known| known.at == term.at) {
                Some(known) => {
                    known.straight += straight;
                    known.turned += turned;
                }
                None => self.terms.push(Term {
                    at: term.at,
                    straight,
                    turned,
                }),
            }
        }
        self.terms
            .retain(|term| term.straight != 0.0 || term.turned != 0.0);
        self
    }

    pub(super) fn times(&self, factor: f64) -> Self {
        Self::constant([0.0; D]).plus(factor, self)
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        self.clone().plus(-1.0, other)
    }

    /// Turned by a right angle, in a plane.
    pub(super) fn turned(&self) -> Self {
        Combination {
            constant: turn(self.constant),
            terms: self
                .terms
                .iter()
                .map(|term| Term {
                    at: term.at,
                    straight: -term.turned,
                    turned: term.straight,
                })
                .collect(),
        }
    }

    /// The vector at these coordinates.
    #[inline]
    pub(super) fn value(&self, q: &[f64]) -> [f64; D] {
        self.sum(self.constant, q)
    }

    /// Its velocity.
    #[inline]
    pub(super) fn rate(&self, v: &[f64]) -> [f64; D] {
        self.sum([0.0; D], v)
    }

    #[inline]
    fn sum(&self, mut sum: [f64; D], x: &[f64]) -> [f64; D] {
        for term in &self.terms {
            let node: &[f64] = &x[term.at..term.at + D];
            for i in 0..D {
                sum[i] += term.straight * node[i];
            }
            if D == 2 && term.turned != 0.0 {
                sum[0] -= term.turned * node[1];
                sum[1] += term.turned * node[0];
            }
        }
        sum
    }

    /// Hands out what a force at this vector is for each coordinate: `coordinate, part`.
    #[inline]
    pub(super) fn pull(&self, force: [f64; D], mut take: impl FnMut(usize, f64)) {
        for term in &self.terms {
            for i in 0..D {
                let mut part = term.straight * force[i];
                if D == 2 && term.turned != 0.0 {
                    part += term.turned * if i == 0 { force[1] } else { -force[0] };
                }
                take(term.at + i, part);
            }
        }
    }

    /// The coordinates it depends on.
    pub(super) fn coordinates(&self) -> impl Iterator<Item = usize> + '_ {
        self.terms.iter().flat_map(|term| term.at..term.at + D)
    }

    /// Adds `weight · selfᵀ other` to a matrix of masses, both as maps from coordinates.
    pub(super) fn outer(&self, weight: f64, other: &Self, mut add: impl FnMut(usize, usize, f64)) {
        for a in &self.terms {
            for b in &other.terms {
                let even = weight * (a.straight * b.straight + a.turned * b.turned);
                let odd = weight * (a.straight * b.turned - a.turned * b.straight);
                for i in 0..D {
                    add(a.at + i, b.at + i, even);
                }
                if D == 2 {
                    // (s + t J)ᵀ (s' + t' J) has the part (s t' - t s') J, and J has -1 above its diagonal.
                    add(a.at, b.at + 1, -odd);
                    add(a.at + 1, b.at, odd);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A force does the work `force · rate`, whatever the combination.
    #[test]
    fn pulls_are_the_other_side_of_rates() {
        let vector = Combination::<2>::node(0)
            .plus(0.3, &Combination::node(2).turned())
            .plus(-2.0, &Combination::node(4));
        let v = [0.3, -0.7, 1.1, 0.4, -0.2, 0.9];
        let force = [1.7, -0.6];
        let rate = vector.rate(&v);
        let mut power = 0.0;
        vector.pull(force, |at, part| power += part * v[at]);
        assert!((power - (force[0] * rate[0] + force[1] * rate[1])).abs() < 1e-15);
    }

    #[test]
    fn masses_give_the_energy_of_rates() {
        let a = Combination::<2>::node(0).plus(0.3, &Combination::node(2).turned());
        let b = Combination::<2>::node(2).plus(-1.2, &Combination::node(0).turned());
        let v = [0.3, -0.7, 1.1, 0.4];
        let mut matrix = [[0.0; 4]; 4];
        a.outer(1.5, &b, |row, column, value| matrix[row][column] += value);
        let product: f64 = (0..4)
            .flat_map(|i| (0..4).map(move |j| (i, j)))
            .map(|(i, j)| v[i] * matrix[i][j] * v[j])
            .sum();
        let (a, b) = (a.rate(&v), b.rate(&v));
        assert!((product - 1.5 * (a[0] * b[0] + a[1] * b[1])).abs() < 1e-15);
    }
}
