//! Steps of Co-Simulation.

use std::ffi::c_int;
use std::ptr;

use super::environment::lock;
use super::error::{Called, Trouble};
use super::fmi2;
use super::instance::{Instance, call};
use super::intermediate::{Hook, Intermediate};
use super::library::Functions;
use super::status::Status;

/// How a step went.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stepped {
    /// Where the FMU stands, in seconds.
    pub reached: f64,
    /// It was not possible to go so far. Only a saved state leads on.
    pub discarded: bool,
    /// It ended before, on purpose.
    pub early: bool,
    /// An event waits to be handled.
    pub event: bool,
    /// The FMU asks for the end of the simulation.
    pub terminate: bool,
}

impl Instance {
    /// Goes from `at` for `size` seconds. `no_return` promises that no state from before will be restored.
    #[inline(always)]
    pub fn do_step(&mut self, at: f64, size: f64, no_return: bool) -> Called<Stepped> {
        let library = &*self.library;
        match &library.functions {
            Functions::V2(f) => match call!(self, f.do_step(at, size, c_int::from(no_return))) {
                Ok(()) => Ok(Stepped {
                    reached: at + size,
                    discarded: false,
                    early: false,
                    event: false,
                    terminate: false,
                }),
                Err(error) if error.status() == Some(Status::Discard) => Ok(self.discarded_fmi2(f, at)),
                Err(error) => Err(error),
            },
            Functions::V3(f) => {
                let (mut event, mut terminate, mut early) = (0_u8, 0_u8, 0_u8);
                let mut reached = at + size;
                let outcome = call!(
                    self,
                    f.do_step(
                        at,
                        size,
                        u8::from(no_return),
                        &raw mut event,
                        &raw mut terminate,
                        &raw mut early,
                        &raw mut reached,
                    )
                );
                let discarded = match outcome {
                    Ok(()) => false,
                    Err(error) if error.status() == Some(Status::Discard) => true,
                    Err(error) => return Err(error),
                };
                Ok(Stepped {
                    reached,
                    discarded,
                    early: early != 0,
                    event: event != 0,
                    terminate: terminate != 0,
                })
            }
        }
    }

    /// The same, with somebody to call at the FMU's inner steps. FMI 3 only, and only if variables for it were named
    /// at instantiation.
    pub fn do_step_with(
        &mut self,
        at: f64,
        size: f64,
        no_return: bool,
        listener: &mut dyn Intermediate,
    ) -> Called<Stepped> {
        let functions = match &self.library.functions {
            Functions::V2(_) => return self.do_step(at, size, no_return),
            Functions::V3(functions) => ptr::from_ref(functions),
        };
        // SAFETY: the hook is taken back below, before the listener and the functions can go away.
        let hook = unsafe { Hook::new(self.handle, functions, listener) };
        *lock(&self.environment.hook) = Some(hook);
        let outcome = self.do_step(at, size, no_return);
        let hook = lock(&self.environment.hook).take();
        match hook.and_then(|hook| hook.failure) {
            // What went wrong inside comes first: the failure of the step may follow from it.
            Some((function, status)) => Err(self.error(function, Trouble::Status(status))),
            None => outcome,
        }
    }

    /// Not every FMU tells how far it came; then it is as if it had not moved.
    #[cold]
    fn discarded_fmi2(&self, f: &fmi2::Functions, at: f64) -> Stepped {
        let (mut reached, mut terminated) = (at, 0);
        if call!(
            self,
            f.get_real_status(fmi2::LAST_SUCCESSFUL_TIME, &raw mut reached)
        )
        .is_err()
        {
            reached = at;
        }
        if call!(self, f.get_boolean_status(fmi2::TERMINATED, &raw mut terminated)).is_err() {
            terminated = 0;
        }
        Stepped {
            reached,
            discarded: true,
            early: false,
            event: false,
            terminate: terminated != 0,
        }
    }

    /// FMI 2: tells derivatives of inputs, `orders` counted from one. An FMU that does not take them can go on without,
    /// so its refusal does not count as the end of it.
    pub fn set_input_derivatives(
        &mut self,
        references: &[u32],
        orders: &[i32],
        values: &[f64],
    ) -> Called<()> {
        const FUNCTION: &str = "fmi2SetRealInputDerivatives";
        let count = references.len();
        if orders.len() != count || values.len() != count {
            return Err(self.uneven(FUNCTION, count, values.len().min(orders.len())));
        }
        match &self.library.functions {
            Functions::V2(f) => {
                let (references, orders) = (references.as_ptr(), orders.as_ptr());
                self.forgiving(|| {
                    call!(
                        self,
                        f.set_input_derivatives(references, count, orders, values.as_ptr())
                    )
                })
            }
            Functions::V3(_) => {
                let why = "FMI 3 has no such function".to_string();
                Err(self.error(FUNCTION, Trouble::Refused(why)))
            }
        }
    }

    /// Derivatives of outputs, `orders` counted from one. With FMI 3 an array has several values. An FMU that does not
    /// have them can go on as well.
    pub fn get_output_derivatives(
        &mut self,
        references: &[u32],
        orders: &[i32],
        values: &mut [f64],
    ) -> Called<()> {
        let count = references.len();
        let (pointer, order) = (references.as_ptr(), orders.as_ptr());
        match &self.library.functions {
            Functions::V2(f) if orders.len() != count || values.len() != count => Err(self.uneven(
                f.get_output_derivatives.name,
                count,
                values.len().min(orders.len()),
            )),
            Functions::V2(f) => self.forgiving(|| {
                call!(
                    self,
                    f.get_output_derivatives(pointer, count, order, values.as_mut_ptr())
                )
            }),
            Functions::V3(f) if orders.len() != count => {
                Err(self.uneven(f.get_output_derivatives.name, count, orders.len()))
            }
            Functions::V3(f) => self.forgiving(|| {
                call!(
                    self,
                    f.get_output_derivatives(pointer, count, order, values.as_mut_ptr(), values.len())
                )
            }),
        }
    }
}
