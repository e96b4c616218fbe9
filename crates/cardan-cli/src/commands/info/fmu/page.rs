//! The page about an FMU.

use super::{Known, variables, words};
use crate::console::{self, Paint};
use crate::text;
use cardan_fmi::ModelDescription;
use cardan_fmi::description::{Causality, DefaultExperiment, Unknown};
use cardan_fmi::trial::{Contents, Platform};

/// So many lines of a list are shown without being asked for all.
const SHOWN: usize = 40;

pub(super) fn page(known: &Known<'_>, all: bool, paint: Paint) -> String {
    let fmu = &known.description;
    let mut page = format!("{} (FMI {})", paint.bold(&fmu.model_name), fmu.fmi_version);
    if let Some(description) = &fmu.description {
        page += &format!(": {}", text::shortened(description, 200));
    }
    page += "\n\n";
    for (what, words) in facts(known) {
        page += &fact(what, &words, paint);
    }
    page += &variables::groups(fmu, all, paint);
    let mut section = |title: &str, mut lines: Vec<String>| {
        if lines.is_empty() {
            return;
        }
        let limit = if all { lines.len() } else { SHOWN };
        let more = lines.len().saturating_sub(limit);
        lines.truncate(limit);
        if more > 0 {
            lines.push(format!("and {more} more, listed with --all"));
        }
        page += &format!("\n{}\n{}", paint.bold(title), text::indented(&lines.join("\n")));
    };
    section("What depends at once on inputs", feedthrough(fmu));
    section("States and events", states(fmu));
    section("Terminals", terminals(fmu));
    section("Units, in base units", fmu.units.iter().map(unit).collect());
    let category = |(name, meaning): &(String, Option<String>)| match meaning {
        Some(meaning) => format!("{name}: {meaning}"),
        None => name.clone(),
    };
    section(
        "Log categories",
        fmu.log_categories.iter().map(category).collect(),
    );
    page
}

/// A word and what belongs to it, broken where the terminal ends.
fn fact(what: &str, words: &[String], paint: Paint) -> String {
    const INDENT: usize = 18;
    let (columns, _) = console::size();
    let lines = text::flowing(words, columns.saturating_sub(INDENT));
    let gap = format!("\n{:INDENT$}", "");
    format!("  {}  {}\n", paint.dim(&format!("{what:<14}")), lines.join(&gap))
}

/// What there is to say in few words each.
fn facts(known: &Known<'_>) -> Vec<(&'static str, Vec<String>)> {
    let fmu = &known.description;
    let maker = [&fmu.generation_tool, &fmu.author];
    let maker: Vec<String> = maker.into_iter().flatten().cloned().collect();
    let mut facts = vec![("made by", or_unknown(maker, "nobody says"))];
    if let Some(date) = &fmu.generation_date {
        facts.push(("made on", vec![date.clone()]));
    }
    if let Some(version) = &fmu.model_version {
        facts.push(("version", vec![version.clone()]));
    }
    if let Some(offer) = &fmu.co_simulation {
        facts.push(("Co-Simulation", words::of_co_simulation(offer)));
    }
    if let Some(offer) = &fmu.model_exchange {
        facts.push(("Model Exchange", words::of_model_exchange(offer)));
    }
    if fmu.scheduled_execution {
        facts.push(("Scheduled", vec!["offered, but not supported here".to_owned()]));
    }
    facts.push(("binaries for", binaries(&known.contents)));
    facts.push(("experiment", experiment(&fmu.default_experiment)));
    facts
}

fn or_unknown(words: Vec<String>, unknown: &str) -> Vec<String> {
    if words.is_empty() {
        return vec![unknown.to_owned()];
    }
    words
}

fn binaries(contents: &Contents) -> Vec<String> {
    let name = |platform: &Platform| match platform.is_ours() {
        true => format!("{} (this machine)", platform.name),
        false => platform.name.clone(),
    };
    let mut words = or_unknown(contents.platforms.iter().map(name).collect(), "no platform");
    let is_here = contents.platforms.iter().any(Platform::is_ours);
    let rest = match (is_here, contents.source_files) {
        (true, 0) => return words,
        (true, _) => "with sources",
        (false, 0) => "not for this machine and without sources",
        (false, _) => "with sources to be compiled for this machine",
    };
    words.push(rest.to_owned());
    words
}

fn experiment(experiment: &DefaultExperiment) -> Vec<String> {
    let window = match (experiment.start, experiment.stop) {
        (Some(start), Some(stop)) => Some(format!("from {start} s to {stop} s")),
        (Some(start), None) => Some(format!("from {start} s")),
        (None, Some(stop)) => Some(format!("to {stop} s")),
        (None, None) => None,
    };
    let number = |value| text::number(value, 6);
    let step = experiment.step.map(|step| format!("step {} s", number(step)));
    let tolerance = experiment.tolerance.map(|t| format!("tolerance {}", number(t)));
    let words = [window, step, tolerance].into_iter().flatten().collect();
    or_unknown(words, "none proposed")
}

/// An output that depends only on states and parameters has no line.
fn feedthrough(fmu: &ModelDescription) -> Vec<String> {
    let line = |unknown: &Unknown| {
        let name = &fmu.variables.get(unknown.variable)?.name;
        let Some(dependencies) = &unknown.dependencies else {
            return Some(format!("{name}: on every input, for nothing is declared"));
        };
        let inputs = dependencies.iter().filter_map(|index| fmu.variables.get(*index));
        let inputs: Vec<String> = inputs
            .filter(|variable| variable.causality == Causality::Input)
            .map(|variable| variable.name.clone())
            .collect();
        (!inputs.is_empty()).then(|| format!("{name}: on {}", text::listed(&inputs)))
    };
    if fmu.variables.iter().all(|v| v.causality != Causality::Input) {
        return Vec::new();
    }
    let lines: Vec<String> = fmu.structure.outputs.iter().filter_map(line).collect();
    match lines.is_empty() && !fmu.structure.outputs.is_empty() {
        true => vec!["no output".to_owned()],
        false => lines,
    }
}

fn states(fmu: &ModelDescription) -> Vec<String> {
    let mut lines = Vec::new();
    let derivatives = &fmu.structure.derivatives;
    let states: Vec<String> = derivatives
        .iter()
        .filter_map(|unknown| {
            let state = fmu.variables.get(unknown.variable)?.derivative_of?;
            Some(fmu.variables.get(state)?.name.clone())
        })
        .collect();
    if !derivatives.is_empty() {
        let derivatives = derivatives.iter().filter_map(|d| fmu.variables.get(d.variable));
        // An array is as many states as it has elements.
        let elements = derivatives.map(|variable| variable.elements(&fmu.variables).unwrap_or(1));
        let count = text::count(elements.sum(), "continuous state");
        lines.push(format!("{count}: {}", text::listed(&states)));
    }
    if fmu.structure.event_indicators > 0 {
        lines.push(text::count(
            fmu.structure.event_indicators as u64,
            "event indicator",
        ));
    }
    if !fmu.structure.clocked_states.is_empty() {
        lines.push(text::count(
            fmu.structure.clocked_states.len() as u64,
            "clocked state",
        ));
    }
    lines
}

fn terminals(fmu: &ModelDescription) -> Vec<String> {
    let terminals = fmu.terminals.iter();
    terminals
        .map(|terminal| {
            let members = terminal.members.iter().filter_map(|member| {
                let variable = &fmu.variables.get(member.variable)?.name;
                Some(match member.name.as_ref().filter(|name| *name != variable) {
                    Some(name) => format!("{name} = {variable}"),
                    None => variable.clone(),
                })
            });
            let members: Vec<String> = members.collect();
            let kind = terminal.kind.iter().chain([&terminal.matching_rule]);
            let kind: Vec<&str> = kind.map(String::as_str).collect();
            format!(
                "{} ({}): {}",
                terminal.name,
                kind.join(", "),
                text::listed(&members)
            )
        })
        .collect()
}

fn unit(unit: &cardan_fmi::description::Unit) -> String {
    let Some(base) = unit.base else {
        return format!("{}: not said", unit.name);
    };
    let names = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];
    let powers = names.iter().zip(base).filter(|(_, power)| *power != 0);
    let powers: Vec<String> = powers
        .map(|(name, power)| match power {
            1 => (*name).to_owned(),
            power => format!("{name}^{power}"),
        })
        .collect();
    let mut words = or_unknown(powers, "1");
    if unit.factor != 1.0 {
        words.insert(0, format!("{} ·", text::number(unit.factor, 8)));
    }
    if unit.offset != 0.0 {
        words.push(format!("+ {}", text::number(unit.offset, 8)));
    }
    format!("{} = {}", unit.name, words.join(" "))
}
