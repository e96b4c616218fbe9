//! `frame`, `scales` and `markers` of a component

use super::component::check_name;
use super::fields::Fields;
use super::{Reader, keys};
use crate::diagnostic::Reporter;
use crate::spec::{FrameSpec, Literal, MarkerSpec, ScalesSpec};

impl Reader {
    pub(super) fn frame(self, fields: &Fields<'_>, reporter: &mut Reporter) -> Option<FrameSpec> {
        let (span, entries) = fields.table("frame")?;
        let fields = Fields::check(entries, keys::FRAME, self.place("`frame`", span), reporter);
        Some(FrameSpec {
            position: fields.vector("position"),
            angles: fields.vector("angles"),
            span,
        })
    }

    pub(super) fn scales(self, fields: &Fields<'_>, reporter: &mut Reporter) -> Option<ScalesSpec> {
        let (span, entries) = fields.table("scales")?;
        let fields = Fields::check(entries, keys::SCALES, self.place("`scales`", span), reporter);
        Some(ScalesSpec {
            length: fields.number("length"),
            force: fields.number("force"),
            mass: fields.number("mass"),
            time: fields.number("time"),
            span,
        })
    }

    pub(super) fn markers(self, fields: &Fields<'_>, reporter: &mut Reporter) -> Vec<MarkerSpec> {
        let Some((_, entries)) = fields.table("markers") else {
            return Vec::new();
        };
        let mut markers = Vec::with_capacity(entries.len());
        for (name, value) in entries {
            check_name("marker", name, reporter);
            let Literal::Table(entries) = &value.value else {
                continue;
            };
            let title = format!("the marker `{}`", name.value);
            let fields = Fields::check(entries, keys::MARKER, self.place(&title, value.span), reporter);
            markers.push(MarkerSpec {
                name: name.clone(),
                frame: fields.text("frame"),
                load: fields.text("load"),
                position: fields.vector("position"),
                angles: fields.vector("angles"),
                span: value.span,
            });
        }
        markers
    }
}
