//! References for coupled systems: the whole system integrated as one, by a method of its own.
//!
//! Nothing of the engine and its solvers is in here, so that a mistake of theirs cannot hide: steps are those of Gragg,
//! Bulirsch and Stoer (the modified midpoint rule, extrapolated), to 1e-13 of the size of each state. What switches is
//! told by guards, whose zeros are found to the last bit by taking the step again.
//!
//! ```
//! use cardan_testkit::reference::{Hybrid, grid};
//!
//! // A ball that falls on a hard floor and keeps half of its velocity.
//! let ball = Hybrid::new(&[1.0, 0.0], (), |_, x, _, dx| dx.copy_from_slice(&[x[1], -10.0]))
//!     .guards(|_, x, _| vec![if x[1] < 0.0 { x[0] } else { 1.0 }])
//!     .jumps(|_, _, x, _| {
//!         x[0] = 0.0;
//!         x[1] *= -0.5;
//!     });
//! let rows = ball.sample(&grid(0.0, 0.6, 0.2));
//! assert!((rows[3][1] + 0.6 * 10.0 - 1.5 * 20_f64.sqrt()).abs() < 1e-12);
//! ```

mod extrapolation;
mod hybrid;

pub use hybrid::Hybrid;

/// The instants `from`, `from + every`, … up to `to`, each by itself and not by adding up.
pub fn grid(from: f64, to: f64, every: f64) -> Vec<f64> {
    let count = ((to - from) / every).round() as u32;
    (0..=count).map(|k| from + f64::from(k) * every).collect()
}

#[cfg(test)]
mod tests;
