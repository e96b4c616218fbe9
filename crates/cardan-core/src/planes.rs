//! Values of many ports side by side, one array per kind of storage.
//!
//! A participant is bound to a list of ports; from then on the values of these ports travel as planes: all
//! reals in one array, all integers in another, and so on, in the order of the binding, the elements of a port
//! one after the other. Strings and binary values reuse their buffers.

use crate::interface::Port;
use crate::value::{Plane, Value, ValueType};

/// How many values of each kind there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    /// Number of reals.
    pub reals: usize,
    /// Number of integers and enumerations.
    pub integers: usize,
    /// Number of booleans.
    pub booleans: usize,
    /// Number of strings and binaries.
    pub bytes: usize,
}

impl Extent {
    /// What the given ports need together.
    pub fn of<'a>(ports: impl IntoIterator<Item = &'a Port>) -> Self {
        let mut extent = Extent::default();
        for port in ports {
            extent.place(port);
        }
        extent
    }

    /// Makes room for one more port and says where its first element lies on its plane.
    pub fn place(&mut self, port: &Port) -> usize {
        let counter = match port.value_type.plane() {
            Plane::Reals => &mut self.reals,
            Plane::Integers => &mut self.integers,
            Plane::Booleans => &mut self.booleans,
            Plane::Bytes => &mut self.bytes,
        };
        let first = *counter;
        *counter += port.shape.len();
        first
    }

    /// Is there anything besides reals?
    pub fn has_discrete(&self) -> bool {
        self.integers + self.booleans + self.bytes > 0
    }
}

/// Owned values, one array per kind.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Planes {
    /// Reals.
    pub reals: Vec<f64>,
    /// Integers and enumerations.
    pub integers: Vec<i64>,
    /// Booleans.
    pub booleans: Vec<bool>,
    /// Strings and binaries.
    pub bytes: Vec<Vec<u8>>,
}

impl Planes {
    /// Zeros, false and empty strings.
    pub fn new(extent: Extent) -> Self {
        Planes {
            reals: vec![0.0; extent.reals],
            integers: vec![0; extent.integers],
            booleans: vec![false; extent.booleans],
            bytes: vec![Vec::new(); extent.bytes],
        }
    }

    /// To read.
    pub fn view(&self) -> PlanesRef<'_> {
        PlanesRef {
            reals: &self.reals,
            integers: &self.integers,
            booleans: &self.booleans,
            bytes: &self.bytes,
        }
    }

    /// To write.
    pub fn view_mut(&mut self) -> PlanesMut<'_> {
        PlanesMut {
            reals: &mut self.reals,
            integers: &mut self.integers,
            booleans: &mut self.booleans,
            bytes: &mut self.bytes,
        }
    }
}

/// Borrowed values, to read.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanesRef<'a> {
    /// Reals.
    pub reals: &'a [f64],
    /// Integers and enumerations.
    pub integers: &'a [i64],
    /// Booleans.
    pub booleans: &'a [bool],
    /// Strings and binaries.
    pub bytes: &'a [Vec<u8>],
}

impl PlanesRef<'_> {
    /// A copy to keep.
    pub fn to_planes(&self) -> Planes {
        Planes {
            reals: self.reals.to_vec(),
            integers: self.integers.to_vec(),
            booleans: self.booleans.to_vec(),
            bytes: self.bytes.to_vec(),
        }
    }

    /// The value of `count` elements from `first` on, as the type says. Strings that are not UTF-8 are shown
    /// with replacement characters.
    pub fn value(&self, value_type: ValueType, first: usize, count: usize) -> Value {
        let range = first..first + count;
        match value_type {
            ValueType::Real => Value::Reals(self.reals[range].to_vec()),
            ValueType::Integer | ValueType::Enumeration => Value::Integers(self.integers[range].to_vec()),
            ValueType::Boolean | ValueType::Clock => Value::Booleans(self.booleans[range].to_vec()),
            ValueType::String => Value::Strings(
                self.bytes[range]
                    .iter()
                    .map(|b| String::from_utf8_lossy(b).into_owned())
                    .collect(),
            ),
            ValueType::Binary => Value::Binaries(self.bytes[range].to_vec()),
        }
    }
}

/// Borrowed values, to write.
#[derive(Debug, Default)]
pub struct PlanesMut<'a> {
    /// Reals.
    pub reals: &'a mut [f64],
    /// Integers and enumerations.
    pub integers: &'a mut [i64],
    /// Booleans.
    pub booleans: &'a mut [bool],
    /// Strings and binaries; write with `clear` and `extend_from_slice` to keep the buffer.
    pub bytes: &'a mut [Vec<u8>],
}

impl PlanesMut<'_> {
    /// To read.
    pub fn view(&self) -> PlanesRef<'_> {
        PlanesRef {
            reals: self.reals,
            integers: self.integers,
            booleans: self.booleans,
            bytes: self.bytes,
        }
    }

    /// Takes over all values of planes of the same extent.
    #[inline]
    pub fn copy_from(&mut self, other: PlanesRef<'_>) {
        self.reals.copy_from_slice(other.reals);
        if self.integers.len() + self.booleans.len() + self.bytes.len() > 0 {
            self.integers.copy_from_slice(other.integers);
            self.booleans.copy_from_slice(other.booleans);
            self.bytes.clone_from_slice(other.bytes);
        }
    }

    /// Writes a value whose elements start at `first` of its plane; elements beyond the plane are ignored.
    pub fn set(&mut self, first: usize, value: &Value) {
        fn copy<T: Clone>(plane: &mut [T], first: usize, from: &[T]) {
            for (to, from) in plane.iter_mut().skip(first).zip(from) {
                to.clone_from(from);
            }
        }
        match value {
            Value::Reals(v) => copy(self.reals, first, v),
            Value::Integers(v) => copy(self.integers, first, v),
            Value::Booleans(v) => copy(self.booleans, first, v),
            Value::Strings(v) => {
                for (to, from) in self.bytes.iter_mut().skip(first).zip(v) {
                    to.clear();
                    to.extend_from_slice(from.as_bytes());
                }
            }
            Value::Binaries(v) => copy(self.bytes, first, v),
        }
    }
}
