//! Two units whose product is a power.

use super::{Base, Unit};
use cardan_core::graph::Conversion;

/// m²·kg/s³
const WATT: Base = [2, 1, -3, 0, 0, 0, 0];

impl Unit {
    /// Is the product with another unit a power? A torque times revolutions is not: the factor 2π is missing.
    pub fn makes_power_with(&self, other: &Unit) -> bool {
        let product = self.measure.times(other.measure);
        product.is_some_and(|p| p.dimension.base == WATT && p.dimension.cycles == 0)
    }

    /// What turns a value in this unit into one in SI.
    pub fn to_si(&self) -> Conversion {
        Conversion {
            factor: self.measure.scale.value(),
            offset: self.measure.zero.value(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn efforts_and_flows() {
        let power = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|text| Unit::parse(text).unwrap());
            a.makes_power_with(&b)
        };
        for (effort, flow) in [
            ("N", "m/s"),
            ("kN", "km/h"),
            ("N.m", "rad/s"),
            ("N.m", "1/s"),
            ("V", "A"),
            ("bar", "l/min"),
            ("K", "W/K"),
        ] {
            assert!(power(effort, flow) && power(flow, effort), "{effort} {flow}");
        }
        for (effort, flow) in [("N", "m"), ("N.m", "Hz"), ("K", "W"), ("1", "W.s")] {
            assert!(!power(effort, flow), "{effort} {flow}");
        }
        assert_eq!(Unit::parse("kN").unwrap().to_si().factor, 1000.0);
        assert_eq!(Unit::parse("degC").unwrap().to_si().offset, 273.15);
    }
}
