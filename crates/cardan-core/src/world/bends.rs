//! Outputs that bend or jump inside a step, of participants that do not say so.
//!
//! A Co-Simulation FMU that is given the mean of its inputs over a step may not see that they take it over a switch of its own
//! before the end: nor do the halves of the step, and both agree. Or the mean takes them over it at the beginning, and both do so too
//! early. So it is asked what it would do next with inputs as they are at the end of each step: two tiny steps, taken back. Where an
//! output goes on as it came, and then as it set off, nothing has happened. Where courses differ, a switch lies in the step, and what
//! was missed is at most that difference over the length of the step.

use super::World;
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::time::SimTime;

/// An output that sets off on another course than the one it came on.
#[derive(Clone, Copy, Debug)]
pub struct Bend {
    /// Whose.
    pub participant: ParticipantId,
    /// Which real of its row.
    pub column: u32,
    /// What may have been missed of it over the step.
    pub missed: f64,
    /// By how much it jumps in no time.
    pub jump: f64,
}

/// What is known of those who do not say where they switch.
#[derive(Default)]
pub(super) struct Courses {
    list: Vec<Course>,
}

/// How one sets off where steps end.
#[derive(Clone, Debug)]
struct Course {
    participant: ParticipantId,
    /// Does it take tiny steps?
    answers: bool,
    /// Has it ever moved in one? Else it may move in steps of its own only.
    moves: bool,
    /// Where the last step that was kept ended, and how fast outputs changed from there; and the same of the last attempt.
    begun: (SimTime, Vec<f64>),
    tried: (SimTime, Vec<f64>),
}

impl Courses {
    pub(super) fn of(participants: impl Iterator<Item = ParticipantId>) -> Self {
        let course = |participant| Course {
            participant,
            answers: true,
            moves: false,
            begun: (SimTime::PAST, Vec::new()),
            tried: (SimTime::PAST, Vec::new()),
        };
        Courses {
            list: participants.map(course).collect(),
        }
    }

    /// Something jumped: nothing need go on as it was going to.
    pub(super) fn forget(&mut self) {
        for course in &mut self.list {
            (course.begun.0, course.tried.0) = (SimTime::PAST, SimTime::PAST);
        }
    }
}

impl World {
    /// Bends in a step that was done in two halves, or at its end, of those who do not follow the course of their inputs and
    /// have nothing to announce events with.
    pub fn bends(&mut self, step: (SimTime, SimTime)) -> Result<Vec<Bend>, RunError> {
        let mut bends = Vec::new();
        let mut courses = std::mem::take(&mut self.courses);
        let mut result = Ok(());
        for course in courses.list.iter_mut().filter(|course| course.answers) {
            result = result.and_then(|()| self.note_bends(course, step, &mut bends));
        }
        self.courses = courses;
        result.map(|()| bends)
    }

    fn note_bends(
        &mut self,
        course: &mut Course,
        (from, to): (SimTime, SimTime),
        bends: &mut Vec<Bend>,
    ) -> Result<(), RunError> {
        let participant = course.participant;
        if self.acts(participant) || !self.can_go_back(participant) {
            return Ok(());
        }
        let Some(came) = self.came(participant, (from, to)) else {
            return Ok(());
        };
        let question = self.question(participant, to);
        self.exchange_input_slopes(participant, to);
        let question = question.along(&self.team.desk(participant).input_slopes);
        let length = question.length();
        let answer = self.call(participant, Call::Step, Some(to), move |p| question.ask_twice(p))?;
        let Some([next, further]) = answer else {
            course.answers = false;
            return Ok(());
        };
        let now = self.histories[participant.index()].latest_reals();
        course.moves |= next.reals != now;
        let pairs = further.reals.iter().zip(&next.reals);
        let leaves = pairs.map(|(further, next)| (further - next) / length);
        if course.tried.0 == from {
            std::mem::swap(&mut course.begun, &mut course.tried);
        }
        course.tried.0 = to;
        course.tried.1.clear();
        course.tried.1.extend(leaves);
        if !course.moves {
            return Ok(());
        }
        for Slopes { column, first, last } in came {
            let place = column as usize;
            let ahead = (course.tried.1[place] - last).abs();
            let behind = match course.begun.0 == from {
                true => (course.begun.1[place] - first).abs(),
                false => 0.0,
            };
            // What it shows may be what it made of its inputs before: that jumps as soon as it sees new ones.
            let jump = (next.reals[place] - now[place]) - length * course.tried.1[place];
            bends.push(Bend {
                participant,
                column,
                missed: ahead.max(behind) * to.since(from),
                jump: jump.abs(),
            });
        }
        Ok(())
    }

    /// How fast continuous outputs changed at both ends of a step, by the parabola through its three points. None if there are
    /// not just these.
    fn came(&self, participant: ParticipantId, (from, to): (SimTime, SimTime)) -> Option<Vec<Slopes>> {
        let history = &self.histories[participant.index()];
        let [begin, middle, end] = [3, 2, 1].map(|back| history.len().checked_sub(back));
        let (begin, middle, end) = (begin?, middle?, end?);
        let resolution = self.plan.resolution;
        if !resolution.same(history.time(begin), from) || !resolution.same(history.time(end), to) {
            return None;
        }
        let lengths = [
            history.time(middle).since(history.time(begin)),
            history.time(end).since(history.time(middle)),
        ];
        let rows = [begin, middle, end].map(|point| history.row(point).reals);
        let seat = &self.plan.seats[participant.index()];
        let slopes = |&(column, _): &(u32, f64)| {
            let [begin, middle, end] = rows.map(|row| row[column as usize]);
            let (first, second) = ((middle - begin) / lengths[0], (end - middle) / lengths[1]);
            let bend = (second - first) / (lengths[0] + lengths[1]);
            Slopes {
                column,
                first: first - bend * lengths[0],
                last: second + bend * lengths[1],
            }
        };
        Some(seat.continuous.iter().map(slopes).collect())
    }
}

/// How fast an output changed where a step began and where it ended.
struct Slopes {
    column: u32,
    first: f64,
    last: f64,
}
