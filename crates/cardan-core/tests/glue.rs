//! The glue: who advances when, what is seen of whom, and what is said about it.
#![allow(clippy::unwrap_used, clippy::panic)] // tests

mod support;

use cardan_core::error::RunError;
use cardan_core::interface::{Interface, Port, PortId};
use cardan_core::method::{Glue, Sweep, Tangent};
use cardan_core::participant::{
    Derivatives, Outcome, OwnSteps, Participant, Reactive, Rollback, RunWindow, Settings, Slopes, Slot,
    StepEnd, StepRequest, Trace, Watch,
};
use cardan_core::plan::StartMode;
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::reaction::Reaction;
use cardan_core::signal::Reading;
use cardan_core::time::SimTime;
use std::sync::{Arc, Mutex};
use support::{Bench, Rows, id};

/// Who stepped from where to where.
type Diary = Arc<Mutex<Vec<(&'static str, f64, f64)>>>;

/// A mass on a spring under an outer force, solved exactly for a force that is constant over each of its inner steps.
/// Its own steps have the lengths that it is told, again and again.
struct Mover {
    name: &'static str,
    interface: Interface,
    diary: Diary,
    own: Option<Vec<f64>>,
    taken: usize,
    state: [f64; 2],
    time: f64,
    saved: Vec<([f64; 2], f64, usize)>,
    reaction: Reaction,
    inner: Vec<SimTime>,
    rows: Vec<[f64; 2]>,
    lies: bool,
}

/// Its inner steps are this long at most.
const FINE: f64 = 1e-4;

impl Mover {
    fn new(name: &'static str, diary: &Diary) -> Self {
        let interface = Interface {
            ports: vec![
                Port::input("force"),
                Port::output("position"),
                Port::output("velocity"),
            ],
            ..Interface::default()
        };
        Mover {
            name,
            interface,
            diary: Arc::clone(diary),
            own: None,
            taken: 0,
            state: [0.01, 0.0],
            time: 0.0,
            saved: Vec::new(),
            reaction: Reaction::default(),
            inner: Vec::new(),
            rows: Vec::new(),
            lies: false,
        }
    }

    fn own_steps(mut self, lengths: &[f64]) -> Self {
        self.own = Some(lengths.to_vec());
        self
    }

    /// From the second step on it claims to have come to a time before its last success.
    fn lying(mut self) -> Self {
        self.lies = true;
        self
    }

    fn go(&mut self, request: &StepRequest<'_>, to: f64) {
        self.diary.lock().unwrap().push((self.name, self.time, to));
        let count = ((to - self.time) / FINE).ceil().max(1.0);
        let h = (to - self.time) / count;
        let begin = self.time;
        for k in 0..count as usize {
            let t = begin + k as f64 * h;
            self.state = midpoint(self.state, h, |state, part| {
                let at = SimTime::from_seconds(t + part * h);
                let mut force = [request.inputs.real(0, at)];
                self.reaction.apply(at, &state, &mut force);
                force[0]
            });
        }
        self.time = to;
        if request.watch == Watch::InnerSteps {
            self.inner.push(SimTime::from_seconds(to));
            self.rows.push(self.state);
        }
    }
}

/// x'' = -100 x + f by the fourth-order Runge-Kutta rule.
fn midpoint(x: [f64; 2], h: f64, force: impl Fn([f64; 2], f64) -> f64) -> [f64; 2] {
    let rate = |x: [f64; 2], part: f64| [x[1], -100.0 * x[0] + force(x, part)];
    let moved = |k: [f64; 2], part: f64| [x[0] + part * h * k[0], x[1] + part * h * k[1]];
    let a = rate(x, 0.0);
    let b = rate(moved(a, 0.5), 0.5);
    let c = rate(moved(b, 0.5), 0.5);
    let d = rate(moved(c, 1.0), 1.0);
    std::array::from_fn(|i| x[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]))
}

impl Participant for Mover {
    fn interface(&self) -> &Interface {
        &self.interface
    }
    fn bind(&mut self, _: &[PortId], _: &[PortId]) -> Outcome<()> {
        Ok(())
    }
    fn begin_initialization(&mut self, _: &RunWindow, _: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        self.inner.clear();
        self.rows.clear();
        while self.time < request.to.seconds() {
            let length = self
                .own
                .as_ref()
                .map_or(f64::INFINITY, |own| own[self.taken % own.len()]);
            self.taken += 1;
            let to = (self.time + length).min(request.to.seconds());
            self.go(&request, to);
        }
        if self.lies && self.inner.len() > 1 {
            self.inner.swap(0, 1);
        }
        Ok(StepEnd::Completed)
    }
    fn outputs(&mut self, _: SimTime, _: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        values.reals.copy_from_slice(&self.state);
        Ok(())
    }
    fn set_parameters(&mut self, _: SimTime, _: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        Some(self)
    }
    fn own_steps(&mut self) -> Option<&mut dyn OwnSteps> {
        match self.own {
            Some(_) => Some(self),
            None => None,
        }
    }
    fn reactive(&mut self) -> Option<&mut dyn Reactive> {
        Some(self)
    }
    fn trace(&mut self) -> Option<&mut dyn Trace> {
        Some(self)
    }
}

impl OwnSteps for Mover {
    fn step_once(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        let own = self.own.as_ref().unwrap();
        let length = own[self.taken % own.len()];
        self.taken += 1;
        let to = (self.time + length).min(request.to.seconds());
        let from = self.time;
        self.go(&request, to);
        if self.lies && self.taken > 1 {
            return Ok(StepEnd::Early {
                at: SimTime::from_seconds(from - length),
            });
        }
        match to == request.to.seconds() {
            true => Ok(StepEnd::Completed),
            false => Ok(StepEnd::Early {
                at: SimTime::from_seconds(to),
            }),
        }
    }
}

impl Reactive for Mover {
    fn react(&mut self, reaction: &Reaction) -> Outcome<()> {
        self.reaction = reaction.clone();
        Ok(())
    }
}

impl Rollback for Mover {
    fn save(&mut self, slot: Slot) -> Outcome<()> {
        self.saved.resize(slot + 1, Default::default());
        self.saved[slot] = (self.state, self.time, self.taken);
        Ok(())
    }
    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        (self.state, self.time, self.taken) = self.saved[slot];
        Ok(())
    }
}

impl Trace for Mover {
    fn instants(&self) -> &[SimTime] {
        &self.inner
    }
    fn point(&mut self, index: usize, values: PlanesMut<'_>) -> Outcome<()> {
        values.reals.copy_from_slice(&self.rows[index]);
        Ok(())
    }
}

/// A law of one displacement, and its derivative.
type Law = fn(f64) -> (f64, f64);

/// A massless code that answers a displacement with a force.
struct Answer {
    name: &'static str,
    interface: Interface,
    diary: Diary,
    law: Law,
    tells: bool,
}

impl Answer {
    fn new(name: &'static str, diary: &Diary, law: Law) -> Self {
        let mut interface = Interface {
            ports: vec![Port::input("position"), Port::output("force")],
            ..Interface::default()
        };
        interface.feedthrough.push((PortId(1), PortId(0)));
        Answer {
            name,
            interface,
            diary: Arc::clone(diary),
            law,
            tells: false,
        }
    }

    /// It tells its tangent, and that nothing drifts.
    fn telling(mut self) -> Self {
        self.tells = true;
        self
    }
}

impl Participant for Answer {
    fn interface(&self) -> &Interface {
        &self.interface
    }
    fn bind(&mut self, _: &[PortId], _: &[PortId]) -> Outcome<()> {
        Ok(())
    }
    fn begin_initialization(&mut self, _: &RunWindow, _: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        let way = (self.name, request.from.seconds(), request.to.seconds());
        self.diary.lock().unwrap().push(way);
        Ok(StepEnd::Completed)
    }
    fn outputs(&mut self, _: SimTime, inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        values.reals[0] = (self.law)(inputs.reals[0]).0;
        Ok(())
    }
    fn set_parameters(&mut self, _: SimTime, _: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        Some(self)
    }
    fn derivatives(&mut self) -> Option<&mut dyn Derivatives> {
        match self.tells {
            true => Some(self),
            false => None,
        }
    }
    fn slopes(&mut self) -> Option<&mut dyn Slopes> {
        match self.tells {
            true => Some(self),
            false => None,
        }
    }
}

impl Rollback for Answer {
    fn save(&mut self, _: Slot) -> Outcome<()> {
        Ok(())
    }
    fn restore(&mut self, _: Slot) -> Outcome<()> {
        Ok(())
    }
}

impl Derivatives for Answer {
    fn directional(&mut self, _: SimTime, inputs: &Planes, along: &[f64], change: &mut [f64]) -> Outcome<()> {
        change[0] = (self.law)(inputs.reals[0]).1 * along[0];
        Ok(())
    }
}

impl Slopes for Answer {
    fn slopes(&mut self, _: SimTime, inputs: &Planes, rates: &[f64], slopes: &mut [f64]) -> Outcome<()> {
        slopes[0] = (self.law)(inputs.reals[0]).1 * rates[0];
        Ok(())
    }
}

fn soft(u: f64) -> (f64, f64) {
    (-300.0 * u, -300.0)
}

fn cubic(u: f64) -> (f64, f64) {
    (-(1e3 * u + 1e7 * u.powi(3)), -(1e3 + 3e7 * u * u))
}

/// A floor that is felt below 5 mm.
fn floor(u: f64) -> (f64, f64) {
    match u < 0.005 {
        true => (1e5 * (0.005 - u), -1e5),
        false => (0.0, 0.0),
    }
}

/// The first component leads.
fn glue() -> Glue {
    Glue {
        leader: id(0),
        ahead: 0,
        tangent: Tangent::None,
        absolute: 1.0,
        relative: 0.01,
        reject: false,
        min: 1e-9,
        max: f64::INFINITY,
    }
}

fn bench(stop: f64, wish: Glue) -> Bench {
    let mut bench = Bench::new(Sweep::GaussSeidel, 1e-3, stop);
    bench.pace(wish);
    bench.setup.start = StartMode::Cold;
    bench
}

/// Connects the first component, `mover`, with an `answer`.
fn wired(bench: Bench, reading: Reading) -> Bench {
    bench
        .wire("mover.position", "answer.position", Reading::Quadratic)
        .wire("answer.force", "mover.force", reading)
        .record_all()
}

fn diary_of(bench: Bench, diary: &Diary) -> Vec<(&'static str, f64, f64)> {
    let (_, _, result) = bench.run(1);
    result.unwrap();
    std::mem::take(&mut *diary.lock().unwrap())
}

/// The half-step lead: after each step of the leader the follower goes on while its next step does not pass it.
#[test]
fn followers_are_never_ahead_and_less_than_a_step_behind() {
    let diary = Diary::default();
    let bench = bench(0.05, glue())
        .add(
            "mover",
            Mover::new("mover", &diary).own_steps(&[1e-3, 3e-3, 0.5e-3]),
        )
        .add("answer", Answer::new("answer", &diary, soft))
        .step(0.7e-3);
    let diary = diary_of(wired(bench, Reading::Quadratic), &diary);
    let (mut leader, mut follower) = (0.0, 0.0);
    let mut checked = 0;
    for (index, &(who, from, to)) in diary.iter().enumerate() {
        match who {
            "mover" => {
                // All that the follower could do was done before the leader went on.
                assert!(follower <= leader + 1e-12 && leader - follower < 0.7e-3 + 1e-12);
                assert!((from - leader).abs() < 1e-15);
                leader = to;
                checked += 1;
            }
            _ => {
                follower = to;
                let last = index + 1 == diary.len();
                assert!(last || to <= leader + 1e-12, "{to} is ahead of {leader}");
                assert!(
                    last || (to - from - 0.7e-3).abs() < 1e-12,
                    "a step of {}",
                    to - from
                );
            }
        }
    }
    assert!(checked > 30);
    // At the end everybody is there.
    assert_eq!(diary.last().map(|last| last.2), Some(0.05));
}

#[test]
fn followers_may_be_allowed_to_be_ahead() {
    let diary = Diary::default();
    let wish = Glue { ahead: 2, ..glue() };
    let bench = bench(0.02, wish)
        .add("mover", Mover::new("mover", &diary).own_steps(&[1e-3]))
        .add("answer", Answer::new("answer", &diary, soft))
        .step(0.7e-3);
    let diary = diary_of(wired(bench, Reading::Quadratic), &diary);
    let (mut leader, mut most) = (0.0, 0.0_f64);
    for (who, _, to) in diary {
        match who {
            "mover" => leader = to,
            _ => most = most.max(to - leader),
        }
    }
    // Not more than two steps of its own, and more than one.
    assert!(most <= 1.4e-3 + 1e-12 && most > 0.7e-3, "{most}");
}

/// One without a step of its own comes along with the leader, and what it does on the way is published.
#[test]
fn inner_steps_of_followers_are_points() {
    let diary = Diary::default();
    let bench = bench(0.02, glue())
        .add("mover", Mover::new("mover", &diary).own_steps(&[2e-3]))
        .add("other", Mover::new("other", &diary).own_steps(&[0.5e-3]))
        .wire("mover.position", "other.force", Reading::Quadratic)
        .wire("other.position", "mover.force", Reading::Quadratic)
        .record_all();
    let (mut run, _) = bench.start(1);
    run.advance(SimTime::from_seconds(0.01)).unwrap();
    let history = run.world().history(id(1));
    let times: Vec<f64> = (0..history.len()).map(|i| history.time(i).seconds()).collect();
    let latest = &times[times.len() - 4..];
    for (found, expected) in latest.iter().zip([8.5e-3, 9e-3, 9.5e-3, 10e-3]) {
        assert!((found - expected).abs() < 1e-12, "{times:?}");
    }
}

/// Held values are not smoothed, and nobody steps over the instants at which they change.
#[test]
fn everybody_lands_on_the_instants_of_a_discrete_process() {
    let diary = Diary::default();
    let mut answer = Answer::new("answer", &diary, soft);
    answer.interface.ports[1].variability = cardan_core::interface::Variability::Discrete;
    let bench = bench(0.02, glue())
        .add("mover", Mover::new("mover", &diary).own_steps(&[0.7e-3]))
        .add("answer", answer)
        .step(2e-3);
    let (_, rows, result) = wired(bench, Reading::Hold).run(1);
    result.unwrap();
    let diary = std::mem::take(&mut *diary.lock().unwrap());
    for (who, from, to) in diary.iter().filter(|(who, ..)| *who == "mover") {
        let (samples, ends) = ((from / 2e-3 + 1e-9).floor(), (to / 2e-3 - 1e-9).floor());
        assert_eq!(samples, ends, "{who} steps over a sample: {from} .. {to}");
    }
    // The force is that of the last sample: it changes with the samples only.
    let (times, forces, positions) = (
        rows.times(),
        rows.reals("answer.force"),
        rows.reals("mover.position"),
    );
    let mut sampled = soft(0.01).0;
    for ((t, force), position) in times.iter().zip(&forces).zip(&positions) {
        let on_sample = ((t / 2e-3).round() * 2e-3 - t).abs() < 1e-12;
        if on_sample {
            sampled = soft(*position).0;
        }
        assert_eq!(*force, sampled, "at {t}");
    }
}

/// Rows are those of the leader; what followers have in between is read from their signals.
#[test]
fn rows_are_at_the_points_of_the_leader() {
    let diary = Diary::default();
    let bench = bench(0.01, glue())
        .add("mover", Mover::new("mover", &diary).own_steps(&[1e-3, 1.5e-3]))
        .add("answer", Answer::new("answer", &diary, soft))
        .step(0.4e-3);
    let (_, rows, result) = wired(bench, Reading::Quadratic).run(1);
    result.unwrap();
    let expected = [0.0, 1e-3, 2.5e-3, 3.5e-3, 5e-3, 6e-3, 7.5e-3, 8.5e-3, 10e-3];
    let times = rows.times();
    assert_eq!(times.len(), expected.len(), "{times:?}");
    let forces = rows
        .reals("answer.force")
        .into_iter()
        .zip(rows.reals("mover.position"));
    for ((t, expected), (force, position)) in times.iter().zip(expected).zip(forces) {
        assert!((t - expected).abs() < 1e-12);
        // The follower saw the leader's first step of 1 ms as a line, later ones as parabolas: (ω h)² / 8 of 20 rad/s, as
        // a part of 3 N.
        let allowed = 3.0 * (20.0 * 1e-3_f64).powi(2) / 8.0;
        assert!((force - soft(position).0).abs() < allowed, "at {t}");
    }
}

fn error(bench: Bench, force: fn(f64) -> (f64, f64)) -> f64 {
    let (_, rows, result) = bench.run(1);
    result.unwrap();
    let (times, positions) = (rows.times(), rows.reals("mover.position"));
    let mut state = [0.01, 0.0];
    let (mut t, mut worst) = (0.0, 0.0_f64);
    for (time, position) in times.iter().zip(positions) {
        let count = ((time - t) / 1e-5).ceil();
        for _ in 0..count as usize {
            state = midpoint(state, (time - t) / count, |x, _| force(x[0]).0);
        }
        t = *time;
        worst = worst.max((position - state[0]).abs());
    }
    worst
}

fn cubic_bench(step: f64, kind: Tangent, follower: f64) -> Bench {
    let diary = Diary::default();
    let wish = Glue {
        tangent: kind,
        ..glue()
    };
    let bench = bench(0.2, wish)
        .add("mover", Mover::new("mover", &diary))
        .step(step)
        .add("answer", Answer::new("answer", &diary, cubic).telling())
        .step(follower);
    wired(bench, Reading::Quadratic)
}

/// A force that is a signal of time is as good as its reading, order 3 a step and thus 3 in all; along the tangent it is of
/// order 2; the law that bends is of order 4 and, for a cubic of one displacement, has next to no error at all.
#[test]
fn orders_of_what_the_leader_is_told() {
    let order = |kind: Tangent| {
        let errors = [2e-3, 1e-3].map(|h| error(cubic_bench(h, kind, h), cubic));
        (errors[1], (errors[0] / errors[1]).log2())
    };
    let (signal, of_signal) = order(Tangent::None);
    let (linear, of_linear) = order(Tangent::Linear);
    let (curved, of_curved) = order(Tangent::Curved);
    assert!(of_signal > 2.5, "{of_signal}");
    assert!((1.8..2.6).contains(&of_linear), "{of_linear}");
    assert!(of_curved > 3.5, "{of_curved}");
    assert!(
        curved < 1e-3 * signal.min(linear),
        "{curved} of {signal}, {linear}"
    );
}

/// The same where the follower has steps that do not fit.
#[test]
fn curved_tangents_do_not_mind_odd_steps() {
    let curved = error(cubic_bench(1e-3, Tangent::Curved, 1.7e-3), cubic);
    let signal = error(cubic_bench(1e-3, Tangent::None, 1.7e-3), cubic);
    assert!(curved < 0.02 * signal, "{curved} of {signal}");
}

/// What was predicted and what was computed are compared where the follower computed; the first warning names both.
#[test]
fn predictions_are_compared() {
    let diary = Diary::default();
    let bench = bench(0.2, glue())
        .add("mover", Mover::new("mover", &diary))
        .step(5e-3)
        .add("answer", Answer::new("answer", &diary, cubic))
        .step(5e-3);
    let (run, _, result) = wired(bench, Reading::Hold).run(1);
    result.unwrap();
    let monitor = &run.world().monitor;
    let account = &monitor.predictions()[0];
    assert_eq!(account.compared, 40);
    assert!(account.exceeded > 20 && account.largest() > 1.0);
    let warning = &monitor.warnings()[0];
    assert_eq!(warning.kind.name(), "prediction");
    assert_eq!(warning.place, "answer.force → mover.force: force");
    // The first step holds the force of the start, -(1e3 · 0.01 + 1e7 · 1e-6) N.
    assert!(
        warning.message.contains("-2.000000e1 was predicted and "),
        "{}",
        warning.message
    );
    assert_eq!(account.exceeded, warning.count);
}

/// Errors must exceed both limits, and where nothing was predicted and nothing came, nothing is off.
#[test]
fn both_errors_count() {
    let exceeded = |absolute: f64, relative: f64| {
        let diary = Diary::default();
        let bench = bench(
            0.2,
            Glue {
                absolute,
                relative,
                ..glue()
            },
        )
        .add("mover", Mover::new("mover", &diary))
        .step(5e-3)
        .add("answer", Answer::new("answer", &diary, cubic))
        .step(5e-3);
        let (run, _, result) = wired(bench, Reading::Hold).run(1);
        result.unwrap();
        run.world().monitor.predictions()[0].exceeded
    };
    let strict = exceeded(0.0, 0.0);
    assert_eq!(strict, 40);
    assert_eq!(exceeded(1e9, 0.0), 0);
    assert_eq!(exceeded(0.0, 1e9), 0);
    let both = exceeded(1.0, 0.3);
    assert!(both <= exceeded(1.0, 0.0).min(exceeded(0.0, 0.3)) && both > 0);
}

/// A ball falls on a floor, and back it comes: with steps taken back, the energy is kept.
#[test]
fn bad_steps_are_taken_back() {
    let ends = |reject: bool| {
        let diary = Diary::default();
        let wish = Glue {
            tangent: Tangent::Curved,
            absolute: 0.1,
            reject,
            ..glue()
        };
        let mut bench = bench(0.3, wish)
            .add("mover", Mover::new("mover", &diary))
            .step(5e-3)
            .add("answer", Answer::new("answer", &diary, floor).telling());
        bench.setup.record.clear();
        let (run, rows, result) = wired(bench, Reading::Hold).run(1);
        result.unwrap();
        let last = |name: &str| *rows.reals(name).last().unwrap();
        let (u, v) = (last("mover.position"), last("mover.velocity"));
        let depth = (0.005 - u).max(0.0);
        (
            run.world().rejected(),
            50.0 * u * u + 0.5 * v * v + 0.5e5 * depth * depth,
        )
    };
    let start = 50.0 * 0.01_f64.powi(2);
    let (none, wild) = ends(false);
    let (some, kept) = ends(true);
    assert_eq!(none, 0);
    assert!(some > 0);
    // Closing and opening is located to 0.1 N of 1e5 N/m: a micrometre, of which the energy in the spring is 5e-8 J, at
    // two events a bounce and fewer than ten bounces: 1e-6 J of 5 mJ.
    assert!((kept / start - 1.0).abs() < 1e-3, "{}", kept / start);
    assert!((wild / start - 1.0).abs() > 0.1, "{}", wild / start);
}

fn failure_of(bench: Bench) -> RunError {
    bench.run(1).2.unwrap_err()
}

#[test]
fn nobody_goes_back_behind_its_last_success() {
    let diary = Diary::default();
    let leads = bench(0.05, glue())
        .add("mover", Mover::new("mover", &diary).own_steps(&[1e-3]).lying())
        .add("answer", Answer::new("answer", &diary, soft));
    let error = failure_of(wired(leads, Reading::Hold));
    assert_eq!(error.who(), Some("mover"));
    assert!(error.message().contains("published a step at t = 0 s"), "{error}");
    assert!(error.message().contains("last success at 0.001 s"), "{error}");

    let follows = bench(0.05, glue())
        .add("mover", Mover::new("mover", &diary).own_steps(&[1e-3]))
        .add("other", Mover::new("other", &diary).own_steps(&[0.25e-3]).lying())
        .wire("mover.position", "other.force", Reading::Quadratic)
        .wire("other.position", "mover.force", Reading::Quadratic)
        .record_all();
    let error = failure_of(follows);
    assert_eq!(error.who(), Some("other"));
    assert!(error.message().contains("published a step at"), "{error}");
}

#[test]
fn a_leader_needs_steps() {
    let diary = Diary::default();
    let bench = bench(0.05, glue())
        .add("mover", Mover::new("mover", &diary))
        .add("answer", Answer::new("answer", &diary, soft));
    let error = failure_of(wired(bench, Reading::Hold));
    assert!(error.message().contains("no steps of its own"), "{error}");
    assert!(error.advice().unwrap().contains("step"));
}

fn bits(rows: &Rows) -> Vec<u64> {
    let columns = ["mover.position", "one.force", "two.force"];
    let values = columns.iter().flat_map(|name| rows.reals(name));
    rows.times().into_iter().chain(values).map(f64::to_bits).collect()
}

/// Two followers with the same steps go side by side; one with others in between.
#[test]
fn the_same_bits_on_any_number_of_threads() {
    let run = |threads: usize| {
        let diary = Diary::default();
        let wish = Glue {
            tangent: Tangent::Curved,
            ..glue()
        };
        let bench = bench(0.05, wish)
            .add("mover", Mover::new("mover", &diary).own_steps(&[1e-3, 0.3e-3]))
            .add("one", Answer::new("one", &diary, soft).telling())
            .step(0.7e-3)
            .add("two", Answer::new("two", &diary, cubic).telling())
            .step(0.7e-3)
            .add("three", Answer::new("three", &diary, soft))
            .wire("mover.position", "one.position", Reading::Quadratic)
            .wire("mover.position", "two.position", Reading::Linear { weight: 1.0 })
            .wire("one.force", "three.position", Reading::Quadratic)
            .wire("one.force", "mover.force", Reading::Quadratic)
            .record_all();
        let (_, rows, result) = bench.run(threads);
        result.unwrap();
        bits(&rows)
    };
    let alone = run(1);
    assert!(alone.len() > 100);
    assert_eq!(alone, run(2));
    assert_eq!(alone, run(4));
}

/// Who kept whom waiting is known.
#[test]
fn waiting_is_accounted_for() {
    let diary = Diary::default();
    let bench = bench(0.05, glue())
        .add("mover", Mover::new("mover", &diary).own_steps(&[1e-3]))
        .add("answer", Answer::new("answer", &diary, soft));
    let (run, _, result) = wired(bench, Reading::Quadratic).run(1);
    result.unwrap();
    assert!(run.world().kept_waiting().iter().all(|time| !time.is_zero()));
}
