//! Participants that break one promise are caught by the claim that names it, and by no other.

mod abilities;
mod broken;

use broken::{Broken, Defect};
use cardan_core::participant::Participant;
use cardan_testkit::conformance::{CLAIMS, Claim, Options};
use cardan_testkit::fakes::{Relay, Script};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The claims that fail, with their messages.
fn caught(make: &dyn Fn() -> Box<dyn Participant>, options: &Options) -> Vec<(&'static str, String)> {
    let failure = |(name, claim): &(&'static str, Claim)| {
        let panic = catch_unwind(AssertUnwindSafe(|| claim(make, options))).err()?;
        let message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        assert!(
            message.contains(&format!("conformance claim `{name}`")),
            "{name}: {message}"
        );
        Some((*name, message))
    };
    CLAIMS.iter().filter_map(failure).collect()
}

#[track_caller]
fn expect_caught(defect: Defect, claims: &[&str], words: &str) {
    let options = Options::new();
    let caught = caught(&|| Box::new(Broken::new(defect)), &options);
    let names: Vec<&str> = caught.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, claims, "{caught:#?}");
    for (_, message) in caught {
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn without_a_defect_every_claim_holds() {
    expect_caught(Defect::Nothing, &[], "");
}

#[test]
fn interfaces() {
    expect_caught(
        Defect::DuplicateName,
        &["interface_is_consistent"],
        "two ports are named `position`",
    );
    expect_caught(Defect::InterfaceChanges, &["interface_is_stable"], "after `bind`");
}

#[test]
fn lifecycles() {
    expect_caught(
        Defect::NextInstantIsNow,
        &["next_instant_lies_ahead"],
        "the next instant is 0 s",
    );
    expect_caught(
        Defect::TerminateNeedsAStep,
        &["terminates_without_steps"],
        "There was no step.",
    );
    let lost = caught(&|| Box::new(Script::new().not_a_number(0.02)), &Options::new());
    assert_eq!(lost.len(), 1);
    assert!(
        lost[0]
            .1
            .contains("`calls_in_order_work` does not hold: `time` at 0.02 s is NaN"),
        "{lost:?}"
    );
}

#[test]
fn outputs() {
    expect_caught(
        Defect::OutputsDrift,
        &["outputs_are_repeatable"],
        "asked twice at 0 s, `position` is 0.101 (0x3fb9db22d0e56042)",
    );
    expect_caught(
        Defect::SteppedByAsking,
        &["outputs_are_repeatable"],
        "a run without asking for outputs against",
    );
    let undeclared = caught(&|| Box::new(Relay::undeclared(2)), &Options::new());
    assert_eq!(undeclared.len(), 1);
    assert!(
        undeclared[0].1.contains("`feedthrough_is_declared`"),
        "{undeclared:?}"
    );
    assert!(
        undeclared[0]
            .1
            .contains("input `in1` changed at 0 s, and `out1` is"),
        "{undeclared:?}"
    );
    expect_caught(Defect::PastOff, &["past_meets_the_start"], "`position`");
}

#[test]
fn outputs_that_are_not_written() {
    // What was left on the plane is zero in every other claim, so runs look alike.
    expect_caught(
        Defect::PositionNotWritten,
        &["outputs_are_repeatable"],
        "`position` is 1e300",
    );
}

#[test]
fn bindings() {
    expect_caught(
        Defect::OutputsDependOnCompany,
        &["binds_subsets"],
        "[\"position\"] alone: at 0 s `position`",
    );
    expect_caught(
        Defect::OutputsInOwnOrder,
        &["binds_outputs_in_any_order"],
        "`acceleration`",
    );
    expect_caught(
        Defect::InputsInOwnOrder,
        &["binds_inputs_in_any_order"],
        "`acceleration`",
    );
    expect_caught(
        Defect::UnboundIsZero,
        &["unbound_inputs_keep_their_start"],
        "`acceleration`",
    );
}

#[test]
fn ends_of_steps() {
    expect_caught(
        Defect::EarlyByStepSize,
        &["half_steps_end_alike"],
        "whole steps meet [(\"early\", 0.00",
    );
}

#[test]
fn rollbacks() {
    let both = ["rollback_repeats_steps", "rollback_slots_are_independent"];
    expect_caught(Defect::RollbackForgets, &both, "`position`");
    expect_caught(
        Defect::OneSlotForAll,
        &["rollback_slots_are_independent"],
        "after restoring slot 1",
    );
    expect_caught(Defect::ExportForgets, &["exported_state_continues"], "`position`");
}

#[test]
fn derivatives_and_slopes() {
    let along = "along `force` of `acceleration` is told as 1.00001";
    expect_caught(
        Defect::WrongDerivative,
        &["derivatives_agree_with_differences"],
        along,
    );
    expect_caught(
        Defect::WrongSlope,
        &["slopes_agree_with_differences"],
        "the slope at 0 s of `acceleration`",
    );
}

#[test]
fn traces() {
    expect_caught(
        Defect::TraceReversed,
        &["trace_shows_watched_instants"],
        "it shows [0.01 s, 0.009",
    );
    expect_caught(
        Defect::TraceEndOff,
        &["trace_shows_watched_instants"],
        "`position`",
    );
    expect_caught(
        Defect::TraceStays,
        &["trace_shows_watched_instants"],
        "an unwatched step left the instants",
    );
    expect_caught(
        Defect::WatchingDisturbs,
        &["watching_changes_nothing"],
        "`position`",
    );
}

#[test]
fn surroundings() {
    let parameters = ["defaults_of_tunable_parameters_change_nothing"];
    expect_caught(Defect::ParametersReset, &parameters, "[\"damping\"]");
    expect_caught(
        Defect::SharedState,
        &["instances_do_not_disturb_each_other"],
        "instance 1 alone",
    );
    expect_caught(
        Defect::ThreadBound,
        &["moves_between_threads"],
        "at 0.01 s `position`",
    );
    let caught = caught(
        &|| Box::new(Broken::new(Defect::EveryInstanceDiffers)),
        &Options::new(),
    );
    assert!(
        caught.iter().any(|(name, _)| *name == "same_run_gives_same_bits"),
        "{caught:?}"
    );
}

#[test]
fn an_exempted_claim_is_not_tested() {
    let options = Options::new().exempt("feedthrough_is_declared", "the relay lies on purpose");
    assert_eq!(caught(&|| Box::new(Relay::undeclared(1)), &options), []);
}
