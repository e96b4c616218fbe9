//! What is said about bonds, the energy that crosses them, and inputs that make good what was wrong.

use cardan_core::graph::{Connection, Endpoint, Graph};
use cardan_core::method::{Estimator, StepControl};
use cardan_describe::{Reporter, SystemSpec};

/// Whether what is asked for can be done; the reporter knows if not.
pub(super) fn is_sane(
    spec: &SystemSpec,
    graph: &Graph,
    control: Option<StepControl>,
    reporter: &mut Reporter,
) -> bool {
    let errors = reporter.error_count();
    let method = &spec.method;
    let by_energy = control.is_some_and(|control| control.estimator == Estimator::Energy);
    if by_energy && graph.bonds.is_empty() {
        let span = method.estimator.as_ref().map_or(spec.span, |e| e.span);
        reporter
            .error(
                span,
                "steps cannot follow the energy of bonds where there are none",
            )
            .label("no bonds are described")
            .advice("add [[bonds]] with an effort and a flow, or take estimator = \"embedded\"");
    }
    if by_energy && let Some(outside) = graph.connections.iter().find(|c| is_outside(graph, c)) {
        let span = method.estimator.as_ref().map_or(spec.span, |e| e.span);
        let (from, to) = (graph.name_of(outside.from), graph.name_of(outside.to));
        reporter
            .warning(
                span,
                format!("`{from}` → `{to}` is in no bond, and steps that follow the energy do not see how wrong it is read"),
            )
            .advice("bind it, or take estimator = \"embedded\", which sees all connections");
    }
    if let Some(given) = method.energy_tolerance.as_ref().filter(|_| !by_energy) {
        reporter
            .warning(given.span, "`energy_tolerance` is of no use here")
            .advice("it goes with kind = \"adaptive\" and estimator = \"energy\"");
    }
    if let Some(asked) = method.correction.as_ref()
        && asked.value
        && method.repeats_steps()
    {
        reporter
            .error(
                asked.span,
                "a correction does not go with steps that are repeated",
            )
            .label("nothing is left to be made good")
            .advice("leave it out: signals are interpolated");
    }
    if method.repeats_steps()
        && let Some(bond) = spec.bonds.first()
    {
        reporter
            .warning(bond.span, "bonds are not measured where steps are repeated")
            .advice("signals are interpolated there: choose the accuracy by the tolerance");
    }
    let halves = control.is_some_and(|control| control.estimator == Estimator::Richardson);
    if let Some(asked) = method.correction.as_ref().filter(|asked| asked.value && halves) {
        reporter
            .error(
                asked.span,
                "a correction does not go with steps that are done in halves",
            )
            .label("made good twice")
            .advice("take estimator = \"energy\" or \"embedded\"");
    }
    reporter.error_count() == errors
}

/// Is it in no bond, and may it be read wrong? What is known ahead or jumps is not; and a source that reads nothing itself
/// is left to the user.
fn is_outside(graph: &Graph, connection: &Connection) -> bool {
    let node = graph.node(connection.from.participant);
    let bound = |end: Endpoint| {
        (end.participant, end.port) == (connection.from.participant, connection.from.port)
            && (end.element.is_none() || connection.from.element.is_none_or(|e| end.element == Some(e)))
    };
    let reads = |c: &Connection| c.to.participant == connection.from.participant;
    !node.interface.foretold
        && graph.connections.iter().any(reads)
        && graph.is_continuous(connection.from)
        && !graph
            .bonds
            .iter()
            .any(|bond| bound(bond.effort) || bound(bond.flow))
}
