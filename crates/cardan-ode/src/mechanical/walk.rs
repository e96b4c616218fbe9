//! Steps through a mechanical system, whatever the method.

use super::curve::Curve;
use super::pace::Pace;
use super::{Mechanics, Structure};
use crate::evaluation::Setback;
use crate::landing::Limit;
use crate::memory::{Reader, Writer};
use crate::stepper::Stepper;
use crate::{Counts, Equations, SolveError};

/// How often a step is halved that cannot be taken.
const HALVINGS: u32 = 10;

/// So often a step is halved before it has to come through. Measured on linkages that pass singular positions: with one
/// halving energy jumps there by parts of 1e-7, with two by 1e-9, with three not visibly, at twice the failed steps of two.
const STRICT: u32 = 2;

/// One step that is tried: where it begins, and room for where it ends.
pub(crate) struct Leg<'a> {
    pub(super) from_time: f64,
    pub(super) to_time: f64,
    pub(super) from: &'a [f64],
    pub(super) from_rates: &'a [f64],
    pub(super) state: &'a mut [f64],
    pub(super) rates: &'a mut [f64],
    /// Is a bad place to be left to a shorter step, or is this one to come through as well as it can?
    pub(super) strict: bool,
    /// Will somebody ask for its errors?
    pub(super) judged: bool,
}

impl Leg<'_> {
    pub(super) fn length(&self) -> f64 {
        self.to_time - self.from_time
    }
}

/// One method: how a step is tried. What a failed one wrote has no meaning.
pub(crate) trait Scheme: Send {
    /// The motion begins here, or forces jump: what is remembered beside the state is found anew.
    fn begin(
        &mut self,
        mechanics: &mut dyn Mechanics,
        t: f64,
        x: &[f64],
        counts: &mut Counts,
    ) -> Result<(), Setback>;

    /// Writes the state at the end of the leg, and the rates of the quadratures there.
    fn attempt(
        &mut self,
        mechanics: &mut dyn Mechanics,
        leg: Leg<'_>,
        counts: &mut Counts,
    ) -> Result<(), Setback>;

    /// Writes about how wrong the state at the end of the leg is that was tried last, of length `h`.
    fn estimate(&self, h: f64, errors: &mut [f64]);

    /// The step tried last counts.
    fn accept(&mut self) {}

    fn save(&self, _memory: &mut Writer<'_>) {}

    fn restore(&mut self, _memory: &mut Reader<'_>) {}
}

/// A method on its way.
pub(crate) struct Walk<S> {
    scheme: S,
    pace: Pace,
    curve: Curve,
    /// Does the scheme remember what belongs to the end of the curve?
    known: bool,
    counts: Counts,
    state: Vec<f64>,
    rates: Vec<f64>,
}

impl<S> Walk<S> {
    pub(crate) fn new(scheme: S, structure: &Structure, pace: Pace) -> Self {
        Walk {
            scheme,
            pace,
            curve: Curve::new(structure.coordinates, structure.quadratures),
            known: false,
            counts: Counts::default(),
            state: vec![0.0; structure.states()],
            rates: vec![0.0; structure.quadratures],
        }
    }
}

impl<S: Scheme> Walk<S> {
    fn begin(&mut self, mechanics: &mut dyn Mechanics) -> Result<(), SolveError> {
        let t = self.curve.end;
        let begun = self.scheme.begin(mechanics, t, &self.curve.to, &mut self.counts);
        begun.map_err(|setback| setback.at(t))?;
        mechanics.quadratures(t, &self.curve.to, &mut self.curve.to_rates);
        self.known = true;
        Ok(())
    }

    fn attempt(&mut self, mechanics: &mut dyn Mechanics, to: f64, strict: bool) -> Result<(), Setback> {
        let leg = Leg {
            from_time: self.curve.end,
            to_time: to,
            from: &self.curve.to,
            from_rates: &self.curve.to_rates,
            state: &mut self.state,
            rates: &mut self.rates,
            strict,
            judged: self.pace.judges(),
        };
        self.scheme.attempt(mechanics, leg, &mut self.counts)?;
        finite(&self.state)
    }

    fn accept(&mut self, to: f64) {
        self.scheme.accept();
        self.curve.advance(to, &mut self.state, &mut self.rates);
        self.pace.accept(to);
        self.counts.steps += 1;
    }

    /// Where a shorter step ends, if the one to `to` is not good enough.
    fn judge(&mut self, to: f64, limit: Limit, singular: bool) -> Result<Option<f64>, SolveError> {
        let Pace::Judged(judged) = &mut self.pace else {
            return Ok(None);
        };
        let (t, scheme) = (self.curve.end, &self.scheme);
        let states = [&self.curve.to[..], &self.state];
        judged.judge((t, to), limit, singular, states, |errors| {
            scheme.estimate(to - t, errors)
        })
    }
}

impl<S: Scheme> Stepper for Walk<S> {
    fn restart(&mut self, t: f64, x: &[f64]) {
        self.pace.restart();
        self.disturb(t, x);
    }

    fn disturb(&mut self, t: f64, x: &[f64]) {
        if t != self.curve.end {
            self.pace.stray();
        }
        self.curve.stand(t, x);
        self.known = false;
    }

    fn step(&mut self, equations: &mut dyn Equations, limit: Limit) -> Result<(), SolveError> {
        let t = self.curve.end;
        let mut to = self.pace.next(t, limit)?;
        let mechanics = equations.mechanics().ok_or(SolveError::NotMechanical { t })?;
        if !self.known {
            self.begin(mechanics)?;
        }
        let (mut halvings, mut singular) = (0, false);
        loop {
            if to <= t {
                let smallest = crate::landing::smallest(t);
                return Err(SolveError::StepTooSmall { t, smallest });
            }
            match self.attempt(mechanics, to, halvings < STRICT) {
                Ok(()) => match self.judge(to, limit, singular)? {
                    None => break,
                    Some(shorter) => to = shorter,
                },
                Err(setback) if setback.may_pass() && halvings < HALVINGS => {
                    // Only this step is shorter, those behind it are as long as they should be: one bad place does not make the
                    // rest slow.
                    halvings += 1;
                    singular |= setback == Setback::Singular;
                    to = t + 0.5 * (to - t);
                }
                Err(Setback::Diverged | Setback::Singular) => {
                    let (step, failures) = (to - t, halvings + 1);
                    return Err(SolveError::Newton { t, step, failures });
                }
                Err(setback) => return Err(setback.at(to)),
            }
            self.counts.rejected += 1;
        }
        self.accept(to);
        Ok(())
    }

    fn end(&self) -> f64 {
        self.curve.end
    }

    fn state(&self) -> &[f64] {
        &self.curve.to
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        self.curve.at(t, x);
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn save(&self, memory: &mut Writer<'_>) {
        self.pace.save(memory);
        self.curve.save(memory);
        memory.flag(self.known);
        self.scheme.save(memory);
    }

    fn restore(&mut self, memory: &mut Reader<'_>) {
        self.pace.restore(memory);
        self.curve.restore(memory);
        self.known = memory.flag();
        self.scheme.restore(memory);
    }
}

pub(super) fn finite(values: &[f64]) -> Result<(), Setback> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(state) => Err(Setback::NonFinite { state }),
    }
}
