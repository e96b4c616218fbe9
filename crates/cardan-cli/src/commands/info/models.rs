//! The built-in models.

use crate::console::{self, Paint};
use crate::table::Table;
use crate::{json, text};
use anyhow::bail;
use cardan::core::interface::{Causality, Parameter, Port};
use cardan::models::{ModelInfo, catalogue};
use cardan_describe::nearest;
use serde_json::{Value, json};
use std::process::ExitCode;

pub(super) fn perform(name: Option<&str>, as_json: bool) -> anyhow::Result<ExitCode> {
    let models = chosen(name)?;
    let paint = Paint::for_output();
    if as_json {
        let models: Vec<Value> = models.into_iter().map(machine_readable).collect();
        json::print(&json!({ "models": models }))?;
    } else if let ([model], Some(_)) = (models.as_slice(), name) {
        console::print(&page(model, paint))?;
    } else {
        console::print(&list(&models, paint))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// All models, those of a domain, or the one of that name.
fn chosen(name: Option<&str>) -> anyhow::Result<Vec<&'static ModelInfo>> {
    let all = catalogue().iter();
    let Some(name) = name else {
        return Ok(all.collect());
    };
    let found: Vec<_> = all.filter(|m| m.name == name || m.domain == name).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let known = catalogue().iter().flat_map(|m| [m.name, m.domain]);
    match nearest(name, known) {
        Some(near) => bail!("there is no model `{name}`; did you mean `{near}`?"),
        None => bail!("there is no model `{name}`; `cardan info --models` lists them"),
    }
}

/// The ports of a model as it is by default; none where they depend on parameters that must be given.
fn ports(model: &ModelInfo) -> Option<Vec<Port>> {
    model.interface().map(|interface| interface.ports)
}

fn direction(port: &Port) -> &'static str {
    match port.causality {
        Causality::Input => "input",
        Causality::Output => "output",
        Causality::Local => "local",
    }
}

fn with_unit(text: String, unit: Option<&String>) -> String {
    match unit {
        Some(unit) => format!("{text} [{unit}]"),
        None => text,
    }
}

/// The models by domain, each in a few lines.
fn list(models: &[&ModelInfo], paint: Paint) -> String {
    let mut page = String::new();
    let mut domain = "";
    for model in models {
        if model.domain != domain {
            domain = model.domain;
            let gap = if page.is_empty() { "" } else { "\n" };
            page += &format!("{gap}{}\n", paint.bold(domain));
        }
        page += &format!("  {}: {}\n", paint.green(model.name), model.summary);
        match ports(model) {
            None => page += "    ports follow from the parameters\n",
            Some(ports) => {
                for (causality, what) in [(Causality::Input, "in "), (Causality::Output, "out")] {
                    let named: Vec<String> = ports
                        .iter()
                        .filter(|port| port.causality == causality)
                        .map(|port| with_unit(port.name.clone(), port.unit.as_ref()))
                        .collect();
                    page += &line(what, &named, paint);
                }
            }
        }
        let parameters: Vec<String> = (model.parameters)()
            .iter()
            .map(|parameter| match &parameter.default {
                Some(default) if !default.is_empty() => {
                    format!(
                        "{} = {}",
                        parameter.name,
                        with_unit(default.to_string(), parameter.unit.as_ref())
                    )
                }
                Some(_) => format!("{} (none)", parameter.name),
                None => format!("{} (must be given)", parameter.name),
            })
            .collect();
        page += &line("set", &parameters, paint);
    }
    page + "\n`cardan info --models NAME` tells more about one of them.\n"
}

/// A word and what belongs to it, broken where the terminal ends.
fn line(what: &str, items: &[String], paint: Paint) -> String {
    const INDENT: usize = 9;
    if items.is_empty() {
        return String::new();
    }
    let (columns, _) = console::size();
    let lines = text::flowing(items, columns.saturating_sub(INDENT));
    let gap = format!("\n{:INDENT$}", "");
    format!("    {}  {}\n", paint.dim(what), lines.join(&gap))
}

/// One model with everything about it.
fn page(model: &ModelInfo, paint: Paint) -> String {
    let mut page = format!(
        "{} ({}): {}\n\n",
        paint.bold(model.name),
        model.domain,
        model.summary
    );
    match ports(model) {
        None => page += "  The ports follow from the parameters.\n",
        Some(ports) => {
            let mut table = Table::new([
                "port",
                "direction",
                "type",
                "unit",
                "if not connected",
                "description",
            ]);
            for port in &ports {
                table.row([
                    port.name.clone(),
                    direction(port).to_owned(),
                    match port.form.is_named() {
                        true => port.form.name().to_owned(),
                        false => type_of(port.value_type.to_string(), Some(&port.shape)),
                    },
                    port.unit.clone().unwrap_or_default(),
                    unconnected(port),
                    port.description.clone(),
                ]);
            }
            page += &table.render(paint);
        }
    }
    let mut table = Table::new([
        "parameter",
        "type",
        ">default",
        "unit",
        "range",
        "tunable",
        "description",
    ]);
    for parameter in &(model.parameters)() {
        table.row([
            parameter.name.clone(),
            type_of(parameter.value_type.to_string(), parameter.shape.as_ref()),
            default(parameter),
            parameter.unit.clone().unwrap_or_default(),
            range(parameter),
            if parameter.tunable { "yes" } else { "no" }.to_owned(),
            parameter.description.clone(),
        ]);
    }
    page + "\n" + &table.render(paint)
}

fn type_of(name: String, shape: Option<&cardan::core::value::Shape>) -> String {
    match shape {
        Some(shape) if shape.is_scalar() => name,
        Some(shape) => format!("{name} {shape}"),
        None => format!("{name}s"),
    }
}

fn unconnected(port: &Port) -> String {
    match (&port.start, port.causality) {
        (Some(start), _) => start.to_string(),
        (None, Causality::Input) => "must be".to_owned(),
        (None, _) => String::new(),
    }
}

fn default(parameter: &Parameter) -> String {
    match &parameter.default {
        Some(value) if value.is_empty() => "none".to_owned(),
        Some(value) => value.to_string(),
        None => "must be given".to_owned(),
    }
}

fn range(parameter: &Parameter) -> String {
    let low = parameter.minimum.map(|minimum| {
        let sign = if parameter.minimum_allowed { "≥" } else { ">" };
        format!("{sign} {minimum}")
    });
    let high = parameter.maximum.map(|maximum| format!("≤ {maximum}"));
    let limits: Vec<String> = low.into_iter().chain(high).collect();
    limits.join(", ")
}

fn machine_readable(model: &ModelInfo) -> Value {
    let port = |port: &Port| {
        json!({
            "name": port.name,
            "direction": direction(port),
            "type": port.value_type.to_string(),
            "shape": port.shape.dimensions(),
            "form": port.form.name(),
            "unit": port.unit,
            "start": port.start.as_ref().map(json::value),
            "description": port.description,
        })
    };
    let parameter = |parameter: &Parameter| {
        json!({
            "name": parameter.name,
            "type": parameter.value_type.to_string(),
            "shape": parameter.shape.as_ref().map(|shape| shape.dimensions()),
            "unit": parameter.unit,
            "default": parameter.default.as_ref().map(json::value),
            "minimum": parameter.minimum,
            "minimum_allowed": parameter.minimum_allowed,
            "maximum": parameter.maximum,
            "tunable": parameter.tunable,
            "description": parameter.description,
        })
    };
    json!({
        "name": model.name,
        "domain": model.domain,
        "summary": model.summary,
        "ports": ports(model).map(|ports| ports.iter().map(port).collect::<Vec<_>>()),
        "parameters": (model.parameters)().iter().map(parameter).collect::<Vec<_>>(),
    })
}
