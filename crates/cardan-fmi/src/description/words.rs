//! The words of the standard.

use super::{Causality, ClockInterval, Initial, Variability};
use cardan_describe::xml::Element;
use cardan_describe::{Reporter, Spanned, nearest};

const CAUSALITIES: [(&str, Causality); 7] = [
    ("parameter", Causality::Parameter),
    ("calculatedParameter", Causality::CalculatedParameter),
    ("structuralParameter", Causality::StructuralParameter),
    ("input", Causality::Input),
    ("output", Causality::Output),
    ("local", Causality::Local),
    ("independent", Causality::Independent),
];

const VARIABILITIES: [(&str, Variability); 5] = [
    ("constant", Variability::Constant),
    ("fixed", Variability::Fixed),
    ("tunable", Variability::Tunable),
    ("discrete", Variability::Discrete),
    ("continuous", Variability::Continuous),
];

const INITIALS: [(&str, Initial); 3] = [
    ("exact", Initial::Exact),
    ("approx", Initial::Approx),
    ("calculated", Initial::Calculated),
];

const INTERVALS: [(&str, ClockInterval); 7] = [
    ("constant", ClockInterval::Constant),
    ("fixed", ClockInterval::Fixed),
    ("calculated", ClockInterval::Calculated),
    ("tunable", ClockInterval::Tunable),
    ("changing", ClockInterval::Changing),
    ("countdown", ClockInterval::Countdown),
    ("triggered", ClockInterval::Triggered),
];

/// Values that are written as words.
pub(crate) trait Word: Copy + PartialEq + 'static {
    /// All of them.
    const WORDS: &'static [(&'static str, Self)];

    /// As the standard writes it.
    fn word(self) -> &'static str {
        let found = Self::WORDS.iter().find(|(_, value)| *value == self);
        found.map_or("", |(word, _)| *word)
    }
}

impl Word for Causality {
    const WORDS: &'static [(&'static str, Self)] = &CAUSALITIES;
}

impl Word for Variability {
    const WORDS: &'static [(&'static str, Self)] = &VARIABILITIES;
}

impl Word for Initial {
    const WORDS: &'static [(&'static str, Self)] = &INITIALS;
}

impl Word for ClockInterval {
    const WORDS: &'static [(&'static str, Self)] = &INTERVALS;
}

/// The word of an attribute. One that is not known counts as not written, with a warning.
pub(super) fn word<T: Word>(element: Element<'_>, attribute: &str, reporter: &mut Reporter) -> Option<T> {
    let Spanned { value, span } = element.attribute(attribute)?;
    let value = value.trim();
    let known = T::WORDS.iter().find(|(word, _)| *word == value);
    if known.is_none() && !value.is_empty() {
        let near = nearest(value, T::WORDS.iter().map(|(word, _)| *word));
        let message =
            format!("`{value}` means nothing as `{attribute}`: it is read as if it were not written");
        let advice = near.map(|near| format!("did you mean `{near}`?"));
        reporter.warning(span, message).advice_if(advice);
    }
    known.map(|(_, value)| *value)
}
