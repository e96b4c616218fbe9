//! What is known of a mechanical system before its first step.

/// Sizes and patterns of a mechanical system, and its mass matrix, which does not change.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Structure {
    /// Number of coordinates `q`.
    pub coordinates: usize,
    /// Number of quadratures `z`: whatever is only summed up along the way.
    pub quadratures: usize,
    /// The mass matrix: row, column and value of entries on and below the diagonal; several for one place add up.
    pub mass: Vec<(usize, usize, f64)>,
    /// For each constraint the coordinates it depends on.
    pub constraints: Vec<Vec<usize>>,
    /// Where forces depend on coordinates or velocities: rows and columns on and below the diagonal.
    pub tangent: Vec<(usize, usize)>,
    /// The squared length that a row of the constraints' Jacobian typically has; zero where nobody knows.
    pub gradient: f64,
    /// How large coordinates typically are; zero where nobody knows, which stands for one.
    pub size: f64,
}

impl Structure {
    /// The length of a state `[q, v, z]`.
    #[must_use]
    pub fn states(&self) -> usize {
        2 * self.coordinates + self.quadratures
    }

    /// The number of entries of the constraints' Jacobian.
    #[must_use]
    pub fn jacobian_len(&self) -> usize {
        self.constraints.iter().map(Vec::len).sum()
    }

    /// Coordinates, velocities and quadratures of a state.
    #[must_use]
    pub fn split<'a>(&self, x: &'a [f64]) -> (&'a [f64], &'a [f64], &'a [f64]) {
        let (q, rest) = x.split_at(self.coordinates);
        let (v, z) = rest.split_at(self.coordinates);
        (q, v, z)
    }

    /// How large coordinates typically are.
    pub(super) fn usual_size(&self) -> f64 {
        if self.size > 0.0 { self.size } else { 1.0 }
    }

    /// The squared length that a row of the constraints' Jacobian typically has.
    pub(super) fn usual_gradient(&self) -> f64 {
        if self.gradient > 0.0 { self.gradient } else { 1.0 }
    }

    /// The penalty that weighs as much as a typical mass where both meet in one matrix.
    pub(super) fn even_penalty(&self) -> f64 {
        let diagonal = self.mass.iter().filter(|(row, column, _)| row == column);
        let sum: f64 = diagonal.map(|(_, _, value)| value).sum();
        let mass = sum / self.coordinates.max(1) as f64;
        let penalty = mass / self.usual_gradient();
        if penalty > 0.0 && penalty.is_finite() {
            penalty
        } else {
            1.0
        }
    }
}
