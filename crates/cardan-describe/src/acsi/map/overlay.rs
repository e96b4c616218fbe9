//! A more particular table wins over a more general one, key by key.

use crate::spec::ComponentSpec;

/// What `particular` says, and what `general` says where that is silent. Parameters are won or lost one by one.
pub(super) fn over(general: &ComponentSpec, particular: &ComponentSpec) -> ComponentSpec {
    let (general, own) = (general.clone(), particular.clone());
    let mut parameters = general.parameters;
    parameters.retain(|(name, _)| !own.parameters.iter().any(|(other, _)| other.value == name.value));
    parameters.extend(own.parameters);
    ComponentSpec {
        name: own.name,
        source: own.source.or(general.source),
        parameters,
        incomplete: own.incomplete || general.incomplete,
        step: own.step.or(general.step),
        substeps: own.substeps.or(general.substeps),
        isolate: own.isolate.or(general.isolate),
        parallel: own.parallel.or(general.parallel),
        role: own.role.or(general.role),
        discrete: own.discrete.or(general.discrete),
        call_limit: own.call_limit.or(general.call_limit),
        solver: own.solver.or(general.solver),
        history: match own.history.is_empty() {
            true => general.history,
            false => own.history,
        },
        fmi_kind: own.fmi_kind.or(general.fmi_kind),
        link: own.link.or(general.link),
        log: own.log.or(general.log),
        frame: own.frame.or(general.frame),
        scales: own.scales.or(general.scales),
        markers: match own.markers.is_empty() {
            true => general.markers,
            false => own.markers,
        },
        // A map has no words for the rest.
        starts: own.starts,
        shares_parameters: own.shares_parameters,
        demanded: own.demanded,
        connectors: own.connectors,
    }
}
