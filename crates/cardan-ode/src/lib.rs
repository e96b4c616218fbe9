//! Integrators for ordinary differential equations `x' = f(t, x)`.
//!
//! Five methods behind one trait object: explicit Euler, Heun and the classical Runge-Kutta method with fixed
//! steps, Dormand-Prince 5(4) with step control, and a variable-order BDF for stiff systems. All of them land on a
//! given limit bit for bit, carry a continuous solution through every step, find the roots of given functions on
//! it, and hand out their complete memory, so that a step can be taken back and repeated with the same bits.
//!
//! The crate knows nothing of co-simulation. The right-hand side is an [`Equations`] object which holds its own
//! inputs; the caller tells the solver with [`Solver::disturb`] when they jumped.
//!
//! ```
//! use cardan_ode::{Equations, Method, Progress, SolverSettings, Trouble, build};
//!
//! /// A ball dropped from one metre; the root is the ground.
//! struct Ball;
//!
//! impl Equations for Ball {
//!     fn states(&self) -> usize {
//!         2
//!     }
//!     fn derivatives(&mut self, _t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
//!         dx[0] = x[1];
//!         dx[1] = -9.81;
//!         Ok(())
//!     }
//!     fn roots(&self) -> usize {
//!         1
//!     }
//!     fn root_values(&mut self, _t: f64, x: &[f64], g: &mut [f64]) -> Result<(), Trouble> {
//!         g[0] = x[0];
//!         Ok(())
//!     }
//! }
//!
//! let settings = SolverSettings { method: Method::Dopri5, rtol: 1e-8, ..SolverSettings::default() };
//! let mut solver = build(&settings, 2, 1)?;
//! solver.restart(0.0, &[1.0, 0.0])?;
//! while solver.advance(&mut Ball, 10.0)? == Progress::Step {}
//!
//! let fall = (2.0_f64 / 9.81).sqrt();
//! assert!((solver.time() - fall).abs() < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A run towards a grid of communication points calls [`Solver::advance`] with the next point as the limit until it
//! answers [`Progress::Limit`]; one call is one inner step, so that the caller may look at each of them.

mod bdf;
mod control;
mod dopri5;
mod equations;
mod error;
mod evaluation;
mod first_step;
mod fixed;
mod jacobian;
mod landing;
mod lu;
pub mod mechanical;
mod memory;
mod method;
mod plan;
mod roots;
mod settings;
mod solver;
mod stepper;
mod tolerance;
mod tracker;

pub use equations::{Equations, Trouble};
pub use error::{SettingsError, SolveError};
pub use lu::Lu;
pub use memory::Memory;
pub use method::Method;
pub use settings::{SolverSettings, build, build_mechanical};
pub use solver::{Counts, Crossing, Progress, Solver};
