//! Plain values as bytes: little-endian, each list after its length.

use crate::planes::Planes;
use crate::time::SimTime;

/// Writes values one after the other.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// With nothing written yet.
    pub fn new() -> Self {
        Writer::default()
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// A byte.
    pub fn byte(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// A truth value.
    pub fn boolean(&mut self, value: bool) {
        self.byte(u8::from(value));
    }

    /// A whole number that is not negative.
    pub fn count(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// A whole number.
    pub fn integer(&mut self, value: i64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// A real, every bit of it.
    pub fn real(&mut self, value: f64) {
        self.count(value.to_bits());
    }

    /// An instant.
    pub fn time(&mut self, value: SimTime) {
        self.real(value.seconds());
    }

    /// The length of a list whose elements follow.
    pub fn length(&mut self, length: usize) {
        self.count(length as u64);
    }

    /// Reals.
    pub fn reals(&mut self, values: &[f64]) {
        self.length(values.len());
        values.iter().for_each(|value| self.real(*value));
    }

    /// Whole numbers.
    pub fn integers(&mut self, values: &[i64]) {
        self.length(values.len());
        values.iter().for_each(|value| self.integer(*value));
    }

    /// Truth values.
    pub fn booleans(&mut self, values: &[bool]) {
        self.length(values.len());
        values.iter().for_each(|value| self.boolean(*value));
    }

    /// Bytes.
    pub fn blob(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        self.blob(text.as_bytes());
    }

    /// Values of many ports.
    pub fn planes(&mut self, planes: &Planes) {
        self.reals(&planes.reals);
        self.integers(&planes.integers);
        self.booleans(&planes.booleans);
        self.length(planes.bytes.len());
        planes.bytes.iter().for_each(|value| self.blob(value));
    }
}
