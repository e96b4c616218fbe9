//! Transmission lines at work: waves that arrive, loads that come of them, waves that leave.
//!
//! What arrives at an end does not depend on what moves there, so it is known ahead, as far as the other end has come and the
//! delay on top. A participant that can react feels the line inside its step: its input is the arriving wave, and the law on top of
//! it takes `Z v` off. One that cannot is told the load as a signal in time, with its own velocity as it goes on from its last
//! points. Either way the wave that leaves is `2 Z v - d`, of what arrived and how the interface truly moved: that is a line, whatever
//! the participant was told, so what it was told wrongly does not build up between two ends that throw every wave back.

use super::World;
use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::error::RunError;
use crate::graph::ParticipantId;
use crate::line::{Compensation, Interpolation, Medium, Properties, Runaway, Wave};
use crate::monitor::{LineAccount, WarningKind};
use crate::plan::{Line, LineEnd, LineQuantity, Plan};
use crate::reaction::{Inertia, Motion, Part, Reaction};
use crate::signal::{History, Reading, Segment};
use crate::time::SimTime;
use std::sync::Arc;

/// How a participant that cannot react goes on moving inside its step.
const OWN_MOTION: Reading = Reading::Quadratic;

/// The part of a delay in which no motion changes much.
const TICK: f64 = 1e-3;

/// The part of a delay that points have to be apart which come of nothing but points that arrived. Every point that is thrown back at both
/// ends is one for ever; where the steps of the ends do not fit the delay, each delay would have more of them than the one before.
const APART: f64 = 1.0 / 32.0;

/// The same where the wave bends: a bend that is moved to the next point is felt.
const BENDS_APART: f64 = 1.0 / 256.0;

/// A wave bends where it would be off by this part of itself if the point were [`APART`] from where it is.
const BEND: f64 = 1e-4;

/// All lines of a run.
pub(super) struct Lines {
    /// What each is made of, stiffer than the plan says where that costs nothing.
    pub(super) made: Vec<Properties>,
    ends: Vec<End>,
    /// By participant: its ends.
    of: Vec<Vec<u32>>,
    /// What leaves, before it is handed on: everybody of a group reads before anybody writes.
    leaving: Vec<(u32, SimTime)>,
    values: Vec<f64>,
    accounts: Vec<LineAccount>,
}

/// One end of a line.
pub(super) struct End {
    /// What arrives here, known ahead.
    pub(super) arriving: Wave,
    /// What left here and is on its way.
    pub(super) sent: Wave,
    /// Points up to here have been sent.
    until: SimTime,
    /// Does the participant feel the line inside its step?
    reacts: bool,
    /// Where it does not: does what it is told drive it away?
    runaway: Runaway,
}

impl Lines {
    pub(super) fn of(plan: &Plan) -> Self {
        let mut of = vec![Vec::new(); plan.seats.len()];
        let mut ends = Vec::with_capacity(2 * plan.lines.len());
        for line in &plan.lines {
            for end in &line.ends {
                of[end.participant.index()].push(ends.len() as u32);
                ends.push(End {
                    arriving: Wave::new(line.width as usize, line.properties.widest()),
                    sent: Wave::new(line.width as usize, line.properties.widest()),
                    until: SimTime::PAST,
                    reacts: false,
                    runaway: Runaway::default(),
                });
            }
        }
        Lines {
            made: plan.lines.iter().map(|line| line.properties).collect(),
            ends,
            of,
            leaving: Vec::new(),
            values: Vec::new(),
            accounts: plan.lines.iter().map(LineAccount::new).collect(),
        }
    }

    /// Appends what a line does to an input over a step, in the unit of the input.
    pub(super) fn read(
        &self,
        plan: &Plan,
        (end, component): (u32, u32),
        span: (SimTime, SimTime),
        history: &History,
        segments: &mut Vec<Segment>,
    ) {
        let (line, place) = parts(plan, end);
        let made = self.made_of(end);
        let state = &self.ends[end as usize];
        let (begin, unit) = (segments.len(), 1.0 / place.effort_to_si);
        let (rule, component) = (made.rule(), component as usize);
        state
            .arriving
            .segments(component, span, rule, plan.resolution, segments);
        let moving = place
            .flow
            .filter(|_| !state.reacts && line.medium != Medium::Signal);
        let motion = moving.map(|flow| {
            let signal = history.signal(flow as usize + component);
            let gain = damping(line, made, component) * place.flow_to_si;
            (signal.law(OWN_MOTION, span.1), gain)
        });
        for segment in &mut segments[begin..] {
            if let Some((law, gain)) = &motion {
                *segment = segment.plus(law, *gain);
            }
            *segment = segment.scaled(unit, 0.0);
        }
    }

    /// What a line does to an input where its participant stands, in the unit of the input; what a participant feels by
    /// itself is left out.
    pub(super) fn exchanged(
        &self,
        plan: &Plan,
        (end, component): (u32, u32),
        at: SimTime,
        history: &History,
    ) -> f64 {
        let (_, place) = parts(plan, end);
        let state = &self.ends[end as usize];
        match state.reacts {
            true => self.arrived(plan, (end, component), at) / place.effort_to_si,
            false => self.load(plan, (end, component), at, history),
        }
    }

    /// What has arrived at an end.
    fn arrived(&self, plan: &Plan, (end, component): (u32, u32), at: SimTime) -> f64 {
        let rule = self.made_of(end).rule();
        let at = match rule {
            // A sample counts from its very instant, however the sum of its time and the delay was rounded.
            Interpolation::Hold => plan.resolution.just_after(at),
            Interpolation::Linear | Interpolation::Cubic => at,
        };
        self.ends[end as usize].arriving.at(component as usize, at, rule)
    }

    /// What a line does to an interface, in the unit of the input, with the motion that its participant has published.
    fn load(&self, plan: &Plan, (end, component): (u32, u32), at: SimTime, history: &History) -> f64 {
        let (line, place) = parts(plan, end);
        let arriving = self.arrived(plan, (end, component), at);
        let (component, made) = (component as usize, self.made_of(end));
        let moving = place.flow.filter(|_| line.medium != Medium::Signal);
        let velocity = moving.map_or(0.0, |flow| {
            place.flow_to_si * history.signal(flow as usize + component).read(OWN_MOTION, at)
        });
        (arriving + damping(line, made, component) * velocity) / place.effort_to_si
    }

    /// Does a point leave from where a participant stopped only because a wave that arrives has one there? It is so far from its
    /// next neighbour.
    pub(super) fn hand_back(&self, plan: &Plan, participant: ParticipantId, at: SimTime, apart: f64) -> bool {
        let Some(ends) = self.of.get(participant.index()).filter(|ends| !ends.is_empty()) else {
            return true;
        };
        ends.iter().any(|end| {
            let (made, wave) = (self.made_of(*end), &self.ends[*end as usize].arriving);
            let (transport, rule, resolution) = (made.transport(), made.rule(), plan.resolution);
            let bends = || wave.bend_at(at, rule, resolution) * APART * transport > BEND;
            apart >= APART * transport
                || (apart >= BENDS_APART * transport && bends())
                // A jump is thrown back as a jump.
                || wave.jumps_at(at, resolution)
        })
    }

    /// The energy of the waves in a line.
    fn energy(&self, plan: &Plan, line: u32, at: SimTime) -> f64 {
        let properties = &self.made[line as usize];
        let span = (at.after(-properties.transport()), at);
        let mut energy = 0.0;
        for end in &self.ends[2 * line as usize..][..2] {
            for component in 0..plan.lines[line as usize].width as usize {
                let square = end.sent.square(component, span, properties.rule());
                energy += square / (4.0 * properties.impedance_of(component));
            }
        }
        energy
    }

    /// Hands on what was collected.
    fn hand_on(&mut self, plan: &Plan, settled: SimTime) {
        let mut values = self.values.iter();
        for &(end, at) in &self.leaving {
            let (line, _) = parts(plan, end);
            let other = (end ^ 1) as usize;
            let properties = self.made[end as usize / 2];
            let (transport, memory, alpha) = (properties.transport(), properties.memory(), properties.alpha);
            let arrives = at.after(transport);
            let state = &mut self.ends[end as usize];
            let begin = self.values.len() - values.len();
            state
                .sent
                .push(at, values.by_ref().take(line.width as usize).copied());
            state.sent.forget_before(settled.after(-transport));
            state.until = at;
            let arriving = &mut self.ends[other].arriving;
            let kept = arrives.after(-memory);
            let room = &mut [0.0; ROOM];
            let room = &mut room[..(line.width as usize).min(ROOM)];
            for (component, value) in room.iter_mut().enumerate() {
                let new = self.values[begin + component];
                *value = match alpha > 0.0 && line.medium != Medium::Signal {
                    false => new,
                    true => {
                        let rule = properties.rule();
                        let before = arriving.known_until();
                        // What is kept may be younger than the last point: then it lies on the way to the new one.
                        let share = match kept > before && arrives > before {
                            true => kept.since(before) / arrives.since(before),
                            false => 0.0,
                        };
                        let old = arriving.at(component, kept.min(before), rule);
                        ((1.0 - alpha) * new + alpha * (1.0 - share) * old) / (1.0 - alpha * share)
                    }
                };
            }
            arriving.push(arrives, room.iter().copied());
            arriving.forget_before(settled.min(kept));
        }
        self.leaving.clear();
        self.values.clear();
    }
}

/// On which side of an instant a wave is meant.
enum Side {
    At,
    Before,
    After,
}

/// Numbers that a line carries at most.
pub(super) const ROOM: usize = 64;

/// A line and one of its ends.
fn parts(plan: &Plan, end: u32) -> (&Line, &LineEnd) {
    let line = &plan.lines[end as usize / 2];
    (line, &line.ends[end as usize % 2])
}

/// Load for a velocity of one, beside what arrives.
fn damping(line: &Line, made: &Properties, component: usize) -> f64 {
    -line.medium.sense() * made.impedance_of(component)
}

impl World {
    /// Fills the lines, and lets those at their ends feel them.
    pub(super) fn prepare_lines(&mut self) -> Result<(), RunError> {
        let plan = Arc::clone(&self.plan);
        if plan.lines.is_empty() {
            return Ok(());
        }
        self.lines = Lines::of(&plan);
        for index in 0..plan.seats.len() {
            let participant = ParticipantId(index as u32);
            if self.lines.of[index].is_empty() {
                continue;
            }
            let pace = self.pace_of(participant)?;
            for &end in &self.lines.of[index] {
                self.lines.ends[end as usize].reacts = pace.reacts;
            }
            // Who does not feel the line goes on from its last points, which must not be closer than its steps are long.
            if pace.reacts && pace.own_steps && pace.shows {
                self.show_inner_steps(participant);
            }
        }
        self.stiffen(&plan)?;
        self.refuse_what_is_too_heavy(&plan)?;
        let fillings = self.fillings(&plan)?;
        for (index, state) in self.lines.ends.iter_mut().enumerate() {
            let made = self.lines.made[index / 2];
            fillings.lay((index, made), plan.window.start, state);
        }
        for index in 0..plan.seats.len() {
            self.feel_lines(&plan, ParticipantId(index as u32))?;
        }
        for line in 0..plan.lines.len() {
            let compensated = self.lines.compensated(&plan, line);
            let account = &mut self.lines.accounts[line];
            (account.compensated, account.made) = (compensated, self.lines.made[line]);
            let (name, start) = (&plan.lines[line].name, plan.window.start);
            if self.lines.is_to_be_compensated(&plan, line) && compensated == 0.0 {
                self.monitor.notice(WarningKind::Line, name, start, || {
                    format!(
                        "the line {name} is not compensated: neither of the components at its ends can feel it inside its steps; built-in \
                         models can, without markers and in the system's unit of time"
                    )
                });
            }
        }
        // Outputs that react at once have not seen the loads yet.
        self.evaluate_everyone(&plan.exchange)?;
        for line in 0..plan.lines.len() {
            if let Some(way) = self.way_across(line, plan.window.start) {
                self.lines.accounts[line].origin = way;
            }
        }
        let before = plan.resolution.just_before(plan.window.start);
        self.lines.ends.iter_mut().for_each(|end| end.until = before);
        self.transmit((0..plan.seats.len() as u32).map(ParticipantId));
        Ok(())
    }

    /// From now on the participant feels its lines inside its steps, if it can.
    fn feel_lines(&mut self, plan: &Plan, participant: ParticipantId) -> Result<(), RunError> {
        let outputs = plan.seats[participant.index()].output_extent.reals;
        let mut reaction = Reaction::default();
        for &end in &self.lines.of[participant.index()] {
            let (line, place) = parts(plan, end);
            let (Some(flow), Some(effort)) = (place.flow, place.effort) else {
                continue;
            };
            if !self.lines.ends[end as usize].reacts {
                continue;
            }
            let unit = place.flow_to_si / place.effort_to_si;
            let share = self.lines.share_of_inertia(plan, end);
            let made = *self.lines.made_of(end);
            // In space three numbers turn together with the axes in which a participant lives.
            let together = if line.medium == Medium::Spatial { 3 } else { 1 };
            for first in (0..line.width).step_by(together as usize) {
                let components = first..first + together;
                let mut gains = vec![0.0; (together * together) as usize];
                for (index, component) in components.clone().enumerate() {
                    gains[index * (together as usize + 1)] = unit * damping(line, &made, component as usize);
                }
                reaction.parts.push(Part {
                    inputs: components.clone().map(|c| effort + c).collect(),
                    motions: components.map(|c| Motion::Value(flow + c)).collect(),
                    origin: vec![0.0; outputs],
                    gains,
                    ..Part::default()
                });
            }
            for component in 0..line.width {
                let inertia = share * made.inertia_of(component as usize);
                if inertia > 0.0 {
                    reaction.inertias.push(Inertia {
                        input: effort + component,
                        output: flow + component,
                        mass: line.medium.sense() * unit * inertia,
                    });
                    let tick = TICK * made.delay;
                    reaction.tick = if reaction.tick > 0.0 {
                        reaction.tick.min(tick)
                    } else {
                        tick
                    };
                }
            }
        }
        match reaction.is_empty() {
            true => Ok(()),
            false => self.react(participant, &reaction),
        }
    }

    /// Sends what has left the interfaces of a group since it was last asked.
    pub fn transmit(&mut self, group: impl Iterator<Item = ParticipantId>) {
        let plan = Arc::clone(&self.plan);
        for participant in group {
            for index in 0..self.lines.of[participant.index()].len() {
                let end = self.lines.of[participant.index()][index];
                self.collect(&plan, participant, end);
            }
        }
        self.lines.hand_on(&plan, self.frontier);
    }

    /// Reads what has left one interface.
    fn collect(&mut self, plan: &Plan, participant: ParticipantId, end: u32) {
        let (line, place) = parts(plan, end);
        let Some(flow) = place.flow else { return };
        let history = &self.histories[participant.index()];
        let lines = &mut self.lines;
        let (made, state) = (*lines.made_of(end), &lines.ends[end as usize]);
        let mut first = history.len();
        while first > 0 && plan.resolution.before(state.until, history.time(first - 1)) {
            first -= 1;
        }
        for index in first..history.len() {
            let (at, row) = (history.time(index), history.row(index).reals);
            // What jumps here is thrown back as a jump: both of its sides leave.
            let jumps = line.medium != Medium::Signal && state.arriving.jumps_at(at, plan.resolution);
            let sides: &[Side] = if jumps {
                &[Side::Before, Side::After]
            } else {
                &[Side::At]
            };
            for side in sides {
                lines.leaving.push((end, at));
                for component in 0..line.width as usize {
                    let moves = row[flow as usize + component];
                    let value = match line.medium {
                        Medium::Signal => moves,
                        _ => {
                            let arrived = match side {
                                Side::At => state.arriving.at(component, at, made.rule()),
                                Side::Before => state.arriving.before(component, at, plan.resolution),
                                Side::After => state.arriving.after(component, at, plan.resolution),
                            };
                            let impedance = made.impedance_of(component);
                            2.0 * impedance * place.flow_to_si * moves - line.medium.sense() * arrived
                        }
                    };
                    lines.values.push(value);
                }
            }
        }
        if !state.reacts && line.medium != Medium::Signal {
            self.judge_what_was_told(plan, end, first);
        }
    }

    /// Looks at whether what an end was told drives it away, at its points from `first` on.
    fn judge_what_was_told(&mut self, plan: &Plan, end: u32, first: usize) {
        let (line, place) = parts(plan, end);
        let Some(flow) = place.flow else { return };
        let history = &self.histories[place.participant.index()];
        let made = *self.lines.made_of(end);
        let state = &mut self.lines.ends[end as usize];
        for index in first.max(1)..history.len() {
            let (before, at) = (history.time(index - 1), history.time(index));
            // Powers of waves, so that forces and moments count alike: (f² + Z² v²) / Z is half of what both waves carry.
            let (mut off, mut size) = (0.0, 0.0);
            for component in 0..line.width as usize {
                let impedance = made.impedance_of(component);
                let column = flow as usize + component;
                let moves = place.flow_to_si * history.row(index).reals[column];
                let told = history.signal(column).read_visible(OWN_MOTION, at, before);
                let arrived = state.arriving.at(component, at, made.rule());
                let load = arrived + damping(line, &made, component) * moves;
                off += impedance * (place.flow_to_si * told - moves).powi(2);
                size += load * load / impedance + impedance * moves * moves;
            }
            if state.runaway.enter(off, size) {
                let name = &plan.seats[place.participant.index()].name;
                let whose = format!("{}: {name}", line.name);
                self.monitor.notice(WarningKind::Unstable, &whose, at, || {
                    format!(
                        "the line {} is unstable at its end {name}, which is told the load as a signal: waves grow, and what it was told of \
                         its own motion was off by more than half over the last points; choose a smaller `step` for {name} or a smaller \
                         impedance for the line, or let a built-in model stand there, which feels the line inside its steps",
                        line.name
                    )
                });
            }
        }
    }

    /// Up to where a participant may go, as far as its lines know what arrives.
    pub fn horizon(&self, participant: ParticipantId) -> SimTime {
        let ends = self.lines.of[participant.index()].iter();
        ends.filter(|end| parts(&self.plan, **end).1.effort.is_some())
            .map(|end| self.lines.ends[*end as usize].arriving.known_until())
            .fold(SimTime::FUTURE, SimTime::min)
    }

    /// Something of a line at an instant that is settled.
    pub(crate) fn line_value(&self, quantity: LineQuantity, at: SimTime) -> f64 {
        match quantity {
            LineQuantity::Energy { line } => self.lines.energy(&self.plan, line, at),
            LineQuantity::Load { end, component } => {
                let (_, place) = parts(&self.plan, end);
                let history = &self.histories[place.participant.index()];
                self.lines.load(&self.plan, (end, component), at, history)
            }
        }
    }

    /// Looks at all lines where everybody has come.
    pub fn survey_lines(&mut self, at: SimTime) {
        for index in 0..self.plan.lines.len() {
            if let Some(way) = self.way_across(index, at) {
                self.lines.accounts[index].note_gap(way, at);
            }
        }
    }

    /// From one end of a line to the other, where both tell their positions.
    fn way_across(&self, line: usize, at: SimTime) -> Option<[f64; 3]> {
        let line = &self.plan.lines[line];
        let [a, b] = &line.ends;
        let (first, second) = (a.position?, b.position?);
        let count = if line.medium == Medium::Spatial { 3 } else { 1 };
        let read = |end: &LineEnd, place: u32| {
            let history = &self.histories[end.participant.index()];
            end.position_to_si * history.signal(place as usize).read(OWN_MOTION, at)
        };
        let mut way = [0.0; 3];
        for (component, way) in (0..count).zip(&mut way) {
            *way = read(b, second + component) - read(a, first + component);
        }
        Some(way)
    }

    /// What is known of each line.
    pub fn line_accounts(&self) -> &[LineAccount] {
        &self.lines.accounts
    }
}

impl Lines {
    /// Has everything been sent that there is, and is everything on its way that was sent? Else somebody would wait for ever.
    pub(super) fn are_sane(&self, plan: &Plan, at: &[SimTime]) -> bool {
        let same = |a: SimTime, b: SimTime| plan.resolution.same(a, b);
        (0..self.ends.len() as u32).all(|end| {
            let (_, place) = parts(plan, end);
            let state = &self.ends[end as usize];
            let arrives = state.until.after(self.made_of(end).transport());
            place.flow.is_none()
                || (same(state.until, at[place.participant.index()])
                    && same(self.ends[(end ^ 1) as usize].arriving.known_until(), arrives))
        })
    }

    /// What the line of an end is made of.
    fn made_of(&self, end: u32) -> &Properties {
        &self.made[end as usize / 2]
    }

    /// The part of the inertia of its line that is taken away at an end: half of it, or all where the other end cannot.
    pub(super) fn share_of_inertia(&self, plan: &Plan, end: u32) -> f64 {
        let able = |end: u32| self.ends[end as usize].reacts;
        match (
            self.is_to_be_compensated(plan, end as usize / 2),
            able(end),
            able(end ^ 1),
        ) {
            (true, true, true) => 0.5,
            (true, true, false) => 1.0,
            _ => 0.0,
        }
    }

    /// Is inertia of a line to be taken away?
    fn is_to_be_compensated(&self, plan: &Plan, line: usize) -> bool {
        let line = &plan.lines[line];
        line.properties.compensate != Compensation::None && line.medium != Medium::Signal
    }

    /// The part of the inertia of a line that is taken away at all.
    pub(super) fn compensated(&self, plan: &Plan, line: usize) -> f64 {
        let ends = [2 * line as u32, 2 * line as u32 + 1];
        ends.iter().map(|end| self.share_of_inertia(plan, *end)).sum()
    }
}

impl Resumable for Lines {
    fn keep(&self, writer: &mut Writer) {
        writer.length(self.ends.len());
        for end in &self.ends {
            end.arriving.keep(writer);
            end.sent.keep(writer);
            writer.time(end.until);
            end.runaway.keep(writer);
        }
        self.accounts.iter().for_each(|account| account.keep(writer));
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        reader.exactly(self.ends.len(), "ends of lines")?;
        for end in &mut self.ends {
            end.arriving.resume(reader)?;
            end.sent.resume(reader)?;
            end.until = reader.time("waves")?;
            end.runaway.resume(reader)?;
        }
        self.accounts
            .iter_mut()
            .try_for_each(|account| account.resume(reader))
    }
}
