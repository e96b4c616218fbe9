//! Roots on the continuous solution: which function changed its sign first, and where.

use crate::evaluation::Setback;
use crate::memory::{Reader, Writer};
use crate::stepper::Stepper;
use crate::{Crossing, Equations, SolveError};

/// Where a step is sampled while a function still leaves zero: closely at first, because a ball that has just
/// bounced may fly and land again within one step, and the signs at its ends would not tell.
const DEPARTURE: [f64; 4] = [1.0 / 64.0, 0.125, 0.5, 1.0];

/// The same where functions that are zero have a side: one that goes back over zero at once, and then lands again,
/// would be seen on the same side at both ends.
const CLOSE_DEPARTURE: [f64; 7] = [
    1.0 / 16_777_216.0,
    1.0 / 65536.0,
    1.0 / 1024.0,
    1.0 / 64.0,
    0.125,
    0.5,
    1.0,
];

/// Else only its end tells.
const CRUISE: [f64; 1] = [1.0];

/// The first root in an interval.
pub(crate) struct Found {
    pub(crate) t: f64,
    pub(crate) index: usize,
    pub(crate) crossing: Crossing,
}

/// Watches the signs of the root functions along the solution.
///
/// A function's side is −1, +1, or 0 as long as it has not been seen apart from zero; only a function that leaves
/// a known side crosses.
pub(crate) struct Watch {
    /// The side each function is on.
    sides: Vec<i8>,
    /// The values at the current place.
    values: Vec<f64>,
    /// What crossed at the last reported root; valid while `reported`.
    crossings: Vec<Option<Crossing>>,
    reported: bool,
    /// Where that was; not a number before the first root.
    root_time: f64,
    /// Whether sides and values belong to the current place.
    armed: bool,
    /// Whether the functions were armed (or crossed) at the start of this interval.
    departing: bool,
    /// Whether one of them stood at its root there.
    standing: bool,
    /// Whether a function that is zero has a side, as the equations say.
    strict: bool,
    /// Values at the right end of the bracket, and inside it.
    right: Vec<f64>,
    middle: Vec<f64>,
    point: Vec<f64>,
}

impl Watch {
    pub(crate) fn new(states: usize, roots: usize) -> Self {
        Self {
            sides: vec![0; roots],
            values: vec![0.0; roots],
            crossings: vec![None; roots],
            reported: false,
            root_time: f64::NAN,
            armed: false,
            departing: true,
            standing: false,
            strict: false,
            right: vec![0.0; roots],
            middle: vec![0.0; roots],
            point: vec![0.0; states],
        }
    }

    pub(crate) fn roots(&self) -> usize {
        self.sides.len()
    }

    pub(crate) fn crossings(&self) -> &[Option<Crossing>] {
        if self.reported { &self.crossings } else { &[] }
    }

    /// Forgets that the last answer was a root.
    pub(crate) fn clear(&mut self) {
        self.reported = false;
    }

    /// The functions or the state may have jumped: look at the values anew before going on.
    pub(crate) fn rearm(&mut self) {
        self.armed = false;
        self.reported = false;
    }

    /// Learns the sides at `(t, x)` if they are not known.
    ///
    /// A function that was reported at this very time and is no further from zero than it was then stands at its
    /// root, not beyond it. Its side is open: a ball that bounces leaves upwards, one that falls on leaves downwards.
    /// If the equations keep sides, it is where its value says.
    pub(crate) fn arm(&mut self, equations: &mut dyn Equations, t: f64, x: &[f64]) -> Result<(), SolveError> {
        self.reported = false;
        self.strict = equations.keeps_sides();
        if self.armed || self.sides.is_empty() {
            return Ok(());
        }
        evaluate(equations, t, x, &mut self.right)?;
        let at_root = t == self.root_time;
        self.standing = false;
        for (j, &value) in self.right.iter().enumerate() {
            let stands = at_root && self.crossings[j].is_some() && value.abs() <= self.values[j].abs();
            self.standing |= stands || value == 0.0;
            self.sides[j] = if stands && !self.strict {
                0
            } else {
                side(value, self.strict)
            };
        }
        self.values.copy_from_slice(&self.right);
        self.armed = true;
        self.departing = true;
        Ok(())
    }

    /// Looks for the first root in `(from, to]` on the curve of the stepper's last step.
    pub(crate) fn search(
        &mut self,
        equations: &mut dyn Equations,
        curve: &dyn Stepper,
        from: f64,
        to: f64,
    ) -> Result<Option<Found>, SolveError> {
        if self.sides.is_empty() {
            return Ok(None);
        }
        let samples: &[f64] = if self.departing && self.strict && self.standing {
            &CLOSE_DEPARTURE
        } else if self.departing && self.sides.contains(&0) {
            &DEPARTURE
        } else {
            &CRUISE
        };
        // If an evaluation fails half way, a caller who tries again starts from here with values of here.
        self.armed = false;
        let mut left = from;
        for &fraction in samples {
            let right = if fraction < 1.0 {
                from + fraction * (to - from)
            } else {
                to
            };
            if right <= left {
                continue;
            }
            evaluate(
                equations,
                right,
                on(curve, right, &mut self.point),
                &mut self.right,
            )?;
            if self.crossed(&self.right) {
                let t = self.locate(equations, curve, left, right)?;
                return Ok(self.report(t));
            }
            self.settle();
            left = right;
        }
        self.armed = true;
        self.departing = false;
        Ok(None)
    }

    /// Narrows `[left, right]`, which holds a crossing, to neighbouring times; answers the right one.
    ///
    /// Regula falsi in its Illinois form (Dowell and Jarratt, BIT 11, 1971): an end that stays counts only half.
    /// With several functions the earliest estimate is taken. Every third time the middle bounds the number of
    /// iterations, whatever the functions look like.
    fn locate(
        &mut self,
        equations: &mut dyn Equations,
        curve: &dyn Stepper,
        mut left: f64,
        mut right: f64,
    ) -> Result<f64, SolveError> {
        let (mut left_weight, mut right_weight) = (1.0, 1.0);
        let width = right - left;
        for iteration in 1.. {
            let resolution = f64::EPSILON * width.max(2.0 * left.abs().max(right.abs()));
            if right - left <= resolution {
                break;
            }
            let estimate = if iteration % 3 == 0 {
                left + 0.5 * (right - left)
            } else {
                self.estimate(left, right, left_weight, right_weight)
            };
            // Half a resolution inside, so that an estimate on the root itself closes the bracket from both sides.
            let t = estimate.clamp(left + 0.5 * resolution, right - 0.5 * resolution);
            if !(t > left && t < right) {
                break;
            }
            evaluate(equations, t, on(curve, t, &mut self.point), &mut self.middle)?;
            if self.crossed(&self.middle) {
                right = t;
                self.right.copy_from_slice(&self.middle);
                (left_weight, right_weight) = (left_weight * 0.5, 1.0);
            } else {
                left = t;
                std::mem::swap(&mut self.right, &mut self.middle);
                self.settle();
                std::mem::swap(&mut self.right, &mut self.middle);
                (left_weight, right_weight) = (1.0, right_weight * 0.5);
            }
        }
        Ok(right)
    }

    /// The earliest zero of the chords of all functions that cross.
    fn estimate(&self, left: f64, right: f64, left_weight: f64, right_weight: f64) -> f64 {
        let mut earliest = right;
        for (j, &side) in self.sides.iter().enumerate() {
            if leaves(side, self.right[j], self.strict) {
                let (a, b) = (
                    left_weight * self.values[j].abs(),
                    right_weight * self.right[j].abs(),
                );
                let fraction = if a + b > 0.0 { a / (a + b) } else { 0.5 };
                earliest = earliest.min(left + fraction * (right - left));
            }
        }
        earliest
    }

    fn crossed(&self, values: &[f64]) -> bool {
        self.sides
            .iter()
            .zip(values)
            .any(|(&side, &value)| leaves(side, value, self.strict))
    }

    /// Moves the left end to the right one, where nothing crossed: functions that left zero get a side.
    fn settle(&mut self) {
        self.values.copy_from_slice(&self.right);
        for (known, &value) in self.sides.iter_mut().zip(&self.values) {
            if *known == 0 {
                *known = side(value, self.strict);
            }
        }
    }

    /// Notes what crossed at `t`; from here on each function is on its new side.
    fn report(&mut self, t: f64) -> Option<Found> {
        for (j, crossing) in self.crossings.iter_mut().enumerate() {
            let known = self.sides[j];
            *crossing = leaves(known, self.right[j], self.strict).then_some(if known < 0 {
                Crossing::Rising
            } else {
                Crossing::Falling
            });
            self.sides[j] = side(self.right[j], self.strict);
        }
        self.standing = true;
        self.values.copy_from_slice(&self.right);
        self.reported = true;
        self.armed = true;
        self.departing = true;
        self.root_time = t;
        self.crossings
            .iter()
            .enumerate()
            .find_map(|(index, &crossing)| crossing.map(|crossing| Found { t, index, crossing }))
    }

    pub(crate) fn save(&self, memory: &mut Writer<'_>) {
        memory.reals(&self.values);
        memory.real(self.root_time);
        self.sides.iter().for_each(|&side| memory.integer(side.into()));
        self.crossings
            .iter()
            .for_each(|&crossing| memory.crossing(crossing));
        [self.reported, self.armed, self.departing, self.standing]
            .into_iter()
            .for_each(|flag| memory.flag(flag));
    }

    pub(crate) fn restore(&mut self, memory: &mut Reader<'_>) {
        memory.reals(&mut self.values);
        self.root_time = memory.real();
        self.sides
            .iter_mut()
            .for_each(|side| *side = memory.integer().signum() as i8);
        self.crossings
            .iter_mut()
            .for_each(|crossing| *crossing = memory.crossing());
        self.reported = memory.flag();
        self.armed = memory.flag();
        self.departing = memory.flag();
        self.standing = memory.flag();
    }
}

fn side(value: f64, strict: bool) -> i8 {
    i8::from(value > 0.0) - i8::from(if strict { value <= 0.0 } else { value < 0.0 })
}

/// Zero counts as crossed, so that a root hit exactly is reported, once; if it has a side, coming from the other one.
fn leaves(known: i8, value: f64, strict: bool) -> bool {
    known != 0 && side(value, strict) != known
}

/// The point of the curve at `t`; the end is the state itself and not its interpolation.
fn on<'a>(curve: &'a dyn Stepper, t: f64, point: &'a mut [f64]) -> &'a [f64] {
    if t == curve.end() {
        return curve.state();
    }
    curve.interpolate(t, point);
    point
}

fn evaluate(equations: &mut dyn Equations, t: f64, x: &[f64], g: &mut [f64]) -> Result<(), SolveError> {
    equations
        .root_values(t, x, g)
        .map_err(|trouble| Setback::from(trouble).at(t))?;
    match g.iter().position(|value| value.is_nan()) {
        Some(root) => Err(SolveError::RootNonFinite { t, root }),
        None => Ok(()),
    }
}
