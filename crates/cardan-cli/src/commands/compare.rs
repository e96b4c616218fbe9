//! `cardan compare`: the largest difference of each variable.

use crate::console::{self, Paint};
use crate::table::Table;
use crate::{exit, json, text};
use anyhow::bail;
use cardan::record::{Comparison, Difference, Grid, compare, read};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  cardan compare new.csv old.csv
  cardan compare coarse.csv fine.parquet --rtol 1e-3
  cardan compare a.csv b.csv --rtol 0 --atol 0     bit for bit

A variable may differ by atol + rtol × its largest value in B. Where the times differ, B is read
between its rows. Exit code 1 says that something differs by more.";

/// The arguments of `cardan compare`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A result
    a: PathBuf,
    /// The reference to compare it with
    b: PathBuf,
    /// Allowed difference relative to the largest value
    #[arg(long, value_name = "R", default_value = "1e-6", value_parser = tolerance)]
    rtol: f64,
    /// Allowed difference of any value
    #[arg(long, value_name = "A", default_value = "1e-9", value_parser = tolerance)]
    atol: f64,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err("a tolerance is a number that is not negative".into()),
    }
}

pub(crate) fn perform(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (a, b) = (read(&arguments.a)?, read(&arguments.b)?);
    let comparison = compare(&a, &b, arguments.rtol, arguments.atol);
    let (first, second) = (arguments.a.display(), arguments.b.display());
    if comparison.differences.is_empty() {
        bail!("{first} and {second} have no variable in common");
    }
    if matches!(comparison.grid, Grid::Disjoint) {
        bail!("{first} and {second} have no time in common");
    }
    let agrees = comparison.agrees();
    if arguments.json {
        json::print(&machine_readable(&comparison, arguments))?;
    } else {
        console::print(&page(&comparison))?;
    }
    Ok(if agrees {
        ExitCode::SUCCESS
    } else {
        exit::DIFFERENT.into()
    })
}

fn page(comparison: &Comparison) -> String {
    let paint = Paint::for_output();
    let mut table = Table::new([
        "variable",
        ">largest difference",
        "unit",
        ">at time",
        ">allowed",
        "",
    ]);
    for difference in &comparison.differences {
        table.row([
            difference.name.clone(),
            text::number(difference.largest, 4),
            difference.unit.clone().unwrap_or_default(),
            difference.at.map(|at| text::number(at, 6)).unwrap_or_default(),
            text::number(difference.allowed, 3),
            if difference.exceeds { "differs" } else { "ok" }.to_owned(),
        ]);
    }
    let mut page = table.render(paint) + "\n";
    if let Grid::Interpolated { rows, outside, .. } = comparison.grid {
        page += &format!(
            "The times differ: {} of A compared, B read between its rows where it has none at that time",
            text::count(rows as u64, "row")
        );
        if outside > 0 {
            page += &format!(", {outside} outside the common time left out");
        }
        page += ".\n";
    }
    for (names, which) in [
        (&comparison.only_in_a, "first"),
        (&comparison.only_in_b, "second"),
    ] {
        if !names.is_empty() {
            page += &format!("Only in the {which}: {}.\n", names.join(", "));
        }
    }
    let differing = comparison.differences.iter().filter(|d| d.exceeds).count();
    let all = text::count(comparison.differences.len() as u64, "variable");
    page += &match differing {
        0 => format!("{} ({all})\n", paint.green("They agree")),
        some => format!("{}: {some} of {all}\n", paint.red("They differ")),
    };
    page
}

fn machine_readable(comparison: &Comparison, arguments: &Arguments) -> Value {
    let difference = |d: &Difference| {
        json!({
            "name": d.name, "unit": d.unit, "largest": d.largest, "at": d.at, "allowed": d.allowed,
            "ratio": d.ratio, "exceeds": d.exceeds,
        })
    };
    let rows = match comparison.grid {
        Grid::Same { rows } | Grid::Interpolated { rows, .. } => rows,
        Grid::Disjoint => 0,
    };
    json!({
        "agrees": comparison.agrees(),
        "rtol": arguments.rtol,
        "atol": arguments.atol,
        "rows": rows,
        "interpolated": matches!(comparison.grid, Grid::Interpolated { .. }),
        "differences": comparison.differences.iter().map(difference).collect::<Vec<_>>(),
        "only_in_a": comparison.only_in_a,
        "only_in_b": comparison.only_in_b,
    })
}
