//! Complex numbers, as far as eigenvalues need them.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A complex number.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Complex {
    pub(crate) re: f64,
    pub(crate) im: f64,
}

impl Complex {
    pub(crate) const ZERO: Complex = Complex { re: 0.0, im: 0.0 };

    pub(crate) fn new(re: f64, im: f64) -> Self {
        Complex { re, im }
    }

    pub(crate) fn real(re: f64) -> Self {
        Complex { re, im: 0.0 }
    }

    pub(crate) fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }

    pub(crate) fn conj(self) -> Self {
        Complex::new(self.re, -self.im)
    }

    pub(crate) fn scale(self, factor: f64) -> Self {
        Complex::new(factor * self.re, factor * self.im)
    }

    /// The root with a real part that is not negative.
    pub(crate) fn sqrt(self) -> Self {
        let size = self.abs();
        let re = ((size + self.re) / 2.0).max(0.0).sqrt();
        let im = ((size - self.re) / 2.0).max(0.0).sqrt();
        Complex::new(re, if self.im < 0.0 { -im } else { im })
    }

    /// The principal logarithm.
    pub(crate) fn ln(self) -> Self {
        Complex::new(self.abs().ln(), self.im.atan2(self.re))
    }
}

impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex::new(self.re + other.re, self.im + other.im)
    }
}

impl Sub for Complex {
    type Output = Complex;
    fn sub(self, other: Complex) -> Complex {
        Complex::new(self.re - other.re, self.im - other.im)
    }
}

impl Neg for Complex {
    type Output = Complex;
    fn neg(self) -> Complex {
        Complex::new(-self.re, -self.im)
    }
}

impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex::new(
            self.re * other.re - self.im * other.im,
            self.re * other.im + self.im * other.re,
        )
    }
}

impl Div for Complex {
    type Output = Complex;
    fn div(self, other: Complex) -> Complex {
        // Scaled by the larger part, so that squares neither overflow nor vanish.
        let size = other.re.abs().max(other.im.abs());
        let (re, im) = (other.re / size, other.im / size);
        let below = re * re + im * im;
        let above = self.scale(1.0 / size) * Complex::new(re, -im);
        above.scale(1.0 / below)
    }
}
