//! A description, checked and planned: everything before the run.

use crate::components::multibody::MechanismSize;
use crate::components::{Component, Workshop};
use crate::coupling::auto::Openness;
use crate::coupling::glue::Abilities;
use crate::load::{self, Loaded};
use crate::report::Report;
use crate::{coupling, equal_steps, input_file};
use cardan_core::doctor::Diagnosis;
use cardan_core::graph::{Graph, ParticipantId};
use cardan_core::interface::{Causality, PortId};
use cardan_core::participant::{Participant, Settings};
use cardan_core::plan::{Plan, Setup};
use cardan_describe::spec::{ComponentSource, Literal};
use cardan_describe::{Overrides, Reporter, SystemSpec, resolve};
use cardan_fmi::archive::Unpacked;
use cardan_record::scene;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Seconds that a call may take where nobody says otherwise: longer than most steps, shorter than patience.
const CALL_LIMIT: f64 = 60.0;

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
    /// What a run must tell before it begins, and of whom.
    pub(crate) caution: Option<(String, String)>,
    /// Is it up to the doctor how steps are made?
    pub(crate) open: bool,
    pub(crate) participants: Vec<Box<dyn Participant>>,
    pub(crate) settings: Vec<Settings>,
    /// How large mechanisms are, by component.
    pub mechanisms: Vec<(String, MechanismSize)>,
    /// Mechanisms that are to be drawn, with the columns of the results that say where their bodies are.
    pub scenes: Vec<scene::Mechanism>,
    /// Where paths in the description begin.
    folder: PathBuf,
    /// A table that drives inputs.
    input: Option<PathBuf>,
    /// The files of an archive, which go when nobody holds them any more.
    pub(crate) files: Option<Arc<Unpacked>>,
}

impl System {
    /// The name of a system, whatever is wrong with it otherwise; none if it cannot be read at all.
    pub fn name_of(path: &Path, overrides: &Overrides) -> Option<String> {
        let loaded = load::load(path, overrides.map.as_deref(), &mut Reporter::new());
        loaded.map(|loaded| loaded.spec.name)
    }

    /// Is there a description of a system at that path, going by its name and how it begins?
    pub fn is_described_at(path: &Path) -> bool {
        load::is_description(path)
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
        } = load::load(path, overrides.map.as_deref(), reporter)?;
        spec.apply(overrides, reporter);
        // In a text that does not parse, values may have been lost: what is said of them would mislead.
        if !spec.broken {
            spec.check_settings(reporter);
        }
        let call_limit = spec.limits.call.as_ref().map_or(CALL_LIMIT, |limit| limit.value);
        let mut workshop = Workshop::new(&folder).limiting_calls(call_limit);
        let mut components = workshop.make(&spec.components, reporter);
        let (mechanisms, mut scenes) = workshop.mechanisms();
        let described = spec.components.len();
        let jumps = match &overrides.input {
            Some(file) => input_file::attach(file, &mut spec, &mut components, reporter),
            None => Vec::new(),
        };
        let one_way = one_way(&mut components);
        let one_size = one_size(&components);
        let bound: Vec<ParticipantId> = one_way.iter().chain(&one_size).copied().collect();
        let abilities = Abilities::of(&mut components);
        let interfaces: Vec<_> = components.iter().map(Component::interface).collect();
        let sweep = coupling::sweep(&spec, reporter);
        let mut graph = resolve(&spec, &interfaces, reporter)?;
        let mut sweep = sweep?;
        // What nobody asked for need not loosen what an FMU does by itself.
        let asked = spec.method.tolerance.as_ref().map(|tolerance| tolerance.value);
        let openness = coupling::auto::open(&mut spec, &graph, &bound);
        if matches!(openness, Openness::Open) {
            // Where steps are chosen, other readings suit; all complaints were heard before.
            let again = &mut Reporter::new();
            sweep = coupling::sweep(&spec, again)?;
            graph = resolve(&spec, &interfaces, again)?;
        }
        let choice = coupling::choose(&spec, &graph, sweep, (described, &abilities), reporter);
        let mut choice = choice.filter(|_| !reporter.has_errors())?;
        if let Openness::Open = &openness {
            let tolerance = choice.setup.method.needs().tolerance.unwrap_or_default();
            choice.reason = Some(format!(
                "no method is given: steps follow from the tolerance of {tolerance:e}, and how they are made is decided by \
                 what is measured at the start of the run"
            ));
        }
        let mut caution = None;
        if let Openness::Fixed(bound) = &openness {
            // Who neither reads nor is read makes no errors but its own, and who samples or has a step was given that.
            let coupled = |id: &ParticipantId| {
                let mut connections = graph.connections.iter();
                let samples = graph.node(*id).interface.period.is_some();
                !samples && connections.any(|c| [c.from.participant, c.to.participant].contains(id))
            };
            let names = |ids: &[ParticipantId]| -> Vec<&str> {
                let ids = ids.iter();
                let ids = ids.filter(|id| graph.node(**id).step.is_none() && coupled(id));
                ids.map(|id| graph.node(*id).name.as_str()).collect()
            };
            let (stuck, stiff) = (names(&one_way), names(&one_size));
            caution = (!(stuck.is_empty() && stiff.is_empty()))
                .then(|| unwatched((&stuck, &stiff), choice.setup.step));
            let cannot = format!(
                "steps cannot follow from a tolerance, because {} cannot go back to a saved state, takes steps of one size only \
                 or has steps of its own",
                bound.join(", ")
            );
            choice.reason = choice.reason.map(|reason| format!("{reason}; {cannot}"));
        }
        if let Some(limits) = who_limits(&graph, &choice.setup, &one_way) {
            choice.reason = Some(match choice.reason {
                Some(reason) => format!("{reason}; {limits}"),
                None => limits,
            });
        }
        let mut setup = choice.setup;
        let has_tolerance =
            setup.method.needs().tolerance.is_some() || setup.method.solver.allowed().is_some();
        setup.window.tolerance = asked.filter(|_| has_tolerance);
        if observe {
            setup.observe = all_outputs(&graph);
            setup.drive = open_inputs(&graph);
        }
        setup.notes = notes(&spec, &setup);
        setup.one_way = one_way;
        let plan = match Plan::compile(&graph, &setup) {
            Ok(plan) => Arc::new(plan),
            Err(error) => {
                reporter.error(spec.span, error.to_string());
                return None;
            }
        };
        warn_of_idle_iteration(&spec, &plan, &setup.one_way, reporter);
        let columns = plan.columns.schema.columns.iter();
        let columns: HashSet<&str> = columns.map(|column| column.name.as_str()).collect();
        for scene in &mut scenes {
            scene.keep_columns(|name| columns.contains(name));
        }
        equal_steps::check(&spec, &plan, &components, &jumps, reporter);
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
            caution,
            open: matches!(openness, Openness::Open),
            participants,
            settings,
            mechanisms,
            scenes,
            folder,
            input: overrides.input.clone(),
            files,
        })
    }

    /// Decides how steps are made by what the doctor found, if that was left open. Answers whether the plan is another one
    /// now.
    pub fn decide(&mut self, found: &Diagnosis) -> bool {
        if !std::mem::take(&mut self.open) {
            return false;
        }
        let (other, why) = coupling::auto::decide(&self.spec, &self.setup, found);
        self.reason = Some(why);
        let Some(setup) = other else { return false };
        let Ok(plan) = Plan::compile(&self.graph, &setup) else {
            return false;
        };
        (self.setup, self.plan) = (setup, Arc::new(plan));
        true
    }

    /// The report of a run that came to nothing.
    pub fn unstarted(&self) -> Report {
        let names = self.plan.seats.iter().map(|seat| seat.name.clone());
        Report {
            system: self.spec.name.clone(),
            method: self.plan.method.name(),
            time: self.plan.window.start.seconds(),
            components: names.map(|name| (name, Default::default())).collect(),
            ..Report::unknown()
        }
    }

    /// Files that components read, as far as their parameters name them, each with the component's name.
    pub fn files_read(&self) -> Vec<(String, PathBuf)> {
        let mut read = Vec::new();
        for component in &self.spec.components {
            for (_, value) in &component.parameters {
                if let Literal::String(text) = &value.value
                    && let Ok(file) = self.folder.join(text).canonicalize()
                    && file.is_file()
                {
                    read.push((component.name.value.clone(), file));
                }
            }
        }
        read
    }

    /// Files whose contents decide what comes out: FMUs, mechanisms, scripts, tables.
    pub(crate) fn files_that_decide(&self) -> Vec<PathBuf> {
        let sources = self.spec.components.iter().filter_map(|c| c.source.as_ref());
        let mut files: Vec<PathBuf> = sources
            .filter_map(|source| match source {
                ComponentSource::Fmu(file) | ComponentSource::MultibodyFile(file) => {
                    Some(self.folder.join(&file.value))
                }
                ComponentSource::Python(class) => {
                    let file = class
                        .value
                        .rsplit_once(':')
                        .map_or(class.value.as_str(), |(f, _)| f);
                    Some(self.folder.join(file))
                }
                _ => None,
            })
            .collect();
        for file in &mut files {
            // An FMU may be a folder, and its description tells which one it is.
            if file.is_dir() {
                file.push(cardan_fmi::description::FILE);
            }
        }
        files.extend(self.files_read().into_iter().map(|(_, file)| file));
        files.extend(self.input.clone());
        files
    }

    /// How many threads step participants side by side where nobody says: one, and where components have processes of
    /// their own, one for each of them as far as there are cores.
    pub(crate) fn usual_threads(&self) -> usize {
        let components = self.spec.components.iter();
        let isolated = components.filter(|c| c.isolate.as_ref().is_some_and(|isolate| isolate.value));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        isolated.count().clamp(1, cores)
    }

    /// How many seconds a call may take, by participant; none where there is no limit.
    pub fn call_limits(&self) -> Vec<Option<f64>> {
        let all = self
            .spec
            .limits
            .call
            .as_ref()
            .map_or(CALL_LIMIT, |limit| limit.value);
        let components = self.spec.components.iter();
        let own: HashMap<&str, f64> = components
            .filter_map(|component| {
                Some((
                    component.name.value.as_str(),
                    component.call_limit.as_ref()?.value,
                ))
            })
            .collect();
        let of = |name: &str| own.get(name).copied().unwrap_or(all);
        let limits = self.plan.seats.iter().map(|seat| of(&seat.name));
        limits.map(|limit| limit.is_finite().then_some(limit)).collect()
    }
}

/// That nobody watches errors, because some cannot go back, or take steps of one size only.
fn unwatched((stuck, stiff): (&[&str], &[&str]), step: f64) -> (String, String) {
    let mut why = Vec::new();
    if !stuck.is_empty() {
        why.push(format!("{} cannot go back to a saved state", stuck.join(", ")));
    }
    if !stiff.is_empty() {
        why.push(format!(
            "all steps of {} have to be of one size",
            stiff.join(", ")
        ));
    }
    let message = format!(
        "no tolerance is kept: {}, so all steps are {step} s long, whatever their errors; `isolate = true` lets an FMU go back \
         (and `rollback = True` a Python class), or say under [method] which step is short enough",
        why.join(", and ")
    );
    let mut names: Vec<&str> = stuck.to_vec();
    names.extend(stiff.iter().filter(|name| !stuck.contains(name)));
    (names.join(", "), message)
}

/// Those whose steps all have to be of one size.
fn one_size(components: &[Component]) -> Vec<ParticipantId> {
    let made = components.iter().enumerate();
    made.filter_map(|(index, component)| match component {
        Component::Made(participant, _) if !participant.takes_any_step() => Some(ParticipantId(index as u32)),
        _ => None,
    })
    .collect()
}

/// Those who cannot go back to a saved state, as far as they are there at all.
fn one_way(components: &mut [Component]) -> Vec<ParticipantId> {
    let mut one_way = Vec::new();
    for (index, component) in components.iter_mut().enumerate() {
        if let Component::Made(participant, _) = component
            && participant.rollback().is_none()
        {
            one_way.push(ParticipantId(index as u32));
        }
    }
    one_way
}

/// Steps are to be repeated, and there is nobody who could.
fn warn_of_idle_iteration(
    spec: &SystemSpec,
    plan: &Plan,
    one_way: &[ParticipantId],
    reporter: &mut Reporter,
) {
    if !plan.needs.repeats || plan.groups.is_empty() || plan.repeats.contains(&true) {
        return;
    }
    let span = spec.method.kind.as_ref().map_or(spec.span, |kind| kind.span);
    let bound = |id: &&ParticipantId| one_way.contains(id);
    let members = plan.groups.iter().flatten().filter(bound);
    let names: Vec<&str> = members.map(|id| plan.seats[id.index()].name.as_str()).collect();
    let (why, advice) = match names.is_empty() {
        true => (
            "all circles have members with steps of their own".to_owned(),
            "leave out their `step`",
        ),
        false => (
            format!("{} cannot go back to a saved state", names.join(", ")),
            "`isolate = true` lets a component go back, by copies of its process; Python classes need `rollback = True`",
        ),
    };
    reporter
        .warning(span, format!("no step will be repeated: {why}"))
        .advice(advice);
}

/// Who keeps steps from being repeated, and what that means.
fn who_limits(graph: &Graph, setup: &Setup, one_way: &[ParticipantId]) -> Option<String> {
    let names: Vec<&str> = one_way.iter().map(|id| graph.node(*id).name.as_str()).collect();
    let (names, one) = (names.join(", "), names.len() == 1);
    let (cannot, step) = match one {
        true => ("cannot go back to a saved state", "it steps"),
        false => ("cannot go back to a saved state", "they step"),
    };
    let needs = setup.method.needs();
    match (needs.repeats, needs.tolerance) {
        _ if one_way.is_empty() => None,
        (true, _) => Some(format!("{names} {cannot}: {step} last, once")),
        (false, Some(_)) => Some(format!(
            "{names} {cannot}: no step is repeated, and the error of one decides the length of the next"
        )),
        (false, None) => None,
    }
}

fn all_outputs(graph: &Graph) -> Vec<(ParticipantId, PortId)> {
    let of = |id| {
        let ports = graph.node(id).interface.ports.iter().enumerate();
        ports
            .filter(|(_, port)| port.causality != Causality::Input)
            .map(move |(index, _)| (id, PortId(index as u32)))
            .collect::<Vec<_>>()
    };
    graph.participants().flat_map(of).collect()
}

/// Inputs that nothing is connected to.
fn open_inputs(graph: &Graph) -> Vec<(ParticipantId, PortId)> {
    let lines = graph
        .lines
        .iter()
        .flat_map(|line| &line.ends)
        .map(|end| end.participant);
    let at_lines: HashSet<ParticipantId> = lines.collect();
    let connections = graph.connections.iter();
    let driven: HashSet<_> = connections.map(|c| (c.to.participant, c.to.port)).collect();
    let of = |id: ParticipantId| {
        let ports = graph.node(id).interface.ports.iter().enumerate();
        let inputs = ports.filter(|(_, port)| port.causality == Causality::Input);
        inputs.map(move |(index, _)| (id, PortId(index as u32)))
    };
    let inputs = graph
        .participants()
        .filter(|id| !at_lines.contains(id))
        .flat_map(of);
    inputs.filter(|input| !driven.contains(input)).collect()
}

/// How the run was set up, kept with its results.
fn notes(spec: &SystemSpec, setup: &Setup) -> Vec<(String, String)> {
    let mut notes = vec![
        ("system".to_owned(), spec.name.clone()),
        ("method".to_owned(), setup.method.sweep.to_string()),
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
