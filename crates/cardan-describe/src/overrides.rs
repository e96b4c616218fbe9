//! What the command line changes in a description.

use crate::diagnostic::{Reporter, Source, SourceId, Span, Spanned, suggest, suggest_choice};
use crate::spec::{Literal, MethodKind, SystemSpec};
use crate::toml::{parse_value, report_syntax};
use std::path::PathBuf;

/// What the command line changes in a description.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Overrides {
    /// `--stop`
    pub stop: Option<f64>,
    /// `--method`
    pub method: Option<String>,
    /// `--step`
    pub step: Option<f64>,
    /// `--tolerance`
    pub tolerance: Option<f64>,
    /// `--every`
    pub every: Option<f64>,
    /// `--set component.parameter=value`
    pub set: Vec<String>,
    /// `--input FILE`: a table that drives inputs; whoever makes the components attaches it.
    pub input: Option<PathBuf>,
    /// `--map FILE`: what the processes of a co-simulation script are made from; whoever reads the script needs it.
    pub map: Option<PathBuf>,
}

impl SystemSpec {
    /// Puts the values of the command line in place of the description's. Later mistakes with them point to the
    /// command line.
    pub fn apply(&mut self, overrides: &Overrides, reporter: &mut Reporter) {
        let mut line = CommandLine::default();
        let stop = overrides.stop.map(|value| line.option("--stop", value));
        let step = overrides.step.map(|value| line.option("--step", value));
        let tolerance = overrides.tolerance.map(|value| line.option("--tolerance", value));
        let every = overrides.every.map(|value| line.option("--every", value));
        let method = overrides
            .method
            .clone()
            .map(|value| line.option("--method", value));
        let sets: Vec<_> = overrides
            .set
            .iter()
            .map(|text| line.option("--set", text.clone()))
            .collect();
        if line.text.is_empty() {
            return;
        }
        let id = reporter.add(Source::new("<command line>", line.text));

        if let Some(stop) = stop.map(|s| s.at(id)) {
            if stop.value.is_finite() {
                self.stop = Some(stop);
            } else {
                reporter.error(stop.span, "--stop must be a finite number");
            }
        }
        let mut positive = |name: &str, option: Option<Argument<f64>>, target: &mut Option<Spanned<f64>>| {
            let Some(value) = option.map(|o| o.at(id)) else {
                return;
            };
            if value.value > 0.0 && value.value.is_finite() {
                *target = Some(value);
            } else {
                reporter.error(
                    value.span,
                    format!("{name} must be greater than 0, found {}", value.value),
                );
            }
        };
        positive("--step", step, &mut self.method.step);
        positive("--tolerance", tolerance, &mut self.method.tolerance);
        positive("--every", every, &mut self.record.every);
        if let Some(method) = method {
            self.choose_method(&method.at(id), reporter);
        }
        // Whoever asks for a tolerance does not want the step of the description.
        let kind = self
            .method
            .kind
            .as_ref()
            .map(|kind| kind.value)
            .unwrap_or_default();
        if overrides.tolerance.is_some()
            && overrides.step.is_none()
            && matches!(kind, MethodKind::Auto | MethodKind::Iterated)
        {
            self.method.step = None;
        }
        for set in sets {
            self.set_parameter(&set.at(id), reporter);
        }
    }

    fn choose_method(&mut self, name: &Spanned<String>, reporter: &mut Reporter) {
        match name.value.parse::<MethodKind>() {
            Ok(kind) => self.method.kind = Some(Spanned::new(kind, name.span)),
            Err(()) => {
                reporter
                    .error(name.span, format!("there is no method `{}`", name.value))
                    .advice(suggest_choice(&name.value, MethodKind::NAMES));
            }
        }
    }

    /// The component in `component.parameter`, and the rest. Names of components may hold dots themselves: the longest
    /// one that is there counts.
    /// Where there is one component only, it need not be named.
    fn split_name<'a>(&'a self, name: &'a str) -> Option<(&'a str, &'a str)> {
        let mut dots = name
            .rmatch_indices('.')
            .map(|(at, _)| (&name[..at], &name[at + 1..]));
        let known = dots.find(|(component, _)| self.component(component.trim()).is_some());
        known.or_else(|| match self.components.as_slice() {
            [only] if !name.trim().is_empty() => Some((only.name.value.as_str(), name)),
            _ => name.split_once('.'),
        })
    }

    fn set_parameter(&mut self, text: &Spanned<String>, reporter: &mut Reporter) {
        let parts = text.value.split_once('=').and_then(|(name, value)| {
            let (component, parameter) = self.split_name(name)?;
            Some(((component.to_owned(), parameter.to_owned()), value))
        });
        let Some(((component, parameter), value)) = parts else {
            reporter
                .error(text.span, format!("`{}` does not set anything", text.value))
                .advice("write --set component.parameter=value");
            return;
        };
        let equals = text.value.find('=').unwrap_or(text.value.len());
        let begin = equals.saturating_sub(parameter.len());
        // A component that is not named has no place.
        let component_span = reporter.within(text, 0..begin.saturating_sub(1));
        let parameter_span = reporter.within(text, begin..equals);
        let value_span = reporter.within(text, equals + 1..text.value.len());
        let value = set_value(Spanned::new(value, value_span), reporter);

        let (component, parameter) = (component.trim(), parameter.trim());
        let names: Vec<&str> = self.components.iter().map(|c| c.name.value.as_str()).collect();
        let Some(index) = names.iter().position(|name| *name == component) else {
            reporter
                .error(component_span, format!("there is no component `{component}`"))
                .advice(suggest(component, "components", names));
            return;
        };
        let Some(value) = value else {
            return;
        };
        let name = Spanned::new(parameter.to_owned(), parameter_span);
        let component = &mut self.components[index];
        component.demanded.insert(parameter.to_owned());
        component.parameters.retain(|(known, _)| known.value != parameter);
        component.parameters.push((name, value));
    }
}

/// A value as in the description, except that words need no quotes: a shell would take them away.
fn set_value(text: Spanned<&str>, reporter: &mut Reporter) -> Option<Spanned<Literal>> {
    let trimmed = text.value.trim();
    let word = || Spanned::new(Literal::String(trimmed.to_owned()), text.span);
    let lead = text.value.len() - text.value.trim_start().len();
    let (id, offset) = (text.span.source, text.span.start + lead);
    match parse_value(trimmed, id, offset, reporter) {
        Ok(Spanned {
            value: Literal::Date(_),
            ..
        }) => Some(word()),
        Ok(value) => Some(value),
        Err(error) if trimmed.starts_with(['"', '\'', '[', '{']) => {
            report_syntax(&error, id, offset, reporter);
            None
        }
        Err(_) if trimmed.is_empty() => {
            reporter
                .error(text.span, "no value is given")
                .advice("write --set component.parameter=value");
            None
        }
        Err(_) => Some(word()),
    }
}

/// The options as one text, so that mistakes can point into it.
#[derive(Default)]
struct CommandLine {
    text: String,
}

/// A value and where it stands in the text.
struct Argument<T> {
    value: T,
    range: std::ops::Range<usize>,
}

impl CommandLine {
    fn option<T: ToString>(&mut self, name: &str, value: T) -> Argument<T> {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(name);
        self.text.push(' ');
        let start = self.text.len();
        self.text.push_str(&value.to_string());
        Argument {
            value,
            range: start..self.text.len(),
        }
    }
}

impl<T> Argument<T> {
    fn at(self, id: SourceId) -> Spanned<T> {
        Spanned::new(self.value, Span::new(id, self.range))
    }
}
