//! Event mode: what the FMU does while time stands still.

use cardan_core::inputs::Inputs;
use cardan_core::participant::{EventMode, Failure, Outcome};
use cardan_core::planes::PlanesRef;
use cardan_core::time::SimTime;

use super::{CoSimulation, Stage};
use crate::clocks::{OwnClock, reached};
use crate::ffi::Instance;
use crate::interface::FmuInterface;
use crate::saved::Kept;

/// An FMU that wants more rounds than this at one instant will never stop.
const MOST_ROUNDS: usize = 1000;

/// What is known of events.
pub(super) struct Events {
    /// The FMU is in event mode: in a round, or since its initialisation.
    pub(super) inside: bool,
    /// A round is on its way.
    pub(super) round: bool,
    /// The FMU has asked for an event.
    pub(super) raised: bool,
    /// The FMU has asked for the end.
    pub(super) terminating: bool,
    /// The next time event the FMU has told of.
    pub(super) next: Option<SimTime>,
    pub(super) clocks: Vec<OwnClock>,
    /// Which of the clocks tick in this round.
    active: Vec<bool>,
}

impl Events {
    pub(super) fn new(fmu: &FmuInterface) -> Self {
        let clocks = OwnClock::all(fmu);
        Events {
            inside: false,
            round: false,
            raised: false,
            terminating: false,
            next: None,
            active: vec![false; clocks.len()],
            clocks,
        }
    }

    pub(super) fn forget(&mut self) {
        (self.inside, self.round, self.raised, self.terminating) = (false, false, false, false);
        self.next = None;
        self.active.fill(false);
    }

    /// The initialisation has ended, in event mode.
    pub(super) fn begin(&mut self, instance: &mut Instance, start: SimTime) -> Outcome<()> {
        (self.inside, self.raised) = (true, true);
        for clock in &mut self.clocks {
            clock.begin(instance, start)?;
        }
        Ok(())
    }

    fn is_due(&self, now: SimTime) -> bool {
        self.next.is_some_and(|next| reached(now, next)) || self.clocks.iter().any(|clock| clock.is_due(now))
    }

    pub(super) fn next_after(&self, now: SimTime) -> Option<SimTime> {
        let event = self.next.filter(|&next| !reached(now, next));
        let ticks = self.clocks.iter().filter_map(|clock| clock.next_after(now));
        ticks.chain(event).reduce(SimTime::min)
    }

    pub(super) fn keep(&self) -> Kept {
        Kept {
            inside: self.inside,
            raised: self.raised,
            terminating: self.terminating,
            next: self.next,
            rhythms: self.clocks.iter().map(OwnClock::rhythm).collect(),
        }
    }

    pub(super) fn restore(&mut self, kept: &Kept) {
        self.forget();
        (self.inside, self.raised) = (kept.inside, kept.raised);
        (self.terminating, self.next) = (kept.terminating, kept.next);
        for (clock, rhythm) in self.clocks.iter_mut().zip(&kept.rhythms) {
            clock.restore(*rhythm);
        }
    }
}

impl CoSimulation {
    /// Enters event mode and sets off the clocks that are due.
    pub(super) fn enter_event_mode(&mut self, at: SimTime) -> Outcome<()> {
        // Locals show the FMU as it came here.
        let instance = Self::running(&mut self.instance)?;
        let Some(events) = &mut self.events else {
            return Ok(());
        };
        if !events.inside {
            instance.enter_event_mode()?;
        }
        (events.inside, events.round, events.raised) = (true, true, false);
        if events.next.is_some_and(|next| reached(at, next)) {
            events.next = None;
        }
        for (clock, active) in events.clocks.iter_mut().zip(&mut events.active) {
            *active = clock.is_due(at);
            if *active {
                instance.set_clocks(&[clock.reference()], &[true])?;
                clock.ticked();
            }
        }
        self.rest_is_stale = true;
        Ok(())
    }

    /// Ends a round.
    fn end_round(&mut self, at: SimTime) -> Outcome<bool> {
        let instance = Self::running(&mut self.instance)?;
        let Some(events) = &mut self.events else {
            return Ok(false);
        };
        let update = instance.update_discrete_states()?;
        events.terminating |= update.terminate;
        events.next = update
            .next_event
            .map(SimTime::from_seconds)
            .filter(|next| *next > at);
        for (clock, active) in events.clocks.iter_mut().zip(&mut events.active) {
            clock.refresh(instance, self.start, at, *active)?;
            *active = false;
        }
        // The round is over, and so are all ticks.
        self.told.end_ticks(&self.inputs);
        self.rest_is_stale = true;
        Ok(update.again)
    }

    fn leave_event_mode(&mut self) -> Outcome<()> {
        let instance = Self::running(&mut self.instance)?;
        instance.enter_step_mode()?;
        if let Some(events) = &mut self.events {
            (events.inside, events.round) = (false, false);
        }
        self.rest_is_stale = true;
        Ok(())
    }

    /// Rounds without anybody else, up to the end of event mode.
    pub(super) fn finish_rounds(&mut self, at: SimTime) -> Outcome<()> {
        for _ in 0..MOST_ROUNDS {
            if !self.end_round(at)? {
                return self.leave_event_mode();
            }
        }
        Err(Failure::failed(format!(
            "event mode does not end: {MOST_ROUNDS} rounds at t = {at} s"
        ))
        .advise("look for discrete states of the FMU that switch each other to and fro"))
    }

    /// Handles what waits at `at` alone, with the inputs at this instant.
    pub(super) fn handle_alone(&mut self, at: SimTime, inputs: &Inputs<'_>) -> Outcome<()> {
        let mut reals = std::mem::take(&mut self.reals);
        for (index, real) in reals.iter_mut().enumerate() {
            *real = inputs.real(index, at);
        }
        let held = inputs.held_after(at);
        let planes = PlanesRef {
            reals: &reals,
            ..held
        };
        let outcome = self.rounds_alone(at, planes);
        self.reals = reals;
        outcome
    }

    fn rounds_alone(&mut self, at: SimTime, planes: PlanesRef<'_>) -> Outcome<()> {
        for _ in 0..MOST_ROUNDS {
            if !(EventMode::pending(self) || self.inputs.differ(planes, &self.told)) {
                return Ok(());
            }
            self.enter_event_mode(at)?;
            self.set_inputs(planes)?;
            self.finish_rounds(at)?;
        }
        Err(Failure::failed(format!(
            "the FMU asks for an event again and again at t = {at} s"
        )))
    }

    /// Sets the inputs that are set when they change.
    pub(super) fn set_discrete(&mut self, planes: PlanesRef<'_>) -> Outcome<()> {
        let instance = Self::running(&mut self.instance)?;
        let events = self.events.as_ref().filter(|events| events.round);
        let ticking = events.map(|events| events.active.as_slice());
        self.inputs
            .tell_discrete(instance, planes, &mut self.told, ticking)
    }
}

impl EventMode for CoSimulation {
    fn pending(&self) -> bool {
        let waits = |events: &Events| events.raised || events.is_due(self.time);
        self.stage == Stage::Running && self.events.as_ref().is_some_and(waits)
    }

    fn enter(&mut self, at: SimTime) -> Outcome<()> {
        self.time = at;
        self.enter_event_mode(at)
    }

    fn update(&mut self, at: SimTime) -> Outcome<bool> {
        self.end_round(at)
    }

    fn leave(&mut self, _at: SimTime) -> Outcome<()> {
        self.leave_event_mode()
    }
}
