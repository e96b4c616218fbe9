//! What an interface point exchanges, and how files and messages spell it.

use std::fmt;

/// Degrees of freedom of an interface point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Dimensions {
    /// One: a position or angle, a flow, a current.
    One,
    /// All six of a body.
    #[default]
    Six,
}

impl Dimensions {
    /// The number that stands in files and messages.
    pub fn number(self) -> u8 {
        match self {
            Dimensions::One => 1,
            Dimensions::Six => 6,
        }
    }

    /// `1` and `6`; `3D` means six degrees of freedom and `1D` one.
    pub fn from_text(text: &str) -> Option<Self> {
        match text.trim() {
            "1" | "1D" | "1d" => Some(Dimensions::One),
            "6" | "6D" | "6d" | "3D" | "3d" => Some(Dimensions::Six),
            _ => None,
        }
    }
}

impl fmt::Display for Dimensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// Which way things go through an interface point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Causality {
    /// Both ways: a transmission line.
    #[default]
    Bidirectional,
    /// A signal comes in.
    Input,
    /// A signal goes out.
    Output,
}

impl Causality {
    /// As it is written; the first letter may be a capital.
    pub fn from_text(text: &str) -> Option<Self> {
        match lower_first(text.trim()).as_str() {
            "bidirectional" => Some(Causality::Bidirectional),
            "input" => Some(Causality::Input),
            "output" => Some(Causality::Output),
            _ => None,
        }
    }

    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Causality::Bidirectional => "bidirectional",
            Causality::Input => "input",
            Causality::Output => "output",
        }
    }
}

impl fmt::Display for Causality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// The physics of an interface point.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Domain {
    /// Translation, or a body in space.
    #[default]
    Mechanical,
    /// Rotation about an axis.
    Rotational,
    /// Flow and pressure: its flow has the opposite sign.
    Hydraulic,
    /// Current and voltage.
    Electric,
    /// A signal.
    Signal,
    /// Another word. It is handed on and changes nothing.
    Other(String),
}

impl Domain {
    /// As it is written; the first letter may be a capital.
    pub fn from_text(text: &str) -> Self {
        let word = lower_first(text.trim());
        match word.as_str() {
            "mechanical" => Domain::Mechanical,
            "rotational" => Domain::Rotational,
            "hydraulic" => Domain::Hydraulic,
            "electric" => Domain::Electric,
            "signal" => Domain::Signal,
            _ => Domain::Other(word),
        }
    }

    /// As it is written.
    pub fn text(&self) -> &str {
        match self {
            Domain::Mechanical => "mechanical",
            Domain::Rotational => "rotational",
            Domain::Hydraulic => "hydraulic",
            Domain::Electric => "electric",
            Domain::Signal => "signal",
            Domain::Other(word) => word,
        }
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// Tools write `Bidirectional` and `bidirectional` alike.
fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_letter_may_be_a_capital() {
        assert_eq!(
            Causality::from_text("Bidirectional"),
            Some(Causality::Bidirectional)
        );
        assert_eq!(Causality::from_text("both"), None);
        assert_eq!(Domain::from_text("Hydraulic"), Domain::Hydraulic);
        assert_eq!(Domain::from_text("Magnetic"), Domain::Other("magnetic".into()));
        assert_eq!(Dimensions::from_text("3D"), Some(Dimensions::Six));
        assert_eq!(Dimensions::from_text("3"), None);
    }
}
