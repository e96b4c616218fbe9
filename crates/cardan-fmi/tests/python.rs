//! FMUs that are written in Python, as PythonFMU makes them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use std::process::Command;
use std::sync::Arc;

use cardan_core::inputs::Inputs;
use cardan_core::participant::{Failure, Participant, Settings, StepEnd};
use cardan_core::signal::Segment;
use cardan_core::value::Value;
use cardan_describe::Reporter;
use cardan_fmi::co_simulation::Options;
use cardan_fmi::trial::{self, Way};
use cardan_fmi::{CoSimulation, Fmu, FmuInterface};
use cardan_testkit::fmus;
use support::{Bench, at, settings};

fn decay(rate: f64) -> Result<Bench, Failure> {
    decay_with(rate, |_| Options::default())
}

fn decay_with(rate: f64, options: impl Fn(&Fmu) -> Options) -> Result<Bench, Failure> {
    let fmu = Fmu::open(&fmus::python("decay"), &mut Reporter::new()).unwrap();
    let options = options(&fmu);
    let settings = settings(&fmu, &[("rate", Value::real(rate))]);
    let interface = Arc::new(FmuInterface::new(fmu, &Settings::default())?);
    let participant = CoSimulation::new(interface, "decay", settings, options)?;
    let mut bench = Bench::new(participant, &["u"], &["x"]);
    bench.begin()?;
    bench.look();
    bench.participant.finish_initialization()?;
    Ok(bench)
}

/// Goes to `t` = 1 with an input that is held.
fn run(bench: &mut Bench, u: f64) -> f64 {
    for step in 1..=10 {
        let to = f64::from(step) / 10.0;
        let end = bench.step(to, &[Segment::constant(u, at(to))]);
        assert_eq!(end, StepEnd::Completed);
    }
    bench.look().reals[0]
}

fn close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-14, "{found} instead of {wanted}");
}

#[test]
fn it_computes_what_its_class_does() {
    let mut bench = decay(1.0).unwrap();
    assert_eq!(bench.values.reals[0], 1.0);
    close(run(&mut bench, 0.0), (-1f64).exp());
    bench.participant.terminate().unwrap();
}

#[test]
fn instances_go_their_own_ways_and_come_back() {
    let mut slow = decay(1.0).unwrap();
    let mut fast = decay(3.0).unwrap();
    close(run(&mut slow, 2.0), 2.0 - (-1f64).exp());
    drop(slow);
    // Python runs on, for those that are left and for those that come.
    close(run(&mut fast, 0.0), (-3f64).exp());
    drop(fast);
    close(run(&mut decay(2.0).unwrap(), 0.0), (-2f64).exp());
}

#[test]
fn copies_of_the_binary_share_python() {
    let mut one = decay(1.0).unwrap();
    let copy = std::env::temp_dir().join(format!("cardan-decay-{}.fmu", std::process::id()));
    std::fs::copy(fmus::python("decay"), &copy).unwrap();
    let fmu = Fmu::open(&copy, &mut Reporter::new());
    std::fs::remove_file(&copy).unwrap();
    let interface = Arc::new(FmuInterface::new(fmu.unwrap(), &Settings::default()).unwrap());
    let other = CoSimulation::new(interface, "copy", Settings::default(), Options::default());
    let mut other = Bench::new(other.unwrap(), &["u"], &["x"]).initialize();
    close(run(&mut one, 0.0), (-1f64).exp());
    drop(one);
    close(run(&mut other, 0.0), (-1f64).exp());
}

#[test]
fn it_runs_on_any_thread() {
    let mut bench = decay(1.0).unwrap();
    let x = std::thread::scope(|scope| scope.spawn(|| run(&mut bench, 0.0)).join());
    close(x.unwrap(), (-1f64).exp());
    close(bench.look().reals[0], (-1f64).exp());
}

/// With all its categories switched on it tells what it raised. It would not if it were given their list.
#[test]
fn what_it_raises_is_told() {
    let all = |fmu: &Fmu| {
        let categories = fmu.description().log_categories.iter();
        let names: Vec<String> = categories.map(|(name, _)| name.clone()).collect();
        assert!(!names.is_empty());
        Options {
            log_categories: Some(names),
            ..Options::default()
        }
    };
    let mut bench = decay_with(0.0, all).unwrap();
    let failure = bench
        .try_step(0.1, Inputs::single(&[Segment::constant(0.0, at(0.1))]))
        .unwrap_err();
    assert!(failure.message.contains("division by zero"), "{failure}");
}

#[test]
fn a_trial_finds_nothing_wrong() {
    let fmu = Fmu::open(&fmus::python("decay"), &mut Reporter::new()).unwrap();
    let findings = trial::run(&fmu, Way::CoSimulation);
    let wrong = |finding: &&trial::Finding| finding.verdict >= trial::Verdict::Warning;
    let wrong: Vec<_> = findings.iter().filter(wrong).collect();
    assert!(!findings.is_empty() && wrong.is_empty(), "{wrong:?}");
}

cardan_testkit::conformance!(conforms, || {
    let fmu = Fmu::open(&fmus::python("decay"), &mut Reporter::new()).unwrap();
    let interface = Arc::new(FmuInterface::new(fmu, &Settings::default()).unwrap());
    Box::new(CoSimulation::new(interface, "decay", Settings::default(), Options::default()).unwrap())
});

const NOWHERE: &str = "/nowhere/libpython3.so";

/// Runs a test of this file in a process of its own, where the library of Python is said to be elsewhere.
#[test]
fn a_library_that_is_not_there_is_told_with_advice() {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "without_python", "--ignored"]);
    child.env("CARDAN_LIBPYTHON", NOWHERE);
    let answer = child.output().unwrap();
    let said = String::from_utf8_lossy(&answer.stdout);
    assert!(answer.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
#[ignore = "is run by the one above"]
fn without_python() {
    if std::env::var_os("CARDAN_LIBPYTHON").is_none_or(|named| named != NOWHERE) {
        return;
    }
    let failure = decay(1.0).err().unwrap();
    assert!(
        failure
            .message
            .contains("needs the library of Python: CARDAN_LIBPYTHON names a file"),
        "{failure}"
    );
    let advice = failure.advice.unwrap_or_default();
    assert!(
        advice.contains("libpython3.11") && advice.contains("PYTHONHOME"),
        "{advice}"
    );
}
