//! Components made from FMUs.

use super::isolated::{self, shares_process};
use super::{Component, Workshop, solver};
use cardan_core::interface::{Interface, ParameterId};
use cardan_core::participant::{Failure, Participant, Settings};
use cardan_core::value::Value;
use cardan_describe::spec::{ComponentSpec, FmiKind, Literal, LogSpec};
use cardan_describe::{Reporter, Span, Spanned, interface_parameters};
use cardan_fmi::description::{Causality, ModelDescription};
use cardan_fmi::{CoSimulation, Fmu, FmuInterface, ModelExchange, co_simulation, model_exchange};
use std::collections::HashMap;
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
pub(super) struct Opened {
    interfaces: Vec<(Arc<Fmu>, Arc<FmuInterface>)>,
    /// Those that may have one instance in a process, by their tokens, with the component that has it.
    alone: HashMap<String, Spanned<String>>,
}

impl Opened {
    fn interface(&mut self, fmu: &Arc<Fmu>) -> Result<Arc<FmuInterface>, Failure> {
        let mut known = self.interfaces.iter();
        if let Some((_, known)) = known.find(|(known, _)| Arc::ptr_eq(known, fmu)) {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(FmuInterface::new(Arc::clone(fmu), &Settings::default())?);
        self.interfaces.push((Arc::clone(fmu), Arc::clone(&made)));
        Ok(made)
    }

    /// Refuses a second component in this process where the FMU allows one only.
    fn expect_room(
        &mut self,
        description: &ModelDescription,
        way: Way,
        component: &ComponentSpec,
        span: Span,
        reporter: &mut Reporter,
    ) -> Option<()> {
        let usage = match way {
            Way::CoSimulation => description.co_simulation.as_ref().map(|offer| &offer.usage),
            Way::ModelExchange => description.model_exchange.as_ref().map(|offer| &offer.usage),
        };
        if !usage.is_some_and(|usage| usage.once_per_process) || !shares_process(component) {
            return Some(());
        }
        let name = &component.name.value;
        let Some(first) = self.alone.get(&description.token) else {
            let owner = Spanned::new(name.clone(), span);
            self.alone.insert(description.token.clone(), owner);
            return Some(());
        };
        let message = format!(
            "`{name}` cannot be made: its FMU can be instantiated only once per process, and `{}` has it already",
            first.value
        );
        reporter
            .error(span, message)
            .related(first.span, "used here first")
            .advice("give it a process of its own: isolate = true");
        None
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
    let sizes = sizes(&plain, component);
    let interface = if sizes.0.is_empty() {
        plain
    } else {
        match FmuInterface::new(fmu, &sizes) {
            Ok(interface) => Arc::new(interface),
            Err(failure) => {
                let known = plain.interface().clone();
                return refuse(&failure, file.span, component, Some(known), reporter);
            }
        }
    };
    let settings = interface_parameters(interface.interface(), component, reporter);
    let way = way(interface.description(), component, file.span, reporter);
    let way = way.filter(|way| {
        let description = interface.description();
        let room = workshop
            .fmus
            .expect_room(description, *way, component, file.span, reporter);
        room.is_some()
    });
    let made = settings.zip(way).and_then(|(settings, way)| {
        let participant = match way {
            Way::CoSimulation => co_simulation(&interface, component, &settings, reporter),
            Way::ModelExchange => model_exchange(&interface, component, &settings, reporter)?,
        };
        let moved = participant.and_then(|participant| isolated::settle(participant, component, workshop));
        match moved {
            Ok(participant) => Some(Component::Made(participant, settings)),
            Err(failure) => {
                refuse(&failure, file.span, component, None, reporter);
                None
            }
        }
    });
    made.unwrap_or_else(|| Component::Refused(interface.interface().clone()))
}

fn co_simulation(
    interface: &Arc<FmuInterface>,
    component: &ComponentSpec,
    settings: &Settings,
    reporter: &mut Reporter,
) -> Result<Box<dyn Participant>, Failure> {
    if let Some(solver) = &component.solver {
        reporter
            .warning(
                solver.span,
                "`solver` has no effect: in Co-Simulation the FMU brings its own",
            )
            .advice("leave it out, or choose `interface = \"model-exchange\"` if the FMU offers it");
    }
    let options = co_simulation::Options {
        log_categories: log_categories(interface, component, reporter),
        substeps: component.substeps.map(|substeps| substeps.value),
        parallel: component.parallel.is_some_and(|parallel| parallel.value),
    };
    let name = component.name.value.clone();
    let made = CoSimulation::new(Arc::clone(interface), name, settings.clone(), options)?;
    Ok(Box::new(made))
}

/// None means a mistake in the solver, which the reporter knows.
fn model_exchange(
    interface: &Arc<FmuInterface>,
    component: &ComponentSpec,
    settings: &Settings,
    reporter: &mut Reporter,
) -> Option<Result<Box<dyn Participant>, Failure>> {
    if let Some(substeps) = &component.substeps {
        reporter
            .warning(
                substeps.span,
                "`substeps` has no effect in Model Exchange: the solver samples inputs as often as it wants",
            )
            .advice("leave it out");
    }
    let solver = match &component.solver {
        Some(_) => Some(solver::settings(component, reporter)?),
        None => None,
    };
    let options = model_exchange::Options {
        log_categories: log_categories(interface, component, reporter),
        solver,
        parallel: component.parallel.is_some_and(|parallel| parallel.value),
    };
    let name = component.name.value.clone();
    let made = ModelExchange::new(Arc::clone(interface), name, settings.clone(), options);
    Some(made.map(|made| Box::new(made) as Box<dyn Participant>))
}

/// The log categories that the user wants; none where nothing is said about them.
fn log_categories(
    interface: &FmuInterface,
    component: &ComponentSpec,
    reporter: &mut Reporter,
) -> Option<Vec<String>> {
    let known: Vec<String> = interface
        .description()
        .log_categories
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    Some(match &component.log.as_ref()?.value {
        // One that declares none says all it has to, unless it is asked for some.
        LogSpec::All(true) if known.is_empty() => return None,
        LogSpec::All(true) => known,
        LogSpec::All(false) => Vec::new(),
        LogSpec::Categories(list) => {
            for name in list.iter().filter(|name| !known.contains(&name.value)) {
                let advice = match known.as_slice() {
                    [] => "it declares none; `log = true` lets it say all it has to".to_owned(),
                    known => format!("it has {}", known.join(", ")),
                };
                reporter
                    .warning(name.span, format!("the FMU has no log category `{}`", name.value))
                    .advice(advice);
            }
            list.iter().map(|name| name.value.clone()).collect()
        }
    })
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

/// The structural parameters that the user gives. They come first: shapes of other parameters follow from them.
fn sizes(interface: &FmuInterface, component: &ComponentSpec) -> Settings {
    let mut sizes = Settings::default();
    for (index, parameter) in interface.interface().parameters.iter().enumerate() {
        let id = ParameterId(index as u32);
        let variable = interface.parameter(id);
        if variable.is_none_or(|v| v.causality != Causality::StructuralParameter) {
            continue;
        }
        let mut given = component.parameters.iter();
        // What is no whole number is reported with the other parameters.
        if let Some((_, literal)) = given.find(|(name, _)| name.value == parameter.name)
            && let Literal::Integer(size) = literal.value
        {
            sizes.0.push((id, Value::integer(size)));
        }
    }
    sizes
}

fn refuse(
    failure: &Failure,
    span: Span,
    component: &ComponentSpec,
    interface: Option<Interface>,
    reporter: &mut Reporter,
) -> Component {
    let advice = failure.advice.clone();
    let advice = advice.unwrap_or_else(|| "`cardan check` on the FMU itself tells what it lacks".to_owned());
    reporter
        .error(
            span,
            format!("`{}` cannot be made: {failure}", component.name.value),
        )
        .advice(advice);
    interface.map_or(Component::Unknown, Component::Refused)
}

fn shown(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        "the present folder".to_owned()
    } else {
        path.display().to_string()
    }
}
