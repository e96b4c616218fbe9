//! How the claims drive the participant under test.

use super::CLAIMS;
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use std::fmt;
use std::sync::Arc;

/// The value of an input at a time in seconds.
pub(super) type Signal = Arc<dyn Fn(f64) -> Value + Send + Sync>;

/// Step, window, inputs and parameters for the claims; the defaults suit most participants.
///
/// Without further word, real inputs swing about their start value by a quarter of their nominal one, rotations turn to
/// and fro, and all else changes every third step.
#[derive(Clone)]
pub struct Options {
    pub(super) step: Option<f64>,
    pub(super) steps: usize,
    pub(super) start: SimTime,
    pub(super) stop: SimTime,
    pub(super) agreement: f64,
    pub(super) signals: Vec<(String, Signal)>,
    pub(super) parameters: Vec<(String, Value)>,
    exemptions: Vec<(&'static str, String)>,
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let driven: Vec<&str> = self.signals.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Options")
            .field("step", &self.step)
            .field("steps", &self.steps)
            .field("window", &(self.start, self.stop))
            .field("agreement", &self.agreement)
            .field("driven", &driven)
            .field("parameters", &self.parameters)
            .field("exemptions", &self.exemptions)
            .finish()
    }
}

impl Options {
    /// Eight steps of the participant's period, or of 10 ms if it has none, in a window from 0 to 1 s.
    pub fn new() -> Self {
        Options {
            step: None,
            steps: 8,
            start: SimTime::default(),
            stop: SimTime::from_seconds(1.0),
            agreement: 1e-6,
            signals: Vec::new(),
            parameters: Vec::new(),
            exemptions: Vec::new(),
        }
    }

    /// With communication steps of this many seconds: small enough that the participant takes them, large enough that
    /// something happens in them.
    #[must_use]
    pub fn step(mut self, seconds: f64) -> Self {
        assert!(
            seconds > 0.0 && seconds.is_finite(),
            "a step is positive and finite, found {seconds}"
        );
        self.step = Some(seconds);
        self
    }

    /// With this many steps where a claim takes a whole run.
    #[must_use]
    pub fn steps(mut self, count: usize) -> Self {
        assert!(count >= 4, "the claims need four steps at least, found {count}");
        self.steps = count;
        self
    }

    /// With a run from `start` to `stop`, in seconds.
    #[must_use]
    pub fn window(mut self, start: f64, stop: f64) -> Self {
        assert!(start < stop, "the window from {start} s to {stop} s is empty");
        self.start = SimTime::from_seconds(start);
        self.stop = SimTime::from_seconds(stop);
        self
    }

    /// Drives the scalar real input `port` with a function of time, continuous on the scale of a step.
    #[must_use]
    pub fn real(self, port: impl Into<String>, signal: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        self.input(port, move |t| Value::real(signal(t)))
    }

    /// Drives the input `port`, of any type, with a function of time.
    #[must_use]
    pub fn input(
        mut self,
        port: impl Into<String>,
        signal: impl Fn(f64) -> Value + Send + Sync + 'static,
    ) -> Self {
        self.signals.push((port.into(), Arc::new(signal)));
        self
    }

    /// Gives a parameter a value at initialisation; a must for those without a default.
    #[must_use]
    pub fn parameter(mut self, name: impl Into<String>, value: Value) -> Self {
        self.parameters.push((name.into(), value));
        self
    }

    /// How well numbers agree, relative to their size, where they cannot be the same bits: derivatives against
    /// differences, times of events. 1e-6 unless told; looser for a participant with an iterative solver inside.
    #[must_use]
    pub fn agreement(mut self, relative: f64) -> Self {
        self.agreement = relative;
        self
    }

    /// Leaves a claim out, for a reason worth writing down.
    #[must_use]
    pub fn exempt(mut self, claim: &'static str, reason: impl Into<String>) -> Self {
        assert!(
            CLAIMS.iter().any(|(name, _)| *name == claim),
            "there is no claim `{claim}`"
        );
        self.exemptions.push((claim, reason.into()));
        self
    }

    /// Is the claim left out?
    pub(super) fn exempts(&self, claim: &str) -> bool {
        self.exemptions.iter().any(|(name, _)| *name == claim)
    }
}
