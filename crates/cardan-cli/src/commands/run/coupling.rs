//! How good the coupling was, in a few lines.

use crate::text;
use cardan::{BondReport, ConnectionReport, PredictionReport, Report};
use std::collections::BTreeMap;

/// So much of a signal's motion must be read wrong on average before it is worth a word. A sine that is held has 63 steps in
/// a period then, and coupled results are good to about a percent.
const WORTH_A_WORD: f64 = 0.1;
/// The same for the energy that a bond gains or loses, as a part of what crosses it.
const WORTH_A_JOULE: f64 = 0.01;
/// No more connections than these.
const MOST: usize = 3;

/// No more lines than these.
const MOST_LINES: usize = 10;

/// Transmission lines, the worst connections and the worst bond, each with a title, as far as they are worth a word.
pub(super) fn lines(report: &Report) -> Vec<(&'static str, String)> {
    let mut worst: Vec<&ConnectionReport> = report.coupling.iter().collect();
    worst.retain(|connection| connection.mean > WORTH_A_WORD);
    worst.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    let connections = worst.into_iter().take(MOST).map(|c| ("coupling", connection(c)));
    let bonds = report.bonds.iter().filter(|bond| part(bond) > WORTH_A_JOULE);
    let bond = bonds.max_by(|a, b| part(a).total_cmp(&part(b)));
    let predictions = report.predictions.iter().filter(|p| p.exceeded > 0);
    let prediction = predictions.max_by(|a, b| a.exceeded.cmp(&b.exceeded));
    let transmission = report.lines.iter().take(MOST_LINES);
    let transmission = transmission.map(|line| ("line", format!("{}: {}", line.name, line.words())));
    transmission
        .chain(connections)
        .chain(bond.map(|b| ("bond", energy(b))))
        .chain(prediction.map(|p| ("expected", predicted(p))))
        .chain(waiting(report).map(|words| ("waiting", words)))
        .collect()
}

/// The interaction whose predictions were off most often.
fn predicted(prediction: &PredictionReport) -> String {
    format!(
        "{}, {}: off {} of {} times, most by {} at t = {} s",
        prediction.interaction,
        prediction.component,
        prediction.exceeded,
        prediction.compared,
        text::number(prediction.largest, 3),
        text::number(prediction.time, 6)
    )
}

/// Who kept all others waiting longest, where everybody waits for everybody.
fn waiting(report: &Report) -> Option<String> {
    let mut times: BTreeMap<&str, f64> = BTreeMap::new();
    for component in report.components.values() {
        times.extend(
            component
                .waited_for
                .iter()
                .map(|(name, time)| (name.as_str(), *time)),
        );
    }
    let whole: f64 = times.values().sum();
    let (name, longest) = times.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (whole > 0.0).then(|| {
        let share = percent(longest / whole);
        format!(
            "others for {name} most, {} or {share} of all waiting",
            text::duration(longest)
        )
    })
}

/// How much of what crossed came from nowhere or went there.
fn part(bond: &BondReport) -> f64 {
    if bond.crossed > 0.0 {
        bond.absolute / bond.crossed
    } else {
        0.0
    }
}

fn connection(connection: &ConnectionReport) -> String {
    format!(
        "{} → {}: read wrong by {} of its motion on average, at most by {} of its range, at t = {} s",
        connection.from,
        connection.to,
        percent(connection.mean),
        percent(connection.largest),
        text::number(connection.time.unwrap_or_default(), 6)
    )
}

fn energy(bond: &BondReport) -> String {
    format!(
        "{}: {} J came from nowhere or went there, {} of what crossed; most, {} J, in the step to t = {} s",
        bond.name,
        text::number(bond.absolute, 3),
        percent(part(bond)),
        text::number(bond.largest, 3),
        text::number(bond.time.unwrap_or_default(), 6)
    )
}

fn percent(part: f64) -> String {
    format!("{} %", text::number(100.0 * part, 2))
}
