//! `<Functions>`: sums become components, linear transformations become part of the connections through them.

use super::Structure;
use crate::diagnostic::{Reporter, Severity, Spanned};
use crate::spec::{ComponentSource, ComponentSpec, Literal};
use crate::xml::Element;
use cardan_core::graph::Conversion;

/// More inputs than anybody writes connections for.
const MAX_COUNT: i64 = 10_000;

/// A function between simulators.
pub(super) enum Function {
    Linear {
        law: Spanned<Conversion>,
        /// The variable that drives it.
        input: Option<Spanned<String>>,
    },
    /// One sum for each dimension.
    Sum { inputs: usize, dimension: Option<usize> },
}

impl Structure<'_> {
    pub(super) fn functions(&mut self, root: Element<'_>, reporter: &mut Reporter) {
        for list in root.children_named("Functions") {
            for element in list.children() {
                if let Some(name) = self.name(element, reporter) {
                    self.function(element, name, reporter);
                }
            }
        }
    }

    fn function(&mut self, element: Element<'_>, name: Spanned<String>, reporter: &mut Reporter) {
        let function = match element.name() {
            "LinearTransformation" => Some(linear(element, reporter)),
            "Sum" => self.sum(element, &name, None, reporter),
            "VectorSum" => count(element, "dimension", 1, reporter)
                .and_then(|dimension| self.sum(element, &name, Some(dimension), reporter)),
            other => {
                reporter
                    .error(element.span(), format!("there is no function <{other}>"))
                    .advice("LinearTransformation, Sum and VectorSum are known");
                None
            }
        };
        match function {
            Some(function) => {
                self.functions.insert(name.value, function);
            }
            None => {
                self.broken = true;
                self.lost.insert(name.value);
            }
        }
    }

    fn sum(
        &mut self,
        element: Element<'_>,
        name: &Spanned<String>,
        dimension: Option<usize>,
        reporter: &mut Reporter,
    ) -> Option<Function> {
        let kind = element.attribute("numericType");
        if let Some(kind) = kind.filter(|kind| kind.value.trim() != "real") {
            reporter
                .error(
                    kind.span,
                    format!("sums of the type `{}` are not supported", kind.value),
                )
                .advice("sums of reals are");
            return None;
        }
        let inputs = count(element, "inputCount", 1, reporter)?;
        for number in 1..=dimension.unwrap_or(1) {
            let mut full = name.clone();
            if dimension.is_some() {
                full.value = format!("{}.{number}", name.value);
            }
            let mut spec = ComponentSpec::new(full);
            let model = Spanned::new("sum".to_owned(), element.span());
            spec.source = Some(ComponentSource::Model(model));
            let weight = Spanned::new(Literal::Real(1.0), element.span());
            let gains = Literal::Array(vec![weight; inputs]);
            let key = Spanned::new("gains".to_owned(), element.span());
            spec.parameters.push((key, Spanned::new(gains, element.span())));
            self.components.push(spec);
        }
        Some(Function::Sum { inputs, dimension })
    }
}

fn linear(element: Element<'_>, reporter: &mut Reporter) -> Function {
    let mut number = |name, default| {
        let found = element.real(name, Severity::Error, reporter);
        if let Some(wrong) = found.filter(|number| !number.value.is_finite()) {
            reporter.error(wrong.span, format!("`{name}` must be a finite number"));
        }
        found.map_or(default, |number| number.value)
    };
    let law = Conversion {
        factor: number("factor", 1.0),
        offset: number("offset", 0.0),
    };
    Function::Linear {
        law: Spanned::new(law, element.span()),
        input: None,
    }
}

fn count(element: Element<'_>, name: &str, default: i64, reporter: &mut Reporter) -> Option<usize> {
    let found = element.integer(name, Severity::Error, reporter);
    if found.is_none() && element.attribute(name).is_some() {
        return None;
    }
    let value = found.map_or(default, |count| count.value);
    if !(1..=MAX_COUNT).contains(&value) {
        let span = found.map_or(element.span(), |count| count.span);
        reporter.error(
            span,
            format!("`{name}` must be between 1 and {MAX_COUNT}, found {value}"),
        );
        return None;
    }
    usize::try_from(value).ok()
}
