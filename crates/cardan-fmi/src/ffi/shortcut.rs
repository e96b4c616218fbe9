//! The usual step by the shortest way.
//!
//! A run of a thousand FMUs waits for memory more than for anything else. What a step with a few real inputs and
//! outputs needs (the handle, three functions, the value references, room for the values) lies here side by side, in
//! two or three cache lines instead of a dozen.

use std::cell::Cell;
use std::ffi::{c_int, c_void};

use super::error::Called;
use super::fmi3;
use super::instance::Instance;
use super::library::Functions;
use super::status::Status;
use super::stepping::Stepped;

/// More values than this are not worth a shortcut: copying them costs more than finding them.
const MOST: usize = 4;

type Set2 = unsafe extern "C" fn(*mut c_void, *const u32, usize, *const f64) -> c_int;
type Get2 = unsafe extern "C" fn(*mut c_void, *const u32, usize, *mut f64) -> c_int;
type Step2 = unsafe extern "C" fn(*mut c_void, f64, f64, c_int) -> c_int;
type Set3 = unsafe extern "C" fn(*mut c_void, *const u32, usize, *const f64, usize) -> c_int;
type Get3 = unsafe extern "C" fn(*mut c_void, *const u32, usize, *mut f64, usize) -> c_int;
type Step3 = unsafe extern "C" fn(
    *mut c_void,
    f64,
    f64,
    fmi3::Boolean,
    *mut fmi3::Boolean,
    *mut fmi3::Boolean,
    *mut fmi3::Boolean,
    *mut f64,
) -> c_int;

#[derive(Clone, Copy)]
enum Calls {
    V2 { set: Set2, step: Step2, get: Get2 },
    V3 { set: Set3, step: Step3, get: Get3 },
}

/// See the [module](self).
#[repr(align(64))]
pub(super) struct Shortcut {
    /// Null once the instance must not be called any more.
    handle: Cell<*mut c_void>,
    calls: Calls,
    input_count: usize,
    output_count: usize,
    inputs: [u32; MOST],
    outputs: [u32; MOST],
    values: [f64; MOST],
}

impl Shortcut {
    /// Closes it for good.
    pub(super) fn close(&self) {
        self.handle.set(std::ptr::null_mut());
    }
}

impl Instance {
    /// Prepares the shortcut for scalar real inputs and outputs with these references. Says whether there is one.
    pub fn shorten(&mut self, inputs: &[u32], outputs: &[u32]) -> bool {
        self.shortcut = self.shortcut_for(inputs, outputs).map(Box::new);
        self.shortcut.is_some()
    }

    fn shortcut_for(&self, inputs: &[u32], outputs: &[u32]) -> Option<Shortcut> {
        if inputs.len() > MOST || outputs.len() > MOST || !self.is_alive() {
            return None;
        }
        let calls = match &self.library.functions {
            Functions::V2(f) => Calls::V2 {
                set: f.set_real.function?,
                step: f.do_step.function?,
                get: f.get_real.function?,
            },
            Functions::V3(f) => Calls::V3 {
                set: f.set_float64.function?,
                step: f.do_step.function?,
                get: f.get_float64.function?,
            },
        };
        let padded = |references: &[u32]| {
            let mut all = [0; MOST];
            all[..references.len()].copy_from_slice(references);
            all
        };
        Some(Shortcut {
            handle: Cell::new(self.handle),
            calls,
            input_count: inputs.len(),
            output_count: outputs.len(),
            inputs: padded(inputs),
            outputs: padded(outputs),
            values: [0.0; MOST],
        })
    }

    /// Sets the inputs that `fill` writes and steps. None inside if the step simply arrived; none at all if there is no
    /// shortcut, and nothing was called.
    #[inline]
    pub fn short_step(
        &mut self,
        at: f64,
        size: f64,
        no_return: bool,
        fill: impl FnOnce(&mut [f64]),
    ) -> Option<Called<Option<Stepped>>> {
        let shortcut = &mut **self.shortcut.as_mut()?;
        let handle = shortcut.handle.get();
        if handle.is_null() {
            return None;
        }
        let count = shortcut.input_count;
        if count > 0 {
            fill(&mut shortcut.values[..count]);
            let (references, values) = (shortcut.inputs.as_ptr(), shortcut.values.as_ptr());
            let status = match shortcut.calls {
                // SAFETY: the handle came from the library of these functions and is not freed before the instance,
                // which owns the shortcut. Both arrays have `count` elements.
                Calls::V2 { set, .. } => unsafe { set(handle, references, count, values) },
                // SAFETY: the same.
                Calls::V3 { set, .. } => unsafe { set(handle, references, count, values, count) },
            };
            if !(0..=1).contains(&status) {
                let set = self.names().0;
                return Some(Err(self.left_badly(set, status)));
            }
        }
        let (mut event, mut terminate, mut early) = (0, 0, 0);
        let mut reached = at + size;
        let status = match self.shortcut.as_ref()?.calls {
            // SAFETY: as above.
            Calls::V2 { step, .. } => unsafe { step(handle, at, size, c_int::from(no_return)) },
            // SAFETY: as above; the places live through the call.
            Calls::V3 { step, .. } => unsafe {
                step(
                    handle,
                    at,
                    size,
                    u8::from(no_return),
                    &raw mut event,
                    &raw mut terminate,
                    &raw mut early,
                    &raw mut reached,
                )
            },
        };
        if (0..=1).contains(&status) && event | terminate | early == 0 {
            return Some(Ok(None));
        }
        let stepped = Stepped {
            reached,
            discarded: false,
            early: early != 0,
            event: event != 0,
            terminate: terminate != 0,
        };
        Some(self.unusual_step(at, status, stepped).map(Some))
    }

    /// Gets the outputs. False if there is no shortcut, and nothing was called.
    #[inline]
    pub fn short_get(&mut self, values: &mut [f64]) -> Called<bool> {
        let Some(shortcut) = &self.shortcut else {
            return Ok(false);
        };
        let (handle, count) = (shortcut.handle.get(), shortcut.output_count);
        if handle.is_null() || values.len() != count {
            return Ok(false);
        }
        let (references, values) = (shortcut.outputs.as_ptr(), values.as_mut_ptr());
        let status = match shortcut.calls {
            // SAFETY: the handle as above; both arrays have `count` elements.
            Calls::V2 { get, .. } => unsafe { get(handle, references, count, values) },
            // SAFETY: the same.
            Calls::V3 { get, .. } => unsafe { get(handle, references, count, values, count) },
        };
        if (0..=1).contains(&status) {
            return Ok(true);
        }
        let get = self.names().2;
        Err(self.left_badly(get, status))
    }

    #[cold]
    fn unusual_step(&self, at: f64, status: c_int, stepped: Stepped) -> Called<Stepped> {
        match (Status::from_raw(status), &self.library.functions) {
            (Status::Ok | Status::Warning, _) => Ok(stepped),
            (Status::Discard, Functions::V2(f)) => Ok(self.discarded_fmi2(f, at)),
            (Status::Discard, Functions::V3(_)) => Ok(Stepped {
                discarded: true,
                ..stepped
            }),
            _ => Err(self.left_badly(self.names().1, status)),
        }
    }

    /// The names of the three functions, for what is said of them.
    fn names(&self) -> (&'static str, &'static str, &'static str) {
        match &self.library.functions {
            Functions::V2(f) => (f.set_real.name, f.do_step.name, f.get_real.name),
            Functions::V3(f) => (f.set_float64.name, f.do_step.name, f.get_float64.name),
        }
    }
}
