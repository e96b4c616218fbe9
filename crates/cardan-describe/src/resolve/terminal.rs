//! Connections of terminals: every member to its partner of the same name.

use super::Scope;
use super::connections::Ends;
use super::endpoint;
use crate::diagnostic::{Reporter, Spanned, listed};
use crate::spec::ConnectionSpec;
use cardan_core::graph::{Endpoint, ParticipantId};
use cardan_core::interface::{Causality, PortId, Terminal};

/// A terminal of a component.
#[derive(Clone, Copy)]
struct Found<'a> {
    participant: ParticipantId,
    terminal: &'a Terminal,
}

impl Found<'_> {
    fn end(self, port: PortId) -> Endpoint {
        Endpoint {
            participant: self.participant,
            port,
            element: None,
        }
    }
}

fn find<'s>(scope: &'s Scope<'_>, text: &Option<Spanned<String>>) -> Option<Found<'s>> {
    let text = &text.as_ref()?.value;
    let (participant, rest) = endpoint::component(scope, text)?;
    let interface = scope.interface(participant)?;
    if interface.terminals.is_empty() || scope.find_port(participant, rest).is_some() {
        return None;
    }
    Some(Found {
        participant,
        terminal: interface.find_terminal(rest)?,
    })
}

/// The single connections of a connection between terminals, each from an output to an input; none if it is not one.
pub(super) fn connections(
    scope: &Scope<'_>,
    spec: &ConnectionSpec,
    reporter: &mut Reporter,
) -> Option<Vec<(Endpoint, Endpoint, Ends)>> {
    let (a, b) = match (find(scope, &spec.from), find(scope, &spec.to)) {
        (Some(a), Some(b)) => (a, b),
        (None, None) => return None,
        (Some(_), None) => {
            half(scope, spec.from.as_ref()?, spec.to.as_ref(), reporter);
            return Some(Vec::new());
        }
        (None, Some(_)) => {
            half(scope, spec.to.as_ref()?, spec.from.as_ref(), reporter);
            return Some(Vec::new());
        }
    };
    let (from, to) = (spec.from.as_ref()?, spec.to.as_ref()?);
    let mut pairs = Vec::new();
    for (member, port) in &a.terminal.members {
        let Some((_, partner)) = b.terminal.members.iter().find(|(name, _)| name == member) else {
            lacks(from, to, b.terminal, member, reporter);
            continue;
        };
        let (one, other) = (a.end(*port), b.end(*partner));
        let causality = |end| scope.port(end).map(|port| port.causality);
        let forth = Ends {
            from: scope.name_of(one),
            to: scope.name_of(other),
            from_span: from.span,
            to_span: to.span,
        };
        match (causality(one)?, causality(other)?) {
            (Causality::Output, Causality::Input) => pairs.push((one, other, forth)),
            (Causality::Input, Causality::Output) => pairs.push((other, one, forth.reversed())),
            (first, second) => {
                reporter
                    .error(
                        to.span,
                        format!(
                            "`{}` and `{}` cannot be connected: one must be an output, the other an input",
                            forth.from, forth.to
                        ),
                    )
                    .label(format!("{second:?}").to_lowercase())
                    .related(from.span, format!("{first:?}").to_lowercase());
            }
        }
    }
    for (member, _) in &b.terminal.members {
        if !a.terminal.members.iter().any(|(name, _)| name == member) {
            lacks(to, from, a.terminal, member, reporter);
        }
    }
    Some(pairs)
}

fn lacks(
    has: &Spanned<String>,
    lacks: &Spanned<String>,
    terminal: &Terminal,
    member: &str,
    reporter: &mut Reporter,
) {
    let members = terminal.members.iter().map(|(name, _)| name.as_str());
    let advice = listed(&format!("members of `{}`", lacks.value), members);
    reporter
        .error(
            lacks.span,
            format!("the terminal `{}` has no member `{member}`", lacks.value),
        )
        .related(has.span, format!("has `{member}`"))
        .advice(advice);
}

/// One end is a terminal, the other is not.
fn half(
    scope: &Scope<'_>,
    terminal: &Spanned<String>,
    other: Option<&Spanned<String>>,
    reporter: &mut Reporter,
) {
    let Some(other) = other else { return };
    let Some((participant, _)) = endpoint::component(scope, &other.value) else {
        // The other end is wrong by itself.
        let _ = endpoint::find(scope, other, Causality::Input, reporter);
        return;
    };
    let Some(interface) = scope.interface(participant) else {
        return;
    };
    let names = interface.terminals.iter().map(|terminal| terminal.name.as_str());
    let advice = listed(&format!("terminals of `{}`", scope.name(participant)), names);
    reporter
        .error(
            other.span,
            format!(
                "`{}` is a terminal, `{}` is not: connect terminals with terminals",
                terminal.value, other.value
            ),
        )
        .related(terminal.span, "a terminal")
        .advice(advice);
}
