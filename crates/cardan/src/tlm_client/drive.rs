//! The component at work: step by step, as far as waves have arrived.

use super::binding::Binding;
use super::error::ClientError;
use super::joint::Joint;
use cardan_core::inputs::Inputs;
use cardan_core::interface::{Interface, PortId};
use cardan_core::participant::{
    Failure, Outcome, Participant, RunWindow, Settings, StepEnd, StepRequest, Watch,
};
use cardan_core::planes::{Extent, Planes};
use cardan_core::reaction::Reaction;
use cardan_core::signal::Segment;
use cardan_core::time::{Grid, SimTime};
use cardan_tlm::plugin::{Plugin, PluginError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Samples in a delay that a component which can show the inside of its steps sends at least. Those of its own inner steps
/// would be at the breaks of what arrives, and breed breaks at the other end, without end.
const SAMPLES: f64 = 16.0;

/// A component that takes part.
pub(super) struct Drive {
    pub(super) name: String,
    pub(super) participant: Box<dyn Participant>,
    pub(super) plugin: Plugin,
    pub(super) joints: Vec<Joint>,
    pub(super) binding: Binding,
    pub(super) interrupt: Arc<AtomicBool>,
    /// The loads react inside a step.
    reacts: bool,
    /// Outputs follow what arrives at once.
    feeds: bool,
    inputs: Planes,
    outputs: Planes,
    segments: Vec<Vec<Segment>>,
    flat: Vec<Segment>,
    ends: Vec<u32>,
    reaction: Reaction,
}

/// From when to when, and how far in one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) start: f64,
    pub(super) stop: f64,
    pub(super) step: f64,
}

impl Drive {
    pub(super) fn new(
        name: String,
        (participant, plugin): (Box<dyn Participant>, Plugin),
        (joints, binding): (Vec<Joint>, Binding),
        flows: &[PortId],
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        let interface = participant.interface();
        let extent = |ports: &[PortId]| Extent::of(ports.iter().map(|id| &interface.ports[id.index()]));
        let (mut inputs, outputs) = (
            Planes::new(extent(&binding.inputs)),
            Planes::new(extent(&binding.outputs)),
        );
        for (place, number) in &binding.constants {
            inputs.reals[*place] = *number;
        }
        let feeds = feeds_through(interface, &binding, &binding.outputs);
        let reacts = !feeds_through(interface, &binding, flows);
        Drive {
            name,
            reacts,
            feeds,
            segments: vec![Vec::new(); inputs.reals.len()],
            inputs,
            outputs,
            participant,
            plugin,
            joints,
            binding,
            interrupt,
            flat: Vec::new(),
            ends: Vec::new(),
            reaction: Reaction::default(),
        }
    }

    fn call<T>(
        &mut self,
        call: &'static str,
        time: f64,
        ask: impl FnOnce(&mut dyn Participant) -> Outcome<T>,
    ) -> Result<T, ClientError> {
        ask(&mut *self.participant).map_err(|failure| ClientError::Component {
            component: self.name.clone(),
            call,
            time,
            failure,
        })
    }

    /// Initialises the component.
    pub(super) fn begin(&mut self, pace: Pace, settings: &Settings) -> Result<(), ClientError> {
        let window = RunWindow {
            start: SimTime::from_seconds(pace.start),
            stop: SimTime::from_seconds(pace.stop),
            tolerance: None,
        };
        let (inputs, outputs) = (self.binding.inputs.clone(), self.binding.outputs.clone());
        self.call("bind", pace.start, |p| p.bind(&inputs, &outputs))?;
        self.call("begin_initialization", pace.start, |p| {
            p.begin_initialization(&window, settings)
        })?;
        self.look(pace.start)?;
        self.call("finish_initialization", pace.start, |p| p.finish_initialization())?;
        self.look(pace.start)?;
        for joint in &self.joints {
            let flow = joint.flow_of(&self.outputs.reals);
            self.plugin.set_initial_flow(joint.id, flow);
        }
        self.reacts = self.reacts && self.participant.reactive().is_some();
        Ok(())
    }

    /// Asks for the outputs at an instant where the component stands.
    fn look(&mut self, t: f64) -> Result<(), ClientError> {
        for joint in &self.joints {
            let end = self.plugin.end(joint.id);
            joint.load_at(end, t, &self.outputs.reals, &mut self.inputs.reals);
        }
        let at = SimTime::from_seconds(t);
        let mut outputs = std::mem::take(&mut self.outputs);
        let inputs = std::mem::take(&mut self.inputs);
        let looked = self.call("outputs", t, |p| p.outputs(at, &inputs, outputs.view_mut()));
        (self.outputs, self.inputs) = (outputs, inputs);
        looked
    }

    /// Sends what the component does at an instant.
    fn publish(&mut self, t: f64) -> Result<(), ClientError> {
        for joint in &mut self.joints {
            joint.publish(&mut self.plugin, t, &self.outputs.reals)?;
        }
        Ok(())
    }

    /// Tells where the interface points are, and no more.
    pub(super) fn show(&mut self, start: f64) -> Result<(), ClientError> {
        self.publish(start)
    }

    /// Goes from the start to the end. The answer is how many steps it took.
    pub(super) fn run(&mut self, pace: Pace) -> Result<u64, ClientError> {
        self.plugin.check_model()?;
        // Those who listen know the beginning, too.
        self.publish(pace.start)?;
        let grid = Grid::new(SimTime::from_seconds(pace.start), pace.step);
        let near = 1e-6 * pace.step;
        let landmarks = self.landmarks(pace);
        let (mut now, mut steps, mut k) = (pace.start, 0, 0);
        while now < pace.stop {
            let mut to = grid.at(k + 1).seconds();
            if to > pace.stop - near {
                to = pace.stop;
            }
            let landmark = landmarks.iter().copied().find(|at| *at > now + near);
            match landmark.filter(|at| *at < to - near) {
                Some(landmark) => to = landmark,
                None => k += 1,
            }
            self.cross(now, to, pace)?;
            self.participant.accepted(SimTime::from_seconds(to));
            (now, steps) = (to, steps + 1);
        }
        self.call("terminate", pace.stop, |p| p.terminate())?;
        Ok(steps)
    }

    /// Instants at which lines begin to be felt.
    fn landmarks(&self, pace: Pace) -> Vec<f64> {
        let listening = self.joints.iter().filter(|joint| joint.listens());
        let begins = listening.map(|joint| pace.start + self.plugin.line(joint.id).delay);
        let mut landmarks: Vec<f64> = begins.filter(|at| *at < pace.stop).collect();
        landmarks.sort_by(f64::total_cmp);
        landmarks
    }

    /// One step, with whatever ends it early.
    fn cross(&mut self, from: f64, to: f64, pace: Pace) -> Result<(), ClientError> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(PluginError::Interrupted {
                during: format!("stepping from {from} s"),
            }
            .into());
        }
        for index in 0..self.joints.len() {
            let joint = &self.joints[index];
            if joint.listens() {
                self.plugin.wait_up_to(joint.id, to)?;
            }
        }
        self.react(from, to)?;
        let instants = self.instants(from, to, pace);
        let mut now = from;
        while now < to {
            let ahead: Vec<SimTime> = instants
                .iter()
                .filter(|at| **at > now)
                .map(|at| SimTime::from_seconds(*at))
                .collect();
            let end = self.step(now, to, &ahead)?;
            let stands = match end {
                StepEnd::Completed => to,
                StepEnd::Early { at } => at.seconds(),
                StepEnd::Rejected { reached, advice } => {
                    let advised = advice.map(|h| format!("give it a `step` of {h} s"));
                    let failure = Failure::numbers(format!(
                        "it cannot take the step from {now} s to {to} s, and came to {reached} s"
                    ));
                    return Err(self.failed(
                        "step",
                        now,
                        failure.advise(advised.unwrap_or_else(|| "give it a smaller `step`".to_owned())),
                    ));
                }
                StepEnd::Terminate { at } => {
                    let failure = Failure::failed(format!(
                        "it asks for the end of the simulation at {at} s, before that of the meta-model"
                    ));
                    return Err(self.failed("step", now, failure));
                }
            };
            self.tell_inside(now, stands)?;
            if stands <= now {
                let failure = Failure::failed("it does not get on");
                return Err(self.failed("step", now, failure));
            }
            now = stands;
            self.look(now)?;
            if self.feeds {
                self.look(now)?;
            }
            self.publish(now)?;
        }
        Ok(())
    }

    fn failed(&self, call: &'static str, time: f64, failure: Failure) -> ClientError {
        ClientError::Component {
            component: self.name.clone(),
            call,
            time,
            failure,
        }
    }

    /// Tells a component that can react by which law loads follow its motion.
    fn react(&mut self, from: f64, to: f64) -> Result<(), ClientError> {
        if !self.reacts {
            return Ok(());
        }
        let (plugin, given) = (&self.plugin, self.binding.given);
        let parts = self.joints.iter().filter_map(|joint| {
            let felt = plugin.end(joint.id).felt(0.5 * (from + to));
            joint.reaction(&felt, given)
        });
        let reaction = Reaction {
            parts: parts.collect(),
            ..Reaction::default()
        };
        if reaction == self.reaction {
            return Ok(());
        }
        self.reaction = reaction;
        let law = std::mem::take(&mut self.reaction);
        let told = self.call("react", from, |p| match p.reactive() {
            Some(reactive) => reactive.react(&law),
            None => Err(Failure::failed("it lost an ability that it had")),
        });
        self.reaction = law;
        told
    }

    /// Instants inside a step that are worth a sample.
    fn instants(&mut self, from: f64, to: f64, pace: Pace) -> Vec<f64> {
        if self.participant.trace().is_none() {
            return Vec::new();
        }
        let delays = self.joints.iter().map(|joint| self.plugin.line(joint.id).delay);
        let shortest = delays.fold(f64::INFINITY, f64::min);
        let parts = (SAMPLES * pace.step / shortest * (1.0 - 1e-9))
            .ceil()
            .clamp(1.0, 1e4);
        let (parts, length) = (parts as u32, to - from);
        (1..parts)
            .map(|k| from + length * f64::from(k) / f64::from(parts))
            .collect()
    }

    fn step(&mut self, from: f64, to: f64, watched: &[SimTime]) -> Result<StepEnd, ClientError> {
        self.segments.iter_mut().for_each(Vec::clear);
        for joint in &self.joints {
            let end = self.plugin.end(joint.id);
            joint.drive(end, (from, to), self.reacts, &mut self.segments);
        }
        let until = SimTime::from_seconds(to);
        self.flat.clear();
        self.ends.clear();
        for (place, segments) in self.segments.iter().enumerate() {
            match segments.is_empty() {
                true => self.flat.push(Segment::constant(self.inputs.reals[place], until)),
                false => self.flat.extend(segments),
            }
            self.ends.push(self.flat.len() as u32);
        }
        let (flat, ends) = (std::mem::take(&mut self.flat), std::mem::take(&mut self.ends));
        let request = StepRequest {
            from: SimTime::from_seconds(from),
            to: until,
            inputs: Inputs::new(&flat, &ends, &[]),
            watch: match watched.is_empty() {
                true => Watch::Nothing,
                false => Watch::Instants(watched),
            },
        };
        let stepped = self.call("step", from, |p| p.step(request));
        (self.flat, self.ends) = (flat, ends);
        stepped
    }

    /// Sends what happened inside the last step.
    fn tell_inside(&mut self, from: f64, to: f64) -> Result<(), ClientError> {
        let times: Vec<f64> = match self.participant.trace() {
            Some(trace) => trace.instants().iter().map(|at| at.seconds()).collect(),
            None => return Ok(()),
        };
        for (index, t) in times.into_iter().enumerate() {
            if t <= from || t >= to {
                continue;
            }
            let mut outputs = std::mem::take(&mut self.outputs);
            let shown = self.call("trace", t, |p| match p.trace() {
                Some(trace) => trace.point(index, outputs.view_mut()),
                None => Ok(()),
            });
            self.outputs = outputs;
            shown?;
            self.publish(t)?;
        }
        Ok(())
    }
}

/// Does one of these outputs depend at once on a bound input?
fn feeds_through(interface: &Interface, binding: &Binding, outputs: &[PortId]) -> bool {
    interface
        .feedthrough
        .iter()
        .any(|(output, input)| outputs.contains(output) && binding.inputs.contains(input))
}
