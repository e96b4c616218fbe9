//! What a run was like, for people.

use super::{Outline, coupling};
use crate::console::{self, Paint};
use crate::exit;
use crate::table::Table;
use crate::text;
use cardan::core::record::ColumnData;
use cardan::record::plot::Figure;
use cardan::record::read;
use cardan::{ErrorReport, Report};
use std::fs;
use std::path::Path;

/// Reading more than this back for a small picture would make the user wait.
const LARGEST_PREVIEW: u64 = 20 << 20;
const PREVIEW_ROWS: usize = 16;
const PREVIEW_VARIABLES: usize = 4;

/// Says what the run noticed.
pub(super) fn warnings(report: &Report) {
    for warning in &report.warnings {
        let often = match warning.count {
            0 | 1 => String::new(),
            many => format!(" ({many} times in all)"),
        };
        console::warning(&format!(
            "{} at t = {} s: {}{often}",
            warning.place, warning.time, warning.message
        ));
    }
}

/// Says why it failed: who, when, in which call, and what to do.
pub(super) fn failure(error: &ErrorReport) {
    console::error(&error.to_string());
    if let Some(advice) = &error.advice {
        console::note(&format!("{}: {advice}\n", Paint::for_errors().bold("help")));
    }
}

/// A few lines on the run; a table of the components with `detailed`.
pub(super) fn page(report: &Report, outline: &Outline, detailed: bool, paint: Paint) -> String {
    let reached = format!(
        "at {} s of {} s",
        text::number(report.time, 9),
        text::number(outline.window.1, 9)
    );
    let status = match &*report.status {
        "ok" => paint.green("done"),
        _ if report.exit_code == exit::INTERRUPTED => format!("{} {reached}", paint.yellow("interrupted")),
        _ => format!("{} {reached}", paint.red("failed")),
    };
    let simulated = text::number(report.time - outline.window.0, 9);
    let mut page = format!("{}: {status}\n", paint.bold(&report.system));
    let mut line = |what: &str, content: String| {
        page += &format!("  {} {content}\n", paint.dim(&format!("{what:<8}")));
    };
    let taken_back = match report.rejected {
        0 => String::new(),
        rejected => format!(", and {rejected} taken back"),
    };
    line(
        "time",
        format!(
            "{simulated} s in {}{taken_back}",
            text::count(report.steps, "step")
        ),
    );
    line(
        "took",
        format!(
            "{}, {} × real time (and {} to set up)",
            text::duration(report.run_s),
            text::number(report.real_time_factor, 3),
            text::duration(report.setup_s)
        ),
    );
    for solved in &report.loops {
        let rounds = solved.rounds as f64 / solved.solved.max(1) as f64;
        line(
            "loop",
            format!(
                "{}: solved {} times in {rounds:.1} rounds each, residual at most {:.0e}",
                text::listed(&solved.outputs),
                solved.solved,
                solved.residual
            ),
        );
    }
    for (what, content) in coupling::lines(report) {
        line(what, content);
    }
    // Who ran it knows best what became of a method that was left open.
    let pace = match report.pace.is_empty() {
        true => &outline.pace,
        false => &report.pace,
    };
    line("method", pace.clone());
    if let Some(reason) = report.reason.as_ref().or(outline.reason.as_ref()) {
        line("because", reason.clone());
    }
    if let Some(time) = report.resumed_from {
        line("resumed", format!("at {} s", text::number(time, 9)));
    }
    if let Some(kept) = &report.checkpoint {
        let time = text::number(kept.time, 9);
        line("kept", format!("a checkpoint at {time} s in {}", kept.file));
    }
    if let Some(results) = &report.results {
        line("results", results.display().to_string());
    }
    if let Some(scene) = &report.scene {
        line("scene", scene.display().to_string());
    }
    if detailed {
        page.push('\n');
        page += &components(report, paint);
    }
    page
}

fn components(report: &Report, paint: Paint) -> String {
    // Only solvers for mechanisms correct their steps.
    let corrected = report
        .components
        .values()
        .any(|component| component.iterations > 0);
    let mut table = match corrected {
        false => Table::new(["component", ">steps", ">inner steps", ">rhs", ">time", ">waiting"]),
        true => Table::new([
            "component",
            ">steps",
            ">inner steps",
            ">rhs",
            ">time",
            ">waiting",
            ">corrections",
        ]),
    };
    for (name, component) in &report.components {
        // A cell beyond the last heading is not shown.
        table.row([
            name.clone(),
            component.steps.to_string(),
            component.inner_steps.to_string(),
            component.rhs.to_string(),
            text::duration(component.wall_s),
            text::duration(component.wait_s),
            component.iterations.to_string(),
        ]);
    }
    table.render(paint)
}

/// What to do next.
pub(super) fn advice(results: &Path) -> String {
    format!("Look at the results: cardan plot {}\n", text::word(results))
}

/// A small picture of the first variables; none where the results are large, or hold no numbers.
pub(super) fn preview(results: &Path, outline: &Outline, paint: Paint) -> Option<String> {
    let data = fs::metadata(results).ok()?;
    if !data.is_file() || data.len() > LARGEST_PREVIEW {
        return None;
    }
    let mut table = read(results).ok()?;
    // Not every format keeps units, and they decide what shares an axis.
    if table.schema.columns.len() == outline.schema.columns.len() {
        table.schema = outline.schema.clone();
    }
    let columns = table.schema.columns.iter().zip(&table.columns);
    let numbers = columns.filter(|(_, data)| !matches!(data, ColumnData::Bytes(_)));
    let names: Vec<&str> = numbers.map(|(column, _)| column.name.as_str()).collect();
    let shown = names.get(..PREVIEW_VARIABLES).unwrap_or(&names);
    let figure = Figure::new(&table, shown).ok()?.coloured(paint.coloured);
    let (columns, rows) = console::size();
    Some(figure.to_terminal(columns, rows.saturating_sub(8).min(PREVIEW_ROWS)))
}
