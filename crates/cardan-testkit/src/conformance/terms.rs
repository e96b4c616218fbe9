//! The terms under which a claim is tested: its name for the failures, the options, and what follows from both.

use super::Options;
use super::bits::{Trail, trail_difference};
use cardan_core::interface::{Interface, Port};
use cardan_core::participant::{RunWindow, Settings};
use cardan_core::time::{Grid, SimTime};
use std::fmt;

/// A claim, the interface it is about, and how to drive the participant.
pub(super) struct Terms<'a> {
    pub(super) claim: &'static str,
    pub(super) options: &'a Options,
    pub(super) interface: Interface,
}

impl Terms<'_> {
    /// Ends the claim with a reason.
    pub(super) fn fail(&self, reason: impl fmt::Display) -> ! {
        panic!("conformance claim `{}` does not hold: {reason}", self.claim)
    }

    /// Fails unless two trails are the same bits.
    pub(super) fn expect_same(&self, ports: &[Port], one: &Trail, other: &Trail, what: impl fmt::Display) {
        if let Some(words) = trail_difference(ports, one, other) {
            self.fail(format_args!("{what}: {words}"));
        }
    }

    /// The communication step.
    pub(super) fn step(&self) -> f64 {
        self.options.step.or(self.interface.period).unwrap_or(0.01)
    }

    /// The `k`-th communication point.
    pub(super) fn point(&self, k: usize) -> SimTime {
        Grid::new(self.options.start, self.step()).at(k as i64)
    }

    /// The communication points after the start, as many as the options ask for and the window holds.
    pub(super) fn points(&self) -> Vec<SimTime> {
        let all = (1..=self.options.steps).map(|k| self.point(k));
        let points: Vec<SimTime> = all.filter(|&t| t <= self.options.stop).collect();
        assert!(
            points.len() >= 4,
            "a window up to {:?} holds {} steps of {} s; the claims need four at least",
            self.options.stop,
            points.len(),
            self.step()
        );
        points
    }

    /// The time span told at initialisation.
    pub(super) fn window(&self) -> RunWindow {
        RunWindow {
            start: self.options.start,
            stop: self.options.stop,
            tolerance: None,
        }
    }

    /// The parameters given at initialisation.
    pub(super) fn settings(&self) -> Settings {
        let setting = |(name, value): &(String, _)| match self.interface.find_parameter(name) {
            Some(id) => (id, Clone::clone(value)),
            None => panic!("the options set `{name}`, which is no parameter"),
        };
        Settings(self.options.parameters.iter().map(setting).collect())
    }
}
