//! What variables say about each other: derivatives, previous values, clocks, sizes.

use super::super::{Causality, Dimension, Kind, Variable};
use super::{References, Relations, nowhere};
use cardan_describe::xml::Element;
use cardan_describe::{Reporter, Severity, Spanned};

/// No array of a description has more elements: a slip in a dimension must not fill the memory.
const MAX_ELEMENTS: u64 = 1 << 28;

pub(super) fn resolve(
    list: &mut [Variable],
    relations: &[(usize, Relations<'_>)],
    references: &References,
    reporter: &mut Reporter,
) {
    for (index, relation) in relations {
        let derivative = other(
            *index,
            relation.derivative,
            references,
            "the `derivative`",
            reporter,
        );
        let previous = other(*index, relation.previous, references, "`previous`", reporter);
        let clocks = clocks(relation, list, references, reporter);
        let dimensions = relation.dimensions.iter();
        let dimensions = dimensions
            .map(|d| dimension(*d, list, references, reporter))
            .collect();
        let variable = &mut list[*index];
        variable.derivative_of = derivative;
        variable.previous = previous;
        variable.clocks = clocks;
        variable.dimensions = dimensions;
    }
    // Sizes only now: a dimension may be declared after the array that has it.
    for (index, relation) in relations {
        if !relation.dimensions.is_empty() {
            check_size(*index, relation, list, reporter);
        }
    }
}

fn other(
    own: usize,
    written: Option<Spanned<&str>>,
    references: &References,
    what: &str,
    reporter: &mut Reporter,
) -> Option<usize> {
    let Spanned { value, span } = written?;
    let found = references.find(value).filter(|found| *found != own);
    if found.is_none() {
        nowhere(span, what, value, "it is left out", reporter);
    }
    found
}

fn clocks(
    relation: &Relations<'_>,
    list: &[Variable],
    references: &References,
    reporter: &mut Reporter,
) -> Vec<usize> {
    let Some(Spanned { value, span }) = relation.clocks else {
        return Vec::new();
    };
    let mut clocks = Vec::new();
    for written in value.split_whitespace() {
        match references.find(written) {
            Some(clock) if list[clock].kind == Kind::Clock => clocks.push(clock),
            Some(other) => {
                let message = format!("`{}` is not a clock: it is left out", list[other].name);
                reporter.warning(span, message);
            }
            None => nowhere(span, "the clock", written, "it is left out", reporter),
        }
    }
    clocks
}

fn dimension(
    element: Element<'_>,
    list: &[Variable],
    references: &References,
    reporter: &mut Reporter,
) -> Dimension {
    if let Some(written) = element.attribute("valueReference") {
        let found = references.find(written.value);
        let size = found.filter(|size| list[*size].causality == Causality::StructuralParameter);
        if size.is_none() {
            let message = format!("the dimension `{}` is not a structural parameter", written.value);
            reporter
                .error(written.span, message)
                .label("so the size of the array is not known");
        }
        return size.map_or(Dimension::Fixed(1), Dimension::By);
    }
    let written = element.integer("start", Severity::Error, reporter);
    let size = written.map(|size| (u64::try_from(size.value).ok(), size.span));
    match size {
        Some((Some(size), _)) => Dimension::Fixed(size),
        Some((None, span)) => {
            reporter.error(span, "a dimension cannot be negative");
            Dimension::Fixed(1)
        }
        None => {
            if element.attribute("start").is_none() {
                let message = "a dimension needs a `start` or the `valueReference` of a structural parameter";
                reporter.error(element.span(), message);
            }
            Dimension::Fixed(1)
        }
    }
}

fn check_size(index: usize, relation: &Relations<'_>, list: &mut [Variable], reporter: &mut Reporter) {
    let variable = &list[index];
    let Some(size) = size(variable, list) else {
        return;
    };
    if size > MAX_ELEMENTS {
        let span = relation.dimensions.first().map_or(variable.span, Element::span);
        let message = format!(
            "`{}` would have {size} elements, which cannot be meant",
            variable.name
        );
        reporter.error(span, message);
        list[index].dimensions = vec![Dimension::Fixed(0)];
        return;
    }
    let given = variable.start.as_ref().map_or(0, |start| start.len() as u64);
    if variable.start.is_some() && given != size {
        let message = format!(
            "`{}` has {size} elements, but {given} start values",
            variable.name
        );
        reporter.error(variable.span, message);
    }
}

/// How many elements it has with the sizes as they are at the start. None where one of these has no start value.
pub(in super::super) fn size(variable: &Variable, list: &[Variable]) -> Option<u64> {
    variable.dimensions.iter().try_fold(1u64, |size, dimension| {
        let length = match *dimension {
            Dimension::Fixed(length) => length,
            Dimension::By(parameter) => {
                let start = list.get(parameter)?.start.as_ref()?.as_integer()?;
                u64::try_from(start).ok()?
            }
        };
        Some(size.saturating_mul(length))
    })
}
