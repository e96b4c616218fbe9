//! The continuous inputs of an FMU, and what the FMU was told of them.

use cardan_core::shell::{Laws, Wire, same};

use crate::binding::Groups;
use crate::ffi::{Called, Instance};
use crate::ports::BoundInputs;

/// The laws in force, and the inputs as they were last told and left. All are as long as the plane of reals; what lies there
/// besides continuous inputs is not looked at.
#[derive(Default)]
pub(super) struct Drive {
    groups: Groups,
    pub(super) laws: Laws,
    /// What the FMU was told; not numbers before.
    told: Vec<f64>,
    /// The inputs where the solver came to rest; not numbers before it has moved.
    last: Vec<f64>,
}

impl Drive {
    /// For inputs that are bound. What changes in events only is no business of the drive.
    pub(super) fn new(inputs: &BoundInputs) -> Self {
        let groups = inputs.steady.clone();
        let places = groups.reals.iter().flat_map(|group| group.places());
        let wires = places
            .map(|place| Wire {
                from: place,
                to: place,
            })
            .collect();
        let reals = inputs.extent.reals;
        Drive {
            laws: Laws::new(wires, vec![0.0; reals]),
            told: vec![f64::NAN; reals],
            last: vec![f64::NAN; reals],
            groups,
        }
    }

    /// Takes values that hold until told otherwise, moved along rates for a while.
    pub(super) fn hold(&mut self, reals: &[f64], rates: &[f64], duration: f64) {
        self.laws.hold(|Wire { from, .. }| {
            let rate = rates.get(from).copied().unwrap_or(0.0);
            reals.get(from).copied().unwrap_or(0.0) + duration * rate
        });
    }

    /// Tells the FMU what was read, unless it knows.
    #[inline]
    pub(super) fn tell(&mut self, instance: &mut Instance) -> Called<()> {
        let u = self.laws.values();
        for group in &mut self.groups.reals {
            if !group.same(u, &self.told) {
                group.set(instance, u)?;
                group.copy(u, &mut self.told);
            }
        }
        Ok(())
    }

    /// Do the inputs that were read differ from those with which the solver came to rest?
    pub(super) fn jumps(&self) -> bool {
        // Also true before the first step, where nothing equals what is not a number.
        let (u, mut wires) = (self.laws.values(), self.laws.wires().iter());
        wires.any(|wire| !same(u[wire.to], self.last[wire.to]))
    }

    /// Do they differ from those at all?
    pub(super) fn differs(&self) -> bool {
        let (u, mut wires) = (self.laws.values(), self.laws.wires().iter());
        wires.any(|wire| u[wire.to] != self.last[wire.to])
    }

    /// The solver came to rest with the inputs that the FMU knows.
    pub(super) fn rest(&mut self) {
        self.last.copy_from_slice(&self.told);
    }

    /// Takes the inputs at rest again. False if there are none.
    pub(super) fn rewind(&mut self) -> bool {
        let mut wires = self.laws.wires().iter();
        if wires.any(|wire| self.last[wire.to].is_nan()) {
            return false;
        }
        self.laws.hold(|wire| self.last[wire.to]);
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
        self.laws.forget();
    }
}

/// Not numbers are equal here if they are the same ones, and zeros differ by their signs.
pub(super) fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}
