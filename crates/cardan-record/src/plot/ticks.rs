//! Round numbers along an axis.

/// The ticks of an axis: multiples of a step of 1, 2 or 5 times a power of ten.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Ticks {
    pub(super) values: Vec<f64>,
    step: f64,
    /// Labels are in units of ten to this power, a multiple of three; zero for handy numbers.
    pub(super) exponent: i32,
}

impl Ticks {
    /// About `count` ticks from `low` to `high`.
    pub(super) fn new((low, high): (f64, f64), count: usize) -> Self {
        let rough = (high - low) / count.max(1) as f64;
        let power = 10_f64.powi(rough.log10().floor() as i32);
        let step = power
            * match rough / power {
                r if r < 1.5 => 1.0,
                r if r < 3.5 => 2.0,
                r if r < 7.5 => 5.0,
                _ => 10.0,
            };
        let slack = 1e-9;
        let (first, last) = (
            (low / step - slack).ceil() as i64,
            (high / step + slack).floor() as i64,
        );
        let values: Vec<f64> = (first..=last).map(|k| k as f64 * step).collect();
        let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let handy = largest == 0.0 || (1e-2..1e5).contains(&largest);
        let exponent = if handy {
            0
        } else {
            (largest.log10() / 3.0).floor() as i32 * 3
        };
        Ticks {
            values,
            step,
            exponent,
        }
    }

    /// The label of a tick, with as many decimals as the step has.
    pub(super) fn label(&self, value: f64) -> String {
        let unit = 10_f64.powi(self.exponent);
        let decimals = (-(self.step / unit * 1.000_001).log10().floor()).max(0.0) as usize;
        let value = if value.abs() < self.step / 2.0 {
            0.0
        } else {
            value / unit
        };
        format!("{value:.decimals$}").replace('-', "−")
    }

    /// `×10³` for labels that are not in plain units.
    pub(super) fn factor(&self) -> Option<String> {
        const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
        if self.exponent == 0 {
            return None;
        }
        let digits = self.exponent.to_string();
        let raised = digits
            .chars()
            .map(|c| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]));
        Some(format!("×10{}", raised.collect::<String>()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> (Vec<String>, Option<String>) {
        let ticks = Ticks::new((low, high), 5);
        (
            ticks.values.iter().map(|&v| ticks.label(v)).collect(),
            ticks.factor(),
        )
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(-0.13, 0.32).0, ["−0.1", "0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(labels(0.0, 4.0).0, ["0", "1", "2", "3", "4"]);
        assert_eq!(labels(17.0, 1023.0).0, ["200", "400", "600", "800", "1000"]);
    }

    #[test]
    fn unhandy_numbers_share_a_factor() {
        assert_eq!(labels(0.0, 2.1e6).1.as_deref(), Some("×10⁶"));
        assert_eq!(labels(0.0, 2.1e6).0, ["0.0", "0.5", "1.0", "1.5", "2.0"]);
        assert_eq!(
            labels(-5e-4, 0.0),
            (
                ["−500", "−400", "−300", "−200", "−100", "0"]
                    .map(String::from)
                    .to_vec(),
                Some("×10⁻⁶".into())
            )
        );
    }

    #[test]
    fn no_range_breaks_it() {
        for range in [(-1e300, 1e300), (1e-300, 2e-300), (1e15, 1e15 + 1.0)] {
            let ticks = Ticks::new(range, 5);
            assert!((2..=12).contains(&ticks.values.len()), "{range:?}: {ticks:?}");
        }
    }
}
