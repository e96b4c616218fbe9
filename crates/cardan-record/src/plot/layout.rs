//! Where everything goes, before anything is drawn.

use super::Figure;
use super::style::{SMALL, TEXT, text_width};
use super::svg::Area;
use super::ticks::Ticks;

const WIDTH: f64 = 900.0;
/// A larger picture would be a mistake, and its pixels would fill the memory.
const LARGEST: u32 = 10_000;
const MARGIN: f64 = 12.0;
const TITLE_LINE: f64 = 28.0;
pub(super) const LEGEND_LINE: f64 = 19.0;
const PANEL_GAP: f64 = 16.0;
/// Labels of the time axis and its name.
const TIME_AXIS: f64 = 44.0;
const FOOTNOTE: f64 = 16.0;
/// A line sample in a legend, and the room around an entry.
pub(super) const SAMPLE: f64 = 22.0;
const ENTRY_GAP: f64 = 18.0;
const LOWEST_PANEL: f64 = 40.0;

/// The places of the parts of a figure.
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) times: (f64, f64),
    pub(super) time_ticks: Ticks,
    pub(super) panels: Vec<PanelLayout>,
}

/// The places of the parts of a panel.
pub(super) struct PanelLayout {
    pub(super) area: Area,
    pub(super) values: (f64, f64),
    pub(super) ticks: Ticks,
    /// The left end and the baseline of each entry of the legend.
    pub(super) legend: Vec<(f64, f64)>,
}

impl Layout {
    pub(super) fn of(figure: &Figure<'_>) -> Self {
        let times = figure.time_range();
        let count = figure.panels.len().max(1) as f64;
        let (width, asked) = match figure.size {
            Some((width, height)) => (
                f64::from(width.clamp(200, LARGEST)),
                Some(f64::from(height.clamp(120, LARGEST))),
            ),
            None => (WIDTH, None),
        };
        let head = if has_head(figure) {
            MARGIN + TITLE_LINE
        } else {
            MARGIN
        };
        let foot = TIME_AXIS + if figure.left_out.is_empty() { 0.0 } else { FOOTNOTE };
        let ranges: Vec<(f64, f64)> = figure.panels.iter().map(|p| p.value_range(times)).collect();
        let left = left_margin(&ranges);
        let plot_width = (width - left - MARGIN - 10.0).max(50.0);
        let legends: Vec<Vec<(f64, f64)>> = figure
            .panels
            .iter()
            .map(|p| flow(&p.variables, plot_width))
            .collect();
        let lines = |legend: &[(f64, f64)]| legend.last().map_or(0.0, |(_, line)| line + 1.0) * LEGEND_LINE;
        let taken = head + foot + legends.iter().map(|l| lines(l)).sum::<f64>() + PANEL_GAP * (count - 1.0);
        let panel_height = match asked {
            Some(height) => ((height - taken) / count).max(LOWEST_PANEL),
            None if count < 2.0 => 300.0,
            None => (480.0 / count).max(130.0),
        };

        let mut y = head;
        let mut panels = Vec::new();
        for (legend, values) in legends.into_iter().zip(ranges) {
            let top = y;
            y += lines(&legend);
            let area = Area {
                x: left,
                y,
                width: plot_width,
                height: panel_height,
            };
            let ticks = Ticks::new(values, (panel_height / 42.0).clamp(2.0, 8.0) as usize);
            let legend = legend
                .into_iter()
                .map(|(x, line)| (left + x, top + line * LEGEND_LINE + TEXT))
                .collect();
            panels.push(PanelLayout {
                area,
                values,
                ticks,
                legend,
            });
            y += panel_height + PANEL_GAP;
        }
        let height = y - PANEL_GAP + foot;
        let time_ticks = Ticks::new(times, (plot_width / 80.0).clamp(2.0, 12.0) as usize);
        Layout {
            width,
            height: asked.map_or(height, |asked| asked.max(height)).round(),
            times,
            time_ticks,
            panels,
        }
    }
}

/// Is there a title, or results to tell apart?
pub(super) fn has_head(figure: &Figure<'_>) -> bool {
    figure.title.is_some() || figure.labels.len() > 1
}

/// Room for the widest label of a tick and the name of the axis.
fn left_margin(ranges: &[(f64, f64)]) -> f64 {
    let widest = ranges
        .iter()
        .flat_map(|&range| {
            let ticks = Ticks::new(range, 5);
            ticks
                .values
                .iter()
                .map(|&v| text_width(&ticks.label(v), SMALL))
                .collect::<Vec<_>>()
        })
        .fold(0.0, f64::max);
    MARGIN + TEXT + 10.0 + widest + 8.0
}

/// Puts the entries of a legend side by side, in columns on several lines where the width ends: their left ends and
/// lines.
fn flow(names: &[String], width: f64) -> Vec<(f64, f64)> {
    let entries: Vec<f64> = names.iter().map(|name| entry_width(name) + ENTRY_GAP).collect();
    let widest = entries.iter().copied().fold(0.0, f64::max);
    let one_line = entries.iter().sum::<f64>() - ENTRY_GAP <= width;
    let (mut x, mut line) = (0.0, 0.0);
    entries
        .into_iter()
        .map(|entry| {
            let slot = if one_line { entry } else { widest };
            if x > 0.0 && x + slot - ENTRY_GAP > width {
                (x, line) = (0.0, line + 1.0);
            }
            let place = (x, line);
            x += slot;
            place
        })
        .collect()
}

/// The width of a sample and its text.
pub(super) fn entry_width(text: &str) -> f64 {
    SAMPLE + 6.0 + text_width(text, TEXT)
}

/// The left ends of entries that end at `right`.
pub(super) fn flow_right(names: &[String], right: f64) -> Vec<f64> {
    let mut x = right;
    let mut places: Vec<f64> = names
        .iter()
        .rev()
        .map(|name| {
            x -= entry_width(name);
            let place = x;
            x -= ENTRY_GAP;
            place
        })
        .collect();
    places.reverse();
    places
}
