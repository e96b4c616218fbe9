//! Components that take steps of one length only: what makes a step shorter is told where it is known before the run.

use crate::components::Component;
use cardan_core::plan::{Plan, Seat};
use cardan_core::time::SimTime;
use cardan_describe::{Reporter, SystemSpec};

/// Warns of a step that does not divide the run, and of jumps of inputs between two points of the grid.
pub(crate) fn check(
    spec: &SystemSpec,
    plan: &Plan,
    components: &[Component],
    jumps: &[f64],
    reporter: &mut Reporter,
) {
    let seats = spec.components.iter().zip(components).zip(&plan.seats);
    for ((described, component), seat) in seats {
        let Component::Made(participant, _) = component else {
            continue;
        };
        if participant.takes_any_step() {
            continue;
        }
        let (name, step) = (&described.name, seat.grid.step());
        let wants = format!("`{}` takes steps of one length only", name.value);
        let (start, stop) = (plan.window.start, plan.window.stop);
        if !on_grid(plan, seat, stop) {
            let length = stop.since(start);
            let message = format!(
                "{wants}, but its step of {step} s does not divide the run of {length} s: the last one is shorter"
            );
            reporter
                .warning(name.span, message)
                .advice("choose a step or an end of the run that fits, or expect it to fail there");
        }
        let inside = |at: &SimTime| start < *at && *at < stop;
        let mut jumps = jumps.iter().map(|&at| SimTime::from_seconds(at)).filter(inside);
        if let Some(odd) = jumps.find(|at| !on_grid(plan, seat, *at)) {
            let message =
                format!("{wants}, but its inputs jump at {odd} s, between two of its steps of {step} s");
            reporter
                .warning(name.span, message)
                .advice("put jumps of the table on its communication points, or expect it to fail there");
        }
    }
}

fn on_grid(plan: &Plan, seat: &Seat, at: SimTime) -> bool {
    let index = seat.grid.count_to(at, plan.resolution);
    plan.resolution.same(seat.grid.at(index), at)
}
