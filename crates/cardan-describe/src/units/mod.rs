//! Physical units as engineers and tools write them: `kg.m/s2`, `N·m`, `km/h`, `W/(m.K)`, `degC`.

mod definition;
mod parser;
mod power;
mod symbols;

use cardan_core::graph::Conversion;
use std::fmt;

/// A physical unit.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    text: String,
    measure: Measure,
}

impl Unit {
    /// Reads a unit. Nothing, `1` and `-` mean a plain number.
    pub fn parse(text: &str) -> Result<Unit, UnitError> {
        Ok(Unit {
            text: text.trim().to_owned(),
            measure: parser::parse(text)?,
        })
    }

    /// What turns a value in this unit into one in `target`.
    pub fn conversion_to(&self, target: &Unit) -> Result<Conversion, Incompatible> {
        let incompatible = |reason| Incompatible {
            from: self.to_string(),
            to: target.to_string(),
            reason,
        };
        let (a, b) = (&self.measure, &target.measure);
        if a.dimension.base != b.dimension.base {
            return Err(incompatible(Reason::Dimension));
        }
        if a.dimension.mixes_cycles_and_angles(&b.dimension) {
            return Err(incompatible(Reason::CyclesAndAngles));
        }
        if a.scale == b.scale && a.zero == b.zero {
            return Ok(Conversion::NONE);
        }
        // Both zeros as fractions over one denominator: whole numbers subtract without rounding.
        let shift = Fraction {
            numerator: a.zero.numerator * b.zero.denominator - b.zero.numerator * a.zero.denominator,
            denominator: a.zero.denominator * b.zero.denominator,
        };
        Ok(Conversion {
            factor: a.scale.over(b.scale).value(),
            // Only temperatures have a zero of their own, and no π in their scale.
            offset: shift.times(b.scale.ratio.inverse()).value(),
        })
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(if self.text.is_empty() { "1" } else { &self.text })
    }
}

/// Why a text is not a unit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct UnitError {
    /// The byte of the text at which it went wrong.
    pub position: usize,
    /// What is wrong.
    pub message: String,
}

/// Two units that do not measure the same thing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{from}` cannot be converted to `{to}`{reason}")]
pub struct Incompatible {
    /// The one unit.
    pub from: String,
    /// The other unit.
    pub to: String,
    reason: Reason,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reason {
    Dimension,
    CyclesAndAngles,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Dimension => "",
            Reason::CyclesAndAngles => {
                ": one counts cycles, the other angles, and the factor 2π is for you to place"
            }
        })
    }
}

/// Powers of m, kg, s, A, K, mol, cd.
type Base = [i8; 7];

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Dimension {
    base: Base,
    /// Powers of an angle. An angle is a plain number (rad, deg and 1 convert), so this does not make units differ.
    angle: i8,
    /// Powers of Hz. It is 1/s, yet 1 Hz is 2π rad/s: the one pair of equal dimension that must not convert.
    cycles: i8,
}

impl Dimension {
    fn mixes_cycles_and_angles(&self, other: &Dimension) -> bool {
        (self.cycles != 0 && other.angle != 0) || (self.angle != 0 && other.cycles != 0)
    }
}

/// Kept as a fraction so that 3600/1000 is rounded once, when all is multiplied out.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Fraction {
    numerator: f64,
    denominator: f64,
}

impl Fraction {
    const ONE: Fraction = Fraction {
        numerator: 1.0,
        denominator: 1.0,
    };
    const ZERO: Fraction = Fraction {
        numerator: 0.0,
        denominator: 1.0,
    };

    fn times(self, other: Fraction) -> Fraction {
        Fraction {
            numerator: self.numerator * other.numerator,
            denominator: self.denominator * other.denominator,
        }
    }

    fn inverse(self) -> Fraction {
        Fraction {
            numerator: self.denominator,
            denominator: self.numerator,
        }
    }

    fn value(self) -> f64 {
        self.numerator / self.denominator
    }
}

/// How large a unit is against the SI unit of its dimension: a fraction times a power of π.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Scale {
    ratio: Fraction,
    pi: i32,
}

impl Scale {
    fn over(self, other: Scale) -> Scale {
        Scale {
            ratio: self.ratio.times(other.ratio.inverse()),
            pi: self.pi - other.pi,
        }
    }

    fn value(self) -> f64 {
        match self.pi {
            0 => self.ratio.value(),
            // One multiplication and one division: π/180 as everyone writes it.
            1 => std::f64::consts::PI * self.ratio.numerator / self.ratio.denominator,
            -1 => self.ratio.numerator / (std::f64::consts::PI * self.ratio.denominator),
            power => self.ratio.value() * std::f64::consts::PI.powi(power),
        }
    }
}

/// A unit without its spelling.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Measure {
    dimension: Dimension,
    scale: Scale,
    /// Where its zero lies, in SI: not at zero for temperatures in °C and °F alone.
    zero: Fraction,
}

impl Measure {
    const ONE: Measure = Measure {
        dimension: Dimension {
            base: [0; 7],
            angle: 0,
            cycles: 0,
        },
        scale: Scale {
            ratio: Fraction::ONE,
            pi: 0,
        },
        zero: Fraction::ZERO,
    };

    fn times(self, other: Measure) -> Option<Measure> {
        let mut product = Measure::ONE;
        for (sum, (a, b)) in product
            .dimension
            .base
            .iter_mut()
            .zip(self.dimension.base.iter().zip(other.dimension.base))
        {
            *sum = a.checked_add(b)?;
        }
        product.dimension.angle = self.dimension.angle.checked_add(other.dimension.angle)?;
        product.dimension.cycles = self.dimension.cycles.checked_add(other.dimension.cycles)?;
        product.scale.ratio = self.scale.ratio.times(other.scale.ratio);
        product.scale.pi = self.scale.pi + other.scale.pi;
        // In a product a temperature is a difference of temperatures.
        Some(product)
    }

    fn inverse(self) -> Measure {
        let mut inverse = Measure::ONE;
        inverse.dimension.base = self.dimension.base.map(|power| -power);
        inverse.dimension.angle = -self.dimension.angle;
        inverse.dimension.cycles = -self.dimension.cycles;
        inverse.scale.ratio = self.scale.ratio.inverse();
        inverse.scale.pi = -self.scale.pi;
        inverse
    }

    /// None where a power gets out of hand.
    fn power(self, exponent: i32) -> Option<Measure> {
        if exponent == 1 {
            return Some(self);
        }
        let factor = if exponent < 0 { self.inverse() } else { self };
        (0..exponent.unsigned_abs()).try_fold(Measure::ONE, |product, _| product.times(factor))
    }
}

#[cfg(test)]
mod tests;
