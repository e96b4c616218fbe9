//! Reads the model structure, and completes it where tools leave it out.

use super::gathered::Gathered;
use super::variables::{References, Variables};
use super::{Causality, Kind, ModelStructure, Unknown, Variable, Version};
use cardan_describe::xml::Element;
use cardan_describe::{Reporter, Severity};

pub(super) fn structure(
    root: Element<'_>,
    version: Version,
    variables: &Variables,
    reporter: &mut Reporter,
) -> ModelStructure {
    let element = root.child("ModelStructure");
    let reading = Reading {
        version,
        list: &variables.list,
        references: &variables.references,
    };
    let mut structure = ModelStructure::default();
    if let Some(element) = element {
        structure.outputs = reading.unknowns(element, "Outputs", "Output", reporter);
        structure.derivatives =
            reading.unknowns(element, "Derivatives", "ContinuousStateDerivative", reporter);
        structure.initial_unknowns = reading.unknowns(element, "InitialUnknowns", "InitialUnknown", reporter);
        if version == Version::V3 {
            structure.clocked_states = reading.unknowns(element, "", "ClockedState", reporter);
        }
    } else {
        let message = "there is no <ModelStructure>: every output may depend on every input";
        reporter.warning(root.span(), message);
        let derivatives = variables.list.iter().enumerate();
        let derivatives = derivatives.filter(|(_, v)| v.derivative_of.is_some());
        structure.derivatives = derivatives
            .map(|(index, variable)| anything(index, variable))
            .collect();
    }
    structure.event_indicators = match version {
        Version::V2 => counted(root, reporter),
        Version::V3 => element.map_or(0, |element| reading.event_indicators(element, reporter)),
    };
    complete_outputs(&mut structure, &variables.list, element, reporter);
    structure
}

/// What nothing is known about depends on everything.
fn anything(index: usize, variable: &Variable) -> Unknown {
    Unknown {
        variable: index,
        dependencies: None,
        span: variable.span,
    }
}

/// FMI 2 says only how many event indicators there are.
fn counted(root: Element<'_>, reporter: &mut Reporter) -> usize {
    let written = root.integer("numberOfEventIndicators", Severity::Warning, reporter);
    written.map_or(0, |written| match u32::try_from(written.value) {
        Ok(count) => count as usize,
        Err(_) => {
            let message = "the number of event indicators cannot be meant: none are taken";
            reporter.warning(written.span, message);
            0
        }
    })
}

struct Reading<'a> {
    version: Version,
    list: &'a [Variable],
    references: &'a References,
}

impl Reading<'_> {
    /// FMI 2 has a list of `<Unknown>`, FMI 3 an element for each.
    fn unknowns(
        &self,
        structure: Element<'_>,
        list: &str,
        single: &str,
        reporter: &mut Reporter,
    ) -> Vec<Unknown> {
        let elements: Vec<Element<'_>> = match self.version {
            Version::V2 => structure
                .child(list)
                .map_or(Vec::new(), |l| l.children_named("Unknown").collect()),
            Version::V3 => structure.children_named(single).collect(),
        };
        let mut listed = vec![false; self.list.len()];
        let mut unknowns = Vec::with_capacity(elements.len());
        for element in elements {
            let Some(variable) = self.variable(element, reporter) else {
                continue;
            };
            if std::mem::replace(&mut listed[variable], true) {
                let message = format!("`{}` is listed twice: the first counts", self.list[variable].name);
                reporter.warning(element.span(), message);
                continue;
            }
            unknowns.push(Unknown {
                variable,
                dependencies: self.dependencies(element, variable, reporter),
                span: element.span(),
            });
        }
        unknowns
    }

    fn variable(&self, element: Element<'_>, reporter: &mut Reporter) -> Option<usize> {
        let attribute = if self.version == Version::V2 {
            "index"
        } else {
            "valueReference"
        };
        let Some(written) = element.attribute(attribute) else {
            let message = format!("<{}> without `{attribute}` is ignored", element.name());
            reporter.warning(element.span(), message);
            return None;
        };
        let found = self.references.find(written.value);
        if found.is_none() {
            let message = format!("`{}` points to no variable: the entry is ignored", written.value);
            reporter.warning(written.span, message);
        }
        found
    }

    /// None if nothing is said, or something that makes no sense: then the variable depends on everything.
    fn dependencies(
        &self,
        element: Element<'_>,
        variable: usize,
        reporter: &mut Reporter,
    ) -> Option<Vec<usize>> {
        let written = element.attribute("dependencies")?;
        let mut found = Vec::new();
        for word in written.value.split_whitespace() {
            let Some(other) = self.references.find(word) else {
                let name = &self.list[variable].name;
                let message = format!(
                    "`{name}` depends on `{word}`, which is no variable: it is taken to depend on everything"
                );
                reporter.warning(written.span, message);
                return None;
            };
            found.push(other);
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// An array of indicators counts with all its elements.
    fn event_indicators(&self, structure: Element<'_>, reporter: &mut Reporter) -> usize {
        let indicators = self.unknowns(structure, "", "EventIndicator", reporter);
        let sizes = indicators.iter().map(|unknown| {
            let size = super::variables::size(&self.list[unknown.variable], self.list);
            size.and_then(|size| usize::try_from(size).ok()).unwrap_or(1)
        });
        sizes.fold(0, usize::saturating_add)
    }
}

/// All outputs, and nothing else.
fn complete_outputs(
    structure: &mut ModelStructure,
    list: &[Variable],
    element: Option<Element<'_>>,
    reporter: &mut Reporter,
) {
    let (mut strangers, mut missing) = (Gathered::default(), Gathered::default());
    structure.outputs.retain(|unknown| {
        let variable = &list[unknown.variable];
        let is_output = variable.causality == Causality::Output;
        if !is_output {
            strangers.add(
                element.map_or(variable.span, |element| element.span()),
                &variable.name,
            );
        }
        is_output
    });
    let mut listed = vec![false; list.len()];
    for unknown in &structure.outputs {
        listed[unknown.variable] = true;
    }
    for (index, variable) in list.iter().enumerate() {
        if variable.causality == Causality::Output && !listed[index] {
            structure.outputs.push(anything(index, variable));
            // Clocks need not be listed; without any structure that was said already.
            if variable.kind != Kind::Clock && element.is_some() {
                missing.add(variable.span, &variable.name);
            }
        }
    }
    let warn = Severity::Warning;
    strangers.report(
        warn,
        "listed among the outputs without being one, ignored",
        reporter,
    );
    let sentence = "an output that <ModelStructure> does not list: it is taken to depend on everything";
    missing.report(warn, sentence, reporter);
}
