//! What Cardan itself will run for a meta-model, looked into before anybody is started.

use super::model_files::is_known;
use super::source::{Described, describe};
use super::{find_points, parameters};
use crate::components::Workshop;
use cardan_core::interface::Interface;
use cardan_core::participant::Settings;
use cardan_describe::spec::ComponentSource;
use cardan_describe::tlm::{MetaModel, StartCommand, SubModel};
use cardan_describe::{Reporter, interface_parameters};
use cardan_fmi::{Fmu, FmuInterface};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// Reports mistakes in component files, in FMUs that they name and in parameters that the meta-model gives them. Nothing is
/// started for it: of what runs in other processes only the description is read.
pub fn look_into_components(
    model: &MetaModel,
    folder: &Path,
    started: impl Fn(&SubModel) -> bool,
    reporter: &mut Reporter,
) {
    // One file may be run several times; its mistakes are told once.
    let mut wrong = HashSet::new();
    for sub_model in model.sub_models.iter().filter(|sub_model| started(sub_model)) {
        let file = sub_model.model_file.as_str();
        // A file that is missing has been told.
        let is_ours = sub_model.start_command == StartCommand::Cardan && is_known(file, folder);
        if !is_ours || wrong.contains(file) {
            continue;
        }
        let before = reporter.error_count();
        let beside = folder.join(file);
        let named = match beside.exists() {
            true => beside.to_string_lossy().into_owned(),
            false => file.to_owned(),
        };
        let described = describe(&named, &sub_model.name, model.simulation.start, reporter);
        if let Some(described) = described
            && let Some(interface) = interface(&described, reporter)
        {
            find_points(&named, &described, &interface, reporter);
            look_at_parameters(model, sub_model, &interface, reporter);
        }
        if reporter.error_count() > before {
            wrong.insert(file);
        }
    }
}

/// The ports of a component, if they can be known without running it.
fn interface(described: &Described, reporter: &mut Reporter) -> Option<Interface> {
    let component = &described.spec.component;
    match &component.source {
        Some(ComponentSource::Model(_)) => {
            let components = std::slice::from_ref(component);
            let made = Workshop::new(&described.folder).make(components, reporter);
            made.first()?.interface().cloned()
        }
        Some(ComponentSource::Fmu(file)) => {
            let path = described.folder.join(&file.value);
            let fmu = match &described.fmu {
                Some(fmu) => Arc::clone(fmu),
                None if !path.exists() => {
                    reporter
                        .error(file.span, format!("there is no FMU `{}`", file.value))
                        .label("not found")
                        .advice("paths are relative to the folder of this file");
                    return None;
                }
                None => Fmu::open(&path, reporter)?,
            };
            let made = FmuInterface::new(fmu, &Settings::default()).ok()?;
            interface_parameters(made.interface(), component, reporter);
            // Its ports may have other sizes when it runs.
            made.structural().is_empty().then(|| made.interface().clone())
        }
        _ => None,
    }
}

fn look_at_parameters(
    model: &MetaModel,
    sub_model: &SubModel,
    interface: &Interface,
    reporter: &mut Reporter,
) {
    for written in &model.parameters[sub_model.parameters.clone()] {
        let known = interface
            .parameters
            .iter()
            .find(|known| known.name == written.name);
        if let Some(known) = known
            && let Err(objection) = parameters::value_of(&written.value, known)
        {
            reporter.error(
                written.span,
                format!(
                    "the parameter `{}` is `{}`, which {objection}",
                    written.name, written.value
                ),
            );
        }
    }
}
