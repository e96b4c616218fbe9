//! A table checked against its keys: what is unknown, missing or of the wrong kind is reported here, once and for all
//! sections, and what remains can be taken without further questions.

use super::keys::{Key, Kind};
use super::size;
use crate::diagnostic::{Reporter, Span, Spanned, nearest};
use crate::spec::Literal;

/// The entries of a table that are what they should be.
pub(super) struct Fields<'a> {
    keys: &'static [Key],
    entries: Vec<(&'static str, &'a Spanned<String>, &'a Spanned<Literal>)>,
}

/// Where a table stands in the text, for messages.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// Its name for people, such as "[method]".
    pub(super) title: &'a str,
    /// Where missing keys are reported.
    pub(super) span: Span,
    /// Parts of the text could not be read, so that nothing is called missing.
    pub(super) broken: bool,
}

impl<'a> Fields<'a> {
    pub(super) fn check(
        table: &'a [(Spanned<String>, Spanned<Literal>)],
        keys: &'static [Key],
        place: Place<'_>,
        reporter: &mut Reporter,
    ) -> Self {
        let mut entries = Vec::with_capacity(table.len());
        for (name, value) in table {
            match keys.iter().find(|key| key.name == name.value) {
                Some(key) if fits(key, value, reporter) => entries.push((key.name, name, value)),
                Some(_) => {}
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
        Fields { keys, entries }
    }

    /// The value behind a key, with the key's own place.
    pub(super) fn entry(&self, name: &str) -> Option<(&'a Spanned<String>, &'a Spanned<Literal>)> {
        debug_assert!(self.keys.iter().any(|key| key.name == name), "`{name}` is not in the table of keys");
        let (_, key, value) = self.entries.iter().find(|(key, ..)| *key == name)?;
        Some((key, value))
    }

    fn take<T>(&self, name: &str, convert: impl FnOnce(&'a Literal) -> Option<T>) -> Option<Spanned<T>> {
        let (_, literal) = self.entry(name)?;
        Some(Spanned::new(convert(&literal.value)?, literal.span))
    }

    pub(super) fn number(&self, name: &str) -> Option<Spanned<f64>> {
        self.take(name, Literal::number)
    }

    pub(super) fn count(&self, name: &str) -> Option<Spanned<u32>> {
        self.take(name, |literal| match literal {
            Literal::Integer(value) => u32::try_from(*value).ok(),
            _ => None,
        })
    }

    pub(super) fn flag(&self, name: &str) -> Option<Spanned<bool>> {
        self.take(name, |literal| match literal {
            Literal::Boolean(value) => Some(*value),
            _ => None,
        })
    }

    pub(super) fn text(&self, name: &str) -> Option<Spanned<String>> {
        self.take(name, |literal| text(literal).map(str::to_owned))
    }

    /// One of a few strings, as what it stands for.
    pub(super) fn choice<T: std::str::FromStr>(&self, name: &str) -> Option<Spanned<T>> {
        self.take(name, |literal| text(literal)?.parse().ok())
    }

    pub(super) fn texts(&self, name: &str) -> Option<Spanned<Vec<Spanned<String>>>> {
        self.take(name, |literal| match literal {
            Literal::Array(items) => {
                let texts = items.iter().filter_map(|i| Some(Spanned::new(text(&i.value)?.to_owned(), i.span)));
                Some(texts.collect())
            }
            _ => None,
        })
    }

    pub(super) fn size(&self, name: &str) -> Option<Spanned<u64>> {
        self.take(name, size::bytes)
    }

    pub(super) fn table(&self, name: &str) -> Option<(Span, &'a [(Spanned<String>, Spanned<Literal>)])> {
        match self.entry(name)? {
            (_, Spanned { value: Literal::Table(entries), span }) => Some((*span, entries)),
            _ => None,
        }
    }

    /// The tables in a list of tables.
    pub(super) fn tables(&self, name: &str) -> Vec<(Span, &'a [(Spanned<String>, Spanned<Literal>)])> {
        let Some((_, Spanned { value: Literal::Array(items), .. })) = self.entry(name) else {
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
    let advice = match nearest(&name.value, keys.iter().map(|key| key.name)) {
        Some(known) => format!("did you mean `{known}`?"),
        None => {
            let known: Vec<&str> = keys.iter().map(|key| key.name).collect();
            format!("known here: {}", known.join(", "))
        }
    };
    reporter
        .error(name.span, format!("unknown key `{}` in {title}", name.value))
        .label("not known here")
        .advice(advice);
}

/// Is the value what the key wants? If not, says so.
fn fits(key: &Key, value: &Spanned<Literal>, reporter: &mut Reporter) -> bool {
    let wanted = match (&key.kind, &value.value) {
        (Kind::Number, literal) if literal.number().is_some() => return is_finite(key, value, reporter),
        (Kind::Positive, literal) if literal.number().is_some() => return is_positive(key, value, reporter),
        (Kind::Count, Literal::Integer(count)) => {
            if (1..=i64::from(u32::MAX)).contains(count) {
                return true;
            }
            let message = format!("`{}` must be a whole number from 1, found {count}", key.name);
            reporter.error(value.span, message);
            return false;
        }
        (Kind::Choice(names), Literal::String(name)) => return is_one_of(key, names, name, value.span, reporter),
        // What is wrong inside a list is left out of it; the rest can still be used.
        (Kind::Texts, Literal::Array(items)) => {
            complain_unless(items, "a string", is_text, reporter);
            return true;
        }
        (Kind::Tables(_), Literal::Array(items)) => {
            complain_unless(items, "a table", is_table, reporter);
            return true;
        }
        (Kind::Named(_), Literal::Table(items)) => {
            complain_unless(items.iter().map(|(_, value)| value), "a table", is_table, reporter);
            return true;
        }
        (Kind::Size, literal @ (Literal::Integer(_) | Literal::String(_))) => {
            if size::bytes(literal).is_none() {
                reporter
                    .error(value.span, format!("`{}` is not an amount of memory", key.name))
                    .advice("write it as in \"512 MB\" or \"4 GiB\"");
                return false;
            }
            return true;
        }
        (Kind::Flag, Literal::Boolean(_))
        | (Kind::Text, Literal::String(_))
        | (Kind::Table(_) | Kind::Values | Kind::Histories, Literal::Table(_)) => return true,
        (Kind::Number | Kind::Positive, _) => "a number",
        (Kind::Count, _) => "a whole number",
        (Kind::Flag, _) => "true or false",
        (Kind::Text | Kind::Choice(_), _) => "a string",
        (Kind::Texts, _) => "a list of strings",
        (Kind::Size, _) => "an amount of memory such as \"4 GB\"",
        (Kind::Tables(_), _) => "a list of tables",
        (Kind::Table(_) | Kind::Named(_) | Kind::Values | Kind::Histories, _) => "a table",
    };
    reporter
        .error(value.span, format!("`{}`: expected {wanted}, found {}", key.name, value.value.kind()))
        .label(format!("expected {wanted}"));
    false
}

fn is_finite(key: &Key, value: &Spanned<Literal>, reporter: &mut Reporter) -> bool {
    let finite = value.value.number().is_some_and(f64::is_finite);
    if !finite {
        reporter.error(value.span, format!("`{}` must be a finite number", key.name));
    }
    finite
}

fn is_positive(key: &Key, value: &Spanned<Literal>, reporter: &mut Reporter) -> bool {
    let number = value.value.number().unwrap_or_default();
    let positive = number > 0.0;
    if !positive && !number.is_nan() {
        reporter
            .error(value.span, format!("`{}` must be greater than 0, found {number}", key.name))
            .advice(format!("`{}` is {}", key.name, key.about));
        return false;
    }
    is_finite(key, value, reporter)
}

fn is_one_of(key: &Key, names: &[&str], name: &str, span: Span, reporter: &mut Reporter) -> bool {
    if names.contains(&name) {
        return true;
    }
    let choices = format!("choose one of {}", names.join(", "));
    let advice = match nearest(name, names.iter().copied()) {
        Some(known) => format!("did you mean `{known}`? Otherwise {choices}"),
        None => choices,
    };
    reporter
        .error(span, format!("`{}` cannot be `{name}`", key.name))
        .label("unknown choice")
        .advice(advice);
    false
}

fn complain_unless<'a>(
    items: impl IntoIterator<Item = &'a Spanned<Literal>>,
    wanted: &str,
    is: impl Fn(&Literal) -> bool,
    reporter: &mut Reporter,
) {
    for item in items.into_iter().filter(|item| !is(&item.value)) {
        reporter
            .error(item.span, format!("expected {wanted}, found {}", item.value.kind()))
            .label(format!("expected {wanted}"));
    }
}

fn is_text(literal: &Literal) -> bool {
    matches!(literal, Literal::String(_))
}

fn is_table(literal: &Literal) -> bool {
    matches!(literal, Literal::Table(_))
}
