//! From values as written to values of a parameter or port: whole numbers become reals, units are converted.

use crate::diagnostic::{Reporter, Spanned};
use crate::spec::Literal;
use crate::units::Unit;
use cardan_core::interface::UnitDefinition;
use cardan_core::value::{Shape, Value, ValueType};

/// What a value is for.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) name: &'a str,
    pub(crate) value_type: ValueType,
    pub(crate) unit: Option<&'a str>,
    pub(crate) choices: &'a [(String, i64)],
    /// Units that whoever takes the value defines.
    pub(crate) units: &'a [UnitDefinition],
}

/// A value with all its elements, row by row. With a shape, the nesting and the lengths of lists must agree with it;
/// a plain list is taken for a matrix of as many elements.
pub(crate) fn value(
    wanted: Wanted<'_>,
    shape: Option<&Shape>,
    literal: &Spanned<Literal>,
    reporter: &mut Reporter,
) -> Option<Value> {
    let mut elements = Vec::new();
    let errors = reporter.error_count();
    let found = flatten(literal, &mut elements, reporter)?;
    if let Some(shape) = shape
        && !shape_fits(shape, &found, elements.len())
    {
        reporter
            .error(
                literal.span,
                format!(
                    "`{}`: expected {}, found {}",
                    wanted.name,
                    shaped(shape),
                    shaped(&found)
                ),
            )
            .label(format!("expected {}", shaped(shape)));
        return None;
    }
    let value = match wanted.value_type {
        ValueType::Real => Value::Reals(wanted.each(&elements, Wanted::real, reporter)),
        ValueType::Integer => Value::Integers(wanted.each(&elements, Wanted::integer, reporter)),
        ValueType::Enumeration => Value::Integers(wanted.each(&elements, Wanted::choice, reporter)),
        ValueType::Boolean | ValueType::Clock => {
            Value::Booleans(wanted.each(&elements, Wanted::boolean, reporter))
        }
        ValueType::String => Value::Strings(wanted.each(&elements, Wanted::string, reporter)),
        ValueType::Binary => Value::Binaries(wanted.each(&elements, Wanted::binary, reporter)),
    };
    (reporter.error_count() == errors).then_some(value)
}

fn shape_fits(wanted: &Shape, found: &Shape, count: usize) -> bool {
    let flat = found.is_scalar() || (found.dimensions().len() == 1 && !wanted.is_scalar());
    wanted == found || (flat && wanted.len() == count)
}

fn shaped(shape: &Shape) -> String {
    match shape.dimensions() {
        [] => "a single value".to_owned(),
        [length] => format!("a list of {length}"),
        [rows, columns] => format!("a {rows}×{columns} matrix"),
        _ => format!("an array of {shape}"),
    }
}

/// The single values in a nest of lists, and its shape.
fn flatten<'a>(
    literal: &'a Spanned<Literal>,
    elements: &mut Vec<&'a Spanned<Literal>>,
    reporter: &mut Reporter,
) -> Option<Shape> {
    let Literal::Array(items) = &literal.value else {
        elements.push(literal);
        return Some(Shape::SCALAR);
    };
    let mut inner: Option<Shape> = None;
    for item in items {
        let shape = flatten(item, elements, reporter)?;
        match &inner {
            Some(first) if *first != shape => {
                reporter
                    .error(item.span, "the rows of a matrix must be equally long")
                    .label(format!("{}, the first is {}", shaped(&shape), shaped(first)));
                return None;
            }
            _ => inner = Some(shape),
        }
    }
    let mut dimensions = vec![items.len()];
    dimensions.extend(inner.iter().flat_map(Shape::dimensions));
    Some(Shape::of(dimensions))
}

impl Wanted<'_> {
    fn each<T>(
        self,
        elements: &[&Spanned<Literal>],
        read: impl Fn(Self, &Spanned<Literal>, &mut Reporter) -> Option<T>,
        reporter: &mut Reporter,
    ) -> Vec<T> {
        elements
            .iter()
            .filter_map(|element| read(self, element, reporter))
            .collect()
    }

    fn expected(self, what: &str, literal: &Spanned<Literal>, reporter: &mut Reporter) {
        reporter
            .error(
                literal.span,
                format!("`{}`: expected {what}, found {}", self.name, literal.value.kind()),
            )
            .label(format!("expected {what}"));
    }

    fn real(self, literal: &Spanned<Literal>, reporter: &mut Reporter) -> Option<f64> {
        let number = match (&literal.value, self.unit) {
            (Literal::String(text), Some(unit)) => {
                self.quantity(&Spanned::new(text.as_str(), literal.span), unit, reporter)?
            }
            (Literal::Quantity(number, given, after), unit) => {
                let number = match unit {
                    Some(unit) => self.converted(*number, given, unit, literal, reporter)?,
                    None => *number,
                };
                after.apply(number)
            }
            (other, _) => match other.number() {
                Some(number) => number,
                None => {
                    self.expected("a number", literal, reporter);
                    return None;
                }
            },
        };
        if !number.is_finite() {
            reporter.error(
                literal.span,
                format!("`{}` must be finite, found {number}", self.name),
            );
            return None;
        }
        Some(number)
    }

    /// A number with its own unit.
    fn quantity(self, text: &Spanned<&str>, unit: &str, reporter: &mut Reporter) -> Option<f64> {
        let trimmed = text.value.trim_start();
        let digits = number_length(trimmed);
        let Ok(number) = trimmed[..digits].parse::<f64>() else {
            reporter
                .error(
                    text.span,
                    format!("`{}`: expected a number, found a string", self.name),
                )
                .advice(format!(
                    "write a number in {unit}, or a number with its unit in quotes"
                ));
            return None;
        };
        let written = trimmed[digits..].trim_start();
        let unit_start = text.value.len() - written.len();
        let given = match Unit::parse(written) {
            // A number in quotes but without a unit is in the parameter's own.
            Ok(_) if written.trim().is_empty() => return Some(number),
            Ok(given) => given,
            Err(error) => {
                let at = (unit_start + error.position).min(text.value.len());
                let span = reporter.within(text, at..text.value.len());
                reporter
                    .error(span, format!("`{}`: {error}", self.name))
                    .advice(format!("write it in {unit}, or in a unit that converts to it"));
                return None;
            }
        };
        let Ok(own) = Unit::find(unit, self.units) else {
            if unit.trim() == written.trim() {
                return Some(number);
            }
            reporter
                .error(
                    text.span,
                    format!("`{}` is in `{unit}`, a unit not known here", self.name),
                )
                .advice("write a plain number in that unit");
            return None;
        };
        match given.conversion_to(&own) {
            Ok(conversion) => Some(conversion.apply(number)),
            Err(incompatible) => {
                let span = reporter.within(text, unit_start..text.value.len());
                reporter
                    .error(span, format!("`{}`: {incompatible}", self.name))
                    .label(format!("expected {unit}"));
                None
            }
        }
    }

    /// A number whose unit is known already. Without a way to convert, the numbers are left alone where the names agree.
    fn converted(
        self,
        number: f64,
        given: &Unit,
        unit: &str,
        literal: &Spanned<Literal>,
        reporter: &mut Reporter,
    ) -> Option<f64> {
        if given.to_string() == unit.trim() {
            return Some(number);
        }
        let conversion = match Unit::find(unit, self.units) {
            Ok(own) => given.conversion_to(&own).map_err(|error| error.to_string()),
            Err(error) => Err(format!("`{unit}` is not understood: {error}")),
        };
        match conversion {
            Ok(conversion) => Some(conversion.apply(number)),
            Err(objection) => {
                reporter
                    .error(literal.span, format!("`{}`: {objection}", self.name))
                    .label(format!("expected {unit}"));
                None
            }
        }
    }

    fn integer(self, literal: &Spanned<Literal>, reporter: &mut Reporter) -> Option<i64> {
        match literal.value {
            Literal::Integer(value) => Some(value),
            _ => {
                self.expected("a whole number", literal, reporter);
                None
            }
        }
    }

    fn choice(self, literal: &Spanned<Literal>, reporter: &mut Reporter) -> Option<i64> {
        let Literal::String(name) = &literal.value else {
            return self.integer(literal, reporter);
        };
        let known = self.choices.iter().find(|(choice, _)| choice == name);
        if known.is_none() {
            // Tools also write the number of the choice.
            if let Ok(number) = name.trim().parse() {
                return Some(number);
            }
            let names: Vec<&str> = self.choices.iter().map(|(name, _)| name.as_str()).collect();
            reporter
                .error(literal.span, format!("`{}` cannot be `{name}`", self.name))
                .advice_if((!names.is_empty()).then(|| format!("choose one of {}", names.join(", "))));
        }
        known.map(|(_, number)| *number)
    }

    fn boolean(self, literal: &Spanned<Literal>, reporter: &mut Reporter) -> Option<bool> {
        match literal.value {
            Literal::Boolean(value) => Some(value),
            _ => {
                self.expected("true or false", literal, reporter);
                None
            }
        }
    }

    fn string(self, literal: &Spanned<Literal>, reporter: &mut Reporter) -> Option<String> {
        match &literal.value {
            Literal::String(value) => Some(value.clone()),
            _ => {
                self.expected("a string", literal, reporter);
                None
            }
        }
    }

    fn binary(self, literal: &Spanned<Literal>, reporter: &mut Reporter) -> Option<Vec<u8>> {
        if let Literal::Bytes(bytes) = &literal.value {
            return Some(bytes.clone());
        }
        self.string(literal, reporter).map(String::into_bytes)
    }
}

/// How many bytes at the beginning of a text are a number. An `e` counts only if a power follows: `1 eV` is a unit.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        rest.find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len())
            + from
    };
    let sign = |at: usize| at + usize::from(text.get(at..).is_some_and(|rest| rest.starts_with(['+', '-'])));
    let mantissa = digits(sign(0));
    if !text
        .get(mantissa..)
        .is_some_and(|rest| rest.starts_with(['e', 'E']))
    {
        return mantissa;
    }
    let power = sign(mantissa + 1);
    let end = digits(power);
    if end > power { end } else { mantissa }
}
