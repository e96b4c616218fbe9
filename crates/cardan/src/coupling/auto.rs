//! Methods that nobody chose.
//!
//! Where components depend on each other in a circle, or just drive each other, and all of them can go back, steps follow from
//! a tolerance, and how they are made is decided at the start of the run by what the doctor measures. In all other cases a fixed
//! step does.

use super::{control, iteration};
use cardan_core::doctor::{Diagnosis, Kind};
use cardan_core::graph::{Graph, ParticipantId, strongly_connected};
use cardan_core::method::{Estimator, StepControl};
use cardan_core::plan::Setup;
use cardan_describe::spec::MethodKind;
use cardan_describe::{Spanned, SystemSpec};
use std::time::Duration;

/// How long the doctor may take before a run.
pub(crate) const EXAMINATION: Duration = Duration::from_secs(2);

/// Whether it is left open how steps are made, and what is said about it.
pub(crate) enum Openness {
    /// The user decided, or there is nothing to decide.
    Decided,
    /// Nobody said how; these cannot go back, or take steps of one size only, so a fixed step it is.
    Fixed(Vec<String>),
    /// Steps follow from a tolerance; how they are made is up to the doctor.
    Open,
}

/// Finds out whether the method is left open, and puts the tolerance there that nobody gave. Some are `unfit` for steps that are
/// chosen.
pub(crate) fn open(spec: &mut SystemSpec, graph: &Graph, unfit: &[ParticipantId]) -> Openness {
    let method = &spec.method;
    let chosen = method
        .kind
        .as_ref()
        .is_some_and(|kind| kind.value != MethodKind::Auto);
    if chosen || method.step.is_some() || method.estimator.is_some() || method.energy_tolerance.is_some() {
        return Openness::Decided;
    }
    let circles = circles(graph);
    let coupled = match circles.is_empty() {
        true => connected(graph),
        false => circles.clone(),
    };
    if coupled.is_empty() {
        return Openness::Decided;
    }
    let bound = |id: &ParticipantId| unfit.contains(id) || graph.node(*id).step.is_some();
    let bound = coupled.into_iter().filter(bound);
    let bound: Vec<String> = bound.map(|id| graph.node(id).name.clone()).collect();
    if !bound.is_empty() {
        return match spec.method.tolerance {
            None => Openness::Fixed(bound),
            Some(_) => Openness::Decided,
        };
    }
    if spec.method.tolerance.is_none() {
        spec.method.tolerance = Some(Spanned {
            value: control::TOLERANCE,
            span: spec.span,
        });
    }
    Openness::Open
}

/// Everybody who drives others or is driven by them.
fn connected(graph: &Graph) -> Vec<ParticipantId> {
    let ends = graph.connections.iter();
    let mut ids: Vec<ParticipantId> = ends
        .flat_map(|c| [c.from.participant, c.to.participant])
        .collect();
    ids.sort_unstable_by_key(|id| id.index());
    ids.dedup();
    ids
}

/// Everybody who depends on others in a circle.
fn circles(graph: &Graph) -> Vec<ParticipantId> {
    let mut readers = vec![Vec::new(); graph.nodes.len()];
    for connection in &graph.connections {
        readers[connection.from.participant.index()].push(connection.to.participant.index());
    }
    let groups = strongly_connected(&readers).into_iter();
    let members = groups.filter(|group| group.len() > 1).flatten();
    members.map(|index| ParticipantId(index as u32)).collect()
}

/// What the doctor's figures make of a setup that was left open: another one where steps should be repeated, and the
/// reason in one line.
pub(crate) fn decide(spec: &SystemSpec, setup: &Setup, found: &Diagnosis) -> (Option<Setup>, String) {
    let at_once = found.groups.iter().filter_map(|g| g.alpha).fold(0.0, f64::max);
    let choice = found.recommendation();
    let unstable = choice
        .as_ref()
        .is_some_and(|choice| choice.kind == Kind::Iterated);
    let repeat = |why: String| {
        let control = StepControl {
            estimator: Estimator::Corrected,
            ..control::of(spec, setup.span(), &mut Vec::new())
        };
        let method = setup.method.clone().paced(control);
        let setup = Setup {
            method: method.solved(iteration::of(spec, Some(control))),
            ..setup.clone()
        };
        (Some(setup), why)
    };
    if at_once > 0.0 {
        return repeat(format!(
            "no method is given, and components depend on each other at the same instant (gain {at_once:.2}): steps are \
             repeated"
        ));
    }
    if unstable {
        return repeat(
            "no method is given, and no fixed step of a sensible length is stable: steps are repeated"
                .to_owned(),
        );
    }
    let known = match choice {
        Some(_) => "the coupling is stable with steps of a sensible length",
        None => "not all of the coupling could be measured",
    };
    (
        None,
        format!("no method is given, everybody can go back, and {known}: steps follow from the tolerance"),
    )
}
