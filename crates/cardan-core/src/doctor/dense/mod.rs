//! Small dense matrices: what the examination of a coupling needs of linear algebra, and no more.

mod complex;
mod eigen;
mod functions;
mod matrix;
mod svd;

pub(crate) use complex::Complex;
pub(crate) use eigen::{eigenvalues, spectral_radius};
pub(crate) use functions::{exponential, logarithm};
pub(crate) use matrix::Matrix;
pub(crate) use svd::{Svd, svd};
