//! The ways in which each system is run.

/// A way to run a system.
#[derive(Clone, Copy)]
pub(crate) enum Mode {
    /// Nothing is said about the method.
    Default,
    /// A method that chooses its steps, and its tolerance.
    By {
        kind: &'static str,
        scheme: &'static str,
        tolerance: f64,
    },
}

/// All of them.
pub(crate) fn all() -> Vec<Mode> {
    let mut modes = vec![Mode::Default];
    for kind in ["adaptive", "iterated"] {
        for scheme in ["jacobi", "gauss-seidel"] {
            for tolerance in [1e-4, 1e-6, 1e-8] {
                modes.push(Mode::By {
                    kind,
                    scheme,
                    tolerance,
                });
            }
        }
    }
    modes
}

impl Mode {
    pub(crate) fn name(&self) -> String {
        match self {
            Mode::Default => "default".to_owned(),
            Mode::By {
                kind,
                scheme,
                tolerance,
            } => format!("{kind} {scheme} {tolerance:.0e}"),
        }
    }

    /// Its part of the description.
    pub(crate) fn toml(&self) -> String {
        match self {
            Mode::Default => String::new(),
            Mode::By {
                kind,
                scheme,
                tolerance,
            } => {
                format!("[method]\nkind = \"{kind}\"\nscheme = \"{scheme}\"\ntolerance = {tolerance:?}\n")
            }
        }
    }

    /// The tolerance that is promised; a ten-thousandth where nothing is said.
    pub(crate) fn tolerance(&self) -> f64 {
        match self {
            Mode::Default => 1e-4,
            Mode::By { tolerance, .. } => *tolerance,
        }
    }

    /// What the result may be wrong by, as a part of the range of a signal. Errors of steps add up over a run, hence the
    /// twenty. Below a millionth it is inner solvers and the instants of events that count, not the coupling.
    pub(crate) fn bound(&self) -> f64 {
        (20.0 * self.tolerance()).max(1e-6)
    }
}
