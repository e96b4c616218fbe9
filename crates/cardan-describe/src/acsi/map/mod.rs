//! The map beside a script: what the processes are made from, and what it has no keyword for.

mod keys;
mod overlay;
mod template;

pub(super) use template::Template;

use super::script::{Interaction, Process, Script};
use crate::diagnostic::{Reporter, Source, Span, Spanned, listed, nearest, suggest};
use crate::spec::{ComponentSpec, Literal, SystemSpec};
use crate::toml::Reader;
use crate::toml::component::sources;
use crate::toml::fields::{Entry, Fields};
use keys::{CODE, INTERACTION, MAP, PROCESS};
use std::collections::{BTreeMap, BTreeSet};

/// A map.
pub(super) struct Map {
    /// What is said of the run as a whole.
    pub(super) settings: SystemSpec,
    codes: BTreeMap<String, Part>,
    processes: BTreeMap<String, Part>,
    /// For messages.
    file: String,
}

/// What a process is made from, as one table has it.
struct Part {
    name: Spanned<String>,
    spec: ComponentSpec,
    /// Is anything there about what it is made from, be it right or wrong?
    has_source: bool,
    ports: Ports,
    interactions: Vec<(Spanned<String>, Ports)>,
}

/// Which ports are at an interaction. None where nothing is said, nothing in it where that was wrong.
#[derive(Default)]
struct Ports {
    motion: Option<Vec<Template>>,
    force: Option<Vec<Template>>,
}

/// Which of the two kinds of ports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Motion,
    Force,
}

impl Kind {
    pub(super) fn key(self) -> &'static str {
        match self {
            Kind::Motion => "motion",
            Kind::Force => "force",
        }
    }
}

impl Ports {
    fn of(fields: &Fields<'_>, reporter: &mut Reporter) -> Self {
        let mut ports = |key| {
            let one = fields.text(key).map(|text| vec![text]);
            let texts = one.or_else(|| fields.texts(key).map(|list| list.value));
            match texts {
                Some(texts) => {
                    let templates = texts
                        .into_iter()
                        .filter_map(|text| Template::read(text, reporter));
                    Some(templates.collect())
                }
                None => fields.rejected(key).then(Vec::new),
            }
        };
        Ports {
            motion: ports("motion"),
            force: ports("force"),
        }
    }

    fn get(&self, kind: Kind) -> Option<&[Template]> {
        match kind {
            Kind::Motion => self.motion.as_deref(),
            Kind::Force => self.force.as_deref(),
        }
    }
}

impl Map {
    pub(super) fn read(source: Source, name: String, reporter: &mut Reporter) -> Map {
        let path = source.path().to_owned();
        let (reader, entries) = Reader::open(source, reporter);
        let document = Fields::check(&entries, MAP, reader.place("the map", reader.whole), reporter);
        let settings = reader.settings(&document, name, reporter);
        let start = settings.start_time();
        let mut parts = |section: &str, keys| {
            let (_, tables) = document.table(section).unwrap_or((reader.whole, &[]));
            let tables = tables.iter().filter_map(|(name, value)| match &value.value {
                Literal::Table(entries) => Some((name, value.span, entries.as_slice())),
                _ => None,
            });
            let part = |(name, span, entries): (&Spanned<String>, Span, &[Entry])| {
                let title = format!("[{section}.{}]", name.value);
                let fields = Fields::check(entries, keys, reader.place(&title, span), reporter);
                Part {
                    spec: reader.component(name, entries, &fields, start, reporter),
                    has_source: sources(entries).next().is_some(),
                    ports: Ports::of(&fields, reporter),
                    interactions: match section {
                        "processes" => interactions(reader, &title, &fields, reporter),
                        _ => Vec::new(),
                    },
                    name: name.clone(),
                }
            };
            tables
                .map(part)
                .map(|part| (part.name.value.clone(), part))
                .collect()
        };
        Map {
            codes: parts("codes", CODE),
            processes: parts("processes", PROCESS),
            settings,
            file: reporter.known_as(&path).display().to_string(),
        }
    }

    /// The tables that say something of a process, the more particular one first.
    fn parts(&self, process: &Process) -> impl Iterator<Item = &Part> {
        let own = process
            .name
            .as_ref()
            .and_then(|name| self.processes.get(&name.value));
        let general = process.code.as_ref().and_then(|code| self.codes.get(&code.value));
        own.into_iter().chain(general)
    }

    /// The component that a process becomes. What is wrong with that is reported.
    pub(super) fn component(
        &self,
        process: &Process,
        name: &Spanned<String>,
        reporter: &mut Reporter,
    ) -> ComponentSpec {
        let mut parts = self.parts(process);
        let empty = ComponentSpec::new(name.clone());
        let Some(first) = parts.next() else {
            self.say_unknown(process, reporter);
            return empty;
        };
        let second = parts.next();
        let has_source = first.has_source || second.is_some_and(|part| part.has_source);
        if !has_source && !self.settings.broken {
            let place = second.unwrap_or(first).name.span;
            reporter
                .error(
                    place,
                    format!(
                        "the map does not say what process `{}` is made from",
                        process.called()
                    ),
                )
                .advice(
                    "add one of model, fmu, process, python, octave, scilab, connect, listen: model = \"…\"",
                );
        }
        let merged = match second {
            Some(general) => overlay::over(&general.spec, &first.spec),
            None => first.spec.clone(),
        };
        ComponentSpec {
            name: name.clone(),
            ..merged
        }
    }

    fn say_unknown(&self, process: &Process, reporter: &mut Reporter) {
        let Some(code) = process.code.as_ref().filter(|_| !self.settings.broken) else {
            return;
        };
        let known = self.codes.keys().map(String::as_str);
        // Nobody will see the next one, so it is not worth a search.
        let candidates = known.clone().filter(|_| !reporter.is_full());
        let near = nearest(&code.value, candidates).map(|near| format!("did you mean `{near}`? "));
        let advice = format!(
            "{}{}; or add [codes.{}] or [processes.{}] to {}",
            near.unwrap_or_default(),
            listed("codes in the map", known),
            quoted(&code.value),
            quoted(process.called()),
            self.file
        );
        reporter
            .error(
                code.span,
                format!("the map does not know the code `{}`", code.value),
            )
            .label("not in the map")
            .advice(advice);
    }

    /// The ports of a process at an interaction: none if the map says nothing of them, nothing in the list if that was wrong.
    pub(super) fn ports(
        &self,
        process: &Process,
        interaction: &Interaction,
        kind: Kind,
    ) -> Option<&[Template]> {
        let particular = self.parts(process).find_map(|part| {
            let named = |(name, _): &&(Spanned<String>, Ports)| {
                interaction
                    .name
                    .as_ref()
                    .is_some_and(|own| own.value == name.value)
            };
            let (_, ports) = part.interactions.iter().find(named)?;
            ports.get(kind)
        });
        particular.or_else(|| self.parts(process).find_map(|part| part.ports.get(kind)))
    }

    /// Where the map speaks of a process; none if it does not.
    pub(super) fn place(&self, process: &Process) -> Option<Span> {
        self.parts(process).next().map(|part| part.name.span)
    }

    /// Says what nobody uses.
    pub(super) fn warn_of_idle(&self, script: &Script, reporter: &mut Reporter) {
        if script.broken {
            return;
        }
        let codes = Known::of(script.processes.iter().map(|process| &process.code));
        for part in self.codes.values() {
            codes.check(&part.name, "code", reporter);
        }
        let processes = Known::of(script.processes.iter().map(|process| &process.name));
        for part in self.processes.values() {
            processes.check(&part.name, "process", reporter);
        }
        for process in &script.processes {
            let name = process.name.as_ref();
            let Some(part) = name.and_then(|name| self.processes.get(&name.value)) else {
                continue;
            };
            let interactions = Known::of(process.interactions.iter().map(|interaction| &interaction.name));
            for (name, _) in &part.interactions {
                let what = format!("interaction of `{}` called", part.name.value);
                interactions.check(name, &what, reporter);
            }
        }
    }
}

/// The names that a script has for something; none if some are missing, which has been reported.
struct Known<'s>(Option<BTreeSet<&'s str>>);

impl<'s> Known<'s> {
    fn of(names: impl Iterator<Item = &'s Option<Spanned<String>>>) -> Self {
        let names = names.map(|name| name.as_ref().map(|name| name.value.as_str()));
        let names: Option<BTreeSet<&str>> = names.collect();
        Known(names.filter(|names| !names.is_empty()))
    }

    /// Warns of a name that is not among them.
    fn check(&self, name: &Spanned<String>, what: &str, reporter: &mut Reporter) {
        let Some(known) = self
            .0
            .as_ref()
            .filter(|known| !known.contains(name.value.as_str()))
        else {
            return;
        };
        let advice = match reporter.is_full() {
            true => String::new(),
            false => suggest(&name.value, "names in the script", known.iter().copied()),
        };
        reporter
            .warning(name.span, format!("the script has no {what} `{}`", name.value))
            .label("not used")
            .advice(advice);
    }
}

fn interactions(
    reader: Reader,
    title: &str,
    fields: &Fields<'_>,
    reporter: &mut Reporter,
) -> Vec<(Spanned<String>, Ports)> {
    let (_, tables) = fields.table("interactions").unwrap_or((reader.whole, &[]));
    let mut interactions = Vec::new();
    for (name, value) in tables {
        let Literal::Table(entries) = &value.value else {
            continue;
        };
        let title = format!("`interactions.{}` of {title}", name.value);
        let fields = Fields::check(entries, INTERACTION, reader.place(&title, value.span), reporter);
        interactions.push((name.clone(), Ports::of(&fields, reporter)));
    }
    interactions
}

/// A key of TOML: in quotes where it must be.
fn quoted(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    match !key.is_empty() && key.chars().all(bare) {
        true => key.to_owned(),
        false => format!("{key:?}"),
    }
}
