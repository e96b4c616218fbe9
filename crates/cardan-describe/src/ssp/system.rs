//! `<System>` and what is in it.

use super::tree::{Member, Owner, System, Tree};
use super::{component, connector, dictionary, known};
use crate::diagnostic::{Reporter, Spanned};
use crate::xml::Element;
use std::collections::HashMap;

/// Deeper nests are made by machines that went wrong.
const MAX_DEPTH: usize = 100;

impl Tree<'_> {
    /// The outermost system; its own name is not part of any other.
    pub(super) fn root(&mut self, element: Element<'_>, reporter: &mut Reporter) {
        self.root_span = Some(element.span());
        self.system(element, None, String::new(), reporter);
    }

    fn system(
        &mut self,
        element: Element<'_>,
        parent: Option<usize>,
        prefix: String,
        reporter: &mut Reporter,
    ) -> usize {
        let level = parent.map_or(0, |parent| self.systems[parent].level + 1);
        let id = self.systems.len();
        self.systems.push(System {
            prefix,
            parent,
            level,
            stops: HashMap::new(),
            members: HashMap::new(),
            dictionaries: HashMap::new(),
        });
        known::children(element, &known::SYSTEM, reporter);
        self.connectors(id, element, reporter);
        dictionary::define(self, id, element, reporter);
        for list in element.children_named("Elements") {
            for member in list.children() {
                self.member(id, member, reporter);
            }
        }
        self.bindings(Owner::System(id), level, element, reporter);
        for list in element.children_named("Connections") {
            for connection in list.children_named("Connection") {
                self.connection(id, connection, reporter);
            }
        }
        id
    }

    fn connectors(&mut self, system: usize, element: Element<'_>, reporter: &mut Reporter) {
        for connector in connector::connectors(element, reporter) {
            let name = format!("{}{}", self.systems[system].prefix, connector.name.value);
            let own = connector.name.clone();
            let stop = self.stop(name, connector);
            let stops = &mut self.systems[system].stops;
            if stops.insert(own.value.clone(), stop).is_some() {
                reporter
                    .error(
                        own.span,
                        format!("there are two connectors called `{}`", own.value),
                    )
                    .advice("give every connector of a system a name of its own");
            }
        }
    }

    fn member(&mut self, system: usize, element: Element<'_>, reporter: &mut Reporter) {
        let kind = element.name();
        if !matches!(kind, "Component" | "System" | "SignalDictionaryReference") {
            reporter
                .error(element.span(), format!("<{kind}> is not an element of a system"))
                .advice("<Component>, <System> and <SignalDictionaryReference> are");
            return;
        }
        let Some(name) = element.required("name", reporter) else {
            self.broken = true;
            return;
        };
        let name: Spanned<String> = name.map(str::to_owned);
        if !self.name(system, &name, reporter) {
            self.broken = true;
            return;
        }
        let member = match kind {
            "Component" => Some(component::read(self, system, name.clone(), element, reporter)),
            "System" => self.nested(system, &name, element, reporter),
            _ => dictionary::reference(self, system, element, reporter),
        };
        match member {
            Some(member) => {
                self.systems[system].members.insert(name.value, member);
            }
            None => self.broken = true,
        }
    }

    fn nested(
        &mut self,
        system: usize,
        name: &Spanned<String>,
        element: Element<'_>,
        reporter: &mut Reporter,
    ) -> Option<Member> {
        if self.systems[system].level >= MAX_DEPTH {
            reporter
                .error(
                    name.span,
                    format!("systems are nested more than {MAX_DEPTH} deep"),
                )
                .advice("is this the right file?");
            return None;
        }
        let prefix = format!("{}{}.", self.systems[system].prefix, name.value);
        Some(Member::System(self.system(
            element,
            Some(system),
            prefix,
            reporter,
        )))
    }
}
