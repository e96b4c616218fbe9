//! A piece of a signal: a law of time that holds up to an instant.

use crate::time::SimTime;

/// A law of local time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Curve {
    /// `c[0] + c[1] s + c[2] s² + c[3] s³`
    Polynomial([f64; 4]),
    /// `cosine · cos(rate · s) + sine · sin(rate · s)`: one component of a quaternion that turns steadily. Slerp
    /// is exactly this, so each component of a rotation can be evaluated by itself.
    Arc {
        /// The value at the origin.
        cosine: f64,
        /// The orthogonal direction.
        sine: f64,
        /// Half the angular velocity.
        rate: f64,
    },
}

/// A law that holds up to `until`, with time counted from `origin`.
///
/// The origin lies near the points the law was made from, so that a parabola read at t = 10⁶ s loses nothing to
/// cancellation.
///
/// It fills just a cache line, and begins with one: runs of many participants wait for memory.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(64))]
pub struct Segment {
    /// The law holds up to here.
    pub until: SimTime,
    /// Local time is counted from here.
    pub origin: SimTime,
    /// The law.
    pub curve: Curve,
}

impl Segment {
    /// The same value all the time.
    #[inline]
    pub fn constant(value: f64, until: SimTime) -> Self {
        Segment {
            until,
            origin: SimTime::default(),
            curve: Curve::Polynomial([value, 0.0, 0.0, 0.0]),
        }
    }

    /// Becomes a constant, in place: this is written once for each input of each step.
    #[inline]
    pub(crate) fn hold(&mut self, value: f64, until: SimTime) {
        self.until = until;
        self.origin = SimTime::default();
        self.curve = Curve::Polynomial([value, 0.0, 0.0, 0.0]);
    }

    /// A polynomial of the time since `origin`.
    #[inline]
    pub fn polynomial(coefficients: [f64; 4], origin: SimTime, until: SimTime) -> Self {
        Segment {
            until,
            origin,
            curve: Curve::Polynomial(coefficients),
        }
    }

    /// The value at `time`, also beyond `until`.
    #[inline]
    pub fn at(&self, time: SimTime) -> f64 {
        let s = time.since(self.origin);
        match self.curve {
            Curve::Polynomial([c0, c1, c2, c3]) => c0 + s * (c1 + s * (c2 + s * c3)),
            Curve::Arc { cosine, sine, rate } => {
                let (sin, cos) = (rate * s).sin_cos();
                cosine * cos + sine * sin
            }
        }
    }

    /// The time derivative at `time`.
    pub fn slope(&self, time: SimTime) -> f64 {
        let s = time.since(self.origin);
        match self.curve {
            Curve::Polynomial([_, c1, c2, c3]) => c1 + s * (2.0 * c2 + s * 3.0 * c3),
            Curve::Arc { cosine, sine, rate } => {
                let (sin, cos) = (rate * s).sin_cos();
                rate * (sine * cos - cosine * sin)
            }
        }
    }

    /// The law as a polynomial of the time since `time`: exactly, or an arc up to its cubic part.
    pub fn seen_from(&self, time: SimTime) -> [f64; 4] {
        let s = time.since(self.origin);
        match self.curve {
            Curve::Polynomial([c0, c1, c2, c3]) => [
                c0 + s * (c1 + s * (c2 + s * c3)),
                c1 + s * (2.0 * c2 + s * 3.0 * c3),
                c2 + s * 3.0 * c3,
                c3,
            ],
            Curve::Arc { cosine, sine, rate } => {
                let (sin, cos) = (rate * s).sin_cos();
                let (value, across) = (cosine * cos + sine * sin, sine * cos - cosine * sin);
                let square = rate * rate;
                [
                    value,
                    rate * across,
                    -square * value / 2.0,
                    -square * rate * across / 6.0,
                ]
            }
        }
    }

    /// Is it the same value all the time?
    pub fn is_constant(&self) -> bool {
        match self.curve {
            Curve::Polynomial([_, c1, c2, c3]) => c1 == 0.0 && c2 == 0.0 && c3 == 0.0,
            Curve::Arc { rate, .. } => rate == 0.0,
        }
    }

    /// The law plus `factor` times another one, which is a polynomial.
    #[must_use]
    pub(crate) fn plus(mut self, other: &Segment, factor: f64) -> Self {
        let other = other.seen_from(self.origin);
        if let Curve::Polynomial(c) = &mut self.curve {
            for (c, other) in c.iter_mut().zip(other) {
                *c += factor * other;
            }
        }
        self
    }

    /// The law `factor · y + offset`. An arc takes no offset: rotations have no units.
    #[must_use]
    #[inline]
    pub fn scaled(mut self, factor: f64, offset: f64) -> Self {
        match &mut self.curve {
            Curve::Polynomial(c) => {
                for c in c.iter_mut() {
                    *c *= factor;
                }
                c[0] += offset;
            }
            Curve::Arc { cosine, sine, .. } => {
                *cosine *= factor;
                *sine *= factor;
            }
        }
        self
    }
}
