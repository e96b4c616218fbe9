//! `[[bonds]]`

use super::fields::Fields;
use super::{Reader, keys};
use crate::diagnostic::Reporter;
use crate::spec::BondSpec;

impl Reader {
    pub(super) fn bonds(self, document: &Fields<'_>, reporter: &mut Reporter) -> Vec<BondSpec> {
        let tables = document.tables("bonds").into_iter();
        let bond = |(span, entries)| {
            let fields = Fields::check(entries, keys::BOND, self.place("a bond", span), reporter);
            BondSpec {
                name: fields.text("name"),
                effort: fields.text("effort"),
                flow: fields.text("flow"),
                into: fields.text("into"),
                span,
            }
        };
        tables.map(bond).collect()
    }
}
