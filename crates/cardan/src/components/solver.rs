//! The solver of a component.

use cardan_describe::spec::{ComponentSpec, SolverSpec};
use cardan_describe::{Reporter, nearest};
use cardan_models::multibody::{usual_settings, usual_solver};
use cardan_ode::{Method, SettingsError, SolverSettings};

/// The solver where nothing is said about it: Dormand-Prince at tolerances so tight that what one sees in a coupled result is the
/// coupling, not the solver; built-in models are cheap.
pub(super) fn usual() -> SolverSettings {
    SolverSettings {
        rtol: 1e-9,
        atol: 1e-12,
        ..SolverSettings::default()
    }
}

/// The solver as described, for a component that is no mechanism.
pub(super) fn settings(component: &ComponentSpec, reporter: &mut Reporter) -> Option<SolverSettings> {
    let settings = settings_from(usual(), component, reporter)?;
    if settings.method.is_mechanical() {
        refuse(settings.method, component, reporter);
        return None;
    }
    Some(settings)
}

/// The solver as described of a component that is a mechanism, or the usual one of mechanisms. Do its joints close `loops`?
pub(super) fn of_mechanism(
    component: &ComponentSpec,
    loops: bool,
    reporter: &mut Reporter,
) -> Option<SolverSettings> {
    let kind = component.solver.as_ref().and_then(|spec| spec.kind.as_ref());
    let method = kind.and_then(|kind| kind.value.parse().ok());
    let left_out = match method {
        Some(method) => usual_settings(method),
        None => usual_solver(),
    };
    let settings = settings_from(left_out, component, reporter)?;
    if let Some(kind) = kind.filter(|_| loops && !settings.method.is_mechanical()) {
        let method = settings.method;
        let message = format!(
            "the solver {method} may lose energy at dead points of `{}`",
            component.name.value
        );
        reporter
            .warning(kind.span, message)
            .label("knows nothing of constraints")
            .advice(
                "joints of this mechanism close loops; where they come into line, accelerations have no answer, and errors \
                 there show in `energy` alone. Leave the solver out, or take rattle, trapezoidal or generalized-alpha",
            );
    }
    Some(settings)
}

/// A method for mechanisms is asked for, and the component is none.
pub(super) fn refuse(method: Method, component: &ComponentSpec, reporter: &mut Reporter) {
    let kind = component.solver.as_ref().and_then(|spec| spec.kind.as_ref());
    reporter
        .error(
            kind.map_or(component.name.span, |kind| kind.span),
            SettingsError::NotMechanical { method }.to_string(),
        )
        .label("for mechanisms only")
        .advice("a mechanism is a component with `multibody`");
}

/// The solver as described, with what is left out from `settings`.
pub(super) fn settings_from(
    mut settings: SolverSettings,
    component: &ComponentSpec,
    reporter: &mut Reporter,
) -> Option<SolverSettings> {
    let Some(spec) = &component.solver else {
        return Some(settings);
    };
    if let Some(kind) = &spec.kind {
        match kind.value.parse::<Method>() {
            Ok(method) => settings.method = method,
            Err(_) => {
                let known = || Method::NAMES.into_iter().chain(Method::MECHANICAL_NAMES);
                let choices = format!(
                    "choose one of {}, or for mechanisms {}",
                    Method::NAMES.join(", "),
                    Method::MECHANICAL_NAMES.join(", ")
                );
                let advice = match nearest(&kind.value, known()) {
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
    mechanical(&mut settings, spec, reporter)?;
    match settings.validate() {
        Ok(()) => Some(settings),
        Err(error) => {
            reporter.error(spec.span, format!("the solver cannot be used: {error}"));
            None
        }
    }
}

/// What only methods for mechanical systems look at; each of them at what concerns it.
fn mechanical(settings: &mut SolverSettings, spec: &SolverSpec, reporter: &mut Reporter) -> Option<()> {
    use Method::{GeneralizedAlpha, Trapezoidal};
    let keys = [
        ("tolerance", &spec.tolerance, &[Trapezoidal, GeneralizedAlpha][..]),
        ("penalty", &spec.penalty, &[Trapezoidal, GeneralizedAlpha]),
        ("spectral_radius", &spec.spectral_radius, &[GeneralizedAlpha]),
    ];
    let (method, before) = (settings.method, reporter.error_count());
    for (key, given, methods) in keys {
        let Some(given) = given.filter(|_| !methods.contains(&method)) else {
            continue;
        };
        let whose: Vec<&str> = methods.iter().map(|method| method.name()).collect();
        let whose = format!("`{key}` belongs to {}; leave it out", whose.join(" and "));
        if method.is_mechanical() {
            reporter
                .warning(
                    given.span,
                    format!("`{key}` has no effect on the solver {method}"),
                )
                .advice(whose);
        } else {
            reporter
                .error(given.span, format!("the solver {method} has no `{key}`"))
                .advice(whose);
        }
    }
    if reporter.error_count() > before {
        return None;
    }
    // With steps of a given length nothing is measured against tolerances.
    let tolerances = [
        ("rtol", &spec.rtol),
        ("atol", &spec.atol),
        ("max_step", &spec.max_step),
    ];
    for (key, given) in tolerances {
        if let Some(given) = given.filter(|_| method.is_mechanical() && spec.step.is_some()) {
            reporter
                .warning(given.span, format!("`{key}` has no effect where `step` is given"))
                .advice("leave `step` out to have steps as long as the tolerances allow");
        }
    }
    let own = &mut settings.mechanical;
    own.tolerance = spec.tolerance.map(|given| given.value);
    own.penalty = spec.penalty.map(|given| given.value);
    own.spectral_radius = spec
        .spectral_radius
        .map_or(own.spectral_radius, |given| given.value);
    Some(())
}
