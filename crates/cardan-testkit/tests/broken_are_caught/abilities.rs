//! What the broken oscillator can do besides stepping.

use super::broken::{Broken, Defect, offered};
use cardan_core::participant::{Derivatives, Outcome, Past, Portable, Rollback, Slopes, Slot, Trace};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::time::SimTime;

impl Rollback for Broken {
    fn save(&mut self, slot: Slot) -> Outcome<()> {
        let slot = if self.is(Defect::OneSlotForAll) { 0 } else { slot };
        Rollback::save(&mut self.inner, slot)
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        let slot = if self.is(Defect::OneSlotForAll) { 0 } else { slot };
        Rollback::restore(&mut self.inner, slot)?;
        self.hidden += self.slots[slot];
        Ok(())
    }

    fn portable(&mut self) -> Option<&mut dyn Portable> {
        offered!(self, Nothing ExportForgets)
    }
}

impl Portable for Broken {
    fn export(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Outcome<()> {
        Portable::export(&mut self.inner, slot, bytes)
    }

    fn import(&mut self, slot: Slot, bytes: &[u8]) -> Outcome<()> {
        self.slots[slot] = u64::from(self.is(Defect::ExportForgets));
        Portable::import(&mut self.inner, slot, bytes)
    }
}

impl Derivatives for Broken {
    fn directional(
        &mut self,
        at: SimTime,
        inputs: &Planes,
        direction: &[f64],
        change: &mut [f64],
    ) -> Outcome<()> {
        Derivatives::directional(&mut self.inner, at, inputs, direction, change)?;
        if self.is(Defect::WrongDerivative) {
            change.iter_mut().for_each(|c| *c *= 1.0 + 1e-5);
        }
        Ok(())
    }
}

impl Slopes for Broken {
    fn slopes(&mut self, at: SimTime, inputs: &Planes, rates: &[f64], slopes: &mut [f64]) -> Outcome<()> {
        // Forgets that the inputs move: the acceleration then changes otherwise than told.
        let still = vec![0.0; rates.len()];
        let rates = if self.is(Defect::WrongSlope) {
            &still
        } else {
            rates
        };
        Slopes::slopes(&mut self.inner, at, inputs, rates, slopes)
    }
}

impl Trace for Broken {
    fn instants(&self) -> &[SimTime] {
        &self.watched
    }

    fn point(&mut self, index: usize, mut values: PlanesMut<'_>) -> Outcome<()> {
        // One point too early.
        let index = index - usize::from(self.is(Defect::TraceEndOff) && index > 0);
        Trace::point(&mut self.inner, index, reborrow(&mut values))?;
        if let Some(place) = self.position() {
            values.reals[place] += self.disturbance();
        }
        Ok(())
    }
}

impl Past for Broken {
    fn outputs_before(&mut self, at: SimTime, mut values: PlanesMut<'_>) -> Outcome<()> {
        // The usual signal of the suite starts at zero.
        let still = Planes {
            reals: vec![0.0],
            ..Planes::default()
        };
        cardan_core::participant::Participant::outputs(&mut self.inner, at, &still, reborrow(&mut values))?;
        if let Some(place) = self.position().filter(|_| self.is(Defect::PastOff)) {
            values.reals[place] += 1e-9;
        }
        Ok(())
    }
}

/// The same planes for a while.
pub(crate) fn reborrow<'a>(values: &'a mut PlanesMut<'_>) -> PlanesMut<'a> {
    PlanesMut {
        reals: values.reals,
        integers: values.integers,
        booleans: values.booleans,
        bytes: values.bytes,
    }
}
