//! What springs, stops and ports look at: lengths, angles and travels, each one number of the mechanism.

use super::combination::Combination;
use super::constraint::dot;

/// A number that depends on positions.
#[derive(Debug, Clone)]
pub(super) enum Measure<const D: usize> {
    /// The length of a vector.
    Length(Combination<D>),
    /// The angle whose cosine goes with `hand · zero` and whose sine with `hand · quarter`, between -π and π. Whole turns are counted
    /// from about `start` on.
    Angle {
        hand: Combination<D>,
        zero: Combination<D>,
        quarter: Combination<D>,
        start: Option<f64>,
    },
    /// The part of a vector along a unit vector, less an offset.
    Along {
        vector: Combination<D>,
        direction: Combination<D>,
        offset: f64,
    },
}

/// The nearest angle to `counted` that is `wrapped` and whole turns.
pub(super) fn unwound(wrapped: f64, counted: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    wrapped + turn * ((counted - wrapped) / turn).round()
}

fn times<const D: usize>(factor: f64, a: [f64; D]) -> [f64; D] {
    a.map(|part| factor * part)
}

impl<const D: usize> Measure<D> {
    /// The number.
    pub(super) fn value(&self, q: &[f64]) -> f64 {
        match self {
            Measure::Length(vector) => {
                let vector = vector.value(q);
                dot(vector, vector).sqrt()
            }
            Measure::Angle {
                hand, zero, quarter, ..
            } => {
                let hand = hand.value(q);
                f64::atan2(dot(hand, quarter.value(q)), dot(hand, zero.value(q)))
            }
            Measure::Along {
                vector,
                direction,
                offset,
            } => dot(vector.value(q), direction.value(q)) - offset,
        }
    }

    /// How fast it changes.
    pub(super) fn rate(&self, q: &[f64], v: &[f64]) -> f64 {
        let mut rate = 0.0;
        self.gradient(q, |at, part| rate += part * v[at]);
        rate
    }

    /// Hands out its derivative by each coordinate; a coordinate may come several times.
    pub(super) fn gradient(&self, q: &[f64], mut take: impl FnMut(usize, f64)) {
        match self {
            Measure::Length(vector) => {
                let value = vector.value(q);
                let length = dot(value, value).sqrt();
                // A spring without length pulls nowhere.
                let inverse = if length > 0.0 { 1.0 / length } else { 0.0 };
                vector.pull(times(inverse, value), take);
            }
            Measure::Angle {
                hand, zero, quarter, ..
            } => {
                let (h, z, q4) = (hand.value(q), zero.value(q), quarter.value(q));
                let (cosine, sine) = (dot(h, z), dot(h, q4));
                let square = cosine * cosine + sine * sine;
                if square > 0.0 {
                    let (by_sine, by_cosine) = (cosine / square, -sine / square);
                    let mut along = times(by_sine, q4);
                    for i in 0..D {
                        along[i] += by_cosine * z[i];
                    }
                    hand.pull(along, &mut take);
                    zero.pull(times(by_cosine, h), &mut take);
                    quarter.pull(times(by_sine, h), &mut take);
                }
            }
            Measure::Along {
                vector, direction, ..
            } => {
                vector.pull(direction.value(q), &mut take);
                direction.pull(vector.value(q), &mut take);
            }
        }
    }

    /// The coordinates it depends on, ascending.
    pub(super) fn coordinates(&self) -> Vec<usize> {
        let mut coordinates: Vec<usize> = match self {
            Measure::Length(vector) => vector.coordinates().collect(),
            Measure::Angle {
                hand, zero, quarter, ..
            } => hand
                .coordinates()
                .chain(zero.coordinates())
                .chain(quarter.coordinates())
                .collect(),
            Measure::Along {
                vector, direction, ..
            } => vector.coordinates().chain(direction.coordinates()).collect(),
        };
        coordinates.sort_unstable();
        coordinates.dedup();
        coordinates
    }

    /// What it is at the start, with the turns that were described.
    pub(super) fn first(&self, q: &[f64]) -> f64 {
        let value = self.value(q);
        match self {
            Measure::Angle {
                start: Some(start), ..
            } => unwound(value, *start),
            _ => value,
        }
    }

    /// Does it come back to where it was after a turn?
    pub(super) fn winds(&self) -> bool {
        matches!(self, Measure::Angle { .. })
    }
}
