//! `<Connection>`: which end drives the other follows from their kinds, not from the words start and end.

use super::transformation;
use super::tree::{Link, Member, Place, Tree};
use crate::diagnostic::{Reporter, Severity, Spanned, suggest};
use crate::spec::{ConnectorKind, Hop};
use crate::xml::Element;

/// What an end does with data, as seen from inside the system that holds the connection.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Gives,
    Takes,
}

/// An end that was found.
struct End {
    place: Place,
    role: Option<Role>,
    kind: Option<ConnectorKind>,
}

impl Tree<'_> {
    pub(super) fn connection(&mut self, system: usize, element: Element<'_>, reporter: &mut Reporter) {
        let start = self.end(
            system,
            element,
            ["startElement", "startConnector", "startIndices"],
            reporter,
        );
        let end = self.end(
            system,
            element,
            ["endElement", "endConnector", "endIndices"],
            reporter,
        );
        let transformation = transformation::inside(element, reporter);
        let keeps_number = element
            .boolean("suppressUnitConversion", Severity::Error, reporter)
            .is_some_and(|flag| flag.value);
        let (Some(start), Some(end)) = (start, end) else {
            // What it drives would be called open.
            self.broken = true;
            return;
        };
        let undirected = start.role.is_none() && end.role.is_none();
        let (from, to) = match (start.role, end.role) {
            (Some(Role::Takes), Some(Role::Gives) | None) | (None, Some(Role::Gives)) => (end, start),
            (Some(one), Some(other)) if one == other => {
                same_role(&start, &end, one, reporter);
                return;
            }
            _ => (start, end),
        };
        let (unit, value_type) = match &to.place {
            Place::Stop { stop, .. } => (self.stops[*stop].unit.clone(), self.stops[*stop].value_type),
            Place::Port { .. } => (None, None),
        };
        let parameter = [from.kind, to.kind].contains(&Some(ConnectorKind::Parameter));
        self.links.push(Link {
            from: from.place,
            to: to.place,
            hop: Hop {
                unit,
                value_type,
                keeps_number,
                transformation,
            },
            undirected,
            parameter,
        });
    }

    fn end(
        &mut self,
        system: usize,
        element: Element<'_>,
        [of, connector, indices]: [&str; 3],
        reporter: &mut Reporter,
    ) -> Option<End> {
        let name = element.required(connector, reporter)?;
        let suffix = index_suffix(element, indices, reporter)?;
        let owner = element.attribute(of).filter(|owner| !owner.value.is_empty());
        let Some(owner) = owner else {
            let stop = self.stop_of(&self.systems[system].stops, name, "this system", reporter)?;
            // Seen from inside, an input of the system gives.
            return self.through(stop, name, suffix, true, reporter);
        };
        match self.systems[system].members.get(owner.value).copied() {
            Some(Member::Component(component)) => {
                let kind = self.components[component].kind(name.value);
                Some(End {
                    place: Place::Port {
                        component,
                        port: name.map(|name| format!("{name}{suffix}")),
                        kind,
                    },
                    role: kind.and_then(|kind| role(kind, false)),
                    kind,
                })
            }
            Some(Member::System(inner)) => {
                let whose = format!("system `{}`", owner.value);
                let stop = self.stop_of(&self.systems[inner].stops, name, &whose, reporter)?;
                self.through(stop, name, suffix, false, reporter)
            }
            Some(Member::Dictionary(dictionary)) => {
                let whose = format!("the dictionary of `{}`", owner.value);
                let stop = self.stop_of(&self.dictionaries[dictionary], name, &whose, reporter)?;
                self.through(stop, name, suffix, false, reporter)
            }
            None => {
                let known = self.systems[system].members.keys();
                let advice = advice(owner.value, "elements", known, reporter);
                reporter
                    .error(owner.span, format!("there is no element `{}`", owner.value))
                    .label("not in this system")
                    .advice(advice);
                None
            }
        }
    }

    fn stop_of(
        &self,
        stops: &std::collections::HashMap<String, usize>,
        name: Spanned<&str>,
        whose: &str,
        reporter: &mut Reporter,
    ) -> Option<usize> {
        let found = stops.get(name.value);
        if found.is_none() {
            let what = format!("connectors of {whose}");
            let advice = advice(name.value, &what, stops.keys(), reporter);
            reporter
                .error(name.span, format!("{whose} has no connector `{}`", name.value))
                .label("no such connector")
                .advice(advice);
        }
        found.copied()
    }

    fn through(
        &self,
        stop: usize,
        name: Spanned<&str>,
        suffix: String,
        inside: bool,
        reporter: &mut Reporter,
    ) -> Option<End> {
        if !suffix.is_empty() {
            reporter
                .error(
                    name.span,
                    "single elements of a system's connector are not supported",
                )
                .advice("connect the elements of the component inside");
            return None;
        }
        let kind = self.stops[stop].kind;
        Some(End {
            place: Place::Stop {
                stop,
                span: name.span,
            },
            role: role(kind, inside),
            kind: Some(kind),
        })
    }
}

/// The nearest name; nothing where nobody would read it.
fn advice<'a>(
    name: &str,
    what: &str,
    known: impl Iterator<Item = &'a String>,
    reporter: &Reporter,
) -> String {
    if reporter.is_full() {
        return String::new();
    }
    let mut known: Vec<&str> = known.map(String::as_str).collect();
    known.sort_unstable();
    suggest(name, what, known)
}

/// Connectors of the enclosing system are seen from behind.
fn role(kind: ConnectorKind, inside: bool) -> Option<Role> {
    let takes = match kind {
        ConnectorKind::Input | ConnectorKind::Parameter => true,
        ConnectorKind::Output | ConnectorKind::CalculatedParameter | ConnectorKind::Local => false,
        ConnectorKind::Inout => return None,
    };
    Some(if takes != inside { Role::Takes } else { Role::Gives })
}

fn same_role(start: &End, end: &End, role: Role, reporter: &mut Reporter) {
    let message = match role {
        Role::Gives => "both ends of the connection give a value, none takes it",
        Role::Takes => "both ends of the connection take a value, none gives it",
    };
    let what = match role {
        Role::Gives => "gives a value",
        Role::Takes => "takes a value",
    };
    reporter
        .error(end.place.span(), message)
        .label(what)
        .related(start.place.span(), what)
        .advice("connect an output with an input; seen from inside, an input of the system gives");
}

/// `[1,2]` from `startIndices="1 2"`; nothing if all elements are meant. Counted from one.
fn index_suffix(element: Element<'_>, name: &str, reporter: &mut Reporter) -> Option<String> {
    let Some(written) = element.attribute(name) else {
        return Some(String::new());
    };
    let words: Vec<&str> = written.value.split_whitespace().collect();
    if words.iter().any(|word| word.parse::<u32>().is_err()) {
        reporter
            .error(
                written.span,
                format!("`{name}` must be whole numbers, found `{}`", written.value),
            )
            .advice("write the indices with spaces between, counted from 1");
        return None;
    }
    Some(if words.is_empty() {
        String::new()
    } else {
        format!("[{}]", words.join(","))
    })
}
