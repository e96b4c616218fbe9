//! Draws a figure as SVG.

use super::Figure;
use super::curve::Panel;
use super::decimate::strokes;
use super::layout::{self, Layout, PanelLayout, SAMPLE};
use super::style::{self, AXIS, GRID, INK, MUTED, SMALL, Stroke, TEXT, TITLE, ZERO, text_width};
use super::svg::{Anchor, Svg};

pub(super) fn draw(figure: &Figure<'_>) -> String {
    let layout = Layout::of(figure);
    let mut svg = Svg::new(layout.width, layout.height);
    draw_head(&mut svg, figure, &layout);
    for (index, (panel, place)) in figure.panels.iter().zip(&layout.panels).enumerate() {
        draw_grid(&mut svg, &layout, place);
        draw_names(&mut svg, panel, place, figure.labels.len());
        svg.begin_clip(&format!("panel{index}"), place.area);
        draw_curves(&mut svg, panel, place, layout.times, figure.labels.len());
        svg.end_clip();
    }
    draw_time_axis(&mut svg, &layout);
    if !figure.left_out.is_empty() {
        let note = format!("{} more variables are not shown", figure.left_out.len());
        let place = (layout.width - 12.0, layout.height - 6.0);
        svg.label(place, &note, SMALL, MUTED, Anchor::End);
    }
    svg.finish()
}

/// The title on the left, the key of the results on the right.
fn draw_head(svg: &mut Svg, figure: &Figure<'_>, layout: &Layout) {
    let baseline = 26.0;
    let left = layout.panels.first().map_or(12.0, |p| p.area.x);
    if let Some(title) = &figure.title {
        svg.label((left, baseline), title, TITLE, INK, Anchor::Start);
    }
    if figure.labels.len() > 1 {
        let right = layout.panels.first().map_or(layout.width, |p| p.area.right());
        for (table, x) in layout::flow_right(&figure.labels, right).into_iter().enumerate() {
            draw_entry(
                svg,
                (x, baseline),
                &figure.labels[table],
                &style::key_stroke(table),
            );
        }
    }
}

fn draw_entry(svg: &mut Svg, (x, baseline): (f64, f64), text: &str, stroke: &Stroke) {
    let middle = baseline - 0.36 * TEXT;
    svg.line((x, middle), (x + SAMPLE, middle), stroke);
    svg.label((x + SAMPLE + 6.0, baseline), text, TEXT, INK, Anchor::Start);
}

fn draw_grid(svg: &mut Svg, layout: &Layout, place: &PanelLayout) {
    let area = place.area;
    let thin = |colour: &str| Stroke {
        colour: colour.into(),
        width: 1.0,
        dashes: None,
    };
    for &time in &layout.time_ticks.values {
        let x = crisp(along(time, layout.times, area.x, area.right()));
        svg.line((x, area.y), (x, area.bottom()), &thin(GRID));
    }
    for &value in &place.ticks.values {
        let y = along(value, place.values, area.bottom(), area.y);
        let colour = if value.abs() < 1e-300 { ZERO } else { GRID };
        svg.line((area.x, crisp(y)), (area.right(), crisp(y)), &thin(colour));
        let label = place.ticks.label(value);
        svg.label(
            (area.x - 7.0, y + 0.36 * SMALL),
            &label,
            SMALL,
            MUTED,
            Anchor::End,
        );
    }
    let (left, bottom) = (crisp(area.x), crisp(area.bottom()));
    svg.line((left, area.y), (left, bottom), &thin(AXIS));
    svg.line((left, bottom), (area.right(), bottom), &thin(AXIS));
}

/// The legend above the panel, the name and the factor of its axis on the left.
fn draw_names(svg: &mut Svg, panel: &Panel<'_>, place: &PanelLayout, tables: usize) {
    for (variable, (name, &at)) in panel.variables.iter().zip(&place.legend).enumerate() {
        // Where results lie over each other, the broad band of the first shows the colour best.
        draw_entry(svg, at, name, &style::stroke(variable, 0, tables));
    }
    let area = place.area;
    if let Some(factor) = place.ticks.factor() {
        svg.label((area.x - 7.0, area.y - 7.0), &factor, SMALL, MUTED, Anchor::End);
    }
    let mut label = panel.label();
    if text_width(&label, TEXT) > area.height {
        label = panel
            .unit
            .as_ref()
            .map(|unit| format!("[{unit}]"))
            .unwrap_or_default();
    }
    svg.upright_label((12.0 + 0.8 * TEXT, area.y + area.height / 2.0), &label, TEXT, INK);
}

fn draw_curves(svg: &mut Svg, panel: &Panel<'_>, place: &PanelLayout, times: (f64, f64), tables: usize) {
    let area = place.area;
    for curve in &panel.curves {
        let points = curve.points(times).map(|(time, value)| {
            (
                along(time, times, area.x, area.right()),
                along(value, place.values, area.bottom(), area.y),
            )
        });
        svg.path(
            &strokes(points),
            &style::stroke(curve.variable, curve.table, tables),
        );
    }
}

fn draw_time_axis(svg: &mut Svg, layout: &Layout) {
    let Some(area) = layout.panels.last().map(|p| p.area) else {
        return;
    };
    for &time in &layout.time_ticks.values {
        let x = along(time, layout.times, area.x, area.right());
        let label = layout.time_ticks.label(time);
        svg.label((x, area.bottom() + 16.0), &label, SMALL, MUTED, Anchor::Middle);
    }
    let factor = layout
        .time_ticks
        .factor()
        .map(|f| format!("{f} "))
        .unwrap_or_default();
    let name = format!("time [{factor}s]");
    svg.label(
        (area.x + area.width / 2.0, area.bottom() + 35.0),
        &name,
        TEXT,
        INK,
        Anchor::Middle,
    );
}

/// The place between `start` and `end` where `value` lies between the ends of `range`.
fn along(value: f64, (low, high): (f64, f64), start: f64, end: f64) -> f64 {
    start + (value - low) / (high - low) * (end - start)
}

/// The middle of a pixel, where a thin line stays thin.
fn crisp(place: f64) -> f64 {
    place.floor() + 0.5
}
