//! A description, checked and planned: everything before the run.

use crate::components::{Component, Workshop};
use crate::load::{Loaded, load};
use crate::{coupling, input_file};
use cardan_core::graph::Graph;
use cardan_core::participant::{Participant, Settings};
use cardan_core::plan::{Plan, Setup};
use cardan_describe::{Overrides, Reporter, SystemSpec, resolve};
use cardan_fmi::archive::Unpacked;
use std::path::Path;
use std::sync::Arc;

/// A system that can run: its graph, its plan and its participants.
pub struct System {
    /// What was written.
    pub spec: SystemSpec,
    /// Who is connected to whom.
    pub graph: Graph,
    /// What was decided about the run.
    pub setup: Setup,
    /// How the run will go.
    pub plan: Arc<Plan>,
    /// Why the method was chosen, in one line, where the user left it open.
    pub reason: Option<String>,
    pub(crate) participants: Vec<Box<dyn Participant>>,
    pub(crate) settings: Vec<Settings>,
    /// The files of an archive, which go when nobody holds them any more.
    pub(crate) files: Option<Arc<Unpacked>>,
}

impl System {
    /// The name of a system, whatever is wrong with it otherwise; none if it cannot be read at all.
    pub fn name_of(path: &Path) -> Option<String> {
        load(path, &mut Reporter::new()).map(|loaded| loaded.spec.name)
    }

    /// Reads, checks and plans a system. Every mistake and warning goes to the reporter; none is the answer if there
    /// was a mistake. With `observe` all outputs can be looked at during the run, not only the recorded and
    /// connected ones.
    pub fn load(
        path: &Path,
        overrides: &Overrides,
        observe: bool,
        reporter: &mut Reporter,
    ) -> Option<System> {
        let Loaded {
            mut spec,
            folder,
            files,
            fmu: _held,
        } = load(path, reporter)?;
        spec.apply(overrides, reporter);
        // In a text that does not parse, values may have been lost: what is said of them would mislead.
        if !spec.broken {
            spec.check_settings(reporter);
        }
        let call_limit = spec.limits.call.as_ref().map(|limit| limit.value);
        let mut workshop = Workshop::new(&folder).limiting_calls(call_limit);
        let mut components: Vec<Component> = spec
            .components
            .iter()
            .map(|component| workshop.make(component, reporter))
            .collect();
        let described = spec.components.len();
        if let Some(file) = &overrides.input {
            input_file::attach(file, &mut spec, &mut components, reporter);
        }
        let interfaces: Vec<_> = components.iter().map(Component::interface).collect();
        warn_of_idle_limits(&spec, reporter);
        let method = coupling::method(&spec, reporter);
        let graph = resolve(&spec, &interfaces, reporter)?;
        let method = method?;
        let choice = coupling::choose(&spec, &graph, method, described, reporter);
        let choice = choice.filter(|_| !reporter.has_errors())?;
        let mut setup = choice.setup;
        if observe {
            setup.observe = all_outputs(&graph);
        }
        setup.notes = notes(&spec, &setup);
        let plan = match Plan::compile(&graph, &setup) {
            Ok(plan) => Arc::new(plan),
            Err(error) => {
                reporter.error(spec.span, error.to_string());
                return None;
            }
        };
        let made = components.into_iter().filter_map(|component| match component {
            Component::Made(participant, settings) => Some((participant, settings)),
            Component::Refused(_) | Component::Unknown => None,
        });
        let (participants, settings) = made.unzip();
        Some(System {
            spec,
            graph,
            setup,
            plan,
            reason: choice.reason,
            participants,
            settings,
            files,
        })
    }
}

/// Limits are kept by a run in a process of its own, which this version does not have.
fn warn_of_idle_limits(spec: &SystemSpec, reporter: &mut Reporter) {
    let call = spec.limits.call.as_ref().map(|limit| limit.span);
    let memory = spec.limits.memory.as_ref().map(|limit| limit.span);
    for span in call.into_iter().chain(memory) {
        reporter.warning(span, "this version does not watch over limits");
    }
}

fn all_outputs(graph: &Graph) -> Vec<(cardan_core::graph::ParticipantId, cardan_core::interface::PortId)> {
    let of = |id| {
        let ports = graph.node(id).interface.ports.iter().enumerate();
        ports
            .filter(|(_, port)| port.causality != cardan_core::interface::Causality::Input)
            .map(move |(index, _)| (id, cardan_core::interface::PortId(index as u32)))
            .collect::<Vec<_>>()
    };
    graph.participants().flat_map(of).collect()
}

/// How the run was set up, kept with its results.
fn notes(spec: &SystemSpec, setup: &Setup) -> Vec<(String, String)> {
    let mut notes = vec![
        ("system".to_owned(), spec.name.clone()),
        ("method".to_owned(), setup.method.to_string()),
        ("step".to_owned(), setup.step.to_string()),
        ("start".to_owned(), setup.window.start.to_string()),
        ("stop".to_owned(), setup.window.stop.to_string()),
        ("history".to_owned(), setup.start.to_string()),
        ("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
    ];
    if let Some(every) = setup.every {
        notes.push(("every".to_owned(), every.to_string()));
    }
    notes
}
