//! Setting and getting whole numbers of any width.

use std::ffi::c_int;

use super::error::{Called, Trouble, Unfit};
use super::instance::{Instance, call};
use super::library::Functions;
use super::values::room;
use crate::description::Kind;

/// Writes the two methods; one arm for each width. Where no getter is named, the method has an arm of its own.
macro_rules! widths {
    ($($kind:ident: $number:ty, $set:ident $(, $get:ident)?;)*) => {
        impl Instance {
            /// Sets whole numbers of one kind. A number that does not fit is refused.
            pub fn set_integers(&mut self, kind: Kind, references: &[u32], values: &[i64]) -> Called<()> {
                let (count, pointer) = (references.len(), references.as_ptr());
                match (&self.library.functions, kind) {
                    (Functions::V2(f), Kind::Int32 | Kind::Enumeration) => {
                        if count != values.len() {
                            return Err(self.uneven(f.set_integer.name, count, values.len()));
                        }
                        let room = room::<c_int>(&mut self.scratch.words, count);
                        if let Err(place) = narrow(room, values) {
                            return Err(self.unfit(f.set_integer.name, place, values[place], Kind::Int32));
                        }
                        let values = room.as_ptr();
                        call!(self, f.set_integer(pointer, count, values))
                    }
                    (Functions::V3(f), Kind::Int64 | Kind::Enumeration) => {
                        call!(self, f.set_int64(pointer, count, values.as_ptr(), values.len()))
                    }
                    $((Functions::V3(f), Kind::$kind) => {
                        let room = room::<$number>(&mut self.scratch.words, values.len());
                        if let Err(place) = narrow(room, values) {
                            return Err(self.unfit(f.$set.name, place, values[place], kind));
                        }
                        let narrowed = room.as_ptr();
                        call!(self, f.$set(pointer, count, narrowed, values.len()))
                    })*
                    _ => Err(self.no_integer(kind)),
                }
            }

            /// Gets whole numbers of one kind. Those of `UInt64` that are too large for us are refused.
            pub fn get_integers(&mut self, kind: Kind, references: &[u32], values: &mut [i64]) -> Called<()> {
                let (count, pointer) = (references.len(), references.as_ptr());
                match (&self.library.functions, kind) {
                    (Functions::V2(f), Kind::Int32 | Kind::Enumeration) => {
                        if count != values.len() {
                            return Err(self.uneven(f.get_integer.name, count, values.len()));
                        }
                        let raw = room::<c_int>(&mut self.scratch.words, count).as_mut_ptr();
                        call!(self, f.get_integer(pointer, count, raw))?;
                        widen(values, room::<c_int>(&mut self.scratch.words, count));
                        Ok(())
                    }
                    (Functions::V3(f), Kind::Int64 | Kind::Enumeration) => {
                        call!(self, f.get_int64(pointer, count, values.as_mut_ptr(), values.len()))
                    }
                    (Functions::V3(f), Kind::UInt64) => {
                        call!(self, f.get_uint64(pointer, count, values.as_mut_ptr().cast(), values.len()))?;
                        // The same bits with another sign: half of them are too large for us.
                        match values.iter().position(|value| *value < 0) {
                            Some(place) => Err(self.too_large(f.get_uint64.name, place, values[place] as u64)),
                            None => Ok(()),
                        }
                    }
                    $($((Functions::V3(f), Kind::$kind) => {
                        let raw = room::<$number>(&mut self.scratch.words, values.len()).as_mut_ptr();
                        call!(self, f.$get(pointer, count, raw, values.len()))?;
                        widen(values, room::<$number>(&mut self.scratch.words, values.len()));
                        Ok(())
                    })?)*
                    _ => Err(self.no_integer(kind)),
                }
            }
        }
    };
}

widths! {
    Int8: i8, set_int8, get_int8;
    UInt8: u8, set_uint8, get_uint8;
    Int16: i16, set_int16, get_int16;
    UInt16: u16, set_uint16, get_uint16;
    Int32: i32, set_int32, get_int32;
    UInt32: u32, set_uint32, get_uint32;
    UInt64: u64, set_uint64;
}

impl Instance {
    #[cold]
    fn unfit(&self, function: &'static str, place: usize, value: i64, kind: Kind) -> Box<super::CallError> {
        let unfit = Unfit {
            place,
            variable: None,
            value: value.into(),
            kind,
        };
        self.error(function, Trouble::Unfit(unfit))
    }

    #[cold]
    fn too_large(&self, function: &'static str, place: usize, value: u64) -> Box<super::CallError> {
        let unfit = Unfit {
            place,
            variable: None,
            value: value.into(),
            kind: Kind::UInt64,
        };
        self.error(function, Trouble::TooLarge(unfit))
    }

    #[cold]
    fn no_integer(&self, kind: Kind) -> Box<super::CallError> {
        let why = format!("{kind:?} is no type of whole numbers in this version of FMI");
        self.error("fmi3SetInt64", Trouble::Refused(why))
    }
}

/// The place of the first number that does not fit is the error.
fn narrow<T: TryFrom<i64>>(to: &mut [T], from: &[i64]) -> Result<(), usize> {
    for (place, (to, &from)) in to.iter_mut().zip(from).enumerate() {
        *to = T::try_from(from).map_err(|_| place)?;
    }
    Ok(())
}

fn widen<T: Copy + Into<i64>>(to: &mut [i64], from: &[T]) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = from.into();
    }
}
