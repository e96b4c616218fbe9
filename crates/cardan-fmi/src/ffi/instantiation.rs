//! The call that makes an instance.

use std::ffi::{CString, c_char, c_int};
use std::ptr;
use std::sync::Arc;

use super::instance::{Instance, Setup, Usage};
use super::library::Functions;
use super::{environment, fmi2, fmi3, intermediate, location};

impl Instance {
    /// Calls the function that makes an instance, and says which one that was.
    pub(super) fn instantiate(&mut self, setup: &Setup<'_>) -> &'static str {
        let name = location::text(setup.name.as_bytes());
        let token = location::text(setup.token.as_bytes());
        // What an FMU has to say about its instantiation is worth hearing; categories are chosen right after.
        let logging = true;
        let environment = self.environment.address();
        let library = Arc::clone(&self.library);
        match &library.functions {
            Functions::V2(functions) => {
                environment::install_fmi2_logger();
                let callbacks = Box::new(fmi2::Callbacks {
                    logger: environment::cardan_fmi2_logger,
                    allocate_memory: environment::calloc,
                    free_memory: environment::free,
                    step_finished: None,
                    environment,
                });
                let usage = match setup.usage {
                    Usage::CoSimulation { .. } => fmi2::CO_SIMULATION,
                    Usage::ModelExchange => fmi2::MODEL_EXCHANGE,
                };
                let resources = setup.resources.map(location::uri).unwrap_or_default();
                let entry = &functions.instantiate;
                if let Some(instantiate) = entry.function {
                    self.entering(entry.name);
                    // SAFETY: the texts live until the call returns; the callbacks live in a box that is dropped after
                    // the instance was freed.
                    self.handle = unsafe {
                        instantiate(
                            name.as_ptr(),
                            usage,
                            token.as_ptr(),
                            resources.as_ptr(),
                            &raw const *callbacks,
                            0,
                            c_int::from(logging),
                        )
                    };
                }
                self.callbacks = Some(callbacks);
                entry.name
            }
            Functions::V3(functions) => {
                let resources: Option<CString> = setup.resources.map(location::path);
                let resources = resources.as_ref().map_or(ptr::null(), |text| text.as_ptr());
                let (name, token) = (name.as_ptr(), token.as_ptr());
                self.instantiate_fmi3(
                    functions,
                    setup.usage,
                    [name, token, resources],
                    u8::from(logging),
                )
            }
        }
    }

    fn instantiate_fmi3(
        &mut self,
        functions: &fmi3::Functions,
        usage: Usage<'_>,
        [name, token, resources]: [*const c_char; 3],
        logging: u8,
    ) -> &'static str {
        let (environment, log) = (self.environment.address(), environment::log);
        match usage {
            Usage::CoSimulation {
                event_mode,
                early_return,
                intermediate,
            } => {
                let update: Option<fmi3::IntermediateUpdate> = if intermediate.is_empty() {
                    None
                } else {
                    Some(intermediate::update)
                };
                let entry = &functions.instantiate_co_simulation;
                if let Some(instantiate) = entry.function {
                    self.entering(entry.name);
                    // SAFETY: texts and list live until the call returns; the callbacks are functions that are always
                    // there, and the environment is a number to us.
                    self.handle = unsafe {
                        instantiate(
                            name,
                            token,
                            resources,
                            0,
                            logging,
                            u8::from(event_mode),
                            u8::from(early_return),
                            intermediate.as_ptr(),
                            intermediate.len(),
                            environment,
                            log,
                            update,
                        )
                    };
                }
                entry.name
            }
            Usage::ModelExchange => {
                let entry = &functions.instantiate_model_exchange;
                if let Some(instantiate) = entry.function {
                    self.entering(entry.name);
                    // SAFETY: as above.
                    self.handle =
                        unsafe { instantiate(name, token, resources, 0, logging, environment, log) };
                }
                entry.name
            }
        }
    }
}
