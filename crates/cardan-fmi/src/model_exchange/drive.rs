//! The continuous inputs of an FMU: a law of time each, up to the next break, and what the FMU was told of them.

use cardan_core::inputs::Inputs;
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;

use crate::binding::Groups;
use crate::ffi::{Called, Instance};
use crate::ports::BoundInputs;

/// Values closer than this, relative to their size, are the same value on two ways.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The laws in force, and the inputs as they were last read, told, and left. All are as long as the plane of reals;
/// what lies there besides continuous inputs is not looked at.
#[derive(Default)]
pub(super) struct Drive {
    groups: Groups,
    /// Where the bound continuous inputs are on the plane.
    places: Vec<usize>,
    /// Their laws.
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

impl Drive {
    /// For inputs that are bound. What changes in events only is no business of the drive.
    pub(super) fn new(inputs: &BoundInputs) -> Self {
        let groups = inputs.steady.clone();
        let places: Vec<usize> = groups.reals.iter().flat_map(|group| group.places()).collect();
        let reals = inputs.extent.reals;
        Drive {
            segments: Vec::with_capacity(places.len()),
            u: vec![0.0; reals],
            read_at: f64::NAN,
            held: false,
            told: vec![f64::NAN; reals],
            last: vec![f64::NAN; reals],
            groups,
            places,
        }
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

    /// Takes values that hold until told otherwise, moved along rates for a while.
    pub(super) fn hold(&mut self, reals: &[f64], rates: &[f64], duration: f64) {
        self.segments.clear();
        for &place in &self.places {
            let rate = rates.get(place).copied().unwrap_or(0.0);
            self.u[place] = reals.get(place).copied().unwrap_or(0.0) + duration * rate;
        }
        self.held = true;
        self.read_at = 0.0;
    }

    /// Reads the inputs at `t`.
    #[inline]
    pub(super) fn read(&mut self, t: f64) {
        // Stages often share their time, and no time equals the first `read_at`.
        let known = t == self.read_at || (self.held && !self.read_at.is_nan());
        if !known {
            self.read_at = t;
            let t = SimTime::from_seconds(t);
            for (&place, segment) in self.places.iter().zip(&self.segments) {
                self.u[place] = segment.at(t);
            }
        }
    }

    /// Tells the FMU what was read, unless it knows.
    #[inline]
    pub(super) fn tell(&mut self, instance: &mut Instance) -> Called<()> {
        for group in &mut self.groups.reals {
            if !group.same(&self.u, &self.told) {
                group.set(instance, &self.u)?;
                group.copy(&self.u, &mut self.told);
            }
        }
        Ok(())
    }

    /// Do the inputs that were read differ from those with which the solver came to rest?
    pub(super) fn jumps(&self) -> bool {
        self.places.iter().any(|&place| {
            let (now, before) = (self.u[place], self.last[place]);
            let same = (now - before).abs() <= ROUNDING * now.abs().max(before.abs());
            // Also true before the first step, where nothing equals what is not a number.
            !same
        })
    }

    /// Do they differ from those at all?
    pub(super) fn differs(&self) -> bool {
        self.places.iter().any(|&place| self.u[place] != self.last[place])
    }

    /// The solver came to rest with the inputs that the FMU knows.
    pub(super) fn rest(&mut self) {
        self.last.copy_from_slice(&self.told);
    }

    /// Takes the inputs at rest again. False if there are none.
    pub(super) fn rewind(&mut self) -> bool {
        if self.places.iter().any(|&place| self.last[place].is_nan()) {
            return false;
        }
        self.u.copy_from_slice(&self.last);
        self.segments.clear();
        self.held = true;
        self.read_at = 0.0;
        true
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
    }

    /// An input that is not finite as last read, by its place on the plane.
    pub(super) fn broken(&self) -> Option<(usize, f64)> {
        let read = self.places.iter().map(|&place| (place, self.u[place]));
        read.into_iter().find(|(_, value)| !value.is_finite())
    }
}

/// Not numbers are equal here if they are the same ones, and zeros differ by their signs.
pub(super) fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}
