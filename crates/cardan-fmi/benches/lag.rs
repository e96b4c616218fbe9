//! The cost of the adapter: one step of the test FMU `lag` is one set, one doStep, one get.
//!
//! `cargo bench -p cardan-fmi --bench lag` prints the processor time of a step by bare calls of the binary, by calls of an
//! `ffi::Instance`, and through the trait of participants. Medians of rounds that alternate between them.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a program that measures may stop and print"
)]
#![allow(unsafe_code, reason = "the bare calls are the measure")]

use cardan_core::inputs::Inputs;
use cardan_core::participant::{Participant, RunWindow, Settings, StepRequest, Watch};
use cardan_core::planes::{Extent, Planes};
use cardan_core::signal::Segment;
use cardan_core::time::{Grid, SimTime};
use cardan_describe::Reporter;
use cardan_fmi::co_simulation::Options;
use cardan_fmi::description::Version;
use cardan_fmi::ffi::{Experiment, Instance, Library, Logging, Setup, Usage};
use cardan_fmi::{CoSimulation, Fmu, FmuInterface};
use cardan_testkit::fmus::{self, Fmi};
use std::ffi::{c_int, c_void};
use std::hint::black_box;
use std::ptr;
use std::sync::Arc;

const STEPS: usize = 1_000_000;
const ROUNDS: usize = 15;
const STEP: f64 = 1e-5;
const EXPERIMENT: Experiment = Experiment {
    start: 0.0,
    stop: None,
    tolerance: None,
};
const INPUT: u32 = 1;
const OUTPUT: u32 = 6;

fn main() {
    println!("CPU ns per step of lag (median of {ROUNDS} rounds of {STEPS})");
    println!("{:>6} {:>8} {:>10} {:>13}", "", "bare", "instance", "participant");
    for version in Fmi::ALL {
        let fmu = Fmu::open(&fmus::unpacked("lag", version), &mut Reporter::default()).unwrap();
        let mut times = [const { Vec::new() }; 3];
        for _ in 0..ROUNDS {
            times[0].push(bare(&fmu, version));
            times[1].push(instance(&fmu));
            times[2].push(participant(&fmu));
        }
        let [bare, instance, participant] = times.map(median);
        println!("{version:>6} {bare:>8.1} {instance:>10.1} {participant:>13.1}");
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn per_step(work: impl FnOnce()) -> f64 {
    let begin = cpu_ns();
    work();
    (cpu_ns() - begin) / STEPS as f64
}

/// Processor time of this thread in nanoseconds, which others on the machine do not disturb much.
fn cpu_ns() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split_whitespace().next().unwrap().parse().unwrap()
}

fn made(fmu: &Fmu) -> Instance {
    let usage = Usage::CoSimulation {
        event_mode: false,
        early_return: false,
        intermediate: &[],
    };
    let description = fmu.description();
    let library = Library::open(&fmu.binary("lag").unwrap(), description.version, &usage).unwrap();
    let setup = Setup {
        name: "lag",
        token: &description.token,
        resources: None,
        logging: &Logging::Off,
        once_per_process: false,
        usage,
    };
    let mut instance = Instance::new(library, &setup).unwrap();
    instance.enter_initialization_mode(&EXPERIMENT).unwrap();
    instance.exit_initialization_mode().unwrap();
    instance
}

fn instance(fmu: &Fmu) -> f64 {
    let mut instance = made(fmu);
    let mut y = [0.0];
    per_step(|| {
        for k in 0..STEPS {
            instance.set_f64(&[INPUT], black_box(&[1.0])).unwrap();
            instance.do_step(k as f64 * STEP, STEP, true).unwrap();
            instance.get_f64(&[OUTPUT], &mut y).unwrap();
            black_box(y);
        }
    })
}

fn participant(fmu: &Arc<Fmu>) -> f64 {
    let interface = FmuInterface::new(Arc::clone(fmu), &Settings::default()).unwrap();
    let lag = CoSimulation::new(
        Arc::new(interface),
        "lag",
        Settings::default(),
        Options::default(),
    );
    // As the engine sees it.
    let mut lag: Box<dyn Participant> = Box::new(lag.unwrap());
    let (u, y) = (
        lag.interface().find_port("u").unwrap(),
        lag.interface().find_port("y").unwrap(),
    );
    lag.bind(&[u], &[y]).unwrap();
    let run = RunWindow {
        start: SimTime::default(),
        stop: SimTime::from_seconds(100.0),
        tolerance: None,
    };
    lag.begin_initialization(&run, &Settings::default()).unwrap();
    lag.finish_initialization().unwrap();
    let extent = Extent {
        reals: 1,
        ..Extent::default()
    };
    let (inputs, mut outputs) = (Planes::new(extent), Planes::new(extent));
    let grid = Grid::new(SimTime::default(), STEP);
    per_step(|| {
        for k in 0..STEPS as i64 {
            let (from, to) = (grid.at(k), grid.at(k + 1));
            let segments = [Segment::constant(1.0, to)];
            let request = StepRequest {
                from,
                to,
                inputs: Inputs::single(black_box(&segments)),
                watch: Watch::Nothing,
            };
            lag.step(request).unwrap();
            lag.outputs(to, &inputs, outputs.view_mut()).unwrap();
            black_box(&outputs);
        }
    })
}

type Set2 = unsafe extern "C" fn(*mut c_void, *const u32, usize, *const f64) -> c_int;
type Get2 = unsafe extern "C" fn(*mut c_void, *const u32, usize, *mut f64) -> c_int;
type Step2 = unsafe extern "C" fn(*mut c_void, f64, f64, c_int) -> c_int;
type Make2 = unsafe extern "C" fn(
    *const i8,
    c_int,
    *const i8,
    *const i8,
    *const [*const c_void; 5],
    c_int,
    c_int,
) -> *mut c_void;
type Setup2 = unsafe extern "C" fn(*mut c_void, c_int, f64, f64, c_int, f64) -> c_int;
type Call = unsafe extern "C" fn(*mut c_void) -> c_int;
type Set3 = unsafe extern "C" fn(*mut c_void, *const u32, usize, *const f64, usize) -> c_int;
type Get3 = unsafe extern "C" fn(*mut c_void, *const u32, usize, *mut f64, usize) -> c_int;
type Step3 =
    unsafe extern "C" fn(*mut c_void, f64, f64, bool, *mut bool, *mut bool, *mut bool, *mut f64) -> c_int;
type Make3 = unsafe extern "C" fn(
    *const i8,
    *const i8,
    *const i8,
    bool,
    bool,
    bool,
    bool,
    *const u32,
    usize,
    *mut c_void,
    *const c_void,
    *const c_void,
) -> *mut c_void;
type Init3 = unsafe extern "C" fn(*mut c_void, bool, f64, f64, bool, f64) -> c_int;

unsafe extern "C" {
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

/// A logger for an FMU that has nothing to say.
extern "C" fn silent() {}

/// The same calls with nothing around them.
fn bare(fmu: &Fmu, version: Fmi) -> f64 {
    let path = fmu.binary("lag").unwrap();
    let (u, mut y) = (1.0_f64, 0.0_f64);
    // SAFETY: the types are those of the standard, and so is the order of the calls.
    unsafe {
        let library = libloading::Library::new(path).unwrap();
        macro_rules! function {
            ($name:literal, $type:ty) => {
                *library.get::<$type>($name).unwrap()
            };
        }
        if version == Fmi::V2 {
            assert_eq!(fmu.description().version, Version::V2);
            let callbacks: [*const c_void; 5] = [
                silent as *const c_void,
                calloc as *const c_void,
                free as *const c_void,
                ptr::null(),
                ptr::null(),
            ];
            let make = function!("fmi2Instantiate", Make2);
            let (name, token, place) = (c"lag".as_ptr(), c"lag-fmi2".as_ptr(), c"".as_ptr());
            let instance = make(name, 1, token, place, &raw const callbacks, 0, 0);
            function!("fmi2SetupExperiment", Setup2)(instance, 0, 0.0, 0.0, 0, 0.0);
            function!("fmi2EnterInitializationMode", Call)(instance);
            function!("fmi2ExitInitializationMode", Call)(instance);
            let set = function!("fmi2SetReal", Set2);
            let step = function!("fmi2DoStep", Step2);
            let get = function!("fmi2GetReal", Get2);
            per_step(|| {
                for k in 0..STEPS {
                    set(instance, &raw const INPUT_PLACE, 1, black_box(&raw const u));
                    step(instance, k as f64 * STEP, STEP, 1);
                    get(instance, &raw const OUTPUT_PLACE, 1, &raw mut y);
                    black_box(y);
                }
            })
        } else {
            let make = function!("fmi3InstantiateCoSimulation", Make3);
            let (name, token, none) = (c"lag".as_ptr(), c"lag-fmi3".as_ptr(), ptr::null());
            let null = ptr::null();
            let instance = make(
                name,
                token,
                none,
                false,
                false,
                false,
                false,
                ptr::null(),
                0,
                ptr::null_mut(),
                null,
                null,
            );
            function!("fmi3EnterInitializationMode", Init3)(instance, false, 0.0, 0.0, false, 0.0);
            function!("fmi3ExitInitializationMode", Call)(instance);
            let set = function!("fmi3SetFloat64", Set3);
            let step = function!("fmi3DoStep", Step3);
            let get = function!("fmi3GetFloat64", Get3);
            let (mut event, mut terminate, mut early, mut last) = (false, false, false, 0.0);
            per_step(|| {
                for k in 0..STEPS {
                    set(instance, &raw const INPUT_PLACE, 1, black_box(&raw const u), 1);
                    step(
                        instance,
                        k as f64 * STEP,
                        STEP,
                        true,
                        &raw mut event,
                        &raw mut terminate,
                        &raw mut early,
                        &raw mut last,
                    );
                    get(instance, &raw const OUTPUT_PLACE, 1, &raw mut y, 1);
                    black_box(y);
                }
            })
        }
    }
}

static INPUT_PLACE: u32 = INPUT;
static OUTPUT_PLACE: u32 = OUTPUT;
