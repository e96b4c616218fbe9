//! Values as written in a description.

use crate::diagnostic::Spanned;
use crate::units::Unit;
use cardan_core::graph::Conversion;

/// A value as written in a description.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// `1.5`
    Real(f64),
    /// `3`
    Integer(i64),
    /// `true`
    Boolean(bool),
    /// `"text"`
    String(String),
    /// A number in a unit that is known already, and what is to happen after it was converted.
    Quantity(f64, Unit, Conversion),
    /// Bytes without further meaning.
    Bytes(Vec<u8>),
    /// A date or a time, as written.
    Date(String),
    /// `[1, 2]`
    Array(Vec<Spanned<Literal>>),
    /// `{ a = 1 }`, in the order of the text.
    Table(Vec<(Spanned<String>, Spanned<Literal>)>),
}

impl Literal {
    /// Three numbers, if it is a list of them.
    pub fn vector(&self) -> Option<[f64; 3]> {
        let Literal::Array(items) = self else { return None };
        let [x, y, z] = items.as_slice() else { return None };
        Some([x.value.number()?, y.value.number()?, z.value.number()?])
    }

    /// The number, if it is one; whole ones count.
    pub fn number(&self) -> Option<f64> {
        match self {
            Literal::Real(value) => Some(*value),
            Literal::Integer(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// What it is, for people.
    pub fn kind(&self) -> &'static str {
        match self {
            Literal::Real(_) => "a number",
            Literal::Integer(_) => "a whole number",
            Literal::Boolean(_) => "a boolean",
            Literal::String(_) => "a string",
            Literal::Quantity(..) => "a number with a unit",
            Literal::Bytes(_) => "bytes",
            Literal::Date(_) => "a date",
            Literal::Array(_) => "a list",
            Literal::Table(_) => "a table",
        }
    }
}
