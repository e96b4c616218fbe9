//! Stepping, for both ways of use.

use super::{Subject, Way};
use crate::description::Variable;
use crate::ffi::Called;

/// Model Exchange is stepped by this part of the step. The trial is no simulation: Euler's method with short steps
/// shows how the FMU answers, and does not blow up for equations that are somewhat stiff.
const PART: f64 = 0.01;

/// Nor does it get shorter than this part of that.
const SHORTEST: f64 = 0.05;

/// How a step ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Stepped {
    /// Somewhere on the way ahead.
    Forward,
    /// The FMU did not take it; it reached that time.
    Discarded(f64),
}

impl Subject<'_> {
    /// Goes one step ahead; always the same one, so that it can be repeated.
    pub(super) fn step(&mut self) -> Called<Stepped> {
        match self.way {
            Way::CoSimulation => self.step_co_simulation(),
            Way::ModelExchange => self.step_model_exchange(self.step * PART),
        }
    }

    /// The same, shorter where the equations are so fast that Euler's method would lose them.
    pub(super) fn calm_step(&mut self) -> Called<Stepped> {
        match self.way {
            Way::CoSimulation => self.step_co_simulation(),
            Way::ModelExchange => {
                let most = self.step * PART;
                self.step_model_exchange(most.min(self.calm).max(most * SHORTEST))
            }
        }
    }

    fn step_co_simulation(&mut self) -> Called<Stepped> {
        // A state from before may be restored, so nothing is promised.
        let stepped = self.instance.do_step(self.time, self.step, false)?;
        self.wants_to_end |= stepped.terminate;
        if stepped.discarded {
            return Ok(Stepped::Discarded(stepped.reached));
        }
        self.time = match stepped.early {
            true => stepped.reached,
            false => self.time + self.step,
        };
        if self.has_events && (stepped.event || stepped.early) {
            self.hold_time()?;
            self.release_time()?;
        }
        Ok(Stepped::Forward)
    }

    fn step_model_exchange(&mut self, size: f64) -> Called<Stepped> {
        let count = self.state_count()?;
        let mut states = vec![0.0; count];
        let mut slopes = vec![0.0; count];
        let before = self.indicators()?;
        if count > 0 {
            self.instance.get_continuous_states(&mut states)?;
            self.instance.get_derivatives(&mut slopes)?;
        }
        self.time += size;
        self.instance.set_time(self.time)?;
        if count > 0 {
            for (state, slope) in states.iter_mut().zip(&slopes) {
                *state += size * slope;
            }
            self.instance.set_continuous_states(&states)?;
            let mut new = vec![0.0; count];
            self.instance.get_derivatives(&mut new)?;
            self.calm = calm(&slopes, &new, size);
        }
        let after = self.indicators()?;
        let is_told = self.description.model_exchange.as_ref();
        let mut event = false;
        if is_told.is_some_and(|offer| offer.needs_completed_step) {
            let completed = self.instance.completed_integrator_step(false)?;
            self.wants_to_end |= completed.terminate;
            event = completed.event;
        }
        let crossed = before.iter().zip(&after).any(|(b, a)| (*b > 0.0) != (*a > 0.0));
        if event || crossed || self.next_event.is_some_and(|next| next <= self.time) {
            self.hold_time()?;
            self.release_time()?;
        }
        Ok(Stepped::Forward)
    }

    /// How many continuous states there are, counted by the FMU or by its description.
    pub(super) fn state_count(&mut self) -> Called<usize> {
        let declared = self.description.structure.derivatives.iter();
        let declared = declared.filter_map(|d| self.description.variables.get(d.variable));
        let size = |variable: &Variable| super::values::count(variable, self.description);
        let declared: usize = declared.map(size).sum();
        Ok(self.instance.number_of_states()?.unwrap_or(declared))
    }

    /// The states, by their indices, if each of them is a single number. Arrays of states are not told apart.
    pub(super) fn states(&self) -> Vec<usize> {
        let variables = &self.description.variables;
        let derivatives = self.description.structure.derivatives.iter();
        let states = derivatives.map(|unknown| {
            let derivative = variables.get(unknown.variable)?;
            derivative
                .derivative_of
                .filter(|_| derivative.dimensions.is_empty())
        });
        states.collect::<Option<Vec<usize>>>().unwrap_or_default()
    }

    pub(super) fn indicators(&mut self) -> Called<Vec<f64>> {
        let declared = self.description.structure.event_indicators;
        let count = self.instance.number_of_event_indicators()?.unwrap_or(declared);
        let mut indicators = vec![0.0; count];
        if count > 0 {
            self.instance.get_event_indicators(&mut indicators)?;
        }
        Ok(indicators)
    }
}

/// A step for Euler's method that is well inside its region of stability: half the time in which a slope changes by as
/// much as its state has moved.
fn calm(before: &[f64], after: &[f64], size: f64) -> f64 {
    let pairs = before.iter().zip(after);
    let rates = pairs.map(|(before, after)| (after - before).abs() / (size * before).abs());
    let fastest = rates.filter(|rate| rate.is_finite()).fold(0.0, f64::max);
    0.5 / fastest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// dx/dt = -k x, by one step of Euler's method from x = 1.
    #[test]
    fn steps_stay_inside_the_region_of_stability() {
        for (k, size) in [(1.0, 0.01), (1e5, 1e-4), (1e-3, 10.0)] {
            let (before, after) = (-k, -k * (1.0 - k * size));
            let calm = calm(&[before], &[after], size);
            // Euler's method is stable up to 2 / k.
            assert!((calm * k - 0.5).abs() < 1e-6, "{k}: {calm}");
        }
        assert_eq!(
            calm(&[2.0, 0.0], &[2.0, 1.0], 0.1),
            f64::INFINITY,
            "nothing is known"
        );
    }
}
