//! An oscillator with one defect at a time.

use super::abilities::reborrow;
use cardan_core::interface::{Interface, Port, PortId};
use cardan_core::participant::{
    Derivatives, Failure, Outcome, Participant, Past, Rollback, RunWindow, Settings, Slopes, StepEnd,
    StepRequest, Trace, Watch,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use cardan_testkit::fakes::Harmonic;
use cardan_testkit::problems::Oscillator;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::ThreadId;

/// What is wrong with a [`Broken`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Defect {
    Nothing,
    DuplicateName,
    InterfaceChanges,
    NextInstantIsNow,
    TerminateNeedsAStep,
    OutputsDrift,
    SteppedByAsking,
    PositionNotWritten,
    OutputsInOwnOrder,
    OutputsDependOnCompany,
    InputsInOwnOrder,
    UnboundIsZero,
    RollbackForgets,
    OneSlotForAll,
    ExportForgets,
    WrongDerivative,
    WrongSlope,
    TraceReversed,
    TraceEndOff,
    TraceStays,
    WatchingDisturbs,
    ParametersReset,
    SharedState,
    ThreadBound,
    EarlyByStepSize,
    PastOff,
    EveryInstanceDiffers,
}

/// The ability, for these defects; the others would break its claims along with their own.
macro_rules! offered {
    ($self:ident, $($defect:ident)*) => {
        if [$(Defect::$defect),*].contains(&$self.defect) { Some($self) } else { None }
    };
}
pub(crate) use offered;

/// Common to all instances, as in a careless library. Only one test uses each.
static SHARED: AtomicU64 = AtomicU64::new(0);
static INSTANCES: AtomicU64 = AtomicU64::new(0);

pub(crate) struct Broken {
    pub(crate) inner: Harmonic,
    interface: Interface,
    pub(crate) defect: Defect,
    outputs: Vec<PortId>,
    /// Added to the position, in thousandths; its meaning depends on the defect.
    pub(crate) hidden: u64,
    asked: u64,
    pub(crate) slots: Vec<u64>,
    now: SimTime,
    stepped: bool,
    home: ThreadId,
    pub(crate) watched: Vec<SimTime>,
}

impl Broken {
    pub(crate) fn new(defect: Defect) -> Self {
        let oscillator = Oscillator {
            mass: 1.0,
            damping: 0.3,
            stiffness: 200.0,
        };
        let inner = Harmonic::new(oscillator, [0.1, 0.0]);
        let mut interface = inner.interface().clone();
        if defect == Defect::DuplicateName {
            interface.ports[2].name = "position".into();
        }
        if defect == Defect::UnboundIsZero {
            interface.ports[0].start = Some(Value::real(1.0));
        }
        if defect == Defect::InputsInOwnOrder {
            // Its signal is there and not heard; what matters is that it may come first.
            interface.port(Port::input("spare").start(Value::real(0.0)));
        }
        let hidden = match defect {
            Defect::EveryInstanceDiffers => INSTANCES.fetch_add(1, Ordering::SeqCst),
            _ => 0,
        };
        Broken {
            inner,
            interface,
            defect,
            outputs: Vec::new(),
            hidden,
            asked: 0,
            slots: vec![0; 10],
            now: SimTime::default(),
            stepped: false,
            home: std::thread::current().id(),
            watched: Vec::new(),
        }
    }

    pub(crate) fn is(&self, defect: Defect) -> bool {
        self.defect == defect
    }

    pub(crate) fn position(&self) -> Option<usize> {
        self.outputs.iter().position(|id| *id == Harmonic::POSITION)
    }

    /// What the defect adds to the position.
    pub(crate) fn disturbance(&self) -> f64 {
        let thousandths = match self.defect {
            Defect::SharedState => SHARED.load(Ordering::SeqCst),
            Defect::ThreadBound => u64::from(std::thread::current().id() != self.home),
            Defect::OutputsDependOnCompany => u64::from(self.outputs.len() == 1),
            _ => self.hidden,
        };
        1e-3 * thousandths as f64
    }
}

impl Participant for Broken {
    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        if self.is(Defect::InterfaceChanges) {
            self.interface.ports[1].description = "bound".into();
        }
        self.outputs = outputs.to_vec();
        if self.is(Defect::OutputsInOwnOrder) {
            self.outputs.sort();
        }
        let heard: Vec<PortId> = inputs
            .iter()
            .filter(|id| **id == Harmonic::FORCE)
            .copied()
            .collect();
        self.inner.bind(&heard, &self.outputs)
    }

    fn begin_initialization(&mut self, run: &RunWindow, settings: &Settings) -> Outcome<()> {
        if self.is(Defect::SharedState) {
            SHARED.store(0, Ordering::SeqCst);
        }
        self.now = run.start;
        self.inner.begin_initialization(run, settings)
    }

    fn finish_initialization(&mut self) -> Outcome<()> {
        self.inner.finish_initialization()
    }

    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        let to = match (self.defect, self.stepped) {
            (Defect::EarlyByStepSize, false) => {
                SimTime::from_seconds(request.from.seconds() + 0.7 * request.to.since(request.from))
            }
            _ => request.to,
        };
        match self.defect {
            Defect::RollbackForgets => self.hidden += 1,
            Defect::SteppedByAsking => self.hidden = self.asked,
            Defect::SharedState => _ = SHARED.fetch_add(1, Ordering::SeqCst),
            Defect::WatchingDisturbs if request.watch != Watch::Nothing => self.hidden += 1,
            _ => {}
        }
        self.inner.step(StepRequest { to, ..request })?;
        if let Some(trace) = self.inner.trace()
            && !(self.defect == Defect::TraceStays && trace.instants().is_empty())
        {
            self.watched = trace.instants().to_vec();
            if self.defect == Defect::TraceReversed {
                self.watched.reverse();
            }
        }
        (self.now, self.stepped) = (to, true);
        Ok(if to < request.to {
            StepEnd::Early { at: to }
        } else {
            StepEnd::Completed
        })
    }

    fn outputs(&mut self, at: SimTime, inputs: &Planes, mut values: PlanesMut<'_>) -> Outcome<()> {
        let left_over = self.position().map(|place| values.reals[place]);
        self.inner.outputs(at, inputs, reborrow(&mut values))?;
        if let (Some(place), Some(left_over)) = (self.position(), left_over) {
            values.reals[place] += self.disturbance();
            if self.is(Defect::PositionNotWritten) && self.stepped {
                values.reals[place] = left_over;
            }
        }
        self.asked += 1;
        if self.is(Defect::OutputsDrift) {
            self.hidden += 1;
        }
        Ok(())
    }

    fn set_parameters(&mut self, at: SimTime, changes: &Settings) -> Outcome<()> {
        if self.is(Defect::ParametersReset) {
            self.hidden += 1;
        }
        self.inner.set_parameters(at, changes)
    }

    fn next_instant(&self) -> Option<SimTime> {
        self.is(Defect::NextInstantIsNow).then_some(self.now)
    }

    fn terminate(&mut self) -> Outcome<()> {
        if self.is(Defect::TerminateNeedsAStep) && !self.stepped {
            return Err(Failure::failed("There was no step."));
        }
        self.inner.terminate()
    }

    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        offered!(self, Nothing RollbackForgets OneSlotForAll ExportForgets)
    }

    fn derivatives(&mut self) -> Option<&mut dyn Derivatives> {
        offered!(self, Nothing WrongDerivative)
    }

    fn slopes(&mut self) -> Option<&mut dyn Slopes> {
        offered!(self, Nothing WrongSlope)
    }

    fn trace(&mut self) -> Option<&mut dyn Trace> {
        offered!(self, Nothing TraceReversed TraceEndOff TraceStays WatchingDisturbs)
    }

    fn past(&mut self) -> Option<&mut dyn Past> {
        offered!(self, Nothing PastOff)
    }
}
