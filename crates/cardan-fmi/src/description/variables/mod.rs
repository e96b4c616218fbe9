//! Variables: first each by itself, then what they say about each other.

mod clock;
mod common;
mod relations;
mod start;
mod v2;
mod v3;

pub(super) use relations::size;

use super::gathered::Gathered;
use super::types::Types;
use super::{Variable, Version};
use cardan_describe::xml::{self, Element};
use cardan_describe::{Reporter, Severity, Span, Spanned};
use std::collections::{HashMap, HashSet};

/// The items of enumerations are copied into every variable. A file whose copies would fill the memory is refused.
const MAX_CHOICES: usize = 8 << 20;

/// All variables of a description, and how others refer to them.
pub(super) struct Variables {
    pub(super) list: Vec<Variable>,
    pub(super) references: References,
}

/// How one variable refers to another: FMI 2 counts from one in the order of the file, FMI 3 uses value references.
pub(super) enum References {
    ByOrder(Vec<Option<usize>>),
    ByValue(HashMap<u32, usize>),
}

impl References {
    /// The index of the variable that is meant.
    pub(super) fn find(&self, written: &str) -> Option<usize> {
        match self {
            References::ByOrder(order) => {
                let number: usize = written.trim().parse().ok()?;
                *order.get(number.checked_sub(1)?)?
            }
            References::ByValue(values) => values.get(&written.trim().parse().ok()?).copied(),
        }
    }
}

/// What a variable says about others. It can be read only when all are known.
#[derive(Default)]
struct Relations<'a> {
    derivative: Option<Spanned<&'a str>>,
    previous: Option<Spanned<&'a str>>,
    clocks: Option<Spanned<&'a str>>,
    dimensions: Vec<Element<'a>>,
}

impl Relations<'_> {
    fn is_empty(&self) -> bool {
        self.derivative.is_none()
            && self.previous.is_none()
            && self.clocks.is_none()
            && self.dimensions.is_empty()
    }
}

/// What has been read so far, and what it refers to.
struct Scope<'a, 't> {
    version: Version,
    types: &'t Types<'a>,
    /// None where the description defines no units at all: then the names must speak for themselves.
    units: Option<HashSet<&'t str>>,
    list: Vec<Variable>,
    names: HashMap<&'a str, usize>,
    relations: Vec<(usize, Relations<'a>)>,
    choices: usize,
    unknown_types: Gathered,
    unknown_units: Gathered,
    without_items: Gathered,
}

pub(super) fn variables<'a>(
    root: Element<'a>,
    version: Version,
    types: &Types<'a>,
    units: &[super::Unit],
    reporter: &mut Reporter,
) -> Variables {
    let names = || units.iter().map(|unit| unit.name.as_str()).collect();
    let mut scope = Scope {
        version,
        types,
        units: (!units.is_empty()).then(names),
        list: Vec::new(),
        names: HashMap::new(),
        relations: Vec::new(),
        choices: 0,
        unknown_types: Gathered::default(),
        unknown_units: Gathered::default(),
        without_items: Gathered::default(),
    };
    let container = root.child("ModelVariables");
    if container.is_none() {
        reporter.warning(
            root.span(),
            "there are no <ModelVariables>: the FMU has nothing to connect",
        );
    }
    let elements = container.iter().flat_map(Element::children);
    let references = match version {
        Version::V2 => References::ByOrder(v2::read(elements, &mut scope, reporter)),
        Version::V3 => References::ByValue(v3::read(elements, &mut scope, reporter)),
    };
    scope.report(reporter);
    relations::resolve(&mut scope.list, &scope.relations, &references, reporter);
    start::complete(&mut scope.list, reporter);
    Variables {
        list: scope.list,
        references,
    }
}

impl<'a> Scope<'a, '_> {
    /// Takes a variable in, unless its name is taken. Its index, or that of the first of the name.
    fn add(
        &mut self,
        name: &'a str,
        variable: Variable,
        relations: Relations<'a>,
        reporter: &mut Reporter,
    ) -> usize {
        if let Some(&first) = self.names.get(name) {
            reporter
                .warning(
                    variable.span,
                    format!("there are two variables `{name}`: the first counts"),
                )
                .related(self.list[first].span, "the first");
            return first;
        }
        let index = self.list.len();
        self.names.insert(name, index);
        self.list.push(variable);
        if !relations.is_empty() {
            self.relations.push((index, relations));
        }
        index
    }

    fn report(&self, reporter: &mut Reporter) {
        let warn = Severity::Warning;
        let sentence = "the declared type is not defined";
        self.unknown_types.report(warn, sentence, reporter);
        let sentence = "the unit is not defined, so its name must say what it is";
        self.unknown_units.report(warn, sentence, reporter);
        let sentence = "the enumeration has no items: only numbers can be given";
        self.without_items.report(warn, sentence, reporter);
        if self.choices > MAX_CHOICES {
            let span = self.list.last().map(|v| v.span);
            let message = "the enumerations of the variables have too many items altogether";
            let _ = span.map(|span| reporter.error(span, message));
        }
    }
}

/// `valueReference` as the binary knows it.
fn value_reference(element: Element<'_>, reporter: &mut Reporter) -> Option<u32> {
    let written = element.required("valueReference", reporter)?;
    let value = xml::integer(written.value).and_then(|value| u32::try_from(value).ok());
    if value.is_none() {
        let message = format!(
            "a value reference must be a whole number from 0 to 4294967295, found `{}`",
            written.value
        );
        reporter.error(written.span, message);
    }
    value
}

/// A mistake in an attribute that stands in a type or variable.
fn nowhere(span: Span, what: &str, written: &str, consequence: &str, reporter: &mut Reporter) {
    reporter.warning(
        span,
        format!("{what} `{written}` points to no variable: {consequence}"),
    );
}
