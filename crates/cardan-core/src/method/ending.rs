//! What a fixed-step master answers when a step does not simply complete.

use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::method::Steps;
use crate::monitor::WarningKind;
use crate::participant::{Failure, StepEnd};
use crate::time::SimTime;
use crate::world::World;

/// Answers each unusual end of the steps to `to`. Returns the instant at which the run is to end, if somebody asked
/// for it.
///
/// - Early: the participant goes on to the end of the step with the inputs it has; the others hear of its event at
///   the next communication point, which is noted where that is `late`.
/// - Terminate: the run ends there.
/// - Rejected: cannot be honoured without going back, so it is an error that says so.
#[cold]
pub(super) fn answer(
    world: &mut World,
    unusual: &[(ParticipantId, StepEnd)],
    to: SimTime,
    late: bool,
) -> Result<Option<SimTime>, RunError> {
    let mut last: Option<SimTime> = None;
    for &(participant, end) in unusual {
        let mut end = end;
        let mut stands = world.time_of(participant);
        // An event right at the beginning, where it stands already, may be told once.
        let mut rested = false;
        loop {
            match end {
                StepEnd::Completed => break,
                StepEnd::Early { at } => {
                    if at < stands || at > to || (at == stands && rested) {
                        return Err(outside(world, participant, at, (stands, to)));
                    }
                    rested = at == stands;
                    let next = resume(world, participant, (at, to), late)?;
                    stands = at;
                    end = next;
                }
                StepEnd::Terminate { at } => {
                    terminate(world, participant, at)?;
                    last = Some(last.map_or(at, |earlier| earlier.min(at)));
                    break;
                }
                StepEnd::Rejected { reached, advice } => {
                    return Err(rejected(world, participant, to, reached, advice));
                }
            }
        }
    }
    Ok(last)
}

#[cold]
fn outside(
    world: &World,
    participant: ParticipantId,
    at: SimTime,
    (stands, to): (SimTime, SimTime),
) -> RunError {
    let failure = Failure::failed(format!(
        "ended its step early at {at} s, which is not inside the step from {stands} s to {to} s"
    ));
    let name = &world.plan().seats[participant.index()].name;
    RunError::participant(name, Call::Step, Some(stands), failure)
}

fn resume(
    world: &mut World,
    participant: ParticipantId,
    (at, to): (SimTime, SimTime),
    late: bool,
) -> Result<StepEnd, RunError> {
    let name = world.plan().seats[participant.index()].name.clone();
    if late && world.plan().is_read(participant) {
        world.monitor.notice(WarningKind::EarlyReturn, &name, at, || {
            format!(
                "{name} stopped at an event at t = {at} s; the others are told only at the next communication point, t = \
                 {to} s, {:.3e} s late",
                to.since(at)
            )
        });
    }
    if at == to {
        // Nothing is left of the step: it only has to be taken as complete.
        return world.complete(participant).map(|()| StepEnd::Completed);
    }
    world.resume(participant, at)
}

fn terminate(world: &mut World, participant: ParticipantId, at: SimTime) -> Result<(), RunError> {
    let name = world.plan().seats[participant.index()].name.clone();
    world.monitor.notice(WarningKind::Terminated, &name, at, || {
        format!("{name} asked for the end of the simulation at t = {at} s")
    });
    world.end_at(participant, at)
}

fn rejected(
    world: &World,
    participant: ParticipantId,
    to: SimTime,
    reached: SimTime,
    advice: Option<f64>,
) -> RunError {
    let plan = world.plan();
    let seat = &plan.seats[participant.index()];
    let from = world.time_of(participant);
    let own_steps = plan.needs.steps == Steps::Own;
    let who = match own_steps {
        true => "nothing is taken back here".to_owned(),
        false => format!("{} with a fixed step cannot repeat it", plan.method.sweep),
    };
    let failure = Failure::numbers(format!(
        "rejected the step from {from} s to {to} s (it came to {reached} s), and {who}"
    ));
    let failure = match advice {
        Some(step) if own_steps => {
            let step = rounded_down(step);
            failure.advise(format!(
                "give the component `step = {step}`, or take reject = true under [method]"
            ))
        }
        None if own_steps => failure.advise("give the component a shorter `step`, or take reject = true"),
        Some(step) => {
            let step = rounded_down(step);
            failure.advise(format!("it suggests a step of {step} s: try --step {step}"))
        }
        None => failure.advise("try a smaller step"),
    };
    RunError::participant(&seat.name, Call::Step, Some(from), failure)
}

/// A step of three digits, not above the given one but for the dust of rounding.
fn rounded_down(step: f64) -> f64 {
    let unit = 10f64.powi(step.log10().floor() as i32 - 2);
    let digits = (step / unit + 1e-6).floor();
    // As text, so that no dust is added again.
    format!("{:.2e}", digits * unit).parse().unwrap_or(step)
}
