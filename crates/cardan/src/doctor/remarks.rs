//! What else is worth a word about a group: who could not be measured, units that one end has and the other has not,
//! samples and steps that are too far apart, or closer than anybody needs.

use crate::system::System;
use cardan_core::doctor::{Diagnosis, Figures, GroupDiagnosis, Unmeasured};
use cardan_core::graph::{Endpoint, Graph, ParticipantId};
use cardan_core::value::ValueType;
use std::f64::consts::{PI, TAU};

/// Models that are further off than this are worth a word.
const ROUGH: f64 = 1e-4;
/// Members that bend more than this are not linear.
const BENT: f64 = 1e-4;
/// Samples in one swing below which a controller sees it badly, though it sees it.
const COARSE: f64 = 10.0;
/// A step that is so short against everything that moves is wasted.
const WASTED: f64 = 1e-3;
/// Wires that are named one by one.
const NAMED: usize = 3;

/// Something worth a word, with what to do about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Remark {
    /// What is remarkable: `rollback`, `units`, `rate`, `step`, `nonlinear`.
    pub kind: &'static str,
    /// A full sentence.
    pub message: String,
    /// What to do, if anything.
    pub advice: Option<String>,
}

impl Remark {
    fn new(kind: &'static str, message: String) -> Self {
        Remark {
            kind,
            message,
            advice: None,
        }
    }

    fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}

/// The remarks about one group of a diagnosis.
pub fn remarks(system: &System, diagnosis: &Diagnosis, group: &GroupDiagnosis) -> Vec<Remark> {
    let name = |who: &ParticipantId| system.graph.node(*who).name.as_str();
    let (stuck, others): (Vec<_>, Vec<_>) = group
        .unmeasured
        .iter()
        .partition(|(_, why)| *why == Unmeasured::OneWay);
    let stuck: Vec<&str> = stuck.into_iter().map(|(who, _)| name(who)).collect();
    let mut remarks: Vec<Remark> = one_way(&stuck).into_iter().collect();
    remarks.extend(others.into_iter().map(|(who, why)| unmeasured(name(who), why)));
    remarks.extend(units(&system.graph, &group.members));
    for member in &group.members {
        remarks.extend(rate(system, group, *member));
    }
    remarks.extend(rates(system, group));
    if let Some(figures) = &group.figures {
        remarks.extend(quality(figures, diagnosis.span));
        remarks.extend(step(system, figures));
    }
    remarks
}

/// What follows where something is missing.
const MISSING: &str = "so nothing is known of this coupling but its structure";

/// Those that cannot go back.
fn one_way(names: &[&str]) -> Option<Remark> {
    let listed = match names {
        [] => return None,
        [only] => format!("`{only}` cannot go back to a saved state and was"),
        [others @ .., last] => format!(
            "`{}` and `{last}` cannot go back to a saved state and were",
            others.join("`, `")
        ),
    };
    let remark = Remark::new("rollback", format!("{listed} not measured, {MISSING}"));
    Some(remark.advise(
        "in a run none of its steps can be repeated; `isolate = true` lets any \
         component go back, by copies of its process",
    ))
}

fn unmeasured(name: &str, why: &Unmeasured) -> Remark {
    let missing = MISSING;
    match why {
        Unmeasured::OneWay => Remark::new("rollback", format!("`{name}` cannot go back, {missing}")),
        Unmeasured::Late => Remark::new(
            "time",
            format!("the time for the examination was over before `{name}` was measured, {missing}"),
        )
        .advise("--budget SECONDS gives it more"),
        Unmeasured::Unfit => Remark::new(
            "nonlinear",
            format!(
                "no linear model foretells `{name}` where it stands: it samples, switches or jumps, {missing}"
            ),
        ),
        Unmeasured::NotReal => Remark::new(
            "discrete",
            format!("`{name}` is coupled by values that are not real numbers, {missing}"),
        ),
        Unmeasured::Failed(message) => Remark::new(
            "failure",
            format!("`{name}` failed while it was examined, {missing}: {message}"),
        ),
    }
}

/// Connections inside the group of which one end has a unit and the other has none.
fn units(graph: &Graph, members: &[ParticipantId]) -> Option<Remark> {
    let port = |end: Endpoint| &graph.node(end.participant).interface.ports[end.port.index()];
    let inside = graph.connections.iter().filter(|c| {
        members.contains(&c.from.participant)
            && members.contains(&c.to.participant)
            && port(c.from).value_type == ValueType::Real
    });
    let half: Vec<String> = inside
        .filter_map(|c| match (&port(c.from).unit, &port(c.to).unit) {
            (Some(unit), None) => Some((unit, c.from, c.to)),
            (None, Some(unit)) => Some((unit, c.to, c.from)),
            _ => None,
        })
        .map(|(unit, with, without)| {
            format!(
                "{} is in {unit}, {} has no unit",
                graph.name_of(with),
                graph.name_of(without)
            )
        })
        .collect();
    let more = half.len().saturating_sub(NAMED);
    let mut message = half.get(..half.len().min(NAMED))?.join("; ");
    if message.is_empty() {
        return None;
    }
    if more > 0 {
        message += &format!("; and {more} more");
    }
    Some(Remark::new(
        "units",
        format!("{message}: values pass as they are"),
    ))
}

/// A member that samples, against what it closes a loop with.
fn rate(system: &System, group: &GroupDiagnosis, member: ParticipantId) -> Option<Remark> {
    let seat = &system.plan.seats[member.index()];
    if !seat.has_own_grid {
        return None;
    }
    let period = seat.grid.step();
    let others = group.own_modes.iter().filter(|(who, _)| *who != member);
    let coupled = group.figures.iter().flat_map(|f| &f.modes);
    let modes = coupled.chain(others.flat_map(|(_, modes)| modes));
    let swings = modes.filter(|mode| mode.period().is_some()).map(|mode| mode.rate);
    let rate = swings.fold(0.0, f64::max);
    let (name, frequency) = (&seat.name, rate / TAU);
    let samples = TAU / (rate * period);
    if rate * period > PI {
        let message = format!(
            "`{name}` exchanges every {period} s, but closes a loop with something that swings with {} Hz: it sees less \
             than two points of a swing and cannot follow it",
            digits(frequency)
        );
        return Some(
            Remark::new("rate", message)
                .advise(format!("{} s or less would do", digits(TAU / (COARSE * rate)))),
        );
    }
    (samples < COARSE).then(|| {
        Remark::new(
            "rate",
            format!(
                "`{name}` exchanges every {period} s: {} points of each swing of {} Hz in its loop, which is coarse",
                digits(samples),
                digits(frequency)
            ),
        )
    })
}

/// Members that exchange at rates of their own.
fn rates(system: &System, group: &GroupDiagnosis) -> Option<Remark> {
    let figures = group.figures.as_ref()?;
    let mut steps = group
        .members
        .iter()
        .map(|m| system.plan.seats[m.index()].grid.step());
    let first = steps.next()?;
    let several = steps.any(|step| step != first);
    (several && system.plan.needs.tolerance.is_none()).then(|| {
        Remark::new(
            "rate",
            format!(
                "members exchange at rates of their own: the figures are those of a common step, judged at the longest, {} s",
                digits(figures.step)
            ),
        )
    })
}

/// How far the figures can be trusted.
fn quality(figures: &Figures, span: f64) -> Option<Remark> {
    if figures.bend > BENT {
        return Some(Remark::new(
            "nonlinear",
            format!(
                "members are not linear (twice a pulse is off by {} %): the figures hold near the start of the run",
                digits(100.0 * figures.bend)
            ),
        ));
    }
    let slowest = figures.modes.iter().any(|mode| mode.growth * span > 1.0);
    if slowest {
        return Some(Remark::new(
            "unstable",
            "the system itself grows, however exactly it is coupled: methods are judged by what they add"
                .to_owned(),
        ));
    }
    (figures.accuracy > ROUGH).then(|| {
        Remark::new(
            "accuracy",
            format!(
                "models of the members are off by {} %: the figures are rough",
                digits(100.0 * figures.accuracy)
            ),
        )
    })
}

/// A fixed step against the fastest swing.
fn step(system: &System, figures: &Figures) -> Option<Remark> {
    if system.plan.needs.tolerance.is_some() {
        return None;
    }
    let swing = figures.fastest_swing()?;
    let (step, period) = (figures.step, swing.period()?);
    if step > period / 2.0 {
        return Some(Remark::new(
            "step",
            format!(
                "the step of {step} s is longer than half a swing of the fastest mode ({} s): no reading can follow that",
                digits(period)
            ),
        ));
    }
    let fastest = figures.modes.first()?.size();
    (step * fastest < WASTED).then(|| {
        Remark::new(
            "step",
            format!(
                "the step of {step} s is {} times shorter than the fastest swing: far more than accuracy needs",
                digits(period / step)
            ),
        )
    })
}

/// A number with three digits, for sentences.
pub(super) fn digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let magnitude = value.abs().log10().floor();
    if !(-4.0..7.0).contains(&magnitude) {
        return format!("{value:.2e}");
    }
    let decimals = (2.0 - magnitude).max(0.0) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
