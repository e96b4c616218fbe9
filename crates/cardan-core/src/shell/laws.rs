//! The inputs while a solver runs: one law of time each, up to the next break.

use crate::inputs::Inputs;
use crate::interface::{Interface, PortId};
use crate::signal::Segment;
use crate::time::SimTime;
use crate::value::ValueType;

/// From a real input of the request to a place among the values that equations want.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wire {
    /// Which real of the request.
    pub from: usize,
    /// Its place among the values.
    pub to: usize,
}

/// The laws in force, and the inputs as they were last read.
#[derive(Clone, Debug, Default)]
pub struct Laws {
    wires: Vec<Wire>,
    /// By wire.
    segments: Vec<Segment>,
    values: Vec<f64>,
    /// The time of the values, which is not a number while none was read.
    read_at: f64,
    /// Does no law change in time? Then one reading is enough.
    held: bool,
}

impl Laws {
    /// Along these wires; values that none of them leads to stay what they are.
    pub fn new(wires: Vec<Wire>, values: Vec<f64>) -> Self {
        Laws {
            segments: Vec::with_capacity(wires.len()),
            wires,
            values,
            read_at: f64::NAN,
            held: false,
        }
    }

    /// Takes the laws in force just after `at`.
    pub fn load(&mut self, inputs: &Inputs<'_>, at: f64) {
        let at = SimTime::from_seconds(at);
        self.segments.clear();
        for wire in &self.wires {
            let law = inputs.segment_after(wire.from, at).copied();
            self.segments.push(law.unwrap_or(Segment::constant(0.0, at)));
        }
        self.held = self.segments.iter().all(Segment::is_constant);
        self.read_at = f64::NAN;
    }

    /// Takes values that hold until others are loaded.
    pub fn hold(&mut self, value: impl Fn(Wire) -> f64) {
        self.segments.clear();
        for &wire in &self.wires {
            self.values[wire.to] = value(wire);
        }
        self.held = true;
        self.read_at = 0.0;
    }

    /// The laws belong to another time.
    pub fn forget(&mut self) {
        self.segments.clear();
        self.read_at = f64::NAN;
    }

    /// All values at `t`.
    #[inline]
    pub fn read(&mut self, t: f64) -> &[f64] {
        // Stages often share their time, and no time equals the first `read_at`.
        let known = t == self.read_at || (self.held && !self.read_at.is_nan());
        if !known {
            self.read_at = t;
            let t = SimTime::from_seconds(t);
            for (wire, segment) in self.wires.iter().zip(&self.segments) {
                self.values[wire.to] = segment.at(t);
            }
        }
        &self.values
    }

    /// All values as they were last read.
    #[inline]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Where values come from.
    pub fn wires(&self) -> &[Wire] {
        &self.wires
    }

    /// The law of a wire, by its number, as a polynomial of the time since `t`.
    #[inline]
    pub fn seen_from(&self, wire: usize, t: f64) -> [f64; 4] {
        self.segments[wire].seen_from(SimTime::from_seconds(t))
    }

    /// An input that is not finite as last read: the name of its port among those that are bound, and what it is.
    pub fn broken<'a>(&self, interface: &'a Interface, bound: &[PortId]) -> Option<(&'a str, f64)> {
        let mut read = self.wires.iter().map(|wire| (wire.from, self.values[wire.to]));
        let (input, value) = read.find(|(_, value)| !value.is_finite())?;
        let mut end = 0;
        let mut ports = bound.iter().filter_map(|id| interface.ports.get(id.index()));
        let owner = ports.find(|port| {
            if port.value_type == ValueType::Real {
                end += port.shape.len();
            }
            input < end
        });
        Some((owner.map_or("", |port| &port.name), value))
    }
}
