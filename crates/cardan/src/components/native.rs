//! Components made from built-in models.

use super::{Component, solver, table_file};
use cardan_describe::spec::ComponentSpec;
use cardan_describe::{Reporter, Spanned, nearest, parameters};
use cardan_models::{BuildError, catalogue, find};
use cardan_ode::{SettingsError, SolverSettings};
use std::path::Path;

pub(super) fn create(
    name: &Spanned<String>,
    component: &ComponentSpec,
    folder: &Path,
    reporter: &mut Reporter,
) -> Component {
    if name.value == "table" && table_file::is_meant(component) {
        return table_file::create(component, folder, reporter).unwrap_or(Component::Unknown);
    }
    let Some(model) = find(&name.value) else {
        let advice = match nearest(&name.value, catalogue().iter().map(|m| m.name)) {
            Some(known) => format!("did you mean `{known}`? `cardan info --models` lists all"),
            None => "`cardan info --models` lists what there is".to_owned(),
        };
        reporter
            .error(name.span, format!("there is no model `{}`", name.value))
            .label("unknown model")
            .advice(advice);
        return Component::Unknown;
    };
    let settings = parameters(&(model.parameters)(), component, reporter);
    let solver = match model.is_mechanism() {
        true => solver::of_mechanism(component, model.closes_loops(), reporter),
        false => solver::settings_from(solver::usual(), component, reporter),
    };
    // With a mistake in its parameters a model still has its ports.
    let refused = || model.interface().map_or(Component::Unknown, Component::Refused);
    let (Some(settings), Some(solver)) = (settings, solver) else {
        return refused();
    };
    match model.build(&settings, &solver) {
        Ok(participant) => Component::Made(participant, settings),
        Err(error) if is_unmechanical(&error, &solver) => {
            solver::refuse(solver.method, component, reporter);
            refused()
        }
        Err(error) => {
            report(&error, component, reporter);
            refused()
        }
    }
}

/// Only the model itself knows whether it has equations for a method for mechanisms.
fn is_unmechanical(error: &BuildError, solver: &SolverSettings) -> bool {
    let method = solver.method;
    *error == BuildError::from(SettingsError::NotMechanical { method })
}

/// Points at the parameter at fault if it was written, else at the component.
pub(super) fn report(error: &BuildError, component: &ComponentSpec, reporter: &mut Reporter) {
    let written = |name: &String| {
        component
            .parameters
            .iter()
            .find(|(known, _)| known.value == *name)
    };
    let span = match error.parameter.as_ref().and_then(written) {
        Some((_, value)) => value.span,
        None => component.name.span,
    };
    reporter.error(
        span,
        format!("`{}` cannot be built: {error}", component.name.value),
    );
}
