//! Values of parameters: as written in a file, and after transformations.

use super::connector::value_type;
use crate::diagnostic::{Reporter, Span, Spanned};
use crate::spec::{Hop, Literal, Transformation};
use crate::units::Unit;
use crate::xml::{self, Element};
use cardan_core::graph::Conversion;
use cardan_core::value::ValueType;

/// The value in an element such as `<Real value="1.5"/>`; `unit` is the one it names, if that is understood. None for
/// elements that hold no value.
pub(super) fn read(
    element: Element<'_>,
    unit: Option<Unit>,
    is_array: bool,
    reporter: &mut Reporter,
) -> Option<Spanned<Literal>> {
    let kind = value_type(element.name()).filter(|kind| *kind != ValueType::Clock)?;
    let texts = texts(element, kind, is_array, reporter)?;
    let one = |text: &Spanned<&str>, reporter: &mut Reporter| {
        let literal = single(kind, text.value, unit.as_ref());
        if literal.is_none() {
            let wanted = match kind {
                ValueType::Real => "a number",
                ValueType::Integer => "a whole number",
                ValueType::Binary => "bytes in hexadecimal",
                _ => "`true` or `false`",
            };
            let found = text.value;
            reporter.error(
                text.span,
                format!(
                    "the value of <{}> must be {wanted}, found `{found}`",
                    element.name()
                ),
            );
        }
        literal.map(|literal| Spanned::new(literal, text.span))
    };
    match texts.as_slice() {
        [text] if !is_array => one(text, reporter),
        several => {
            let items: Vec<_> = several.iter().filter_map(|text| one(text, reporter)).collect();
            let span = several.first().map_or(element.span(), |first| first.span);
            (items.len() == several.len()).then(|| Spanned::new(Literal::Array(items), span))
        }
    }
}

/// The texts of all elements of a value: in one attribute with spaces between, or in `<Value>` elements.
fn texts<'a>(
    element: Element<'a>,
    kind: ValueType,
    is_array: bool,
    reporter: &mut Reporter,
) -> Option<Vec<Spanned<&'a str>>> {
    let worded = !matches!(
        kind,
        ValueType::String | ValueType::Enumeration | ValueType::Binary
    );
    if let Some(value) = element.attribute("value") {
        let words = value.value.split_whitespace();
        return Some(match worded && is_array {
            true => words.map(|word| Spanned::new(word, value.span)).collect(),
            false => vec![value],
        });
    }
    let values: Vec<_> = element.children_named("Value").collect();
    if values.is_empty() {
        element.required("value", reporter);
        return None;
    }
    let text = |value: &Element<'a>| {
        let attribute = value.attribute("value");
        attribute.unwrap_or_else(|| Spanned::new(value.inner_text(), value.span()))
    };
    Some(values.iter().map(text).collect())
}

fn single(kind: ValueType, text: &str, unit: Option<&Unit>) -> Option<Literal> {
    Some(match kind {
        ValueType::Real => {
            let number = xml::real(text)?;
            match unit {
                Some(unit) => Literal::Quantity(number, unit.clone(), Conversion::NONE),
                None => Literal::Real(number),
            }
        }
        ValueType::Integer => Literal::Integer(xml::integer(text)?),
        ValueType::Boolean | ValueType::Clock => Literal::Boolean(xml::boolean(text)?),
        ValueType::String | ValueType::Enumeration => Literal::String(text.to_owned()),
        ValueType::Binary => Literal::Bytes(hexadecimal(text)?),
    })
}

fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16))
        .collect();
    let digits = digits?;
    let pairs = digits.chunks(2).map(|pair| match pair {
        [high, low] => u8::try_from(high * 16 + low).ok(),
        _ => None,
    });
    pairs.collect()
}

/// A value after a stretch of its way. `unit` is the one at the end of the stretch, if there is one before the parameter
/// itself.
pub(super) fn along(
    literal: &Spanned<Literal>,
    hop: &Hop,
    unit: Option<&Unit>,
    reporter: &mut Reporter,
) -> Spanned<Literal> {
    let mut moved = literal.clone();
    change(&mut moved.value, &mut |value| {
        if hop.keeps_number
            && let Literal::Quantity(number, _, after) = value
        {
            *value = Literal::Real(after.apply(*number));
        }
        if let Some(unit) = unit {
            convert(value, unit);
        }
    });
    if let Some(transformation) = &hop.transformation {
        let mut fits = true;
        change(&mut moved.value, &mut |value| {
            fits &= transform(value, &transformation.value, unit.is_some());
        });
        if !fits {
            report(literal, &transformation.value, transformation.span, reporter);
        }
    }
    moved
}

fn report(literal: &Spanned<Literal>, how: &Transformation, span: Span, reporter: &mut Reporter) {
    reporter
        .error(
            span,
            format!("{} does not suit {}", how.kind(), literal.value.kind()),
        )
        .related(literal.span, "the value")
        .advice("use the transformation of its type, or leave it out");
}

fn change(literal: &mut Literal, work: &mut impl FnMut(&mut Literal)) {
    match literal {
        Literal::Array(items) => items.iter_mut().for_each(|item| change(&mut item.value, work)),
        single => work(single),
    }
}

/// The same quantity in another unit. Units that do not convert are reported with the parameter.
pub(super) fn convert(literal: &mut Literal, unit: &Unit) {
    if let Literal::Quantity(number, given, after) = literal
        && *after == Conversion::NONE
        && let Ok(conversion) = given.conversion_to(unit)
    {
        *literal = Literal::Quantity(conversion.apply(*number), unit.clone(), Conversion::NONE);
    }
}

/// The same for all elements of a list.
pub(super) fn convert_all(literal: &mut Literal, unit: &Unit) {
    change(literal, &mut |value| convert(value, unit));
}

/// Says no where the transformation is for other values. A linear one waits until the number is in the unit of the
/// parameter, unless it is in the unit of this stop already.
fn transform(literal: &mut Literal, how: &Transformation, settled: bool) -> bool {
    match (how, literal) {
        (Transformation::Linear(linear), Literal::Quantity(number, _, after)) => match settled {
            true => *number = linear.apply(*number),
            false => *after = after.then(*linear),
        },
        (Transformation::Linear(linear), Literal::Real(number)) => *number = linear.apply(*number),
        (Transformation::Linear(linear), whole @ Literal::Integer(_)) => {
            *whole = Literal::Real(linear.apply(whole.number().unwrap_or_default()));
        }
        (Transformation::Booleans(table), Literal::Boolean(value)) => {
            let entry = table.iter().find(|(from, _)| from == value);
            *value = entry.map_or(*value, |(_, to)| *to);
        }
        (Transformation::Integers(table), Literal::Integer(value)) => {
            let entry = table.iter().find(|(from, _)| from == value);
            *value = entry.map_or(*value, |(_, to)| *to);
        }
        (Transformation::Enumeration(table), Literal::String(value)) => {
            if let Some((_, to)) = table.iter().find(|(from, _)| from.value == *value) {
                value.clone_from(&to.value);
            }
        }
        _ => return false,
    }
    true
}

/// Do two values say the same, wherever they were written?
pub(super) fn same(a: &Literal, b: &Literal) -> bool {
    match (a, b) {
        (Literal::Array(a), Literal::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(&a.value, &b.value))
        }
        (Literal::Real(_) | Literal::Integer(_), Literal::Real(_) | Literal::Integer(_)) => {
            a.number() == b.number()
        }
        (a, b) => a == b,
    }
}
