//! Claims on steps of a solver that chooses them by itself.

use super::bench::Bench;
use super::bits::{Trail, distance, real_elements};
use super::drive::Driven;
use super::rig::Rig;
use super::{Make, Options};
use cardan_core::participant::{StepEnd, StepRequest, Watch};
use cardan_core::planes::Planes;
use cardan_core::time::SimTime;

/// More own steps than this in one request mean that it goes nowhere.
const MOST: usize = 100_000;

impl Rig<'_> {
    /// One own step towards `to`, with inputs that reach as far at least.
    fn own_step(&mut self, to: SimTime, driven: &Driven, watch: Watch<'_>) -> StepEnd {
        let from = self.now;
        let terms = self.terms;
        let steps = self
            .participant
            .own_steps()
            .unwrap_or_else(|| terms.fail("`own_steps` was offered before and is not any more"));
        let outcome = steps.step_once(StepRequest {
            from,
            to,
            inputs: driven.inputs(),
            watch,
        });
        let end = self.expect("step_once", outcome);
        self.arrive(from, to, end);
        if end == (StepEnd::Early { at: to }) {
            terms.fail(format_args!(
                "an own step to {to:?} went all the way and calls it early"
            ));
        }
        end
    }

    /// Goes to `to` by own steps; answers the outputs at the end of each.
    fn own_trail(&mut self, to: SimTime) -> Trail {
        let driven = self.drive.over(self.now, to);
        let mut trail = Vec::new();
        while self.now < to && !self.ended {
            self.own_step(to, &driven, Watch::Nothing);
            let values = self.outputs_with(&driven.read_at(self.now));
            trail.push((self.now, values));
            if trail.len() > MOST {
                self.terms
                    .fail(format_args!("{MOST} own steps do not lead to {to:?}"));
            }
        }
        trail
    }
}

/// An own step ends where it says: outputs can be had there, the last point of its trace is there, and the next one goes on
/// from there, up to the end of the request and no further.
pub fn own_steps_end_where_they_say(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("own_steps_end_where_they_say", make, options) else {
        return;
    };
    let mut rig = bench.ready();
    if rig.participant.own_steps().is_none() {
        return;
    }
    let shows = rig.participant.trace().is_some();
    for to in bench.points() {
        let driven = rig.drive.over(rig.now, to);
        for _ in 0..MOST {
            if rig.now >= to || rig.ended {
                break;
            }
            let from = rig.now;
            rig.own_step(to, &driven, Watch::InnerSteps);
            let output = rig.outputs_with(&driven.read_at(rig.now));
            if !shows {
                continue;
            }
            let (shown, point) = last_point(&mut rig);
            if shown.last() != Some(&rig.now) || shown.first().is_none_or(|&t| t <= from) {
                let now = rig.now;
                bench.fail(format_args!(
                    "the own step from {from:?} to {now:?} shows the instants {shown:?}"
                ));
            }
            if let Some(words) = distance(&rig.ports, &point, &output) {
                let now = rig.now;
                bench.fail(format_args!(
                    "at {now:?}, as the last point of the own step against as output, {words}"
                ));
            }
        }
        if rig.now != to && !rig.ended {
            bench.fail(format_args!(
                "{MOST} own steps lead to {:?}, not to {to:?}",
                rig.now
            ));
        }
    }
}

/// Own steps lead where one step leads, up to the tolerance of the solver.
pub fn own_steps_make_up_a_step(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("own_steps_make_up_a_step", make, options) else {
        return;
    };
    let (mut own, mut whole) = (bench.ready(), bench.ready());
    if own.participant.own_steps().is_none() {
        return;
    }
    for to in bench.points() {
        own.own_trail(to);
        // The same inputs to the last digit, also after an early end.
        let driven = whole.drive.over(whole.now, to);
        while whole.now < to && !whole.ended {
            whole.step_with(to, &driven, Watch::Nothing);
        }
        if own.ended || whole.ended {
            return;
        }
        let (one, other) = (own.outputs(), whole.outputs());
        for (place, (port, name)) in real_elements(&own.ports).enumerate() {
            let (a, b) = (one.reals[place], other.reals[place]);
            let size = a.abs().max(b.abs()).max(port.nominal.abs());
            let alike = a.to_bits() == b.to_bits() || (a - b).abs() <= options.agreement * size;
            if !alike {
                bench.fail(format_args!(
                    "at {to:?} own steps lead to {a} and one step to {b} in `{name}`"
                ));
            }
        }
    }
}

/// Own steps that are taken back and repeated end at the same instants with the same bits.
pub fn own_steps_repeat_after_rollback(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("own_steps_repeat_after_rollback", make, options) else {
        return;
    };
    let mut rig = bench.ready();
    if rig.participant.own_steps().is_none() || rig.participant.rollback().is_none() {
        return;
    }
    let points = bench.points();
    let driven = rig.drive.over(rig.now, points[0]);
    rig.own_step(points[0], &driven, Watch::Nothing);
    if rig.ended {
        return;
    }
    // In the middle of a request, as a rule.
    rig.save(0);
    let at = rig.now;
    let expected = rig.own_trail(points[1]);
    rig.restore(0, at);
    rig.drive.shift = 7.0 * bench.step();
    rig.own_trail(points[1]);
    rig.drive.shift = 0.0;
    rig.restore(0, at);
    let found = rig.own_trail(points[1]);
    bench.expect_same(
        &rig.ports,
        &expected,
        &found,
        "own steps after saving against after restoring",
    );
}

/// The instants shown of the last step, and the point at the last of them.
fn last_point(rig: &mut Rig<'_>) -> (Vec<SimTime>, Planes) {
    let mut values = rig.room();
    let Some(trace) = rig.participant.trace() else {
        return (Vec::new(), values);
    };
    let shown = trace.instants().to_vec();
    let outcome = match shown.len() {
        0 => Ok(()),
        count => trace.point(count - 1, values.view_mut()),
    };
    rig.expect("point", outcome);
    (shown, values)
}
