//! Types, shapes and values of ports and parameters.

use std::fmt;

/// What a port or parameter carries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum ValueType {
    /// A floating-point number.
    Real,
    /// A whole number.
    Integer,
    /// True or false.
    Boolean,
    /// Text in UTF-8.
    String,
    /// Bytes without further meaning.
    Binary,
    /// One of a list of named whole numbers.
    Enumeration,
    /// True while it ticks.
    Clock,
}

impl ValueType {
    /// All of them. Other processes know a type by its place here, so it stays.
    pub const ALL: [ValueType; 7] = [
        ValueType::Real,
        ValueType::Integer,
        ValueType::Boolean,
        ValueType::String,
        ValueType::Binary,
        ValueType::Enumeration,
        ValueType::Clock,
    ];

    /// Its place among all types.
    pub fn number(self) -> u8 {
        ValueType::ALL
            .iter()
            .position(|known| *known == self)
            .unwrap_or(0) as u8
    }

    /// The type at that place.
    pub fn numbered(number: u8) -> Option<ValueType> {
        ValueType::ALL.get(usize::from(number)).copied()
    }

    /// The plane on which values of this type travel.
    pub fn plane(self) -> Plane {
        match self {
            ValueType::Real => Plane::Reals,
            ValueType::Integer | ValueType::Enumeration => Plane::Integers,
            ValueType::Boolean | ValueType::Clock => Plane::Booleans,
            ValueType::String | ValueType::Binary => Plane::Bytes,
        }
    }

    /// Can a port of type `self` drive a port of type `target`?
    pub fn drives(self, target: ValueType) -> bool {
        self == target
            || matches!(
                (self, target),
                (ValueType::Enumeration, ValueType::Integer) | (ValueType::Integer, ValueType::Enumeration)
            )
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ValueType::Real => "real",
            ValueType::Integer => "integer",
            ValueType::Boolean => "boolean",
            ValueType::String => "string",
            ValueType::Binary => "binary",
            ValueType::Enumeration => "enumeration",
            ValueType::Clock => "clock",
        })
    }
}

/// The four kinds of storage behind the types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Plane {
    /// `f64`
    Reals,
    /// `i64`, enumerations too
    Integers,
    /// `bool`, clocks too
    Booleans,
    /// strings and binary
    Bytes,
}

/// The dimensions of a port: none for a scalar, one for a vector, two for a matrix stored row by row.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Shape(Vec<usize>);

impl Shape {
    /// A single value.
    pub const SCALAR: Shape = Shape(Vec::new());

    /// A vector of `length` values.
    pub fn vector(length: usize) -> Self {
        Shape(vec![length])
    }

    /// A matrix stored row by row.
    pub fn matrix(rows: usize, columns: usize) -> Self {
        Shape(vec![rows, columns])
    }

    /// Any number of dimensions.
    pub fn of(dimensions: impl Into<Vec<usize>>) -> Self {
        Shape(dimensions.into())
    }

    /// The dimensions, outermost first.
    pub fn dimensions(&self) -> &[usize] {
        &self.0
    }

    /// Is this a single value?
    pub fn is_scalar(&self) -> bool {
        self.0.is_empty()
    }

    /// How many single values it holds.
    pub fn len(&self) -> usize {
        self.0.iter().product()
    }

    /// Does it hold nothing at all?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index part of an element's name, counted from one: empty for a scalar, `[2]`, `[1,3]`.
    pub fn element_suffix(&self, element: usize) -> String {
        if self.is_scalar() {
            return String::new();
        }
        let mut rest = element;
        let mut indices: Vec<String> = Vec::with_capacity(self.0.len());
        for &size in self.0.iter().rev() {
            indices.push((rest % size.max(1) + 1).to_string());
            rest /= size.max(1);
        }
        indices.reverse();
        format!("[{}]", indices.join(","))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_scalar() {
            return f.pad("scalar");
        }
        let sizes: Vec<String> = self.0.iter().map(usize::to_string).collect();
        f.pad(&sizes.join("×"))
    }
}

/// A value of a port or parameter with all its elements, row by row.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Floating-point numbers.
    Reals(Vec<f64>),
    /// Whole numbers and enumerations.
    Integers(Vec<i64>),
    /// Truth values.
    Booleans(Vec<bool>),
    /// Texts.
    Strings(Vec<String>),
    /// Bytes.
    Binaries(Vec<Vec<u8>>),
}

impl Value {
    /// A single real.
    pub fn real(value: f64) -> Self {
        Value::Reals(vec![value])
    }

    /// A single integer.
    pub fn integer(value: i64) -> Self {
        Value::Integers(vec![value])
    }

    /// A single boolean.
    pub fn boolean(value: bool) -> Self {
        Value::Booleans(vec![value])
    }

    /// A single string.
    pub fn string(value: impl Into<String>) -> Self {
        Value::Strings(vec![value.into()])
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        match self {
            Value::Reals(v) => v.len(),
            Value::Integers(v) => v.len(),
            Value::Booleans(v) => v.len(),
            Value::Strings(v) => v.len(),
            Value::Binaries(v) => v.len(),
        }
    }

    /// Has it no element?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The only element as a real, if this is a single real.
    pub fn as_real(&self) -> Option<f64> {
        match self {
            Value::Reals(v) if v.len() == 1 => v.first().copied(),
            _ => None,
        }
    }

    /// The elements as reals, if they are.
    pub fn as_reals(&self) -> Option<&[f64]> {
        match self {
            Value::Reals(v) => Some(v),
            _ => None,
        }
    }

    /// The only element as an integer, if this is a single integer.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Value::Integers(v) if v.len() == 1 => v.first().copied(),
            _ => None,
        }
    }

    /// The only element as a boolean, if this is a single boolean.
    pub fn as_boolean(&self) -> Option<bool> {
        match self {
            Value::Booleans(v) if v.len() == 1 => v.first().copied(),
            _ => None,
        }
    }

    /// The only element as text, if this is a single string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Strings(v) if v.len() == 1 => v.first().map(String::as_str),
            _ => None,
        }
    }

    /// The type that such a value has by itself (an enumeration shows as an integer).
    pub fn value_type(&self) -> ValueType {
        match self {
            Value::Reals(_) => ValueType::Real,
            Value::Integers(_) => ValueType::Integer,
            Value::Booleans(_) => ValueType::Boolean,
            Value::Strings(_) => ValueType::String,
            Value::Binaries(_) => ValueType::Binary,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T>(f: &mut fmt::Formatter<'_>, items: &[T], show: impl Fn(&T) -> String) -> fmt::Result {
            match items {
                [one] => f.write_str(&show(one)),
                many => {
                    let shown: Vec<String> = many.iter().map(show).collect();
                    write!(f, "[{}]", shown.join(", "))
                }
            }
        }
        match self {
            Value::Reals(v) => list(f, v, |x| format!("{x}")),
            Value::Integers(v) => list(f, v, |x| format!("{x}")),
            Value::Booleans(v) => list(f, v, |x| format!("{x}")),
            Value::Strings(v) => list(f, v, |x| format!("\"{x}\"")),
            Value::Binaries(v) => list(f, v, |x| format!("{} bytes", x.len())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_named_row_by_row_from_one() {
        assert_eq!(Shape::SCALAR.element_suffix(0), "");
        assert_eq!(Shape::vector(3).element_suffix(2), "[3]");
        let names: Vec<String> = (0..6).map(|e| Shape::matrix(2, 3).element_suffix(e)).collect();
        assert_eq!(names, ["[1,1]", "[1,2]", "[1,3]", "[2,1]", "[2,2]", "[2,3]"]);
    }
}
