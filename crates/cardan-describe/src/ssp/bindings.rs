//! `<ParameterBindings>`: parameter sets for a component or a system, with prefixes and mappings.

use super::literal;
use super::parameter_mapping::{self, MappingEntry};
use super::parameter_set::{self, ParameterSet};
use super::tree::{Owner, Tree, Value};
use crate::diagnostic::{Reporter, Spanned, suggest};
use crate::xml::Element;
use std::collections::HashMap;
use std::rc::Rc;

const SET: &str = "application/x-ssp-parameter-set";
const MAPPING: &str = "application/x-ssp-parameter-mapping";

/// Files that were read: many components may share one.
#[derive(Default)]
pub(super) struct Files {
    sets: HashMap<String, Option<Rc<ParameterSet>>>,
    mappings: HashMap<String, Option<Rc<Vec<MappingEntry>>>>,
    /// Sets, and which of their values somebody takes.
    taken: Vec<(Rc<ParameterSet>, Vec<bool>)>,
    places: HashMap<*const ParameterSet, usize>,
}

impl Files {
    fn take(&mut self, set: &Rc<ParameterSet>, values: impl Iterator<Item = usize>) {
        let index = *self.places.entry(Rc::as_ptr(set)).or_insert_with(|| {
            self.taken.push((Rc::clone(set), vec![false; set.values.len()]));
            self.taken.len() - 1
        });
        let taken = &mut self.taken[index].1;
        values.for_each(|value| taken[value] = true);
    }

    /// Tells, set by set, what no mapping takes: it has no effect, which is easily overlooked.
    pub(super) fn report_left_out(&self, reporter: &mut Reporter) {
        for (set, taken) in &self.taken {
            let values = set.values.iter().zip(taken);
            let left: Vec<&Spanned<String>> = values
                .filter(|(_, taken)| !**taken)
                .map(|((name, _), _)| name)
                .collect();
            let Some(first) = left.first() else { continue };
            let names: Vec<String> = left.iter().take(10).map(|n| format!("`{}`", n.value)).collect();
            let more = if left.len() > names.len() { ", …" } else { "" };
            reporter
                .warning(first.span, format!("no mapping takes {}{more}", names.join(", ")))
                .label("not used")
                .advice("where there is a mapping, it alone decides: add an entry, or take the value out");
        }
    }
}

impl Tree<'_> {
    /// Notes the values that an element of the description gives to itself and what is inside.
    pub(super) fn bindings(
        &mut self,
        owner: Owner,
        level: usize,
        element: Element<'_>,
        reporter: &mut Reporter,
    ) {
        for list in element.children_named("ParameterBindings") {
            for binding in list.children_named("ParameterBinding") {
                self.binding(owner, level, binding, reporter);
            }
        }
    }

    fn binding(&mut self, owner: Owner, level: usize, element: Element<'_>, reporter: &mut Reporter) {
        let set = self.set(element, reporter);
        let mapping = match element.child("ParameterMapping") {
            Some(mapping) => match self.mapping(mapping, reporter) {
                Some(mapping) => Some(mapping),
                None => return,
            },
            None => None,
        };
        let Some(set) = set else { return };
        self.add_units(&set.units);
        self.sets += 1;
        let number = self.sets;
        let prefix = element.attribute("prefix").map_or("", |prefix| prefix.value);
        let value = |name: Spanned<String>, literal, mapped| Value {
            owner,
            level,
            name,
            literal,
            mapped,
            set: number,
        };
        let Some(mapping) = mapping else {
            let values = set.values.iter().map(|(name, literal)| {
                let name = Spanned::new(format!("{prefix}{}", name.value), name.span);
                value(name, literal.clone(), false)
            });
            self.values.extend(values);
            self.files.take(&set, 0..set.values.len());
            return;
        };
        let by_name: HashMap<String, usize> = set
            .values
            .iter()
            .enumerate()
            .map(|(index, (name, _))| (format!("{prefix}{}", name.value), index))
            .collect();
        let sources = mapping
            .iter()
            .filter_map(|entry| by_name.get(&entry.source.value));
        self.files.take(&set, sources.copied());
        for entry in mapping.iter() {
            match by_name.get(&entry.source.value) {
                Some(&index) => {
                    let literal = literal::along(&set.values[index].1, &entry.hop, None, reporter);
                    self.values.push(value(entry.target.clone(), literal, true));
                }
                None => {
                    let advice = match reporter.is_full() {
                        true => String::new(),
                        false => suggest(
                            &entry.source.value,
                            "parameters of the set",
                            set.values.iter().map(|(name, _)| name.value.as_str()),
                        ),
                    };
                    reporter
                        .warning(
                            entry.source.span,
                            format!("the parameter set has no `{}`", entry.source.value),
                        )
                        .label("maps nothing")
                        .advice(advice);
                }
            }
        }
    }

    fn set(&mut self, element: Element<'_>, reporter: &mut Reporter) -> Option<Rc<ParameterSet>> {
        check_type(element, SET, reporter)?;
        let Some(source) = source(element, reporter)? else {
            let inline = element.child("ParameterValues")?.child("ParameterSet");
            let Some(inline) = inline else {
                reporter
                    .error(element.span(), "the binding has no parameter set")
                    .advice("add source=\"….ssv\", or a <ParameterSet> in <ParameterValues>");
                return None;
            };
            return Some(Rc::new(parameter_set::read(inline, &self.units, reporter)));
        };
        if let Some(known) = self.files.sets.get(source.value) {
            return known.clone();
        }
        let units = &self.units;
        let set = self.folder.read(source, reporter, |root, reporter| {
            Rc::new(parameter_set::read(root, units, reporter))
        });
        self.files.sets.insert(source.value.to_owned(), set.clone());
        set
    }

    fn mapping(&mut self, element: Element<'_>, reporter: &mut Reporter) -> Option<Rc<Vec<MappingEntry>>> {
        check_type(element, MAPPING, reporter)?;
        let Some(source) = source(element, reporter)? else {
            return Some(Rc::new(parameter_mapping::read(element, reporter)));
        };
        if let Some(known) = self.files.mappings.get(source.value) {
            return known.clone();
        }
        let mapping = self.folder.read(source, reporter, |root, reporter| {
            Rc::new(parameter_mapping::read(root, reporter))
        });
        self.files
            .mappings
            .insert(source.value.to_owned(), mapping.clone());
        mapping
    }
}

fn check_type(element: Element<'_>, known: &str, reporter: &mut Reporter) -> Option<()> {
    let written = element.attribute("type");
    if let Some(other) = written.filter(|kind| kind.value.trim() != known) {
        reporter
            .error(other.span, format!("the type `{}` is not supported", other.value))
            .advice(format!("write it as {known}"));
        return None;
    }
    Some(())
}

/// The file that holds the content, or nothing where it stands inline; none where it cannot be had.
fn source<'a>(element: Element<'a>, reporter: &mut Reporter) -> Option<Option<Spanned<&'a str>>> {
    let Some(source) = element
        .attribute("source")
        .filter(|source| !source.value.is_empty())
    else {
        return Some(None);
    };
    let base = element.attribute("sourceBase");
    if let Some(base) = base.filter(|base| base.value.trim() == "component") {
        reporter
            .error(base.span, "files inside a component are not supported as sources")
            .advice("put the file beside the description");
        return None;
    }
    Some(Some(source))
}
