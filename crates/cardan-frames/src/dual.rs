//! Numbers that know how they change.

use std::ops::{Add, Mul, Neg, Sub};

/// A number and its derivative along some direction.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Dual {
    pub(crate) value: f64,
    pub(crate) change: f64,
}

impl Dual {
    pub(crate) fn new(value: f64, change: f64) -> Self {
        Dual { value, change }
    }
}

impl From<f64> for Dual {
    fn from(value: f64) -> Self {
        Dual::new(value, 0.0)
    }
}

impl Add for Dual {
    type Output = Dual;
    fn add(self, other: Dual) -> Dual {
        Dual::new(self.value + other.value, self.change + other.change)
    }
}

impl Sub for Dual {
    type Output = Dual;
    fn sub(self, other: Dual) -> Dual {
        Dual::new(self.value - other.value, self.change - other.change)
    }
}

impl Mul for Dual {
    type Output = Dual;
    fn mul(self, other: Dual) -> Dual {
        Dual::new(
            self.value * other.value,
            self.value * other.change + self.change * other.value,
        )
    }
}

impl Neg for Dual {
    type Output = Dual;
    fn neg(self) -> Dual {
        Dual::new(-self.value, -self.change)
    }
}
