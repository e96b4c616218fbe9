//! The functions of FMI 2.0.

use std::ffi::{c_char, c_int, c_void};

use super::table::table;

/// `fmi2Component`
pub(super) type Component = *mut c_void;
/// `fmi2FMUstate`
pub(super) type FmuState = *mut c_void;
/// `fmi2ValueReference`
pub(super) type Reference = u32;
/// `fmi2String`
pub(super) type Text = *const c_char;
/// `fmi2Status`
pub(super) type RawStatus = c_int;
/// `fmi2Integer`; also `fmi2Boolean`, which is a C `int` of 0 or 1.
pub(super) type Integer = c_int;

/// `fmi2Type`
pub(super) const MODEL_EXCHANGE: c_int = 0;
/// `fmi2Type`
pub(super) const CO_SIMULATION: c_int = 1;
/// `fmi2StatusKind`
pub(super) const LAST_SUCCESSFUL_TIME: c_int = 2;
/// `fmi2StatusKind`
pub(super) const TERMINATED: c_int = 3;

/// `fmi2CallbackFunctions`
#[repr(C)]
pub(super) struct Callbacks {
    pub(super) logger: unsafe extern "C" fn(*mut c_void, Text, RawStatus, Text, Text, ...),
    pub(super) allocate_memory: unsafe extern "C" fn(usize, usize) -> *mut c_void,
    pub(super) free_memory: unsafe extern "C" fn(*mut c_void),
    pub(super) step_finished: Option<unsafe extern "C" fn(*mut c_void, RawStatus)>,
    pub(super) environment: *mut c_void,
}

/// `fmi2EventInfo`
#[repr(C)]
#[derive(Default)]
pub(super) struct EventInfo {
    pub(super) new_discrete_states_needed: Integer,
    pub(super) terminate_simulation: Integer,
    pub(super) nominals_changed: Integer,
    pub(super) values_changed: Integer,
    pub(super) next_event_time_defined: Integer,
    pub(super) next_event_time: f64,
}

table! {
    /// All of them. What a run cannot do without must be there; the rest is found missing when it is called.
    Functions {
        Always {
            get_version = "fmi2GetVersion"() -> Text;
            instantiate = "fmi2Instantiate"(Text, c_int, Text, Text, *const Callbacks, Integer, Integer) -> Component;
            free_instance = "fmi2FreeInstance"(Component);
            setup_experiment = "fmi2SetupExperiment"(Component, Integer, f64, f64, Integer, f64) -> RawStatus;
            enter_initialization_mode = "fmi2EnterInitializationMode"(Component) -> RawStatus;
            exit_initialization_mode = "fmi2ExitInitializationMode"(Component) -> RawStatus;
            terminate = "fmi2Terminate"(Component) -> RawStatus;
            get_real = "fmi2GetReal"(Component, *const Reference, usize, *mut f64) -> RawStatus;
            set_real = "fmi2SetReal"(Component, *const Reference, usize, *const f64) -> RawStatus;
        }
        Never {
            get_types_platform = "fmi2GetTypesPlatform"() -> Text;
            set_debug_logging = "fmi2SetDebugLogging"(Component, Integer, usize, *const Text) -> RawStatus;
            reset = "fmi2Reset"(Component) -> RawStatus;
            get_integer = "fmi2GetInteger"(Component, *const Reference, usize, *mut Integer) -> RawStatus;
            get_boolean = "fmi2GetBoolean"(Component, *const Reference, usize, *mut Integer) -> RawStatus;
            get_string = "fmi2GetString"(Component, *const Reference, usize, *mut Text) -> RawStatus;
            set_integer = "fmi2SetInteger"(Component, *const Reference, usize, *const Integer) -> RawStatus;
            set_boolean = "fmi2SetBoolean"(Component, *const Reference, usize, *const Integer) -> RawStatus;
            set_string = "fmi2SetString"(Component, *const Reference, usize, *const Text) -> RawStatus;
            get_fmu_state = "fmi2GetFMUstate"(Component, *mut FmuState) -> RawStatus;
            set_fmu_state = "fmi2SetFMUstate"(Component, FmuState) -> RawStatus;
            free_fmu_state = "fmi2FreeFMUstate"(Component, *mut FmuState) -> RawStatus;
            serialized_size = "fmi2SerializedFMUstateSize"(Component, FmuState, *mut usize) -> RawStatus;
            serialize = "fmi2SerializeFMUstate"(Component, FmuState, *mut u8, usize) -> RawStatus;
            deserialize = "fmi2DeSerializeFMUstate"(Component, *const u8, usize, *mut FmuState) -> RawStatus;
            get_directional_derivative = "fmi2GetDirectionalDerivative"(
                Component, *const Reference, usize, *const Reference, usize, *const f64, *mut f64) -> RawStatus;
        }
        ModelExchange {
            enter_event_mode = "fmi2EnterEventMode"(Component) -> RawStatus;
            new_discrete_states = "fmi2NewDiscreteStates"(Component, *mut EventInfo) -> RawStatus;
            enter_continuous_time_mode = "fmi2EnterContinuousTimeMode"(Component) -> RawStatus;
            completed_integrator_step = "fmi2CompletedIntegratorStep"(
                Component, Integer, *mut Integer, *mut Integer) -> RawStatus;
            set_time = "fmi2SetTime"(Component, f64) -> RawStatus;
            set_continuous_states = "fmi2SetContinuousStates"(Component, *const f64, usize) -> RawStatus;
            get_derivatives = "fmi2GetDerivatives"(Component, *mut f64, usize) -> RawStatus;
            get_event_indicators = "fmi2GetEventIndicators"(Component, *mut f64, usize) -> RawStatus;
            get_continuous_states = "fmi2GetContinuousStates"(Component, *mut f64, usize) -> RawStatus;
            get_nominals = "fmi2GetNominalsOfContinuousStates"(Component, *mut f64, usize) -> RawStatus;
        }
        CoSimulation {
            do_step = "fmi2DoStep"(Component, f64, f64, Integer) -> RawStatus;
        }
        Never {
            set_input_derivatives = "fmi2SetRealInputDerivatives"(
                Component, *const Reference, usize, *const Integer, *const f64) -> RawStatus;
            get_output_derivatives = "fmi2GetRealOutputDerivatives"(
                Component, *const Reference, usize, *const Integer, *mut f64) -> RawStatus;
            get_real_status = "fmi2GetRealStatus"(Component, c_int, *mut f64) -> RawStatus;
            get_boolean_status = "fmi2GetBooleanStatus"(Component, c_int, *mut Integer) -> RawStatus;
        }
    }
}
