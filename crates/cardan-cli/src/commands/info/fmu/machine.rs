//! Everything about an FMU as one object.

use super::{Known, words};
use crate::json;
use cardan::Diagnostic;
use cardan_fmi::ModelDescription;
use cardan_fmi::description::{Terminal, Unit, Unknown, Usage, Variable};
use serde_json::{Value, json};

pub(super) fn machine_readable(known: &Known<'_>, diagnostics: &[Diagnostic]) -> Value {
    let fmu = &known.description;
    let experiment = &fmu.default_experiment;
    let structure = &fmu.structure;
    json!({
        "kind": "fmu",
        "file": known.path.display().to_string(),
        "name": fmu.model_name,
        "fmi_version": fmu.fmi_version,
        "description": fmu.description,
        "token": fmu.token,
        "author": fmu.author,
        "version": fmu.model_version,
        "generation_tool": fmu.generation_tool,
        "generation_date": fmu.generation_date,
        "co_simulation": co_simulation(fmu),
        "model_exchange": model_exchange(fmu),
        "scheduled_execution": fmu.scheduled_execution,
        "platforms": known.contents.platforms.iter().map(|platform| json!({
            "name": platform.name,
            "platform": platform.meaning(),
            "this_machine": platform.is_ours(),
            "files": platform.files,
        })).collect::<Vec<_>>(),
        "source_files": known.contents.source_files,
        "default_experiment": {
            "start": experiment.start,
            "stop": experiment.stop,
            "step": experiment.step,
            "tolerance": experiment.tolerance,
        },
        "variables": fmu.variables.iter().map(|variable| self::variable(fmu, variable)).collect::<Vec<_>>(),
        "outputs": unknowns(fmu, &structure.outputs),
        "derivatives": unknowns(fmu, &structure.derivatives),
        "clocked_states": unknowns(fmu, &structure.clocked_states),
        "initial_unknowns": unknowns(fmu, &structure.initial_unknowns),
        "event_indicators": structure.event_indicators,
        "terminals": fmu.terminals.iter().map(|terminal| self::terminal(fmu, terminal)).collect::<Vec<_>>(),
        "units": fmu.units.iter().map(unit).collect::<Vec<_>>(),
        "log_categories": fmu.log_categories.iter().map(|(name, description)| {
            json!({ "name": name, "description": description })
        }).collect::<Vec<_>>(),
        "diagnostics": diagnostics,
    })
}

fn name(fmu: &ModelDescription, index: usize) -> Option<&str> {
    fmu.variables.get(index).map(|variable| variable.name.as_str())
}

fn co_simulation(fmu: &ModelDescription) -> Option<Value> {
    let offer = fmu.co_simulation.as_ref()?;
    Some(json!({
        "usage": usage(&offer.usage),
        "variable_step": offer.variable_step,
        "fixed_internal_step": offer.fixed_internal_step,
        "interpolates_inputs": offer.interpolates_inputs,
        "output_derivative_order": offer.output_derivative_order,
        "intermediate_update": offer.intermediate_update,
        "returns_early": offer.returns_early,
        "event_mode": offer.event_mode,
    }))
}

fn model_exchange(fmu: &ModelDescription) -> Option<Value> {
    let offer = fmu.model_exchange.as_ref()?;
    Some(json!({
        "usage": usage(&offer.usage),
        "needs_completed_step": offer.needs_completed_step,
    }))
}

fn usage(usage: &Usage) -> Value {
    json!({
        "model_identifier": usage.model_identifier,
        "needs_execution_tool": usage.needs_execution_tool,
        "once_per_process": usage.once_per_process,
        "saves_state": usage.saves_state,
        "serializes_state": usage.serializes_state,
        "directional_derivatives": usage.directional_derivatives,
    })
}

fn variable(fmu: &ModelDescription, variable: &Variable) -> Value {
    let mut object = json!({
        "name": variable.name,
        "value_reference": variable.value_reference,
        "type": words::kind(variable.kind, fmu.version),
        "causality": words::causality(variable.causality),
        "variability": words::variability(variable.variability),
        "initial": variable.initial.map(words::initial),
        "start": variable.start.as_ref().map(json::value).or_else(|| variable.large_start.as_ref().map(|text| json!(text))),
        "dimensions": words::dimensions(variable, &fmu.variables),
        "unit": variable.unit,
        "minimum": variable.minimum,
        "maximum": variable.maximum,
        "nominal": variable.nominal,
        "derivative_of": variable.derivative_of.and_then(|index| name(fmu, index)),
        "description": variable.description,
    });
    // What few variables have is left out where there is nothing to say.
    if let Some(object) = object.as_object_mut() {
        if !variable.aliases.is_empty() {
            object.insert("aliases".to_owned(), json!(variable.aliases));
        }
        if !variable.choices.is_empty() {
            let choices = variable.choices.iter();
            let choices = choices.map(|(name, value)| json!({ "name": name, "value": value }));
            object.insert("choices".to_owned(), choices.collect());
        }
        if !variable.clocks.is_empty() {
            let clocks = variable.clocks.iter().filter_map(|index| name(fmu, *index));
            object.insert("clocks".to_owned(), clocks.collect());
        }
        if let Some(clock) = &variable.clock {
            let clock = json!({
                "interval_variability": format!("{:?}", clock.interval_variability).to_lowercase(),
                "interval": clock.interval,
                "shift": clock.shift,
            });
            object.insert("clock".to_owned(), clock);
        }
    }
    object
}

/// `dependencies` is null where nothing is declared, which means everything.
fn unknowns(fmu: &ModelDescription, list: &[Unknown]) -> Vec<Value> {
    let names = |indices: &Vec<usize>| {
        let names = indices.iter().filter_map(|index| name(fmu, *index));
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    list.iter()
        .map(|unknown| {
            json!({
                "variable": name(fmu, unknown.variable),
                "dependencies": unknown.dependencies.as_ref().map(names),
            })
        })
        .collect()
}

fn terminal(fmu: &ModelDescription, terminal: &Terminal) -> Value {
    let members = terminal.members.iter().map(
        |member| json!({ "variable": name(fmu, member.variable), "name": member.name, "kind": member.kind }),
    );
    json!({
        "name": terminal.name,
        "matching_rule": terminal.matching_rule,
        "kind": terminal.kind,
        "members": members.collect::<Vec<_>>(),
    })
}

fn unit(unit: &Unit) -> Value {
    let names = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];
    let base = unit.base.map(|base| {
        let powers = names.iter().zip(base).filter(|(_, power)| *power != 0);
        let powers = powers.map(|(name, power)| ((*name).to_owned(), json!(power)));
        Value::Object(powers.collect())
    });
    json!({ "name": unit.name, "base": base, "factor": unit.factor, "offset": unit.offset })
}
