//! What every participant promises, as claims that can be tested on any of them.
//!
//! An adapter runs them all with one line; each claim becomes a test of its own in a module of that name:
//!
//! ```
//! use cardan_testkit::conformance::Options;
//! use cardan_testkit::fakes::{Accumulator, Relay};
//!
//! cardan_testkit::conformance!(accumulator, || Box::new(Accumulator::new(0.0)));
//! cardan_testkit::conformance!(
//!     relay,
//!     || Box::new(Relay::direct(2)),
//!     Options::new().step(0.001).real("in1", |t| 3.0 + (10.0 * t).sin()),
//! );
//! ```
//!
//! Abilities that a participant does not offer claim nothing. A failure names the claim, the port and the bits.

mod bench;
mod binding;
mod bits;
mod differences;
mod drive;
mod interface;
mod lifecycle;
mod options;
mod outputs;
mod own_steps;
mod portable;
mod rig;
mod rollback;
mod sameness;
mod stepping;
mod terms;
mod trace;

use cardan_core::participant::Participant;

pub use binding::{
    binds_inputs_in_any_order, binds_outputs_in_any_order, binds_subsets, unbound_inputs_keep_their_start,
};
pub use differences::{derivatives_agree_with_differences, slopes_agree_with_differences};
pub use interface::{interface_is_consistent, interface_is_stable};
pub use lifecycle::{calls_in_order_work, next_instant_lies_ahead, terminates_without_steps};
pub use options::Options;
pub use outputs::{feedthrough_is_declared, outputs_are_repeatable, past_meets_the_start};
pub use own_steps::{
    own_steps_end_where_they_say, own_steps_make_up_a_step, own_steps_repeat_after_rollback,
};
pub use portable::exported_state_continues;
pub use rollback::{rollback_repeats_steps, rollback_slots_are_independent};
pub use sameness::{
    defaults_of_tunable_parameters_change_nothing, instances_do_not_disturb_each_other,
    moves_between_threads, same_run_gives_same_bits,
};
pub use stepping::half_steps_end_alike;
pub use trace::{trace_shows_watched_instants, watching_changes_nothing};

/// Makes the participant under test, a fresh one at each call.
pub type Make<'a> = &'a dyn Fn() -> Box<dyn Participant>;

/// A claim: returns if it holds and panics with the reason if not.
pub type Claim = fn(Make<'_>, &Options);

/// Writes the table of claims and, from the same list, the macro that makes a test of each.
macro_rules! claims {
    ($dollar:tt $($claim:ident)*) => {
        /// All claims by name, in the order in which a reader would want to see them fail.
        pub const CLAIMS: &[(&str, Claim)] = &[$((stringify!($claim), $claim)),*];

        /// Makes a module with one test for each claim on a participant.
        ///
        /// Takes the name of the module, something to call that gives a fresh `Box<dyn Participant>`, and
        /// [`Options`](crate::conformance::Options) if the defaults do not fit. See [`conformance`](mod@crate::conformance).
        #[macro_export]
        macro_rules! conformance {
            ($dollar module:ident, $dollar make:expr $dollar(,)?) => {
                $dollar crate::conformance!($dollar module, $dollar make, $dollar crate::conformance::Options::new());
            };
            ($dollar module:ident, $dollar make:expr, $dollar options:expr $dollar(,)?) => {
                mod $dollar module {
                    #[allow(unused_imports, reason = "what makes the participant may use names from around it")]
                    use super::*;
                    $(
                        #[test]
                        fn $claim() {
                            let options: $dollar crate::conformance::Options = $dollar options;
                            $dollar crate::conformance::$claim(&|| ($dollar make)(), &options);
                        }
                    )*
                }
            };
        }
    };
}

claims! { $
    interface_is_consistent
    interface_is_stable
    calls_in_order_work
    terminates_without_steps
    next_instant_lies_ahead
    same_run_gives_same_bits
    outputs_are_repeatable
    feedthrough_is_declared
    past_meets_the_start
    binds_subsets
    binds_outputs_in_any_order
    binds_inputs_in_any_order
    unbound_inputs_keep_their_start
    half_steps_end_alike
    rollback_repeats_steps
    rollback_slots_are_independent
    exported_state_continues
    derivatives_agree_with_differences
    slopes_agree_with_differences
    trace_shows_watched_instants
    watching_changes_nothing
    own_steps_end_where_they_say
    own_steps_make_up_a_step
    own_steps_repeat_after_rollback
    defaults_of_tunable_parameters_change_nothing
    instances_do_not_disturb_each_other
    moves_between_threads
}
