//! Input clocks that tick by time. The participant sets them off itself, at instants that are counted from the start
//! and not added up.

use cardan_core::participant::{Failure, Outcome};
use cardan_core::time::{Grid, SimTime};

use crate::description::{ClockInterval, ClockProperties};
use crate::ffi::{Instance, IntervalQualifier};
use crate::interface::FmuInterface;

/// An input clock of the FMU.
#[derive(Clone, Debug)]
pub(crate) struct OwnClock {
    name: String,
    reference: u32,
    properties: ClockProperties,
    rhythm: Rhythm,
}

/// When a clock ticks next. This is what a saved state keeps of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Rhythm {
    /// Not known yet.
    Unknown,
    /// At instants of a grid, next at that number.
    Periodic(Grid, i64),
    /// Once, if at all.
    Once(Option<SimTime>),
}

impl Rhythm {
    fn next(&self) -> Option<SimTime> {
        match self {
            Rhythm::Unknown => None,
            Rhythm::Periodic(grid, k) => Some(grid.at(*k)),
            Rhythm::Once(at) => *at,
        }
    }
}

/// Instants on different ways to the same point differ in their last bits.
pub(crate) fn reached(now: SimTime, tick: SimTime) -> bool {
    now.seconds() >= tick.seconds() - 1e-12 * tick.seconds().abs().max(1e-3)
}

impl OwnClock {
    pub(crate) fn all(fmu: &FmuInterface) -> Vec<Self> {
        let variables = &fmu.description().variables;
        let clock = |&index: &usize| {
            let variable = &variables[index];
            Some(OwnClock {
                name: variable.name.clone(),
                reference: variable.value_reference,
                properties: variable.clock?,
                rhythm: Rhythm::Unknown,
            })
        };
        fmu.clocks().iter().filter_map(clock).collect()
    }

    pub(crate) fn reference(&self) -> u32 {
        self.reference
    }

    pub(crate) fn rhythm(&self) -> Rhythm {
        self.rhythm
    }

    pub(crate) fn restore(&mut self, rhythm: Rhythm) {
        self.rhythm = rhythm;
    }

    /// Right after the initialisation: what is known of its instants.
    pub(crate) fn begin(&mut self, instance: &mut Instance, start: SimTime) -> Outcome<()> {
        self.rhythm = Rhythm::Unknown;
        match self.properties.interval_variability {
            ClockInterval::Countdown => self.rhythm = Rhythm::Once(None),
            ClockInterval::Changing => {
                self.rhythm = Rhythm::Once(Some(self.first_tick(start, self.properties.shift)));
            }
            _ => match self.properties.interval {
                Some(seconds) => {
                    self.rhythm = self.periodic(self.first_tick(start, self.properties.shift), seconds)?;
                }
                None => self.ask(instance, start)?,
            },
        }
        Ok(())
    }

    fn first_tick(&self, start: SimTime, shift: f64) -> SimTime {
        SimTime::from_seconds(start.seconds() + shift)
    }

    fn periodic(&self, first: SimTime, seconds: f64) -> Outcome<Rhythm> {
        if !(seconds > 0.0 && seconds.is_finite()) {
            let name = &self.name;
            return Err(Failure::failed(format!(
                "the interval of clock {name} is {seconds} s, it must be positive"
            )));
        }
        Ok(Rhythm::Periodic(Grid::new(first, seconds), 0))
    }

    /// Asks for an interval that only the FMU knows, counted from the start of the run.
    fn ask(&mut self, instance: &mut Instance, start: SimTime) -> Outcome<()> {
        let interval = instance.get_interval(self.reference)?;
        if interval.qualifier == IntervalQualifier::NotYetKnown {
            return Ok(());
        }
        let shift = match self.properties.interval_variability {
            ClockInterval::Calculated | ClockInterval::Tunable => instance.get_shift(self.reference)?,
            _ => self.properties.shift,
        };
        self.rhythm = self.periodic(self.first_tick(start, shift), interval.seconds)?;
        Ok(())
    }

    /// Does it tick at `now`?
    pub(crate) fn is_due(&self, now: SimTime) -> bool {
        self.rhythm.next().is_some_and(|tick| reached(now, tick))
    }

    /// Its first tick truly after `now`.
    pub(crate) fn next_after(&self, now: SimTime) -> Option<SimTime> {
        let next = self.rhythm.next()?;
        if !reached(now, next) {
            return Some(next);
        }
        match self.rhythm {
            Rhythm::Periodic(grid, k) => Some(grid.at(k + 1)),
            _ => None,
        }
    }

    /// It has ticked.
    pub(crate) fn ticked(&mut self) {
        match &mut self.rhythm {
            Rhythm::Periodic(_, k) => *k += 1,
            Rhythm::Once(at) => *at = None,
            Rhythm::Unknown => {}
        }
    }

    /// After a round of event mode: intervals may be new. `ticked` tells whether it ticked in this round.
    pub(crate) fn refresh(
        &mut self,
        instance: &mut Instance,
        start: SimTime,
        now: SimTime,
        ticked: bool,
    ) -> Outcome<()> {
        let after = |seconds: f64| SimTime::from_seconds(now.seconds() + seconds.max(0.0));
        match (self.properties.interval_variability, self.rhythm) {
            (ClockInterval::Countdown, _) => {
                let interval = instance.get_interval(self.reference)?;
                if interval.qualifier == IntervalQualifier::Changed {
                    self.rhythm = Rhythm::Once(Some(after(interval.seconds)));
                }
            }
            (ClockInterval::Changing, _) if ticked => {
                let interval = instance.get_interval(self.reference)?;
                if interval.qualifier != IntervalQualifier::NotYetKnown {
                    self.periodic(now, interval.seconds)?; // no interval of zero
                    self.rhythm = Rhythm::Once(Some(after(interval.seconds)));
                }
            }
            (ClockInterval::Tunable, Rhythm::Periodic(grid, k)) => {
                let interval = instance.get_interval(self.reference)?;
                if interval.qualifier == IntervalQualifier::Changed && interval.seconds != grid.step() {
                    // The new interval counts from the last tick.
                    let last = if k > 0 { grid.at(k - 1) } else { now };
                    self.rhythm = self.periodic(last, interval.seconds)?;
                    while self.is_due(now) {
                        self.ticked();
                    }
                }
            }
            (ClockInterval::Constant | ClockInterval::Changing, _) | (_, Rhythm::Periodic(..)) => {}
            (_, _) => self.ask(instance, start)?,
        }
        Ok(())
    }
}
