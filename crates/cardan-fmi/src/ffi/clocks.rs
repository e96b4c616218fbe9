//! Clocks of FMI 3.

use std::ffi::c_int;

use super::error::Called;
use super::instance::{Instance, call};
use super::library::Functions;
use super::values::room;

/// What an FMU says about an interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntervalQualifier {
    /// It does not know it yet.
    NotYetKnown,
    /// It is what it was when it was last asked for.
    Unchanged,
    /// It is a new one.
    Changed,
}

/// The interval of a clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// In seconds.
    pub seconds: f64,
    /// Whether to believe it.
    pub qualifier: IntervalQualifier,
}

impl Instance {
    /// Lets clocks tick in this round.
    pub fn set_clocks(&mut self, references: &[u32], values: &[bool]) -> Called<()> {
        let count = references.len();
        match &self.library.functions {
            Functions::V2(_) => Err(self.not_in_fmi2("fmi3SetClock")),
            Functions::V3(f) if values.len() != count => {
                Err(self.uneven(f.set_clock.name, count, values.len()))
            }
            // A Rust `bool` is a byte of 0 or 1, as is that of C.
            Functions::V3(f) => {
                call!(
                    self,
                    f.set_clock(references.as_ptr(), count, values.as_ptr().cast())
                )
            }
        }
    }

    /// Which clocks tick in this round?
    pub fn get_clocks(&mut self, references: &[u32], values: &mut [bool]) -> Called<()> {
        let count = references.len();
        match &self.library.functions {
            Functions::V2(_) => return Err(self.not_in_fmi2("fmi3GetClock")),
            Functions::V3(f) if values.len() != count => {
                return Err(self.uneven(f.get_clock.name, count, values.len()));
            }
            Functions::V3(f) => {
                let raw = room::<u8>(&mut self.scratch.words, count).as_mut_ptr();
                call!(self, f.get_clock(references.as_ptr(), count, raw))?;
            }
        }
        self.read_bytes_as_booleans(values);
        Ok(())
    }

    /// The interval of a clock, in seconds.
    pub fn get_interval(&mut self, clock: u32) -> Called<Interval> {
        match &self.library.functions {
            Functions::V2(_) => Err(self.not_in_fmi2("fmi3GetIntervalDecimal")),
            Functions::V3(f) => {
                let (mut seconds, mut qualifier) = (0.0_f64, 0 as c_int);
                call!(
                    self,
                    f.get_interval_decimal(&raw const clock, 1, &raw mut seconds, &raw mut qualifier)
                )?;
                let qualifier = match qualifier {
                    1 => IntervalQualifier::Unchanged,
                    2 => IntervalQualifier::Changed,
                    _ => IntervalQualifier::NotYetKnown,
                };
                Ok(Interval { seconds, qualifier })
            }
        }
    }

    /// When a clock ticks first, counted from the start, in seconds.
    pub fn get_shift(&mut self, clock: u32) -> Called<f64> {
        match &self.library.functions {
            Functions::V2(_) => Err(self.not_in_fmi2("fmi3GetShiftDecimal")),
            Functions::V3(f) => {
                let mut seconds = 0.0;
                call!(self, f.get_shift_decimal(&raw const clock, 1, &raw mut seconds))?;
                Ok(seconds)
            }
        }
    }

    /// Tells the interval of a clock that takes it from outside, in seconds.
    pub fn set_interval(&mut self, clock: u32, seconds: f64) -> Called<()> {
        match &self.library.functions {
            Functions::V2(_) => Err(self.not_in_fmi2("fmi3SetIntervalDecimal")),
            Functions::V3(f) => call!(
                self,
                f.set_interval_decimal(&raw const clock, 1, &raw const seconds)
            ),
        }
    }

    /// Tells the shift of a clock that takes it from outside, in seconds.
    pub fn set_shift(&mut self, clock: u32, seconds: f64) -> Called<()> {
        match &self.library.functions {
            Functions::V2(_) => Err(self.not_in_fmi2("fmi3SetShiftDecimal")),
            Functions::V3(f) => call!(self, f.set_shift_decimal(&raw const clock, 1, &raw const seconds)),
        }
    }
}
