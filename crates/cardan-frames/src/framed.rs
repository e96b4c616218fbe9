//! The participant as the system sees it.

use crate::clock::Clock;
use crate::dual::Dual;
use crate::inlet::{Body, Inlet, Lawyer, frame_in};
use crate::laws::in_time_of;
use crate::layout::Layout;
use crate::motion::{QUATERNION, part};
use crate::routes::Routes;
use cardan_core::inputs::{HeldInputs, Inputs};
use cardan_core::interface::{Interface, PortId};
use cardan_core::participant::{
    Derivatives, Effort, EventMode, Outcome, OwnSteps, Participant, Past, Reactive, Rollback, RunWindow,
    Settings, Slopes, StepEnd, StepRequest, Trace, Watch,
};
use cardan_core::planes::{Extent, Planes, PlanesMut};
use cardan_core::signal::Segment;
use cardan_core::spatial::{after, by_vector, times};
use cardan_core::time::SimTime;

/// A participant that lives in a frame and in units of its own, or has markers, presented in those of the system.
///
/// It has no memory of its own: whatever is saved and restored is the participant's.
pub struct Framed {
    pub(crate) inner: Box<dyn Participant>,
    pub(crate) layout: Layout,
    pub(crate) clock: Clock,
    pub(crate) routes: Routes,
    pub(crate) step: Step,
    pub(crate) room: Room,
    /// Was an event pending when last asked?
    pub(crate) pending: bool,
}

/// The inputs of the last step as the participant has seen them, and what was watched of it.
#[derive(Default)]
pub(crate) struct Step {
    segments: Vec<Segment>,
    ends: Vec<u32>,
    /// What is no real, where it is told in other seconds.
    held: Vec<HeldInputs>,
    watched: Vec<SimTime>,
    pub(crate) instants: Vec<SimTime>,
}

impl Step {
    /// The reals among them.
    pub(crate) fn reals(&self) -> Inputs<'_> {
        self.with(&[])
    }

    fn with<'a>(&'a self, held: &'a [HeldInputs]) -> Inputs<'a> {
        // One segment each is the usual case, which participants know a short way for.
        let ends = match self.ends.len() == self.segments.len() {
            true => &[][..],
            false => &self.ends[..],
        };
        Inputs::new(&self.segments, ends, held)
    }
}

/// Room for one call. Nothing in it outlives that.
#[derive(Default)]
pub(crate) struct Room {
    pub(crate) taken: Planes,
    pub(crate) given: Vec<f64>,
    pub(crate) outer: Vec<f64>,
    pub(crate) direction: Vec<f64>,
    pub(crate) change: Vec<f64>,
    pub(crate) outer_dual: Vec<Dual>,
    pub(crate) taken_dual: Vec<Dual>,
    pub(crate) given_dual: Vec<Dual>,
    pub(crate) seen_dual: Vec<Dual>,
    trio: [Vec<Segment>; 3],
}

impl Framed {
    /// Places a participant. The layout is one of its interface.
    pub fn new(inner: Box<dyn Participant>, layout: Layout) -> Self {
        Framed {
            clock: Clock::new(layout.placement.scales.time),
            inner,
            layout,
            routes: Routes::default(),
            step: Step::default(),
            room: Room::default(),
            pending: false,
        }
    }

    /// Fills `taken` from the inputs outside. Where arms turn with the body that they act on, its orientation is asked for
    /// first, which does not depend on loads; so `given` is filled, too.
    pub(crate) fn take(&mut self, at: SimTime, inputs: &Planes) -> Outcome<()> {
        let (routes, room) = (&self.routes, &mut self.room);
        room.taken.integers.clone_from(&inputs.integers);
        room.taken.booleans.clone_from(&inputs.booleans);
        room.taken.bytes.clone_from(&inputs.bytes);
        routes.take(&self.layout, &inputs.reals, &room.given, &mut room.taken.reals);
        if routes.swing() {
            self.ask(at)?;
            let (routes, room) = (&self.routes, &mut self.room);
            routes.take(&self.layout, &inputs.reals, &room.given, &mut room.taken.reals);
        }
        Ok(())
    }

    /// Fills `given` from `taken`, and leaves the rest of the outputs aside.
    pub(crate) fn ask(&mut self, at: SimTime) -> Outcome<()> {
        let extent = self.routes.given;
        let mut rest = Planes::new(Extent { reals: 0, ..extent });
        let values = PlanesMut {
            reals: &mut self.room.given,
            ..rest.view_mut()
        };
        self.inner
            .outputs(self.clock.inward(at), &self.room.taken, values)
    }

    /// Makes the laws of the participant's inputs from those outside.
    fn translate(&mut self, request: &StepRequest<'_>) -> Outcome<()> {
        let StepRequest { from, to, inputs, .. } = *request;
        if self.routes.swing() {
            let room = &mut self.room;
            for (place, value) in room.outer.iter_mut().enumerate() {
                *value = inputs.real(place, from);
            }
            let held = inputs.held_after(from);
            room.taken.integers.clear();
            room.taken.integers.extend_from_slice(held.integers);
            room.taken.booleans.clear();
            room.taken.booleans.extend_from_slice(held.booleans);
            room.taken.bytes.clear();
            room.taken.bytes.extend_from_slice(held.bytes);
            self.routes
                .take(&self.layout, &room.outer, &room.given, &mut room.taken.reals);
            self.ask(from)?;
        }
        let (clock, room, step) = (self.clock, &mut self.room, &mut self.step);
        let placement = &self.layout.placement;
        step.segments.clear();
        step.ends.clear();
        let mut lawyer = Lawyer {
            placement,
            outer: inputs,
            span: (from, to),
            segments: &mut step.segments,
            ends: &mut step.ends,
            values: &mut room.outer,
            trio: &mut room.trio,
        };
        let (routes, given) = (&self.routes, &room.given);
        // A body that is driven has the orientation it is given, any other one turns on as it does.
        let turned = |body: Body, time: SimTime, outer: &[f64]| match body {
            Body::Published(place) => {
                let turning: [f64; 3] = part(given, place + 10);
                let way = times(clock.inward(time).since(clock.inward(from)), turning);
                after(by_vector(way), part(given, place + QUATERNION))
            }
            Body::Driven(place) => {
                let inlet = routes.inlets.iter().find(|(at, _)| *at == place);
                match inlet {
                    Some((_, Inlet::Frame { from, offset })) => {
                        frame_in(placement, offset, &outer[*from..]).orientation
                    }
                    Some((_, Inlet::Rest { values })) => part(values, QUATERNION),
                    _ => [1.0, 0.0, 0.0, 0.0],
                }
            }
        };
        for (_, inlet) in &routes.inlets {
            lawyer.append(inlet, turned);
        }
        step.held.clear();
        if !clock.is_the_same() {
            step.segments.iter_mut().for_each(|law| in_time_of(clock, law));
            step.held.extend_from_slice(inputs.held());
            for held in &mut step.held {
                held.until = clock.inward(held.until);
            }
        }
        Ok(())
    }

    /// Goes on as `go` says.
    pub(crate) fn travel(
        &mut self,
        request: StepRequest<'_>,
        go: impl FnOnce(&mut dyn Participant, StepRequest<'_>) -> Outcome<StepEnd>,
    ) -> Outcome<StepEnd> {
        self.translate(&request)?;
        let clock = self.clock;
        self.step.watched.clear();
        let watch = match request.watch {
            Watch::Instants(instants) => {
                let inward = instants.iter().map(|instant| clock.inward(*instant));
                self.step.watched.extend(inward);
                Watch::Instants(&self.step.watched)
            }
            other => other,
        };
        let end = go(
            &mut *self.inner,
            StepRequest {
                from: clock.inward(request.from),
                to: clock.inward(request.to),
                inputs: self.step.with(match clock.is_the_same() {
                    true => request.inputs.held(),
                    false => &self.step.held,
                }),
                watch,
            },
        )?;
        let outward = |time: SimTime| clock.outward(time).min(request.to);
        self.step.instants.clear();
        match request.watch {
            Watch::Nothing => {}
            // What was asked for is told to the bit.
            Watch::Instants(asked) => {
                let told = self.inner.trace().map_or(0, |trace| trace.instants().len());
                self.step.instants.extend(asked.iter().take(told));
            }
            Watch::InnerSteps => {
                if let Some(trace) = self.inner.trace() {
                    let instants = trace.instants().iter().map(|instant| outward(*instant));
                    self.step.instants.extend(instants);
                }
                if let (StepEnd::Completed, Some(last)) = (end, self.step.instants.last_mut()) {
                    *last = request.to;
                }
            }
        }
        Ok(match end {
            StepEnd::Completed => StepEnd::Completed,
            StepEnd::Early { at } => StepEnd::Early { at: outward(at) },
            StepEnd::Rejected { reached, advice } => StepEnd::Rejected {
                reached: outward(reached),
                advice: advice.map(|step| step * clock.second()),
            },
            StepEnd::Terminate { at } => StepEnd::Terminate { at: outward(at) },
        })
    }
}

impl Participant for Framed {
    fn interface(&self) -> &Interface {
        &self.layout.interface
    }

    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        self.routes = Routes::new(&self.layout, self.inner.interface(), inputs, outputs);
        let (taken, given) = (self.routes.taken, self.routes.given);
        self.room.taken = Planes::new(taken);
        self.room.given = vec![0.0; given.reals];
        self.room.outer = vec![0.0; self.routes.reals];
        self.inner.bind(&self.routes.inputs, &self.routes.outputs)
    }

    fn share_events(&mut self) -> Outcome<()> {
        self.inner.share_events()
    }

    fn begin_initialization(&mut self, run: &RunWindow, settings: &Settings) -> Outcome<()> {
        let own = RunWindow {
            start: self.clock.inward(run.start),
            stop: self.clock.inward(run.stop),
            tolerance: run.tolerance,
        };
        self.inner.begin_initialization(&own, settings)
    }

    fn finish_initialization(&mut self) -> Outcome<()> {
        self.inner.finish_initialization()
    }

    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        self.travel(request, |inner, request| inner.step(request))
    }

    fn outputs(&mut self, at: SimTime, inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        self.take(at, inputs)?;
        let room = &mut self.room;
        let given = PlanesMut {
            reals: &mut room.given,
            integers: values.integers,
            booleans: values.booleans,
            bytes: values.bytes,
        };
        self.inner.outputs(self.clock.inward(at), &room.taken, given)?;
        self.routes
            .show(&self.layout, &room.given, &room.taken.reals, values.reals);
        Ok(())
    }

    fn set_parameters(&mut self, at: SimTime, changes: &Settings) -> Outcome<()> {
        self.inner.set_parameters(self.clock.inward(at), changes)
    }

    fn accepted(&mut self, at: SimTime) {
        self.inner.accepted(self.clock.inward(at));
    }

    fn next_instant(&self) -> Option<SimTime> {
        self.inner
            .next_instant()
            .map(|instant| self.clock.outward(instant))
    }

    fn takes_any_step(&self) -> bool {
        self.inner.takes_any_step()
    }

    fn follows_inputs(&self) -> bool {
        self.inner.follows_inputs()
    }

    fn thread_mates(&self) -> Option<u64> {
        self.inner.thread_mates()
    }

    fn terminate(&mut self) -> Outcome<()> {
        self.inner.terminate()
    }

    fn effort(&self) -> Effort {
        self.inner.effort()
    }

    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        self.inner.rollback()
    }

    fn events(&mut self) -> Option<&mut dyn EventMode> {
        self.pending = self.inner.events()?.pending();
        Some(self)
    }

    fn derivatives(&mut self) -> Option<&mut dyn Derivatives> {
        self.inner.derivatives()?;
        Some(self)
    }

    fn slopes(&mut self) -> Option<&mut dyn Slopes> {
        self.inner.slopes()?;
        Some(self)
    }

    fn trace(&mut self) -> Option<&mut dyn Trace> {
        self.inner.trace()?;
        Some(self)
    }

    fn past(&mut self) -> Option<&mut dyn Past> {
        self.inner.past()?;
        Some(self)
    }

    fn own_steps(&mut self) -> Option<&mut dyn OwnSteps> {
        self.inner.own_steps()?;
        Some(self)
    }

    fn reactive(&mut self) -> Option<&mut dyn Reactive> {
        if !self.keeps_reactions() {
            return None;
        }
        self.inner.reactive()?;
        Some(self)
    }
}
