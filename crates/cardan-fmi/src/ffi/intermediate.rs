//! The callback of FMI 3 at the inner steps of an FMU.

use std::ffi::c_void;
use std::ptr::NonNull;

use super::environment::Environment;
use super::fmi3;
use super::status::Status;

/// Somebody to call at the inner steps of an FMU.
pub trait Intermediate: Send {
    /// The FMU has come to a moment inside the step that is on its way.
    fn update(&mut self, moment: Moment, access: &mut Access<'_>);
}

/// A moment inside a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moment {
    /// In seconds.
    pub time: f64,
    /// May inputs be set?
    pub set_requested: bool,
    /// May outputs be read?
    pub get_allowed: bool,
    /// Is an inner step complete?
    pub step_finished: bool,
}

/// What may be done with the FMU at such a moment. What goes wrong here ends the step with an error.
pub struct Access<'a> {
    handle: *mut c_void,
    functions: &'a fmi3::Functions,
    failure: &'a mut Option<(&'static str, Status)>,
}

impl Access<'_> {
    /// Sets inputs that were named at instantiation.
    pub fn set_f64(&mut self, references: &[u32], values: &[f64]) {
        let entry = &self.functions.set_float64;
        if let Some(set) = entry.function {
            let (count, pointer) = (references.len(), references.as_ptr());
            // SAFETY: the FMU is inside of its step and has asked for this; the slices are as long as is said.
            let status = unsafe { set(self.handle, pointer, count, values.as_ptr(), values.len()) };
            self.note(entry.name, status);
        }
    }

    /// Gets variables that were named at instantiation.
    pub fn get_f64(&mut self, references: &[u32], values: &mut [f64]) {
        let entry = &self.functions.get_float64;
        if let Some(get) = entry.function {
            let (count, pointer) = (references.len(), references.as_ptr());
            // SAFETY: as above.
            let status = unsafe { get(self.handle, pointer, count, values.as_mut_ptr(), values.len()) };
            self.note(entry.name, status);
        }
    }

    fn note(&mut self, function: &'static str, status: i32) {
        let status = Status::from_raw(status);
        if status > Status::Warning && self.failure.is_none() {
            *self.failure = Some((function, status));
        }
    }
}

/// What the callback needs while a step is on its way.
pub(super) struct Hook {
    handle: *mut c_void,
    functions: NonNull<fmi3::Functions>,
    listener: NonNull<dyn Intermediate>,
    pub(super) failure: Option<(&'static str, Status)>,
}

// SAFETY: the listener may be used by other threads, and is used by one at a time because the hook lies behind a lock.
// The functions are never written. The handle is the FMU's, which calls us.
unsafe impl Send for Hook {}

impl Hook {
    /// # Safety
    /// The hook must be gone before the listener or the functions are.
    pub(super) unsafe fn new<'a>(
        handle: *mut c_void,
        functions: *const fmi3::Functions,
        listener: &'a mut (dyn Intermediate + 'a),
    ) -> Self {
        let listener: NonNull<dyn Intermediate + 'a> = NonNull::from(listener);
        // SAFETY: only the lifetime changes, and the caller looks after that. The functions come from a reference.
        let (listener, functions) = unsafe {
            let listener =
                std::mem::transmute::<NonNull<dyn Intermediate + 'a>, NonNull<dyn Intermediate>>(listener);
            (listener, NonNull::new_unchecked(functions.cast_mut()))
        };
        Hook {
            handle,
            functions,
            listener,
            failure: None,
        }
    }

    fn update(&mut self, moment: Moment) {
        // SAFETY: both are alive while the hook is, and the lock around the hook lets nobody else use the listener.
        let (functions, listener) = unsafe { (self.functions.as_ref(), self.listener.as_mut()) };
        let mut access = Access {
            handle: self.handle,
            functions,
            failure: &mut self.failure,
        };
        listener.update(moment, &mut access);
    }
}

/// `fmi3IntermediateUpdateCallback`
///
/// # Safety
/// The pointers are null or point to what the standard says.
#[allow(clippy::too_many_arguments, reason = "the standard wants them")]
pub(super) unsafe extern "C" fn update(
    environment: *mut c_void,
    time: f64,
    set_requested: u8,
    get_allowed: u8,
    step_finished: u8,
    _can_return_early: u8,
    early_return_requested: *mut u8,
    _early_return_time: *mut f64,
) {
    if !early_return_requested.is_null() {
        // SAFETY: the FMU gives the place for our answer, which is no.
        unsafe { early_return_requested.write(0) };
    }
    let Some(environment) = Environment::of(environment) else {
        return;
    };
    // A lock that is taken means a call from inside of a call. The FMU does not wait for an answer to that.
    if let Ok(mut hook) = environment.hook.try_lock()
        && let Some(hook) = hook.as_mut()
    {
        hook.update(Moment {
            time,
            set_requested: set_requested != 0,
            get_allowed: get_allowed != 0,
            step_finished: step_finished != 0,
        });
    }
}
