//! `component.port`, `component.port[2]`, `component.port[1,3]`, `component.frame.qw`

use super::{Scope, plural};
use crate::diagnostic::{Reporter, Spanned, listed, nearest};
use cardan_core::graph::{Endpoint, ParticipantId};
use cardan_core::interface::{Causality, Interface, Port, PortId};
use cardan_core::value::Shape;

/// An end of a connection that was not found; it has been reported, here or where its component failed.
pub(super) struct Missing {
    /// What the user probably meant, so that it need not be reported as left open.
    pub(super) meant: Option<(ParticipantId, PortId)>,
}

impl Missing {
    const UNKNOWN: Missing = Missing { meant: None };
}

/// The component that a text begins with, and what follows the dot. Names of nested components hold dots themselves, as
/// do names of ports: the longest component counts that has what follows, else the longest.
pub(super) fn component<'a>(scope: &Scope<'_>, text: &'a str) -> Option<(ParticipantId, &'a str)> {
    let dots = text.rmatch_indices('.').map(|(at, _)| at);
    let known = |at: usize| Some((*scope.by_name.get(&text[..at])?, &text[at + 1..]));
    let mut longest = None;
    for found in dots.filter_map(known) {
        let (participant, rest) = found;
        let terminal = |i: &Interface| i.find_terminal(rest).is_some();
        if split(scope, participant, rest).is_some() || scope.interface(participant).is_some_and(terminal) {
            return Some(found);
        }
        longest = longest.or(Some(found));
    }
    longest
}

/// The direction of a port, if it is there.
pub(super) fn causality(scope: &Scope<'_>, text: &str) -> Option<Causality> {
    let (participant, rest) = component(scope, text)?;
    let interface = scope.interface(participant)?;
    let (port, _) = split(scope, participant, rest)?;
    Some(interface.ports[port.index()].causality)
}

/// The part of a text that was to name a component: up to the dot at which it is most like one.
fn meant_component<'a>(scope: &Scope<'_>, text: &'a str, reporter: &Reporter) -> Option<&'a str> {
    let mut dots = text.rmatch_indices('.').map(|(at, _)| &text[..at]);
    let near = dots.find(|name| !reporter.is_full() && scope.nearest_component(name).is_some());
    near.or_else(|| text.split_once('.').map(|(name, _)| name))
}

/// Looks up one end of a connection.
pub(super) fn find(
    scope: &Scope<'_>,
    text: &Spanned<String>,
    wanted: Causality,
    reporter: &mut Reporter,
) -> Result<Endpoint, Missing> {
    let Some((participant, rest)) = component(scope, &text.value) else {
        let Some(component) = meant_component(scope, &text.value, reporter) else {
            return Err(no_port(scope, text, wanted, reporter));
        };
        let rest = &text.value[component.len() + 1..];
        let span = reporter.within(text, 0..component.len());
        let full = reporter.is_full();
        let diagnostic = reporter
            .error(span, format!("there is no component `{component}`"))
            .label("unknown component");
        if full {
            return Err(Missing::UNKNOWN);
        }
        diagnostic.advice(scope.component_advice(component));
        let meant = scope.nearest_component(component).and_then(|name| {
            let id = *scope.by_name.get(name)?;
            Some((id, scope.interface(id)?.find_port(rest)?))
        });
        return Err(Missing { meant });
    };
    let Some(interface) = scope.interface(participant) else {
        return Err(Missing::UNKNOWN);
    };
    let (port, index) = match split(scope, participant, rest) {
        Some(found) => found,
        None => {
            return Err(unknown_port(
                scope,
                text,
                participant,
                interface,
                wanted,
                reporter,
            ));
        }
    };
    let declared = &interface.ports[port.index()];
    let endpoint = Endpoint {
        participant,
        port,
        element: None,
    };
    if declared.causality != wanted {
        wrong_direction(scope, text, endpoint, declared, wanted, reporter);
        return Err(Missing::UNKNOWN);
    }
    let Some(index) = index else {
        return Ok(endpoint);
    };
    match index.of(declared) {
        Ok(element) => Ok(Endpoint {
            element: Some(element),
            ..endpoint
        }),
        Err(objection) => {
            let span = reporter.within(text, text.value.len() - index.width()..text.value.len());
            let name = &declared.name;
            let advice = if declared.form.is_named() {
                listed(&format!("elements of `{name}`"), declared.form.names())
            } else if declared.shape.is_scalar() {
                "leave the index out".to_owned()
            } else {
                format!("`{name}` has {} elements, counted from 1", declared.shape)
            };
            reporter
                .error(span, format!("`{}`: {objection}", text.value))
                .advice(advice);
            Err(Missing {
                meant: Some((participant, port)),
            })
        }
    }
}

/// Which element of a port is meant.
#[derive(Clone, Copy)]
enum Index<'a> {
    /// The text between brackets.
    Number(&'a str),
    /// The text behind a dot.
    Name(&'a str),
}

impl Index<'_> {
    /// Its length in the text.
    fn width(self) -> usize {
        match self {
            Index::Number(text) => text.len() + 2,
            Index::Name(text) => text.len() + 1,
        }
    }

    /// The element of a port.
    fn of(self, port: &Port) -> Result<u32, String> {
        match self {
            Index::Number(text) => element(&port.shape, text),
            Index::Name(text) => {
                let place = port.form.names().position(|name| name == text);
                let place =
                    place.ok_or_else(|| format!("`{text}` is no part of {}", port.form.described()))?;
                Ok(place as u32)
            }
        }
    }
}

/// The port, and which element of it. A port that is itself called `x[1]` or `x.y` comes first.
fn split<'a>(
    scope: &Scope<'_>,
    participant: ParticipantId,
    rest: &'a str,
) -> Option<(PortId, Option<Index<'a>>)> {
    if let Some(port) = scope.find_port(participant, rest) {
        return Some((port, None));
    }
    if let Some((name, element)) = rest.rsplit_once('.')
        && let Some(port) = scope.find_port(participant, name)
        && scope.interface(participant)?.ports[port.index()].form.is_named()
    {
        return Some((port, Some(Index::Name(element))));
    }
    let (name, index) = rest.strip_suffix(']')?.rsplit_once('[')?;
    Some((scope.find_port(participant, name)?, Some(Index::Number(index))))
}

/// The number of an element, from indices counted from one.
fn element(shape: &Shape, index: &str) -> Result<u32, String> {
    if shape.is_scalar() {
        return Err("a single value has no elements".into());
    }
    let indices: Vec<&str> = index.split(',').map(str::trim).collect();
    if indices.len() != shape.dimensions().len() {
        return Err(format!(
            "expected {} indices, found {}",
            shape.dimensions().len(),
            indices.len()
        ));
    }
    let mut element = 0;
    for (index, &size) in indices.iter().zip(shape.dimensions()) {
        match index.parse::<usize>() {
            Ok(number) if (1..=size).contains(&number) => element = element * size + number - 1,
            Ok(number) => return Err(format!("the index {number} is not between 1 and {size}")),
            Err(_) => return Err(format!("`{index}` is not an index")),
        }
    }
    u32::try_from(element).map_err(|_| "the index is too large".into())
}

fn no_port(scope: &Scope<'_>, text: &Spanned<String>, wanted: Causality, reporter: &mut Reporter) -> Missing {
    let known = scope.by_name.get(text.value.as_str());
    let advice = match known.and_then(|&id| scope.interface(id)) {
        Some(interface) => format!("write component.port; {}", ports(interface, &text.value, wanted)),
        None => "write component.port".to_owned(),
    };
    reporter
        .error(text.span, format!("`{}` does not name a port", text.value))
        .advice(advice);
    Missing::UNKNOWN
}

fn unknown_port(
    scope: &Scope<'_>,
    text: &Spanned<String>,
    participant: ParticipantId,
    interface: &Interface,
    wanted: Causality,
    reporter: &mut Reporter,
) -> Missing {
    let component = scope.name(participant);
    let start = component.len() + 1;
    let rest = &text.value[start..];
    let name = rest.split_once('[').map_or(rest, |(name, _)| name);
    // A port of the right direction is the better guess, if only a little.
    let of = |causality| nearest(name, interface.ports_of(causality).map(|(_, p)| p.name.as_str()));
    let guess = of(wanted).or_else(|| nearest(name, interface.ports.iter().map(|p| p.name.as_str())));
    let advice = match guess {
        Some(known) => format!("did you mean `{component}.{known}`?"),
        None => ports(interface, component, wanted),
    };
    let span = reporter.within(text, start..start + name.len());
    reporter
        .error(span, format!("component `{component}` has no port `{name}`"))
        .label("no such port")
        .advice(advice);
    let meant = guess.and_then(|name| interface.find_port(name));
    Missing {
        meant: meant.map(|port| (participant, port)),
    }
}

fn wrong_direction(
    scope: &Scope<'_>,
    text: &Spanned<String>,
    endpoint: Endpoint,
    port: &Port,
    wanted: Causality,
    reporter: &mut Reporter,
) {
    let name = scope.name_of(endpoint);
    let (key, needs) = match wanted {
        Causality::Output => ("from", "an output"),
        _ => ("to", "an input"),
    };
    let message = match port.causality {
        Causality::Local => format!("`{name}` is a local variable: it can be recorded but not connected"),
        Causality::Input => format!("`{name}` is an input, `{key}` needs {needs}"),
        Causality::Output => format!("`{name}` is an output, `{key}` needs {needs}"),
    };
    let component = scope.name(endpoint.participant);
    let advice = scope
        .interface(endpoint.participant)
        .map(|i| ports(i, component, wanted));
    reporter
        .error(text.span, message)
        .label(format!("not {needs}"))
        .advice_if(advice);
}

fn ports(interface: &Interface, component: &str, wanted: Causality) -> String {
    let names = interface.ports_of(wanted).map(|(_, p)| p.name.as_str());
    listed(&format!("{} of `{component}`", plural(wanted)), names)
}
