//! A simulation as a library user sees it: open, look, step, change, run.

use crate::checkpoint::{self, Checkpoints, Gap, Kept, Results};
use crate::coupling::auto;
use crate::error::Error;
use crate::line_report::LineReport;
use crate::report::{
    BondReport, ComponentReport, ConnectionReport, ErrorReport, LoopReport, PredictionReport, Report,
    WarningReport,
};
use crate::system::System;
use cardan_core::checkpoint::ResumeError;
use cardan_core::doctor;
use cardan_core::error::{RunError, RunErrorKind};
use cardan_core::graph::{Endpoint, Graph, ParticipantId};
use cardan_core::interface::{Causality, PortId};
use cardan_core::monitor::WarningKind;
use cardan_core::participant::Settings;
use cardan_core::record::{Outlet, Recorder};
use cardan_core::run::{Change, Run, Status, Ties};
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use cardan_describe::{Diagnostic, Overrides, Reporter};
use cardan_fmi::archive::Unpacked;
use cardan_record::scene;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// How to open a simulation.
#[derive(Default)]
pub struct Options {
    /// What differs from the description.
    pub overrides: Overrides,
    /// Where the results go: `.csv`, `.parquet` or `.mat`. Nothing is written without it.
    pub out: Option<PathBuf>,
    /// Where else the rows go, instead of a file.
    pub recorder: Option<Box<dyn Recorder>>,
    /// Threads that step participants side by side; 0 means one, or one for each component with a process of its own as far
    /// as there are cores.
    pub threads: usize,
    /// Only recorded and connected outputs are evaluated; others cannot be looked at. A little faster.
    pub recorded_only: bool,
    /// Where checkpoints go, and how often. Everybody must be able to write its state down.
    pub checkpoints: Option<Checkpoints>,
    /// A checkpoint of the same system to go on from. Rows up to there are taken over from the file of the results.
    pub resume: Option<PathBuf>,
}

/// A simulation that is open: initialised, at its start, ready to go.
pub struct Simulation {
    run: Run,
    graph: Graph,
    name: String,
    out: Option<PathBuf>,
    /// The file beside it.
    scene: Option<PathBuf>,
    scenes: Vec<scene::Mechanism>,
    warnings: Vec<Diagnostic>,
    reason: Option<String>,
    pace: String,
    setup: Duration,
    running: Duration,
    cpu: Duration,
    failure: Option<ErrorReport>,
    exit_code: u8,
    finished: bool,
    resumed_from: Option<f64>,
    /// Rows that are missing before the first.
    gap: Option<Gap>,
    kept: Kept,
    // After the run: participants read their files to the last.
    _files: Option<Arc<Unpacked>>,
}

impl Simulation {
    /// Opens a description (a `system.toml` or its folder) as it is.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Simulation::open_with(path, Options::default())
    }

    /// Opens a description with options.
    pub fn open_with(path: impl AsRef<Path>, options: Options) -> Result<Self, Error> {
        let mut reporter = Reporter::new();
        let system = System::load(
            path.as_ref(),
            &options.overrides,
            !options.recorded_only,
            &mut reporter,
        );
        let Some(system) = system else {
            return Err(Error::description(reporter));
        };
        let warnings = reporter.finish();
        Simulation::start(system, options, warnings)
    }

    /// Starts a system that was loaded and checked before; its overrides are already in it.
    pub fn start(mut system: System, mut options: Options, warnings: Vec<Diagnostic>) -> Result<Self, Error> {
        let (checkpoints, resume) = (options.checkpoints.as_ref(), options.resume.as_deref());
        let prepared = checkpoint::Prepared::of(&mut system, checkpoints, resume)?;
        let (mut gap, mut scene) = (None, None);
        let outlet = match (&options.out, options.recorder.take()) {
            (_, Some(recorder)) => Some(Outlet::Recorder(recorder)),
            (Some(path), None) => {
                let schema = &system.plan.columns.schema;
                let results = Results::new(path, schema, prepared.resumed(), checkpoints.is_some());
                let (results, missing) = results.map_err(|e| Error::record(e.to_string()))?;
                let results = results.with_scene(system.scenes.clone());
                (gap, scene) = (missing, results.scene());
                Some(Outlet::Recorder(Box::new(results)))
            }
            (None, None) => None,
        };
        let simulation =
            Simulation::start_tied(system, options, warnings, outlet, Ties::default(), prepared)?;
        Ok(Simulation {
            gap,
            scene,
            ..simulation
        })
    }

    /// The same for a run that somebody watches over, with rows going wherever they are to go.
    pub(crate) fn start_tied(
        mut system: System,
        options: Options,
        warnings: Vec<Diagnostic>,
        outlet: Option<Outlet>,
        ties: Ties,
        prepared: checkpoint::Prepared,
    ) -> Result<Self, Error> {
        let began = Instant::now();
        let threads = match options.threads {
            0 => system.usual_threads(),
            given => given,
        };
        let mut run = Run::tied(
            Arc::clone(&system.plan),
            std::mem::take(&mut system.participants),
            threads,
            outlet,
            ties,
        )
        .map_err(|error| match error.who() {
            None => Error::record(error.message()),
            Some(_) => Error::from(error),
        })?;
        tracing::info!(
            system = system.spec.name,
            components = system.graph.nodes.len(),
            connections = system.graph.connections.len(),
            method = %system.plan.method,
            step = system.setup.step,
            "initialising"
        );
        tracing::debug!("graph:\n{}", system.graph);
        tracing::debug!("plan:\n{}", system.plan);
        let resumed_from = prepared.resumed().map(|resumed| resumed.time);
        let (state, vault) = prepared.into_parts();
        // There is no row yet, so after a failure an older result stays as it is.
        let resumes = state.is_some();
        let settings = std::mem::take(&mut system.settings);
        match state {
            None => run.initialize(settings)?,
            Some(state) => run.resume(settings, &state).map_err(|error| match error {
                ResumeError::Run(error) => Error::from(error),
                ResumeError::Damaged(damage) => {
                    Error::usage(format!("the checkpoint does not fit this system: {damage}"))
                }
            })?,
        }
        if let Some((place, message)) = system.caution.take() {
            let start = system.plan.window.start;
            let monitor = &mut run.world_mut().monitor;
            monitor.notice(WarningKind::Tolerance, &place, start, || message);
        }
        // A run that goes on must go on as it began, whatever a doctor would say on another day.
        if system.open && !resumes && vault.is_none() {
            let budget = doctor::Budget::of(auto::EXAMINATION);
            if let Ok(found) = doctor::examine(run.world_mut(), budget, &mut |_, _, _| {})
                && system.decide(&found)
            {
                run.replan(Arc::clone(&system.plan))?;
            }
        }
        if system.open {
            system.reason = Some(
                "no method is given, and everybody can go back: steps follow from the tolerance (not measured, so that the \
                 run can go on as it began)"
                    .to_owned(),
            );
        }
        let mut kept = Kept::default();
        if let Some((vault, every)) = vault {
            kept = vault.kept();
            run.keep_with(Box::new(vault), every);
        }
        Ok(Simulation {
            run,
            name: system.spec.name,
            graph: system.graph,
            out: options.out,
            scene: None,
            scenes: system.scenes,
            warnings,
            reason: system.reason,
            pace: system.setup.pace(),
            setup: began.elapsed(),
            running: Duration::ZERO,
            cpu: Duration::ZERO,
            failure: None,
            exit_code: 0,
            finished: false,
            resumed_from,
            gap: None,
            kept,
            _files: system.files,
        })
    }

    /// The present time in seconds: all before it is settled.
    pub fn time(&self) -> f64 {
        self.run.world().frontier().seconds()
    }

    pub(crate) fn world_mut(&mut self) -> &mut cardan_core::world::World {
        self.run.world_mut()
    }

    /// Has it reached its end?
    pub fn is_finished(&self) -> bool {
        self.run.status() == Status::Finished
    }

    /// Warnings about the description.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Why the method was chosen, where the user left it open.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// The graph of the system.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Mechanisms that are to be drawn, with the columns of the results that say where their bodies are.
    pub fn scenes(&self) -> &[scene::Mechanism] {
        &self.scenes
    }

    /// A handle for other threads: progress, and to stop the run.
    pub fn control(&self) -> Ties {
        self.run.control()
    }

    /// One accepted step of the master. Does nothing at the end.
    pub fn step(&mut self) -> Result<Status, Error> {
        self.timed(Run::step)
    }

    /// Goes on until `time`, where the last step ends.
    pub fn advance_to(&mut self, time: f64) -> Result<Status, Error> {
        self.timed(|run| run.advance(SimTime::from_seconds(time)))
    }

    /// Runs to the end, closes the results and tells what the run was like; a failure is in the report.
    pub fn run(&mut self) -> Report {
        // A failure is kept and reported below.
        let _ = self.timed(|run| run.advance(SimTime::FUTURE));
        self.finish()
    }

    /// Keeps a checkpoint now, in the file of [`Options::checkpoints`]; does nothing without one.
    pub fn keep_checkpoint(&mut self) -> Result<Status, Error> {
        self.timed(Run::keep_checkpoint)
    }

    fn timed(&mut self, work: impl FnOnce(&mut Run) -> Result<Status, RunError>) -> Result<Status, Error> {
        if let Some(failure) = &self.failure {
            return Err(Error::usage(format!(
                "the simulation has failed before: {}",
                failure.message
            )));
        }
        let (began, cpu) = (Instant::now(), self.run.cpu_time());
        let result = work(&mut self.run);
        self.running += began.elapsed();
        self.cpu += self.run.cpu_time().saturating_sub(cpu);
        result.map_err(|error| self.remember(error))
    }

    fn remember(&mut self, error: RunError) -> Error {
        // Whoever gets the error shows it; here it is for the log.
        tracing::info!(advice = error.advice(), "the run failed: {error}");
        self.failure = Some(ErrorReport::from(&error));
        if error.kind() == RunErrorKind::Record {
            // There is no file to look at.
            (self.out, self.scene) = (None, None);
        }
        let error = Error::from(error);
        self.exit_code = error.exit_code();
        error
    }

    /// The present value of `component.port`.
    pub fn value(&self, name: &str) -> Result<Value, Error> {
        let (participant, port) = self.find(name)?;
        let shown = &self.graph.node(participant).interface.ports[port.index()];
        if shown.causality == Causality::Input {
            return self.input_value(participant, port, name);
        }
        let (row, place) = self.run.world().output(participant, port).ok_or_else(|| {
            Error::usage(format!(
                "`{name}` is not evaluated: it is neither recorded nor connected"
            ))
        })?;
        Ok(row.value(shown.value_type, place, shown.shape.len()))
    }

    /// An input's value is its source's, in the input's unit.
    fn input_value(&self, participant: ParticipantId, port: PortId, name: &str) -> Result<Value, Error> {
        let whole = Endpoint {
            participant,
            port,
            element: None,
        };
        let connection = self.graph.connections.iter().find(|c| c.to == whole);
        let Some(connection) = connection else {
            let declared = &self.graph.node(participant).interface.ports[port.index()];
            let world = self.run.world();
            let written = world.open_input(participant, port, declared.value_type);
            return written
                .or_else(|| declared.start.clone())
                .ok_or_else(|| Error::usage(format!("`{name}` is put together from several connections")));
        };
        let value = self.value(&self.graph.name_of(connection.from))?;
        Ok(match value {
            Value::Reals(reals) => Value::Reals(
                reals
                    .into_iter()
                    .map(|v| connection.conversion.apply(v))
                    .collect(),
            ),
            other => other,
        })
    }

    /// Changes a tunable parameter or an input that nothing is connected to, `component.name`, from the present time on. Where
    /// components have steps of their own, all first go on to where the furthest of them stands.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), Error> {
        let unknown = || Error::usage(format!("there is no parameter and no input `{name}`"));
        let (participant, wanted) = self.graph.split_name(name).ok_or_else(unknown)?;
        let interface = &self.graph.node(participant).interface;
        let Some(id) = interface.find_parameter(wanted) else {
            let port = interface.find_port(wanted).ok_or_else(unknown)?;
            return self.set_input(participant, port, name, value);
        };
        let declared = &interface.parameters[id.index()];
        if !declared.tunable {
            return Err(Error::usage(format!("`{name}` cannot change during a run")));
        }
        if let Some(objection) = declared.objection(&value) {
            return Err(Error::usage(format!("`{name}`: {objection}")));
        }
        self.change(Change::Parameters(participant, Settings(vec![(id, value)])))
    }

    fn set_input(
        &mut self,
        participant: ParticipantId,
        port: PortId,
        name: &str,
        value: Value,
    ) -> Result<(), Error> {
        let declared = &self.graph.node(participant).interface.ports[port.index()];
        if declared.causality != Causality::Input {
            return Err(Error::usage(format!("`{name}` is no input: it cannot be set")));
        }
        self.run
            .world()
            .can_be_set(participant, port, &value)
            .map_err(|why| Error::usage(format!("`{name}` cannot be set to {value}: {why}")))?;
        self.change(Change::Input(participant, port, value))
    }

    fn change(&mut self, change: Change) -> Result<(), Error> {
        self.timed(|run| run.change(vec![change])).map(|_| ())
    }

    fn find(&self, name: &str) -> Result<(ParticipantId, PortId), Error> {
        let unknown = || Error::usage(format!("there is no variable `{name}`"));
        let (participant, port) = self.graph.split_name(name).ok_or_else(unknown)?;
        let port = self
            .graph
            .node(participant)
            .interface
            .find_port(port)
            .ok_or_else(unknown)?;
        Ok((participant, port))
    }

    /// Ends the run where it is, closes the results and tells what it was like.
    pub fn finish(&mut self) -> Report {
        if !self.finished {
            self.finished = true;
            if let Err(error) = self.run.finish(self.failure.is_some())
                && self.failure.is_none()
            {
                self.remember(error);
            }
        }
        tracing::info!(
            steps = self.run.steps(),
            time = self.time(),
            run_s = self.running.as_secs_f64(),
            "finished"
        );
        let interrupted = self.failure.is_none() && self.run.status() == Status::Interrupted;
        let plan = self.run.world().shared_plan();
        let accounts = self.run.world_mut().accounts();
        let world = self.run.world();
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let from = self.resumed_from.map_or(plan.window.start, SimTime::from_seconds);
        let simulated = world.frontier().since(from);
        let seconds = self.running.as_secs_f64();
        let glued = plan.needs.leader.is_some();
        let component = |(index, account): (usize, &cardan_core::world::Account)| {
            // Only a leader and its followers wait for each other by rule.
            let others = plan.seats.iter().filter(|_| glued);
            let others = others.zip(world.kept_waiting()).enumerate();
            let waited_for: BTreeMap<String, f64> = others
                .filter(|(other, _)| *other != index)
                .map(|(_, (seat, time))| (seat.name.clone(), time.as_secs_f64()))
                .collect();
            ComponentReport {
                steps: account.steps,
                rhs: account.effort.evaluations,
                inner_steps: account.effort.inner_steps,
                iterations: account.effort.iterations,
                wall_s: account.wall.as_secs_f64(),
                wait_s: match glued {
                    true => waited_for.values().sum(),
                    false => account.wait.as_secs_f64(),
                },
                waited_for,
            }
        };
        Report {
            system: self.name.clone(),
            status: if self.failure.is_some() || interrupted {
                "failed".into()
            } else {
                "ok".into()
            },
            method: plan.method.name(),
            time: world.frontier().seconds(),
            steps: self.run.steps(),
            rejected: world.rejected(),
            iterations: world.iterations(),
            evaluations: world.step_calls(),
            setup_s: self.setup.as_secs_f64(),
            run_s: seconds,
            cpu_s: self.cpu.as_secs_f64(),
            real_time_factor: if seconds > 0.0 { simulated / seconds } else { 0.0 },
            results: self.out.clone(),
            scene: self.scene.clone(),
            checkpoint: kept.clone(),
            resumed_from: self.resumed_from,
            components: plan
                .seats
                .iter()
                .map(|s| s.name.clone())
                .zip(accounts.iter().enumerate().map(component))
                .collect(),
            loops: world.monitor.loops().iter().map(LoopReport::from).collect(),
            coupling: world.coupling().iter().map(ConnectionReport::from).collect(),
            bonds: world.bonds().iter().map(BondReport::from).collect(),
            lines: plan
                .lines
                .iter()
                .zip(world.line_accounts())
                .map(|(line, account)| LineReport::of_run(line, account))
                .collect(),
            predictions: world
                .monitor
                .predictions()
                .iter()
                .filter(|account| account.compared > 0)
                .map(PredictionReport::from)
                .collect(),
            warnings: self
                .gap
                .iter()
                .cloned()
                .map(WarningReport::from)
                .chain(world.monitor.warnings().iter().map(WarningReport::from))
                .collect(),
            error: self
                .failure
                .clone()
                .or(interrupted.then(|| ErrorReport {
                    participant: None,
                    call: None,
                    time: Some(world.frontier().seconds()),
                    message: "interrupted: the run was asked to stop".to_owned(),
                    advice: Some("the results up to there are kept".to_owned()),
                }))
                .map(|error| error.with_way_on(kept.as_ref())),
            pace: self.pace.clone(),
            reason: self.reason.clone(),
            exit_code: if interrupted { 130 } else { self.exit_code },
        }
    }
}
