//! How an FMU is solved.

use cardan_ode::{Method, SolverSettings};

use crate::description::ModelDescription;

/// Choices of the user for one FMU in Model Exchange.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// The log categories to switch on; with none given, those for warnings and errors where the FMU names any.
    pub log_categories: Option<Vec<String>>,
    /// The solver; with none given, that of [`default_solver`]. Nominal values of states come from the FMU.
    pub solver: Option<SolverSettings>,
    /// May instances of the same binary run on different threads?
    pub parallel: bool,
}

/// The solver of the built-in models, so that an FMU and a model of the same equations agree: Dormand-Prince with a
/// relative tolerance of 1e-9. The tolerance in the description counts only if it is smaller: most exporters write one
/// that suits plots, while in a coupled run the errors of the coupling should be the largest.
pub fn default_solver(description: &ModelDescription) -> SolverSettings {
    let wanted = description.default_experiment.tolerance.unwrap_or(1e-9);
    // Not below what double precision carries.
    let rtol = if wanted > 0.0 {
        wanted.clamp(1e-14, 1e-9)
    } else {
        1e-9
    };
    SolverSettings {
        method: Method::Dopri5,
        rtol,
        atol: 1e-3 * rtol,
        ..SolverSettings::default()
    }
}
