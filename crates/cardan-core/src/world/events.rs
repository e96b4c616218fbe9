//! Events: what participants do while time stands still.
//!
//! At a communication point at which somebody has an event pending, or sees a discrete input change, rounds are
//! repeated until nobody wants another one: those concerned enter event mode, outputs are exchanged (loops solved),
//! a clock that ticks calls in those it drives, and at the end of the round everybody inside updates its discrete
//! states. All of it happens at one instant; only what is left in the end becomes part of the signals.

use super::World;
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::method::Steps;
use crate::monitor::WarningKind;
use crate::participant::{EventMode, Failure, Outcome, Participant};
use crate::planes::Planes;
use crate::time::SimTime;
use std::sync::Arc;

/// Events that are not through after so many rounds chatter.
const MOST_ROUNDS: usize = 100;

/// A participant with an event mode.
pub(super) struct Actor {
    pub(super) participant: ParticipantId,
    /// When it acts by itself.
    pub(super) next: SimTime,
    /// Is it in event mode?
    inside: bool,
    /// Its discrete inputs when it last had a chance to react to them.
    pub(super) seen: Planes,
    /// Which of its output clocks ticked in the events of this instant.
    pub(super) ticked: Vec<bool>,
}

impl World {
    /// Finds those who have an event mode, and lets them handle what the initialisation left.
    pub(super) fn begin_events(&mut self) -> Result<(), RunError> {
        let plan = Arc::clone(&self.plan);
        for (index, seat) in plan.seats.iter().enumerate() {
            let participant = ParticipantId(index as u32);
            if !self.call(participant, Call::Events, None, |p| Ok(p.events().is_some()))? {
                continue;
            }
            self.actors.push(Actor {
                participant,
                next: SimTime::FUTURE,
                inside: false,
                seen: Planes::default(),
                ticked: vec![false; seat.clock_outputs.len()],
            });
        }
        if self.actors.is_empty() {
            return Ok(());
        }
        self.handle_events(plan.window.start).map(|_| ())
    }

    /// The next instant at which somebody acts by itself; steps must not pass it.
    #[inline]
    pub fn next_event(&self) -> SimTime {
        if self.actors.is_empty() {
            return SimTime::FUTURE;
        }
        self.actors
            .iter()
            .map(|a| a.next)
            .fold(SimTime::FUTURE, SimTime::min)
    }

    /// Does anybody act while time stands still?
    pub fn has_actors(&self) -> bool {
        !self.actors.is_empty()
    }

    /// Does anybody act whose outputs are read?
    pub fn shares_events(&self) -> bool {
        let mut actors = self.actors.iter();
        actors.any(|actor| self.plan.is_read(actor.participant))
    }

    /// Notes events that inputs have caused somewhere in the step that ends at `at`, where nobody can go back to them.
    #[inline]
    pub fn note_late_events(&mut self, at: SimTime) -> Result<(), RunError> {
        match self.actors.is_empty() {
            true => Ok(()),
            false => self.note_suspects(at),
        }
    }

    #[cold]
    fn note_suspects(&mut self, at: SimTime) -> Result<(), RunError> {
        for participant in self.suspects(at)? {
            if !self.plan.is_read(participant) {
                continue;
            }
            let name = &self.plan.seats[participant.index()].name;
            let step = at.since(self.frontier);
            self.monitor.notice(WarningKind::EarlyReturn, name, at, || {
                format!(
                    "an input took a switch of {name} to its other side before t = {at} s, and that is known only there, up to \
                     {step:.3e} s late"
                )
            });
        }
        Ok(())
    }

    /// Do some not follow the course of their inputs within a step?
    pub fn is_blunt(&self) -> bool {
        !self.blunt.is_empty()
    }

    /// Has somebody come upon an event somewhere in the step that ends at `at`, or would it next, without telling where? Not one
    /// of the `cutters`, who told.
    pub fn comes_upon_events(
        &mut self,
        (from, at): (SimTime, SimTime),
        cutters: &[ParticipantId],
    ) -> Result<bool, RunError> {
        for index in 0..self.actors.len() {
            let Actor {
                participant, next, ..
            } = self.actors[index];
            let searched = self.blunt.contains(&participant)
                && !cutters.contains(&participant)
                && !self.plan.resolution.reached(at, next)
                && self.stands_at(participant, at)
                && self.can_go_back(participant)
                && self.plan.is_read(participant);
            if searched
                && (self.has_jumped_alone(participant, from)
                    || self.event_call(participant, at, |mode| Ok(mode.pending()))?
                    || self.would_raise(participant, at)?)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Does a participant act while time stands still?
    pub fn acts(&self, participant: ParticipantId) -> bool {
        self.actors.iter().any(|actor| actor.participant == participant)
    }

    /// Handles the events of all who stand at `at`, after the exchange there. Answers whether there were any: then signals
    /// may have jumped, and laws may have changed.
    #[inline]
    pub fn events(&mut self, at: SimTime) -> Result<bool, RunError> {
        match self.actors.is_empty() {
            true => Ok(false),
            false => self.handle_events(at),
        }
    }

    #[cold]
    fn handle_events(&mut self, at: SimTime) -> Result<bool, RunError> {
        let mut actors = std::mem::take(&mut self.actors);
        let result = self.act(&mut actors, at);
        self.actors = actors;
        result
    }

    fn act(&mut self, actors: &mut [Actor], at: SimTime) -> Result<bool, RunError> {
        self.silence(actors);
        let mut acted = false;
        for actor in actors.iter_mut() {
            if self.stands_at(actor.participant, at) && self.is_due(actor, at)? {
                // A jump is nobody's defect.
                if !acted && self.settled + 1 == self.next_look {
                    self.look(self.next_look);
                }
                self.enter(actor, at)?;
                acted = true;
            }
        }
        if acted {
            self.rounds(actors, at)?;
            for actor in actors.iter_mut().filter(|a| a.inside) {
                actor.inside = false;
                self.event_call(actor.participant, at, move |mode| mode.leave(at))?;
            }
            let plan = Arc::clone(&self.plan);
            self.evaluate_everyone(&plan.exchange)?;
            if plan.needs.steps == Steps::Own {
                self.expect_kink(at);
            }
            if plan.has_slopes {
                self.evaluate_slopes(&plan, at)?;
            }
            self.show_ticks(actors, at);
        }
        for actor in actors.iter_mut() {
            let next = self.call(
                actor.participant,
                Call::Events,
                Some(at),
                |p| Ok(p.next_instant()),
            )?;
            actor.next = next.unwrap_or(SimTime::FUTURE);
        }
        Ok(acted)
    }

    fn rounds(&mut self, actors: &mut [Actor], at: SimTime) -> Result<(), RunError> {
        for _ in 0..MOST_ROUNDS {
            self.spread(actors, at)?;
            let mut again = false;
            for actor in actors.iter().filter(|a| a.inside) {
                again |= self.event_call(actor.participant, at, move |mode| mode.update(at))?;
            }
            if !again {
                return Ok(());
            }
        }
        let restless = actors.iter().find(|a| a.inside);
        let name = restless.map_or("", |a| &self.plan.seats[a.participant.index()].name);
        let failure = Failure::numbers(format!(
            "its events do not come to rest: {MOST_ROUNDS} rounds at one instant and still another one is wanted"
        ))
        .advise("a condition switches back and forth: give it a hysteresis, or a delay in the loop that feeds it");
        Err(RunError::participant(name, Call::Events, Some(at), failure))
    }

    /// Exchanges outputs until everybody whom a tick or a changed discrete input concerns is inside.
    fn spread(&mut self, actors: &mut [Actor], at: SimTime) -> Result<(), RunError> {
        let plan = Arc::clone(&self.plan);
        loop {
            self.evaluate_everyone(&plan.exchange)?;
            let mut called = false;
            for actor in actors.iter_mut().filter(|a| !a.inside) {
                self.exchange_inputs(actor.participant, at);
                let ticks = self.is_ticked(actor.participant);
                if !self.stands_at(actor.participant, at) {
                    if ticks {
                        return Err(self.missed(actor.participant, at));
                    }
                } else if ticks || self.sees_change(actor) {
                    self.enter(actor, at)?;
                    called = true;
                }
            }
            for actor in actors.iter_mut() {
                let row = self.histories[actor.participant.index()].latest_row();
                let places = &plan.seats[actor.participant.index()].clock_outputs;
                for (ticked, &place) in actor.ticked.iter_mut().zip(places) {
                    *ticked |= actor.inside && row.booleans[place as usize];
                }
            }
            if !called {
                return Ok(());
            }
        }
    }

    pub(super) fn stands_at(&self, participant: ParticipantId, at: SimTime) -> bool {
        self.plan.resolution.same(self.at[participant.index()], at)
    }

    fn is_due(&mut self, actor: &mut Actor, at: SimTime) -> Result<bool, RunError> {
        self.exchange_inputs(actor.participant, at);
        Ok(self.sees_change(actor) || self.event_call(actor.participant, at, |mode| Ok(mode.pending()))?)
    }

    fn enter(&mut self, actor: &mut Actor, at: SimTime) -> Result<(), RunError> {
        actor.inside = true;
        self.event_call(actor.participant, at, move |mode| mode.enter(at))
    }

    /// Did a discrete input change since the actor last had a chance to react? It has one now.
    fn sees_change(&mut self, actor: &mut Actor) -> bool {
        let seat = &self.plan.seats[actor.participant.index()];
        let desk = self.team.desk(actor.participant);
        let reals = seat
            .jumping_inputs
            .iter()
            .map(|&place| desk.current.reals[place as usize]);
        let mut now = Planes {
            reals: reals.collect(),
            ..desk.current.clone()
        };
        for &clock in &seat.clock_inputs {
            now.booleans[clock as usize] = false;
        }
        let changed = now != actor.seen;
        actor.seen = now;
        changed
    }

    /// Does a clock among the inputs on the desk tick?
    fn is_ticked(&mut self, participant: ParticipantId) -> bool {
        let seat = &self.plan.seats[participant.index()];
        let desk = self.team.desk(participant);
        let mut clocks = seat.clock_inputs.iter();
        clocks.any(|&place| desk.current.booleans[place as usize])
    }

    /// Takes back the ticks that were shown for the last events: a clock is true for one round only.
    fn silence(&mut self, actors: &mut [Actor]) {
        for actor in actors {
            self.write_ticks(actor.participant, &vec![false; actor.ticked.len()]);
            actor.ticked.fill(false);
        }
    }

    /// Shows in the results which clocks ticked at this instant.
    fn show_ticks(&mut self, actors: &[Actor], at: SimTime) {
        for actor in actors {
            if self.stands_at(actor.participant, at) {
                self.write_ticks(actor.participant, &actor.ticked);
            }
        }
    }

    fn write_ticks(&mut self, participant: ParticipantId, ticked: &[bool]) {
        let places = &self.plan.seats[participant.index()].clock_outputs;
        let history = &mut self.histories[participant.index()];
        if places.is_empty() || history.is_empty() {
            return;
        }
        let row = history.publish(history.latest(), self.frontier);
        for (&place, &ticks) in places.iter().zip(ticked) {
            row.booleans[place as usize] = ticks;
        }
    }

    pub(super) fn event_call<R: Send + 'static>(
        &mut self,
        participant: ParticipantId,
        at: SimTime,
        what: impl FnOnce(&mut dyn EventMode) -> Outcome<R> + Send + 'static,
    ) -> Result<R, RunError> {
        self.call(
            participant,
            Call::Events,
            Some(at),
            move |p: &mut dyn Participant| match p.events() {
                Some(mode) => what(mode),
                None => Err(Failure::failed("had an event mode and has none now")),
            },
        )
    }

    #[cold]
    fn missed(&self, participant: ParticipantId, at: SimTime) -> RunError {
        let stands = self.at[participant.index()];
        let failure = Failure::failed(format!(
            "one of its clocks ticks at t = {at} s, while it stands at t = {stands} s"
        ))
        .advise("give it and the component that makes the clock tick the same step");
        let name = &self.plan.seats[participant.index()].name;
        RunError::participant(name, Call::Events, Some(at), failure)
    }
}
