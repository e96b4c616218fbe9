//! Where the values of parameter sets end: at parameters and inputs of components. Values from outside count more than
//! those from inside; two of the same level must agree.

use super::flatten::Net;
use super::literal;
use super::tree::{Component, Member, Owner, Place, Tree, Value};
use crate::diagnostic::{Reporter, Spanned, suggest};
use crate::spec::{ConnectorKind, Literal};
use crate::units::Unit;
use std::collections::{HashMap, HashSet};

/// The values found so far.
#[derive(Default)]
pub(super) struct Assignments {
    entries: Vec<Assignment>,
    by_name: HashMap<(usize, String), usize>,
}

struct Assignment {
    component: usize,
    name: Spanned<String>,
    literal: Spanned<Literal>,
    level: usize,
    /// Does a mapping name it?
    mapped: bool,
}

impl Assignments {
    fn set(&mut self, new: Assignment, components: &[Component], reporter: &mut Reporter) {
        let key = (new.component, new.name.value.clone());
        let Some(&index) = self.by_name.get(&key) else {
            self.by_name.insert(key, self.entries.len());
            self.entries.push(new);
            return;
        };
        let known = &mut self.entries[index];
        if new.level < known.level {
            *known = new;
        } else if new.level == known.level && !literal::same(&new.literal.value, &known.literal.value) {
            let component = &components[new.component].spec.name.value;
            let message = format!("`{component}.{}` gets two different values", new.name.value);
            reporter
                .error(new.literal.span, message)
                .label("another value")
                .related(known.literal.span, "the first")
                .advice("keep one of them, or give one at a higher level: values from outside count more");
        }
    }

    /// Gives the components their values: inputs that are declared as such, and all others as parameters.
    pub(super) fn hand_over(self, components: &mut [Component]) {
        for assignment in self.entries {
            let component = &mut components[assignment.component];
            if assignment.mapped {
                component.spec.demanded.insert(assignment.name.value.clone());
            }
            let list = match component.kind(&assignment.name.value) {
                Some(ConnectorKind::Input) => &mut component.spec.starts,
                _ => &mut component.spec.parameters,
            };
            list.push((assignment.name, assignment.literal));
        }
    }
}

impl Tree<'_> {
    /// Finds everything that a value is for. Says no where there is nothing.
    pub(super) fn assign(
        &self,
        net: &Net,
        value: &Value,
        assignments: &mut Assignments,
        reporter: &mut Reporter,
    ) -> bool {
        let mut targets = Vec::new();
        match value.owner {
            Owner::Component(id) => targets.push((id, value.name.value.clone(), value.literal.clone())),
            Owner::System(id) => self.find(net, id, &value.name.value, value, &mut targets, reporter),
        }
        let used = !targets.is_empty() || !self.is_unknown(value);
        for (component, name, mut literal) in targets {
            self.in_declared_unit(component, &name, &mut literal.value);
            let new = Assignment {
                component,
                name: Spanned::new(name, value.name.span),
                literal,
                level: value.level,
                mapped: value.mapped,
            };
            assignments.set(new, &self.components, reporter);
        }
        used
    }

    /// All that a name means in a system: a connector, and an element with what follows the dot. A name may mean several
    /// things; they all get the value.
    fn find(
        &self,
        net: &Net,
        system: usize,
        name: &str,
        value: &Value,
        targets: &mut Vec<Target>,
        reporter: &mut Reporter,
    ) {
        let system = &self.systems[system];
        if let Some(&stop) = system.stops.get(name) {
            let mut seen = HashSet::new();
            self.spread(net, stop, &value.literal, &mut seen, targets, reporter);
        }
        for (dot, _) in name.match_indices('.') {
            let rest = &name[dot + 1..];
            match system.members.get(&name[..dot]) {
                Some(Member::Component(id)) => targets.push((*id, rest.to_owned(), value.literal.clone())),
                Some(Member::System(id)) => self.find(net, *id, rest, value, targets, reporter),
                Some(Member::Dictionary(_)) | None => {}
            }
        }
    }

    /// Hands a value on along the connections that leave a stop.
    fn spread(
        &self,
        net: &Net,
        stop: usize,
        literal: &Spanned<Literal>,
        seen: &mut HashSet<usize>,
        targets: &mut Vec<Target>,
        reporter: &mut Reporter,
    ) {
        if !seen.insert(stop) {
            return;
        }
        for &index in &net.outgoing[stop] {
            let link = &self.links[index];
            let unit = link.hop.unit.as_ref();
            let unit = unit.and_then(|unit| Unit::find(&unit.value, &self.units).ok());
            let moved = literal::along(literal, &link.hop, unit.as_ref(), reporter);
            match &link.to {
                Place::Port { component, port, .. } => targets.push((*component, port.value.clone(), moved)),
                Place::Stop { stop, .. } => self.spread(net, *stop, &moved, seen, targets, reporter),
            }
        }
    }

    /// The description may know the unit of a parameter that the component itself has no unit for.
    fn in_declared_unit(&self, component: usize, name: &str, literal: &mut Literal) {
        let component = &self.components[component];
        let connector = component.connectors.get(name);
        let connector = connector.and_then(|&index| component.spec.connectors.get(index));
        let Some(unit) = connector.and_then(|connector| connector.unit.as_ref()) else {
            return;
        };
        if let Ok(unit) = Unit::find(&unit.value, &self.units) {
            literal::convert_all(literal, &unit);
        }
    }

    /// Parameter sets may hold more than a system needs, so that only a mapping must hit; what is left over in a set is
    /// told in one go.
    pub(super) fn report_unused(&self, unused: &[&Value], reporter: &mut Reporter) {
        let (mapped, loose): (Vec<&Value>, Vec<&Value>) = unused.iter().partition(|value| value.mapped);
        for value in mapped {
            let name = &value.name.value;
            let message = format!("{} has nothing called `{name}`", self.owner_name(value.owner));
            let advice = self.names_for(value, reporter);
            reporter
                .error(value.name.span, message)
                .label("maps to nothing")
                .advice(advice);
        }
        for set in loose.chunk_by(|a, b| a.set == b.set) {
            let Some(first) = set.first() else { continue };
            let names: Vec<String> = set
                .iter()
                .take(10)
                .map(|value| format!("`{}`", value.name.value))
                .collect();
            let more = if set.len() > names.len() { ", …" } else { "" };
            let message = format!(
                "{} has nothing called {}{more}",
                self.owner_name(first.owner),
                names.join(", ")
            );
            let advice = self.names_for(first, reporter);
            reporter
                .warning(first.name.span, message)
                .label("not used")
                .advice(advice);
        }
    }

    fn names_for(&self, value: &Value, reporter: &Reporter) -> String {
        let Owner::System(id) = value.owner else {
            return String::new();
        };
        if reporter.is_full() {
            return String::new();
        }
        let system = &self.systems[id];
        let mut known: Vec<&str> = system.members.keys().map(String::as_str).collect();
        known.extend(system.stops.keys().map(String::as_str));
        known.sort_unstable();
        known.dedup();
        let name = value.name.value.as_str();
        let element = name.split_once('.').map_or(name, |(element, _)| element);
        let advice = suggest(element, "elements and connectors", known);
        format!("write element.parameter; {advice}")
    }

    /// A value whose owner has nothing of that name; a connector that leads nowhere is known all the same.
    fn is_unknown(&self, value: &Value) -> bool {
        match value.owner {
            Owner::System(id) => !self.systems[id].stops.contains_key(&value.name.value),
            Owner::Component(_) => false,
        }
    }
}

/// A component, a parameter or input of it, and its value.
type Target = (usize, String, Spanned<Literal>);
