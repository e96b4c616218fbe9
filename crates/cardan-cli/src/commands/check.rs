//! `cardan check`: every mistake, and how the system would run. An FMU by itself is put on trial.

mod coupling;
mod fmu;
mod guarded;
mod meta_model;
mod witness;

use crate::arguments::SystemArguments;
use crate::console::{self, Paint};
use crate::description::{self, Opened};
use crate::{exit, json, text};
use cardan::core::graph::ParticipantId;
use cardan::doctor::{self, Diagnosis};
use cardan::{Diagnostic, ErrorReport, LineReport, MechanismSize, Overrides, Reporter, System};
use clap::Args;
use coupling::Group;
use serde::Serialize;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;
use witness::{Testimony, Witness};

/// A trial of an FMU is a matter of seconds.
const TRIAL: Duration = Duration::from_secs(120);

const MORE: &str = "\
Every mistake is shown with file, line and advice. Without mistakes: who drives whom, who depends on
whom at the same instant, the order of stepping, and the method with the reason for it.

Where components depend on each other in a circle, their coupling is measured: the system is
initialised, each member is probed by itself with small pulses on its inputs, and what it answers
makes a linear model of it. From the models follow the modes of the whole, the gain around the loop,
the largest stable step of each method and reading, and advice. That takes a few seconds at most;
--quick leaves it out. Components must be able to go back to a saved state for it. The run itself is
another one: nothing of this stays.

An FMU is put on trial: its description is held against the standard, and its binary against its
description. It is loaded, initialised and stepped; then cardan looks whether outputs react to
inputs as declared, whether it truly goes back to saved states, and whether its derivatives are
right. That happens in a process of its own, so an FMU that crashes or hangs (for two minutes) is a
finding too.

Examples:
  cardan check hello                      is it right, and how will it run?
  cardan check hello --set left.mass=-1   would that be a mistake?
  cardan check hello --json               the same for machines
  cardan check hello --quick              without starting anything
  cardan check pump.fmu                   does this FMU keep its promises?
  cardan check pendulum.xml               what do the lines of a TLM meta-model bring along?

An FMU is tried with its own start values: --set and the like are for systems. To check a system of
one FMU with other values, describe it in a system.toml.

Exit code 2 says that there are mistakes, 3 that a component or an FMU failed, crashed or hung, 4
that its numbers did; warnings alone give 0.";

/// The arguments of `cardan check`.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    #[command(flatten)]
    system: SystemArguments,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Do not start the system to measure its coupling
    #[arg(long)]
    quick: bool,
    /// Seconds that measuring the coupling may take
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    budget: f64,
}

/// A positive number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e6 => Ok(seconds),
        _ => Err("a positive number of seconds is wanted, such as 30".to_owned()),
    }
}

pub(crate) fn perform(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    // What others have written is started here, and may print.
    console::keep_output()?;
    let path = arguments.system.path.as_path();
    if description::is_fmu(path) {
        if arguments.system.overrides() != Overrides::default() {
            console::warning(
                "--set and other options for systems do not count: an FMU is tried with its own start values; \
                 `cardan run` takes them",
            );
        }
        let advice = "this is a defect of the FMU: in a run it will do the same; ask whoever made it";
        return guarded::perform(path, arguments.json, Some(TRIAL), advice, None, || {
            fmu::perform(path, arguments.json)
        });
    }
    let mut reporter = Reporter::new();
    if let Some(model) = cardan::meta_model_of_tools(path, &mut reporter) {
        return Ok(ExitCode::from(meta_model::perform(
            path,
            &model,
            reporter,
            arguments.json,
        )?));
    }
    // Participants are started and waited for here.
    let advice =
        "a component has done it while its system was read: leave out one after the other to see which";
    let mut witness = Witness::new()?;
    let testimony = witness.testimony()?;
    guarded::perform(path, arguments.json, None, advice, Some(&mut witness), || {
        check(arguments, testimony)
    })
}

/// Checks a system: the code that goes with what was found.
fn check(arguments: &Arguments, mut testimony: Testimony) -> anyhow::Result<u8> {
    let Opened { mut system, reporter } = description::open(&arguments.system);
    description::show(&reporter, &arguments.system.path);
    let mut code = match system {
        Some(_) => exit::DONE,
        None => exit::WRONG,
    };
    let mut failure = None;
    let mut diagnosis = None;
    if let Some(system) = system
        .as_mut()
        .filter(|system| !arguments.quick && !system.plan.groups.is_empty())
    {
        match examine(system, arguments, &mut testimony) {
            Ok(found) => {
                system.decide(&found);
                diagnosis = Some(found);
            }
            Err(error) => {
                code = error.exit_code();
                failure = Some(failed(&error));
            }
        }
    }
    if arguments.json {
        let name = match &system {
            Some(system) => Some(system.spec.name.clone()),
            None => description::name_of(&arguments.system.path, &arguments.system.overrides()),
        };
        let diagnostics = reporter.finish();
        json::print(&Answer::of(
            name,
            system.as_ref(),
            diagnosis.as_ref(),
            failure,
            &diagnostics,
        ))?;
    } else if let Some(system) = &system {
        console::print(&page(system, diagnosis.as_ref(), Paint::for_output()))?;
    }
    Ok(code)
}

/// Lets the coupling be measured, with a word on a terminal about who is at it.
fn examine(
    system: &mut System,
    arguments: &Arguments,
    testimony: &mut Testimony,
) -> Result<Diagnosis, cardan::Error> {
    testimony.introduce(system);
    let talks = console::errors_on_terminal();
    let mut progress = |before: usize, total: usize, name: &str| {
        if talks {
            console::note(&format!("\r\x1b[Kmeasuring {name} ({} of {total})", before + 1));
        }
    };
    let options = doctor::Options {
        time: Duration::from_secs_f64(arguments.budget),
        flight: testimony.flight(),
        progress: &mut progress,
    };
    let found = doctor::examine(system, options);
    if talks {
        console::note("\r\x1b[K");
    }
    found
}

/// Says that a component failed before anything could be measured.
fn failed(error: &cardan::Error) -> ErrorReport {
    let report = match error.run_error() {
        Some(cause) => ErrorReport::from(cause),
        None => ErrorReport::plain(error.to_string()),
    };
    console::error(&format!("the coupling was not measured: {error}"));
    if let Some(advice) = &report.advice {
        console::note(&format!("{}: {advice}\n", Paint::for_errors().bold("help")));
    }
    report
}

/// Names of participants.
fn names(system: &System, list: &[ParticipantId]) -> Vec<String> {
    list.iter()
        .map(|id| system.graph.node(*id).name.clone())
        .collect()
}

/// The members of a group in the order in which they step.
fn stepping(system: &System, group: &[ParticipantId]) -> Vec<String> {
    let order = system.plan.order.iter().copied();
    let members: Vec<_> = order.filter(|id| group.contains(id)).collect();
    names(system, &members)
}

fn page(system: &System, diagnosis: Option<&Diagnosis>, paint: Paint) -> String {
    let (graph, plan) = (&system.graph, &system.plan);
    let counted = |number: usize, what| text::count(number as u64, what);
    let mut page = format!(
        "{}: no mistakes; {}, {}{}\n",
        paint.bold(&system.spec.name),
        counted(graph.nodes.len(), "component"),
        counted(graph.connections.len(), "connection"),
        match plan.lines.len() {
            0 => String::new(),
            number => format!(", {}", counted(number, "line")),
        },
    );
    let mut section = |title: &str, content: &str| {
        page += &format!("\n{}\n{}", paint.bold(title), text::indented(content));
    };
    section(
        "Graph: inputs → outputs, then who drives whom",
        &graph.to_string(),
    );
    if !system.mechanisms.is_empty() {
        let sizes = system.mechanisms.iter();
        let sizes: Vec<String> = sizes.map(|(name, size)| format!("{name}: {size}")).collect();
        section("Mechanisms", &sizes.join("\n"));
    }
    section(
        "Order of evaluation at one instant",
        &names(system, &plan.exchange.feedthrough.sequence).join(", "),
    );
    if !plan.lines.is_empty() {
        let lines = plan.lines.iter().map(LineReport::described);
        let lines: Vec<String> = lines
            .map(|line| {
                let waves = match line.standing_wave > 0.0 {
                    true => format!(
                        "; waves stand in it from {} Hz on",
                        text::number(line.standing_wave, 4)
                    ),
                    false => String::new(),
                };
                format!("{}: {}{waves}", line.name, line.words())
            })
            .collect();
        section("Transmission lines", &lines.join("\n"));
    }
    section("Order of stepping", &names(system, &plan.order).join(", "));
    let groups: Vec<String> = plan
        .groups
        .iter()
        .map(|group| stepping(system, group).join(" ⇄ "))
        .collect();
    if groups.is_empty() {
        section("Groups", "none: nobody depends on each other in a circle");
    } else {
        section("Groups that depend on each other in a circle", &groups.join("\n"));
    }
    let loops = plan.exchange.loops.iter().map(|l| (l, ""));
    let initial = plan
        .initial
        .loops
        .iter()
        .filter(|l| !plan.exchange.loops.contains(l));
    let loops: Vec<String> = loops
        .chain(initial.map(|l| (l, " (at the start only)")))
        .map(|(l, when)| format!("{}{when}", text::listed(&l.names)))
        .collect();
    if !loops.is_empty() {
        section(
            "Outputs that depend on each other at one instant, solved by Newton's method",
            &loops.join("\n"),
        );
    }
    section("Plan", &plan.to_string());
    let chosen = system.setup.pace() + "\n";
    let why = system.reason.as_deref().unwrap_or("as the description says");
    section("Method", &(chosen + why));
    if let Some(diagnosis) = diagnosis {
        for group in &diagnosis.groups {
            let title = format!(
                "Coupling of {}, measured near its start",
                names(system, &group.members).join(" ⇄ ")
            );
            section(&title, &coupling::page(system, diagnosis, group));
        }
        section("Advice", &doctor::advise(system, diagnosis).words);
    }
    page
}

/// The answer for machines.
#[derive(Serialize)]
struct Answer<'a> {
    system: Option<String>,
    status: &'static str,
    diagnostics: &'a [Diagnostic],
    order: Vec<String>,
    recommended: Option<Recommended>,
    groups: Vec<Group>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<LineReport>,
    /// How large mechanisms are, by component.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    mechanisms: BTreeMap<String, MechanismSize>,
    /// Why nothing was measured, where a component failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorReport>,
}

#[derive(Serialize)]
struct Recommended {
    method: String,
    /// None where everybody has its own.
    step: Option<f64>,
    /// Missing where the user has chosen and nothing speaks against it.
    reason: Option<String>,
    #[serde(flatten)]
    more: Option<coupling::Recommended>,
}

impl<'a> Answer<'a> {
    fn of(
        name: Option<String>,
        system: Option<&System>,
        diagnosis: Option<&Diagnosis>,
        error: Option<ErrorReport>,
        diagnostics: &'a [Diagnostic],
    ) -> Self {
        let groups = |system: &System| -> Vec<Group> {
            let numbered = system.plan.groups.iter().enumerate();
            numbered
                .map(|(index, members)| {
                    let found = diagnosis.and_then(|d| Some((d, d.groups.get(index)?)));
                    Group::of(system, members, found)
                })
                .collect()
        };
        let recommended = |system: &System| match diagnosis {
            Some(diagnosis) => {
                let advice = doctor::advise(system, diagnosis);
                Recommended {
                    method: advice.method.clone(),
                    step: system.plan.needs.leader.is_none().then_some(advice.step),
                    reason: Some(advice.words.clone()),
                    more: Some(coupling::Recommended::of(&advice)),
                }
            }
            None => Recommended {
                method: system.plan.method.name(),
                step: system.plan.needs.leader.is_none().then_some(system.setup.step),
                reason: system.reason.clone(),
                more: None,
            },
        };
        Answer {
            system: name,
            status: if system.is_some() && error.is_none() {
                "ok"
            } else {
                "failed"
            },
            diagnostics,
            order: system.map(|s| names(s, &s.plan.order)).unwrap_or_default(),
            recommended: system.map(recommended),
            groups: system.map(groups).unwrap_or_default(),
            lines: system
                .map(|s| s.plan.lines.iter().map(LineReport::described).collect())
                .unwrap_or_default(),
            mechanisms: system
                .map(|s| s.mechanisms.iter().cloned().collect())
                .unwrap_or_default(),
            error,
        }
    }
}
