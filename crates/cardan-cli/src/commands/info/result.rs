//! A result file at a glance.

use crate::console::{self, Paint};
use crate::table::Table;
use crate::{json, text};
use cardan::record::scene::Scene;
use cardan::record::{ColumnSummary, Summary, describe};
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

pub(super) fn perform(path: &Path, as_json: bool) -> anyhow::Result<ExitCode> {
    let summary = describe(path)?;
    if as_json {
        json::print(&machine_readable(path, &summary))?;
    } else {
        console::print(&page(path, &summary, Paint::for_output()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn page(path: &Path, summary: &Summary, paint: Paint) -> String {
    const DIGITS: usize = 6;
    let mut page = paint.bold(&path.display().to_string());
    if !summary.system.is_empty() {
        page += &format!(", results of {}", summary.system);
    }
    page += &format!(": {}", text::count(summary.rows as u64, "row"));
    if let Some((first, last)) = summary.span {
        page += &format!(" from {first} s to {last} s");
    }
    if let Some((scene, _)) = Scene::of(path) {
        page += &format!(", with the scene {}", scene.display());
    }
    page += "\n\n";
    let mut table = Table::new(["variable", "type", "unit", ">min", ">max", ">first", ">last"]);
    let limit = |value: Option<f64>| value.map(|value| text::number(value, DIGITS)).unwrap_or_default();
    for column in &summary.columns {
        let end = |value| text::value(value, DIGITS);
        table.row([
            column.column.name.clone(),
            column.column.value_type.to_string(),
            column.column.unit.clone().unwrap_or_default(),
            limit(column.min),
            limit(column.max),
            column.first.as_ref().map(end).unwrap_or_default(),
            column.last.as_ref().map(end).unwrap_or_default(),
        ]);
    }
    page += &table.render(paint);
    for column in summary.columns.iter().filter(|column| column.not_numbers > 0) {
        let values = text::count(column.not_numbers as u64, "value");
        page += &format!("\n{}: {values} not a number", column.column.name);
    }
    page
}

fn machine_readable(path: &Path, summary: &Summary) -> Value {
    let column = |column: &ColumnSummary| {
        json!({
            "name": column.column.name,
            "type": column.column.value_type.to_string(),
            "unit": column.column.unit,
            "description": column.column.description,
            "min": column.min,
            "max": column.max,
            "first": column.first.as_ref().map(json::value),
            "last": column.last.as_ref().map(json::value),
            "not_numbers": column.not_numbers,
        })
    };
    let mut result = json!({
        "kind": "result",
        "file": path.display().to_string(),
        "system": summary.system,
        "rows": summary.rows,
        "start": summary.span.map(|(first, _)| first),
        "stop": summary.span.map(|(_, last)| last),
        "columns": summary.columns.iter().map(column).collect::<Vec<_>>(),
    });
    if let Some((scene, _)) = Scene::of(path) {
        result["scene"] = scene.display().to_string().into();
    }
    result
}
