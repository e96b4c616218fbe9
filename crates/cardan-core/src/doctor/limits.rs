//! The largest communication step with which errors do not grow.

use super::Budget;
use super::coupled::Coupled;
use super::dense::{Complex, eigenvalues};
use super::macro_step::{Scheme, macro_step};

/// Over the whole run an error may grow by this, beyond what the system does by itself.
const GROWTH: f64 = 1e-3;
/// A mode that does less than this during the whole run stands still: free bodies, integrators.
const STANDING: f64 = 0.1;
/// Rounding moves a double eigenvalue of one by the root of the last digit, so nearer ones cannot be told from it.
const NEAR: f64 = 2e-7;
/// Of what a system does by itself, this much more is taken for the same.
const SLACK: f64 = 0.05;
/// Steps that are looked at, in each decade.
const DENSITY: f64 = 16.0;
/// Bisections: a tenth of a per mille of what the steps above differ by.
const BISECTIONS: usize = 12;

/// How far a step may go.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Limit {
    /// The largest stable step, in seconds.
    Step(f64),
    /// None up to the longest step that was looked at.
    None,
    /// Even the shortest step that was looked at is unstable.
    Unstable,
    /// Nobody knows: there was no time to look, or the outputs have no values that fit.
    Unknown,
}

impl Limit {
    /// Is a step of this length stable?
    pub fn allows(self, step: f64) -> bool {
        match self {
            Limit::Step(most) => step <= most,
            Limit::None => true,
            Limit::Unstable | Limit::Unknown => false,
        }
    }

    /// For comparison: the largest stable step, 0 where none is known.
    pub fn seconds(self) -> f64 {
        match self {
            Limit::Step(most) => most,
            Limit::None => f64::INFINITY,
            Limit::Unstable | Limit::Unknown => 0.0,
        }
    }
}

/// What a group does by itself, against which methods are judged.
pub(super) struct Judge<'a> {
    group: &'a Coupled,
    span: f64,
    /// The fastest growth of the group itself.
    own: f64,
    /// The size of its fastest mode and of the fastest of its members.
    fastest: f64,
    budget: &'a Budget,
}

impl<'a> Judge<'a> {
    pub(super) fn new(group: &'a Coupled, modes: &[Complex], span: f64, budget: &'a Budget) -> Self {
        let alone = group.members.iter().flat_map(|m| eigenvalues(&m.a));
        let sizes = modes.iter().copied().chain(alone).map(Complex::abs);
        let moving = modes.iter().filter(|mode| mode.abs() * span > STANDING);
        Judge {
            group,
            span,
            own: moving.map(|mode| mode.re).fold(0.0, f64::max),
            fastest: sizes.fold(0.0, f64::max),
            budget,
        }
    }

    /// The spectral radius of a step, and the growth of errors over the run that the system itself does not have, as a
    /// logarithm.
    pub(super) fn step(&self, scheme: &Scheme, step: f64) -> Option<(f64, f64)> {
        let map = macro_step(self.group, scheme, step).filter(|map| map.is_finite())?;
        let found = eigenvalues(&map);
        let radius = found.iter().map(|z| z.abs()).fold(0.0, f64::max);
        let near = NEAR.max(STANDING * step / self.span);
        let moving = found.iter().filter(|z| (**z - Complex::real(1.0)).abs() > near);
        let rate = moving
            .map(|z| z.abs().ln() / step)
            .fold(f64::NEG_INFINITY, f64::max);
        Some((radius, (rate - (1.0 + SLACK) * self.own) * self.span))
    }

    /// The longest step that is worth a look, up to `longest`: what grows by itself must be seen to grow.
    pub(super) fn longest(&self, longest: f64) -> f64 {
        match self.own > 0.0 {
            true => longest.min(1.0 / self.own),
            false => longest,
        }
    }

    /// Looks from short steps to long ones, up to `longest`.
    pub(super) fn limit(&self, scheme: &Scheme, longest: f64) -> Limit {
        let grows = |step: f64| self.step(scheme, step).map(|(_, growth)| growth > GROWTH);
        // Long before that, a step is short against everything that moves.
        let shortest = (1e-4 / self.fastest.max(1e-4 / longest)).min(longest);
        let mut stable = shortest;
        loop {
            match grows(stable) {
                None => return Limit::Unknown,
                Some(false) => break,
                Some(true) if stable < 1e-3 * shortest || self.budget.is_spent() => return Limit::Unstable,
                Some(true) => stable *= 0.1,
            }
        }
        let factor = 10.0_f64.powf(1.0 / DENSITY);
        let mut next = stable;
        let unstable = loop {
            if next >= longest {
                return Limit::None;
            }
            if self.budget.is_spent() {
                return Limit::Unknown;
            }
            next = (next * factor).min(longest);
            match grows(next) {
                None => return Limit::Unknown,
                Some(true) => break next,
                Some(false) => stable = next,
            }
        };
        let (mut low, mut high) = (stable, unstable);
        for _ in 0..BISECTIONS {
            let middle = (low * high).sqrt();
            match grows(middle) {
                Some(false) => low = middle,
                _ => high = middle,
            }
        }
        Limit::Step(low)
    }
}
