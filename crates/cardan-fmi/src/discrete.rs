//! Inputs that are told when they change, and clocks, which decide what else may be told.

use cardan_core::participant::Outcome;
use cardan_core::planes::{Extent, Planes, PlanesRef};

use crate::ffi::Instance;
use crate::ports::{BoundInputs, Gate};
use crate::saved;

/// What an FMU was told last.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) values: Planes,
    /// False while it was told nothing.
    pub(crate) any: bool,
}

impl Told {
    pub(crate) fn new(extent: Extent) -> Self {
        Told {
            values: Planes::new(extent),
            any: false,
        }
    }

    /// Becomes a copy of another, in the memory it has.
    pub(crate) fn copy_from(&mut self, other: &Told) {
        saved::copy(&other.values, &mut self.values);
        self.any = other.any;
    }

    /// A tick lasts for one round.
    pub(crate) fn end_ticks(&mut self, inputs: &BoundInputs) {
        for group in &inputs.clocks.booleans {
            for place in group.places() {
                self.values.booleans[place] = false;
            }
        }
    }
}

impl BoundInputs {
    /// Whoever drives no inputs but reals may leave the others out.
    pub(crate) fn fits(&self, planes: PlanesRef<'_>) -> bool {
        planes.integers.len() == self.extent.integers
            && planes.booleans.len() == self.extent.booleans
            && planes.bytes.len() == self.extent.bytes
    }

    /// Is there one that can be told in event mode only and has another value than the FMU knows?
    pub(crate) fn differ(&self, planes: PlanesRef<'_>, told: &Told) -> bool {
        if !self.has_discrete() || !self.fits(planes) {
            return false;
        }
        let clocks = &self.clocks.booleans;
        let mut clocks = clocks.iter().flat_map(|group| group.places());
        (!told.any && !self.discrete.is_empty())
            || self.discrete.changed(planes, told.values.view())
            || clocks.any(|place| planes.booleans[place])
    }

    /// Tells the FMU what it does not know. In a round of an event `ticking` says which of its own clocks tick;
    /// outside of one no clock does.
    pub(crate) fn tell_discrete(
        &mut self,
        instance: &mut Instance,
        planes: PlanesRef<'_>,
        told: &mut Told,
        ticking: Option<&[bool]>,
    ) -> Outcome<()> {
        if !self.has_discrete() || !self.fits(planes) {
            return Ok(());
        }
        let mut values = told.values.view_mut();
        if ticking.is_some() {
            // First of all: they decide what else may be set.
            self.clocks.set_changed(instance, planes, &mut values)?;
        }
        if told.any {
            self.discrete.set_changed(instance, planes, &mut values)?;
        } else {
            self.discrete.set_all(instance, planes, &mut values)?;
            told.any = true;
        }
        let Some(ticking) = ticking else {
            return Ok(());
        };
        for (gates, groups) in &mut self.clocked {
            let open = gates.iter().any(|gate| match *gate {
                Gate::Own(clock) => ticking.get(clock) == Some(&true),
                Gate::Bound(place) => planes.booleans[place],
            });
            if open {
                groups.set_all(instance, planes, &mut values)?;
            }
        }
        Ok(())
    }
}
