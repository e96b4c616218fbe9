//! Groups and what is given in them. Reading goes on after a mistake with what was most likely meant.

use super::keywords::{Keyword, Level, Value};
use super::pieces::{Entry, Fault, Piece, Pieces};
use crate::diagnostic::{Reporter, Source, SourceId, Span, Spanned, listed, nearest};
use std::ops::Range;

/// A group, or the script as a whole.
pub(super) struct Group {
    level: Level,
    /// The word that opens it.
    pub(super) place: Span,
    values: Vec<(&'static str, Spanned<Value>)>,
    /// Everything that was given, be it right or wrong.
    given: Vec<(&'static str, Span)>,
    pub(super) groups: Vec<Group>,
}

impl Group {
    fn new(level: Level, place: Span) -> Self {
        Group {
            level,
            place,
            values: Vec::new(),
            given: Vec::new(),
            groups: Vec::new(),
        }
    }

    fn value<T>(&self, name: &str, take: impl Fn(&Value) -> Option<T>) -> Option<Spanned<T>> {
        debug_assert!(self.level.keyword(name).is_some(), "`{name}` is no keyword here");
        let (_, value) = self.values.iter().find(|(known, _)| *known == name)?;
        Some(Spanned::new(take(&value.value)?, value.span))
    }

    pub(super) fn text(&self, name: &str) -> Option<Spanned<String>> {
        self.value(name, |value| match value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        })
    }

    pub(super) fn real(&self, name: &str) -> Option<Spanned<f64>> {
        self.value(name, |value| match value {
            Value::Real(number) => Some(*number),
            _ => None,
        })
    }

    pub(super) fn order(&self, name: &str) -> Option<Spanned<i64>> {
        self.value(name, |value| match value {
            Value::Order(order) => Some(*order),
            _ => None,
        })
    }

    /// Those of the keywords that are not given at all.
    pub(super) fn lacks(&self, names: &[&'static str]) -> Vec<&'static str> {
        let given = |name: &&str| self.given.iter().any(|(known, _)| known == name);
        names.iter().copied().filter(|name| !given(name)).collect()
    }
}

/// Reads a script. Tells also whether all groups could be told apart.
pub(super) fn read(id: SourceId, reporter: &mut Reporter) -> (Group, bool) {
    // Pieces borrow the text, which the reporter owns: hence the copy.
    let text = reporter
        .source(id)
        .map(Source::text)
        .unwrap_or_default()
        .to_owned();
    let mut reading = Reading {
        id,
        text: &text,
        script: Group::new(Level::Script, Span::new(id, 0..0)),
        open: Vec::new(),
        strange: None,
        pending: None,
        complete: true,
        reporter,
    };
    for piece in Pieces::of(&text) {
        reading.take(piece);
    }
    reading.finish()
}

/// A group that nobody knows: all in it is passed over.
struct Strange {
    place: Range<usize>,
    /// How many groups are open, one in the other.
    depth: usize,
}

/// A word that a brace may follow.
struct Pending {
    word: Range<usize>,
    /// It has been reported.
    heard: bool,
}

struct Reading<'a> {
    id: SourceId,
    text: &'a str,
    script: Group,
    /// A process, and an interaction in it.
    open: Vec<Group>,
    /// A group that nobody knows.
    strange: Option<Strange>,
    pending: Option<Pending>,
    complete: bool,
    reporter: &'a mut Reporter,
}

impl<'a> Reading<'a> {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.id, range)
    }

    fn written(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    fn level(&self) -> Level {
        self.open.last().map_or(Level::Script, |group| group.level)
    }

    fn top(&mut self) -> &mut Group {
        self.open.last_mut().unwrap_or(&mut self.script)
    }

    fn take(&mut self, piece: Piece) {
        if let Piece::Open(brace) = piece {
            match self.pending.take() {
                Some(Pending { word, .. }) => self.open(word),
                None => {
                    if self.strange.is_none() {
                        let span = self.span(brace.clone());
                        self.reporter
                            .error(span, "a group without a name")
                            .advice("write `process {` or `interaction {`");
                    }
                    self.open_strange(brace);
                }
            }
            return;
        }
        self.no_brace();
        match piece {
            Piece::Open(_) => {}
            Piece::Close(brace) => self.close(brace),
            Piece::Word(word) => self.pending = Some(Pending { word, heard: false }),
            Piece::Entry(entry) if self.strange.is_none() => self.entry(entry),
            Piece::Entry(_) => {}
        }
    }

    fn open_strange(&mut self, place: Range<usize>) {
        self.complete = false;
        self.strange.get_or_insert(Strange { place, depth: 0 }).depth += 1;
    }

    /// Opens the group of that name. Groups that should have been closed before are.
    fn open(&mut self, word: Range<usize>) {
        let name = self.written(&word);
        if self.strange.is_some() {
            return self.open_strange(word);
        }
        let level = match Level::named(name) {
            Some(level) => level,
            None => {
                let names = Level::ALL.into_iter().filter_map(Level::name);
                let near = nearest(name, names.clone());
                let advice = match near {
                    Some(near) => meant(name, near),
                    None => listed("groups", names),
                };
                let span = self.span(word.clone());
                self.reporter
                    .error(span, format!("there is no group `{name}`"))
                    .label("not known")
                    .advice(advice);
                match near.and_then(Level::named) {
                    Some(level) => level,
                    None => return self.open_strange(word),
                }
            }
        };
        let place = self.span(word.clone());
        if level == Level::Interaction && self.open.is_empty() {
            self.reporter
                .error(place, "an `interaction` outside of a `process`")
                .advice("put it between the braces of the process that it belongs to");
            return self.open_strange(word);
        }
        let room = usize::from(level == Level::Interaction);
        if let Some(before) = self.open.get(room..).and_then(<[Group]>::last) {
            let (inner, opened) = (before.level.name().unwrap_or_default(), before.place);
            self.reporter
                .error(place, format!("a `}}` is missing before this `{name}`"))
                .label(format!("the `{inner}` before it is still open"))
                .related(opened, "opened here")
                .advice(format!("close the `{inner}` with `}}`"));
        }
        while self.open.len() > room {
            self.end_group();
        }
        self.open.push(Group::new(level, place));
    }

    fn end_group(&mut self) {
        if let Some(group) = self.open.pop() {
            self.top().groups.push(group);
        }
    }

    fn close(&mut self, brace: Range<usize>) {
        if let Some(strange) = &mut self.strange {
            strange.depth -= 1;
            if strange.depth == 0 {
                self.strange = None;
            }
        } else if self.open.is_empty() {
            let span = self.span(brace);
            self.complete = false;
            self.reporter
                .error(span, "a `}` too many: no group is open here")
                .advice("remove it, or add the `{` that it belongs to");
        } else {
            self.end_group();
        }
    }

    /// No brace follows the word that waited for one.
    fn no_brace(&mut self) {
        let Some(Pending { word, heard: false }) = self.pending.take() else {
            return;
        };
        if self.strange.is_some() {
            return;
        }
        let (name, span) = (self.written(&word), self.span(word.clone()));
        if Level::named(name).is_some() {
            self.reporter
                .error(span, format!("a `{{` is missing behind `{name}`"))
                .advice(format!("write `{name} {{`"));
            return self.open(word);
        }
        let Some(keyword) = self.keyword(name, span) else {
            return;
        };
        self.reporter
            .error(span, format!("`{name}` has neither `=` nor a value"))
            .advice(format!("write `{} = …`", keyword.name));
        self.note(keyword, span);
    }

    /// The keyword of that name here, or the one that was most likely meant.
    fn keyword(&mut self, name: &str, span: Span) -> Option<&'static Keyword> {
        let level = self.level();
        if let Some(keyword) = level.keyword(name) {
            return Some(keyword);
        }
        let elsewhere = Level::ALL.into_iter().find(|level| level.keyword(name).is_some());
        let names = level.keywords().iter().map(|keyword| keyword.name);
        // Nobody will see the next one, so it is not worth a search.
        let near = names.clone().filter(|_| !self.reporter.is_full());
        let near = nearest(name, near).filter(|_| elsewhere.is_none());
        let advice = match (elsewhere, near) {
            (Some(Level::Script), _) => {
                "it belongs to the beginning of the script, outside of groups".to_owned()
            }
            (Some(other), _) if other == Level::Process && level == Level::Interaction => {
                "it belongs to the process: is a `}` missing before it?".to_owned()
            }
            (Some(other), _) => format!("it belongs into {}", other.title()),
            (None, Some(near)) => meant(name, near),
            (None, None) => listed("keywords here", names),
        };
        self.reporter
            .error(span, format!("unknown keyword `{name}` in {}", level.title()))
            .label("not known here")
            .advice(advice);
        level.keyword(near?)
    }

    /// Notes that a keyword is given. Where it was before, the first one counts.
    fn note(&mut self, keyword: &'static Keyword, span: Span) {
        let given = &mut self.top().given;
        let first = given.iter().find(|(name, _)| *name == keyword.name);
        if let Some((_, first)) = first.copied() {
            self.reporter
                .error(span, format!("`{}` is given twice", keyword.name))
                .label("given again")
                .related(first, "first given here")
                .advice("keep one of the two");
            return;
        }
        given.push((keyword.name, span));
    }

    fn entry(&mut self, entry: Entry) {
        let (name, span) = (self.written(&entry.keyword), self.span(entry.keyword.clone()));
        if entry.fault == Some(Fault::NoKeyword) {
            self.reporter
                .error(span, "a keyword is missing in front of the `=`")
                .advice("write `keyword = value`");
            return;
        }
        if Level::named(name).is_some() {
            self.reporter
                .error(span, format!("`{name}` is a group, which has no value"))
                .advice(format!("write `{name} {{`, and what is in it between the braces"));
            self.pending = Some(Pending {
                word: entry.keyword,
                heard: true,
            });
            return;
        }
        let Some(keyword) = self.keyword(name, span) else {
            return;
        };
        self.note(keyword, span);
        let value = Spanned::new(self.written(&entry.value), self.span(entry.value.clone()));
        if !self.fault(&entry, name, value) {
            return;
        }
        if value.value.trim().is_empty() {
            self.reporter
                .error(span, format!("the value of `{name}` is empty"))
                .advice("put something between the quotes");
            return;
        }
        if let Some(value) = keyword.read(value, self.reporter) {
            self.top().values.push((keyword.name, value));
        }
    }

    /// Says what is odd about an entry. Can its value be used?
    fn fault(&mut self, entry: &Entry, name: &str, value: Spanned<&str>) -> bool {
        let Some(fault) = &entry.fault else {
            return true;
        };
        let quoted = || format!("write {name} = \"{}\"", value.value);
        match fault {
            Fault::NoKeyword => return false,
            Fault::NoEquals => {
                let span = self.span(entry.keyword.clone());
                self.reporter
                    .error(span, format!("a `=` is missing behind `{name}`"))
                    .advice(format!("write `{name} = {}`", value.value));
                // What stands there may be anything.
                return entry.value.len() < 100;
            }
            Fault::NoValue => {
                let span = self.span(entry.keyword.clone());
                self.reporter
                    .error(span, format!("a value is missing behind `{name} =`"))
                    .advice("write it on the same line");
                return false;
            }
            Fault::TwoEquals(at) => {
                let span = self.span(at.clone());
                self.reporter
                    .error(span, "a `=` too many")
                    .advice(format!("{}, if it belongs to the value", quoted()));
            }
            Fault::OpenQuote => {
                self.reporter
                    .error(value.span, format!("the quote behind `{name} =` is not closed"))
                    .advice("close it on the same line");
            }
            Fault::AfterQuote(rest) => {
                let span = self.span(rest.clone());
                self.reporter
                    .error(span, format!("the value of `{name}` ends before this"))
                    .label("behind the closing quote")
                    .advice("put the whole value into quotes, or comments behind a `#`");
            }
            Fault::Crowded(next) => {
                let span = self.span(next.clone());
                self.reporter
                    .error(span, "a second keyword on one line")
                    .label(format!("the value of `{name}` ends before this"))
                    .advice(
                        "put each keyword on a line of its own, and a value with a `=` in it into quotes",
                    );
            }
        }
        true
    }

    fn finish(mut self) -> (Group, bool) {
        self.no_brace();
        if let Some(strange) = self.strange.take() {
            let span = self.span(strange.place);
            self.reporter
                .error(span, "the script ends inside this group")
                .label("never closed")
                .advice("add a `}` at its end");
        }
        while let Some(group) = self.open.last() {
            let (name, place) = (group.level.name().unwrap_or_default(), group.place);
            self.complete = false;
            self.reporter
                .error(place, format!("the script ends inside this `{name}`"))
                .label("never closed")
                .advice("add a `}` at its end");
            self.end_group();
        }
        (self.script, self.complete)
    }
}

/// Advice for a word that is nearly right.
fn meant(name: &str, near: &str) -> String {
    match name.eq_ignore_ascii_case(near) {
        true => format!("write `{near}`: capital letters count"),
        false => format!("did you mean `{near}`?"),
    }
}
