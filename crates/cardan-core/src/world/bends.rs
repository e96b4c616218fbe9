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
    /// Where the last step that was kept ended, and how fast outputs changed from there, as far as that is known; and the same of
    /// the last attempt.
    begun: (SimTime, Vec<f64>),
    tried: (SimTime, Vec<f64>),
}

impl Courses {
    pub(super) fn of(participants: impl Iterator<Item = ParticipantId>) -> Self {
        let course = |participant| Course {
            participant,
            answers: true,
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
        if course.tried.0 == from {
            std::mem::swap(&mut course.begun, &mut course.tried);
        }
        course.tried.0 = to;
        course.tried.1.clear();
        course.tried.1.resize(now.len(), f64::NAN);
        for Slopes { column, first, last } in came {
            let place = column as usize;
            let values = [now[place], next.reals[place], further.reals[place]];
            let (slope, jump) = sets_off(values, length, last);
            course.tried.1[place] = slope;
            let ahead = (slope - last).abs();
            let behind = match course.begun.0 == from {
                true => (course.begun.1[place] - first).abs(),
                false => 0.0,
            };
            // The larger of what is known.
            let apart = ahead.max(behind).max(0.0);
            bends.push(Bend {
                participant,
                column,
                missed: apart * to.since(from),
                jump,
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

/// How fast an output sets off, from its values now and after each of two tiny steps, and by how much it jumps. One that came on a
/// course and does not go on in both may be of those that move in inner steps of a fixed length: then its slope is not known.
fn sets_off([now, next, further]: [f64; 3], length: f64, came: f64) -> (f64, f64) {
    let (first, second) = (next - now, further - next);
    match (first == 0.0, second == 0.0) {
        (true, true) if came == 0.0 => (0.0, 0.0),
        (true, true) => (f64::NAN, 0.0),
        (true, false) | (false, true) => (f64::NAN, (first + second).abs()),
        // What it showed may be what it made of its inputs before: that jumps as soon as it sees new ones.
        (false, false) => (second / length, (first - second).abs()),
    }
}

/// How fast an output changed where a step began and where it ended.
struct Slopes {
    column: u32,
    first: f64,
    last: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courses_jumps_and_rest_are_told_apart() {
        let length = 1e-6;
        let (slope, jump) = sets_off([1.0, 1.0 + 2e-6, 1.0 + 4e-6], length, 2.0);
        // Differences of numbers near one, over a millionth.
        assert!((slope - 2.0).abs() < 1e-9 && jump < 1e-15, "{slope} {jump}");
        let (slope, jump) = sets_off([-0.9, 0.9, 0.9 - 1e-5], length, -10.0);
        assert!(
            (slope + 10.0).abs() < 1e-9 && (jump - 1.8).abs() < 1e-4,
            "{slope} {jump}"
        );
        assert_eq!(sets_off([3.0; 3], length, 0.0), (0.0, 0.0), "at rest");
        assert!(
            sets_off([3.0; 3], length, 1.0).0.is_nan(),
            "inner steps of its own"
        );
        let (slope, jump) = sets_off([3.0, 3.5, 3.5], length, 1.0);
        assert!(slope.is_nan() && jump == 0.5, "one of them");
    }
}
