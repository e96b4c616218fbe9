//! What a script says, before anybody has looked who is connected to whom.

use super::group::Group;
use crate::diagnostic::{Reporter, Span, Spanned};
use std::collections::HashMap;

pub(super) struct Script {
    pub(super) options: Options,
    pub(super) processes: Vec<Process>,
    /// Groups could not be told apart, so that nothing should be called missing.
    pub(super) broken: bool,
}

/// How signals are read, and how wrong they may be.
pub(super) struct Options {
    pub(super) motion: Rule,
    pub(super) force: Rule,
    pub(super) absolute: Option<Spanned<f64>>,
    pub(super) relative: Option<Spanned<f64>>,
}

/// The rule for reading one kind of signals.
pub(super) struct Rule {
    pub(super) order: Option<Spanned<i64>>,
    pub(super) weight: Option<Spanned<f64>>,
}

pub(super) struct Process {
    pub(super) name: Option<Spanned<String>>,
    pub(super) id: Option<Spanned<String>>,
    pub(super) code: Option<Spanned<String>>,
    pub(super) address: Option<Spanned<String>>,
    pub(super) interactions: Vec<Interaction>,
    pub(super) place: Span,
}

pub(super) struct Interaction {
    pub(super) name: Option<Spanned<String>>,
    /// Who is at the other end.
    pub(super) connection: Option<Spanned<String>>,
    pub(super) gforce_id: Option<Spanned<String>>,
    pub(super) node_id: Option<Spanned<String>>,
    pub(super) geometry_name: Option<Spanned<String>>,
}

impl Process {
    /// Its name, or what else there is to call it by.
    pub(super) fn called(&self) -> &str {
        let name = self.name.as_ref().or(self.id.as_ref());
        name.map_or("?", |name| name.value.as_str())
    }
}

impl Script {
    pub(super) fn of(script: &Group, complete: bool, reporter: &mut Reporter) -> Script {
        let rule = |order: &'static str, weight| {
            let chosen = script.order(order);
            // A weight is not idle because its order is wrong.
            let is_clear = chosen.is_some() || !script.lacks(&[order]).is_empty();
            Rule {
                order: chosen,
                weight: script.real(weight).filter(|_| is_clear),
            }
        };
        let options = Options {
            motion: rule("interpolate_order_u", "linear_weight_u"),
            force: rule("interpolate_order_f", "linear_weight_f"),
            absolute: script.real("force_absolute_error"),
            relative: script.real("force_relative_error"),
        };
        let broken = !complete;
        let groups = script.groups.iter();
        let processes: Vec<_> = groups.map(|group| process(group, broken, reporter)).collect();
        if processes.is_empty() && !broken {
            reporter
                .error(script.place, "there is no `process`")
                .advice("name who takes part: process { … }, with id, name, code and interactions in it");
        }
        check_unique("the id", processes.iter().map(|p| &p.id), reporter);
        check_unique("the process name", processes.iter().map(|p| &p.name), reporter);
        Script {
            options,
            processes,
            broken,
        }
    }
}

fn process(group: &Group, broken: bool, reporter: &mut Reporter) -> Process {
    let process = Process {
        name: group.text("name"),
        id: group.text("id"),
        code: group.text("code"),
        address: group.text("ip_address"),
        interactions: group
            .groups
            .iter()
            .map(|group| interaction(group, broken, reporter))
            .collect(),
        place: group.place,
    };
    if !broken {
        let who = who("process", &process.name);
        say_lacking(&who, group, &["id", "name", "code"], reporter);
        if process.interactions.is_empty() {
            reporter
                .error(group.place, format!("{who} has no `interaction`"))
                .advice("nothing connects it to the others: add interaction { … }, with name and connection in it");
        }
    }
    check_unique(
        "the interaction name",
        process.interactions.iter().map(|i| &i.name),
        reporter,
    );
    process
}

fn interaction(group: &Group, broken: bool, reporter: &mut Reporter) -> Interaction {
    let interaction = Interaction {
        name: group.text("name"),
        connection: group.text("connection"),
        gforce_id: group.text("gforce_id"),
        node_id: group.text("node_id"),
        geometry_name: group.text("geometry_name"),
    };
    if !broken {
        let who = who("interaction", &interaction.name);
        say_lacking(&who, group, &["name", "connection"], reporter);
    }
    check_place(&interaction, reporter);
    interaction
}

fn check_place(interaction: &Interaction, reporter: &mut Reporter) {
    let places = [
        ("gforce_id", &interaction.gforce_id),
        ("node_id", &interaction.node_id),
        ("geometry_name", &interaction.geometry_name),
    ];
    let mut places = places
        .into_iter()
        .filter_map(|(keyword, place)| Some((keyword, place.as_ref()?.span)));
    if let Some((first, place)) = places.next() {
        for (second, span) in places {
            reporter
                .error(
                    span,
                    format!("an interaction is at one place: `{first}` or `{second}`"),
                )
                .related(place, format!("`{first}` here"))
                .advice("keep the one that belongs to the code of the process");
        }
    }
}

/// A group by its name, if it has one.
fn who(what: &str, name: &Option<Spanned<String>>) -> String {
    match name {
        Some(name) => format!("{what} `{}`", name.value),
        None => format!("this `{what}`"),
    }
}

fn say_lacking(who: &str, group: &Group, wanted: &[&'static str], reporter: &mut Reporter) {
    let lacking = group.lacks(wanted);
    if lacking.is_empty() {
        return;
    }
    let names: Vec<String> = lacking.iter().map(|name| format!("`{name}`")).collect();
    let lines: Vec<String> = lacking.iter().map(|name| format!("`{name} = …`")).collect();
    reporter
        .error(group.place, format!("{who} lacks {}", names.join(", ")))
        .advice(format!("add {}", lines.join(", ")));
}

fn check_unique<'a>(
    what: &str,
    names: impl Iterator<Item = &'a Option<Spanned<String>>>,
    reporter: &mut Reporter,
) {
    let mut seen: HashMap<&str, Span> = HashMap::new();
    for name in names.flatten() {
        match seen.get(name.value.as_str()) {
            Some(first) => {
                reporter
                    .error(name.span, format!("{what} `{}` is taken", name.value))
                    .label("given again")
                    .related(*first, "first given here")
                    .advice("choose another one");
            }
            None => {
                seen.insert(&name.value, name.span);
            }
        }
    }
}
