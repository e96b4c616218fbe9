//! What a line needs to know of those at its ends before the run begins: how they accelerate under loads.
//!
//! Accelerations are linear in loads, so asking everybody under no load and under each single one tells all there is to know. It
//! serves two purposes:
//!
//! - A line that is to be filled consistently begins with the loads of a rigid tie, under which its two ends accelerate alike. The
//!   line itself is accelerated, too: half of its inertia is carried by each end, unless it is taken away there. All waves in
//!   it rise with the velocity that comes of the acceleration.
//! - A line that stands for a rigid tie is made stiffer, as long as its inertia, which is taken away, is a small part of what there
//!   is at its ends.

use super::World;
use super::crew::Task;
use super::lines::{End, ROOM};
use crate::doctor::dense::{Matrix, spectral_radius, svd};
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::line::{Compensation, Filling, Medium, Properties};
use crate::monitor::WarningKind;
use crate::participant::Failure;
use crate::plan::{Line, LineEnd, Plan};
use crate::time::SimTime;

/// What is below this part of the largest is nothing: there a load moves nobody.
const NOTHING: f64 = 1e-9;

/// So much of the inertia at an interface may be taken away for a stiffer line: what is left moves a third more easily, which
/// solvers hardly feel.
const SPARE: f64 = 0.25;
/// A line is made stiffer by this factor at most: beyond, nobody sees a difference.
const STIFFEST: f64 = 10.0;

/// What is in all lines at the start: what arrives at each end there, and how fast it rises.
pub(super) struct Fillings {
    values: Vec<[f64; ROOM]>,
    rates: Vec<[f64; ROOM]>,
    widths: Vec<usize>,
}

impl Fillings {
    /// Lays down what is on its way to an end and from it.
    pub(super) fn lay(&self, (end, made): (usize, Properties), start: SimTime, state: &mut End) {
        let width = self.widths[end];
        // What arrives at an end before and after the start; a filter looks back.
        let arrives =
            |end: usize, time: f64| (0..width).map(move |c| self.values[end][c] + time * self.rates[end][c]);
        let (transport, memory) = (made.transport(), made.memory());
        state.arriving.push(start.after(-memory), arrives(end, -memory));
        state.arriving.push(start, arrives(end, 0.0));
        state
            .arriving
            .push(start.after(transport), arrives(end, transport));
        // What left here arrives there later, by the delay of slow changes.
        let slow = made.slow_delay();
        state
            .sent
            .push(start.after(-transport), arrives(end ^ 1, slow - transport));
        state.sent.push(start, arrives(end ^ 1, slow));
    }
}

/// One number at one end of a line.
struct Freedom {
    /// Which end, and which number of it.
    end: usize,
    component: usize,
    participant: ParticipantId,
    /// Place of the input, and load in SI for one of its units.
    effort: usize,
    effort_to_si: f64,
    /// Place of the output.
    flow: usize,
    flow_to_si: f64,
    /// Which unknown acts here, and in which sense.
    tie: usize,
    sense: f64,
    /// The inertia of the line that is carried here.
    carried: f64,
    /// The inertia of the line that this end lends to the wave.
    lent: f64,
    /// The inertia of the line that is taken away here.
    taken: f64,
    impedance: f64,
    kind: f64,
}

impl World {
    /// What is in the lines when the run begins.
    pub(super) fn fillings(&mut self, plan: &Plan) -> Result<Fillings, RunError> {
        let ends = 2 * plan.lines.len();
        let mut fillings = Fillings {
            values: vec![[0.0; ROOM]; ends],
            rates: vec![[0.0; ROOM]; ends],
            widths: (0..ends).map(|end| plan.lines[end / 2].width as usize).collect(),
        };
        for (index, line) in plan.lines.iter().enumerate() {
            for (side, end) in line.ends.iter().enumerate() {
                let Some(flow) = end.flow else { continue };
                let reals = self.histories[end.participant.index()].latest_reals();
                for component in 0..line.width as usize {
                    let moves = reals[flow as usize + component];
                    match line.medium {
                        // A signal that has not come yet is what it is at the start.
                        Medium::Signal => fillings.values[2 * index + 1][component] = moves,
                        // A line without load moves along with its ends.
                        _ => {
                            let impedance = self.lines.made[index].impedance_of(component);
                            fillings.values[2 * index + side][component] =
                                line.medium.sense() * impedance * end.flow_to_si * moves;
                        }
                    }
                }
            }
        }
        self.fill_consistently(plan, &mut fillings)?;
        Ok(fillings)
    }

    /// Makes lines stiffer that stand for rigid ties, as far as there is inertia to spare at both of their ends.
    pub(super) fn stiffen(&mut self, plan: &Plan) -> Result<(), RunError> {
        let freedoms = self.freedoms(plan, |line| line.properties.compensate == Compensation::Full)?;
        if freedoms.is_empty() {
            return Ok(());
        }
        let (_, mobility) = self.mobility(&freedoms)?;
        for line in 0..plan.lines.len() {
            let takers = plan.lines[line]
                .ends
                .iter()
                .enumerate()
                .filter_map(|(side, end)| {
                    let number = 2 * line + side;
                    let takes = |freedom: &Freedom| freedom.end == number && freedom.taken > 0.0;
                    freedoms.iter().any(takes).then_some(end.participant)
                });
            let factors = takers.map(|taker| {
                let own: Vec<usize> = (0..freedoms.len())
                    .filter(|index| freedoms[*index].participant == taker)
                    .collect();
                SPARE / share(&own, &freedoms, &mobility)
            });
            // What does not move at all has nothing to take from.
            let least = factors.filter(|factor| factor.is_finite()).reduce(f64::min);
            let factor = least.unwrap_or(1.0).min(STIFFEST);
            if factor > 1.0 {
                self.lines.made[line] = self.lines.made[line].times(factor);
            }
        }
        Ok(())
    }

    /// Lines that take more inertia away than there is cannot run. Inertia may become less on the way; then the participant says so.
    pub(super) fn refuse_what_is_too_heavy(&mut self, plan: &Plan) -> Result<(), RunError> {
        let mut freedoms = self.freedoms(plan, |line| line.properties.compensate != Compensation::None)?;
        freedoms.retain(|freedom| freedom.taken > 0.0);
        if freedoms.is_empty() {
            return Ok(());
        }
        let (_, mobility) = self.mobility(&freedoms)?;
        for (index, seat) in plan.seats.iter().enumerate() {
            let own: Vec<usize> = (0..freedoms.len())
                .filter(|place| freedoms[*place].participant.index() == index)
                .collect();
            let part = |place: usize| share(&[place], &freedoms, &mobility);
            let most = own.iter().copied().max_by(|a, b| part(*a).total_cmp(&part(*b)));
            let (Some(most), all) = (most, share(&own, &freedoms, &mobility)) else {
                continue;
            };
            if all >= 1.0 {
                let failure = too_heavy(plan, &freedoms[most], part(most), all);
                let at = Some(plan.window.start);
                return Err(RunError::participant(&seat.name, Call::Step, at, failure));
            }
        }
        Ok(())
    }

    /// Accelerations under no load, and what each single load adds to each.
    fn mobility(&mut self, freedoms: &[Freedom]) -> Result<(Vec<f64>, Matrix), RunError> {
        let resting = self.accelerations(freedoms, None)?;
        let mut mobility = Matrix::zeros(freedoms.len(), freedoms.len());
        for column in 0..freedoms.len() {
            let pushed = self.accelerations(freedoms, Some(column))?;
            for (row, pushed) in pushed.iter().enumerate() {
                mobility[(row, column)] = pushed - resting[row];
            }
        }
        Ok((resting, mobility))
    }

    /// Fills lines that ask for it with the waves of rigid ties.
    fn fill_consistently(&mut self, plan: &Plan, fillings: &mut Fillings) -> Result<(), RunError> {
        let freedoms = self.freedoms(plan, |line| line.properties.filling == Filling::Consistent)?;
        self.say_what_stays_empty(plan, &freedoms);
        let (count, ties) = (freedoms.len(), freedoms.last().map_or(0, |last| last.tie + 1));
        if count == 0 {
            return Ok(());
        }
        let (resting, mobility) = self.mobility(&freedoms)?;
        // a = a0 + A (S t - C a), with the loads t of the ties and the inertia C that ends carry: (I + A C) a = a0 + A S t.
        let carrying = Matrix::of(count, count, |row, column| {
            let unit = if row == column { 1.0 } else { 0.0 };
            unit + mobility[(row, column)] * freedoms[column].kind * freedoms[column].carried
        });
        let mut pushed = Matrix::zeros(count, ties + 1);
        for row in 0..count {
            for (column, freedom) in freedoms.iter().enumerate() {
                pushed[(row, freedom.tie)] += mobility[(row, column)] * freedom.sense;
            }
            pushed[(row, ties)] = resting[row];
        }
        let moved = smallest(&carrying, &pushed);
        // Both ends of a tie accelerate alike.
        let mut alike = Matrix::zeros(ties, ties);
        let mut wanted = Matrix::zeros(ties, 1);
        for (row, freedom) in freedoms.iter().enumerate() {
            let side = if freedom.end.is_multiple_of(2) {
                1.0
            } else {
                -freedom.kind
            };
            for column in 0..ties {
                alike[(freedom.tie, column)] += side * moved[(row, column)];
            }
            wanted[(freedom.tie, 0)] -= side * moved[(row, ties)];
        }
        let loads = smallest(&alike, &wanted);
        for (row, freedom) in freedoms.iter().enumerate() {
            let by_loads = (0..ties).map(|tie| moved[(row, tie)] * loads[(tie, 0)]);
            let acceleration = moved[(row, ties)] + by_loads.sum::<f64>();
            let load = freedom.sense * loads[(freedom.tie, 0)] - freedom.kind * freedom.lent * acceleration;
            let history = &self.histories[freedom.participant.index()];
            let velocity = freedom.flow_to_si * history.latest_reals()[freedom.flow];
            let wave = |velocity: f64| freedom.kind * freedom.impedance * velocity;
            fillings.values[freedom.end][freedom.component] = load + wave(velocity);
            fillings.rates[freedom.end][freedom.component] = wave(acceleration);
        }
        Ok(())
    }

    /// A line that was to be filled stays empty where an end does not tell how it accelerates.
    fn say_what_stays_empty(&mut self, plan: &Plan, freedoms: &[Freedom]) {
        for (index, line) in plan.lines.iter().enumerate() {
            let asked = line.properties.filling == Filling::Consistent && line.medium != Medium::Signal;
            if asked && !freedoms.iter().any(|freedom| freedom.end / 2 == index) {
                let name = &line.name;
                self.monitor
                    .notice(WarningKind::Line, name, plan.window.start, || {
                        format!(
                            "the line {name} begins empty: the components at its ends do not both tell how they accelerate under a \
                             load, as built-in models do"
                        )
                    });
            }
        }
    }

    /// All numbers of the lines that are wanted, as far as both ends tell how they accelerate.
    fn freedoms(&mut self, plan: &Plan, wanted: impl Fn(&Line) -> bool) -> Result<Vec<Freedom>, RunError> {
        let mut freedoms = Vec::new();
        let mut tie = 0;
        for (index, line) in plan.lines.iter().enumerate() {
            if line.medium == Medium::Signal || !wanted(line) {
                continue;
            }
            let [a, b] = line.ends.map(|end| end.participant);
            let mut tells = |who| self.call(who, Call::Slopes, None, |p| Ok(p.slopes().is_some()));
            if !(tells(a)? && tells(b)?) {
                continue;
            }
            let left = 1.0 - self.lines.compensated(plan, index);
            let made = &self.lines.made[index];
            for component in 0..line.width as usize {
                for (side, end) in line.ends.iter().enumerate() {
                    let taken = self.lines.share_of_inertia(plan, (2 * index + side) as u32);
                    let parts = (tie, left, taken);
                    freedoms.extend(freedom((line, made), (2 * index + side, end), component, parts));
                }
                tie += 1;
            }
        }
        Ok(freedoms)
    }

    /// The rates of all flows with a load of one in one place, or none; a rate that is not told counts as none.
    fn accelerations(&mut self, freedoms: &[Freedom], push: Option<usize>) -> Result<Vec<f64>, RunError> {
        let mut rates = vec![0.0; freedoms.len()];
        for index in 0..self.at.len() {
            let participant = ParticipantId(index as u32);
            if !freedoms.iter().any(|freedom| freedom.participant == participant) {
                continue;
            }
            let at = self.at[index];
            self.exchange_inputs(participant, at);
            let extent = self.plan.seats[index].output_extent.reals;
            let desk = self.team.desk(participant);
            (desk.from, desk.to) = (at, at);
            for (place, freedom) in freedoms.iter().enumerate() {
                if freedom.participant == participant {
                    let load = if push == Some(place) { 1.0 } else { 0.0 };
                    desk.current.reals[freedom.effort] = load / freedom.effort_to_si;
                }
            }
            desk.input_slopes.fill(0.0);
            let before = std::mem::replace(&mut desk.slopes, vec![f64::NAN; extent]);
            self.team.perform(Task::Slopes, std::iter::once(participant));
            let desk = self.team.desk(participant);
            let slopes = std::mem::replace(&mut desk.slopes, before);
            if desk.failure.is_some() {
                return Err(self.failure(participant));
            }
            for (rate, freedom) in rates.iter_mut().zip(freedoms) {
                if freedom.participant == participant && slopes[freedom.flow].is_finite() {
                    *rate = freedom.flow_to_si * slopes[freedom.flow];
                }
            }
        }
        Ok(rates)
    }
}

fn freedom(
    (line, made): (&Line, &Properties),
    (number, end): (usize, &LineEnd),
    component: usize,
    (tie, left, taken): (usize, f64, f64),
) -> Option<Freedom> {
    let kind = line.medium.sense();
    let half = 0.5 * made.inertia_of(component);
    Some(Freedom {
        end: number,
        component,
        participant: end.participant,
        effort: end.effort? as usize + component,
        effort_to_si: end.effort_to_si,
        flow: end.flow? as usize + component,
        flow_to_si: end.flow_to_si,
        tie,
        sense: if number.is_multiple_of(2) { 1.0 } else { -kind },
        carried: left * half,
        lent: half,
        taken: taken * 2.0 * half,
        impedance: made.impedance_of(component),
        kind,
    })
}

/// Why a line cannot be compensated that takes `part` of the inertia in one direction, and with all others at that participant `all`
/// of it.
#[cold]
fn too_heavy(plan: &Plan, freedom: &Freedom, part: f64, all: f64) -> Failure {
    let line = &plan.lines[freedom.end / 2];
    let unit = match line.medium {
        Medium::Spatial if freedom.component >= 3 => "kg·m²",
        Medium::Rotational => "kg·m²",
        Medium::Electric => "H",
        Medium::Hydraulic => "Pa·s²/m³",
        Medium::Translational | Medium::Spatial | Medium::Signal => "kg",
    };
    let short = |number: f64| format!("{number:.3e}").parse().unwrap_or(number);
    let (name, taken, there) = (&line.name, short(freedom.taken), short(freedom.taken / part));
    let together = match part < 1.0 {
        true => format!("; with all that is taken there it is {all:.3} times what there is"),
        false => String::new(),
    };
    let text = format!(
        "the line {name} is to be compensated for more inertia than there is at its end here: {taken} {unit} of {there} {unit}{together}"
    );
    let advice =
        format!("choose a smaller delay or impedance for the line {name}, or leave out `compensate`");
    Failure::numbers(text).advise(advice)
}

/// The part of the inertia of a participant that its lines take away, in the direction in which that is most: the largest
/// eigenvalue of mobility times inertia.
fn share(own: &[usize], freedoms: &[Freedom], mobility: &Matrix) -> f64 {
    let taken = Matrix::of(own.len(), own.len(), |row, column| {
        let (row, column) = (own[row], own[column]);
        freedoms[row].taken * mobility[(row, column)] * freedoms[column].kind
    });
    spectral_radius(&taken)
}

/// The smallest solution of `matrix · x = right`: unknowns that nothing depends on are zero, and where several could do, all do
/// their part.
fn smallest(matrix: &Matrix, right: &Matrix) -> Matrix {
    let parts = svd(matrix);
    let largest = parts.sizes.iter().fold(0.0, |most: f64, size| most.max(*size));
    let mut along = parts.u.transposed().times(right);
    for (row, size) in parts.sizes.iter().enumerate() {
        for column in 0..along.columns() {
            along[(row, column)] = match *size > NOTHING * largest {
                true => along[(row, column)] / size,
                false => 0.0,
            };
        }
    }
    parts.v.times(&along)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknowns_that_nothing_depends_on_are_zero() {
        // 2 x + z = 5, 4 z = 4, and nothing about y.
        let values = [[2.0, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 4.0]];
        let matrix = Matrix::of(3, 3, |row, column| values[row][column]);
        let found = smallest(&matrix, &Matrix::of(3, 1, |row, _| [5.0, 0.0, 4.0][row]));
        for (row, expected) in [2.0, 0.0, 1.0].into_iter().enumerate() {
            assert!((found[(row, 0)] - expected).abs() < 1e-12, "{row}");
        }
    }
}
