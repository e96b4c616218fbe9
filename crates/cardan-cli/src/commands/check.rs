//! `cardan check`: every mistake, and how the system would run. An FMU by itself is put on trial.

mod fmu;
mod guarded;

use crate::arguments::SystemArguments;
use crate::console::{self, Paint};
use crate::description::{self, Opened};
use crate::{exit, json, text};
use cardan::core::graph::ParticipantId;
use cardan::{Diagnostic, Overrides, System};
use clap::Args;
use serde::Serialize;
use std::process::ExitCode;
use std::time::Duration;

/// A trial of an FMU is a matter of seconds.
const TRIAL: Duration = Duration::from_secs(120);

const MORE: &str = "\
Every mistake is shown with file, line and advice. Without mistakes: who drives whom, who depends on
whom at the same instant, the order of stepping, and the method with the reason for it.

An FMU is put on trial: its description is held against the standard, and its binary against its
description. It is loaded, initialised and stepped; then cardan looks whether outputs react to inputs as
declared, whether it truly goes back to saved states, and whether its derivatives are right. That
happens in a process of its own, so an FMU that crashes or hangs (for two minutes) is a finding too.

Examples:
  cardan check hello                      is it right, and how will it run?
  cardan check hello --set left.mass=-1   would that be a mistake?
  cardan check hello --json               the same for machines
  cardan check pump.fmu                   does this FMU keep its promises?

An FMU is tried with its own start values: --set and the like are for systems. To check a system of one FMU
with other values, describe it in a system.toml.

Exit code 2 says that there are mistakes, 3 that an FMU crashed or hung; warnings alone give 0.";

/// The arguments of `cardan check`.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    #[command(flatten)]
    system: SystemArguments,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
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
        return guarded::perform(path, arguments.json, Some(TRIAL), advice, || {
            fmu::perform(path, arguments.json)
        });
    }
    // Participants are started and waited for here.
    let advice =
        "a component has done it while its system was read: leave out one after the other to see which";
    guarded::perform(path, arguments.json, None, advice, || check(arguments))
}

/// Checks a system: the code that goes with what was found.
fn check(arguments: &Arguments) -> anyhow::Result<u8> {
    let Opened { system, reporter } = description::open(&arguments.system);
    let code = match system {
        Some(_) => exit::DONE,
        None => exit::WRONG,
    };
    description::show(&reporter, &arguments.system.path);
    if arguments.json {
        let name = match &system {
            Some(system) => Some(system.spec.name.clone()),
            None => description::name_of(&arguments.system.path),
        };
        json::print(&Answer::of(name, system.as_ref(), &reporter.finish()))?;
    } else if let Some(system) = &system {
        console::print(&page(system, Paint::for_output()))?;
    }
    Ok(code)
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

fn page(system: &System, paint: Paint) -> String {
    let (graph, plan) = (&system.graph, &system.plan);
    let counted = |number: usize, what| text::count(number as u64, what);
    let mut page = format!(
        "{}: no mistakes; {}, {}\n",
        paint.bold(&system.spec.name),
        counted(graph.nodes.len(), "component"),
        counted(graph.connections.len(), "connection"),
    );
    let mut section = |title: &str, content: &str| {
        page += &format!("\n{}\n{}", paint.bold(title), text::indented(content));
    };
    section(
        "Graph: inputs → outputs, then who drives whom",
        &graph.to_string(),
    );
    section(
        "Order of evaluation at one instant",
        &names(system, &plan.exchange.feedthrough.sequence).join(", "),
    );
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
    page
}

/// The answer for machines.
#[derive(Serialize)]
struct Answer<'a> {
    system: Option<String>,
    status: &'static str,
    diagnostics: &'a [Diagnostic],
    order: Vec<String>,
    recommended: Option<Recommended<'a>>,
    groups: Vec<Group>,
}

#[derive(Serialize)]
struct Recommended<'a> {
    method: String,
    step: f64,
    /// Missing where the user has chosen.
    reason: Option<&'a str>,
}

/// A group in a circle. The figures of stability are part of the answer's shape and not yet computed.
#[derive(Serialize)]
struct Group {
    members: Vec<String>,
    alpha: Option<f64>,
    loop_gain: Option<f64>,
    spectral_radius: Option<f64>,
    order: Vec<String>,
    stable_step: Option<f64>,
}

impl<'a> Answer<'a> {
    fn of(name: Option<String>, system: Option<&'a System>, diagnostics: &'a [Diagnostic]) -> Self {
        let group = |system: &System, members: &Vec<ParticipantId>| Group {
            members: names(system, members),
            alpha: None,
            loop_gain: None,
            spectral_radius: None,
            order: stepping(system, members),
            stable_step: None,
        };
        Answer {
            system: name,
            status: if system.is_some() { "ok" } else { "failed" },
            diagnostics,
            order: system.map(|s| names(s, &s.plan.order)).unwrap_or_default(),
            recommended: system.map(|system| Recommended {
                method: system.plan.method_name(),
                step: system.setup.step,
                reason: system.reason.as_deref(),
            }),
            groups: system
                .map(|s| s.plan.groups.iter().map(|members| group(s, members)).collect())
                .unwrap_or_default(),
        }
    }
}
