//! A system at a glance.

use crate::console::{self, Paint};
use crate::description::{self, Opened};
use crate::table::Table;
use crate::{json, text};
use cardan::core::interface::Causality;
use cardan::{MechanismSize, Overrides, System};
use cardan_describe::spec::{ComponentSource, ComponentSpec};
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

pub(super) fn perform(path: &Path, map: Option<&Path>, as_json: bool) -> anyhow::Result<ExitCode> {
    let overrides = Overrides {
        map: map.map(Path::to_owned),
        ..Overrides::default()
    };
    let Opened { system, reporter } = description::open_with(path, &overrides);
    let Some(system) = system else {
        return description::refuse(path, &overrides, reporter, as_json);
    };
    if as_json {
        json::print(&machine_readable(&system))?;
    } else {
        console::print(&page(&system, Paint::for_output()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a component is made from, as the user wrote it.
fn origin(component: &ComponentSpec) -> String {
    match &component.source {
        Some(
            ComponentSource::Model(text)
            | ComponentSource::MultibodyFile(text)
            | ComponentSource::Fmu(text)
            | ComponentSource::Python(text)
            | ComponentSource::Octave(text)
            | ComponentSource::Scilab(text)
            | ComponentSource::Connect(text)
            | ComponentSource::Listen(text),
        ) => text.value.clone(),
        Some(ComponentSource::Process(process)) => {
            let words: Vec<&str> = process.command.iter().map(|word| word.value.as_str()).collect();
            words.join(" ")
        }
        Some(ComponentSource::Multibody(_)) => "multibody".to_owned(),
        None => String::new(),
    }
}

/// How large a component is, if it is a mechanism.
fn size<'a>(system: &'a System, component: &ComponentSpec) -> Option<&'a MechanismSize> {
    let mut known = system.mechanisms.iter();
    let found = known.find(|(name, _)| *name == component.name.value);
    found.map(|(_, size)| size)
}

fn ports(system: &System, index: usize, causality: Causality) -> Vec<&str> {
    let node = system.graph.nodes.get(index);
    let ports = node
        .into_iter()
        .flat_map(|node| node.interface.ports_of(causality));
    ports.map(|(_, port)| port.name.as_str()).collect()
}

fn page(system: &System, paint: Paint) -> String {
    let (spec, window) = (&system.spec, &system.plan.window);
    let mut page = paint.bold(&spec.name);
    if let Some(description) = &spec.description {
        page += &format!(": {description}");
    }
    page += &format!("\nfrom {} s to {} s, ", window.start, window.stop);
    page += &format!("{}, step {} s\n\n", system.plan.method.sweep, system.setup.step);

    let mut components = Table::new(["component", "made from", "inputs", "outputs"]);
    for (index, component) in spec.components.iter().enumerate() {
        components.row([
            component.name.value.clone(),
            origin(component),
            ports(system, index, Causality::Input).join(" "),
            ports(system, index, Causality::Output).join(" "),
        ]);
    }
    page += &components.render(paint);
    if !system.mechanisms.is_empty() {
        page += "\n";
    }
    for (name, size) in &system.mechanisms {
        page += &format!("{name}: {size}\n");
    }
    if !system.graph.connections.is_empty() {
        let mut connections = Table::new(["from", "to", "reading"]);
        for connection in &system.graph.connections {
            connections.row([
                system.graph.name_of(connection.from),
                system.graph.name_of(connection.to),
                connection.reading.to_string(),
            ]);
        }
        page += "\n";
        page += &connections.render(paint);
    }
    let columns = &system.plan.columns.schema.columns;
    page + &format!("\n{} of results\n", text::count(columns.len() as u64, "column"))
}

fn machine_readable(system: &System) -> Value {
    let (spec, graph, window) = (&system.spec, &system.graph, &system.plan.window);
    let component = |(index, component): (usize, &ComponentSpec)| {
        let mut described = json!({
            "name": component.name.value,
            "kind": component.source.as_ref().map(ComponentSource::kind),
            "source": origin(component),
            "inputs": ports(system, index, Causality::Input),
            "outputs": ports(system, index, Causality::Output),
        });
        if let Some(size) = size(system, component) {
            described["mechanism"] = json!(size);
        }
        described
    };
    let connection = |c: &cardan::core::graph::Connection| json!({ "from": graph.name_of(c.from), "to": graph.name_of(c.to), "reading": c.reading.to_string() });
    let columns = system.plan.columns.schema.columns.iter();
    json!({
        "kind": "system",
        "system": spec.name,
        "description": spec.description,
        "start": window.start.seconds(),
        "stop": window.stop.seconds(),
        "method": system.plan.method.sweep.to_string(),
        "step": system.setup.step,
        "components": spec.components.iter().enumerate().map(component).collect::<Vec<_>>(),
        "connections": graph.connections.iter().map(connection).collect::<Vec<_>>(),
        "columns": columns.map(|column| column.name.as_str()).collect::<Vec<_>>(),
    })
}
