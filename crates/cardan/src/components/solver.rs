//! The solver of a component.

use cardan_describe::spec::ComponentSpec;
use cardan_describe::{Reporter, nearest};
use cardan_ode::{Method, SolverSettings};

/// The solver as described. Without a word about it: Dormand-Prince at tolerances so tight that what one sees in a
/// coupled result is the coupling, not the solver; built-in models are cheap.
pub(super) fn settings(component: &ComponentSpec, reporter: &mut Reporter) -> Option<SolverSettings> {
    let mut settings = SolverSettings {
        rtol: 1e-9,
        atol: 1e-12,
        ..SolverSettings::default()
    };
    let Some(spec) = &component.solver else {
        return Some(settings);
    };
    if let Some(kind) = &spec.kind {
        match kind.value.parse::<Method>() {
            Ok(method) => settings.method = method,
            Err(_) => {
                let choices = format!("choose one of {}", Method::NAMES.join(", "));
                let advice = match nearest(&kind.value, Method::NAMES.iter().copied()) {
                    Some(known) => format!("did you mean `{known}`? Otherwise {choices}"),
                    None => choices,
                };
                reporter
                    .error(kind.span, format!("there is no solver `{}`", kind.value))
                    .label("unknown solver")
                    .advice(advice);
                return None;
            }
        }
    }
    settings.step = spec.step.as_ref().map(|s| s.value);
    settings.max_step = spec.max_step.as_ref().map(|s| s.value);
    if let Some(rtol) = &spec.rtol {
        settings.rtol = rtol.value;
    }
    if let Some(atol) = &spec.atol {
        settings.atol = atol.value;
    }
    match settings.validate() {
        Ok(()) => Some(settings),
        Err(error) => {
            reporter.error(spec.span, format!("the solver cannot be used: {error}"));
            None
        }
    }
}
