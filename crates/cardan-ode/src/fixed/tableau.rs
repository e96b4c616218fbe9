//! The coefficients (Butcher tableaus) of the fixed-step methods.

/// An explicit Runge-Kutta method.
#[derive(Debug)]
pub(crate) struct Tableau {
    /// The stages after the first, which is the slope at the start.
    pub(crate) stages: &'static [Stage],
    /// The weights of all stages in the result.
    pub(crate) weights: &'static [f64],
    pub(crate) dense: Dense,
}

/// Where a stage is evaluated.
#[derive(Debug)]
pub(crate) struct Stage {
    /// The fraction of the step.
    pub(crate) node: f64,
    /// The weights of the stages before it.
    pub(crate) weights: &'static [f64],
}

/// The curve through a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dense {
    /// A line: as good as Euler's method, and free.
    Linear,
    /// The cubic with the states and slopes of both ends. The slope at the end is the first stage of the next step.
    Hermite,
}

/// Explicit Euler, order 1.
pub(crate) static EULER: Tableau = Tableau {
    stages: &[],
    weights: &[1.0],
    dense: Dense::Linear,
};

/// Heun's method of order 2, the explicit trapezoidal rule.
pub(crate) static HEUN: Tableau = Tableau {
    stages: &[Stage {
        node: 1.0,
        weights: &[1.0],
    }],
    weights: &[0.5, 0.5],
    dense: Dense::Hermite,
};

/// The classical method of order 4 (Kutta 1901).
pub(crate) static RK4: Tableau = Tableau {
    stages: &[
        Stage {
            node: 0.5,
            weights: &[0.5],
        },
        Stage {
            node: 0.5,
            weights: &[0.0, 0.5],
        },
        Stage {
            node: 1.0,
            weights: &[0.0, 0.0, 1.0],
        },
    ],
    weights: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    dense: Dense::Hermite,
};
