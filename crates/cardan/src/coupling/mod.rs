//! From what the user wrote about the coupling to what the engine does.

pub(crate) mod auto;
mod control;
mod energy;
pub(crate) mod glue;
mod idle;
mod iteration;
mod lines;

use cardan_core::graph::Graph;
use cardan_core::interface::{Causality, PortId};
use cardan_core::method::{Method, OverLines, Sweep};
use cardan_core::participant::RunWindow;
use cardan_core::plan::{Setup, StartMode};
use cardan_core::time::SimTime;
use cardan_describe::spec::{MethodKind, Scheme, StartRule};
use cardan_describe::{Reporter, SystemSpec, glob};
use glue::Abilities;

/// Without a word about the step, a run is cut into so many.
const STEPS_OF_AUTO: f64 = 1000.0;

/// What was decided, and why in one line where the user did not decide it.
pub(crate) struct Choice {
    pub(crate) setup: Setup,
    pub(crate) reason: Option<String>,
}

/// Who sees what of whom by the method that was asked for; the reporter knows where that does not fit.
pub(crate) fn sweep(spec: &SystemSpec, reporter: &mut Reporter) -> Option<Sweep> {
    let kind = spec.method.kind.as_ref();
    match kind.map(|k| k.value).unwrap_or_default() {
        _ if lines::are_there(spec) => lines::method(spec, reporter),
        MethodKind::Tlm => lines::missing(spec, reporter),
        _ if spec.method.chooses_steps() || spec.method.repeats_steps() => {
            let scheme = spec.method.scheme.as_ref();
            Some(match scheme.map(|s| s.value).unwrap_or_default() {
                Scheme::Jacobi => Sweep::Jacobi,
                Scheme::GaussSeidel => Sweep::GaussSeidel,
            })
        }
        MethodKind::Jacobi => Some(Sweep::Jacobi),
        // In the glue, whoever goes later sees what others did.
        MethodKind::GaussSeidel
        | MethodKind::Adaptive
        | MethodKind::Iterated
        | MethodKind::Glue
        | MethodKind::Auto => Some(Sweep::GaussSeidel),
    }
}

/// Decides how to couple; the first `described` components are the user's own. None means a mistake that the reporter knows.
pub(crate) fn choose(
    spec: &SystemSpec,
    graph: &Graph,
    sweep: Sweep,
    (described, abilities): (usize, &Abilities),
    reporter: &mut Reporter,
) -> Option<Choice> {
    let (start, stop) = (spec.start_time(), spec.stop.as_ref()?.value);
    let kind = spec.method.kind.as_ref();
    let auto = kind.is_none_or(|k| k.value == MethodKind::Auto);
    let mut reasons = Vec::new();
    let tlm = lines::are_there(spec);
    let control =
        (spec.method.chooses_steps() && !tlm).then(|| control::of(spec, stop - start, &mut reasons));
    if control.is_some_and(|control| !control::is_sane(spec, control, reporter)) {
        return None;
    }
    if !energy::is_sane(spec, graph, control, reporter) {
        return None;
    }
    let glue = match glue::is_asked_for(spec) {
        true => Some(glue::of(spec, graph, abilities, &mut reasons, reporter)?),
        false => None,
    };
    let iteration = spec.method.repeats_steps().then(|| iteration::of(spec, control));
    let present = match (control, iteration) {
        _ if tlm => idle::Kind::Lines,
        _ if glue.is_some() => idle::Kind::Glue,
        (Some(_), _) => idle::Kind::Chosen,
        (None, Some(_)) => idle::Kind::Repeated,
        (None, None) => idle::Kind::Fixed,
    };
    let chosen = idle::Chosen {
        kind: present,
        sweep,
        acceleration: iteration.map(|iteration| iteration.acceleration),
    };
    idle::warn(spec, chosen, reporter);
    if tlm {
        lines::warn_of_bonds(spec, reporter);
    }
    if auto && tlm {
        reasons.push("lines let everybody be ahead by their delay".to_owned());
    } else if auto && graph.nodes.len() > 1 && control.is_none() {
        reasons.push("no method is given, and in gauss-seidel later components see new values".to_owned());
    }
    let given = spec.method.step.as_ref().map(|s| s.value);
    let own_steps = graph.nodes.iter().filter_map(|n| n.step.or(n.interface.period));
    let step = match given {
        // Where steps are chosen, the grid is that of the longest.
        _ if let Some(control) = control => control.max,
        // Where everybody has its own steps, it is the distance of points before the start for those who tell none.
        _ if glue.is_some() => match own_steps.clone().next() {
            Some(_) => own_steps.fold(f64::INFINITY, f64::min),
            None => (stop - start) / STEPS_OF_AUTO,
        },
        Some(step) => step,
        // Who is at no line goes at the steps of those who are.
        None if tlm && own_steps.clone().next().is_some() => own_steps.fold(f64::INFINITY, f64::min),
        // Nobody follows the method's step, so any of the others does for it.
        None if own_steps.clone().count() == graph.nodes.len() && !graph.nodes.is_empty() => {
            own_steps.fold(f64::INFINITY, f64::min)
        }
        None if auto => {
            let step = (stop - start) / STEPS_OF_AUTO;
            reasons.push(format!("step {step} s, a thousandth of the run"));
            step
        }
        None => {
            reporter
                .error(
                    kind.map_or(spec.span, |k| k.span),
                    format!("{sweep} needs a step"),
                )
                .label("no step is given")
                .advice("add `step = 0.001` under [method], or give --step");
            return None;
        }
    };
    if !sizes_are_sane(spec, graph, step, reporter) {
        return None;
    }
    warn_of_odd_samples(spec, graph, reporter);
    let order = spec.method.order.as_ref().map(|names| {
        let ids = names.value.iter().filter_map(|name| graph.find(&name.value));
        // Nobody could name what was added to the description.
        graph
            .participants()
            .skip(described)
            .chain(ids)
            .collect::<Vec<_>>()
    });
    let mut method = Method::on_grid(sweep);
    if let Some(control) = control {
        method = method.paced(control);
    }
    if let Some(iteration) = iteration {
        method = method.solved(iteration);
    }
    if let Some(glue) = glue {
        method = method.paced(glue);
    }
    if tlm {
        method = method.paced(OverLines);
    }
    Some(Choice {
        setup: Setup {
            system: spec.name.clone(),
            window: RunWindow {
                start: SimTime::from_seconds(start),
                stop: SimTime::from_seconds(stop),
                tolerance: None,
            },
            method,
            step,
            one_way: Vec::new(),
            correction: spec.method.correction.as_ref().is_some_and(|c| c.value),
            order: order.filter(|_| sweep == Sweep::GaussSeidel),
            start: match spec.method.start.as_ref().map(|s| s.value).unwrap_or_default() {
                StartRule::Consistent => StartMode::Consistent,
                StartRule::Flat => StartMode::Flat,
                StartRule::Cold => StartMode::Cold,
            },
            record: recorded(spec, graph, described),
            record_lines: lines::recorded(spec, graph),
            observe: Vec::new(),
            drive: Vec::new(),
            every: spec.record.every.as_ref().map(|e| e.value),
            notes: Vec::new(),
        },
        reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
    })
}

/// More rows than this are a slip of the pen, not a result.
const MOST_ROWS: f64 = 1e9;
/// More rows inside one step than this would not fit memory.
const MOST_ROWS_IN_A_STEP: f64 = 1e6;
/// More steps than this take hours even for the smallest system.
const MANY_STEPS: f64 = 1e9;
/// Whole numbers of steps cannot be told apart beyond this.
const MOST_STEPS: f64 = 1e15;

/// Refuses runs that cannot end well, and warns of those that will take very long.
fn sizes_are_sane(spec: &SystemSpec, graph: &Graph, step: f64, reporter: &mut Reporter) -> bool {
    let Some(stop) = &spec.stop else { return true };
    let span = stop.value - spec.start_time();
    let steps = graph
        .nodes
        .iter()
        .map(|n| n.step.or(n.interface.period).unwrap_or(step));
    let (smallest, largest) = steps.fold((step, step), |(a, b), h| (a.min(h), b.max(h)));
    let place = spec.method.step.as_ref().map_or(spec.span, |s| s.span);
    if span / smallest > MOST_STEPS {
        reporter
            .error(place, format!("the run would take {:.0e} steps", span / smallest))
            .advice("choose a larger step or an earlier stop");
        return false;
    }
    if span / smallest > MANY_STEPS {
        reporter
            .warning(place, format!("the run will take {:.1e} steps", span / smallest))
            .advice("Ctrl-C stops it and keeps the results so far; `every` keeps them small");
    }
    let Some(every) = &spec.record.every else {
        return true;
    };
    if span / every.value > MOST_ROWS || largest.min(span) / every.value > MOST_ROWS_IN_A_STEP {
        reporter
            .error(
                every.span,
                format!("`every` asks for {:.0e} rows", span / every.value),
            )
            .advice("choose a larger `every`");
        return false;
    }
    true
}

/// A component that samples at one period and exchanges at another gives old samples, or leaves some out.
fn warn_of_odd_samples(spec: &SystemSpec, graph: &Graph, reporter: &mut Reporter) {
    for (component, node) in spec.components.iter().zip(&graph.nodes) {
        let (Some(step), Some(period)) = (&component.step, node.interface.period) else {
            continue;
        };
        let ratio = period / step.value;
        if (ratio - ratio.round()).abs() > 1e-9 * ratio || ratio < 0.5 {
            reporter
                .warning(
                    step.span,
                    format!(
                        "`{}` samples every {period} s but exchanges every {} s",
                        node.name, step.value
                    ),
                )
                .advice("leave out `step`: a sampled component exchanges at its samples");
        }
    }
}

/// The ports to record, in the order of the description: all outputs, or what the patterns match.
fn recorded(
    spec: &SystemSpec,
    graph: &Graph,
    described: usize,
) -> Vec<(cardan_core::graph::ParticipantId, PortId)> {
    let mut ports = Vec::new();
    for participant in graph.participants().take(described) {
        let node = graph.node(participant);
        for (index, port) in node.interface.ports.iter().enumerate() {
            let name = format!("{}.{}", node.name, port.name);
            let wanted = match &spec.record.variables {
                None => port.causality == Causality::Output,
                Some(patterns) => patterns.iter().any(|pattern| {
                    let mut elements = (0..port.shape.len()).map(|e| port.element_suffix(e));
                    glob(&pattern.value, &name)
                        || elements.any(|suffix| glob(&pattern.value, &format!("{name}{suffix}")))
                }),
            };
            if wanted {
                ports.push((participant, PortId(index as u32)));
            }
        }
    }
    ports
}
