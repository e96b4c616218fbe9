//! The continuous inputs of an FMU: a law of time each, up to the next break, and what the FMU was told of them.

use cardan_core::inputs::Inputs;
use cardan_core::interface::PortId;
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;

use crate::description::{Kind, Variability};
use crate::ffi::{Called, Instance};
use crate::interface::FmuInterface;

/// Values closer than this, relative to their size, are the same value on two ways.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The laws in force, and the inputs as they were last read, told, and left.
#[derive(Default)]
pub(super) struct Drive {
    wide: Lane,
    narrow: Lane,
    /// Where the bound continuous inputs are on the plane of reals, those of the first lane before the others.
    places: Vec<usize>,
    segments: Vec<Segment>,
    /// The inputs at the time `read_at`, which is not a number while none was read.
    u: Vec<f64>,
    read_at: f64,
    /// Does no law change in time? Then one reading is enough.
    held: bool,
    /// What the FMU was told; not numbers before.
    told: Vec<f64>,
    /// The inputs where the solver came to rest; not numbers before it has moved.
    last: Vec<f64>,
}

/// Inputs that are told to the FMU in one call.
#[derive(Default)]
struct Lane {
    references: Vec<u32>,
    elements: usize,
}

impl Drive {
    /// For these ports, in the order of the binding. What changes in events only is no business of the drive.
    pub(super) fn new(fmu: &FmuInterface, inputs: &[PortId]) -> Self {
        let mut drive = Drive {
            read_at: f64::NAN,
            ..Drive::default()
        };
        let mut narrow_places = Vec::new();
        let mut place = 0;
        for &id in inputs {
            let (Some(variable), Some(port)) = (fmu.port(id), fmu.interface().ports.get(id.index())) else {
                continue;
            };
            if !variable.kind.is_float() {
                continue;
            }
            let elements = place..place + port.shape.len();
            place = elements.end;
            if variable.variability != Variability::Continuous {
                continue;
            }
            let (lane, places) = match variable.kind {
                Kind::Float32 => (&mut drive.narrow, &mut narrow_places),
                _ => (&mut drive.wide, &mut drive.places),
            };
            lane.references.push(variable.value_reference);
            lane.elements += elements.len();
            places.extend(elements);
        }
        drive.places.append(&mut narrow_places);
        let count = drive.places.len();
        drive.segments.reserve(count);
        drive.u = vec![0.0; count];
        drive.told = vec![f64::NAN; count];
        drive.last = vec![f64::NAN; count];
        drive
    }

    /// Before a run, nothing is known of the inputs, and the FMU was told nothing.
    pub(super) fn forget(&mut self) {
        self.last.fill(f64::NAN);
        self.told.fill(f64::NAN);
        self.segments.clear();
        self.read_at = f64::NAN;
    }

    /// Where the inputs are on the plane of reals.
    pub(super) fn places(&self) -> &[usize] {
        &self.places
    }

    /// References of the inputs of full precision, which come first among the places.
    pub(super) fn references(&self) -> &[u32] {
        &self.wide.references
    }

    /// Takes the laws in force just after `at`.
    pub(super) fn load(&mut self, inputs: &Inputs<'_>, at: f64) {
        let at = SimTime::from_seconds(at);
        self.segments.clear();
        for &place in &self.places {
            let law = inputs.segment_after(place, at).copied();
            self.segments.push(law.unwrap_or(Segment::constant(0.0, at)));
        }
        self.held = self.segments.iter().all(Segment::is_constant);
        self.read_at = f64::NAN;
    }

    /// Takes values that hold until told otherwise.
    pub(super) fn hold(&mut self, reals: &[f64]) {
        self.segments.clear();
        for (u, &place) in self.u.iter_mut().zip(&self.places) {
            *u = reals.get(place).copied().unwrap_or(0.0);
        }
        self.held = true;
        self.read_at = 0.0;
    }

    /// The same, moved along rates for a while.
    pub(super) fn hold_moved(&mut self, reals: &[f64], rates: &[f64], duration: f64) {
        self.hold(reals);
        for (u, &place) in self.u.iter_mut().zip(&self.places) {
            *u += duration * rates.get(place).copied().unwrap_or(0.0);
        }
    }

    /// Reads the inputs at `t`.
    #[inline]
    pub(super) fn read(&mut self, t: f64) {
        // Stages often share their time, and no time equals the first `read_at`.
        let known = t == self.read_at || (self.held && !self.read_at.is_nan());
        if !known {
            self.read_at = t;
            let t = SimTime::from_seconds(t);
            for (u, segment) in self.u.iter_mut().zip(&self.segments) {
                *u = segment.at(t);
            }
        }
    }

    /// Tells the FMU what was read, unless it knows.
    #[inline]
    pub(super) fn tell(&mut self, instance: &mut Instance) -> Called<()> {
        let wide = self.wide.elements;
        if !same_bits(&self.u[..wide], &self.told[..wide]) {
            self.told[..wide].fill(f64::NAN);
            instance.set_f64(&self.wide.references, &self.u[..wide])?;
            self.told[..wide].copy_from_slice(&self.u[..wide]);
        }
        if !same_bits(&self.u[wide..], &self.told[wide..]) {
            self.told[wide..].fill(f64::NAN);
            instance.set_f32(&self.narrow.references, &self.u[wide..])?;
            self.told[wide..].copy_from_slice(&self.u[wide..]);
        }
        Ok(())
    }

    /// Do the inputs that were read differ from those with which the solver came to rest?
    pub(super) fn jumps(&self) -> bool {
        self.u.iter().zip(&self.last).any(|(&now, &before)| {
            let same = (now - before).abs() <= ROUNDING * now.abs().max(before.abs());
            // Also true before the first step, where nothing equals what is not a number.
            !same
        })
    }

    /// The solver came to rest with the inputs that were read.
    pub(super) fn rest(&mut self) {
        self.last.copy_from_slice(&self.u);
    }

    /// What decides how things go on: the inputs where the solver rests, and those that the FMU knows.
    pub(super) fn memory(&self) -> [&[f64]; 2] {
        [&self.last, &self.told]
    }

    /// Goes back to where that was the memory.
    pub(super) fn restore(&mut self, [last, told]: [&[f64]; 2]) {
        self.last.copy_from_slice(last);
        self.told.copy_from_slice(told);
        self.read_at = f64::NAN;
        self.segments.clear();
        self.u.copy_from_slice(last);
    }

    /// An input that is not finite as last read, by its place on the plane.
    pub(super) fn broken(&self) -> Option<(usize, f64)> {
        let read = self.places.iter().copied().zip(self.u.iter().copied());
        read.into_iter().find(|(_, value)| !value.is_finite())
    }
}

/// Not numbers are equal here if they are the same ones, and zeros differ by their signs.
pub(super) fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}
