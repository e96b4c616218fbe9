//! Components made from FMUs.

use super::{Component, Workshop, solver};
use cardan_core::interface::{Interface, ParameterId};
use cardan_core::participant::{Failure, Participant, Settings};
use cardan_describe::spec::{ComponentSpec, FmiKind, LogSpec};
use cardan_describe::{Reporter, Span, Spanned, parameters};
use cardan_fmi::co_simulation::{Model, Options};
use cardan_fmi::description::{Causality, ModelDescription, Usage};
use cardan_fmi::{CoSimulation, Fmu, FmuInterface};
use std::path::Path;
use std::sync::Arc;

/// The way an FMU is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    CoSimulation,
    ModelExchange,
}

/// FMUs that were opened for a system, with the interface they have when nobody sets a structural parameter.
#[derive(Default)]
pub(super) struct Opened(Vec<(Arc<Fmu>, Arc<FmuInterface>)>);

impl Opened {
    /// The FMUs, whose files must stay while participants run.
    pub(super) fn all(self) -> Vec<Arc<Fmu>> {
        self.0.into_iter().map(|(fmu, _)| fmu).collect()
    }

    fn interface(&mut self, fmu: &Arc<Fmu>) -> Result<Arc<FmuInterface>, Failure> {
        if let Some((_, known)) = self.0.iter().find(|(known, _)| Arc::ptr_eq(known, fmu)) {
            return Ok(Arc::clone(known));
        }
        let made = FmuInterface::new(Arc::clone(fmu.description()), &Settings::default())?;
        let made = Arc::new(made);
        self.0.push((Arc::clone(fmu), Arc::clone(&made)));
        Ok(made)
    }
}

pub(super) fn create(
    file: &Spanned<String>,
    component: &ComponentSpec,
    workshop: &mut Workshop<'_>,
    reporter: &mut Reporter,
) -> Component {
    let path = workshop.folder.join(&file.value);
    if !path.exists() {
        reporter
            .error(file.span, format!("there is no FMU `{}`", file.value))
            .label("not found")
            .advice(format!("paths are relative to {}", shown(workshop.folder)));
        return Component::Unknown;
    }
    let Some(fmu) = Fmu::open(&path, reporter) else {
        return Component::Unknown;
    };
    let plain = match workshop.fmus.interface(&fmu) {
        Ok(interface) => interface,
        Err(failure) => return refuse(&failure, file.span, component, None, reporter),
    };
    let refused = |interface: &FmuInterface| Component::Refused(interface.interface().clone());
    let settings = parameters(&plain.interface().parameters, component, reporter);
    let way = way(fmu.description(), component, file.span, reporter);
    let (Some(settings), Some(way)) = (settings, way) else {
        return refused(&plain);
    };
    let interface = if resizes(&plain, &settings) {
        match FmuInterface::new(Arc::clone(fmu.description()), &settings) {
            Ok(interface) => Arc::new(interface),
            Err(failure) => {
                let known = plain.interface().clone();
                return refuse(&failure, file.span, component, Some(known), reporter);
            }
        }
    } else {
        plain
    };
    let participant = match way {
        Way::CoSimulation => co_simulation(&fmu, &interface, component, &settings, file.span, reporter),
        Way::ModelExchange => model_exchange(&fmu, &interface, component, &settings, file.span, reporter),
    };
    match participant {
        Some(participant) => Component::Made(participant, settings),
        None => refused(&interface),
    }
}

fn co_simulation(
    fmu: &Arc<Fmu>,
    interface: &Arc<FmuInterface>,
    component: &ComponentSpec,
    settings: &Settings,
    span: Span,
    reporter: &mut Reporter,
) -> Option<Box<dyn Participant>> {
    if let Some(solver) = &component.solver {
        reporter
            .warning(
                solver.span,
                "`solver` has no effect: in Co-Simulation the FMU brings its own",
            )
            .advice("leave it out, or choose `interface = \"model-exchange\"` if the FMU offers it");
    }
    let usage = &fmu.description().co_simulation.as_ref()?.usage;
    let model = model(fmu, interface, usage, span, reporter)?;
    let name = component.name.value.clone();
    match CoSimulation::new(model, name, settings.clone(), options(component)) {
        Ok(participant) => Some(Box::new(participant)),
        Err(failure) => {
            refuse(&failure, span, component, None, reporter);
            None
        }
    }
}

fn model_exchange(
    fmu: &Arc<Fmu>,
    interface: &Arc<FmuInterface>,
    component: &ComponentSpec,
    settings: &Settings,
    span: Span,
    reporter: &mut Reporter,
) -> Option<Box<dyn Participant>> {
    if let Some(substeps) = &component.substeps {
        reporter
            .warning(
                substeps.span,
                "`substeps` has no effect in Model Exchange: the solver samples inputs",
            )
            .advice("leave it out");
    }
    let usage = &fmu.description().model_exchange.as_ref()?.usage;
    let solver = solver::settings(component, reporter)?;
    let model = model(fmu, interface, usage, span, reporter)?;
    let name = component.name.value.clone();
    let _ = (model, name, solver, settings);
    reporter.error(span, "not yet");
    None
}

fn model(
    fmu: &Arc<Fmu>,
    interface: &Arc<FmuInterface>,
    usage: &Usage,
    span: Span,
    reporter: &mut Reporter,
) -> Option<Model> {
    match fmu.binary(&usage.model_identifier) {
        Ok(binary) => Some(Model {
            interface: Arc::clone(interface),
            binary: binary.into(),
            resources: Some(fmu.resources().into()),
        }),
        Err(error) => {
            reporter
                .error(span, format!("{}: {error}", shown(fmu.path())))
                .advice("export it for this platform, or with its sources");
            None
        }
    }
}

fn options(component: &ComponentSpec) -> Options {
    Options {
        log_categories: component.log.as_ref().and_then(|log| match &log.value {
            LogSpec::All(true) => None,
            LogSpec::All(false) => Some(Vec::new()),
            LogSpec::Categories(list) => Some(list.iter().map(|name| name.value.clone()).collect()),
        }),
        substeps: component.substeps.map(|substeps| substeps.value),
        parallel: component.parallel.is_some_and(|parallel| parallel.value),
    }
}

/// As the user chose; else Co-Simulation, which brings its own solver.
fn way(
    description: &ModelDescription,
    component: &ComponentSpec,
    span: Span,
    reporter: &mut Reporter,
) -> Option<Way> {
    let offers = (
        description.co_simulation.is_some(),
        description.model_exchange.is_some(),
    );
    match (component.fmi_kind.as_ref(), offers) {
        (None, (true, _)) => Some(Way::CoSimulation),
        (None, (false, true)) => Some(Way::ModelExchange),
        (None, (false, false)) if description.scheduled_execution => {
            reporter
                .error(span, "the FMU offers Scheduled Execution only, which is not supported")
                .advice(
                    "its parts want to be called by a scheduler with preemption, which a coupled simulation does not \
                     have: export it for Co-Simulation",
                );
            None
        }
        (None, (false, false)) => {
            reporter.error(span, "the FMU offers neither Co-Simulation nor Model Exchange");
            None
        }
        (Some(chosen), (true, _)) if chosen.value == FmiKind::CoSimulation => Some(Way::CoSimulation),
        (Some(chosen), (_, true)) if chosen.value == FmiKind::ModelExchange => Some(Way::ModelExchange),
        (Some(chosen), _) => {
            reporter
                .error(chosen.span, format!("the FMU does not offer {}", chosen.value))
                .advice("`cardan info` shows what an FMU offers");
            None
        }
    }
}

/// Is a structural parameter among the settings?
fn resizes(interface: &FmuInterface, settings: &Settings) -> bool {
    let structural = |id: ParameterId| {
        let variable = interface.parameter(id);
        variable.is_some_and(|v| v.causality == Causality::StructuralParameter)
    };
    settings.0.iter().any(|(id, _)| structural(*id))
}

fn refuse(
    failure: &Failure,
    span: Span,
    component: &ComponentSpec,
    interface: Option<Interface>,
    reporter: &mut Reporter,
) -> Component {
    reporter
        .error(
            span,
            format!("`{}` cannot be made: {failure}", component.name.value),
        )
        .advice_if(failure.advice.clone());
    interface.map_or(Component::Unknown, Component::Refused)
}

fn shown(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        "the present folder".to_owned()
    } else {
        path.display().to_string()
    }
}
