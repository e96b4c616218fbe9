//! What is said about a leader and its followers.

use super::Reporter;
use crate::components::Component;
use cardan_core::form::Form;
use cardan_core::graph::{Graph, ParticipantId};
use cardan_core::interface::{Causality, Port};
use cardan_core::method::{Glue, Tangent};
use cardan_core::value::ValueType;
use cardan_describe::spec::{MethodKind, TangentKind};
use cardan_describe::units::Unit;
use cardan_describe::{Span, SystemSpec};

/// Without a word about them, these are the errors of a prediction that are not remarked on.
const ABSOLUTE: f64 = 1.0;
const RELATIVE: f64 = 0.01;
/// The shortest step of a leader: a part of the longest one, or of the run where that is not given.
const MIN: f64 = 1e-6;
const MIN_OF_RUN: f64 = 1e-10;

/// What components can do, as far as the glue cares.
#[derive(Clone, Default)]
pub(crate) struct Abilities {
    own_steps: Vec<bool>,
    one_way: Vec<bool>,
}

impl Abilities {
    pub(crate) fn of(components: &mut [Component]) -> Self {
        let mut abilities = Abilities::default();
        for component in components {
            let (own, one_way) = match component {
                Component::Made(participant, _) => (
                    participant.own_steps().is_some(),
                    participant.rollback().is_none(),
                ),
                // Nobody is to be reproached for what cannot be known.
                Component::Refused(_) | Component::Unknown => (true, false),
            };
            abilities.own_steps.push(own);
            abilities.one_way.push(one_way);
        }
        abilities
    }
}

/// Is the system to be glued?
pub(crate) fn is_asked_for(spec: &SystemSpec) -> bool {
    spec.method
        .kind
        .as_ref()
        .is_some_and(|kind| kind.value == MethodKind::Glue)
}

/// What the user wants of the glue; none means a mistake that the reporter knows.
pub(super) fn of(
    spec: &SystemSpec,
    graph: &Graph,
    abilities: &Abilities,
    reasons: &mut Vec<String>,
    reporter: &mut Reporter,
) -> Option<Glue> {
    let errors = reporter.error_count();
    discrete_ones_have_periods(spec, graph, reporter);
    let leader = leader(spec, graph, reasons, reporter)?;
    let method = &spec.method;
    let node = graph.node(leader);
    let step = node.step.or(node.interface.period);
    if step.is_none() && !abilities.own_steps[leader.index()] {
        let span = place_of(spec, leader);
        reporter
            .error(
                span,
                format!(
                    "`{}` leads, and has no steps of its own that the others could follow",
                    node.name
                ),
            )
            .advice("give it `step = 0.001`, or let another component lead: role = \"leader\"");
    }
    let reject = method.reject.as_ref().filter(|reject| reject.value);
    if let Some(reject) = reject {
        let stuck = graph.participants().filter(|p| abilities.one_way[p.index()]);
        let stuck: Vec<&str> = stuck.map(|p| graph.node(p).name.as_str()).collect();
        if !stuck.is_empty() {
            reporter
                .error(
                    reject.span,
                    format!("steps cannot be repeated: {} cannot go back to a saved state", stuck.join(", ")),
                )
                .advice(
                    "`isolate = true` lets FMUs and built-in models go back, by copies of their process; Python classes need \
                     `rollback = True`; or leave `reject` out",
                );
        }
        if let Some(ahead) = method.ahead.as_ref().filter(|ahead| ahead.value > 0) {
            reporter
                .error(
                    ahead.span,
                    "followers that are ahead have computed before a step could be taken back",
                )
                .advice("leave out `ahead` or `reject`");
        }
    }
    let span = spec.stop.as_ref().map_or(1.0, |stop| stop.value) - spec.start_time();
    let max = method.max_step.as_ref().map_or(f64::INFINITY, |s| s.value);
    let longest = step.map_or(max, |step| step.min(max));
    let shortest = match longest.is_finite() {
        true => MIN * longest,
        false => MIN_OF_RUN * span,
    };
    let min = method.min_step.as_ref().map_or(shortest, |s| s.value);
    if let Some(given) = method.min_step.as_ref().filter(|_| min > longest) {
        reporter
            .error(
                given.span,
                format!("the shortest step, {min} s, is longer than the longest, {longest} s"),
            )
            .advice("choose min_step below max_step and below the leader's own step");
    }
    if let Some(bond) = spec.bonds.first() {
        reporter
            .warning(bond.span, "bonds are not measured in the glue")
            .advice("what is off is told of each interaction: force_absolute_error, force_relative_error");
    }
    let (absolute, relative) = (&method.force_absolute_error, &method.force_relative_error);
    (reporter.error_count() == errors).then(|| Glue {
        leader,
        ahead: method.ahead.as_ref().map_or(0, |ahead| ahead.value),
        tangent: match method.tangent.as_ref().map(|t| t.value).unwrap_or_default() {
            TangentKind::None => Tangent::None,
            TangentKind::Linear => Tangent::Linear,
            TangentKind::Curved => Tangent::Curved,
        },
        absolute: absolute.as_ref().map_or(ABSOLUTE, |error| error.value),
        relative: relative.as_ref().map_or(RELATIVE, |error| error.value),
        reject: reject.is_some(),
        min,
        max,
    })
}

/// Who leads: the one that was told to, else the one that gives motion and receives force.
fn leader(
    spec: &SystemSpec,
    graph: &Graph,
    reasons: &mut Vec<String>,
    reporter: &mut Reporter,
) -> Option<ParticipantId> {
    let mut told: Vec<(ParticipantId, Span)> = Vec::new();
    for component in &spec.components {
        let Some(role) = &component.role else { continue };
        match role.value.as_str() {
            "leader" => told.extend(graph.find(&component.name.value).map(|id| (id, role.span))),
            "follower" => {}
            other => {
                reporter
                    .error(role.span, format!("`role` cannot be `{other}`"))
                    .label("unknown choice")
                    .advice("choose leader or follower");
            }
        }
    }
    match told[..] {
        [(leader, _)] => return Some(leader),
        [] => {}
        [(first, _), ref others @ ..] => {
            for (_, span) in others {
                let name = &graph.node(first).name;
                reporter
                    .error(*span, format!("`{name}` leads already"))
                    .label("a second leader")
                    .advice("leave out all roles but one");
            }
            return None;
        }
    }
    let follows = |id: &ParticipantId| {
        let component = spec.component(&graph.node(*id).name);
        component.is_some_and(|c| c.role.as_ref().is_some_and(|role| role.value == "follower"))
    };
    let able: Vec<ParticipantId> = graph
        .participants()
        .filter(|id| !follows(id) && may_lead(graph, *id))
        .collect();
    let moving: Vec<ParticipantId> = able
        .iter()
        .copied()
        .filter(|id| gives_motion(graph, *id))
        .collect();
    let candidates = if moving.is_empty() { able } else { moving };
    let names: Vec<&str> = candidates
        .iter()
        .map(|id| graph.node(*id).name.as_str())
        .collect();
    match candidates[..] {
        [leader] => {
            reasons.push(match gives_motion(graph, leader) {
                true => format!("{} leads, because it gives motion and receives force", names[0]),
                false => format!("{} leads, because nobody else could", names[0]),
            });
            Some(leader)
        }
        _ => {
            let span = spec.method.kind.as_ref().map_or(spec.span, |kind| kind.span);
            let message = match names.is_empty() {
                true => {
                    "nobody can lead: that takes a component that gets something of another, has no samples and is not told to follow".to_owned()
                }
                false => format!("it is not clear who leads: {} could", names.join(", ")),
            };
            reporter
                .error(span, message)
                .label("no leader")
                .advice("say it in a component: role = \"leader\"; usually the one that moves and is pushed by the others");
            None
        }
    }
}

/// Does it get something of another, and is it neither a source nor held between samples?
fn may_lead(graph: &Graph, id: ParticipantId) -> bool {
    let interface = &graph.node(id).interface;
    let driven = graph
        .connections
        .iter()
        .any(|c| c.to.participant == id && c.from.participant != id);
    driven && !interface.foretold && interface.period.is_none() && !is_discrete(graph, id)
}

fn is_discrete(graph: &Graph, id: ParticipantId) -> bool {
    use cardan_core::interface::Variability;
    let ports = graph.node(id).interface.ports.iter();
    let mut outputs = ports
        .filter(|port| port.causality == Causality::Output)
        .peekable();
    outputs.peek().is_some() && outputs.all(|port| port.variability == Variability::Discrete)
}

/// Does it give motion to others and receive force from them, as far as units tell?
fn gives_motion(graph: &Graph, id: ParticipantId) -> bool {
    let of = |form: Form, units: &[&str], port: &Port| {
        let unit = port.unit.as_deref().and_then(|unit| Unit::parse(unit).ok());
        let is = |unit: &Unit, name: &&str| {
            Unit::parse(name).is_ok_and(|known| unit.conversion_to(&known).is_ok())
        };
        let measured = unit.is_some_and(|unit| units.iter().any(|name| is(&unit, name)));
        port.form == form || (port.value_type == ValueType::Real && measured)
    };
    let port =
        |end: cardan_core::graph::Endpoint| &graph.node(end.participant).interface.ports[end.port.index()];
    let gives = graph.connections.iter().filter(|c| c.from.participant == id);
    let gets = graph.connections.iter().filter(|c| c.to.participant == id);
    let moves = gives
        .map(|c| port(c.from))
        .any(|p| of(Form::Frame, &["m", "rad", "m/s", "rad/s"], p));
    moves && gets.map(|c| port(c.to)).any(|p| of(Form::Load, &["N", "N.m"], p))
}

/// A discrete process acts at instants of its own.
fn discrete_ones_have_periods(spec: &SystemSpec, graph: &Graph, reporter: &mut Reporter) {
    for component in &spec.components {
        let Some(discrete) = component.discrete.as_ref().filter(|flag| flag.value) else {
            continue;
        };
        let node = graph.find(&component.name.value).map(|id| graph.node(id));
        if node.is_some_and(|node| node.step.or(node.interface.period).is_none()) {
            reporter
                .error(
                    discrete.span,
                    format!(
                        "`{}` is discrete, and nobody says when it acts",
                        component.name.value
                    ),
                )
                .label("no period")
                .advice("add `step = 0.01`: the time from one of its samples to the next");
        }
    }
}

fn place_of(spec: &SystemSpec, id: ParticipantId) -> Span {
    spec.components.get(id.index()).map_or(spec.span, |c| c.name.span)
}
