//! Setting and getting reals and booleans.

use std::ffi::c_int;
use std::slice;

use super::error::Called;
use super::instance::{Instance, call};
use super::library::Functions;

impl Instance {
    /// Sets variables of type `Float64`, or `Real` in FMI 2. With FMI 3 an array has several values.
    #[inline(always)]
    pub fn set_f64(&mut self, references: &[u32], values: &[f64]) -> Called<()> {
        let (count, pointer) = (references.len(), references.as_ptr());
        match &self.library.functions {
            Functions::V2(f) if count == values.len() => {
                call!(self, f.set_real(pointer, count, values.as_ptr()))
            }
            Functions::V2(f) => Err(self.uneven(f.set_real.name, count, values.len())),
            Functions::V3(f) => {
                call!(self, f.set_float64(pointer, count, values.as_ptr(), values.len()))
            }
        }
    }

    /// Gets variables of type `Float64`, or `Real` in FMI 2. With FMI 3 an array has several values.
    #[inline(always)]
    pub fn get_f64(&mut self, references: &[u32], values: &mut [f64]) -> Called<()> {
        let (count, pointer) = (references.len(), references.as_ptr());
        match &self.library.functions {
            Functions::V2(f) if count == values.len() => {
                call!(self, f.get_real(pointer, count, values.as_mut_ptr()))
            }
            Functions::V2(f) => Err(self.uneven(f.get_real.name, count, values.len())),
            Functions::V3(f) => {
                call!(
                    self,
                    f.get_float64(pointer, count, values.as_mut_ptr(), values.len())
                )
            }
        }
    }

    /// Sets variables of type `Float32`, rounding.
    pub fn set_f32(&mut self, references: &[u32], values: &[f64]) -> Called<()> {
        match &self.library.functions {
            Functions::V2(_) => Err(self.not_in_fmi2("fmi3SetFloat32")),
            Functions::V3(f) => {
                let room = room::<f32>(&mut self.scratch.words, values.len());
                for (to, from) in room.iter_mut().zip(values) {
                    *to = *from as f32;
                }
                let (values, count) = (room.as_ptr(), room.len());
                call!(
                    self,
                    f.set_float32(references.as_ptr(), references.len(), values, count)
                )
            }
        }
    }

    /// Gets variables of type `Float32`.
    pub fn get_f32(&mut self, references: &[u32], values: &mut [f64]) -> Called<()> {
        match &self.library.functions {
            Functions::V2(_) => Err(self.not_in_fmi2("fmi3GetFloat32")),
            Functions::V3(f) => {
                let pointer = room::<f32>(&mut self.scratch.words, values.len()).as_mut_ptr();
                call!(
                    self,
                    f.get_float32(references.as_ptr(), references.len(), pointer, values.len())
                )?;
                let room = room::<f32>(&mut self.scratch.words, values.len());
                for (to, from) in values.iter_mut().zip(room) {
                    *to = f64::from(*from);
                }
                Ok(())
            }
        }
    }

    /// Sets variables of type `Boolean`.
    pub fn set_booleans(&mut self, references: &[u32], values: &[bool]) -> Called<()> {
        let (count, pointer) = (references.len(), references.as_ptr());
        match &self.library.functions {
            Functions::V2(f) if count != values.len() => {
                Err(self.uneven(f.set_boolean.name, count, values.len()))
            }
            Functions::V2(f) => {
                let room = room::<c_int>(&mut self.scratch.words, count);
                for (to, from) in room.iter_mut().zip(values) {
                    *to = c_int::from(*from);
                }
                let values = room.as_ptr();
                call!(self, f.set_boolean(pointer, count, values))
            }
            // A Rust `bool` is a byte of 0 or 1, as is that of C.
            Functions::V3(f) => {
                call!(
                    self,
                    f.set_boolean(pointer, count, values.as_ptr().cast(), values.len())
                )
            }
        }
    }

    /// Gets variables of type `Boolean`; whatever is not zero is true.
    pub fn get_booleans(&mut self, references: &[u32], values: &mut [bool]) -> Called<()> {
        let (count, pointer) = (references.len(), references.as_ptr());
        match &self.library.functions {
            Functions::V2(f) if count != values.len() => {
                Err(self.uneven(f.get_boolean.name, count, values.len()))
            }
            Functions::V2(f) => {
                let raw = room::<c_int>(&mut self.scratch.words, count).as_mut_ptr();
                call!(self, f.get_boolean(pointer, count, raw))?;
                let room = room::<c_int>(&mut self.scratch.words, count);
                for (to, from) in values.iter_mut().zip(room) {
                    *to = *from != 0;
                }
                Ok(())
            }
            Functions::V3(f) => {
                let raw = room::<u8>(&mut self.scratch.words, values.len()).as_mut_ptr();
                call!(self, f.get_boolean(pointer, count, raw, values.len()))?;
                self.read_bytes_as_booleans(values);
                Ok(())
            }
        }
    }

    /// What the FMU wrote as bytes to the scratch.
    pub(super) fn read_bytes_as_booleans(&mut self, values: &mut [bool]) {
        let room = room::<u8>(&mut self.scratch.words, values.len());
        for (to, from) in values.iter_mut().zip(room) {
            *to = *from != 0;
        }
    }
}

/// A number for which any bits are a value and words are aligned well enough.
///
/// # Safety
/// Just that.
pub(super) unsafe trait Number: Copy {}

// SAFETY: integers and floats of at most eight bytes.
unsafe impl Number for u8 {}
// SAFETY: as above.
unsafe impl Number for i8 {}
// SAFETY: as above.
unsafe impl Number for i16 {}
// SAFETY: as above.
unsafe impl Number for u16 {}
// SAFETY: as above.
unsafe impl Number for i32 {}
// SAFETY: as above.
unsafe impl Number for u32 {}
// SAFETY: as above.
unsafe impl Number for i64 {}
// SAFETY: as above.
unsafe impl Number for u64 {}
// SAFETY: as above.
unsafe impl Number for f32 {}

/// The first `count` numbers of the scratch, with whatever is in there.
pub(super) fn room<T: Number>(words: &mut Vec<u64>, count: usize) -> &mut [T] {
    let needed = (count * size_of::<T>()).div_ceil(size_of::<u64>());
    if words.len() < needed {
        words.resize(needed, 0);
    }
    // SAFETY: there are words enough for `count` numbers, they are initialised, any bits are a number, and a number is
    // aligned where a word is.
    unsafe { slice::from_raw_parts_mut(words.as_mut_ptr().cast(), count) }
}
