//! A table checked against its keys: what is unknown, missing or of the wrong kind is reported here, once and for all
//! sections, and what remains can be taken without further questions.

use super::fit::fits;
use super::keys::Key;
use super::size;
use crate::diagnostic::{Reporter, Span, Spanned, suggest};
use crate::spec::Literal;

/// A key and its value.
pub(crate) type Entry = (Spanned<String>, Spanned<Literal>);

/// A table and where it stands.
pub(crate) type Table<'a> = (Span, &'a [Entry]);

/// The entries of a table that are what they should be.
pub(crate) struct Fields<'a> {
    keys: &'static [Key],
    entries: Vec<(&'static str, &'a Spanned<Literal>)>,
    rejected: Vec<&'static str>,
}

/// Where a table stands in the text, for messages.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// Its name for people, such as "[method]".
    pub(crate) title: &'a str,
    /// Where missing keys are reported.
    pub(crate) span: Span,
    /// Parts of the text could not be read, so that nothing is called missing.
    pub(crate) broken: bool,
}

impl<'a> Fields<'a> {
    pub(crate) fn check(
        table: &'a [Entry],
        keys: &'static [Key],
        place: Place<'_>,
        reporter: &mut Reporter,
    ) -> Self {
        let mut entries = Vec::with_capacity(table.len());
        let mut rejected = Vec::new();
        for (name, value) in table {
            match keys.iter().find(|key| key.name == name.value) {
                Some(key) if fits(key, value, reporter) => entries.push((key.name, value)),
                Some(key) => rejected.push(key.name),
                None => unknown_key(name, keys, place.title, reporter),
            }
        }
        for key in keys.iter().filter(|key| key.required && !place.broken) {
            // A value of the wrong kind has been reported and is not missing.
            if !table.iter().any(|(name, _)| name.value == key.name) {
                reporter
                    .error(place.span, format!("{} lacks `{}`", place.title, key.name))
                    .advice(format!("add `{}`: {}", key.name, key.about));
            }
        }
        Fields {
            keys,
            entries,
            rejected,
        }
    }

    /// Was there a value behind a key, but a wrong one?
    pub(crate) fn rejected(&self, name: &str) -> bool {
        self.rejected.contains(&name)
    }

    fn entry(&self, name: &str) -> Option<&'a Spanned<Literal>> {
        debug_assert!(
            self.keys.iter().any(|key| key.name == name),
            "`{name}` is not in the table of keys"
        );
        self.entries
            .iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| *value)
    }

    fn take<T>(&self, name: &str, convert: impl FnOnce(&'a Literal) -> Option<T>) -> Option<Spanned<T>> {
        let literal = self.entry(name)?;
        Some(Spanned::new(convert(&literal.value)?, literal.span))
    }

    /// The value behind a key, whatever it is.
    pub(crate) fn literal(&self, name: &str) -> Option<&'a Spanned<Literal>> {
        self.entry(name)
    }

    pub(crate) fn number(&self, name: &str) -> Option<Spanned<f64>> {
        self.take(name, Literal::number)
    }

    pub(crate) fn vector(&self, name: &str) -> Option<Spanned<[f64; 3]>> {
        self.take(name, Literal::vector)
    }

    /// A list of numbers, or one by itself.
    pub(crate) fn numbers(&self, name: &str) -> Option<Spanned<Vec<f64>>> {
        self.take(name, |literal| match literal {
            Literal::Array(items) => items.iter().map(|item| item.value.number()).collect(),
            single => single.number().map(|number| vec![number]),
        })
    }

    /// Is there anything behind a key, right or wrong?
    pub(crate) fn given(&self, name: &str) -> bool {
        self.entry(name).is_some() || self.rejected(name)
    }

    pub(crate) fn count(&self, name: &str) -> Option<Spanned<u32>> {
        self.take(name, |literal| match literal {
            Literal::Integer(value) => u32::try_from(*value).ok(),
            _ => None,
        })
    }

    pub(crate) fn flag(&self, name: &str) -> Option<Spanned<bool>> {
        self.take(name, |literal| match literal {
            Literal::Boolean(value) => Some(*value),
            _ => None,
        })
    }

    pub(crate) fn text(&self, name: &str) -> Option<Spanned<String>> {
        self.take(name, |literal| text(literal).map(str::to_owned))
    }

    /// One of a few strings, as what it stands for.
    pub(crate) fn choice<T: std::str::FromStr>(&self, name: &str) -> Option<Spanned<T>> {
        self.take(name, |literal| text(literal)?.parse().ok())
    }

    pub(crate) fn texts(&self, name: &str) -> Option<Spanned<Vec<Spanned<String>>>> {
        self.take(name, |literal| match literal {
            Literal::Array(items) => {
                let texts = items
                    .iter()
                    .filter_map(|i| Some(Spanned::new(text(&i.value)?.to_owned(), i.span)));
                Some(texts.collect())
            }
            _ => None,
        })
    }

    pub(crate) fn size(&self, name: &str) -> Option<Spanned<u64>> {
        self.take(name, size::bytes)
    }

    pub(crate) fn table(&self, name: &str) -> Option<Table<'a>> {
        match self.entry(name)? {
            Spanned {
                value: Literal::Table(entries),
                span,
            } => Some((*span, entries)),
            _ => None,
        }
    }

    /// The tables in a list of tables.
    pub(crate) fn tables(&self, name: &str) -> Vec<Table<'a>> {
        let Some(Spanned {
            value: Literal::Array(items),
            ..
        }) = self.entry(name)
        else {
            return Vec::new();
        };
        let table = |item: &'a Spanned<Literal>| match &item.value {
            Literal::Table(entries) => Some((item.span, entries.as_slice())),
            _ => None,
        };
        items.iter().filter_map(table).collect()
    }
}

fn text(literal: &Literal) -> Option<&str> {
    match literal {
        Literal::String(text) => Some(text),
        _ => None,
    }
}

fn unknown_key(name: &Spanned<String>, keys: &[Key], title: &str, reporter: &mut Reporter) {
    reporter
        .error(name.span, format!("unknown key `{}` in {title}", name.value))
        .label("not known here")
        .advice(suggest(&name.value, "keys here", keys.iter().map(|key| key.name)));
}
