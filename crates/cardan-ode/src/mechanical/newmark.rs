//! Newmark's family of methods: velocity and acceleration at the end of a step as lines in the way that is gone.

/// Weights of a method. The trapezoidal rule has no lag: there the algorithmic acceleration is the acceleration itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Newmark {
    beta: f64,
    gamma: f64,
    /// The lags of the algorithmic acceleration behind inertia and behind forces.
    inertia_lag: f64,
    force_lag: f64,
}

/// A method at one length of step: `v = velocity Δ + …`, `a = acceleration Δ + …` for the way `Δ`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gains {
    pub(super) velocity: f64,
    pub(super) acceleration: f64,
}

impl Newmark {
    /// The trapezoidal rule: order two, no damping at all.
    pub(crate) const TRAPEZOIDAL: Newmark = Newmark {
        beta: 0.25,
        gamma: 0.5,
        inertia_lag: 0.0,
        force_lag: 0.0,
    };

    /// The generalised-alpha method: order two, and this much of the fastest oscillations stays after a step.
    pub(crate) fn generalized_alpha(spectral_radius: f64) -> Newmark {
        let inertia_lag = (2.0 * spectral_radius - 1.0) / (spectral_radius + 1.0);
        let force_lag = spectral_radius / (spectral_radius + 1.0);
        let gamma = 0.5 + force_lag - inertia_lag;
        Newmark {
            beta: 0.25 * (gamma + 0.5) * (gamma + 0.5),
            gamma,
            inertia_lag,
            force_lag,
        }
    }

    /// The error of positions after a step: so much of `h²` times the change of accelerations.
    ///
    /// The algorithmic acceleration is that of a time which is ahead by the difference of the lags, so that the way of a step
    /// contains the rate of accelerations `β + (lag of inertia - lag of forces) / 2` times instead of a sixth.
    pub(super) fn error(&self) -> f64 {
        (self.beta + 0.5 * (self.inertia_lag - self.force_lag) - 1.0 / 6.0).abs()
    }

    pub(super) fn gains(&self, h: f64) -> Gains {
        let lagging = (1.0 - self.inertia_lag) / (1.0 - self.force_lag);
        Gains {
            velocity: self.gamma / (self.beta * h),
            acceleration: lagging / (self.beta * h * h),
        }
    }

    /// Velocity and acceleration at the end of a step of length `h` that begins with velocity `v`, acceleration `a` and
    /// algorithmic acceleration `lagged`, and goes the way `delta`.
    #[inline]
    pub(super) fn end(&self, h: f64, delta: f64, [v, a, lagged]: [f64; 3]) -> (f64, f64) {
        let next = (delta - h * v - h * h * (0.5 - self.beta) * lagged) / (self.beta * h * h);
        let velocity = v + h * ((1.0 - self.gamma) * lagged + self.gamma * next);
        let inertia = (1.0 - self.inertia_lag) * next + self.inertia_lag * lagged;
        (velocity, (inertia - self.force_lag * a) / (1.0 - self.force_lag))
    }

    /// The algorithmic acceleration at the end of a step, from the accelerations at both ends.
    #[inline]
    pub(super) fn lagged(&self, from: f64, to: f64, lagged: f64) -> f64 {
        let forces = (1.0 - self.force_lag) * to + self.force_lag * from;
        (forces - self.inertia_lag * lagged) / (1.0 - self.inertia_lag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Order two needs `γ = 1/2 + lag of forces - lag of inertia`; then a motion with constant acceleration is exact.
    #[test]
    fn constant_acceleration_is_exact() {
        for method in [
            Newmark::TRAPEZOIDAL,
            Newmark::generalized_alpha(0.0),
            Newmark::generalized_alpha(0.7),
        ] {
            let (h, v, a) = (0.1, 2.0, 3.0);
            let (end, acceleration) = method.end(h, h * v + h * h / 2.0 * a, [v, a, a]);
            // All terms are of size a/β h² rounded once or twice.
            assert!((end - (v + h * a)).abs() < 1e-13);
            assert!((acceleration - a).abs() < 1e-12);
            assert!((method.lagged(a, acceleration, a) - a).abs() < 1e-12);
        }
    }
}
