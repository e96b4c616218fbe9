//! An FMU on trial: does it keep what its description promises?
//!
//! [`run`] loads the binary, calls it in the order of the standard, and compares what it does with what it declares.
//! Each check has an instance of its own, so that what one of them breaks does not disturb the next. What a crash does
//! to the process is not this module's business: its answer is plain data, so whoever fears crashes can hold the trial
//! in another process.
//!
//! | file | holds |
//! | --- | --- |
//! | `contents.rs` | for which machines there is something |
//! | `declared.rs` | units and dependencies, without a binary |
//! | `subject.rs` | an instance from its start to its end |
//! | `steps.rs` | stepping, for both ways of use |
//! | `values.rs` | variables of any type; other values for inputs |
//! | `smoke.rs` | start, some steps, end |
//! | `feedthrough.rs` | what reacts at once to what |
//! | `rollback.rs` | going back to a saved state |
//! | `derivatives.rs` | directional derivatives against differences |
//! | `slopes.rs` | derivatives of inputs and outputs by time |
//! | `finding.rs` | what is found |

mod contents;
mod declared;
mod derivatives;
mod feedthrough;
mod finding;
mod rollback;
mod slopes;
mod smoke;
mod steps;
mod subject;
mod values;

pub use contents::{Contents, Platform, contents};
pub use declared::declared;
pub use finding::{Finding, Verdict};

use crate::description::Usage;
use crate::fmu::Fmu;
use cardan_core::participant::Failure;
use subject::Subject;

/// A way of using an FMU.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Way {
    /// The FMU steps itself.
    CoSimulation,
    /// We solve its equations.
    ModelExchange,
}

impl Way {
    /// What the description says about it, if the FMU offers it.
    pub fn usage(self, fmu: &Fmu) -> Option<&Usage> {
        let description = fmu.description();
        match self {
            Way::CoSimulation => description.co_simulation.as_ref().map(|offer| &offer.usage),
            Way::ModelExchange => description.model_exchange.as_ref().map(|offer| &offer.usage),
        }
    }
}

/// Tries an FMU in one way of use. Nothing is found where it does not offer it.
pub fn run(fmu: &Fmu, way: Way) -> Vec<Finding> {
    let Some(usage) = way.usage(fmu) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    if smoke::check(fmu, way, &mut findings) {
        feedthrough::check(fmu, way, &mut findings);
        rollback::check(fmu, way, usage, &mut findings);
        derivatives::check(fmu, way, usage, &mut findings);
        slopes::check(fmu, way, &mut findings);
    }
    // Nobody knows the folder into which an archive was unpacked.
    let folder = format!("{}/", fmu.folder().display());
    for finding in &mut findings {
        finding.message = finding.message.replace(&folder, "");
    }
    findings
}

/// A failure in words, with the advice that belongs to it.
fn failed(check: &'static str, failure: impl Into<Failure>) -> Finding {
    let failure: Failure = failure.into();
    let finding = Finding::error(check, failure.message);
    match failure.advice {
        Some(advice) => finding.advise(advice),
        None => finding,
    }
}

/// A subject that has been started, for a check that needs one. The smoke test started one before, so this fails only
/// for FMUs that can be started once.
fn started<'a>(
    fmu: &'a Fmu,
    way: Way,
    check: &'static str,
    findings: &mut Vec<Finding>,
) -> Option<Subject<'a>> {
    match Subject::start(fmu, way) {
        Ok(subject) => Some(subject),
        Err(failure) => {
            let mut finding = failed(check, failure);
            finding.message = format!("a second instance cannot be started: {}", finding.message);
            findings.push(finding);
            None
        }
    }
}

/// "`a`, `b` and 7 more".
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 4;
    let quoted: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => quoted.join(", "),
        more => format!("{} and {more} more", quoted.join(", ")),
    }
}

/// "1 case", "2 cases".
fn counted(number: usize, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {what}{ending}")
}

/// A number for people: without what binary fractions leave at the end of it.
fn round(x: f64) -> f64 {
    let short = format!("{x:.9e}");
    short.parse().unwrap_or(x)
}
