//! What a fixed-step master answers to each end of a step, and how failures are named.

mod support;

use cardan_core::error::{Call, RunErrorKind};
use cardan_core::method::Sweep;
use cardan_core::monitor::WarningKind;
use cardan_core::run::Status;
use cardan_core::signal::Reading;
use cardan_testkit::fakes::{Relay, Script};
use support::Bench;

const METHODS: [Sweep; 2] = [Sweep::Jacobi, Sweep::GaussSeidel];

fn with(script: Script, method: Sweep) -> Bench {
    Bench::new(method, 0.1, 1.0)
        .add("before", Script::new())
        .add("actor", script)
        .add("after", Script::new())
        .record_all()
}

#[test]
fn an_early_end_goes_on_to_the_end_of_the_step() {
    for method in METHODS {
        for threads in [1, 2] {
            // A warning matters only where somebody reads the actor.
            let alone = with(Script::new().early(0.23), method).run(threads).0;
            assert!(alone.world().monitor.warnings().is_empty());
            let (mut run, rows, result) = Bench::new(method, 0.1, 1.0)
                .add("before", Script::new())
                .add("actor", Script::new().early(0.23).early(0.27))
                .add("reader", Relay::held(1))
                .wire("actor.time", "reader.in1", Reading::Hold)
                .record_all()
                .run(threads);
            assert!(result.is_ok(), "{result:?}");
            assert_eq!(run.status(), Status::Finished);
            assert_eq!(rows.times().len(), 11);
            assert_eq!(rows.reals("actor.time"), rows.times());
            let warnings = run.world().monitor.warnings();
            assert_eq!(warnings.len(), 1);
            assert_eq!(
                (warnings[0].kind, warnings[0].count),
                (WarningKind::EarlyReturn, 2)
            );
            assert_eq!(warnings[0].place, "actor");
            // Three participants, ten steps, and two more calls to go on.
            assert_eq!(run.world().step_calls(), 32);
            assert_eq!(run.world_mut().accounts()[1].steps, 12);
        }
    }
}

#[test]
fn a_request_to_terminate_ends_the_run_there_for_everybody() {
    for method in METHODS {
        for threads in [1, 3] {
            let (run, rows, result) = with(Script::new().terminate_at(0.55), method).run(threads);
            assert!(result.is_ok(), "{result:?}");
            assert_eq!(run.status(), Status::Finished);
            assert_eq!(run.world().frontier().seconds(), 0.55);
            assert_eq!(rows.times().last(), Some(&0.55));
            for name in ["before.time", "actor.time", "after.time"] {
                let last = *rows.reals(name).last().unwrap();
                // Those that went further are read on the chord of their last step.
                assert!((last - 0.55).abs() < 1e-15, "{name}: {last}");
            }
            assert_eq!(run.world().monitor.warnings()[0].kind, WarningKind::Terminated);
        }
    }
}

#[test]
fn a_rejected_step_is_an_error_that_says_why() {
    for method in METHODS {
        let (run, rows, result) = with(Script::new().reject(0.4, 0.01), method).run(1);
        let error = result.unwrap_err();
        assert_eq!(error.kind(), RunErrorKind::Numbers);
        assert_eq!((error.who(), error.call()), (Some("actor"), Call::Step));
        assert!(error.message().contains("cannot repeat it"), "{error}");
        assert!(error.advice().unwrap().contains("--step 0.01"), "{error:?}");
        assert_eq!(run.world().frontier().seconds(), 0.3);
        assert_eq!(rows.times().last(), Some(&0.3));
    }
}

#[test]
fn failures_name_participant_call_and_time_and_keep_the_rows() {
    type Case = (fn() -> Script, RunErrorKind, &'static str);
    let scripts: [Case; 3] = [
        (
            || Script::new().fail(0.45, "out of oil"),
            RunErrorKind::Participant,
            "out of oil",
        ),
        (
            || Script::new().not_a_number(0.5),
            RunErrorKind::Numbers,
            "actor.time became NaN",
        ),
        (
            || Script::new().panic(0.45),
            RunErrorKind::Participant,
            "panicked",
        ),
    ];
    for (script, kind, message) in scripts {
        for method in METHODS {
            for threads in [1, 2] {
                let (_, rows, result) = with(script(), method).run(threads);
                let error = result.unwrap_err();
                assert_eq!((error.kind(), error.who()), (kind, Some("actor")), "{error}");
                assert!(error.message().contains(message), "{error}");
                let time = error.time().unwrap().seconds();
                assert!((0.4..=0.5).contains(&time), "{time}");
                assert_eq!(rows.times(), [0.0, 0.1, 0.2, 0.3, 0.4]);
            }
        }
    }
}

/// It is nobody's fault who happened to be called.
#[test]
fn a_panic_of_the_engine_is_told_with_its_place_and_blames_nobody() {
    for method in METHODS {
        for threads in [1, 2] {
            let script = Script::new().panic_of_the_engine(0.45);
            let (_, rows, result) = with(script, method).run(threads);
            let error = result.unwrap_err();
            assert_eq!(
                (error.kind(), error.who()),
                (RunErrorKind::Engine, None),
                "{error}"
            );
            let words = error.message();
            assert!(
                words.starts_with("cardan has a defect at ") && words.contains("planes.rs:"),
                "{error}"
            );
            assert!(error.advice().unwrap().contains("please report it"));
            assert_eq!(rows.times(), [0.0, 0.1, 0.2, 0.3, 0.4]);
        }
    }
}
