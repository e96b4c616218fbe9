//! What is said about transmission lines.

use super::Reporter;
use cardan_core::graph::Graph;
use cardan_core::method::Sweep;
use cardan_describe::spec::MethodKind;
use cardan_describe::{SystemSpec, glob};

/// Are there lines?
pub(super) fn are_there(spec: &SystemSpec) -> bool {
    !spec.lines.is_empty()
}

/// Lines have a method of their own. Beside them, connections are read as Jacobi reads them.
pub(super) fn method(spec: &SystemSpec, reporter: &mut Reporter) -> Option<Sweep> {
    let Some(kind) = &spec.method.kind else {
        return Some(Sweep::Jacobi);
    };
    match kind.value {
        MethodKind::Tlm | MethodKind::Auto => Some(Sweep::Jacobi),
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
pub(super) fn missing(spec: &SystemSpec, reporter: &mut Reporter) -> Option<Sweep> {
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

/// Bonds are for methods whose steps end together.
pub(super) fn warn_of_bonds(spec: &SystemSpec, reporter: &mut Reporter) {
    if let Some(bond) = spec.bonds.first() {
        reporter
            .warning(bond.span, "bonds are not measured where there are lines")
            .advice("the energy of a line is a column of the results");
    }
}
