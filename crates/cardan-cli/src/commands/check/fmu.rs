//! An FMU on trial.

use crate::console::{self, Paint};
use crate::{exit, json, messages, text};
use cardan::{Reporter, Severity};
use cardan_fmi::Fmu;
use cardan_fmi::description::validate;
use cardan_fmi::trial::{self, Finding, Verdict, Way};
use serde_json::{Value, json};
use std::path::Path;

/// Findings about one part of an FMU.
struct Part {
    title: &'static str,
    /// For machines.
    name: &'static str,
    findings: Vec<Finding>,
}

/// The code that goes with what was found.
pub(super) fn perform(path: &Path, as_json: bool) -> anyhow::Result<u8> {
    let mut reporter = Reporter::new();
    let fmu = Fmu::open(path, &mut reporter);
    if let Some(fmu) = &fmu {
        validate(fmu.description(), &mut reporter);
    }
    console::note(&reporter.render_all(Paint::for_errors().coloured));
    let mut parts = vec![Part {
        title: "Description",
        name: "description",
        findings: vec![of_description(fmu.as_deref(), &reporter)],
    }];
    if let Some(fmu) = &fmu {
        parts[0].findings.extend(trial::declared(fmu.description()));
        parts.extend(trials(fmu, path));
        report(fmu, path, &parts, &mut reporter);
    }
    let mut findings = parts.iter().flat_map(|part| &part.findings);
    let fails = findings.any(|finding| finding.verdict == Verdict::Error);
    if as_json {
        let checks: Vec<Value> = parts.iter().flat_map(machine_readable).collect();
        json::print(&json!({
            "fmu": path.display().to_string(),
            "status": if fails { "failed" } else { "ok" },
            "diagnostics": reporter.finish(),
            "checks": checks,
        }))?;
    } else {
        let found = reporter.sorted();
        let errors = found.iter().filter(|d| d.severity == Severity::Error).count();
        let counts = (errors, found.len() - errors);
        console::print(&page(path, fmu.as_deref(), &parts, counts, Paint::for_output()))?;
    }
    Ok(if fails { exit::WRONG } else { exit::DONE })
}

fn of_description(fmu: Option<&Fmu>, reporter: &Reporter) -> Finding {
    const CHECK: &str = "reading";
    let errors = reporter.error_count();
    let warnings = reporter.sorted().len() - errors;
    let warned = text::count(warnings as u64, "warning");
    match fmu {
        None => {
            let mistakes = text::count(errors as u64, "mistake");
            Finding::error(CHECK, format!("{mistakes}, {warned}, shown above"))
        }
        Some(_) if warnings > 0 => Finding::warning(CHECK, format!("{warned}, shown above")),
        Some(fmu) => {
            let variables = text::count(fmu.description().variables.len() as u64, "variable");
            Finding::passed(CHECK, format!("no mistakes in {variables}"))
        }
    }
}

fn trials(fmu: &Fmu, path: &Path) -> Vec<Part> {
    let ways = [
        (Way::CoSimulation, "Co-Simulation", "co-simulation"),
        (Way::ModelExchange, "Model Exchange", "model-exchange"),
    ];
    let offered: Vec<_> = ways
        .into_iter()
        .filter(|(way, ..)| way.usage(fmu).is_some())
        .collect();
    if offered.is_empty() {
        return Vec::new();
    }
    console::note(&format!(
        "note: the binary of {} runs now, in a process of its own\n",
        path.display()
    ));
    messages::collect();
    let part = |(way, title, name)| {
        let mut findings = trial::run(fmu, way);
        findings.extend(said(&findings));
        Part {
            title,
            name,
            findings,
        }
    };
    offered.into_iter().map(part).collect()
}

/// What the FMU had to say, unless it was quoted with an error.
fn said(findings: &[Finding]) -> Option<Finding> {
    let mut said = messages::take();
    said.dedup();
    said.retain(|said| {
        !findings
            .iter()
            .any(|finding| finding.message.contains(said.trim()))
    });
    let first = text::shortened(said.first()?, 200);
    let message = format!(
        "warnings and errors it logged: {}, the first: {first}",
        said.len()
    );
    Some(Finding::warning("log", message).advise("--log-file FILE keeps all that it says"))
}

/// Adds what the trials found to what the reader found: with the place of the variable, where it is about one.
fn report(fmu: &Fmu, path: &Path, parts: &[Part], reporter: &mut Reporter) {
    for finding in parts.iter().flat_map(|part| &part.findings) {
        let severity = match finding.verdict {
            // The reader has told all that it found.
            _ if finding.check == "reading" => continue,
            Verdict::Error => Severity::Error,
            Verdict::Warning => Severity::Warning,
            Verdict::Passed | Verdict::Skipped => continue,
        };
        let variable = finding
            .variable
            .and_then(|index| fmu.description().variables.get(index));
        let span = variable.map(|variable| variable.span);
        let message = finding.message.clone();
        let diagnostic = match span {
            Some(span) => reporter.report(severity, span, message),
            None => {
                let diagnostic = reporter.file_error(path, message);
                diagnostic.severity = severity;
                diagnostic
            }
        };
        diagnostic.advice_if(finding.advice.clone());
    }
}

fn machine_readable(part: &Part) -> Vec<Value> {
    let findings = part.findings.iter();
    findings
        .map(|finding| {
            json!({
                "part": part.name,
                "name": finding.check,
                "status": finding.verdict.to_string(),
                "message": finding.message,
                "advice": finding.advice,
            })
        })
        .collect()
}

/// With the numbers of errors and warnings in all, those of the reader included.
fn page(
    path: &Path,
    fmu: Option<&Fmu>,
    parts: &[Part],
    (errors, warnings): (usize, usize),
    paint: Paint,
) -> String {
    let mut page = paint.bold(&path.display().to_string());
    if let Some(fmu) = fmu {
        let description = fmu.description();
        page += &format!(": {}, FMI {}", description.model_name, description.fmi_version);
    }
    page += "\n";
    for part in parts {
        page += &format!("\n{}\n", paint.bold(part.title));
        for finding in &part.findings {
            page += &line(finding, paint);
        }
    }
    page += &match (errors, warnings) {
        (0, 0) => "\nIt keeps its promises.\n".to_owned(),
        (0, _) => format!(
            "\nIt can be used; {} above.\n",
            text::count(warnings as u64, "warning")
        ),
        _ => format!("\n{} above.\n", text::count(errors as u64, "error")),
    };
    page
}

/// A mark, a word, what was found, and below it what to do.
fn line(finding: &Finding, paint: Paint) -> String {
    let mark = match finding.verdict {
        Verdict::Passed => paint.green("✓"),
        Verdict::Skipped => paint.dim("·"),
        Verdict::Warning => paint.yellow("!"),
        Verdict::Error => paint.red("✗"),
    };
    let mut line = format!("  {mark} {:<15} {}\n", finding.check, finding.message);
    if let Some(advice) = &finding.advice {
        line += &format!("    {:<15} {}\n", "", paint.dim(advice));
    }
    line
}
