//! What a description wants done to a value on its way from an output to an input.

use crate::diagnostic::Spanned;
use cardan_core::graph::Conversion;
use cardan_core::value::ValueType;

/// One stretch of the way: from an output or a connector of a system to the next one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Hop {
    /// The unit at the end of the stretch, where that is not the input itself.
    pub unit: Option<Spanned<String>>,
    /// The type that is declared there.
    pub value_type: Option<Spanned<ValueType>>,
    /// Leave the number as it is even where the units differ.
    pub keeps_number: bool,
    /// What is done to the value once it is in the unit of the end.
    pub transformation: Option<Spanned<Transformation>>,
}

/// What is done to a value.
#[derive(Clone, PartialEq, Debug)]
pub enum Transformation {
    /// For reals.
    Linear(Conversion),
    /// For truth values: pairs of a value and what it becomes. Others pass unchanged, here and below.
    Booleans(Vec<(bool, bool)>),
    /// For whole numbers and enumerations.
    Integers(Vec<(i64, i64)>),
    /// For enumerations, by name.
    Enumeration(Vec<(Spanned<String>, Spanned<String>)>),
}

impl Transformation {
    /// What it is, for people.
    pub fn kind(&self) -> &'static str {
        match self {
            Transformation::Linear(_) => "a linear transformation",
            Transformation::Booleans(_) => "a mapping of truth values",
            Transformation::Integers(_) => "a mapping of whole numbers",
            Transformation::Enumeration(_) => "a mapping of an enumeration",
        }
    }
}
