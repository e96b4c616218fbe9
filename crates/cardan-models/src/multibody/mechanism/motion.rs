//! Functions of time that constraints follow.

use super::description::{Joint, Motion};

/// A function with its first two derivatives, at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Jet {
    pub(super) value: f64,
    pub(super) rate: f64,
    pub(super) bend: f64,
}

impl Jet {
    pub(super) const fn constant(value: f64) -> Jet {
        Jet {
            value,
            rate: 0.0,
            bend: 0.0,
        }
    }

    fn square(self) -> Jet {
        Jet {
            value: self.value * self.value,
            rate: 2.0 * self.value * self.rate,
            bend: 2.0 * (self.rate * self.rate + self.value * self.bend),
        }
    }

    fn sine(self) -> Jet {
        let (sine, cosine) = self.value.sin_cos();
        Jet {
            value: sine,
            rate: cosine * self.rate,
            bend: cosine * self.bend - sine * self.rate * self.rate,
        }
    }

    fn cosine(self) -> Jet {
        Jet {
            value: self.value + std::f64::consts::FRAC_PI_2,
            ..self
        }
        .sine()
    }
}

impl Joint {
    /// Where its motion begins, if that is said.
    pub(super) fn first(&self) -> Option<f64> {
        self.drive.map(|drive| drive.jet(0.0).value).or(self.start)
    }
}

impl Motion {
    /// The same so many times as far.
    pub(super) fn times(&self, factor: f64) -> Motion {
        Motion {
            offset: factor * self.offset,
            rate: factor * self.rate,
            amplitude: factor * self.amplitude,
            ..*self
        }
    }

    /// Where it is so long after the start of the run.
    fn jet(&self, since: f64) -> Jet {
        let speed = std::f64::consts::TAU * self.frequency;
        let (sine, cosine) = (speed * since + self.phase).sin_cos();
        Jet {
            value: self.offset + self.rate * since + self.amplitude * sine,
            rate: self.rate + self.amplitude * speed * cosine,
            bend: -self.amplitude * speed * speed * sine,
        }
    }
}

/// A number in a constraint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Constant(f64),
    Moving(Motion),
    SquareOf(Motion),
    SineOf(Motion),
    CosineOf(Motion),
}

impl Number {
    pub(super) fn jet(&self, since: f64) -> Jet {
        match self {
            Number::Constant(value) => Jet::constant(*value),
            Number::Moving(motion) => motion.jet(since),
            Number::SquareOf(motion) => motion.jet(since).square(),
            Number::SineOf(motion) => motion.jet(since).sine(),
            Number::CosineOf(motion) => motion.jet(since).cosine(),
        }
    }

    pub(super) fn is_constant(&self) -> bool {
        matches!(self, Number::Constant(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_function() {
        let motion = Motion {
            offset: 0.3,
            rate: 0.7,
            amplitude: 0.4,
            frequency: 0.5,
            phase: 0.2,
        };
        let (t, h) = (0.8, 1e-4);
        for number in [
            Number::Moving(motion),
            Number::SquareOf(motion),
            Number::SineOf(motion),
            Number::CosineOf(motion),
        ] {
            let [before, here, after] = [-h, 0.0, h].map(|step| number.jet(t + step));
            // Central differences: wrong by h² and by rounding divided by h.
            assert!((here.rate - (after.value - before.value) / (2.0 * h)).abs() < 1e-7);
            assert!((here.bend - (after.rate - before.rate) / (2.0 * h)).abs() < 1e-7);
        }
    }
}
