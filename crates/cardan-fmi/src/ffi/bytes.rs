//! Setting and getting texts and binary values.

use std::ffi::CStr;
use std::{ptr, slice};

use super::error::{Called, Trouble};
use super::instance::{Instance, call};
use super::library::Functions;

impl Instance {
    /// Sets texts. C ends a text with a zero byte, so one inside of it is refused.
    pub fn set_strings(&mut self, references: &[u32], values: &[Vec<u8>]) -> Called<()> {
        if values.iter().any(|value| value.contains(&0)) {
            let why = "a text contains a zero byte".to_string();
            let function = match &self.library.functions {
                Functions::V2(f) => f.set_string.name,
                Functions::V3(f) => f.set_string.name,
            };
            return Err(self.error(function, Trouble::Refused(why)));
        }
        let scratch = &mut self.scratch;
        scratch.text.clear();
        for value in values {
            scratch.text.extend_from_slice(value);
            scratch.text.push(0);
        }
        scratch.pointers.clear();
        let mut rest = scratch.text.as_slice();
        for value in values {
            scratch.pointers.push(rest.as_ptr().cast());
            rest = &rest[value.len() + 1..];
        }
        let (count, pointer) = (references.len(), references.as_ptr());
        let texts = scratch.pointers.as_ptr();
        match &self.library.functions {
            Functions::V2(f) if count != values.len() => {
                Err(self.uneven(f.set_string.name, count, values.len()))
            }
            Functions::V2(f) => call!(self, f.set_string(pointer, count, texts)),
            Functions::V3(f) => call!(self, f.set_string(pointer, count, texts, values.len())),
        }
    }

    /// Gets texts. They are the FMU's until the next call, so they are copied.
    pub fn get_strings(&mut self, references: &[u32], values: &mut [Vec<u8>]) -> Called<()> {
        let (count, pointer) = (references.len(), references.as_ptr());
        self.scratch.pointers.clear();
        self.scratch.pointers.resize(values.len(), ptr::null());
        let texts = self.scratch.pointers.as_mut_ptr();
        match &self.library.functions {
            Functions::V2(f) if count != values.len() => {
                return Err(self.uneven(f.get_string.name, count, values.len()));
            }
            Functions::V2(f) => call!(self, f.get_string(pointer, count, texts))?,
            Functions::V3(f) => call!(self, f.get_string(pointer, count, texts, values.len()))?,
        }
        for (value, &text) in values.iter_mut().zip(&self.scratch.pointers) {
            value.clear();
            if !text.is_null() {
                // SAFETY: the FMU gave a text that ends with a zero byte and stays until it is called again.
                value.extend_from_slice(unsafe { CStr::from_ptr(text) }.to_bytes());
            }
        }
        Ok(())
    }

    /// FMI 3: sets binary values.
    pub fn set_binaries(&mut self, references: &[u32], values: &[Vec<u8>]) -> Called<()> {
        let scratch = &mut self.scratch;
        scratch.sizes.clear();
        scratch.sizes.extend(values.iter().map(Vec::len));
        scratch.pointers.clear();
        scratch
            .pointers
            .extend(values.iter().map(|value| value.as_ptr().cast()));
        let (sizes, bytes) = (scratch.sizes.as_ptr(), scratch.pointers.as_ptr().cast());
        match &self.library.functions {
            Functions::V2(_) => Err(self.not_in_fmi2("fmi3SetBinary")),
            Functions::V3(f) => call!(
                self,
                f.set_binary(references.as_ptr(), references.len(), sizes, bytes, values.len())
            ),
        }
    }

    /// FMI 3: gets binary values, copying them.
    pub fn get_binaries(&mut self, references: &[u32], values: &mut [Vec<u8>]) -> Called<()> {
        let scratch = &mut self.scratch;
        scratch.sizes.clear();
        scratch.sizes.resize(values.len(), 0);
        scratch.pointers.clear();
        scratch.pointers.resize(values.len(), ptr::null());
        let (sizes, bytes) = (scratch.sizes.as_mut_ptr(), scratch.pointers.as_mut_ptr().cast());
        match &self.library.functions {
            Functions::V2(_) => return Err(self.not_in_fmi2("fmi3GetBinary")),
            Functions::V3(f) => call!(
                self,
                f.get_binary(references.as_ptr(), references.len(), sizes, bytes, values.len())
            )?,
        }
        let given = self.scratch.pointers.iter().zip(&self.scratch.sizes);
        for (value, (&bytes, &size)) in values.iter_mut().zip(given) {
            value.clear();
            if !bytes.is_null() {
                // SAFETY: the FMU gave so many bytes, which stay until it is called again.
                value.extend_from_slice(unsafe { slice::from_raw_parts(bytes.cast(), size) });
            }
        }
        Ok(())
    }
}
