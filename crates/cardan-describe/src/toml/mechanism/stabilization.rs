//! `stabilization = { kind = … }`

use super::Draft;
use super::keys::{STABILIZATION, STABILIZATIONS};
use super::kinds::Kinded;
use crate::diagnostic::Reporter;
use crate::spec::StabilizationSpec;
use crate::toml::fields::Fields;

/// In rad/s, where nothing is said.
const FREQUENCY: f64 = 50.0;

impl Draft<'_> {
    pub(super) fn stabilization(
        &self,
        fields: &Fields<'_>,
        reporter: &mut Reporter,
    ) -> Option<StabilizationSpec> {
        let (span, entries) = fields.table("stabilization")?;
        let place = self.reader.place("`stabilization`", span);
        let fields = Fields::check(entries, STABILIZATION, place, reporter);
        let kinded = Kinded {
            fields: &fields,
            entries,
            keys: STABILIZATION,
            noun: "stabilization",
            place,
        };
        kinded.sort(STABILIZATIONS, reporter)?;
        let number = |key| fields.number(key).map(|number| number.value);
        Some(StabilizationSpec {
            frequency: number("frequency").unwrap_or(FREQUENCY),
            penalty: number("factor"),
        })
    }
}
