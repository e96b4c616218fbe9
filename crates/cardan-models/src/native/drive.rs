//! The inputs of the model while the solver runs: one law of time each, up to the next break.

use cardan_core::inputs::Inputs;
use cardan_core::interface::{Causality, Interface};
use cardan_core::signal::Segment;
use cardan_core::time::SimTime;
use cardan_core::value::Value;

use super::reacting::Reacting;

/// Values closer than this, relative to their size, are the same value on two ways.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A law of time: `c[0] + c[1] s + c[2] s² + c[3] s³`.
pub(super) type Law = [f64; 4];

/// How the laws in force differ from those with which the solver came to rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// They are the same, up to rounding.
    Nothing,
    /// Their values are the same, not their slopes.
    Corner,
    /// Their values are others.
    Jump,
    /// There was nothing before.
    Beginning,
}

/// The laws in force, and the inputs as they were last read.
pub(super) struct Drive {
    /// What inputs have that are not bound.
    starts: Vec<f64>,
    places: Vec<usize>,
    segments: Vec<Segment>,
    /// All inputs of the model at the time `read_at`, which is not a number while none was read.
    u: Vec<f64>,
    read_at: f64,
    /// Does no law change in time? Then one reading is enough.
    held: bool,
    /// For each bound input its law where the solver came to rest, as a polynomial of the time since then; not numbers
    /// before it has moved.
    last: Vec<Law>,
}

impl Drive {
    pub(super) fn new(interface: &Interface) -> Self {
        let mut starts = Vec::new();
        for (_, port) in interface.ports_of(Causality::Input) {
            let given = port.start.as_ref().and_then(Value::as_reals).unwrap_or(&[]);
            // A single value stands for all elements.
            let element = |i: usize| given.get(i).or(given.first()).copied().unwrap_or(0.0);
            starts.extend((0..port.shape.len()).map(element));
        }
        Drive {
            u: starts.clone(),
            starts,
            places: Vec::new(),
            segments: Vec::new(),
            read_at: f64::NAN,
            held: false,
            last: Vec::new(),
        }
    }

    pub(super) fn bind(&mut self, places: &[usize]) {
        self.places = places.to_vec();
        self.segments.reserve(places.len());
        self.last = vec![[f64::NAN; 4]; places.len()];
        self.u.copy_from_slice(&self.starts);
    }

    /// All inputs of the model as they are without a connection.
    pub(super) fn starts(&self) -> &[f64] {
        &self.starts
    }

    /// Number of bound inputs.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Before a run, nothing is known of the inputs.
    pub(super) fn forget(&mut self) {
        self.last.fill([f64::NAN; 4]);
    }

    /// Takes the laws in force just after `at`.
    pub(super) fn load(&mut self, inputs: &Inputs<'_>, at: f64) {
        let at = SimTime::from_seconds(at);
        self.segments.clear();
        let laws = (0..self.places.len()).filter_map(|index| inputs.segment_after(index, at));
        self.segments.extend(laws.copied());
        self.held = self.segments.iter().all(Segment::is_constant);
        self.read_at = f64::NAN;
    }

    /// All inputs of the model at `t`.
    #[inline]
    pub(super) fn read(&mut self, t: f64) -> &[f64] {
        // Stages often share their time, and no time equals the first `read_at`.
        let known = t == self.read_at || (self.held && !self.read_at.is_nan());
        if !known {
            self.read_at = t;
            let t = SimTime::from_seconds(t);
            for (&place, segment) in self.places.iter().zip(&self.segments) {
                self.u[place] = segment.at(t);
            }
        }
        &self.u
    }

    /// Compares the laws in force at `t` with those with which the solver came to rest there; `reacting` knows the inputs that
    /// are no functions of time. Writes the differences.
    pub(super) fn compare(&self, t: f64, reacting: &Reacting, changes: &mut [Law]) -> Change {
        let mut found = Change::Nothing;
        for (index, (change, before)) in changes.iter_mut().zip(&self.last).enumerate() {
            let now = self.law(index, t, reacting);
            let size = now[0].abs().max(before[0].abs());
            for (m, change) in change.iter_mut().enumerate() {
                *change = now[m] - before[m];
            }
            if change[0].is_nan() {
                return Change::Beginning;
            }
            if change[0].abs() > ROUNDING * size {
                found = Change::Jump;
            } else if found == Change::Nothing && now[1..] != before[1..] {
                found = Change::Corner;
            }
        }
        found
    }

    fn law(&self, index: usize, t: f64, reacting: &Reacting) -> Law {
        let segment = || self.segments[index].seen_from(SimTime::from_seconds(t));
        match reacting.value(index) {
            // What comes on top bends with the states, which do not jump.
            Some((value, true)) => {
                let [_, c1, c2, c3] = segment();
                [value, c1, c2, c3]
            }
            Some((value, false)) => [value, 0.0, 0.0, 0.0],
            None => segment(),
        }
    }

    /// The solver came to rest at `t`.
    pub(super) fn rest_at(&mut self, t: f64, reacting: &Reacting) {
        for index in 0..self.last.len() {
            self.last[index] = self.law(index, t, reacting);
        }
    }

    /// The laws where the solver came to rest: part of the state to save.
    pub(super) fn last(&self) -> &[Law] {
        &self.last
    }

    /// Goes back to where these were the laws.
    pub(super) fn restore(&mut self, last: &[Law]) {
        self.last.copy_from_slice(last);
    }

    /// A bound input that is not finite as last read, by its place.
    pub(super) fn broken(&self) -> Option<(usize, f64)> {
        let read = self.places.iter().map(|&place| (place, self.u[place]));
        read.into_iter().find(|(_, value)| !value.is_finite())
    }
}
