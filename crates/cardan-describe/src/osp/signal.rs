//! Ends of connections: variables, and the signals of functions.

use super::Structure;
use super::function::Function;
use crate::diagnostic::{Reporter, Spanned, suggest};
use crate::xml::Element;

/// An end of a connection.
pub(super) enum End {
    /// A variable of a simulator; which way it goes depends on its causality.
    Variable(Spanned<String>),
    /// An input of a function's component.
    Into(Spanned<String>),
    /// An output of a function's component.
    OutOf(Spanned<String>),
    /// The input of a linear transformation.
    IntoLaw(String, Spanned<()>),
    /// Its output.
    OutOfLaw(String),
}

impl Structure<'_> {
    /// What a signal, or a group of them, stands for.
    pub(super) fn signal(&self, element: Element<'_>, reporter: &mut Reporter) -> Option<Vec<End>> {
        let owner = element.required("function", reporter)?;
        let name = element.required("name", reporter)?;
        let Some(function) = self.functions.get(owner.value) else {
            if self.lost.contains(owner.value) {
                return None;
            }
            let mut names: Vec<&str> = self.functions.keys().map(String::as_str).collect();
            names.sort_unstable();
            reporter
                .error(owner.span, format!("there is no function `{}`", owner.value))
                .advice(suggest(owner.value, "functions", names));
            return None;
        };
        let wrong = |reporter: &mut Reporter, advice: String| {
            reporter
                .error(
                    name.span,
                    format!("function `{}` has no signal `{}`", owner.value, name.value),
                )
                .advice(advice);
            None
        };
        let (inputs, dimension) = match function {
            Function::Linear { .. } => {
                return match name.value.trim() {
                    "in" | "in[0]" => Some(vec![End::IntoLaw(
                        owner.value.to_owned(),
                        Spanned::new((), name.span),
                    )]),
                    "out" | "out[0]" => Some(vec![End::OutOfLaw(owner.value.to_owned())]),
                    _ => wrong(reporter, "it has `in` and `out`".to_owned()),
                };
            }
            Function::Sum { inputs, dimension } => (*inputs, *dimension),
        };
        let Some((word, indices)) = indexed(name.value) else {
            return wrong(reporter, "write in[0], in[1], … or out".to_owned());
        };
        let mut indices = indices.into_iter();
        let input = (word == "in").then(|| indices.next()).flatten();
        let fits = match word {
            "in" => input.is_some_and(|input| input < inputs),
            _ => word == "out",
        };
        let element_index = indices.next();
        let in_range = element_index.is_none_or(|index| index < dimension.unwrap_or(1));
        if !fits || !in_range || indices.next().is_some() {
            return wrong(
                reporter,
                format!(
                    "its inputs are in[0] to in[{}], its output is out",
                    inputs.saturating_sub(1)
                ),
            );
        }
        let elements = match element_index {
            Some(index) => index..index + 1,
            None => 0..dimension.unwrap_or(1),
        };
        let end = |index: usize| {
            let component = match dimension {
                Some(_) => format!("{}.{}", owner.value, index + 1),
                None => owner.value.to_owned(),
            };
            match input {
                Some(input) => End::Into(Spanned::new(format!("{component}.u{}", input + 1), name.span)),
                None => End::OutOf(Spanned::new(format!("{component}.y"), name.span)),
            }
        };
        Some(elements.map(end).collect())
    }
}

/// `in[2][0]` as `in` and its indices.
fn indexed(text: &str) -> Option<(&str, Vec<usize>)> {
    let text = text.trim();
    let Some((word, rest)) = text.split_once('[') else {
        return Some((text, Vec::new()));
    };
    let indices = rest.strip_suffix(']')?.split("][");
    let indices: Option<Vec<usize>> = indices.map(|index| index.trim().parse().ok()).collect();
    Some((word, indices?))
}
