//! Start values: as written, and where none is.

use super::super::gathered::Gathered;
use super::super::{Causality, Initial, Kind, Variability, Variable};
use super::relations::size;
use cardan_core::value::{Value, ValueType};
use cardan_describe::xml::{self, Element};
use cardan_describe::{Reporter, Severity, Spanned};

/// How many elements may be filled in where a file gives no start values.
const MAX_FILLED: u64 = 1 << 24;

/// The start value as written. A mistake in it is an error: another value would be another model.
pub(super) fn written(
    element: Element<'_>,
    kind: Kind,
    name: &str,
    choices: &[(String, i64)],
    reporter: &mut Reporter,
) -> Option<Value> {
    let texts: Vec<Spanned<&str>> = element
        .children_named("Start")
        .filter_map(|start| start.attribute("value"))
        .collect();
    let attribute = element.attribute("start");
    let value_type = kind.value_type();
    if matches!(value_type, ValueType::String | ValueType::Binary) {
        let texts = if texts.is_empty() {
            attribute.into_iter().collect()
        } else {
            texts
        };
        return (!texts.is_empty())
            .then(|| bytes(&texts, value_type, name, reporter))
            .flatten();
    }
    let attribute = attribute?;
    if attribute.value.trim().is_empty() {
        let message = format!("the start value of `{name}` is empty: it is read as if it were not written");
        reporter.warning(attribute.span, message);
        return None;
    }
    let is_array = element.child("Dimension").is_some();
    let mut words: Vec<&str> = vec![attribute.value.trim()];
    if is_array {
        words = attribute.value.split_whitespace().collect();
    }
    let mut list = List {
        name,
        attribute,
        reporter,
    };
    match value_type {
        ValueType::Real => list.all(&words, xml::real, "a number").map(Value::Reals),
        ValueType::Boolean => list
            .all(&words, xml::boolean, "`true` or `false`")
            .map(Value::Booleans),
        ValueType::Clock => None,
        _ => list.whole(&words, kind, choices).map(Value::Integers),
    }
}

/// The start value of a `UInt64` as written, if the numbers are right but too large for us.
pub(super) fn too_large(element: Element<'_>, kind: Kind) -> Option<&str> {
    let text = element.attribute("start").filter(|_| kind == Kind::UInt64)?.value;
    let mut numbers = text.split_whitespace().map(str::parse::<u64>);
    let large = numbers.any(|number| number.is_ok_and(|number| i64::try_from(number).is_err()));
    large.then(|| text.trim())
}

struct List<'a> {
    name: &'a str,
    attribute: Spanned<&'a str>,
    reporter: &'a mut Reporter,
}

impl List<'_> {
    fn all<T>(&mut self, words: &[&str], parse: impl Fn(&str) -> Option<T>, what: &str) -> Option<Vec<T>> {
        let mut values = Vec::with_capacity(words.len());
        for word in words {
            let Some(value) = parse(word) else {
                self.wrong(word, what);
                return None;
            };
            values.push(value);
        }
        Some(values)
    }

    fn whole(&mut self, words: &[&str], kind: Kind, choices: &[(String, i64)]) -> Option<Vec<i64>> {
        let (low, high) = kind.whole_range();
        let mut values = Vec::with_capacity(words.len());
        for word in words {
            let Some(value) = self.whole_number(word, choices) else {
                self.wrong(word, "a whole number");
                return None;
            };
            if value < low || value > high {
                self.wrong(word, &format!("a whole number from {low} to {high}"));
                return None;
            }
            let Ok(value) = i64::try_from(value) else {
                self.large(word);
                return None;
            };
            values.push(value);
        }
        Some(values)
    }

    /// Digits; with a warning also `3.0`, and the name of an item.
    fn whole_number(&mut self, word: &str, choices: &[(String, i64)]) -> Option<i128> {
        if let Ok(value) = word.parse::<i128>() {
            return Some(value);
        }
        let number = xml::real(word).filter(|x| x.fract() == 0.0 && x.abs() < 1e15);
        let item = choices.iter().find(|(name, _)| name == word);
        let value = number.map(|x| x as i128).or(item.map(|item| item.1.into()))?;
        let message = format!(
            "the start value of `{}` should be written `{value}`, found `{word}`",
            self.name
        );
        self.reporter.warning(self.attribute.span, message);
        Some(value)
    }

    fn large(&mut self, word: &str) {
        let message = format!(
            "the start value of `{}` is {word}, but 64-bit unsigned values above {} cannot be carried",
            self.name,
            i64::MAX
        );
        let advice = "the FMU keeps it as long as nothing sets the variable; an input needs another value";
        self.reporter.warning(self.attribute.span, message).advice(advice);
    }

    fn wrong(&mut self, word: &str, what: &str) {
        let message = format!(
            "the start value of `{}` must be {what}, found `{word}`",
            self.name
        );
        let advice = (word.contains(',') && what == "a number").then_some("write a decimal point");
        self.reporter
            .error(self.attribute.span, message)
            .advice_if(advice);
    }
}

fn bytes(
    texts: &[Spanned<&str>],
    value_type: ValueType,
    name: &str,
    reporter: &mut Reporter,
) -> Option<Value> {
    if value_type == ValueType::String {
        return Some(Value::Strings(
            texts.iter().map(|text| text.value.to_owned()).collect(),
        ));
    }
    let mut all = Vec::with_capacity(texts.len());
    for text in texts {
        let Some(bytes) = hexadecimal(text.value) else {
            let message = format!("the start value of `{name}` must be pairs of hexadecimal digits");
            reporter.error(text.span, message);
            return None;
        };
        all.push(bytes);
    }
    Some(Value::Binaries(all))
}

fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16).map(|digit| digit as u8))
        .collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(
        digits
            .chunks_exact(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect(),
    )
}

/// Gives start values to those that need one and have none.
pub(super) fn complete(list: &mut [Variable], reporter: &mut Reporter) {
    let (mut filled, mut vague, mut budget) = (Gathered::default(), Gathered::default(), MAX_FILLED);
    for index in 0..list.len() {
        let variable = &list[index];
        if variable.start.is_some() || variable.large_start.is_some() || variable.kind == Kind::Clock {
            continue;
        }
        if !is_set_by_users(variable) {
            if variable.initial == Some(Initial::Exact) {
                vague.add(variable.span, &variable.name);
            }
            continue;
        }
        let Some(size) = size(variable, list).filter(|size| *size <= budget) else {
            continue;
        };
        budget -= size;
        filled.add(variable.span, &variable.name);
        list[index].start = Some(fallback(&list[index], size as usize));
    }
    let sentence = "no start value, so the default of the type is taken";
    filled.report(Severity::Warning, sentence, reporter);
    let sentence = "no start value though `initial` is `exact`, so the FMU must know it";
    vague.report(Severity::Warning, sentence, reporter);
}

fn is_set_by_users(variable: &Variable) -> bool {
    use Causality::{Input, Parameter, StructuralParameter};
    matches!(variable.causality, Input | Parameter | StructuralParameter)
        && variable.variability != Variability::Constant
}

/// The default of the type, moved into the range of the variable.
fn fallback(variable: &Variable, elements: usize) -> Value {
    let inside = |x: f64| {
        let x = variable.minimum.map_or(x, |minimum| x.max(minimum));
        variable.maximum.map_or(x, |maximum| x.min(maximum))
    };
    match variable.kind.default_value(elements) {
        Value::Reals(values) => Value::Reals(values.into_iter().map(inside).collect()),
        Value::Integers(values) => {
            let first = variable.choices.first().map(|choice| choice.1);
            let value = first.unwrap_or(inside(0.0) as i64);
            Value::Integers(vec![value; values.len()])
        }
        other => other,
    }
}
