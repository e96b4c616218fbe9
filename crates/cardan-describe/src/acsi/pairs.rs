//! Who is connected to whom: each interaction names its partner, and its partner must name it.

use super::script::{Interaction, Process, Script};
use crate::diagnostic::{Reporter, Spanned, listed, suggest};
use std::collections::HashMap;

/// An interaction: of which process, and which one there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct End {
    pub(super) process: usize,
    pub(super) interaction: usize,
}

impl Script {
    pub(super) fn process(&self, end: End) -> Option<&Process> {
        self.processes.get(end.process)
    }

    pub(super) fn interaction(&self, end: End) -> Option<&Interaction> {
        self.process(end)?.interactions.get(end.interaction)
    }

    /// `process.interaction`, for people.
    fn name_of(&self, end: End) -> String {
        let process = self.process(end).map_or("?", Process::called);
        let name = self.interaction(end).and_then(|i| i.name.as_ref());
        format!("{process}.{}", name.map_or("?", |name| name.value.as_str()))
    }

    fn ends(&self) -> impl Iterator<Item = (End, &Interaction)> {
        let processes = self.processes.iter().enumerate();
        processes.flat_map(|(process, described)| {
            let interactions = described.interactions.iter().enumerate();
            interactions.map(move |(interaction, described)| (End { process, interaction }, described))
        })
    }
}

/// The pairs of interactions, in the order of the script.
pub(super) fn find(script: &Script, reporter: &mut Reporter) -> Vec<(End, End)> {
    let book = Book::of(script);
    let mut partners: HashMap<End, Option<End>> = HashMap::new();
    for (end, interaction) in script.ends() {
        let partner = interaction
            .connection
            .as_ref()
            .and_then(|connection| book.partner(end, connection, reporter));
        partners.insert(end, partner);
    }
    let mut pairs = Vec::new();
    for (end, interaction) in script.ends() {
        let (Some(Some(partner)), Some(connection)) = (partners.get(&end), &interaction.connection) else {
            continue;
        };
        match partners.get(partner) {
            // Each pair is met twice.
            Some(Some(back)) if *back == end => pairs.extend((end < *partner).then_some((end, *partner))),
            Some(Some(other)) => {
                let message = format!(
                    "`{}` is connected to `{}`, but that one to `{}`",
                    script.name_of(end),
                    script.name_of(*partner),
                    script.name_of(*other)
                );
                let diagnostic = reporter.error(connection.span, message);
                diagnostic.advice("two interactions that belong together name each other");
                let back = script.interaction(*partner).and_then(|i| i.connection.as_ref());
                if let Some(back) = back {
                    diagnostic.related(back.span, "its own connection");
                }
            }
            // What is wrong with the partner's connection has been said.
            _ => {}
        }
    }
    pairs
}

/// Where to find interactions by name.
struct Book<'s> {
    script: &'s Script,
    interactions: HashMap<&'s str, Vec<End>>,
    by_name: HashMap<&'s str, usize>,
    by_id: HashMap<&'s str, usize>,
}

impl<'s> Book<'s> {
    fn of(script: &'s Script) -> Self {
        let mut book = Book {
            script,
            interactions: HashMap::new(),
            by_name: HashMap::new(),
            by_id: HashMap::new(),
        };
        for (index, process) in script.processes.iter().enumerate() {
            // The first of two that have the same name counts, as in what was said about them.
            if let Some(name) = &process.name {
                book.by_name.entry(&name.value).or_insert(index);
            }
            if let Some(id) = &process.id {
                book.by_id.entry(&id.value).or_insert(index);
            }
        }
        for (end, interaction) in script.ends() {
            if let Some(name) = &interaction.name {
                book.interactions.entry(&name.value).or_default().push(end);
            }
        }
        book
    }

    /// What `connection` of an interaction stands for: an interaction of that name in another process, or `process.interaction`.
    fn partner(&self, end: End, connection: &Spanned<String>, reporter: &mut Reporter) -> Option<End> {
        let text = connection.value.as_str();
        let named = self.interactions.get(text).map(Vec::as_slice).unwrap_or_default();
        let others: Vec<End> = named
            .iter()
            .copied()
            .filter(|other| other.process != end.process)
            .collect();
        let found = match others.as_slice() {
            [only] => Some(*only),
            [] => self.of_process(text).or_else(|| named.first().copied()),
            several => {
                let names: Vec<String> = several.iter().map(|end| self.script.name_of(*end)).collect();
                reporter
                    .error(
                        connection.span,
                        format!("several interactions are called `{text}`"),
                    )
                    .advice(format!(
                        "name the process too; {}",
                        listed("they are", names.iter().map(String::as_str))
                    ));
                return None;
            }
        };
        let Some(found) = found else {
            // It may be in a group that could not be read.
            if !self.script.broken {
                self.unknown(end, connection, reporter);
            }
            return None;
        };
        if found.process == end.process {
            let what = match found == end {
                true => "itself".to_owned(),
                false => format!("`{}` of its own process", self.script.name_of(found)),
            };
            reporter
                .error(
                    connection.span,
                    format!("`{}` is connected to {what}", self.script.name_of(end)),
                )
                .advice("name an interaction of another process");
            return None;
        }
        Some(found)
    }

    /// The process in `process.interaction`, by its name or id, and what follows. Both names may hold dots.
    fn split<'t>(&self, text: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
        let dots = text
            .match_indices('.')
            .map(|(at, _)| (&text[..at], &text[at + 1..]));
        dots.filter_map(|(process, rest)| {
            let index = self.by_name.get(process).or_else(|| self.by_id.get(process))?;
            Some((*index, rest))
        })
    }

    fn of_process(&self, text: &str) -> Option<End> {
        self.split(text).find_map(|(process, rest)| {
            let ends = self.interactions.get(rest)?;
            ends.iter().copied().find(|end| end.process == process)
        })
    }

    fn unknown(&self, end: End, connection: &Spanned<String>, reporter: &mut Reporter) {
        let text = connection.value.as_str();
        let message = format!(
            "`{}` is connected to `{text}`, which is not there",
            self.script.name_of(end)
        );
        let full = reporter.is_full();
        let diagnostic = reporter
            .error(connection.span, message)
            .label("no such interaction");
        if full {
            return;
        }
        let known = self.split(text).next();
        let names: Vec<String> = match known {
            Some((process, _)) => {
                let own = |(other, _): &(End, &Interaction)| other.process == process;
                let ends = self.script.ends().filter(own);
                ends.map(|(other, _)| self.script.name_of(other)).collect()
            }
            None => {
                let others = self
                    .script
                    .ends()
                    .filter(|(other, _)| other.process != end.process);
                let bare = |i: &Interaction| i.name.as_ref().map(|name| name.value.clone());
                match text.contains('.') {
                    true => others.map(|(other, _)| self.script.name_of(other)).collect(),
                    false => others.filter_map(|(_, i)| bare(i)).collect(),
                }
            }
        };
        let names = names.iter().map(String::as_str);
        diagnostic.advice(suggest(text, "interactions of other processes", names));
    }
}
