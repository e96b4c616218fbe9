//! What the doctor found about a group: a page for people, and the figures for machines.

use super::{names, stepping};
use crate::text;
use cardan::System;
use cardan::core::graph::ParticipantId;
use cardan::core::method::Sweep;
use cardan::doctor::{
    Advice, Diagnosis, Figures, GroupDiagnosis, Limit, MethodLimits, READINGS, Remark, remarks,
};
use serde::Serialize;
use std::collections::BTreeMap;

/// Modes that are shown; the fastest decide about steps.
const MODES: usize = 2;

/// What was found about a group, in a few lines.
pub(super) fn page(system: &System, diagnosis: &Diagnosis, group: &GroupDiagnosis) -> String {
    let mut page = String::new();
    if let Some(figures) = &group.figures {
        page += &modes(figures, diagnosis.span);
        page += &present(system, figures);
        page += &around(group, figures);
        page += &table(system, figures);
    }
    if let Some(alpha) = group.alpha.filter(|alpha| *alpha > 0.0) {
        if group.figures.is_none() {
            page += &format!(
                "gain around the loop  {} at one instant (alpha)\n",
                text::number(alpha, 4)
            );
        }
        let roles = if group.reversed {
            ", with the roles exchanged"
        } else {
            ""
        };
        page += &format!("best order{roles}: {}\n", names(system, &group.order).join(", "));
    }
    for remark in remarks(system, diagnosis, group) {
        page += &format!("! {}\n", remark.message);
        if let Some(advice) = &remark.advice {
            page += &format!("  {advice}\n");
        }
    }
    page
}

fn modes(figures: &Figures, span: f64) -> String {
    let fading = |growth: f64| fading(growth, span);
    // What does nothing during the run is no mode worth a word: a free body, an integrator.
    let moving = figures.modes.iter().filter(|mode| mode.size() * span > 1e-2);
    let described = moving.take(MODES).map(|mode| match mode.period() {
        Some(period) => format!(
            "{} Hz (a swing takes {}, {})",
            text::number(1.0 / period, 3),
            text::duration(period),
            fading(mode.growth)
        ),
        None => format!("one that {}", fading(mode.growth)),
    });
    let described: Vec<String> = described.collect();
    match described.is_empty() {
        true => "fastest modes         none: nothing moves by itself\n".to_owned(),
        false => format!("fastest modes         {}\n", described.join(", ")),
    }
}

fn fading(growth: f64, span: f64) -> String {
    match growth {
        g if g.abs() * span < 1e-3 => "does not fade".to_owned(),
        g if g < 0.0 => format!("fades in {}", text::duration(-1.0 / g)),
        g => format!("grows in {}", text::duration(1.0 / g)),
    }
}

fn present(system: &System, figures: &Figures) -> String {
    let verdict = match figures.growth {
        growth if growth > 1e-3 => "errors grow",
        _ => "stable",
    };
    let stiffness = figures
        .modes
        .first()
        .map_or(0.0, |mode| mode.size() * figures.step);
    let first = if system.plan.needs.tolerance.is_some() {
        "first step"
    } else {
        "step"
    };
    format!(
        "{:22}{}, {first} {} s: {verdict} (spectral radius {}); step × fastest mode = {}\n",
        match system.plan.needs.repeats {
            false if system.plan.needs.leader.is_some() => "without the glue",
            false => "as described",
            true => "if not repeated",
        },
        system.plan.method.sweep,
        text::number(figures.step, 3),
        text::number(figures.spectral_radius, 6),
        text::number(stiffness, 3),
    )
}

fn around(group: &GroupDiagnosis, figures: &Figures) -> String {
    let converges = |gain: f64| if gain < 1.0 { "converges" } else { "runs away" };
    format!(
        "gain around the loop  {} at one instant (alpha), {} over a step: repeating a step {}, side by side ({}) it {}\n",
        text::number(group.alpha.unwrap_or_default(), 4),
        text::number(figures.loop_gain, 4),
        converges(figures.loop_gain),
        text::number(figures.loop_gain_jacobi, 3),
        converges(figures.loop_gain_jacobi),
    )
}

fn table(system: &System, figures: &Figures) -> String {
    let title = |limits: &MethodLimits| match limits.method {
        Sweep::Jacobi => "jacobi".to_owned(),
        Sweep::GaussSeidel => format!("gauss-seidel: {}", names(system, &limits.order).join(", ")),
    };
    let widest = figures.limits.iter().map(|l| title(l).chars().count()).max();
    let width = widest.unwrap_or(0).max("largest stable step".len());
    let mut table = format!("\n{:width$}", "largest stable step");
    for reading in READINGS {
        table += &format!("  {:>10}", reading.to_string());
    }
    table += "\n";
    for limits in &figures.limits {
        table += &format!("{:width$}", title(limits));
        for limit in limits.limits {
            table += &format!("  {:>10}", shown(limit));
        }
        table += "\n";
    }
    let all = figures.limits.iter().flat_map(|l| l.limits);
    if all.clone().any(|limit| limit == Limit::None) {
        table += &format!(
            "no limit: up to {}, which is as far as was looked\n",
            text::duration(figures.longest)
        );
    }
    table
}

fn shown(limit: Limit) -> String {
    match limit {
        Limit::Step(seconds) => text::duration(seconds),
        Limit::None => "no limit".to_owned(),
        Limit::Unstable => "unstable".to_owned(),
        Limit::Unknown => "?".to_owned(),
    }
}

/// A group for machines.
#[derive(Serialize)]
pub(super) struct Group {
    members: Vec<String>,
    /// Were all members measured?
    measured: bool,
    alpha: Option<f64>,
    loop_gain: Option<f64>,
    spectral_radius: Option<f64>,
    /// Does a round over the present step bring values closer, one after the other?
    iteration_converges: Option<bool>,
    order: Vec<String>,
    /// Does the order mean that roles are exchanged?
    reversed: bool,
    /// By method and reading, in seconds; null means no limit, 0 that no step is stable.
    stable_step: Option<BTreeMap<&'static str, BTreeMap<String, Option<f64>>>>,
    /// Gauss-Seidel in other orders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_orders: Vec<OtherOrder>,
    /// The longest step that was looked at.
    looked_up_to: Option<f64>,
    modes: Vec<Mode>,
    /// How far off the models were, relative.
    accuracy: Option<f64>,
    unmeasured: Vec<String>,
    remarks: Vec<Spoken>,
}

#[derive(Serialize)]
struct OtherOrder {
    order: Vec<String>,
    stable_step: BTreeMap<String, Option<f64>>,
}

#[derive(Serialize)]
struct Mode {
    growth: f64,
    rate: f64,
}

#[derive(Serialize)]
struct Spoken {
    kind: &'static str,
    message: String,
    advice: Option<String>,
}

impl From<Remark> for Spoken {
    fn from(remark: Remark) -> Self {
        Spoken {
            kind: remark.kind,
            message: remark.message,
            advice: remark.advice,
        }
    }
}

impl Group {
    pub(super) fn of(
        system: &System,
        members: &[ParticipantId],
        found: Option<(&Diagnosis, &GroupDiagnosis)>,
    ) -> Self {
        let figures = found.and_then(|(_, group)| group.figures.as_ref());
        let limits = |limits: &MethodLimits| -> BTreeMap<String, Option<f64>> {
            let by_reading = READINGS.iter().zip(limits.limits);
            // What nobody knows is left out: null means no limit.
            let known = by_reading.filter(|(_, limit)| *limit != Limit::Unknown);
            known
                .map(|(reading, limit)| (reading.to_string(), seconds(limit)))
                .collect()
        };
        let stable_step = figures.map(|figures| {
            let methods = [("jacobi", Sweep::Jacobi), ("gauss-seidel", Sweep::GaussSeidel)];
            let known = methods
                .into_iter()
                .filter_map(|(name, method)| Some((name, figures.limits_of(method)?)));
            known.map(|(name, found)| (name, limits(found))).collect()
        });
        let others = figures.iter().flat_map(|f| f.limits.iter().skip(2));
        Group {
            members: names(system, members),
            measured: figures.is_some(),
            alpha: found.and_then(|(_, group)| group.alpha),
            loop_gain: figures.map(|f| f.loop_gain),
            spectral_radius: figures.map(|f| f.spectral_radius),
            iteration_converges: figures.map(|f| f.loop_gain < 1.0),
            order: found.map_or_else(
                || stepping(system, members),
                |(_, group)| names(system, &group.order),
            ),
            reversed: found.is_some_and(|(_, group)| group.reversed),
            stable_step,
            other_orders: others
                .map(|other| OtherOrder {
                    order: names(system, &other.order),
                    stable_step: limits(other),
                })
                .collect(),
            looked_up_to: figures.map(|f| f.longest),
            modes: figures
                .iter()
                .flat_map(|f| &f.modes)
                .map(|mode| Mode {
                    growth: mode.growth,
                    rate: mode.rate,
                })
                .collect(),
            accuracy: figures.map(|f| f.accuracy),
            unmeasured: found
                .iter()
                .flat_map(|(_, group)| &group.unmeasured)
                .map(|(who, _)| system.graph.node(*who).name.clone())
                .collect(),
            remarks: found
                .iter()
                .flat_map(|(diagnosis, group)| remarks(system, diagnosis, group))
                .map(Spoken::from)
                .collect(),
        }
    }
}

/// For machines: none where there is no limit.
fn seconds(limit: Limit) -> Option<f64> {
    match limit {
        Limit::Step(seconds) => Some(seconds),
        Limit::None | Limit::Unknown => None,
        Limit::Unstable => Some(0.0),
    }
}

/// What is recommended beside method and step.
#[derive(Serialize)]
pub(super) struct Recommended {
    keep: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reading: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    order: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tolerance: Option<f64>,
}

impl Recommended {
    pub(super) fn of(advice: &Advice) -> Self {
        Recommended {
            keep: advice.keep,
            reading: advice.reading.map(|reading| reading.to_string()),
            order: advice.order.clone(),
            tolerance: advice.tolerance,
        }
    }
}
