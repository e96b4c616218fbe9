//! `<Simulator>` and its initial values.

use super::Structure;
use crate::diagnostic::{Reporter, Severity, Spanned};
use crate::spec::{ComponentSource, ComponentSpec, Literal};
use crate::xml::{self, Element};

impl Structure<'_> {
    pub(super) fn simulators(&mut self, root: Element<'_>, reporter: &mut Reporter) {
        for list in root.children_named("Simulators") {
            for simulator in list.children_named("Simulator") {
                if let Some(name) = self.name(simulator, reporter) {
                    self.simulator(simulator, name, reporter);
                }
            }
        }
    }

    fn simulator(&mut self, element: Element<'_>, name: Spanned<String>, reporter: &mut Reporter) {
        let mut spec = ComponentSpec::new(name);
        if let Some(source) = element.required("source", reporter) {
            self.groups.remember(&spec.name.value, source.map(str::to_owned));
            let found = self.folder.find(source, reporter);
            spec.source = found.map(|path| ComponentSource::Fmu(Spanned::new(path, source.span)));
        }
        let step = element.real("stepSize", Severity::Error, reporter);
        let positive = |step: &Spanned<f64>| step.value > 0.0 && step.value.is_finite();
        if let Some(wrong) = step.filter(|step| !positive(step)) {
            reporter.error(
                wrong.span,
                format!("`stepSize` must be greater than 0, found {}", wrong.value),
            );
        }
        spec.step = step.filter(positive);
        for list in element.children_named("InitialValues") {
            for value in list.children_named("InitialValue") {
                match initial(value, reporter) {
                    Some(entry) => spec.parameters.push(entry),
                    None => spec.incomplete = true,
                }
            }
        }
        self.components.push(spec);
    }
}

fn initial(element: Element<'_>, reporter: &mut Reporter) -> Option<(Spanned<String>, Spanned<Literal>)> {
    let variable = element.required("variable", reporter)?;
    let Some(typed) = element.children().next() else {
        reporter
            .error(element.span(), format!("`{}` gets no value", variable.value))
            .advice("add <Real value=\"…\"/>, <Integer …/>, <Boolean …/> or <String …/>");
        return None;
    };
    let value = typed.required("value", reporter)?;
    let literal = match typed.name() {
        "Real" => xml::real(value.value).map(Literal::Real),
        "Integer" => xml::integer(value.value).map(Literal::Integer),
        "Boolean" => xml::boolean(value.value).map(Literal::Boolean),
        "String" | "Enumeration" => Some(Literal::String(value.value.to_owned())),
        other => {
            reporter
                .error(typed.span(), format!("<{other}> is not a type of values"))
                .advice("write Real, Integer, Boolean or String");
            return None;
        }
    };
    if literal.is_none() {
        reporter.error(
            value.span,
            format!("`{}` is not a value of <{}>", value.value, typed.name()),
        );
    }
    Some((variable.map(str::to_owned), Spanned::new(literal?, value.span)))
}
