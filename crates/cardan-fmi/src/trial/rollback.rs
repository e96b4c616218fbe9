//! Going back to a saved state, where the FMU claims that it can: the same steps must give the same bits.

use super::{Finding, Subject, Way, failed, started, values};
use crate::description::Usage;
use crate::ffi::{Called, State};
use crate::fmu::Fmu;
use cardan_core::value::Value;

const CHECK: &str = "rollback";
/// The steps before a state is saved, and after it.
const BEFORE: usize = 2;
const AFTER: usize = 3;

pub(super) fn check(fmu: &Fmu, way: Way, usage: &Usage, findings: &mut Vec<Finding>) {
    if !usage.saves_state {
        findings.push(Finding::skipped(
            CHECK,
            "the FMU does not claim that it can go back",
        ));
        return;
    }
    let Some(mut subject) = started(fmu, way, CHECK, findings) else {
        return;
    };
    match compare(&mut subject, usage.serializes_state) {
        Ok(None) => {
            let bytes = match usage.serializes_state {
                true => ", also from bytes",
                false => "",
            };
            let message = format!("the same bits after going back twice, {AFTER} steps{bytes}");
            findings.push(Finding::passed(CHECK, message));
        }
        Ok(Some(difference)) => findings.push(difference),
        Err(error) => {
            let mut finding = failed(CHECK, error);
            finding.message = format!("claimed, but: {}", finding.message);
            findings.push(finding);
        }
    }
}

/// A walk: the outputs at its start and after each step, with their times.
type Walk = Vec<(f64, Vec<(usize, Value)>)>;

fn walk(subject: &mut Subject<'_>) -> Called<Walk> {
    let mut walk = vec![(subject.time, subject.outputs()?)];
    for _ in 0..AFTER {
        if subject.wants_to_end {
            break;
        }
        subject.step()?;
        walk.push((subject.time, subject.outputs()?));
    }
    Ok(walk)
}

fn compare(subject: &mut Subject<'_>, as_bytes: bool) -> Called<Option<Finding>> {
    for _ in 0..BEFORE {
        subject.step()?;
    }
    let place = Place::of(subject);
    let saved = subject.instance.save_state(None)?;
    let mut bytes = Vec::new();
    if as_bytes {
        subject.instance.serialize_state(saved, &mut bytes)?;
    }
    let first = walk(subject)?;
    for round in ["once", "twice"] {
        place.back(subject, saved)?;
        let again = walk(subject)?;
        if let Some(finding) = difference(subject, &first, &again, round) {
            return Ok(Some(finding));
        }
    }
    if as_bytes {
        let from_bytes = subject.instance.deserialize_state(&bytes)?;
        place.back(subject, from_bytes)?;
        let again = walk(subject)?;
        if let Some(finding) = difference(subject, &first, &again, "through bytes") {
            return Ok(Some(finding));
        }
        subject.instance.free_state(from_bytes)?;
    }
    subject.instance.free_state(saved)?;
    Ok(None)
}

/// What we know of an instance beside its state.
struct Place {
    time: f64,
    next_event: Option<f64>,
    wants_to_end: bool,
}

impl Place {
    fn of(subject: &Subject<'_>) -> Self {
        Place {
            time: subject.time,
            next_event: subject.next_event,
            wants_to_end: subject.wants_to_end,
        }
    }

    fn back(&self, subject: &mut Subject<'_>, state: State) -> Called<()> {
        subject.instance.restore_state(state)?;
        subject.time = self.time;
        subject.next_event = self.next_event;
        subject.wants_to_end = self.wants_to_end;
        match subject.way {
            Way::CoSimulation => Ok(()),
            // The time is ours to tell.
            Way::ModelExchange => subject.instance.set_time(self.time),
        }
    }
}

fn difference(subject: &Subject<'_>, first: &Walk, again: &Walk, how: &str) -> Option<Finding> {
    for ((time, one), (_, other)) in first.iter().zip(again) {
        let changed = one
            .iter()
            .zip(other)
            .find(|((_, one), (_, other))| !values::same(one, other));
        if let Some(((index, one), (_, other))) = changed {
            let message = format!(
                "it claims to go back, but forgets a part of its state: after going back {how}, output `{}` is {other} \
                 instead of {one} at {} s",
                subject.name(*index),
                super::round(*time)
            );
            let advice = "methods that repeat steps give wrong results with it; export it again without \
                          canGetAndSetFMUState, or let it be repaired";
            return Some(Finding::error(CHECK, message).advise(advice).about(*index));
        }
    }
    (first.len() != again.len()).then(|| {
        let message = format!("after going back {how} it ends at another time");
        Finding::error(CHECK, message)
    })
}
