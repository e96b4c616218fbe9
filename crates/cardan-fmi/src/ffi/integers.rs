//! Setting and getting whole numbers of any width.

use std::ffi::c_int;

use super::error::{Called, Trouble};
use super::instance::{Instance, call};
use super::library::Functions;
use super::values::room;
use crate::description::Kind;

/// Writes the two methods; one arm for each width.
macro_rules! widths {
    ($($kind:ident: $number:ty, $set:ident, $get:ident;)*) => {
        impl Instance {
            /// Sets whole numbers of one kind. A number that does not fit is refused; those of `UInt64` beyond the
            /// half travel as negative ones.
            pub fn set_integers(&mut self, kind: Kind, references: &[u32], values: &[i64]) -> Called<()> {
                let (count, pointer) = (references.len(), references.as_ptr());
                match (&self.library.functions, kind) {
                    (Functions::V2(f), Kind::Int32 | Kind::Enumeration) => {
                        if count != values.len() {
                            return Err(self.uneven(f.set_integer.name, count, values.len()));
                        }
                        let room = room::<c_int>(&mut self.scratch.words, count);
                        if let Err(value) = narrow(room, values) {
                            return Err(self.unfit(f.set_integer.name, value, kind));
                        }
                        let values = room.as_ptr();
                        call!(self, f.set_integer(pointer, count, values))
                    }
                    (Functions::V3(f), Kind::Int64 | Kind::Enumeration) => {
                        call!(self, f.set_int64(pointer, count, values.as_ptr(), values.len()))
                    }
                    // The same bits with another sign.
                    (Functions::V3(f), Kind::UInt64) => {
                        call!(self, f.set_uint64(pointer, count, values.as_ptr().cast(), values.len()))
                    }
                    $((Functions::V3(f), Kind::$kind) => {
                        let room = room::<$number>(&mut self.scratch.words, values.len());
                        if let Err(value) = narrow(room, values) {
                            return Err(self.unfit(f.$set.name, value, kind));
                        }
                        let narrowed = room.as_ptr();
                        call!(self, f.$set(pointer, count, narrowed, values.len()))
                    })*
                    _ => Err(self.no_integer(kind)),
                }
            }

            /// Gets whole numbers of one kind.
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
                        call!(self, f.get_uint64(pointer, count, values.as_mut_ptr().cast(), values.len()))
                    }
                    $((Functions::V3(f), Kind::$kind) => {
                        let raw = room::<$number>(&mut self.scratch.words, values.len()).as_mut_ptr();
                        call!(self, f.$get(pointer, count, raw, values.len()))?;
                        widen(values, room::<$number>(&mut self.scratch.words, values.len()));
                        Ok(())
                    })*
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
}

impl Instance {
    #[cold]
    fn unfit(&self, function: &'static str, value: i64, kind: Kind) -> Box<super::CallError> {
        self.error(function, Trouble::Refused(format!("{value} is no {kind:?}")))
    }

    #[cold]
    fn no_integer(&self, kind: Kind) -> Box<super::CallError> {
        let why = format!("{kind:?} is no type of whole numbers in this version of FMI");
        self.error("fmi3SetInt64", Trouble::Refused(why))
    }
}

/// The first number that does not fit is the error.
fn narrow<T: TryFrom<i64>>(to: &mut [T], from: &[i64]) -> Result<(), i64> {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = T::try_from(from).map_err(|_| from)?;
    }
    Ok(())
}

fn widen<T: Copy + Into<i64>>(to: &mut [i64], from: &[T]) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = from.into();
    }
}
