//! Which outputs react at once to which inputs, declared and in truth.
//!
//! The order in which a coupled system is evaluated follows from what is declared, so a wrong declaration gives
//! results that are one step late, or none at all.

use super::{Finding, Subject, Way, failed, listed, started, values};
use crate::description::{Causality, Unknown};
use crate::ffi::Called;
use crate::fmu::Fmu;
use cardan_core::value::Value;
use std::collections::{BTreeMap, BTreeSet};

const CHECK: &str = "feedthrough";
/// More inputs than that are not tried.
const MOST_INPUTS: usize = 200;
/// The steps before each look: what does not react at the start may react later.
const LOOKS: [usize; 2] = [0, 3];

pub(super) fn check(fmu: &Fmu, way: Way, findings: &mut Vec<Finding>) {
    let inputs = values::all(fmu.description(), Causality::Input);
    let outputs = values::all(fmu.description(), Causality::Output);
    if inputs.is_empty() || outputs.is_empty() {
        findings.push(Finding::skipped(CHECK, "there are not both inputs and outputs"));
        return;
    }
    let Some(mut subject) = started(fmu, way, CHECK, findings) else {
        return;
    };
    let tried = &inputs[..inputs.len().min(MOST_INPUTS)];
    let seen = match observe(&mut subject, tried) {
        Ok(seen) => seen,
        Err(error) => {
            findings.push(failed(CHECK, error));
            return;
        }
    };
    let before = findings.len();
    judge(&subject, tried, &seen, findings);
    if findings.len() == before {
        let rest = match inputs.len() - tried.len() {
            0 => String::new(),
            rest => format!("; {rest} further inputs were not tried"),
        };
        let outputs = &subject.description.structure.outputs;
        let as_declared = match outputs.iter().all(|unknown| unknown.dependencies.is_some()) {
            true => ", as declared",
            false => "; not all is declared",
        };
        let message = match seen.reactions.values().map(BTreeSet::len).sum::<usize>() {
            0 => format!("no output reacts at once to an input{as_declared}{rest}"),
            count => format!(
                "{} of an output to an input at once{as_declared}{rest}",
                super::counted(count, "reaction")
            ),
        };
        findings.push(Finding::passed(CHECK, message));
    }
}

/// What was seen.
#[derive(Default)]
struct Seen {
    /// By output: the inputs it reacted to.
    reactions: BTreeMap<usize, BTreeSet<usize>>,
    /// Outputs that did not come back when the input did.
    astray: BTreeSet<usize>,
    /// Inputs that could not be changed.
    stuck: BTreeSet<usize>,
}

fn observe(subject: &mut Subject<'_>, inputs: &[usize]) -> Called<Seen> {
    let mut seen = Seen::default();
    for steps in LOOKS {
        for _ in 0..steps {
            if subject.wants_to_end {
                return Ok(seen);
            }
            subject.step()?;
        }
        subject.hold_time()?;
        for &input in inputs {
            look(subject, input, &mut seen)?;
        }
        subject.release_time()?;
    }
    Ok(seen)
}

/// Sets an input to other values and back, and reads the outputs each time.
fn look(subject: &mut Subject<'_>, input: usize, seen: &mut Seen) -> Called<()> {
    let description = subject.description;
    let Some(variable) = description.variables.get(input) else {
        return Ok(());
    };
    let count = values::count(variable, description);
    let own = values::get(&mut subject.instance, variable, count)?;
    let others = values::others(variable, &own);
    if others.is_empty() {
        seen.stuck.insert(input);
        return Ok(());
    }
    let rest = subject.outputs()?;
    for other in others {
        values::set(&mut subject.instance, variable, &other)?;
        for output in differences(&rest, &subject.outputs()?) {
            seen.reactions.entry(output).or_default().insert(input);
        }
    }
    values::set(&mut subject.instance, variable, &own)?;
    seen.astray.extend(differences(&rest, &subject.outputs()?));
    Ok(())
}

fn differences(one: &[(usize, Value)], other: &[(usize, Value)]) -> Vec<usize> {
    let pairs = one.iter().zip(other);
    let changed = pairs.filter(|((_, one), (_, other))| !values::same(one, other));
    changed.map(|((index, _), _)| *index).collect()
}

fn judge(subject: &Subject<'_>, inputs: &[usize], seen: &Seen, findings: &mut Vec<Finding>) {
    let none = BTreeSet::new();
    let names = |indices: &[usize]| -> Vec<String> {
        indices
            .iter()
            .map(|index| subject.name(*index).to_owned())
            .collect()
    };
    for Unknown {
        variable: output,
        dependencies,
        ..
    } in &subject.description.structure.outputs
    {
        let Some(dependencies) = dependencies else {
            continue; // nothing is declared, so nothing is declared wrongly
        };
        let is_known = subject
            .description
            .variables
            .get(*output)
            .is_some_and(values::is_unclocked);
        if !is_known {
            continue;
        }
        let name = subject.name(*output);
        let reacts = seen.reactions.get(output).unwrap_or(&none);
        let is_declared = |input: &usize| dependencies.binary_search(input).is_ok();
        let idle: Vec<usize> = inputs
            .iter()
            .copied()
            .filter(|input| is_declared(input) && !reacts.contains(input) && !seen.stuck.contains(input))
            .collect();
        if !idle.is_empty() {
            let message = format!(
                "output `{name}` is declared to depend on {} but does not react to a set",
                listed(&names(&idle))
            );
            let advice = "if it takes the input over in its next step, coupled systems see it one step late: export \
                          it again with true dependencies; ignore this if parameters or the present state hide it";
            findings.push(Finding::warning(CHECK, message).advise(advice).about(*output));
        }
        let hidden: Vec<usize> = reacts
            .iter()
            .copied()
            .filter(|input| !is_declared(input))
            .collect();
        if !hidden.is_empty() {
            let message = format!(
                "output `{name}` reacts at once to {}, which it does not declare",
                listed(&names(&hidden))
            );
            let advice = "that breaks the order of evaluation in coupled systems: export it again with true \
                          dependencies, or without any";
            findings.push(Finding::warning(CHECK, message).advise(advice).about(*output));
        }
    }
    if let Some(first) = seen.astray.first() {
        let all: Vec<usize> = seen.astray.iter().copied().collect();
        let message = format!(
            "{}: another value after an input was set to something else and back",
            listed(&names(&all))
        );
        let advice = "setting inputs has side effects, so iterations do not converge";
        findings.push(Finding::warning(CHECK, message).advise(advice).about(*first));
    }
}
