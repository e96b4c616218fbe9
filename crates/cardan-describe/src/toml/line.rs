//! `[[lines]]`

use super::fields::Fields;
use super::{Reader, keys};
use crate::diagnostic::{Reporter, Span, Spanned, suggest_choice};
use crate::spec::{LineEndSpec, LineSpec, Literal, MaterialSpec};
use cardan_core::line::Compensation;

/// Young's modulus in Pa and the speed of sound in m/s of materials that are known by name.
const MATERIALS: [(&str, f64, f64); 2] = [("steel", 210e9, 5180.0), ("aluminium", 70e9, 5092.0)];

impl Reader {
    pub(super) fn lines(self, document: &Fields<'_>, reporter: &mut Reporter) -> Vec<LineSpec> {
        let tables = document.tables("lines").into_iter();
        let line = |(span, entries)| {
            let fields = Fields::check(entries, keys::LINE, self.place("a line", span), reporter);
            LineSpec {
                name: fields.text("name"),
                from: self.line_end(&fields, "from", reporter),
                to: self.line_end(&fields, "to", reporter),
                medium: fields.choice("domain"),
                delay: fields.number("delay"),
                impedance: fields.number("Zf"),
                rotational: fields.number("Zfr"),
                alpha: fields.number("alpha"),
                feedback: fields.number("feedback"),
                filter: fields.choice("filter"),
                interpolation: fields.choice("interpolation"),
                compensate: compensation(&fields, reporter),
                filling: fields.choice("start"),
                material: self.material(&fields, reporter),
                length: fields.number("length"),
                incomplete: ["delay", "Zf", "length", "material"]
                    .iter()
                    .any(|key| fields.rejected(key)),
                ..LineSpec::new(span)
            }
        };
        tables.map(line).collect()
    }

    fn line_end(self, line: &Fields<'_>, key: &str, reporter: &mut Reporter) -> Option<LineEndSpec> {
        if let Some(point) = line.text(key) {
            let span = point.span;
            return Some(LineEndSpec {
                point: Some(point),
                ..LineEndSpec::new(span)
            });
        }
        let (span, entries) = line.table(key)?;
        let fields = Fields::check(
            entries,
            keys::LINE_END,
            self.place("an end of a line", span),
            reporter,
        );
        Some(LineEndSpec {
            flow: fields.text("flow"),
            effort: fields.text("effort"),
            position: fields.text("position"),
            frame: fields.text("frame"),
            load: fields.text("load"),
            value: fields.text("value"),
            ..LineEndSpec::new(span)
        })
    }

    fn material(self, line: &Fields<'_>, reporter: &mut Reporter) -> Option<MaterialSpec> {
        if let Some(name) = line.text("material") {
            return Some(named_material(&name, reporter));
        }
        let (span, entries) = line.table("material")?;
        let fields = Fields::check(entries, keys::MATERIAL, self.place("`material`", span), reporter);
        let number = |key| fields.number(key).map(|number| number.value);
        Some(MaterialSpec {
            modulus: number("modulus"),
            speed: number("speed"),
            span,
        })
    }
}

fn named_material(name: &Spanned<String>, reporter: &mut Reporter) -> MaterialSpec {
    let known = MATERIALS.iter().find(|(known, ..)| *known == name.value);
    if known.is_none() {
        let names: Vec<&str> = MATERIALS.iter().map(|(name, ..)| *name).collect();
        reporter
            .error(
                name.span,
                format!("the material `{}` is not known by name", name.value),
            )
            .advice(format!(
                "{}, or write material = {{ modulus = 210e9, speed = 5180.0 }} in Pa and m/s",
                suggest_choice(&name.value, &names)
            ));
    }
    MaterialSpec {
        modulus: known.map(|(_, modulus, _)| *modulus),
        speed: known.map(|(.., speed)| *speed),
        span: name.span,
    }
}

/// True, false, or a word.
fn compensation(fields: &Fields<'_>, reporter: &mut Reporter) -> Option<Spanned<Compensation>> {
    let literal = fields.literal("compensate")?;
    let chosen = match &literal.value {
        Literal::Boolean(true) => Compensation::Full,
        Literal::Boolean(false) => Compensation::None,
        Literal::String(word) if word == "inertia" => Compensation::Inertia,
        other => return refused(other, literal.span, reporter),
    };
    Some(Spanned::new(chosen, literal.span))
}

fn refused(found: &Literal, span: Span, reporter: &mut Reporter) -> Option<Spanned<Compensation>> {
    let what = match found {
        Literal::String(word) => format!("`compensate` cannot be `{word}`"),
        other => format!(
            "`compensate`: expected true, false or \"inertia\", found {}",
            other.kind()
        ),
    };
    reporter
        .error(span, what)
        .advice("true: the line stands for a rigid tie; \"inertia\": only its inertia is taken away");
    None
}
