//! Units that a file defines.

use super::{Dimension, Fraction, Measure, Scale, Unit, UnitError, parser};
use cardan_core::interface::UnitDefinition;

/// Tools round what they write: π/180 to seven digits is still a degree.
const SLOPPINESS: f64 = 1e-5;

impl Unit {
    /// A unit by its name: as it is defined, else as it is generally understood. Where both mean the same, the general
    /// understanding has the exact factor.
    pub fn find(text: &str, definitions: &[UnitDefinition]) -> Result<Unit, UnitError> {
        let name = text.trim();
        let known = parser::parse(text);
        let defined = definitions
            .iter()
            .find(|definition| definition.name.trim() == name)
            .and_then(measure);
        let measure = match (known, defined) {
            (Ok(known), Some(defined)) if !agree(&known, &defined) => defined,
            (Err(_), Some(defined)) => defined,
            (known, _) => known?,
        };
        Ok(Unit {
            text: name.to_owned(),
            measure,
        })
    }
}

/// None for powers and factors that no unit has.
fn measure(definition: &UnitDefinition) -> Option<Measure> {
    let usable = definition.factor.is_finite() && definition.factor != 0.0 && definition.offset.is_finite();
    if !usable {
        return None;
    }
    let mut powers = [0_i8; 8];
    for (power, &exponent) in powers.iter_mut().zip(&definition.exponents) {
        *power = i8::try_from(exponent).ok()?;
    }
    let [kg, m, s, a, k, mol, cd, rad] = powers;
    let whole = |value| Fraction {
        numerator: value,
        denominator: 1.0,
    };
    Some(Measure {
        dimension: Dimension {
            base: [m, kg, s, a, k, mol, cd],
            angle: rad,
            cycles: 0,
        },
        scale: Scale {
            ratio: whole(definition.factor),
            pi: 0,
        },
        zero: whole(definition.offset),
    })
}

fn agree(known: &Measure, defined: &Measure) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= SLOPPINESS * a.abs().max(b.abs());
    known.dimension.base == defined.dimension.base
        && near(known.scale.value(), defined.scale.value())
        && near(known.zero.value(), defined.zero.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn define(name: &str, exponents: [i32; 8], factor: f64, offset: f64) -> UnitDefinition {
        UnitDefinition {
            name: name.to_owned(),
            exponents,
            factor,
            offset,
        }
    }

    #[test]
    fn definitions_add_to_what_is_known() {
        let units = [
            define("furlong", [0, 1, 0, 0, 0, 0, 0, 0], 201.168, 0.0),
            define("deg", [0, 0, 0, 0, 0, 0, 0, 1], 0.017_453_3, 0.0),
            define("m", [0, 1, 0, 0, 0, 0, 0, 0], 1000.0, 0.0),
            define("bad", [1000, 0, 0, 0, 0, 0, 0, 0], 1.0, 0.0),
        ];
        let find = |name| Unit::find(name, &units).unwrap();
        let km = Unit::parse("km").unwrap();
        assert_eq!(find("furlong").conversion_to(&km).unwrap().factor, 0.201_168);
        let rad = Unit::parse("rad").unwrap();
        let degree = find("deg").conversion_to(&rad).unwrap().factor;
        assert_eq!(degree, std::f64::consts::PI / 180.0, "ours is exact");
        assert_eq!(find("m").conversion_to(&km).unwrap().factor, 1.0, "theirs counts");
        assert!(Unit::find("bad", &units).is_err());
    }
}
