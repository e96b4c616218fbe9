//! Values at an instant: what the FMU is told, and what it shows.

use cardan_core::inputs::Inputs;
use cardan_core::participant::Outcome;
use cardan_core::planes::{Planes, PlanesMut, PlanesRef};
use cardan_core::time::SimTime;

use super::motion::{Mode, Motion};

impl Motion {
    /// The outputs where the participant stands, with these inputs.
    pub(super) fn outputs(&mut self, inputs: &Planes, mut values: PlanesMut<'_>) -> Outcome<()> {
        let initializing = self.mode == Mode::Initializing;
        if initializing {
            self.present(inputs)?;
        } else {
            self.read_rest()?;
            self.feel(inputs)?;
            if self.outputs.reacts || self.attended {
                self.present(inputs)?;
            } else if self.mode == Mode::Continuous {
                self.plant.drive.rewind();
                self.settle()?;
            }
        }
        let instance = &mut self.plant.instance;
        self.outputs.direct.get(instance, &mut values)?;
        if initializing {
            self.outputs.resting.get(instance, &mut values)?;
        } else {
            self.outputs.resting.copy(self.rest.view(), &mut values);
        }
        self.show_clocks(self.attended, &mut values)
    }

    /// The same inside a step, with the inputs in force. No clock ticks there.
    pub(super) fn show(&mut self, mut values: PlanesMut<'_>) -> Outcome<()> {
        let instance = &mut self.plant.instance;
        self.outputs.direct.get(instance, &mut values)?;
        self.outputs.resting.get(instance, &mut values)?;
        self.show_clocks(false, &mut values)
    }

    fn show_clocks(&mut self, ticks: bool, values: &mut PlanesMut<'_>) -> Outcome<()> {
        for group in &mut self.outputs.clocks.booleans {
            if ticks {
                group.get(&mut self.plant.instance, values.booleans)?;
            } else {
                group.places().for_each(|place| values.booleans[place] = false);
            }
        }
        Ok(())
    }

    /// Tells the FMU of inputs that were exchanged. What may switch something is told while time stands still; whatever
    /// comes of it waits for the next step, for the inputs may not be the last ones.
    pub(super) fn present(&mut self, inputs: &Planes) -> Outcome<()> {
        self.plant.drive.hold(&inputs.reals, &[], 0.0);
        if self.mode == Mode::Continuous {
            let switches = self.traits.switches && self.plant.drive.jumps();
            if !switches && !self.others_differ(inputs.view()) {
                return self.settle();
            }
            self.stop_time()?;
        }
        self.plant.tell_inputs()?;
        self.tell_others(inputs.view())
    }

    /// Looks whether an indicator that is on one side with the inputs that led here is on the other with these: its event lies
    /// behind.
    fn feel(&mut self, inputs: &Planes) -> Outcome<()> {
        if !(self.traits.switches && self.traits.coupled && self.mode == Mode::Continuous) {
            return Ok(());
        }
        self.crossed = false;
        self.plant.drive.hold(&inputs.reals, &[], 0.0);
        if self.pending || !self.plant.drive.jumps() || !self.plant.drive.rewind() {
            return Ok(());
        }
        self.crossed = self.sees_other_sides(|motion| motion.plant.drive.hold(&inputs.reals, &[], 0.0))?;
        Ok(())
    }

    /// Is an indicator on one side with the inputs in force, and on the other with those that are laid down then?
    pub(super) fn sees_other_sides(&mut self, lay: impl FnOnce(&mut Motion)) -> Outcome<bool> {
        let (mut before, mut now) = std::mem::take(&mut self.indicators);
        self.settle()?;
        self.plant.instance.get_event_indicators(&mut before)?;
        lay(self);
        self.settle()?;
        self.plant.instance.get_event_indicators(&mut now)?;
        // To the standard zero is not positive.
        let mut sides = before.iter().zip(&now);
        let other = sides.any(|(before, now)| (*before > 0.0) != (*now > 0.0));
        self.indicators = (before, now);
        Ok(other)
    }

    /// Reads what shows the FMU at rest, before inputs are told that must not show in it.
    pub(super) fn read_rest(&mut self) -> Outcome<()> {
        if self.rest_is_stale && !self.outputs.resting.is_empty() {
            if self.mode == Mode::Continuous {
                self.plant.drive.rewind();
                self.settle()?;
            }
            let mut rest = self.rest.view_mut();
            self.outputs.resting.get(&mut self.plant.instance, &mut rest)?;
        }
        self.rest_is_stale = false;
        Ok(())
    }

    /// The inputs that change in events only, just after `at`.
    pub(super) fn take_others(&mut self, inputs: &Inputs<'_>, at: f64) -> Planes {
        let mut others = std::mem::take(&mut self.room);
        if self.inputs.has_discrete() {
            let at = SimTime::from_seconds(at);
            for (index, real) in others.reals.iter_mut().enumerate() {
                *real = inputs.real(index, at);
            }
            let held = inputs.held_after(at);
            if self.inputs.fits(held) {
                others.integers.copy_from_slice(held.integers);
                others.booleans.copy_from_slice(held.booleans);
                others.bytes.clone_from_slice(held.bytes);
            }
        }
        others
    }

    /// Is there an input that can be set in event mode only and has another value than the FMU knows?
    pub(super) fn others_differ(&self, planes: PlanesRef<'_>) -> bool {
        self.inputs.differ(planes, &self.told)
    }

    /// Tells the FMU of the inputs that change in events only.
    pub(super) fn tell_others(&mut self, planes: PlanesRef<'_>) -> Outcome<()> {
        let ticking = (self.mode == Mode::Event).then_some(self.ticking.as_slice());
        let instance = &mut self.plant.instance;
        self.inputs
            .tell_discrete(instance, planes, &mut self.told, ticking)
    }
}
