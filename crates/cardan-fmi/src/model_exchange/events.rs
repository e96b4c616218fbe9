//! Events: time stands still, discrete states change, states may jump.

use cardan_core::participant::{EventMode, Outcome};
use cardan_core::planes::PlanesRef;
use cardan_core::time::SimTime;

use super::motion::{Mode, Motion};
use super::{ModelExchange, chatter};
use crate::clocks::OwnClock;
use crate::ffi::Update;
use crate::saved::Kept;

/// What the rounds of one event have brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Occasion {
    pub(super) rounds: u32,
    /// The solver must look at the equations anew.
    pub(super) disturbed: bool,
    pub(super) states_changed: bool,
    pub(super) nominals_changed: bool,
}

impl Occasion {
    /// The first one of a run, from which the solver begins.
    pub(super) fn first() -> Self {
        Occasion {
            states_changed: true,
            nominals_changed: true,
            ..Occasion::default()
        }
    }

    fn absorb(&mut self, update: &Update) {
        self.rounds += 1;
        self.states_changed |= update.values_changed;
        self.nominals_changed |= update.nominals_changed;
    }
}

impl Motion {
    /// Is an event in time due: one the FMU has announced, or a tick of its clocks?
    pub(super) fn due(&self) -> bool {
        let now = self.now();
        self.next_event.is_some_and(|t| self.time >= t) || self.clocks.iter().any(|clock| clock.is_due(now))
    }

    /// The next instant at which an event in time is due, after the present one.
    pub(super) fn next_instant(&self) -> Option<SimTime> {
        let now = self.now();
        let announced = self
            .next_event
            .filter(|&t| t > self.time)
            .map(SimTime::from_seconds);
        let ticks = self.clocks.iter().filter_map(|clock| clock.next_after(now));
        ticks.chain(announced).reduce(SimTime::min)
    }

    pub(super) fn keep_events(&self) -> Kept {
        Kept {
            inside: self.mode == Mode::Event,
            raised: self.pending,
            terminating: self.ended,
            next: self.next_event.map(SimTime::from_seconds),
            rhythms: self.clocks.iter().map(OwnClock::rhythm).collect(),
        }
    }

    pub(super) fn restore_events(&mut self, kept: &Kept) {
        self.mode = if kept.inside {
            Mode::Event
        } else {
            Mode::Continuous
        };
        (self.pending, self.ended, self.attended) = (kept.raised, kept.terminating, false);
        self.crossed = false;
        self.next_event = kept.next.map(SimTime::seconds);
        self.ticking.fill(false);
        for (clock, rhythm) in self.clocks.iter_mut().zip(&kept.rhythms) {
            clock.restore(*rhythm);
        }
    }

    /// Stops the time where the participant stands. Inputs that jump here have not been told yet.
    pub(super) fn stop_time(&mut self) -> Outcome<()> {
        if self.mode == Mode::Continuous {
            self.place()?;
            self.plant.instance.enter_event_mode()?;
            self.mode = Mode::Event;
            self.crossed = false;
            self.event = Occasion::default();
        }
        Ok(())
    }

    /// Handles the event where the participant stands, with the continuous inputs in force and these others.
    pub(super) fn handle(&mut self, others: PlanesRef<'_>) -> Outcome<()> {
        self.chatter.event(self.time, self.stride)?;
        self.stop_time()?;
        self.tick()?;
        self.plant.tell_inputs()?;
        self.tell_others(others)?;
        while self.round()? {}
        self.resume_time()
    }

    /// Sets off its own clocks that are due.
    pub(super) fn tick(&mut self) -> Outcome<()> {
        let now = self.now();
        for (clock, ticking) in self.clocks.iter_mut().zip(&mut self.ticking) {
            if clock.is_due(now) {
                self.plant.instance.set_clocks(&[clock.reference()], &[true])?;
                clock.ticked();
                *ticking = true;
            }
        }
        Ok(())
    }

    /// Ends a round. Does the FMU want another one?
    pub(super) fn round(&mut self) -> Outcome<bool> {
        chatter::another_round(self.event.rounds, self.time)?;
        let instance = &mut self.plant.instance;
        let update = instance.update_discrete_states()?;
        self.event.absorb(&update);
        self.next_event = update.next_event;
        self.ended |= update.terminate;
        let (start, now) = (
            SimTime::from_seconds(self.start),
            SimTime::from_seconds(self.time),
        );
        for (clock, ticking) in self.clocks.iter_mut().zip(&mut self.ticking) {
            clock.refresh(instance, start, now, *ticking)?;
            *ticking = false;
        }
        self.told.end_ticks(&self.inputs);
        Ok(update.again && !update.terminate)
    }

    /// Lets the time go on; the solver begins anew where it must.
    pub(super) fn resume_time(&mut self) -> Outcome<()> {
        if self.ended {
            // Nothing will be solved any more, and an FMU that wants to end need not be able to go on.
            self.pending = false;
            self.rest_is_stale = true;
            return Ok(());
        }
        self.plant.instance.enter_continuous_time_mode()?;
        self.mode = Mode::Continuous;
        if self.event.nominals_changed {
            self.read_nominals()?;
        }
        if self.event.states_changed {
            self.plant.reread_states(&mut self.x)?;
        }
        // The solver may have found its event a hair before.
        if !self.event.states_changed && self.solver.time() != self.time {
            self.x.copy_from_slice(self.solver.state());
            self.event.states_changed = true;
        }
        if self.event.states_changed {
            self.solver.restart(self.time, &self.x)?;
        } else if self.event.disturbed {
            self.solver.disturb();
        }
        self.event = Occasion::default();
        self.plant.drive.rest();
        // An FMU may announce its next event for this very instant.
        self.pending = self.due();
        self.rest_is_stale = true;
        Ok(())
    }

    fn read_nominals(&mut self) -> Outcome<()> {
        if self.nominals.is_empty() {
            return Ok(());
        }
        self.plant.instance.get_nominals(&mut self.nominals)?;
        self.solver.rescale(&self.nominals);
        Ok(())
    }
}

impl EventMode for ModelExchange {
    fn pending(&self) -> bool {
        let waits = |motion: &Motion| motion.pending || motion.crossed;
        self.motion.as_ref().is_some_and(waits)
    }

    fn enter(&mut self, at: SimTime) -> Outcome<()> {
        let motion = self.motion()?;
        motion.expect_present(at)?;
        motion.expect_running()?;
        motion.chatter.event(motion.time, motion.stride)?;
        motion.stop_time()?;
        motion.event.disturbed = true;
        motion.attended = true;
        motion.tick()
    }

    fn update(&mut self, at: SimTime) -> Outcome<bool> {
        let motion = self.motion()?;
        motion.expect_present(at)?;
        motion.round()
    }

    fn leave(&mut self, at: SimTime) -> Outcome<()> {
        let motion = self.motion()?;
        motion.expect_present(at)?;
        motion.attended = false;
        if motion.mode == Mode::Event {
            if motion.event.rounds == 0 {
                while motion.round()? {}
            }
            motion.resume_time()?;
        }
        Ok(())
    }
}
