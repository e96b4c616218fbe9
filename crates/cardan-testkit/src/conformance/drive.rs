//! The inputs of the participant under test, as functions of time.

use super::options::{Options, Signal};
use cardan_core::inputs::{HeldInputs, Inputs};
use cardan_core::interface::{Port, Variability};
use cardan_core::planes::{Extent, Planes};
use cardan_core::signal::{Curve, Segment};
use cardan_core::time::SimTime;
use cardan_core::value::{Value, ValueType};
use std::f64::consts::TAU;
use std::sync::Arc;

/// A signal for each bound input, in the order of the binding.
#[derive(Clone)]
pub(super) struct Drive {
    inputs: Vec<(Port, Signal)>,
    /// All inputs keep their values of this time, if there is one.
    held_at: Option<f64>,
    /// Added to every time, to drive a participant otherwise for a while.
    pub(super) shift: f64,
}

/// The inputs over one step.
pub(super) struct Driven {
    segments: Vec<Segment>,
    held: Vec<HeldInputs>,
}

impl Drive {
    /// The signals of the options, or the usual ones where they say nothing.
    pub(super) fn new(ports: Vec<(usize, Port)>, options: &Options, step: f64) -> Self {
        let signal = |index: usize, port: &Port| {
            let given = options.signals.iter().rev().find(|(name, _)| *name == port.name);
            match given {
                Some((_, signal)) => Arc::clone(signal),
                None => usual(index, port.clone(), step),
            }
        };
        let inputs = ports
            .into_iter()
            .map(|(i, port)| (port.clone(), signal(i, &port)))
            .collect();
        Drive {
            inputs,
            held_at: None,
            shift: 0.0,
        }
    }

    /// The driven ports, in the order of the binding.
    pub(super) fn ports(&self) -> impl Iterator<Item = &Port> {
        self.inputs.iter().map(|(port, _)| port)
    }

    /// From now on the inputs keep the values they have at `time`.
    pub(super) fn hold(&mut self, time: SimTime) {
        self.held_at = Some(time.seconds());
    }

    /// The inputs exchanged at `time`.
    pub(super) fn at(&self, time: SimTime) -> Planes {
        let mut extent = Extent::default();
        let places: Vec<usize> = self.inputs.iter().map(|(port, _)| extent.place(port)).collect();
        let mut planes = Planes::new(extent);
        let time = self.held_at.unwrap_or(time.seconds()) + self.shift;
        for ((port, signal), first) in self.inputs.iter().zip(places) {
            let value = signal(time);
            assert!(
                drives(&value, port.value_type) && value.len() == port.shape.len(),
                "the signal for input `{}` ({} × {}) gives {value}: correct it in the options",
                port.name,
                port.shape.len(),
                port.value_type
            );
            planes.view_mut().set(first, &value);
        }
        planes
    }

    /// The inputs over a step: lines for continuous reals, arcs for rotations, all else held.
    pub(super) fn over(&self, from: SimTime, to: SimTime) -> Driven {
        let (start, end) = (self.at(from), self.at(to));
        let mut segments = Vec::with_capacity(start.reals.len());
        for (port, _) in self
            .inputs
            .iter()
            .filter(|(port, _)| port.value_type == ValueType::Real)
        {
            let range = segments.len()..segments.len() + port.shape.len();
            let (a, b) = (&start.reals[range.clone()], &end.reals[range]);
            let duration = to.since(from);
            let curves = match port.variability {
                Variability::Discrete => a.iter().map(|&a| Curve::Polynomial([a, 0.0, 0.0, 0.0])).collect(),
                Variability::Continuous => {
                    let line = |(&a, &b)| Curve::Polynomial([a, (b - a) / duration, 0.0, 0.0]);
                    let mut curves: Vec<Curve> = a.iter().zip(b).map(line).collect();
                    if let Some(first) = port.form.quaternion() {
                        let four = first..first + 4;
                        curves.splice(four.clone(), turn(&a[four.clone()], &b[four], duration));
                    }
                    curves
                }
            };
            let segment = |curve| Segment {
                until: to,
                origin: from,
                curve,
            };
            segments.extend(curves.into_iter().map(segment));
        }
        let mut held = Vec::new();
        if Extent::of(self.ports()).has_discrete() {
            let values = Planes {
                reals: Vec::new(),
                ..start
            };
            held.push(HeldInputs { until: to, values });
        }
        Driven { segments, held }
    }
}

impl Driven {
    /// As a participant reads them.
    pub(super) fn inputs(&self) -> Inputs<'_> {
        Inputs::new(&self.segments, &[], &self.held)
    }

    /// The inputs at one instant of the step, to the bit as the participant read them.
    pub(super) fn read_at(&self, time: SimTime) -> Planes {
        let held = self.held.first().map(|h| h.values.clone()).unwrap_or_default();
        Planes {
            reals: self.segments.iter().map(|s| s.at(time)).collect(),
            ..held
        }
    }

    /// The slopes of the reals at one instant of the step.
    pub(super) fn slopes_at(&self, time: SimTime) -> Vec<f64> {
        self.segments.iter().map(|s| s.slope(time)).collect()
    }
}

/// Could the value stand at a port of that type? Ticks are booleans: that they are those of a clock the port says.
pub(super) fn drives(value: &Value, target: ValueType) -> bool {
    let ticks = target == ValueType::Clock && matches!(value, Value::Booleans(_));
    ticks || value.value_type().drives(target)
}

/// A steady turn from one quaternion to another.
fn turn(a: &[f64], b: &[f64], duration: f64) -> Vec<Curve> {
    let cosine: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let across: Vec<f64> = a.iter().zip(b).map(|(a, b)| b - cosine * a).collect();
    let sine = across.iter().map(|p| p * p).sum::<f64>().sqrt();
    let rate = sine.atan2(cosine) / duration;
    // Without a turn there is no direction across either.
    let across = across
        .into_iter()
        .map(|p| if sine > 0.0 { p / sine } else { 0.0 });
    let arc = |(&cosine, sine)| Curve::Arc { cosine, sine, rate };
    a.iter().zip(across).map(arc).collect()
}

/// What drives an input when the options do not say.
fn usual(index: usize, port: Port, step: f64) -> Signal {
    // Twenty steps a period: something happens in each step, and a line is still a fair picture of it.
    let swing = move |t: f64, element: usize| (TAU * t / (20.0 * step) + (index + element) as f64).sin();
    let phase = move |t: f64| (t / (3.0 * step)).floor().rem_euclid(3.0) as usize;
    let start = port.start.clone();
    Arc::new(move |t| match (port.value_type, &start) {
        (ValueType::Real, start) => {
            let base = |e: usize| {
                start
                    .as_ref()
                    .and_then(Value::as_reals)
                    .and_then(|v| v.get(e))
                    .unwrap_or(&0.0)
            };
            let element = |e| base(e) + 0.25 * port.nominal * swing(t, e);
            let mut elements: Vec<f64> = (0..port.shape.len()).map(element).collect();
            if let Some(first) = port.form.quaternion() {
                let (sin, cos) = (0.5 * swing(t, 0)).sin_cos();
                elements[first..first + 4].copy_from_slice(&[cos, 0.0, 0.0, sin]);
            }
            Value::Reals(elements)
        }
        (ValueType::Enumeration, _) if !port.choices.is_empty() => {
            let choice = port.choices[phase(t) % port.choices.len()].1;
            Value::Integers(vec![choice; port.shape.len()])
        }
        (ValueType::Integer, Some(Value::Integers(start))) => {
            Value::Integers(start.iter().map(|i| i.wrapping_add(phase(t) as i64)).collect())
        }
        (ValueType::Integer | ValueType::Enumeration, _) => {
            Value::Integers(vec![phase(t) as i64; port.shape.len()])
        }
        (ValueType::Boolean, _) => Value::Booleans(vec![phase(t) == 1; port.shape.len()]),
        // Ticks are made by event rounds, not by the signals of a step.
        (ValueType::Clock, _) => Value::Booleans(vec![false; port.shape.len()]),
        (ValueType::String, _) => Value::Strings(vec!["signal".repeat(phase(t)); port.shape.len()]),
        (ValueType::Binary, _) => Value::Binaries(vec![vec![0xA5; phase(t)]; port.shape.len()]),
    })
}
