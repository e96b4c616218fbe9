//! Which keys go with the `kind` of a part.

use super::Fields;
use super::keys::{Key, Sort};
use crate::diagnostic::Reporter;
use crate::toml::fields::{Entry, Place};

/// Something with a `kind`.
pub(super) struct Kinded<'a> {
    pub(super) fields: &'a Fields<'a>,
    pub(super) entries: &'a [Entry],
    pub(super) keys: &'static [Key],
    /// What it is, such as "joint".
    pub(super) noun: &'static str,
    /// Where what is missing is reported.
    pub(super) place: Place<'a>,
}

impl Kinded<'_> {
    /// The kind, if it is a known one. Keys that do not belong to it, and those that it lacks, are reported.
    pub(super) fn sort(&self, sorts: &'static [Sort], reporter: &mut Reporter) -> Option<&'static Sort> {
        let kind = self.fields.text("kind")?;
        let sort = sorts.iter().find(|sort| sort.name == kind.value)?;
        // A key that no kind knows has been reported as unknown.
        let other = |name: &str| {
            let belongs = |sort: &Sort| sort.needs.contains(&name) || sort.may.contains(&name);
            sorts.iter().any(belongs) && !belongs(sort)
        };
        for (key, _) in self.entries.iter().filter(|(key, _)| other(&key.value)) {
            let own: Vec<&str> = sort.needs.iter().chain(sort.may).copied().collect();
            let advice = match own.as_slice() {
                [] => "leave it out".to_owned(),
                own => format!("leave it out; keys of this kind: {}", own.join(", ")),
            };
            reporter
                .error(
                    key.span,
                    format!(
                        "`{}` does not belong to a {} of kind `{}`",
                        key.value, self.noun, sort.name
                    ),
                )
                .label("not known here")
                .advice(advice);
        }
        for name in sort.needs.iter().filter(|name| !self.fields.given(name)) {
            self.lacks(name, reporter);
        }
        Some(sort)
    }

    /// A key is missing.
    pub(super) fn lacks(&self, name: &str, reporter: &mut Reporter) {
        if self.place.broken {
            return;
        }
        let about = self.keys.iter().find(|key| key.name == name).map(|key| key.about);
        reporter
            .error(self.place.span, format!("{} lacks `{name}`", self.place.title))
            .advice_if(about.map(|about| format!("add `{name}`: {about}")));
    }
}
