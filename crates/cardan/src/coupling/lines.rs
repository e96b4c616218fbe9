//! What is said about transmission lines.

use super::Reporter;
use cardan_core::graph::Graph;
use cardan_core::plan::Method;
use cardan_describe::spec::MethodKind;
use cardan_describe::{Span, SystemSpec, glob};

/// Are there lines?
pub(super) fn are_there(spec: &SystemSpec) -> bool {
    !spec.lines.is_empty()
}

/// Lines have a method of their own. Beside them, connections are read as Jacobi reads them.
pub(super) fn method(spec: &SystemSpec, reporter: &mut Reporter) -> Option<Method> {
    let Some(kind) = &spec.method.kind else {
        return Some(Method::Jacobi);
    };
    match kind.value {
        MethodKind::Tlm | MethodKind::Auto => Some(Method::Jacobi),
        other => {
            let first = spec.lines.first().map_or(spec.span, |line| line.span);
            reporter
                .error(kind.span, format!("there are lines, and the method is `{other}`"))
                .related(first, "a line")
                .advice("take kind = \"tlm\", or leave the kind out");
            None
        }
    }
}

/// The method was asked for, and there are no lines.
pub(super) fn missing(spec: &SystemSpec, reporter: &mut Reporter) -> Option<Method> {
    let span = spec.method.kind.as_ref().map_or(spec.span, |kind| kind.span);
    reporter
        .error(span, "the method `tlm` couples by lines, and there are none")
        .label("no lines")
        .advice(
            "add [[lines]] with `from`, `to`, `delay` and `Zf`, or choose jacobi, gauss-seidel, adaptive, iterated, glue or auto",
        );
    None
}

/// The lines whose energy is recorded: all, or those that the patterns match.
pub(super) fn recorded(spec: &SystemSpec, graph: &Graph) -> Vec<u32> {
    let wanted = |name: &str| match &spec.record.variables {
        None => true,
        Some(patterns) => patterns
            .iter()
            .any(|pattern| glob(&pattern.value, &format!("{name}.energy"))),
    };
    let lines = graph.lines.iter().enumerate();
    lines
        .filter(|(_, line)| line.medium != cardan_core::line::Medium::Signal && wanted(&line.name))
        .map(|(index, _)| index as u32)
        .collect()
}

/// Lines have no use for keys of other methods.
pub(super) fn warn_of_idle_keys(spec: &SystemSpec, reporter: &mut Reporter) {
    let m = &spec.method;
    let given: [(&str, Option<Span>); 8] = [
        ("tolerance", m.tolerance.as_ref().map(|k| k.span)),
        ("absolute", m.absolute.as_ref().map(|k| k.span)),
        ("min_step", m.min_step.as_ref().map(|k| k.span)),
        ("max_step", m.max_step.as_ref().map(|k| k.span)),
        ("estimator", m.estimator.as_ref().map(|k| k.span)),
        ("scheme", m.scheme.as_ref().map(|k| k.span)),
        ("correction", m.correction.as_ref().map(|k| k.span)),
        ("order", m.order.as_ref().map(|k| k.span)),
    ];
    for (key, span) in given {
        if let Some(span) = span {
            reporter
                .warning(
                    span,
                    format!("with lines `{key}` is not used: everybody goes at its own steps"),
                )
                .advice("steps belong to components: `step`, `solver`");
        }
    }
    if let Some(bond) = spec.bonds.first() {
        reporter
            .warning(bond.span, "bonds are not measured where there are lines")
            .advice("the energy of a line is a column of the results");
    }
}
