//! The life of an instance in the order of the standard: made, initialised, stepped, terminated, freed.

use super::steps::Stepped;
use super::{Finding, Subject, Way, failed, listed};
use crate::ffi::Called;
use crate::fmu::Fmu;
use cardan_core::value::Value;

/// So many steps are taken.
const STEPS: usize = 10;
/// In Model Exchange, where steps are taken in parts: so many whole ones, as long as these do not take more parts.
const WHOLE_STEPS: f64 = 3.0;
const MOST_PARTS: usize = 1000;

/// Did it get through, so that it can be looked at more closely?
pub(super) fn check(fmu: &Fmu, way: Way, findings: &mut Vec<Finding>) -> bool {
    if !binary(fmu, way, findings) || !functions(fmu, way, findings) {
        return false;
    }
    let mut subject = match Subject::make(fmu, way) {
        Ok(subject) => subject,
        Err(failure) => {
            findings.push(failed("instantiation", failure));
            return false;
        }
    };
    findings.push(Finding::passed("instantiation", "makes an instance"));
    if !initialization(&mut subject, findings) || !steps(&mut subject, findings) {
        return false;
    }
    match subject.instance.terminate() {
        Ok(()) => {
            drop(subject);
            findings.push(Finding::passed("termination", "ends and is freed"));
            true
        }
        Err(error) => {
            findings.push(failed("termination", error));
            false
        }
    }
}

/// Is there a binary for this machine, if need be after compiling it?
fn binary(fmu: &Fmu, way: Way, findings: &mut Vec<Finding>) -> bool {
    const CHECK: &str = "binary";
    let Some(usage) = way.usage(fmu) else {
        return false;
    };
    match fmu.binary(&usage.model_identifier) {
        Ok(path) => {
            let place = match path.strip_prefix(fmu.folder()) {
                Ok(inside) => inside.display().to_string(),
                Err(_) => "compiled from the sources".to_owned(),
            };
            findings.push(Finding::passed(CHECK, place));
            true
        }
        Err(error) => {
            findings.push(Finding::error(CHECK, error.to_string()).advise(error.advice()));
            false
        }
    }
}

/// Does it load, and have what the standard asks for?
fn functions(fmu: &Fmu, way: Way, findings: &mut Vec<Finding>) -> bool {
    const CHECK: &str = "functions";
    match Subject::library(fmu, way) {
        Ok(_) => {
            findings.push(Finding::passed(
                CHECK,
                "the binary loads, and has all that are needed",
            ));
            true
        }
        Err(failure) => {
            let mut finding = failed(CHECK, failure);
            // FMUs in Python count on being loaded by Python.
            if finding.message.contains("undefined symbol: _Py")
                || finding.message.contains("undefined symbol: Py")
            {
                let advice =
                    "start cardan with LD_PRELOAD set to the libpython3.so of the Python it was made with";
                finding.advice = Some(advice.to_owned());
            }
            findings.push(finding);
            false
        }
    }
}

fn initialization(subject: &mut Subject<'_>, findings: &mut Vec<Finding>) -> bool {
    const CHECK: &str = "initialisation";
    let count = match subject.set_starts() {
        Ok(count) => count,
        Err(error) => {
            let mut finding = failed(CHECK, error);
            finding.message = format!("it does not take its own start values: {}", finding.message);
            findings.push(finding);
            return false;
        }
    };
    if let Err(error) = subject.initialize() {
        findings.push(failed(CHECK, error));
        return false;
    }
    let outputs = match subject.outputs() {
        Ok(outputs) => outputs,
        Err(error) => {
            findings.push(failed(CHECK, error));
            return false;
        }
    };
    let message = format!("start values taken: {count}, outputs read: {}", outputs.len());
    let fine = Finding::passed(CHECK, message);
    findings.push(not_finite(subject, CHECK, &outputs).unwrap_or(fine));
    subject.way == Way::CoSimulation || equations(subject, findings)
}

/// States, nominal values, derivatives and event indicators.
fn for_a_solver(subject: &mut Subject<'_>) -> Called<[Vec<f64>; 4]> {
    let count = subject.state_count()?;
    let [mut states, mut nominals, mut slopes] = [(); 3].map(|()| vec![0.0; count]);
    if count > 0 {
        subject.instance.get_continuous_states(&mut states)?;
        subject.instance.get_nominals(&mut nominals)?;
        subject.instance.get_derivatives(&mut slopes)?;
    }
    Ok([states, nominals, slopes, subject.indicators()?])
}

/// What a solver needs at the start.
fn equations(subject: &mut Subject<'_>, findings: &mut Vec<Finding>) -> bool {
    const CHECK: &str = "equations";
    let [states, nominals, slopes, indicators] = match for_a_solver(subject) {
        Ok(read) => read,
        Err(error) => {
            findings.push(failed(CHECK, error));
            return false;
        }
    };
    for (what, numbers) in [
        ("a state", &states),
        ("a derivative", &slopes),
        ("an event indicator", &indicators),
    ] {
        if let Some(place) = numbers.iter().position(|x| !x.is_finite()) {
            let message = format!("{what} (number {}) is {} at the start", place + 1, numbers[place]);
            findings.push(Finding::error(CHECK, message).advise("check parameters and start values"));
        }
    }
    if let Some(place) = nominals.iter().position(|x| !(x.is_finite() && *x > 0.0)) {
        let message = format!("the nominal value of state {} is {}", place + 1, nominals[place]);
        findings.push(Finding::warning(CHECK, message).advise("1 is taken instead"));
    }
    let message = format!("states: {}, event indicators: {}", states.len(), indicators.len());
    findings.push(Finding::passed(CHECK, message));
    true
}

fn steps(subject: &mut Subject<'_>, findings: &mut Vec<Finding>) -> bool {
    const CHECK: &str = "steps";
    let mut taken = 0;
    // Times are added up here, so that the last part is not missed by the dust of rounding.
    let end = subject.time + (WHOLE_STEPS - 1e-6) * subject.step;
    let goes_on = |subject: &Subject<'_>, taken: usize| match subject.way {
        Way::CoSimulation => taken < STEPS,
        Way::ModelExchange => taken < STEPS || (taken < MOST_PARTS && subject.time < end),
    };
    while goes_on(subject, taken) && !subject.wants_to_end {
        let (time, size) = (subject.time, subject.step);
        match subject.calm_step() {
            Ok(Stepped::Forward) => taken += 1,
            Ok(Stepped::Discarded(reached)) => {
                let message =
                    format!("a step from {time} s by {size} s was discarded; it reached {reached} s");
                let advice = "try smaller steps, or see what it logs";
                findings.push(Finding::warning(CHECK, message).advise(advice));
                return false;
            }
            Err(error) => {
                let mut finding = failed(CHECK, error);
                finding.message = format!("at {time} s: {}", finding.message);
                findings.push(finding);
                return false;
            }
        }
        let outputs = match subject.outputs() {
            Ok(outputs) => outputs,
            Err(error) => {
                findings.push(failed(CHECK, error));
                return false;
            }
        };
        if let Some(finding) = not_finite(subject, CHECK, &outputs) {
            findings.push(finding);
            return false;
        }
    }
    let ended = match subject.wants_to_end {
        true => "; then it asked for the end of the simulation",
        false => "",
    };
    let message = format!("{taken} taken, to {} s{ended}", super::round(subject.time));
    findings.push(Finding::passed(CHECK, message));
    true
}

/// Outputs that are not numbers. In Model Exchange our rough steps may be to blame, once there were any.
fn not_finite(subject: &Subject<'_>, check: &'static str, outputs: &[(usize, Value)]) -> Option<Finding> {
    let bad = |value: &Value| match value {
        Value::Reals(values) => values.iter().any(|x| !x.is_finite()),
        _ => false,
    };
    let mut bad = outputs
        .iter()
        .filter(|(_, value)| bad(value))
        .map(|(index, _)| *index);
    let first = bad.next()?;
    let names: Vec<String> = [first]
        .into_iter()
        .chain(bad)
        .map(|index| subject.name(index).to_owned())
        .collect();
    let time = super::round(subject.time);
    let message = format!("not a finite number at {time} s: {}", listed(&names));
    let finding = match (subject.way, check) {
        (Way::ModelExchange, "steps") => Finding::warning(check, message),
        _ => Finding::error(check, message),
    };
    Some(finding.advise("check parameters and start values").about(first))
}
