//! The types of variables: their names in the standard, their ranges, their defaults.

use super::Kind;
use cardan_core::value::{Value, ValueType};

impl Kind {
    /// The type of a port or parameter that carries it.
    pub fn value_type(self) -> ValueType {
        match self {
            Kind::Float32 | Kind::Float64 => ValueType::Real,
            Kind::Boolean => ValueType::Boolean,
            Kind::String => ValueType::String,
            Kind::Binary => ValueType::Binary,
            Kind::Enumeration => ValueType::Enumeration,
            Kind::Clock => ValueType::Clock,
            _ => ValueType::Integer,
        }
    }

    /// Is it a floating-point number?
    pub fn is_float(self) -> bool {
        matches!(self, Kind::Float32 | Kind::Float64)
    }

    /// Is it a whole number, be it one with a name?
    pub(crate) fn is_whole(self) -> bool {
        matches!(self.value_type(), ValueType::Integer | ValueType::Enumeration)
    }

    /// The type of an element of FMI 2, the child of a `<ScalarVariable>`.
    pub(crate) fn of_v2(element: &str) -> Option<Kind> {
        Some(match element {
            "Real" => Kind::Float64,
            "Integer" => Kind::Int32,
            "Boolean" => Kind::Boolean,
            "String" => Kind::String,
            "Enumeration" => Kind::Enumeration,
            _ => return None,
        })
    }

    /// The type of an element of FMI 3, the variable itself.
    pub(crate) fn of_v3(element: &str) -> Option<Kind> {
        Some(match element {
            "Float32" => Kind::Float32,
            "Float64" => Kind::Float64,
            "Int8" => Kind::Int8,
            "UInt8" => Kind::UInt8,
            "Int16" => Kind::Int16,
            "UInt16" => Kind::UInt16,
            "Int32" => Kind::Int32,
            "UInt32" => Kind::UInt32,
            "Int64" => Kind::Int64,
            "UInt64" => Kind::UInt64,
            "Boolean" => Kind::Boolean,
            "String" => Kind::String,
            "Binary" => Kind::Binary,
            "Enumeration" => Kind::Enumeration,
            "Clock" => Kind::Clock,
            _ => return None,
        })
    }

    /// Smallest and largest whole number. An `i128` holds them all, those of `UInt64` too.
    pub(crate) fn whole_range(self) -> (i128, i128) {
        match self {
            Kind::Int8 => (i8::MIN.into(), i8::MAX.into()),
            Kind::UInt8 => (0, u8::MAX.into()),
            Kind::Int16 => (i16::MIN.into(), i16::MAX.into()),
            Kind::UInt16 => (0, u16::MAX.into()),
            Kind::Int32 => (i32::MIN.into(), i32::MAX.into()),
            Kind::UInt32 => (0, u32::MAX.into()),
            Kind::UInt64 => (0, u64::MAX.into()),
            _ => (i64::MIN.into(), i64::MAX.into()),
        }
    }

    /// So many elements of what stands for "nothing was said".
    pub(crate) fn default_value(self, elements: usize) -> Value {
        match self.value_type() {
            ValueType::Real => Value::Reals(vec![0.0; elements]),
            ValueType::Integer | ValueType::Enumeration => Value::Integers(vec![0; elements]),
            ValueType::Boolean | ValueType::Clock => Value::Booleans(vec![false; elements]),
            ValueType::String => Value::Strings(vec![String::new(); elements]),
            ValueType::Binary => Value::Binaries(vec![Vec::new(); elements]),
        }
    }
}
