//! Directional derivatives, where the FMU claims them, against differences.

use super::{Finding, Subject, Way, failed, started, values};
use crate::description::{Causality, Kind, Unknown, Usage, Variability};
use crate::ffi::Called;
use crate::fmu::Fmu;

const CHECK: &str = "derivatives";
/// More pairs are not compared.
const MOST_PAIRS: usize = 400;
/// The part of a value by which it is changed for a difference.
const CHANGE: f64 = 1e-5;
/// Differences are no better than that.
const TOLERANCE: f64 = 1e-3;

pub(super) fn check(fmu: &Fmu, way: Way, usage: &Usage, findings: &mut Vec<Finding>) {
    if !usage.directional_derivatives {
        let message = "the FMU does not claim directional derivatives";
        findings.push(Finding::skipped(CHECK, message));
        return;
    }
    let Some(mut subject) = started(fmu, way, CHECK, findings) else {
        return;
    };
    let pairs = pairs(&subject);
    if pairs.is_empty() {
        let message = "there is no pair of a single real output and an input it depends on";
        findings.push(Finding::skipped(CHECK, message));
        return;
    }
    let before = findings.len();
    if let Err(error) = compare(&mut subject, &pairs, findings) {
        let mut finding = failed(CHECK, error);
        finding.message = format!("claimed, but: {}", finding.message);
        findings.push(finding);
    } else if findings.len() == before {
        let message = format!("as differences say, in {}", super::counted(pairs.len(), "case"));
        findings.push(Finding::passed(CHECK, message));
    }
}

/// An unknown and a known it may depend on, by their indices.
struct Pair {
    unknown: usize,
    known: usize,
}

/// Outputs by inputs; in Model Exchange also derivatives, and by states.
fn pairs(subject: &Subject<'_>) -> Vec<Pair> {
    let description = subject.description;
    let is_single = |index: &usize| {
        let variable = description.variables.get(*index);
        variable.is_some_and(|variable| {
            variable.kind == Kind::Float64
                && variable.dimensions.is_empty()
                && variable.variability == Variability::Continuous
                && values::is_unclocked(variable)
        })
    };
    let mut knowns = values::all(description, Causality::Input);
    if subject.way == Way::ModelExchange {
        knowns.extend(subject.states());
    }
    knowns.retain(is_single);
    let derivatives: &[Unknown] = match subject.way {
        Way::CoSimulation => &[],
        Way::ModelExchange => &description.structure.derivatives,
    };
    let unknowns = description.structure.outputs.iter().chain(derivatives);
    let mut pairs = Vec::new();
    for unknown in unknowns.filter(|unknown| is_single(&unknown.variable)) {
        for &known in &knowns {
            let depends = unknown
                .dependencies
                .as_ref()
                .is_none_or(|dependencies| dependencies.binary_search(&known).is_ok());
            if depends && pairs.len() < MOST_PAIRS {
                pairs.push(Pair {
                    unknown: unknown.variable,
                    known,
                });
            }
        }
    }
    pairs
}

fn compare(subject: &mut Subject<'_>, pairs: &[Pair], findings: &mut Vec<Finding>) -> Called<()> {
    // Away from the start, where many things are zero.
    subject.step()?;
    let reference = |index: usize| {
        subject
            .description
            .variables
            .get(index)
            .map_or(0, |v| v.value_reference)
    };
    let references: Vec<([u32; 1], [u32; 1])> = pairs
        .iter()
        .map(|pair| ([reference(pair.unknown)], [reference(pair.known)]))
        .collect();
    for (pair, (unknown, known)) in pairs.iter().zip(references) {
        let mut told = [0.0];
        subject
            .instance
            .directional_derivative(&unknown, &known, &[1.0], &mut told)?;
        let mut own = [0.0];
        subject.instance.get_f64(&known, &mut own)?;
        let change = CHANGE * own[0].abs().max(1.0);
        let mut read_at = |value: f64| -> Called<f64> {
            let mut read = [0.0];
            put(subject, pair.known, value)?;
            subject.instance.get_f64(&unknown, &mut read)?;
            Ok(read[0])
        };
        let (high, low) = (read_at(own[0] + change)?, read_at(own[0] - change)?);
        let here = read_at(own[0])?;
        let found = (high - low) / (2.0 * change);
        // What is lost when two large numbers are subtracted.
        let noise = 1e-14 * here.abs() / change;
        let allowed = TOLERANCE * found.abs().max(told[0].abs()) + noise + 1e-9;
        let difference = (found - told[0]).abs();
        if difference > allowed || difference.is_nan() {
            let message = format!(
                "the derivative of `{}` by `{}` is given as {}, but differences say {}",
                subject.name(pair.unknown),
                subject.name(pair.known),
                super::round(told[0]),
                super::round(found)
            );
            let advice =
                "Newton's method may not converge with it; export it again without directional derivatives";
            findings.push(
                Finding::warning(CHECK, message)
                    .advise(advice)
                    .about(pair.unknown),
            );
        }
    }
    Ok(())
}

/// States are set all together, inputs one by one.
fn put(subject: &mut Subject<'_>, known: usize, value: f64) -> Called<()> {
    let place = match subject.way {
        Way::CoSimulation => None,
        Way::ModelExchange => subject.states().iter().position(|state| *state == known),
    };
    let Some(place) = place else {
        let reference = subject
            .description
            .variables
            .get(known)
            .map_or(0, |v| v.value_reference);
        return subject.instance.set_f64(&[reference], &[value]);
    };
    let mut states = vec![0.0; subject.state_count()?];
    subject.instance.get_continuous_states(&mut states)?;
    if let Some(state) = states.get_mut(place) {
        *state = value;
    }
    subject.instance.set_continuous_states(&states)
}
