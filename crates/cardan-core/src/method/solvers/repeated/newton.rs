//! Reactions of a whole step by differences.

/// A value is moved by this part of its size: far more than the noise of solvers with a tolerance, far less than what
/// bends a reaction.
const NUDGE: f64 = 1e-5;

/// How far to move a value. What is allowed for it over the relative tolerance is the size of its signal.
pub(super) fn nudge(value: f64, allowed: f64, relative: f64) -> f64 {
    let size = if relative > 0.0 {
        allowed / relative
    } else {
        allowed
    };
    let nudge = NUDGE * size.max(value.abs());
    if nudge > 0.0 { nudge } else { NUDGE }
}

/// The matrix of reactions, filled column by column.
pub(super) struct Reactions {
    n: usize,
    /// Row by row.
    pub(super) rows: Vec<f64>,
}

impl Reactions {
    pub(super) fn new(n: usize) -> Self {
        Reactions {
            n,
            rows: vec![0.0; n * n],
        }
    }

    /// Column `j`: what moving value `j` by `nudge` made of the image.
    pub(super) fn set(&mut self, j: usize, image: &[f64], moved: &[f64], nudge: f64) {
        for (i, (image, moved)) in image.iter().zip(moved).enumerate() {
            self.rows[i * self.n + j] = (moved - image) / nudge;
        }
    }
}
