//! Derivatives by time, where the FMU claims to take or to give them.

use super::{Finding, Subject, Way, counted, failed, started, values};
use crate::description::{Causality, Kind, Variability, Version};
use crate::ffi::Called;
use crate::fmu::Fmu;

pub(super) fn check(fmu: &Fmu, way: Way, findings: &mut Vec<Finding>) {
    let description = fmu.description();
    let Some(offer) = description.co_simulation.as_ref() else {
        return;
    };
    if way != Way::CoSimulation {
        return;
    }
    if offer.interpolates_inputs && description.version == Version::V2 {
        let advice = "inputs are told as means over each step; export it without `canInterpolateInputs`";
        ask(fmu, Causality::Input, ("input slopes", advice), tell, findings);
    }
    if offer.output_derivative_order >= 1 {
        let advice = "a run goes on without them; export it without `maxOutputDerivativeOrder`";
        ask(fmu, Causality::Output, ("output slopes", advice), read, findings);
    }
}

/// Calls with the references of all ports that move, in the middle of a run.
fn ask(
    fmu: &Fmu,
    causality: Causality,
    (name, advice): (&'static str, &'static str),
    call: impl FnOnce(&mut Subject<'_>, &[u32]) -> Called<()>,
    findings: &mut Vec<Finding>,
) {
    let variables = &fmu.description().variables;
    let moving = values::all(fmu.description(), causality)
        .into_iter()
        .filter_map(|index| {
            let variable = variables.get(index)?;
            let moves = variable.variability == Variability::Continuous && variable.dimensions.is_empty();
            (moves && variable.kind == Kind::Float64).then_some(variable.value_reference)
        });
    let references: Vec<u32> = moving.collect();
    if references.is_empty() {
        findings.push(Finding::skipped(name, "claimed, but there is nothing that moves"));
        return;
    }
    let Some(mut subject) = started(fmu, Way::CoSimulation, name, findings) else {
        return;
    };
    let called = subject.step().and_then(|_| call(&mut subject, &references));
    findings.push(match called {
        Ok(()) => Finding::passed(
            name,
            format!(
                "the first order works for {}",
                counted(references.len(), "variable")
            ),
        ),
        Err(error) => {
            let mut finding = failed(name, error);
            finding.message = format!("claimed, but: {}", finding.message);
            finding.verdict = super::Verdict::Warning;
            finding.advise(advice)
        }
    });
}

fn tell(subject: &mut Subject<'_>, references: &[u32]) -> Called<()> {
    let (orders, slopes) = (vec![1; references.len()], vec![0.0; references.len()]);
    subject
        .instance
        .set_input_derivatives(references, &orders, &slopes)?;
    subject.step().map(|_| ())
}

fn read(subject: &mut Subject<'_>, references: &[u32]) -> Called<()> {
    let (orders, mut slopes) = (vec![1; references.len()], vec![0.0; references.len()]);
    subject
        .instance
        .get_output_derivatives(references, &orders, &mut slopes)
}
