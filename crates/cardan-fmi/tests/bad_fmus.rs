//! FMUs that do not behave.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

mod support;

use cardan_core::inputs::Inputs;
use cardan_core::participant::{Participant, StepEnd};
use cardan_core::value::Value;
use cardan_fmi::co_simulation::Options;
use cardan_testkit::fmus::Fmi;
use support::{Bench, with};

fn bench(name: &str, version: Fmi, parameters: &[(&str, f64)]) -> Bench {
    let parameters: Vec<(&str, Value)> = parameters.iter().map(|(n, v)| (*n, Value::real(*v))).collect();
    Bench::new(
        with(name, version, &parameters, Options::default()).unwrap(),
        &[],
        &[],
    )
}

#[test]
fn missing_functions_are_named() {
    for (version, function) in [(Fmi::V2, "fmi2DoStep"), (Fmi::V3, "fmi3DoStep")] {
        let failure = bench("missing-symbol", version, &[]).begin().unwrap_err();
        assert!(failure.message.contains("lacks the functions"), "{failure}");
        assert!(failure.message.ends_with(function), "{failure}");
    }
}

#[test]
fn another_version_is_refused() {
    for version in Fmi::ALL {
        let failure = bench("wrong-version", version, &[]).begin().unwrap_err();
        assert!(failure.message.contains("says that it follows FMI"), "{failure}");
    }
}

#[test]
fn an_error_is_told_in_the_words_of_the_fmu() {
    for version in Fmi::ALL {
        let mut bench = bench("bad-status", version, &[("error_at", 0.15)]).initialize();
        assert_eq!(bench.step(0.1, &[]), StepEnd::Completed);
        let failure = bench.try_step(0.2, Inputs::default()).unwrap_err();
        assert!(
            failure.message.contains("DoStep answered with status error"),
            "{failure}"
        );
        assert!(
            failure
                .message
                .contains("the FMU said: \"an error, as asked, at 0.15"),
            "{failure}"
        );
        assert!(failure.advice.is_some());
        bench.participant.terminate().unwrap();
    }
}

#[test]
fn after_a_fatal_error_nothing_is_called() {
    for version in Fmi::ALL {
        let mut bench = bench("bad-status", version, &[("fatal_at", 0.05)]).initialize();
        let failure = bench.try_step(0.1, Inputs::default()).unwrap_err();
        assert!(failure.message.contains("status fatal"), "{failure}");
        let failure = bench.try_step(0.1, Inputs::default()).unwrap_err();
        assert!(failure.message.contains("cannot be called"), "{failure}");
        bench.participant.terminate().unwrap();
    }
}

#[test]
fn a_discarded_step_is_rejected_and_can_be_repeated() {
    for (version, reached) in [(Fmi::V2, 0.15), (Fmi::V3, 0.1)] {
        let mut bench = bench("bad-status", version, &[("discard_at", 0.15)]).initialize();
        bench.step(0.1, &[]);
        bench.participant.rollback().unwrap().save(0).unwrap();
        let StepEnd::Rejected { reached: found, .. } = bench.step(0.2, &[]) else {
            panic!("the step was not rejected");
        };
        assert_eq!(found.seconds(), reached);
        bench.participant.rollback().unwrap().restore(0).unwrap();
        bench.now = support::at(0.1);
        assert_eq!(bench.step(0.15, &[]), StepEnd::Completed);
        assert_eq!(bench.step(0.2, &[]), StepEnd::Completed);
    }
}

#[test]
fn a_bad_parameter_is_told_in_the_words_of_the_fmu() {
    let mut bench = bench("lag", Fmi::V2, &[("T", -1.0)]);
    bench.begin().unwrap();
    let failure = bench.participant.finish_initialization().unwrap_err();
    assert!(
        failure
            .message
            .contains("the time constant T must be positive, but is -1"),
        "{failure}"
    );
}

#[test]
fn only_one_instance_of_those_that_want_to_be_alone() {
    for version in Fmi::ALL {
        let mut one = bench("only-once", version, &[]);
        let mut other = bench("only-once", version, &[]);
        one.begin().unwrap();
        let failure = other.begin().unwrap_err();
        assert!(failure.message.contains("only once per process"), "{failure}");
    }
}

#[test]
fn outputs_react_to_inputs_at_once() {
    for version in Fmi::ALL {
        let participant = with("gain", version, &[("a", Value::real(3.0))], Options::default()).unwrap();
        let mut bench = Bench::new(participant, &["u"], &["y"]).initialize();
        bench.inputs.reals[0] = 2.0;
        assert_eq!(bench.look().reals[0], 6.0);
    }
}

#[test]
fn structural_parameters_shape_the_ports() {
    let whole = |name, value| (name, Value::integer(value));
    let parameters = [whole("n", 3), whole("m", 2), whole("r", 4)];
    let mut bench =
        Bench::all(with("arrays", Fmi::V3, &parameters, Options::default()).unwrap()).initialize();
    assert_eq!(bench.inputs.reals.len(), 2 + 3);
    bench.inputs.reals[0] = 1.0;
    bench.look();
    let interface = bench.participant.interface();
    let length = |name: &str| {
        interface.ports[interface.find_port(name).unwrap().index()]
            .shape
            .len()
    };
    assert_eq!((length("u"), length("y")), (2, 4));
}
