//! The functions of FMI 3.0.

use std::ffi::{c_char, c_int, c_void};

use super::table::table;

/// `fmi3Instance`
pub(super) type Handle = *mut c_void;
/// `fmi3InstanceEnvironment`
pub(super) type Environment = *mut c_void;
/// `fmi3FMUState`
pub(super) type FmuState = *mut c_void;
/// `fmi3ValueReference`
pub(super) type Reference = u32;
/// `fmi3String`
pub(super) type Text = *const c_char;
/// `fmi3Status`
pub(super) type RawStatus = c_int;
/// `fmi3Boolean` and `fmi3Clock`. They are a C `bool`, but what foreign code writes into one need not be 0 or 1, so
/// they are read as bytes.
pub(super) type Boolean = u8;

type LogMessage = unsafe extern "C" fn(Environment, RawStatus, Text, Text);

/// `fmi3IntermediateUpdateCallback`
pub(super) type IntermediateUpdate =
    unsafe extern "C" fn(Environment, f64, Boolean, Boolean, Boolean, Boolean, *mut Boolean, *mut f64);

table! {
    /// All that are of use here. Fractions of clocks' intervals come as decimals, scheduled execution is not offered.
    Functions {
        Always {
            get_version = "fmi3GetVersion"() -> Text;
            free_instance = "fmi3FreeInstance"(Handle);
            enter_initialization_mode = "fmi3EnterInitializationMode"(Handle, Boolean, f64, f64, Boolean, f64) -> RawStatus;
            exit_initialization_mode = "fmi3ExitInitializationMode"(Handle) -> RawStatus;
            terminate = "fmi3Terminate"(Handle) -> RawStatus;
            get_float64 = "fmi3GetFloat64"(Handle, *const Reference, usize, *mut f64, usize) -> RawStatus;
            set_float64 = "fmi3SetFloat64"(Handle, *const Reference, usize, *const f64, usize) -> RawStatus;
        }
        Never {
            set_debug_logging = "fmi3SetDebugLogging"(Handle, Boolean, usize, *const Text) -> RawStatus;
            reset = "fmi3Reset"(Handle) -> RawStatus;
            get_float32 = "fmi3GetFloat32"(Handle, *const Reference, usize, *mut f32, usize) -> RawStatus;
            get_int8 = "fmi3GetInt8"(Handle, *const Reference, usize, *mut i8, usize) -> RawStatus;
            get_uint8 = "fmi3GetUInt8"(Handle, *const Reference, usize, *mut u8, usize) -> RawStatus;
            get_int16 = "fmi3GetInt16"(Handle, *const Reference, usize, *mut i16, usize) -> RawStatus;
            get_uint16 = "fmi3GetUInt16"(Handle, *const Reference, usize, *mut u16, usize) -> RawStatus;
            get_int32 = "fmi3GetInt32"(Handle, *const Reference, usize, *mut i32, usize) -> RawStatus;
            get_uint32 = "fmi3GetUInt32"(Handle, *const Reference, usize, *mut u32, usize) -> RawStatus;
            get_int64 = "fmi3GetInt64"(Handle, *const Reference, usize, *mut i64, usize) -> RawStatus;
            get_uint64 = "fmi3GetUInt64"(Handle, *const Reference, usize, *mut u64, usize) -> RawStatus;
            get_boolean = "fmi3GetBoolean"(Handle, *const Reference, usize, *mut Boolean, usize) -> RawStatus;
            get_string = "fmi3GetString"(Handle, *const Reference, usize, *mut Text, usize) -> RawStatus;
            get_binary = "fmi3GetBinary"(
                Handle, *const Reference, usize, *mut usize, *mut *const u8, usize) -> RawStatus;
            get_clock = "fmi3GetClock"(Handle, *const Reference, usize, *mut Boolean) -> RawStatus;
            set_float32 = "fmi3SetFloat32"(Handle, *const Reference, usize, *const f32, usize) -> RawStatus;
            set_int8 = "fmi3SetInt8"(Handle, *const Reference, usize, *const i8, usize) -> RawStatus;
            set_uint8 = "fmi3SetUInt8"(Handle, *const Reference, usize, *const u8, usize) -> RawStatus;
            set_int16 = "fmi3SetInt16"(Handle, *const Reference, usize, *const i16, usize) -> RawStatus;
            set_uint16 = "fmi3SetUInt16"(Handle, *const Reference, usize, *const u16, usize) -> RawStatus;
            set_int32 = "fmi3SetInt32"(Handle, *const Reference, usize, *const i32, usize) -> RawStatus;
            set_uint32 = "fmi3SetUInt32"(Handle, *const Reference, usize, *const u32, usize) -> RawStatus;
            set_int64 = "fmi3SetInt64"(Handle, *const Reference, usize, *const i64, usize) -> RawStatus;
            set_uint64 = "fmi3SetUInt64"(Handle, *const Reference, usize, *const u64, usize) -> RawStatus;
            set_boolean = "fmi3SetBoolean"(Handle, *const Reference, usize, *const Boolean, usize) -> RawStatus;
            set_string = "fmi3SetString"(Handle, *const Reference, usize, *const Text, usize) -> RawStatus;
            set_binary = "fmi3SetBinary"(
                Handle, *const Reference, usize, *const usize, *const *const u8, usize) -> RawStatus;
            set_clock = "fmi3SetClock"(Handle, *const Reference, usize, *const Boolean) -> RawStatus;
            get_fmu_state = "fmi3GetFMUState"(Handle, *mut FmuState) -> RawStatus;
            set_fmu_state = "fmi3SetFMUState"(Handle, FmuState) -> RawStatus;
            free_fmu_state = "fmi3FreeFMUState"(Handle, *mut FmuState) -> RawStatus;
            serialized_size = "fmi3SerializedFMUStateSize"(Handle, FmuState, *mut usize) -> RawStatus;
            serialize = "fmi3SerializeFMUState"(Handle, FmuState, *mut u8, usize) -> RawStatus;
            deserialize = "fmi3DeserializeFMUState"(Handle, *const u8, usize, *mut FmuState) -> RawStatus;
            get_directional_derivative = "fmi3GetDirectionalDerivative"(
                Handle, *const Reference, usize, *const Reference, usize, *const f64, usize, *mut f64, usize) -> RawStatus;
            enter_configuration_mode = "fmi3EnterConfigurationMode"(Handle) -> RawStatus;
            exit_configuration_mode = "fmi3ExitConfigurationMode"(Handle) -> RawStatus;
            get_interval_decimal = "fmi3GetIntervalDecimal"(
                Handle, *const Reference, usize, *mut f64, *mut c_int) -> RawStatus;
            get_shift_decimal = "fmi3GetShiftDecimal"(Handle, *const Reference, usize, *mut f64) -> RawStatus;
            set_interval_decimal = "fmi3SetIntervalDecimal"(Handle, *const Reference, usize, *const f64) -> RawStatus;
            set_shift_decimal = "fmi3SetShiftDecimal"(Handle, *const Reference, usize, *const f64) -> RawStatus;
            evaluate_discrete_states = "fmi3EvaluateDiscreteStates"(Handle) -> RawStatus;
            enter_event_mode = "fmi3EnterEventMode"(Handle) -> RawStatus;
            update_discrete_states = "fmi3UpdateDiscreteStates"(
                Handle, *mut Boolean, *mut Boolean, *mut Boolean, *mut Boolean, *mut Boolean, *mut f64) -> RawStatus;
            enter_step_mode = "fmi3EnterStepMode"(Handle) -> RawStatus;
            get_output_derivatives = "fmi3GetOutputDerivatives"(
                Handle, *const Reference, usize, *const i32, *mut f64, usize) -> RawStatus;
        }
        ModelExchange {
            instantiate_model_exchange = "fmi3InstantiateModelExchange"(
                Text, Text, Text, Boolean, Boolean, Environment, LogMessage) -> Handle;
            enter_continuous_time_mode = "fmi3EnterContinuousTimeMode"(Handle) -> RawStatus;
            completed_integrator_step = "fmi3CompletedIntegratorStep"(
                Handle, Boolean, *mut Boolean, *mut Boolean) -> RawStatus;
            set_time = "fmi3SetTime"(Handle, f64) -> RawStatus;
            set_continuous_states = "fmi3SetContinuousStates"(Handle, *const f64, usize) -> RawStatus;
            get_derivatives = "fmi3GetContinuousStateDerivatives"(Handle, *mut f64, usize) -> RawStatus;
            get_event_indicators = "fmi3GetEventIndicators"(Handle, *mut f64, usize) -> RawStatus;
            get_continuous_states = "fmi3GetContinuousStates"(Handle, *mut f64, usize) -> RawStatus;
            get_nominals = "fmi3GetNominalsOfContinuousStates"(Handle, *mut f64, usize) -> RawStatus;
        }
        Never {
            get_number_of_event_indicators = "fmi3GetNumberOfEventIndicators"(Handle, *mut usize) -> RawStatus;
            get_number_of_continuous_states = "fmi3GetNumberOfContinuousStates"(Handle, *mut usize) -> RawStatus;
        }
        CoSimulation {
            instantiate_co_simulation = "fmi3InstantiateCoSimulation"(
                Text, Text, Text, Boolean, Boolean, Boolean, Boolean, *const Reference, usize, Environment, LogMessage,
                Option<IntermediateUpdate>) -> Handle;
            do_step = "fmi3DoStep"(
                Handle, f64, f64, Boolean, *mut Boolean, *mut Boolean, *mut Boolean, *mut f64) -> RawStatus;
        }
    }
}
