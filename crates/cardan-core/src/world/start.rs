//! The start of a run: initialisation, first outputs, and the history before the first step.

use super::World;
use super::bends::Courses;
use super::books::Books;
use super::correction::Corrections;
use super::looks::Looks;
use super::loops::LoopMemory;
use super::read::Feeds;
use super::trial::Trial;
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::method::Steps;
use crate::participant::Settings;
use crate::plan::{Exchange, Plan, RealInput, Seat, StartMode};
use crate::planes::Planes;
use crate::signal::History;
use crate::time::SimTime;
use std::sync::Arc;

impl World {
    /// Initialises all participants with their parameters, exchanges the first outputs and writes the history before
    /// the start.
    pub fn initialize(&mut self, settings: Vec<Settings>) -> Result<(), RunError> {
        self.guarded(|world| world.begin(settings))
    }

    fn begin(&mut self, settings: Vec<Settings>) -> Result<(), RunError> {
        let plan = Arc::clone(&self.plan);
        let window = plan.window;
        let start = Some(window.start);
        let mut settings = settings.into_iter();
        for (index, seat) in plan.seats.iter().enumerate() {
            let participant = ParticipantId(index as u32);
            let (inputs, outputs) = (seat.inputs.clone(), seat.outputs.clone());
            let read = plan.is_read(participant);
            self.call(participant, Call::Bind, start, move |p| {
                p.bind(&inputs, &outputs)?;
                match read {
                    true => p.share_events(),
                    false => Ok(()),
                }
            })?;
            let values = settings.next().unwrap_or_default();
            self.call(participant, Call::BeginInitialization, start, move |p| {
                p.begin_initialization(&window, &values)
            })?;
        }
        self.prepare_loops(&plan.initial);
        self.evaluate_everyone(&plan.initial)?;
        for index in 0..plan.seats.len() {
            let participant = ParticipantId(index as u32);
            self.call(participant, Call::FinishInitialization, start, |p| {
                p.finish_initialization()
            })?;
        }
        self.prepare_loops(&plan.exchange);
        self.evaluate_everyone(&plan.exchange)?;
        self.begin_events()?;
        self.prepare()
    }

    /// Goes on with another plan for the same participants, ports and rows, before the first step.
    pub fn replan(&mut self, plan: Arc<Plan>) -> Result<(), RunError> {
        self.guarded(|world| world.begin_again(plan))
    }

    fn begin_again(&mut self, plan: Arc<Plan>) -> Result<(), RunError> {
        let start = plan.window.start;
        for (index, seat) in plan.seats.iter().enumerate() {
            let row = self.histories[index].latest_row().to_planes();
            let mut history = history(seat);
            history.publish(start, SimTime::PAST).copy_from(row.view());
            self.histories[index] = history;
            self.samples[index] = None;
            let slopes = match seat.wants_slopes {
                true => seat.output_extent.reals,
                false => 0,
            };
            let desk = self.team.desk(ParticipantId(index as u32));
            desk.slopes = vec![f64::NAN; slopes];
        }
        self.books = Books::of(&plan);
        self.corrections = Corrections::of(&plan);
        self.looks = Looks::of(&plan);
        let every_step = !(self.books.is_empty() && self.corrections.is_empty());
        self.next_look = if every_step { 1 } else { self.looks.due() };
        self.feeds = Feeds::of(&plan, &self.corrections);
        self.plan = plan;
        self.prepare_loops(&Arc::clone(&self.plan).exchange);
        self.prepare()
    }

    /// What the plan wants of participants that are initialised, and the history before the first step.
    fn prepare(&mut self) -> Result<(), RunError> {
        let plan = Arc::clone(&self.plan);
        self.offer_abilities()?;
        if plan.needs.rollback || self.has_actors() {
            self.find_rollback()?;
        }
        for actor in &self.actors {
            self.feeds.follow_the_course(actor.participant, &plan);
        }
        self.lands_on_rows = self.must_land_on_rows();
        self.corners.clear();
        self.laws.clear();
        if plan.needs.corners {
            for (index, seat) in plan.seats.iter().enumerate() {
                let participant = ParticipantId(index as u32);
                // Those with an event mode are asked elsewhere.
                let has = self.call(participant, Call::Events, None, |p| {
                    Ok(p.events().is_none() && p.next_instant().is_some())
                })?;
                if has && !seat.has_own_grid {
                    self.corners.push(participant);
                    if self.call(participant, Call::Events, None, |p| Ok(p.past().is_some()))? {
                        self.laws.push(participant);
                    }
                }
            }
        }
        self.find_silent();
        self.find_blunt()?;
        let mut slopes = self.initial_slopes()?;
        let bends = self.try_out(&mut slopes)?;
        if plan.has_slopes {
            // In loops they take more than a look at each member.
            self.evaluate_slopes(&plan, plan.window.start)?;
            for (slopes, history) in slopes.iter_mut().zip(&self.histories) {
                let found = history.latest_slopes();
                if !found.is_empty() && found.iter().all(|slope| slope.is_finite()) {
                    *slopes = Some(found.to_vec());
                }
            }
        }
        for (index, (slopes, bends)) in slopes.iter().zip(&bends).enumerate() {
            let participant = ParticipantId(index as u32);
            self.write_past(participant, slopes.as_deref(), bends.as_deref())?;
        }
        self.prepare_lines()
    }

    fn prepare_loops(&mut self, exchange: &Exchange) {
        self.loops = exchange.loops.iter().map(LoopMemory::of).collect();
    }

    /// Prepares for what some participants can do and somebody wants: rows inside steps.
    fn offer_abilities(&mut self) -> Result<(), RunError> {
        let plan = Arc::clone(&self.plan);
        for (index, seat) in plan.seats.iter().enumerate() {
            let participant = ParticipantId(index as u32);
            let finer = plan.columns.every.is_some_and(|every| {
                every.step() < seat.grid.step() || (plan.needs.steps == Steps::Own && !seat.has_own_grid)
            });
            // What is held between samples has no inside to show.
            let inside = finer && !seat.continuous.is_empty();
            if inside && self.call(participant, Call::Trace, None, |p| Ok(p.trace().is_some()))? {
                self.samples[index] = Some(History::new(seat.output_extent));
            }
        }
        Ok(())
    }

    /// Finds those who do not follow the course of their inputs.
    fn find_blunt(&mut self) -> Result<(), RunError> {
        self.blunt.clear();

        for index in 0..self.plan.seats.len() {
            let participant = ParticipantId(index as u32);
            let reads = !self.plan.seats[index].inputs.is_empty();
            if reads && !self.call(participant, Call::Step, None, |p| Ok(p.follows_inputs()))? {
                self.blunt.push(participant);
            }
        }
        self.courses = Courses::of(self.blunt.iter().copied());
        Ok(())
    }

    /// The slopes of all outputs at the start, for participants that know them. Slopes of inputs come from the outputs
    /// that drive them, as far as those are known.
    fn initial_slopes(&mut self) -> Result<Vec<Option<Vec<f64>>>, RunError> {
        let plan = Arc::clone(&self.plan);
        let start = plan.window.start;
        let mut known: Vec<Option<Vec<f64>>> = vec![None; plan.seats.len()];
        let asked = |seat: &Seat| plan.start == StartMode::Consistent || seat.wants_slopes;
        for &participant in &plan.exchange.feedthrough.sequence {
            let seat = &plan.seats[participant.index()];
            if !asked(seat) {
                continue;
            }
            let input_slopes = self.slopes_of_inputs(seat, &known);
            self.exchange_inputs(participant, start);
            let inputs = self.team.desk(participant).current.clone();
            let count = seat.output_extent.reals;
            known[participant.index()] = self.call(participant, Call::Slopes, Some(start), move |p| {
                let Some(ability) = p.slopes() else {
                    return Ok(None);
                };
                let mut slopes = vec![0.0; count];
                ability.slopes(start, &inputs, &input_slopes, &mut slopes)?;
                Ok(slopes.iter().all(|s| s.is_finite()).then_some(slopes))
            })?;
        }
        Ok(known)
    }

    /// Tries out how outputs change of which nobody knows, where a reading looks back at them. Fills in slopes; answers
    /// with second derivatives.
    fn try_out(&mut self, slopes: &mut [Option<Vec<f64>>]) -> Result<Vec<Option<Vec<f64>>>, RunError> {
        let plan = Arc::clone(&self.plan);
        let start = plan.window.start;
        let mut bends = vec![None; plan.seats.len()];
        if plan.start != StartMode::Consistent {
            return Ok(bends);
        }
        let unknown = |index: &usize| {
            let (seat, participant) = (&plan.seats[*index], ParticipantId(*index as u32));
            slopes[*index].is_none() && !seat.has_own_grid && plan.is_looked_back_at(participant)
        };
        let unknown: Vec<usize> = (0..plan.seats.len()).filter(unknown).collect();
        // How outputs bend follows from how fast inputs change, which the first round finds out.
        for &index in unknown.iter().chain(&unknown) {
            let (seat, participant) = (&plan.seats[index], ParticipantId(index as u32));
            let input_slopes = self.slopes_of_inputs(seat, slopes);
            self.exchange_inputs(participant, start);
            let trial = Trial {
                at: start,
                step: plan.needs.first_step.unwrap_or(seat.grid.step()),
                inputs: self.team.desk(participant).current.clone(),
                input_slopes,
                outputs: self.histories[index].latest_row().to_planes(),
            };
            let change = self.call(participant, Call::Step, Some(start), move |p| trial.perform(p))?;
            if let Some(change) = change {
                slopes[index] = Some(change.slopes);
                bends[index] = Some(change.bends);
            }
        }
        Ok(bends)
    }

    /// How fast the inputs of a participant change, as far as that is known of the outputs that drive them.
    fn slopes_of_inputs(&self, seat: &Seat, known: &[Option<Vec<f64>>]) -> Vec<f64> {
        let inputs = seat.real_inputs.iter();
        let slope = |input: &RealInput| match input {
            RealInput::Open(_) | RealInput::Line { .. } => 0.0,
            RealInput::Wire(w) | RealInput::Rotation(w) | RealInput::RotationRest(w) => known
                [w.source.index()]
            .as_ref()
            .map_or(0.0, |slopes| w.conversion.factor * slopes[w.column as usize]),
        };
        inputs.map(slope).collect()
    }

    /// Writes the points before the start, and the initial one after them.
    fn write_past(
        &mut self,
        participant: ParticipantId,
        slopes: Option<&[f64]>,
        bends: Option<&[f64]>,
    ) -> Result<(), RunError> {
        let plan = Arc::clone(&self.plan);
        let seat = &plan.seats[participant.index()];
        let initial = self.histories[participant.index()].latest_row().to_planes();
        let earlier = [seat.grid.at(-2), seat.grid.at(-1)];
        let past: Vec<(SimTime, Planes)> = if !seat.past.is_empty() {
            given_past(&seat.past, &initial)
        } else {
            match plan.start {
                StartMode::Cold => Vec::new(),
                StartMode::Flat => earlier.map(|at| (at, initial.clone())).into(),
                StartMode::Consistent => match self.known_past(participant, earlier, &initial)? {
                    Some(known) => known,
                    None => earlier
                        .map(|at| (at, moved(&initial, (slopes, bends), at.since(plan.window.start))))
                        .into(),
                },
            }
        };
        let history = &mut self.histories[participant.index()];
        history.clear();
        for (at, row) in &past {
            history.publish(*at, SimTime::PAST).copy_from(row.view());
            if let Some(slopes) = slopes
                && plan.start == StartMode::Consistent
                && seat.wants_slopes
            {
                history.tell_slopes(slopes);
            }
        }
        history
            .publish(plan.window.start, SimTime::PAST)
            .copy_from(initial.view());
        if let Some(slopes) = slopes
            && seat.wants_slopes
        {
            history.tell_slopes(slopes);
        }
        Ok(())
    }

    fn known_past(
        &mut self,
        participant: ParticipantId,
        earlier: [SimTime; 2],
        initial: &Planes,
    ) -> Result<Option<Vec<(SimTime, Planes)>>, RunError> {
        let mut row = initial.clone();
        self.call(participant, Call::Past, Some(earlier[0]), move |p| {
            let Some(ability) = p.past() else { return Ok(None) };
            let mut rows = Vec::with_capacity(earlier.len());
            for at in earlier {
                ability.outputs_before(at, row.view_mut())?;
                rows.push((at, row.clone()));
            }
            Ok(Some(rows))
        })
    }
}

/// An empty history for what is wanted of a seat: events at the start ask for slopes before anything else is prepared.
pub(super) fn history(seat: &Seat) -> History {
    let history = History::new(seat.output_extent);
    match seat.wants_slopes {
        true => history.with_slopes(),
        false => history,
    }
}

/// Rows at the instants for which the user gave values; ports without one keep the initial value.
fn given_past(points: &[(SimTime, u32, crate::value::Value)], initial: &Planes) -> Vec<(SimTime, Planes)> {
    let mut instants: Vec<SimTime> = points.iter().map(|(at, ..)| *at).collect();
    instants.sort_by(|a, b| a.seconds().total_cmp(&b.seconds()));
    instants.dedup();
    let row = |at: SimTime| {
        let mut row = initial.clone();
        for (time, place, value) in points {
            if *time == at {
                row.view_mut().set(*place as usize, value);
            }
        }
        (at, row)
    };
    instants.into_iter().map(row).collect()
}

/// The initial row moved by `time` along the slopes and bends, or left as it is without them.
fn moved(initial: &Planes, (slopes, bends): (Option<&[f64]>, Option<&[f64]>), time: f64) -> Planes {
    let mut row = initial.clone();
    for (value, slope) in row.reals.iter_mut().zip(slopes.unwrap_or(&[])) {
        *value += slope * time;
    }
    for (value, bend) in row.reals.iter_mut().zip(bends.unwrap_or(&[])) {
        *value += 0.5 * bend * time * time;
    }
    row
}
