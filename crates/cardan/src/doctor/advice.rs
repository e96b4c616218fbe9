//! The advice: one or two sentences for people, and the same for machines.

use super::remarks::digits;
use crate::system::System;
use cardan_core::doctor::{Choice, Diagnosis, Figures, GroupDiagnosis, Kind, Why};
use cardan_core::graph::ParticipantId;
use cardan_core::method::Sweep;
use cardan_core::signal::Reading;
use cardan_describe::spec::TangentKind;

/// Errors that grow by less than this factor over the whole run are nobody's trouble, as a logarithm.
const HARMLESS: f64 = 0.05;
/// Steps for each radian of the fastest swing below which a fixed step is too long to be right.
const LONG: f64 = 2.0;
/// A fifth of a radian of the fastest swing is what a parabola foresees to a percent: its error is the cube.
const RADIAN: f64 = 0.2;
/// What is recommended where steps follow from a tolerance and the user gave none.
const TOLERANCE: f64 = 1e-4;

/// What to do.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// Is it what the description says already?
    pub keep: bool,
    /// `jacobi`, `gauss-seidel`, `adaptive` or `iterated`.
    pub method: String,
    /// The step in seconds; where steps are chosen, the longest that is described, or a sensible first one.
    pub step: f64,
    /// How inputs are read; none where it stays as described.
    pub reading: Option<Reading>,
    /// The order of Gauss-Seidel, by name; empty where it stays.
    pub order: Vec<String>,
    /// The tolerance, where steps follow from one.
    pub tolerance: Option<f64>,
    /// In words.
    pub words: String,
}

/// What to do about a diagnosis.
pub fn advise(system: &System, diagnosis: &Diagnosis) -> Advice {
    let mut advice = Advice {
        keep: true,
        method: system.plan.method.name(),
        step: system.setup.step,
        reading: None,
        order: Vec::new(),
        tolerance: system.plan.needs.tolerance,
        words: String::new(),
    };
    if diagnosis.groups.is_empty() {
        advice.words = "Nobody depends on each other in a circle, so no step makes the coupling unstable: choose it for \
                        accuracy."
            .to_owned();
        return advice;
    }
    let measured: Vec<&Figures> = diagnosis
        .groups
        .iter()
        .filter_map(|g| g.figures.as_ref())
        .collect();
    if let Some(leader) = system.plan.needs.leader {
        let leader = &system.graph.node(leader).name;
        let trouble = measured.iter().any(|figures| is_trouble(figures, system));
        advice.words = match trouble && feels_no_tangents(system) {
            true => format!(
                "What followers give as signals in time is likely to be unstable at these steps: let `{leader}` feel their \
                 tangents (leave out `tangent`), take shorter steps, or reject = true."
            ),
            false => glued(leader, &measured),
        };
        return advice;
    }
    let trouble = measured.iter().find(|f| is_trouble(f, system));
    let known = measured.len() == diagnosis.groups.len();
    match (trouble, diagnosis.recommendation()) {
        (Some(figures), Some(choice)) => {
            advice.words = format!(
                "{} {}",
                complaint(figures, system),
                adopt(&mut advice, system, &choice)
            );
        }
        (Some(figures), None) => advice.words = complaint(figures, system),
        (None, _) if known => advice.words = praise(&measured, system),
        (None, _) => {
            advice.words =
                "Not all of the coupling could be measured: run it with two steps, one half the other, and \
                            compare (`cardan compare`)."
                    .to_owned();
        }
    }
    if let Some(group) = diagnosis.groups.iter().find(|g| g.alpha > Some(0.0)) {
        advice.words += &loop_at_once(system, group);
    }
    advice
}

/// Does the user want what followers give to be read as signals in time?
fn feels_no_tangents(system: &System) -> bool {
    let tangent = system.spec.method.tangent.as_ref();
    tangent.is_some_and(|tangent| tangent.value == TangentKind::None)
}

/// Does the present method go wrong?
fn is_trouble(figures: &Figures, system: &System) -> bool {
    // Steps that are chosen become shorter where they go wrong.
    if system.plan.needs.tolerance.is_some() {
        return false;
    }
    let too_long = figures
        .fastest_swing()
        .is_some_and(|mode| mode.rate * figures.step > LONG);
    // Those that are repeated interpolate, which goes wrong where a step is long against a swing.
    match system.plan.needs.repeats {
        true => too_long,
        false => figures.growth > HARMLESS || too_long,
    }
}

fn complaint(figures: &Figures, system: &System) -> String {
    if figures.growth > HARMLESS && !system.plan.needs.repeats {
        let factor = match figures.growth {
            growth if growth < 20.0 => format!("by a factor of {} over the run", digits(growth.exp())),
            _ => "beyond all bounds".to_owned(),
        };
        return format!(
            "As described it is unstable: with steps of {} s errors of the coupling grow {factor}.",
            digits(figures.step)
        );
    }
    format!(
        "Steps of {} s are too long for the fastest swing.",
        digits(figures.step)
    )
}

/// Takes the choice over, and says it.
fn adopt(advice: &mut Advice, system: &System, choice: &Choice) -> String {
    let names = |ids: &[ParticipantId]| -> Vec<String> {
        ids.iter().map(|id| system.graph.node(*id).name.clone()).collect()
    };
    advice.keep = false;
    advice.step = rounded_down(choice.step);
    advice.reading = Some(choice.reading);
    if choice.method == Sweep::GaussSeidel {
        advice.order = names(&choice.order);
    }
    let step = digits(advice.step);
    let order = match advice.order.is_empty() {
        true => String::new(),
        false => format!(", order {}", advice.order.join(", ")),
    };
    match choice.kind {
        Kind::Adaptive => {
            advice.method = "adaptive".to_owned();
            advice.tolerance = Some(TOLERANCE);
            advice.reading = None;
            format!(
                "Take kind = \"adaptive\" with a tolerance (say {TOLERANCE:e}): everybody can go back, so steps follow from \
                 the error; or {} with reading = \"{}\" and step = {step}{order}.",
                choice.method, choice.reading
            )
        }
        Kind::Iterated => {
            advice.method = "iterated".to_owned();
            format!(
                "No fixed step of a sensible length is stable: take kind = \"iterated\", which repeats each step until the \
                 exchanged values fit, with step = {step}."
            )
        }
        Kind::Fixed => {
            advice.method = choice.method.to_string();
            let why = match choice.why {
                Why::SomeCannotGoBack => " (not all can go back, so no step can be repeated)",
                _ => "",
            };
            format!(
                "Take kind = \"{}\" with reading = \"{}\" and step = {step}{order}{why}.",
                choice.method, choice.reading
            )
        }
    }
}

/// Two digits are enough for a step, and a little less is no harm.
fn rounded_down(step: f64) -> f64 {
    let unit = 10.0_f64.powf(step.log10().floor() - 1.0);
    let rounded = (step / unit).floor() * unit;
    // What is printed and read back is the number that was meant.
    format!("{rounded:.1e}").parse().unwrap_or(step)
}

fn praise(measured: &[&Figures], system: &System) -> String {
    let slowest = measured
        .iter()
        .map(|f| f.growth)
        .fold(f64::NEG_INFINITY, f64::max);
    if let Some(tolerance) = system.plan.needs.tolerance {
        return format!(
            "Keep it: steps follow from the tolerance of {:e}, and shorten where the coupling asks for it.",
            tolerance
        );
    }
    let step = digits(system.setup.step);
    if system.plan.needs.repeats {
        return format!(
            "Keep it: steps of {step} s are repeated until values fit together, and short against the fastest swing."
        );
    }
    if slowest > 0.0 {
        return format!(
            "Keep it: at {step} s errors grow, but only by {} % over the run.",
            digits(100.0 * slowest.exp_m1())
        );
    }
    format!("Keep it: at {step} s it is stable as described.")
}

/// In the glue there is no step to judge before the run.
fn glued(leader: &str, measured: &[&Figures]) -> String {
    let rates = measured
        .iter()
        .filter_map(|f| f.fastest_swing())
        .map(|mode| mode.rate);
    let fastest = rates.fold(0.0, f64::max);
    let long = match fastest > 0.0 {
        true => format!(
            " Where a follower tells no tangent, steps of `{leader}` above {} s are too long for the fastest swing.",
            digits(rounded_down(RADIAN / fastest))
        ),
        false => String::new(),
    };
    format!(
        "Keep it: everybody goes at its own steps, and what `{leader}` was told to expect is compared with what came at each of \
         them (warnings `prediction` and `unstable`).{long}"
    )
}

/// What there is to say where members react to each other at once.
fn loop_at_once(system: &System, group: &GroupDiagnosis) -> String {
    let name = |id: Option<&ParticipantId>| id.map_or("", |id| &system.graph.node(*id).name).to_owned();
    let gain = group.alpha.unwrap_or_default();
    let alpha = digits(gain);
    if !group.reversed {
        return format!(
            " Outputs react to each other at one instant with a gain of {alpha}: a round of exchange brings them closer."
        );
    }
    let (heavy, light) = (name(group.order.first()), name(group.order.get(1)));
    format!(
        " Outputs react to each other at one instant with a gain of {alpha}, above one: plain exchange would run away at \
         any step, so the engine solves for them at every point. With the roles exchanged (`{heavy}` taking what `{light}` \
         takes now, and `{light}` owning the constraint) the gain would be {}.",
        digits(1.0 / gain)
    )
}
