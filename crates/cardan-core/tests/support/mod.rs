//! Small systems of fakes, built without a description.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)] // shared by several test binaries

use cardan_core::checkpoint::ResumeError;
use cardan_core::error::RunError;
use cardan_core::graph::{Connection, Conversion, Endpoint, Graph, Line, LineEnd, Node, ParticipantId};
use cardan_core::interface::{Causality, Interface, Port, PortId};
use cardan_core::line::{Medium, Properties};
use cardan_core::method::{Method, OverLines, Pacing, Solver, Sweep};
use cardan_core::participant::{Outcome, Participant, RunWindow, Settings, StepEnd, StepRequest};
use cardan_core::plan::{Plan, Setup, StartMode};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::record::{Block, RecordError, Recorder, Schema};
use cardan_core::run::Run;
use cardan_core::signal::Reading;
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use std::sync::{Arc, Mutex};

pub(crate) struct Bench {
    pub(crate) graph: Graph,
    pub(crate) setup: Setup,
    participants: Vec<Box<dyn Participant>>,
}

impl Bench {
    /// Runs from 0 to `stop` in steps of `step`.
    pub(crate) fn new(sweep: Sweep, step: f64, stop: f64) -> Self {
        Bench {
            graph: Graph::default(),
            participants: Vec::new(),
            setup: Setup {
                system: "bench".into(),
                window: RunWindow {
                    start: SimTime::default(),
                    stop: SimTime::from_seconds(stop),
                    tolerance: None,
                },
                method: Method::on_grid(sweep),
                step,
                record_lines: Vec::new(),
                one_way: Vec::new(),
                correction: false,
                order: None,
                start: StartMode::Cold,
                record: Vec::new(),
                observe: Vec::new(),
                drive: Vec::new(),
                every: None,
                notes: Vec::new(),
            },
        }
    }

    /// Goes by another pacing.
    pub(crate) fn pace(&mut self, pacing: impl Pacing + 'static) {
        self.setup.method.pacing = Arc::new(pacing);
    }

    /// Goes by another solver.
    pub(crate) fn solve(&mut self, solver: impl Solver + 'static) {
        self.setup.method.solver = Arc::new(solver);
    }

    pub(crate) fn add(mut self, name: &str, participant: impl Participant + 'static) -> Self {
        self.graph.nodes.push(Node {
            name: name.into(),
            interface: participant.interface().clone(),
            step: None,
            past: Vec::new(),
        });
        self.participants.push(Box::new(participant));
        self
    }

    /// Its own step for the participant added last.
    pub(crate) fn step(mut self, step: f64) -> Self {
        self.graph.nodes.last_mut().unwrap().step = Some(step);
        self
    }

    /// `component.port` or `component.port#element` on both ends.
    pub(crate) fn wire(self, from: &str, to: &str, reading: Reading) -> Self {
        self.wire_converted(from, to, reading, Conversion::NONE)
    }

    pub(crate) fn wire_converted(
        mut self,
        from: &str,
        to: &str,
        reading: Reading,
        conversion: Conversion,
    ) -> Self {
        let end = |text: &str| {
            let (component, port) = text.split_once('.').unwrap();
            let (port, element) = match port.split_once('#') {
                Some((port, element)) => (port, Some(element.parse().unwrap())),
                None => (port, None),
            };
            let participant = self.graph.find(component).unwrap();
            let port = self.graph.node(participant).interface.find_port(port);
            Endpoint {
                participant,
                port: port.unwrap(),
                element,
            }
        };
        let (from, to) = (end(from), end(to));
        self.graph.connections.push(Connection {
            name: None,
            from,
            to,
            reading,
            conversion,
            mapping: cardan_core::graph::Mapping::NONE,
        });
        self
    }

    /// A transmission line from one pair of a flow and an effort to another, each as `component.flow/effort`.
    pub(crate) fn line(mut self, from: &str, to: &str, properties: Properties) -> Self {
        let end = |text: &str| {
            let (component, ports) = text.split_once('.').unwrap();
            let (flow, effort) = ports.split_once('/').unwrap();
            let participant = self.graph.find(component).unwrap();
            let port = |name: &str| Endpoint {
                participant,
                port: self.graph.node(participant).interface.find_port(name).unwrap(),
                element: None,
            };
            LineEnd {
                participant,
                flow: Some(port(flow)),
                effort: Some(port(effort)),
                position: None,
                flow_to_si: 1.0,
                effort_to_si: 1.0,
                position_to_si: 1.0,
            }
        };
        let ends = [end(from), end(to)];
        self.pace(OverLines);
        self.setup.record_lines.push(self.graph.lines.len() as u32);
        self.graph.lines.push(Line {
            name: format!("line{}", self.graph.lines.len()),
            medium: Medium::Translational,
            properties,
            ends,
        });
        self
    }

    /// Records all outputs.
    pub(crate) fn record_all(mut self) -> Self {
        for participant in self.graph.participants() {
            for (port, _) in self.graph.node(participant).interface.ports_of(Causality::Output) {
                self.setup.record.push((participant, port));
            }
        }
        self
    }

    pub(crate) fn plan(&self) -> Plan {
        Plan::compile(&self.graph, &self.setup).unwrap()
    }

    /// An initialised run on so many threads, and the rows it will have recorded.
    pub(crate) fn start(self, threads: usize) -> (Run, Rows) {
        let (mut run, rows, settings) = self.prepare(threads);
        run.initialize(settings).unwrap();
        (run, rows)
    }

    /// The same from a checkpoint.
    pub(crate) fn resume(self, threads: usize, checkpoint: &[u8]) -> Result<(Run, Rows), ResumeError> {
        let (mut run, rows, settings) = self.prepare(threads);
        run.resume(settings, checkpoint)?;
        Ok((run, rows))
    }

    fn prepare(self, threads: usize) -> (Run, Rows, Vec<Settings>) {
        let rows = Rows::default();
        let plan = Arc::new(self.plan());
        let settings = vec![Settings::default(); self.participants.len()];
        let recorder = (!self.setup.record.is_empty()).then(|| Box::new(rows.clone()) as Box<dyn Recorder>);
        let run = Run::new(plan, self.participants, threads, recorder).unwrap();
        (run, rows, settings)
    }

    /// Runs to the end.
    pub(crate) fn run(self, threads: usize) -> (Run, Rows, Result<(), RunError>) {
        let (mut run, rows) = self.start(threads);
        let result = run.advance(SimTime::FUTURE).map(|_| ());
        run.finish(result.is_err()).unwrap();
        (run, rows, result)
    }
}

pub(crate) fn id(index: u32) -> ParticipantId {
    ParticipantId(index)
}

/// A recorder that keeps all blocks.
#[derive(Clone, Default)]
pub(crate) struct Rows {
    blocks: Arc<Mutex<(Schema, Vec<Block>)>>,
}

impl Rows {
    pub(crate) fn times(&self) -> Vec<f64> {
        let kept = self.blocks.lock().unwrap();
        kept.1.iter().flat_map(|block| block.times.clone()).collect()
    }

    pub(crate) fn reals(&self, name: &str) -> Vec<f64> {
        let kept = self.blocks.lock().unwrap();
        let column = kept.0.columns.iter().position(|c| c.name == name).unwrap();
        let values = |block: &Block| match &block.columns[column] {
            cardan_core::record::ColumnData::Reals(values) => values.clone(),
            other => panic!("{name}: {other:?}"),
        };
        kept.1.iter().flat_map(values).collect()
    }

    pub(crate) fn blocks(&self) -> (Schema, Vec<Block>) {
        self.blocks.lock().unwrap().clone()
    }
}

impl Recorder for Rows {
    fn begin(&mut self, schema: &Schema) -> Result<(), RecordError> {
        self.blocks.lock().unwrap().0 = schema.clone();
        Ok(())
    }

    fn write(&mut self, block: &Block) -> Result<(), RecordError> {
        self.blocks.lock().unwrap().1.push(block.clone());
        Ok(())
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        Ok(())
    }
}

/// Hides that a participant can go back.
pub(crate) struct OneWay<P>(pub(crate) P);

impl<P: Participant> Participant for OneWay<P> {
    fn interface(&self) -> &Interface {
        self.0.interface()
    }
    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        self.0.bind(inputs, outputs)
    }
    fn begin_initialization(&mut self, run: &RunWindow, settings: &Settings) -> Outcome<()> {
        self.0.begin_initialization(run, settings)
    }
    fn finish_initialization(&mut self) -> Outcome<()> {
        self.0.finish_initialization()
    }
    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        self.0.step(request)
    }
    fn outputs(&mut self, at: SimTime, inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        self.0.outputs(at, inputs, values)
    }
    fn set_parameters(&mut self, at: SimTime, changes: &Settings) -> Outcome<()> {
        self.0.set_parameters(at, changes)
    }
    fn terminate(&mut self) -> Outcome<()> {
        self.0.terminate()
    }
}

/// Two separate masses of one, each moved by a force: `left`, `right`, `left_force`, `right_force`.
pub(crate) struct Masses {
    interface: Interface,
    velocities: [f64; 2],
    inputs: Vec<usize>,
    outputs: Vec<usize>,
}

/// Who stepped from when to when, in the order in which they began.
pub(crate) type Log = Arc<Mutex<Vec<(&'static str, f64, f64)>>>;

impl Masses {
    pub(crate) fn new() -> Self {
        let mut interface = Interface::default();
        for name in ["left_force", "right_force"] {
            interface.port(Port::input(name).start(Value::real(0.0)));
        }
        for name in ["left", "right"] {
            interface.port(Port::output(name));
        }
        Masses {
            interface,
            velocities: [0.0; 2],
            inputs: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// With a name under which it writes down its steps, and a velocity on the left.
    pub(crate) fn logged(name: &'static str, log: &Log, velocity: f64) -> Logged {
        Logged {
            masses: Masses {
                velocities: [velocity, 0.0],
                ..Masses::new()
            },
            name,
            log: Arc::clone(log),
        }
    }
}

impl Participant for Masses {
    fn interface(&self) -> &Interface {
        &self.interface
    }
    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        self.inputs = inputs.iter().map(|port| port.index()).collect();
        self.outputs = outputs.iter().map(|port| port.index() - 2).collect();
        Ok(())
    }
    fn begin_initialization(&mut self, _run: &RunWindow, _settings: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        // Simpson's rule, piece by piece.
        for (place, &mass) in self.inputs.iter().enumerate() {
            let mut from = request.from;
            for segment in request.inputs.segments(place) {
                let to = segment.until.min(request.to);
                let middle = SimTime::from_seconds(0.5 * (from.seconds() + to.seconds()));
                let mean = (segment.at(from) + 4.0 * segment.at(middle) + segment.at(to)) / 6.0;
                self.velocities[mass] += mean * to.since(from);
                from = to;
            }
        }
        Ok(StepEnd::Completed)
    }
    fn outputs(&mut self, _at: SimTime, _inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        for (value, &mass) in values.reals.iter_mut().zip(&self.outputs) {
            *value = self.velocities[mass];
        }
        Ok(())
    }
    fn set_parameters(&mut self, _at: SimTime, _changes: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }
}

/// Masses that note down their steps.
pub(crate) struct Logged {
    masses: Masses,
    name: &'static str,
    log: Log,
}

impl Participant for Logged {
    fn interface(&self) -> &Interface {
        self.masses.interface()
    }
    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        self.masses.bind(inputs, outputs)
    }
    fn begin_initialization(&mut self, run: &RunWindow, settings: &Settings) -> Outcome<()> {
        self.masses.begin_initialization(run, settings)
    }
    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        let (from, to) = (request.from.seconds(), request.to.seconds());
        self.log.lock().unwrap().push((self.name, from, to));
        self.masses.step(request)
    }
    fn outputs(&mut self, at: SimTime, inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        self.masses.outputs(at, inputs, values)
    }
    fn set_parameters(&mut self, _at: SimTime, _changes: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }
}
