//! Fixed points of a coupling, found in few evaluations.
//!
//! The members of a coupled group repeat a step until what they were given fits what they return. With `x` the
//! interface values that a round assumes and `G(x)` the values that come out of it, the image of `x`, the step is
//! solved where the residual `r(x) = G(x) − x` vanishes. One evaluation of `G` is a step of every member, so it is
//! worth some arithmetic to save one.
//!
//! Every method here is an [`Accelerator`]: it sees pairs of `x` and `G(x)` and proposes the next `x`. It knows nothing
//! of participants, names or time. [`Convergence`] says when to stop.
//!
//! | method | learns | good for |
//! | --- | --- | --- |
//! | [`Relaxation`] | nothing | weak coupling, or a last resort |
//! | [`Aitken`] | one factor | one dominant mode |
//! | [`Broyden`] | a dense matrix | up to some hundred values |
//! | [`IqnIls`] | a few directions | many values, few stiff modes; steps that resemble each other |
//! | [`Newton`] | is given the Jacobian | members with derivatives, strong coupling |
//!
//! ```
//! use cardan_core::accel::{Accelerator, Convergence, IqnIls};
//!
//! // A spring 31 times as stiff as the one it is coupled to: passing values on would diverge.
//! let image_of = |x: f64| 32.0 - 31.0 * x;
//! let mut accelerator = IqnIls::default();
//! let mut convergence = Convergence::new(1e-9, vec![1e-9]);
//!
//! accelerator.begin(&[1.0]);
//! convergence.begin();
//! let (mut x, mut next) = ([0.0], [0.0]);
//! loop {
//!     let image = [image_of(x[0])];
//!     if convergence.measure(&x, &image).converged() {
//!         accelerator.accept(&x, &image);
//!         break;
//!     }
//!     accelerator.propose(&x, &image, &mut next)?;
//!     x = next;
//! }
//! assert!((x[0] - 1.0).abs() < 1e-9);
//! assert_eq!(convergence.rounds(), 3);
//! # Ok::<(), cardan_core::accel::NoProposal>(())
//! ```

mod aitken;
mod broyden;
mod convergence;
mod iqn_ils;
mod newton;
mod relaxation;
mod track;

use crate::checkpoint::Resumable;

pub use aitken::{Aitken, AitkenSettings};
pub use broyden::{Broyden, BroydenSettings};
pub use convergence::{Convergence, Measure, ResidualHistory};
pub use iqn_ils::{IqnIls, IqnIlsSettings};
pub use newton::Newton;
pub use relaxation::Relaxation;

/// A method that leads to a fixed point `x = G(x)`.
///
/// A step is `begin`, any number of `propose`, and `accept` if it converged. A step that is thrown away, because it did
/// not converge or because the master repeats it with another length, is simply not accepted: the next `begin` forgets
/// what was learnt in it, and keeps what accepted steps have left.
///
/// After the first `begin` of a size nothing is allocated. What accepted steps have left is part of a checkpoint, which is
/// taken between two steps.
pub trait Accelerator: Resumable + Send {
    /// Begins a step, or a step anew.
    ///
    /// There is one scale for each interface value: differences of this size count alike, whatever the units. The
    /// bounds of [`Convergence::bounds`] are a good choice. A scale that is not a positive number is taken as one. When
    /// the number of values is another than before, all is forgotten.
    fn begin(&mut self, scales: &[f64]);

    /// Whether [`set_jacobian`](Self::set_jacobian) should be called before proposing from this evaluation.
    fn needs_jacobian(&self, _x: &[f64], _image: &[f64]) -> bool {
        false
    }

    /// Gives the derivatives `∂G/∂x`, row by row. Only [`Newton`] makes use of them.
    ///
    /// # Errors
    /// If no step can be computed with them.
    fn set_jacobian(&mut self, _jacobian: &[f64]) -> Result<(), NoProposal> {
        Ok(())
    }

    /// Proposes where to evaluate next, from an evaluation at any `x` (it need not be the one proposed before). What is
    /// proposed is finite, and it is `x` itself if the residual is zero.
    ///
    /// # Errors
    /// If the evaluation is of no use, or leads nowhere. One that is not finite leaves no trace: another `x` may be
    /// tried.
    fn propose(&mut self, x: &[f64], image: &[f64], next: &mut [f64]) -> Result<(), NoProposal>;

    /// Ends the step with its last evaluation, which is good enough. What was learnt may now serve later steps.
    fn accept(&mut self, x: &[f64], image: &[f64]);
}

/// Why no next values can be proposed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoProposal {
    /// The assumed value or its image is not finite, or their difference or the way from there is too large.
    #[error(
        "interface value {variable} is not a finite number any more; repeat the step with a smaller one, or relax \
         more"
    )]
    NotFinite {
        /// Which value, counted from zero.
        variable: usize,
    },
    /// Newton's method was not given a Jacobian.
    #[error("the derivatives of the interface are missing; set them before asking for a step")]
    NoJacobian,
    /// `1 − ∂G/∂x` is singular.
    #[error(
        "the interface values do not determine each other: one minus their Jacobian is singular or not finite; use a \
         method that needs no Jacobian, or change where the system is cut"
    )]
    Singular,
    /// The slices do not have the size that was begun with.
    #[error("{given} numbers were given where {expected} belong")]
    Size {
        /// What the size calls for.
        expected: usize,
        /// How many there were.
        given: usize,
    },
}

impl NoProposal {
    fn unless_sized(expected: usize, given: &[f64]) -> Result<(), NoProposal> {
        let given = given.len();
        if given == expected {
            Ok(())
        } else {
            Err(NoProposal::Size { expected, given })
        }
    }

    fn unless_finite(values: &[f64]) -> Result<(), NoProposal> {
        match values.iter().position(|value| !value.is_finite()) {
            None => Ok(()),
            Some(variable) => Err(NoProposal::NotFinite { variable }),
        }
    }
}
