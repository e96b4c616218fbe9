//! One model of a loaded binary.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ffi::{c_char, c_int, c_void};
use std::path::Path;
use std::ptr;
use std::sync::{Arc, Mutex};

use super::environment::{Environment, lock};
use super::error::{CallError, Called, LoadError, Trouble};
use super::fmi2;
use super::library::{Functions, Library};
use super::state::Kept;
use super::status::Status;

/// How an FMU is used.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Usage<'a> {
    /// The FMU steps itself.
    CoSimulation {
        /// FMI 3: we handle its events.
        event_mode: bool,
        /// FMI 3: it may end a step at an event.
        early_return: bool,
        /// FMI 3: what is to be set or read at its inner steps; with none it does not call back.
        intermediate: &'a [u32],
    },
    /// We solve its equations.
    ModelExchange,
}

/// What an FMU is to tell of what it does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Logging {
    /// Only what it cannot keep to itself.
    Off,
    /// Everything. Messages that are neither warnings nor errors are for debugging here.
    #[default]
    All,
    /// These categories.
    Categories(Vec<String>),
}

/// All that an instance needs to come into being.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// Told to the FMU, and shown with its messages.
    pub name: &'a str,
    /// The `guid` or `instantiationToken` of the description.
    pub token: &'a str,
    /// The folder of its resources, as an absolute path.
    pub resources: Option<&'a Path>,
    /// What it is to tell.
    pub logging: &'a Logging,
    /// Does the FMU allow one instance in a process only?
    pub once_per_process: bool,
    /// How it is used.
    pub usage: Usage<'a>,
}

/// Where an instance is in its life, as far as freeing it properly needs to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Instantiated,
    Initializing,
    /// Between initialisation and termination.
    Running,
    Terminated,
    /// After an error it may be freed, reset, or go back to a saved state.
    Failed,
    /// After a fatal error nothing may be called, not even what frees it.
    Dead,
}

/// One model of a loaded binary. See the [module](super) for what is where.
///
/// In the order of declaration, so that what every step touches lies together at the beginning.
#[repr(C)]
pub struct Instance {
    pub(super) library: Arc<Library>,
    pub(super) handle: *mut c_void,
    pub(super) phase: Cell<Phase>,
    pub(super) environment: Arc<Environment>,
    pub(super) states: Vec<Option<Kept>>,
    pub(super) scratch: Scratch,
    /// FMI 2 keeps the address of it.
    pub(super) callbacks: Option<Box<fmi2::Callbacks>>,
    /// The token, if there may be one instance only.
    only: Option<String>,
    /// Would it log more if it were asked to?
    pub(crate) says_more: bool,
}

/// Room for values on their way between our types and those of the FMU. Nothing in it outlives a call.
#[derive(Default)]
pub(super) struct Scratch {
    /// For whole numbers and single precision; as words, so that it is aligned for all of them.
    pub(super) words: Vec<u64>,
    pub(super) pointers: Vec<*const c_char>,
    pub(super) sizes: Vec<usize>,
    pub(super) text: Vec<u8>,
}

// SAFETY: an instance is called by one thread at a time, because all calls take `&mut self` and it cannot be shared.
// The standard lets the importer call from different threads one after the other; an FMU that ties itself to a thread
// is broken, and `thread_mates` keeps participants of one binary together where the user does not say otherwise. The
// pointers in it are the FMU's own handles and scratch room, which nobody else knows.
unsafe impl Send for Instance {}

/// Tokens of the living instances that must be alone.
static ALONE: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

impl Instance {
    /// Makes an instance. The library must have been opened for the same use.
    pub fn new(library: Arc<Library>, setup: &Setup<'_>) -> Result<Self, LoadError> {
        let only = setup.once_per_process.then(|| setup.token.to_string());
        if let Some(token) = &only
            && !lock(&ALONE).insert(token.clone())
        {
            return Err(LoadError::Crowded);
        }
        // From here on, dropping what was made so far cleans up.
        let mut instance = Instance {
            library,
            handle: ptr::null_mut(),
            environment: Environment::new(setup.name),
            phase: Cell::new(Phase::Instantiated),
            states: Vec::new(),
            scratch: Scratch::default(),
            callbacks: None,
            only,
            says_more: false,
        };
        let function = instance.instantiate(setup);
        if instance.handle.is_null() {
            return Err(LoadError::Instantiate {
                function,
                messages: instance.environment.take_messages(),
            });
        }
        instance.choose_logging(setup.logging);
        Ok(instance)
    }

    /// The binary it was made from.
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// May it still be called at all?
    pub fn is_alive(&self) -> bool {
        self.phase.get() != Phase::Dead
    }

    /// Every call into foreign code passes here first: the seam for watching over it.
    #[inline(always)]
    pub(super) fn entering(&self, _function: &'static str) {}

    /// And comes out here.
    #[inline(always)]
    pub(super) fn left(&self, function: &'static str, status: c_int) -> Called<()> {
        // OK, or a warning, which the logger has passed on.
        if (0..=1).contains(&status) {
            return Ok(());
        }
        Err(self.troubled(function, Status::from_raw(status)))
    }

    #[cold]
    fn troubled(&self, function: &'static str, status: Status) -> Box<CallError> {
        match status {
            // A step that another thread of the FMU is still at work on leaves nothing that may be called either.
            Status::Fatal | Status::Pending => self.phase.set(Phase::Dead),
            Status::Error => self.phase.set(Phase::Failed),
            _ => {}
        }
        self.error(function, Trouble::Status(status))
    }

    #[cold]
    pub(super) fn error(&self, function: &'static str, trouble: Trouble) -> Box<CallError> {
        Box::new(CallError {
            function,
            trouble,
            messages: self.environment.take_messages(),
            says_more: self.says_more,
        })
    }

    /// Of what an FMU can go on without, an error is not the end of it.
    pub(super) fn forgiving(&self, called: impl FnOnce() -> Called<()>) -> Called<()> {
        let phase = self.phase.get();
        let outcome = called();
        if matches!(&outcome, Err(error) if error.status() == Some(Status::Error)) {
            self.phase.set(phase);
        }
        outcome
    }

    /// Nothing was called, because the numbers of references and values differ.
    #[cold]
    pub(super) fn uneven(&self, function: &'static str, references: usize, values: usize) -> Box<CallError> {
        let why = format!("{references} value references do not fit {values} values");
        self.error(function, Trouble::Refused(why))
    }
}

/// Calls a function of a table with the handle of an instance.
///
/// What is passed must be as the standard asks: pointers to as many elements as is said, which live until the call
/// returns.
macro_rules! call {
    ($instance:ident, $functions:ident.$entry:ident($($argument:expr),* $(,)?)) => {{
        let entry = &$functions.$entry;
        match entry.function {
            Some(_) if $instance.phase.get() == $crate::ffi::instance::Phase::Dead => {
                Err($instance.error(entry.name, $crate::ffi::error::Trouble::Dead))
            }
            Some(function) => {
                $instance.entering(entry.name);
                // SAFETY: the handle came from the library of this table and was not freed, for that is done when the
                // instance is dropped. The other arguments are pointers to places that live through the call and have
                // the length that is passed along or that the standard asks for.
                let status = unsafe { function($instance.handle, $($argument),*) };
                $instance.left(entry.name, status)
            }
            None => Err($instance.error(entry.name, $crate::ffi::error::Trouble::Missing)),
        }
    }};
}

pub(super) use call;

impl Drop for Instance {
    fn drop(&mut self) {
        if !self.handle.is_null() && self.phase.get() != Phase::Dead {
            if self.phase.get() == Phase::Running {
                // There is nobody left to tell.
                let _ = self.terminate();
            }
            if self.phase.get() != Phase::Dead {
                self.free_all_states();
                self.free();
            }
        }
        self.environment.retire();
        if let Some(token) = &self.only {
            lock(&ALONE).remove(token);
        }
    }
}

impl Instance {
    fn free(&mut self) {
        let (name, function) = match &self.library.functions {
            Functions::V2(functions) => (functions.free_instance.name, functions.free_instance.function),
            Functions::V3(functions) => (functions.free_instance.name, functions.free_instance.function),
        };
        if let Some(free) = function {
            self.entering(name);
            // SAFETY: the handle came from this library, and nobody uses it after this.
            unsafe { free(self.handle) };
        }
        self.handle = ptr::null_mut();
    }
}
