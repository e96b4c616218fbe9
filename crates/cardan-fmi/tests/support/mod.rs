//! Test FMUs as participants, driven by hand.

#![allow(dead_code, reason = "each test uses its part")]

use cardan_core::inputs::Inputs;
use cardan_core::interface::{Causality, PortId};
use cardan_core::participant::{
    Failure, Outcome, Participant, RunWindow, Settings, StepEnd, StepRequest, Watch,
};
use cardan_core::planes::{Extent, Planes};
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use cardan_describe::Reporter;
use cardan_fmi::co_simulation::Options;
use cardan_fmi::{CoSimulation, Fmu, FmuInterface};
use cardan_testkit::fmus::{self, Fmi};
use std::sync::Arc;

pub(crate) fn at(seconds: f64) -> SimTime {
    SimTime::from_seconds(seconds)
}

/// A test FMU, opened.
pub(crate) fn open(name: &str, version: Fmi) -> Arc<Fmu> {
    let mut reporter = Reporter::default();
    match Fmu::open(&fmus::unpacked(name, version), &mut reporter) {
        Some(fmu) => fmu,
        None => panic!("the test FMU {name} cannot be opened"),
    }
}

/// Parameters by name, for an FMU of any structure.
pub(crate) fn settings(fmu: &Arc<Fmu>, parameters: &[(&str, Value)]) -> Settings {
    let interface = FmuInterface::new(Arc::clone(fmu), &Settings::default()).unwrap();
    let id = |name: &str| interface.interface().find_parameter(name).unwrap();
    Settings(
        parameters
            .iter()
            .map(|(name, value)| (id(name), value.clone()))
            .collect(),
    )
}

pub(crate) fn with(
    name: &str,
    version: Fmi,
    parameters: &[(&str, Value)],
    options: Options,
) -> Result<CoSimulation, Failure> {
    let fmu = open(name, version);
    let settings = settings(&fmu, parameters);
    let interface = FmuInterface::new(fmu, &settings)?;
    CoSimulation::new(Arc::new(interface), name, settings, options)
}

pub(crate) fn participant(name: &str, version: Fmi) -> Box<dyn Participant> {
    Box::new(with(name, version, &[], Options::default()).unwrap())
}

/// A participant that is bound to inputs and outputs by name.
pub(crate) struct Bench {
    pub(crate) participant: CoSimulation,
    pub(crate) now: SimTime,
    pub(crate) values: Planes,
    pub(crate) inputs: Planes,
}

impl Bench {
    pub(crate) fn new(participant: CoSimulation, inputs: &[&str], outputs: &[&str]) -> Self {
        let mut bench = Bench {
            now: SimTime::default(),
            values: Planes::default(),
            inputs: Planes::default(),
            participant,
        };
        let interface = bench.participant.interface();
        let ids = |names: &[&str]| -> Vec<PortId> {
            names.iter().map(|n| interface.find_port(n).unwrap()).collect()
        };
        let (inputs, outputs) = (ids(inputs), ids(outputs));
        let extent = |ids: &[PortId]| Extent::of(ids.iter().map(|id| &interface.ports[id.index()]));
        bench.values = Planes::new(extent(&outputs));
        bench.inputs = Planes::new(extent(&inputs));
        bench.participant.bind(&inputs, &outputs).unwrap();
        bench
    }

    pub(crate) fn all(participant: CoSimulation) -> Self {
        let names = |input: bool| -> Vec<String> {
            let ports = participant.interface().ports.iter();
            ports
                .filter(|p| (p.causality == Causality::Input) == input)
                .map(|p| p.name.clone())
                .collect()
        };
        let (inputs, outputs) = (names(true), names(false));
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
        Bench::new(participant, &inputs, &outputs)
    }

    pub(crate) fn begin(&mut self) -> Outcome<()> {
        let run = RunWindow {
            start: at(0.0),
            stop: at(10.0),
            tolerance: None,
        };
        self.participant.begin_initialization(&run, &Settings::default())
    }

    pub(crate) fn initialize(mut self) -> Self {
        self.begin().unwrap();
        self.look();
        self.participant.finish_initialization().unwrap();
        self
    }

    pub(crate) fn look(&mut self) -> &Planes {
        self.participant
            .outputs(self.now, &self.inputs, self.values.view_mut())
            .unwrap();
        &self.values
    }

    pub(crate) fn try_step(&mut self, to: f64, inputs: Inputs<'_>) -> Outcome<StepEnd> {
        let request = StepRequest {
            from: self.now,
            to: at(to),
            inputs,
            watch: Watch::Nothing,
        };
        let end = self.participant.step(request)?;
        self.now = match end {
            StepEnd::Completed => at(to),
            StepEnd::Early { at } | StepEnd::Terminate { at } => at,
            StepEnd::Rejected { reached, .. } => reached,
        };
        Ok(end)
    }

    /// A step with one law for each real input.
    pub(crate) fn step(&mut self, to: f64, segments: &[Segment]) -> StepEnd {
        self.try_step(to, Inputs::single(segments)).unwrap()
    }
}
