//! When interface values fit together, and what to say when they do not.
//!
//! Each value has a bound of its own: the residual `G(x)ᵢ − xᵢ` may be as large as the absolute tolerance of the value plus
//! the relative tolerance times the size of its image. The measure is the largest residual in units of its bound, a
//! maximum norm without units: one or less is converged.

use std::fmt;

/// So many rounds from the beginning stay in the history.
const FIRST: usize = 4;
/// And so many rounds in all.
const KEPT: usize = 64;
/// A message shows the last few.
const SHOWN: usize = 6;

/// Measures residuals, round after round of a step.
#[derive(Clone, Debug)]
pub struct Convergence {
    relative: f64,
    absolute: Vec<f64>,
    history: Vec<f64>,
    rounds: usize,
}

/// How far interface values are from fitting together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measure {
    /// The largest residual, in units of what is allowed for it. Infinite if one is not a number, or where nothing is
    /// allowed and something is left.
    pub ratio: f64,
    /// Which value has it, the first if there are several; none if all residuals are zero.
    pub worst: Option<usize>,
}

impl Measure {
    /// Whether every residual is within its bound.
    pub fn converged(&self) -> bool {
        self.ratio <= 1.0
    }
}

impl Convergence {
    /// With one absolute tolerance for each value.
    pub fn new(relative: f64, absolute: Vec<f64>) -> Self {
        Convergence {
            relative,
            absolute,
            history: Vec::with_capacity(KEPT),
            rounds: 0,
        }
    }

    /// Begins a step with other absolute tolerances.
    pub fn begin_with(&mut self, absolute: &[f64]) {
        self.absolute.clear();
        self.absolute.extend_from_slice(absolute);
        self.begin();
    }

    /// Begins a step: the history is empty again.
    pub fn begin(&mut self) {
        self.history.clear();
        self.rounds = 0;
    }

    /// What is allowed for the residual of each value where the images are these: also the scales of an
    /// [`Accelerator`](super::Accelerator).
    pub fn bounds<'a>(&'a self, image: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let absolute = self.absolute.iter().zip(image);
        absolute.map(|(absolute, image)| absolute + self.relative * image.abs())
    }

    /// Measures a round, and notes it in the history.
    pub fn measure(&mut self, x: &[f64], image: &[f64]) -> Measure {
        let mut measure = Measure {
            ratio: 0.0,
            worst: None,
        };
        let residuals = x.iter().zip(image).map(|(x, image)| (image - x).abs());
        for (i, (residual, bound)) in residuals.zip(self.bounds(image)).enumerate() {
            let ratio = ratio(residual, bound);
            if ratio > measure.ratio {
                measure = Measure {
                    ratio,
                    worst: Some(i),
                };
            }
        }
        if self.history.len() == KEPT {
            self.history.remove(FIRST);
        }
        self.history.push(measure.ratio);
        self.rounds += 1;
        measure
    }

    /// How many rounds were measured in this step.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The measures of this step, for a message: the first ones, the last ones, and dots where rounds are left out.
    pub fn history(&self) -> ResidualHistory<'_> {
        ResidualHistory(self)
    }
}

fn ratio(residual: f64, bound: f64) -> f64 {
    if residual == 0.0 {
        return 0.0;
    }
    let ratio = residual / bound;
    // An infinite residual over an infinite bound is not a number either.
    if ratio.is_nan() || ratio < 0.0 {
        f64::INFINITY
    } else {
        ratio
    }
}

/// Residuals of a step, round by round, in units of what is allowed.
#[derive(Clone, Copy, Debug)]
pub struct ResidualHistory<'a>(&'a Convergence);

impl ResidualHistory<'_> {
    /// The measures that are kept, in the order of the rounds: the first few and the latest.
    pub fn ratios(&self) -> &[f64] {
        &self.0.history
    }
}

impl fmt::Display for ResidualHistory<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ratios = self.ratios();
        let left_out = FIRST..ratios.len().saturating_sub(SHOWN);
        for (i, ratio) in ratios.iter().enumerate() {
            if i > 0 && !left_out.contains(&i) {
                f.write_str(", ")?;
            }
            if i == left_out.start && !left_out.is_empty() {
                f.write_str(", …")?;
            }
            if !left_out.contains(&i) {
                write!(f, "{ratio:.1e}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_value_is_the_one_furthest_beyond_its_own_bound() {
        let mut convergence = Convergence::new(1e-3, vec![0.0, 1e-6, 1.0]);
        // Bounds: 1, 1e-6, 1; residuals: 2, 1e-5, 0.5.
        let measure = convergence.measure(&[998.0, 1e-5, 0.5], &[1000.0, 0.0, 0.0]);
        assert_eq!(measure.worst, Some(1));
        assert!((measure.ratio - 10.0).abs() < 1e-12);
        assert!(!measure.converged());
    }

    #[test]
    fn a_bound_is_met_when_it_is_reached() {
        let mut convergence = Convergence::new(0.0, vec![0.5]);
        assert!(convergence.measure(&[0.0], &[0.5]).converged());
        assert!(!convergence.measure(&[0.0], &[0.6]).converged());
    }

    #[test]
    fn nothing_allowed_and_nothing_left_is_converged() {
        let mut convergence = Convergence::new(0.0, vec![0.0]);
        let none = convergence.measure(&[3.0], &[3.0]);
        assert_eq!((none.ratio, none.worst), (0.0, None));
        assert_eq!(convergence.measure(&[3.0], &[4.0]).ratio, f64::INFINITY);
        assert!(Convergence::new(0.0, Vec::new()).measure(&[], &[]).converged());
    }

    #[test]
    fn what_is_not_finite_never_converges() {
        let mut convergence = Convergence::new(1.0, vec![1.0; 3]);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let measure = convergence.measure(&[0.0; 3], &[0.0, bad, 2.0]);
            assert_eq!((measure.ratio, measure.worst), (f64::INFINITY, Some(1)));
        }
        let opposite = convergence.measure(&[f64::INFINITY; 3], &[f64::INFINITY; 3]);
        assert!(!opposite.converged());
    }

    #[test]
    fn the_history_shows_beginning_and_end() {
        let mut convergence = Convergence::new(0.0, vec![1.0]);
        convergence.measure(&[0.0], &[250.0]);
        convergence.measure(&[0.0], &[3.0]);
        assert_eq!(convergence.history().to_string(), "2.5e2, 3.0e0");
        convergence.begin();
        assert_eq!(convergence.history().to_string(), "");
        for round in 1..=10 {
            convergence.measure(&[0.0], &[f64::from(round)]);
        }
        let ten = "1.0e0, 2.0e0, 3.0e0, 4.0e0, 5.0e0, 6.0e0, 7.0e0, 8.0e0, 9.0e0, 1.0e1";
        assert_eq!(convergence.history().to_string(), ten);
        for round in 11..=100 {
            convergence.measure(&[0.0], &[f64::from(round)]);
        }
        assert_eq!(convergence.rounds(), 100);
        assert_eq!(convergence.history().ratios().len(), 64);
        assert_eq!(
            convergence.history().to_string(),
            "1.0e0, 2.0e0, 3.0e0, 4.0e0, …, 9.5e1, 9.6e1, 9.7e1, 9.8e1, 9.9e1, 1.0e2"
        );
    }
}
