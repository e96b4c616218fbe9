//! `[[connections]]`

use super::fields::Fields;
use super::{Reader, keys};
use crate::diagnostic::{Reporter, Spanned};
use crate::spec::ConnectionSpec;
use cardan_core::signal::Reading;

impl Reader {
    pub(super) fn connections(
        self,
        document: &Fields<'_>,
        default: Option<Spanned<Reading>>,
        reporter: &mut Reporter,
    ) -> Vec<ConnectionSpec> {
        let mut connections = Vec::new();
        for (span, entries) in document.tables("connections") {
            let place = self.place("a connection", span);
            let fields = Fields::check(entries, keys::CONNECTION, place, reporter);
            connections.push(ConnectionSpec {
                name: fields.text("name"),
                reading: reading(&fields, default, reporter),
                ..ConnectionSpec::new(fields.text("from"), fields.text("to"))
            });
        }
        connections
    }
}

/// A weight is part of a linear reading, be it the connection's own or the default of all.
fn reading(
    fields: &Fields<'_>,
    default: Option<Spanned<Reading>>,
    reporter: &mut Reporter,
) -> Option<Spanned<Reading>> {
    let chosen: Option<Spanned<Reading>> = fields.choice("reading");
    let Some(weight) = fields.number("weight") else {
        return chosen;
    };
    let rule = chosen.or(default).map(|reading| reading.value);
    if let Some(weighted) = rule.and_then(|rule| rule.weighted(weight.value)) {
        let span = chosen.map_or(weight.span, |reading| reading.span);
        return Some(Spanned::new(weighted, span));
    }
    match rule {
        Some(other) => reporter.error(weight.span, format!("a `{other}` reading has no weight")),
        None => reporter.error(weight.span, "a weight is given without a linear reading"),
    }
    .advice("add `reading = \"linear\"`, or leave the weight out");
    chosen
}
