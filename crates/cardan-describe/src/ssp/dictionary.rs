//! Signal dictionaries: signals by name that any system inside may write and read.

use super::connector;
use super::definitions;
use super::tree::{Member, Tree};
use crate::diagnostic::{Reporter, suggest};
use crate::spec::{ConnectorKind, ConnectorSpec};
use crate::xml::Element;
use cardan_core::interface::UnitDefinition;

const TYPE: &str = "application/x-ssp-signal-dictionary";

/// The dictionaries that a system defines.
pub(super) fn define(tree: &mut Tree<'_>, system: usize, element: Element<'_>, reporter: &mut Reporter) {
    for list in element.children_named("SignalDictionaries") {
        for dictionary in list.children_named("SignalDictionary") {
            one(tree, system, dictionary, reporter);
        }
    }
}

fn one(tree: &mut Tree<'_>, system: usize, element: Element<'_>, reporter: &mut Reporter) -> Option<()> {
    let name = element.required("name", reporter)?;
    let kind = element.attribute("type");
    if let Some(kind) = kind.filter(|kind| kind.value.trim() != TYPE) {
        reporter
            .error(
                kind.span,
                format!(
                    "signal dictionaries of the type `{}` are not supported",
                    kind.value
                ),
            )
            .advice(format!("write one as {TYPE}"));
        return None;
    }
    let (entries, units) = match element.attribute("source") {
        Some(source) => tree.folder.read(source, reporter, entries)?,
        None => {
            let inline = element.child("SignalDictionary").unwrap_or(element);
            entries(inline, reporter)
        }
    };
    tree.add_units(&units);
    let mut stops = std::collections::HashMap::with_capacity(entries.len());
    for entry in entries {
        let full = format!(
            "{}{}.{}",
            tree.systems[system].prefix, name.value, entry.name.value
        );
        let own = entry.name.value.clone();
        stops.insert(own, tree.stop(full, entry));
    }
    let id = tree.dictionaries.len();
    tree.dictionaries.push(stops);
    tree.systems[system]
        .dictionaries
        .insert(name.value.to_owned(), id);
    Some(())
}

fn entries(root: Element<'_>, reporter: &mut Reporter) -> (Vec<ConnectorSpec>, Vec<UnitDefinition>) {
    let units = definitions::units(root, reporter);
    let entries = root.children_named("DictionaryEntry");
    let kind = Some(ConnectorKind::Inout);
    let entries = entries.filter_map(|entry| connector::one(entry, kind, reporter));
    (entries.collect(), units)
}

/// A dictionary as an element of a system: the nearest of that name, seen from inside out.
pub(super) fn reference(
    tree: &Tree<'_>,
    system: usize,
    element: Element<'_>,
    reporter: &mut Reporter,
) -> Option<Member> {
    let wanted = element.required("dictionary", reporter)?;
    let outwards = std::iter::successors(Some(system), |&id| tree.systems[id].parent);
    let visible: Vec<_> = outwards.map(|id| &tree.systems[id].dictionaries).collect();
    let found = visible.iter().find_map(|known| known.get(wanted.value));
    if found.is_none() {
        let mut names: Vec<&str> = visible
            .iter()
            .flat_map(|d| d.keys())
            .map(String::as_str)
            .collect();
        names.sort_unstable();
        reporter
            .error(
                wanted.span,
                format!("there is no signal dictionary `{}`", wanted.value),
            )
            .advice(suggest(wanted.value, "signal dictionaries", names));
    }
    found.map(|&id| Member::Dictionary(id))
}
