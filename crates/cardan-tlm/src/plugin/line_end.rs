//! One end of a line: what arrived, what it does to the component, what leaves.
//!
//! A wave that left the other end at `t - T` arrives at `t`. Every answer follows from simulated times alone, never from what
//! happens to have arrived already: up to `start + T` nothing has left the other end, by rule, and later an answer needs a
//! sample at or after `t - T`. So the same run gives the same bits, whoever is faster.

use super::law::{Flow, Motion3D, Placement};
use crate::rotation;
use crate::track::{Interpolation, Place, Reading, Track};

/// What a line end is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One degree of freedom.
    Axis(Flow),
    /// A point of a body: six degrees of freedom.
    Body,
    /// Takes a signal.
    Input,
    /// Gives a signal.
    Output,
}

impl Kind {
    /// What an interface point of a meta-model is.
    pub fn of(dimensions: i32, causality: &str, domain: &str) -> Self {
        match (causality.to_ascii_lowercase().as_str(), dimensions) {
            ("input", _) => Kind::Input,
            ("output", _) => Kind::Output,
            (_, 1) => Kind::Axis(Flow::of_domain(domain)),
            _ => Kind::Body,
        }
    }

    /// Numbers in a sample, the time among them.
    pub fn width(self) -> usize {
        match self {
            Kind::Axis(_) => 4,
            Kind::Body => 25,
            Kind::Input | Kind::Output => 2,
        }
    }

    /// Where the waves of a sample begin, and how many there are.
    fn waves(self) -> (usize, usize) {
        match self {
            Kind::Axis(_) => (3, 1),
            Kind::Body => (19, 6),
            Kind::Input | Kind::Output => (1, 1),
        }
    }
}

/// The line as the manager describes it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Line {
    /// Seconds from one end to the other.
    pub delay: f64,
    /// Impedance of translation, or of the one degree of freedom.
    pub zf: f64,
    /// Impedance of rotation.
    pub zfr: f64,
    /// Weight of the past in the filter of arriving waves; 0 is no filter.
    pub alpha: f64,
    /// The component's inertial frame.
    pub placement: Placement,
}

/// What the line does before the first wave can have arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Beginning {
    /// The component feels the initial force and nothing of the line, as with the public plugin.
    #[default]
    Compatible,
    /// The line is there from the start, with the wave that makes the initial force at the initial flow.
    Attached,
}

/// How the arithmetic is done where there is a choice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arithmetic {
    /// How waves are read between samples.
    pub interpolation: Interpolation,
    /// How far back the filter looks, in delays: 1.5 as the public plugin, 1.0 as the document of the method has it.
    pub feedback: f64,
    /// What the line does before the first wave.
    pub beginning: Beginning,
}

impl Default for Arithmetic {
    fn default() -> Self {
        Arithmetic {
            interpolation: Interpolation::Linear,
            feedback: 1.5,
            beginning: Beginning::Compatible,
        }
    }
}

/// Can a question about an instant be answered?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Readiness {
    /// Yes.
    Ready,
    /// Not before more has arrived.
    Waiting,
    /// The other end cannot get there before this one has sent more: the answer is that of the latest instant
    /// for which it can.
    Ahead,
}

/// What is wrong with a sample that arrived.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Objection {
    /// A number in it is not finite.
    NotFinite,
    /// It is earlier than one before it.
    OutOfOrder,
}

/// Waves and how strongly the load follows the motion: `load = wave ∓ impedance · velocity`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Felt {
    /// The waves that arrive: one, or six in global axes.
    pub waves: [f64; 6],
    /// The impedances of translation and rotation.
    pub impedance: (f64, f64),
    /// Has a wave arrived, or is this the beginning?
    pub arrived: bool,
}

/// One end of a line.
#[derive(Clone, Debug)]
pub struct LineEnd {
    kind: Kind,
    line: Line,
    arithmetic: Arithmetic,
    start: f64,
    stop: f64,
    /// Force and flow at the start, in component axes; the value of a signal is the first force.
    initial_force: [f64; 6],
    initial_flow: [f64; 6],
    received: Track,
    /// Has the other end said all it will ever say?
    ended: bool,
    damped: Track,
    outbox: Track,
    newest_sent: Option<f64>,
    last_sent: f64,
    /// Everything is sent at once.
    eager: bool,
}

/// Instants that differ by less than this part of the delay are the same instant.
const SAME: f64 = 1e-9;
/// Samples kept before those that will be asked for.
const KEPT: usize = 4;

impl LineEnd {
    /// An end of a line at the start of a run from `start` to `stop`.
    pub fn new(kind: Kind, line: Line, arithmetic: Arithmetic, (start, stop): (f64, f64)) -> Self {
        let mut end = LineEnd {
            kind,
            line,
            arithmetic,
            start,
            stop,
            initial_force: [0.0; 6],
            initial_flow: [0.0; 6],
            received: Track::new(kind.width() - 1),
            ended: false,
            damped: Track::new(kind.waves().1),
            outbox: Track::new(kind.width() - 1),
            newest_sent: None,
            last_sent: start,
            eager: false,
        };
        end.begin_filter();
        end
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The line.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// Sends whatever is set at once.
    pub fn be_eager(&mut self) {
        self.eager = true;
    }

    /// Is what arrives read by curves?
    pub fn is_curved(&self) -> bool {
        self.arithmetic.interpolation == Interpolation::Cubic
    }

    /// The load, or the value, before anything arrives. In component axes.
    pub fn set_initial_force(&mut self, force: [f64; 6]) {
        self.initial_force = force;
        self.begin_filter();
    }

    /// The flow that belongs to the initial load. In component axes.
    pub fn set_initial_flow(&mut self, flow: [f64; 6]) {
        self.initial_flow = flow;
        self.begin_filter();
    }

    /// An attached line has its past in the filter.
    fn begin_filter(&mut self) {
        if self.filters() && self.arithmetic.beginning == Beginning::Attached && self.received.is_empty() {
            let waves = self.initial_waves();
            self.damped.pop();
            let mut sample = [self.start; 7];
            sample[1..].copy_from_slice(&waves);
            self.damped.push(&sample[..=self.kind.waves().1]);
        }
    }

    fn filters(&self) -> bool {
        self.line.alpha > 0.0 && matches!(self.kind, Kind::Axis(_) | Kind::Body)
    }

    /// The waves that make the initial force at the initial flow, as they are on the line.
    fn initial_waves(&self) -> [f64; 6] {
        let (zf, zfr) = (self.line.zf, self.line.zfr);
        let flow = match self.kind {
            Kind::Axis(flow) => flow,
            _ => Flow::Motion,
        };
        let own: [f64; 6] = std::array::from_fn(|k| {
            let z = if k < 3 { zf } else { zfr };
            flow.arriving(self.initial_force[k], z, self.initial_flow[k])
        });
        match self.kind {
            Kind::Body => self.in_global(&own),
            _ => own,
        }
    }

    fn in_global(&self, own: &[f64; 6]) -> [f64; 6] {
        let back = |v| rotation::apply_transposed(&self.line.placement.rotation, v);
        let [f, m] = [[own[0], own[1], own[2]], [own[3], own[4], own[5]]].map(back);
        [f[0], f[1], f[2], m[0], m[1], m[2]]
    }

    /// Instants closer than this are one.
    fn tolerance(&self) -> f64 {
        SAME * self.line.delay
    }

    /// Takes a sample that arrived.
    pub fn take(&mut self, sample: &[f64]) -> Result<(), Objection> {
        if sample.iter().any(|number| !number.is_finite()) {
            return Err(Objection::NotFinite);
        }
        match self.received.push(sample) {
            true => Ok(()),
            false => Err(Objection::OutOfOrder),
        }
    }

    /// The time of the newest sample that arrived.
    pub fn newest(&self) -> Option<f64> {
        self.received.last_time()
    }

    /// Nothing more will arrive: from now on the last sample counts for ever.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// Is `t` in the time before any wave can have arrived?
    pub fn is_beginning(&self, t: f64) -> bool {
        t <= self.start + self.line.delay + self.tolerance()
    }

    /// The latest instant that can be asked about before more is sent.
    fn horizon(&self) -> f64 {
        match self.kind {
            Kind::Input => f64::INFINITY,
            _ => self.last_sent + self.line.delay,
        }
    }

    /// How waves are read. The other end, with steps of at most half the delay, gets one delay further than what was sent to
    /// it, and holds back at most half a delay: so there is a sample after each that is not later than what was sent. One that steps further
    /// is read along straight lines.
    fn reading(&self) -> Reading {
        Reading {
            rule: self.arithmetic.interpolation,
            settled: self.last_sent.min(self.stop - self.line.delay),
            widest: 0.5 * self.line.delay + self.tolerance(),
        }
    }

    /// Can a question about `t` be answered?
    pub fn readiness(&self, t: f64) -> Readiness {
        self.ready(t, Track::suffices)
    }

    /// Can questions about all instants up to `t` be answered?
    pub fn readiness_up_to(&self, t: f64) -> Readiness {
        self.ready(t, Track::suffices_before)
    }

    fn ready(&self, t: f64, suffices: fn(&Track, f64, f64, Reading) -> bool) -> Readiness {
        let horizon = self.horizon();
        let asked = t.min(horizon);
        if !self.is_beginning(asked) && !self.ended {
            let needed = asked - self.line.delay;
            if !suffices(&self.received, needed, self.tolerance(), self.reading()) {
                return Readiness::Waiting;
            }
        }
        match t > horizon + self.tolerance() {
            true => Readiness::Ahead,
            false => Readiness::Ready,
        }
    }

    /// The time on the other end that counts at `t`. A sample that was taken at this instant, but for rounding, is meant,
    /// whether or not a later one has arrived.
    fn there(&self, t: f64) -> f64 {
        let there = t.min(self.horizon()) - self.line.delay;
        let next = self.received.first_from(there - self.tolerance());
        match next < self.received.len() && self.received.time(next) <= there + self.tolerance() {
            true => self.received.time(next),
            false => there,
        }
    }

    /// What arrives at `t`.
    pub fn felt(&self, t: f64) -> Felt {
        let (zf, zfr) = (self.line.zf, self.line.zfr);
        if self.is_beginning(t) || self.received.is_empty() {
            return match self.arithmetic.beginning {
                Beginning::Attached => Felt {
                    waves: self.initial_waves(),
                    impedance: (zf, zfr),
                    arrived: false,
                },
                Beginning::Compatible => Felt {
                    waves: match self.kind {
                        Kind::Body => self.in_global(&self.initial_force),
                        _ => self.initial_force,
                    },
                    impedance: (0.0, 0.0),
                    arrived: false,
                },
            };
        }
        Felt {
            waves: self.waves_from(self.there(t)),
            impedance: (zf, zfr),
            arrived: true,
        }
    }

    /// The filtered waves that left the other end at `there`.
    fn waves_from(&self, there: f64) -> [f64; 6] {
        let (column, count) = self.kind.waves();
        let mut waves = [0.0; 6];
        self.received
            .read(there, column, self.reading(), &mut waves[..count]);
        if self.filters() {
            let mut past = [0.0; 6];
            let back = there - self.arithmetic.feedback * self.line.delay;
            let reading = Reading::of_all(self.arithmetic.interpolation);
            if self.damped.read(back, 1, reading, &mut past[..count]) {
                let alpha = self.line.alpha;
                for (wave, past) in waves.iter_mut().zip(past) {
                    *wave = (1.0 - alpha) * *wave + alpha * past;
                }
            }
        }
        waves
    }

    /// The load on the component at `t`, where it moves with `velocity`.
    pub fn force_1d(&self, t: f64, velocity: f64) -> f64 {
        let felt = self.felt(t);
        self.flow().load(felt.waves[0], felt.impedance.0, velocity)
    }

    /// What flows through the line.
    pub fn flow(&self) -> Flow {
        match self.kind {
            Kind::Axis(flow) => flow,
            Kind::Body | Kind::Input | Kind::Output => Flow::Motion,
        }
    }

    /// The force and the moment on the component at `t`, in its axes.
    pub fn force_3d(&self, t: f64, velocity: [f64; 3], angular_velocity: [f64; 3]) -> [f64; 6] {
        let felt = self.felt(t);
        let placement = &self.line.placement;
        placement.load(&felt.waves, felt.impedance, velocity, angular_velocity)
    }

    /// The signal at `t`.
    pub fn value(&self, t: f64) -> f64 {
        self.felt(t).waves[0]
    }

    /// What left the other end at `t - T`, with the filtered waves: a sample whose time is `t - T`. None in the beginning.
    pub fn time_data(&self, t: f64) -> Option<Vec<f64>> {
        if self.is_beginning(t) || self.received.is_empty() {
            return None;
        }
        let there = self.there(t);
        let mut sample = vec![0.0; self.kind.width()];
        self.received.read(there, 1, self.reading(), &mut sample[1..]);
        sample[0] = t - self.line.delay;
        if self.kind == Kind::Body {
            sample[4..13].copy_from_slice(&orientation_at(&self.received, there));
        }
        let (column, count) = self.kind.waves();
        sample[column..].copy_from_slice(&self.waves_from(there)[..count]);
        Some(sample)
    }

    /// Sets the motion of one degree of freedom at the end of a step. Answers whether it was taken: one that is not later
    /// than what was sent is not.
    pub fn set_motion_1d(&mut self, t: f64, position: f64, velocity: f64) -> bool {
        let felt = self.felt(t);
        let flow = self.flow();
        let load = self.load_when_sending(&felt, 0, felt.waves[0], flow, velocity);
        let wave = flow.leaving(load, self.line.zf, velocity);
        self.remember(t, &felt);
        self.post(&[t, position, velocity, wave])
    }

    /// The same of a point of a body.
    pub fn set_motion_3d(&mut self, t: f64, motion: &Motion3D) -> bool {
        let felt = self.felt(t);
        let arriving = {
            let [f0, f1, f2, m0, m1, m2] = felt.waves;
            let turned = |v| rotation::apply(&self.line.placement.rotation, v);
            [turned([f0, f1, f2]), turned([m0, m1, m2])].concat()
        };
        let wave: [f64; 6] = std::array::from_fn(|k| {
            let (z, velocity) = match k {
                0..3 => (self.line.zf, motion.velocity[k]),
                _ => (self.line.zfr, motion.angular_velocity[k - 3]),
            };
            let load = self.load_when_sending(&felt, k, arriving[k], Flow::Motion, velocity);
            Flow::Motion.leaving(load, z, velocity)
        });
        self.remember(t, &felt);
        let sample = self.line.placement.sample(t, motion, &wave);
        self.post(&sample)
    }

    /// Sets a signal.
    pub fn set_value(&mut self, t: f64, value: f64) -> bool {
        self.post(&[t, value])
    }

    /// The load by which the leaving wave is made. Before anything arrived, the compatible one is made with the initial
    /// flow, whatever the motion.
    fn load_when_sending(&self, felt: &Felt, k: usize, wave: f64, flow: Flow, velocity: f64) -> f64 {
        let z = if k < 3 { self.line.zf } else { self.line.zfr };
        match (felt.arrived, self.arithmetic.beginning) {
            (false, Beginning::Compatible) => flow.load(wave, z, self.initial_flow[k]),
            _ => flow.load(wave, z, velocity),
        }
    }

    /// Keeps what was felt for the filter.
    fn remember(&mut self, t: f64, felt: &Felt) {
        if !self.filters() || !felt.arrived {
            return;
        }
        let there = self.there(t);
        while self.damped.last_time().is_some_and(|last| last >= there) {
            self.damped.pop();
        }
        let mut sample = [there; 7];
        sample[1..].copy_from_slice(&felt.waves);
        self.damped.push(&sample[..=self.kind.waves().1]);
    }

    fn post(&mut self, sample: &[f64]) -> bool {
        let t = sample[0];
        if self.newest_sent.is_some_and(|sent| t <= sent) {
            return false;
        }
        // A step that was taken again replaces what was set before.
        while self.outbox.last_time().is_some_and(|last| last >= t) {
            self.outbox.pop();
        }
        self.outbox.push(sample);
        let delay = self.line.delay;
        self.received.forget(t - 2.0 * delay, KEPT);
        self.damped
            .forget(t - (2.0 + self.arithmetic.feedback) * delay, KEPT);
        true
    }

    /// Is it time to send?
    pub fn is_due(&self) -> bool {
        let newest = self.outbox.last_time();
        newest.is_some_and(|t| self.eager || t >= self.last_sent + 0.5 * self.line.delay - self.tolerance())
    }

    /// Hands over what is to be sent, sample by sample; nothing if nothing waits.
    pub fn drain(&mut self, numbers: &mut Vec<f64>) {
        numbers.clear();
        if let Some(newest) = self.outbox.last_time() {
            for index in 0..self.outbox.len() {
                numbers.extend_from_slice(self.outbox.sample(index));
            }
            self.outbox.clear();
            (self.newest_sent, self.last_sent) = (Some(newest), newest);
        }
    }

    /// The instants truly between `from` and `to` at which the arriving waves change their law, in order.
    pub fn breaks(&self, from: f64, to: f64) -> Vec<f64> {
        let delay = self.line.delay;
        let mut found = Vec::new();
        let first = self.start + delay;
        if from < first && first < to {
            found.push(first);
        }
        self.received.breaks(from, to, delay, &mut found);
        if self.filters() {
            let shift = (1.0 + self.arithmetic.feedback) * delay;
            self.damped.breaks(from, to, shift, &mut found);
        }
        found.sort_by(f64::total_cmp);
        let (apart, mut last) = (1e-6 * (to - from), from);
        found.retain(|&at| {
            let keep = at - last > apart && to - at > apart;
            if keep {
                last = at;
            }
            keep
        });
        found
    }
}

/// The orientation at an instant: turned a part of the way between two samples.
pub(crate) fn orientation_at(track: &Track, time: f64) -> rotation::Matrix {
    let of = |index: usize| {
        let mut matrix = rotation::IDENTITY;
        matrix.copy_from_slice(&track.sample(index)[4..13]);
        matrix
    };
    match track.place(time) {
        Place::Nowhere => rotation::IDENTITY,
        Place::At(index) => of(index),
        Place::After => of(track.len() - 1),
        Place::Between(index) => {
            let (before, after) = (track.time(index), track.time(index + 1));
            rotation::between(&of(index), &of(index + 1), (time - before) / (after - before))
        }
    }
}

#[cfg(test)]
mod tests;
