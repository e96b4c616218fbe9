//! `cardan plot`: results as a picture.

use crate::console::{self, Paint};
use anyhow::{Context, anyhow, bail};
use cardan::Table;
use cardan::record::plot::{Figure, PlotError};
use cardan::record::read;
use cardan_describe::nearest;
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  cardan plot hello.csv                                 here in the terminal
  cardan plot hello.csv left.position 'right.*'         some of the variables
  cardan plot hello.csv -o hello.svg --title Hello      a picture (.svg or .png)
  cardan plot coarse.csv --with fine.csv --from 2 --to 4";

/// The arguments of `cardan plot`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A result file (.csv, .parquet, .mat)
    result: PathBuf,
    /// Variables, or patterns in which * stands for anything; without any, those that fit
    #[arg(value_name = "VAR")]
    variables: Vec<String>,
    /// The picture to write, .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Another result to draw over the first; may be repeated
    #[arg(long, value_name = "RESULT")]
    with: Vec<PathBuf>,
    /// A line above the picture
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Begin at this time (seconds)
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    from: Option<f64>,
    /// End at this time (seconds)
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    to: Option<f64>,
    /// Pixels of a picture, or characters in the terminal
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<(u32, u32)>,
}

/// More would not be a picture, and PNG has twice as many pixels in each direction.
const LARGEST: u32 = 10_000;

fn size(text: &str) -> Result<(u32, u32), String> {
    let parse = |part: &str| part.trim().parse().ok().filter(|n| (1..=LARGEST).contains(n));
    let parts = text.split_once(['x', 'X', '×']);
    parts
        .and_then(|(width, height)| Some((parse(width)?, parse(height)?)))
        .ok_or_else(|| format!("write it like 900x500, each from 1 to {LARGEST}"))
}

/// What kind of picture is asked for.
enum Kind<'a> {
    Terminal,
    Svg(&'a Path),
    Png(&'a Path),
}

impl<'a> Kind<'a> {
    fn of(output: Option<&'a Path>) -> anyhow::Result<Self> {
        let Some(path) = output else {
            return Ok(Kind::Terminal);
        };
        let extension = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        match extension.as_str() {
            "svg" => Ok(Kind::Svg(path)),
            "png" => Ok(Kind::Png(path)),
            _ => bail!(
                "{} is no picture we can draw; its name must end in .svg or .png",
                path.display()
            ),
        }
    }
}

pub(crate) fn perform(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let kind = Kind::of(arguments.output.as_deref())?;
    let mut results = vec![(label(&arguments.result, arguments), read(&arguments.result)?)];
    for other in &arguments.with {
        results.push((label(other, arguments), read(other)?));
    }
    let tables: Vec<(&str, &Table)> = results
        .iter()
        .map(|(label, table)| (label.as_str(), table))
        .collect();
    let variables: Vec<&str> = arguments.variables.iter().map(String::as_str).collect();
    let mut figure = Figure::overlay(&tables, &variables).map_err(|error| explained(error, &tables))?;
    if let Some(title) = &arguments.title {
        figure = figure.title(title);
    }
    if let Some((from, to)) = span(arguments, &tables)? {
        figure = figure.span(from, to);
    }
    match (arguments.size, &kind) {
        (Some((width, height)), Kind::Svg(_)) => figure = figure.size(width, height),
        // A picture of pixels is drawn at twice its size, for sharp screens.
        (Some((width, height)), Kind::Png(_)) => figure = figure.size(width.div_ceil(2), height.div_ceil(2)),
        _ => {}
    }
    match kind {
        Kind::Terminal => {
            let (columns, rows) = arguments
                .size
                .map_or_else(room, |(w, h)| (w as usize, h as usize));
            let figure = figure.coloured(Paint::for_output().coloured);
            console::print(&figure.to_terminal(columns, rows))?;
        }
        Kind::Svg(path) => write(path, figure.to_svg().as_bytes(), &figure)?,
        Kind::Png(path) => write(path, &figure.to_png()?, &figure)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The terminal without the line of the next prompt.
fn room() -> (usize, usize) {
    let (columns, rows) = console::size();
    (columns, rows.saturating_sub(2))
}

/// What a result is called in the legend: its file, with the folder where several have the same name.
fn label(path: &Path, arguments: &Arguments) -> String {
    let all = || arguments.with.iter().chain([&arguments.result]);
    let alone = all()
        .filter(|other| other.file_name() == path.file_name())
        .count()
        <= 1;
    let short = path.file_name().filter(|_| alone);
    short.unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The part of the time to show; what is not said is the end of the data.
fn span(arguments: &Arguments, tables: &[(&str, &Table)]) -> anyhow::Result<Option<(f64, f64)>> {
    if arguments.from.is_none() && arguments.to.is_none() {
        return Ok(None);
    }
    let spans = || tables.iter().filter_map(|(_, table)| table.span());
    let first = spans().map(|(first, _)| first).fold(f64::INFINITY, f64::min);
    let last = spans().map(|(_, last)| last).fold(f64::NEG_INFINITY, f64::max);
    let (from, to) = (arguments.from.unwrap_or(first), arguments.to.unwrap_or(last));
    if from < to && from < last && to > first {
        Ok(Some((from, to)))
    } else {
        bail!("there is nothing from {from} s to {to} s; the results go from {first} s to {last} s")
    }
}

/// A slip of the pen deserves the name that was meant.
fn explained(error: PlotError, tables: &[(&str, &Table)]) -> anyhow::Error {
    if let PlotError::UnknownVariable { name, .. } = &error {
        let columns = tables.iter().flat_map(|(_, table)| &table.schema.columns);
        if let Some(near) = nearest(name, columns.map(|column| column.name.as_str())) {
            return anyhow!("there is no variable `{name}`; did you mean `{near}`?");
        }
    }
    error.into()
}

fn write(path: &Path, picture: &[u8], figure: &Figure<'_>) -> anyhow::Result<()> {
    fs::write(path, picture).with_context(|| format!("cannot write {}", path.display()))?;
    if !figure.left_out().is_empty() {
        console::warning(&format!(
            "there was no room for {}; name the variables you want",
            figure.left_out().join(", ")
        ));
    }
    console::print(&format!("{}\n", path.display()))
}
