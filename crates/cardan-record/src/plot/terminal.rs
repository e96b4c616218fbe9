//! Draws a figure in characters.

use super::Figure;
use super::braille::Canvas;
use super::curve::{Curve, Panel};
use super::decimate::strokes;
use super::style::terminal_colour;
use super::ticks::Ticks;

const NARROWEST: usize = 30;
const LOWEST_PANEL: usize = 4;

pub(super) fn draw(figure: &Figure<'_>, width: usize, height: usize) -> String {
    let width = width.max(NARROWEST);
    let times = figure.time_range();
    let ranges: Vec<(f64, f64)> = figure.panels.iter().map(|p| p.value_range(times)).collect();
    let legends: Vec<Vec<String>> = figure.panels.iter().map(|p| legend(figure, p, width)).collect();
    let title = figure.title.iter().count();
    // Each panel has a legend and a bottom line; the time axis has one line more.
    let taken = title + legends.iter().map(|l| l.len() + 1).sum::<usize>() + 1;
    let rows = (height.saturating_sub(taken) / figure.panels.len().max(1)).max(LOWEST_PANEL);
    let ticks: Vec<Ticks> = ranges
        .iter()
        .map(|&r| Ticks::new(r, (rows / 3).clamp(2, 6)))
        .collect();
    let margin = ticks
        .iter()
        .flat_map(|t| t.values.iter().map(|&v| t.label(v).chars().count()))
        .max()
        .unwrap_or(1);

    let mut lines: Vec<String> = figure
        .title
        .iter()
        .map(|t| format!("{:margin$}  {t}", ""))
        .collect();
    let columns = width.saturating_sub(margin + 2).max(10);
    let time_ticks = Ticks::new(times, (columns / 16).clamp(2, 10));
    for (((panel, range), legend), ticks) in figure.panels.iter().zip(ranges).zip(legends).zip(&ticks) {
        lines.extend(legend.into_iter().map(|l| format!("{:margin$}  {l}", "")));
        let canvas = canvas(panel, times, range, columns, rows);
        let marks = if figure.coloured {
            Vec::new()
        } else {
            marks(panel, &canvas, columns)
        };
        for row in 0..rows {
            let label = ticks
                .values
                .iter()
                .find(|&&v| place(v, range, rows, true) == row)
                .map(|&v| ticks.label(v));
            let axis = if label.is_some() { '┤' } else { '│' };
            let text = row_text(figure, &canvas, &marks, row, columns);
            let line = format!("{:>margin$} {axis}{text}", label.unwrap_or_default());
            lines.push(line.trim_end().to_owned());
        }
        lines.push(bottom(&time_ticks, times, margin, columns));
    }
    lines.push(time_labels(&time_ticks, times, margin, columns));
    if !figure.left_out.is_empty() {
        lines.push(format!(
            "{:margin$}  {} more variables are not shown",
            "",
            figure.left_out.len()
        ));
    }
    lines.join("\n") + "\n"
}

/// The letter of a curve where there are no colours.
fn letter(curve: usize) -> char {
    char::from(b'a' + (curve % 26) as u8)
}

/// The name of the panel, then each curve with its letter or in its colour, broken into lines.
fn legend(figure: &Figure<'_>, panel: &Panel<'_>, width: usize) -> Vec<String> {
    let factor = Ticks::new(panel.value_range(figure.time_range()), 4).factor();
    let head: Vec<String> = [factor, panel.unit.as_ref().map(|u| format!("[{u}]"))]
        .into_iter()
        .flatten()
        .collect();
    let mut lines = vec![head.join(" ")];
    let mut used = lines[0].chars().count();
    for (index, curve) in panel.curves.iter().enumerate() {
        let name = entry_name(figure, panel, curve);
        let length = name.chars().count() + 4;
        if used > 0 && used + length > width.saturating_sub(8) {
            lines.push(String::new());
            used = 0;
        }
        used += length;
        let entry = match (figure.coloured, panel.curves.len()) {
            (true, _) => format!("\x1b[38;5;{}m━ {name}\x1b[0m", terminal_colour(index)),
            (false, 1) => name,
            (false, _) => format!("{} {name}", letter(index)),
        };
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push_str("  ");
            }
            line.push_str(&entry);
        }
    }
    lines
}

/// The variable, and the result it is from where there are several. Control characters would upset the terminal.
fn entry_name(figure: &Figure<'_>, panel: &Panel<'_>, curve: &Curve<'_>) -> String {
    let variable = panel.variables.get(curve.variable).map_or("", String::as_str);
    let name = match figure.labels.get(curve.table) {
        Some(label) if figure.labels.len() > 1 => format!("{variable} ({label})"),
        _ => variable.to_owned(),
    };
    name.replace(char::is_control, " ")
}

fn canvas(panel: &Panel<'_>, times: (f64, f64), range: (f64, f64), columns: usize, rows: usize) -> Canvas {
    let mut canvas = Canvas::new(columns, rows);
    let (width, height) = canvas.size();
    let dots = |value: f64, (low, high): (f64, f64), last: usize| {
        (value - low) / (high - low) * (last as f64 - 1e-6)
    };
    for (index, curve) in panel.curves.iter().enumerate() {
        let points = curve.points(times).map(|(time, value)| {
            (
                dots(time, times, width),
                height as f64 - 1e-6 - dots(value, range, height),
            )
        });
        for stroke in strokes(points) {
            match stroke.as_slice() {
                [point] => canvas.line(*point, *point, index),
                points => points.windows(2).for_each(|w| canvas.line(w[0], w[1], index)),
            }
        }
    }
    canvas
}

/// Where the letter of each curve stands: spread over the width, where the curve is on top.
fn marks(panel: &Panel<'_>, canvas: &Canvas, columns: usize) -> Vec<(usize, usize, char)> {
    let count = panel.curves.len();
    if count < 2 {
        return Vec::new();
    }
    (0..count)
        .filter_map(|curve| {
            let wanted = (curve + 1) * columns / (count + 1);
            let nearest = (0..columns)
                .filter_map(|column| Some((column, canvas.row_of(curve, column)?)))
                .min_by_key(|(column, _)| column.abs_diff(wanted))?;
            Some((nearest.0, nearest.1, letter(curve)))
        })
        .collect()
}

fn row_text(
    figure: &Figure<'_>,
    canvas: &Canvas,
    marks: &[(usize, usize, char)],
    row: usize,
    columns: usize,
) -> String {
    let mut text = String::new();
    let mut colour = None;
    for column in 0..columns {
        let (character, owner) = canvas.cell(column, row);
        let wanted = (figure.coloured && character != ' ').then(|| terminal_colour(owner));
        if colour != wanted {
            match wanted {
                Some(code) => text.push_str(&format!("\x1b[38;5;{code}m")),
                None => text.push_str("\x1b[0m"),
            }
            colour = wanted;
        }
        let mark = marks.iter().find(|m| (m.0, m.1) == (column, row));
        text.push(mark.map_or(character, |m| m.2));
    }
    if colour.is_some() {
        text.push_str("\x1b[0m");
    }
    text
}

/// The row or column of a value among `count`.
fn place(value: f64, (low, high): (f64, f64), count: usize, from_top: bool) -> usize {
    let part = ((value - low) / (high - low)).clamp(0.0, 1.0);
    let part = if from_top { 1.0 - part } else { part };
    ((part * count as f64) as usize).min(count.saturating_sub(1))
}

fn bottom(ticks: &Ticks, times: (f64, f64), margin: usize, columns: usize) -> String {
    let mut line = vec!['─'; columns];
    for &time in &ticks.values {
        line[place(time, times, columns, false)] = '┬';
    }
    format!("{:margin$} └{}", "", line.into_iter().collect::<String>())
}

/// Labels centred under their ticks, as far as they do not touch, and the name of the axis where there is room.
fn time_labels(ticks: &Ticks, times: (f64, f64), margin: usize, columns: usize) -> String {
    let mut line = vec![' '; margin + 2 + columns];
    let mut free = 0;
    let mut gap = 0..0;
    for &time in &ticks.values {
        let label = ticks.label(time);
        let length = label.chars().count();
        let centred = (margin + 2 + place(time, times, columns, false)).saturating_sub(length / 2);
        let start = centred.min(line.len().saturating_sub(length));
        if start >= free {
            put(&mut line, start, &label);
            if start - free >= gap.len() {
                gap = free..start;
            }
            free = start + length + 1;
        }
    }
    let name = format!(
        "time [{}s]",
        ticks.factor().map(|f| format!("{f} ")).unwrap_or_default()
    );
    let length = name.chars().count();
    if gap.len() >= length + 2 {
        put(&mut line, gap.start + (gap.len() - length) / 2, &name);
    } else {
        let centre = margin + 2 + columns.saturating_sub(length) / 2;
        let labels: String = line.iter().collect();
        return format!("{}\n{:centre$}{name}", labels.trim_end(), "");
    }
    line.iter().collect::<String>().trim_end().to_owned()
}

fn put(line: &mut [char], start: usize, text: &str) {
    line.iter_mut()
        .skip(start)
        .zip(text.chars())
        .for_each(|(cell, c)| *cell = c);
}
