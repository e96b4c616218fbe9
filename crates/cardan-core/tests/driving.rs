//! Runs that are driven from outside: limits that steps end at, inputs that are changed on the way, laws that the engine adds.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan_core::checkpoint::{Damage, Reader, Writer};
use cardan_core::error::RunError;
use cardan_core::graph::ParticipantId;
use cardan_core::interface::PortId;
use cardan_core::method::{
    Acceleration, Advanced, Estimator, Glue, Iteration, Master, Method, Needs, OverLines, Pacing,
    StepControl, Sweep, Tangent,
};
use cardan_core::plan::Plan;
use cardan_core::run::{Change, Run, Status};
use cardan_core::signal::{Reading, Segment};
use cardan_core::time::{Grid, SimTime};
use cardan_core::value::Value;
use cardan_core::world::{Undrivable, World};
use cardan_testkit::fakes::Accumulator;
use std::sync::Arc;
use support::{Bench, OneWay, id};

const U: PortId = Accumulator::INPUT;
const LINE: Reading = Reading::Linear { weight: 1.0 };

fn control() -> StepControl {
    StepControl {
        relative: 1e-6,
        absolute: 1e-9,
        min: 1e-9,
        max: 0.5,
        first: 1e-3,
        estimator: Estimator::Richardson,
        energy: None,
    }
}

fn iteration() -> Iteration {
    Iteration {
        relative: 1e-9,
        absolute: 1e-12,
        rounds: 50,
        acceleration: Acceleration::Broyden,
    }
}

fn glue(ahead: u32) -> Glue {
    Glue {
        leader: id(0),
        ahead,
        tangent: Tangent::None,
        absolute: 1e9,
        relative: 1.0,
        reject: false,
        min: 1e-9,
        max: f64::INFINITY,
    }
}

/// `a' = u`, `b' = a`, in steps of 0.1: the value of `u` can be set.
fn chain() -> Bench {
    chain_of(Bench::new(Sweep::GaussSeidel, 0.1, 2.0))
}

fn chain_of(bench: Bench) -> Bench {
    let mut bench = bench
        .add("a", Accumulator::new(0.0))
        .add("b", Accumulator::new(0.0))
        .wire("a.x", "b.u", LINE)
        .record_all();
    bench.setup.drive.push((id(0), U));
    bench.setup.record.insert(0, (id(0), U));
    bench
}

/// The chain under every pacing and solver there is.
fn chains() -> Vec<(&'static str, Bench)> {
    let with = |change: &dyn Fn(&mut Bench)| {
        let mut bench = chain();
        change(&mut bench);
        bench
    };
    let own_steps = |bench: &mut Bench| {
        bench.graph.nodes[0].step = Some(0.1);
        bench.graph.nodes[1].step = Some(0.04);
    };
    vec![
        ("one step for all", chain()),
        ("steps of their own", with(&own_steps)),
        ("steps of their own, side by side", {
            let mut bench = with(&own_steps);
            bench.setup.method.sweep = Sweep::Jacobi;
            bench
        }),
        ("repeated", with(&|bench| bench.solve(iteration()))),
        ("by tolerance", with(&|bench| bench.pace(control()))),
        (
            "leader and follower",
            with(&|bench| {
                own_steps(bench);
                bench.pace(glue(0));
            }),
        ),
        (
            "follower ahead",
            with(&|bench| {
                own_steps(bench);
                bench.pace(glue(3));
            }),
        ),
        (
            "as far as lines allow",
            with(&|bench| {
                own_steps(bench);
                bench.setup.method.sweep = Sweep::Jacobi;
                bench.pace(OverLines);
            }),
        ),
    ]
}

fn at(seconds: f64) -> SimTime {
    SimTime::from_seconds(seconds)
}

fn output(run: &Run, participant: ParticipantId) -> f64 {
    run.world()
        .output(participant, Accumulator::OUTPUT)
        .unwrap()
        .0
        .reals[0]
}

#[test]
fn advances_land_on_their_limit() {
    for (name, bench) in chains() {
        let (mut run, rows) = bench.start(1);
        // In the middle of steps, on the grid, just behind it, and far on.
        for limit in [0.123, 0.2, 0.2 + 1e-6, 1.777] {
            assert_eq!(run.advance(at(limit)).unwrap(), Status::Running, "{name}");
            assert_eq!(run.world().frontier(), at(limit), "{name}");
            for participant in [id(0), id(1)] {
                let stands = run.world().time_of(participant);
                assert!((stands.seconds() - limit).abs() < 1e-9, "{name}: {stands}");
            }
        }
        assert_eq!(run.advance(SimTime::FUTURE).unwrap(), Status::Finished, "{name}");
        run.finish(false).unwrap();
        let times = rows.times();
        assert_eq!(times.last(), Some(&2.0), "{name}");
        assert!(
            times.windows(2).all(|pair| pair[0] < pair[1]),
            "{name}: {times:?}"
        );
    }
}

/// A limit at a point of the grid changes nothing, and one behind the end is none.
#[test]
fn limits_where_steps_end_anyway_change_no_bits() {
    for (name, _) in chains()
        .into_iter()
        .filter(|(name, _)| *name == "one step for all" || *name == "repeated")
    {
        let make = || chains().into_iter().find(|(other, _)| *other == name).unwrap().1;
        let (whole, rows) = make().start(1);
        let all = |mut run: Run, limits: &[f64]| {
            limits.iter().for_each(|limit| {
                run.advance(at(*limit)).unwrap();
            });
            run.advance(SimTime::FUTURE).unwrap();
            run.finish(false).unwrap();
        };
        all(whole, &[]);
        let (cut, cut_rows) = make().start(1);
        all(cut, &[0.3, 0.7, 1.9, 5.0]);
        assert_eq!(rows.reals("b.x"), cut_rows.reals("b.x"), "{name}");
        assert_eq!(rows.times(), cut_rows.times(), "{name}");
    }
}

/// `u` is 1 up to `t = 1.03` and -2 from then on, so `a` is `t` and then `1.03 - 2 s`; `b` is half the square of 1.03, and then
/// `1.03 s - s²` more. Whoever reads along a line is right to rounding once it has seen the new course: the first step after the
/// change may read `a` as it stood, if it goes before `a` or beside it.
#[test]
fn inputs_change_at_an_instant_and_nothing_is_read_across_it() {
    for (name, bench) in chains() {
        let (mut run, rows) = bench.start(1);
        let set = |run: &mut Run, value| run.change(vec![Change::Input(id(0), U, Value::real(value))]);
        set(&mut run, 1.0).unwrap();
        run.advance(at(1.03)).unwrap();
        // Where members have steps of their own, one of them may be ahead; all meet before anything changes.
        set(&mut run, -2.0).unwrap();
        let changed = run.world().frontier().seconds();
        assert!((changed - 1.03).abs() < 0.12 + 1e-9, "{name}: {changed}");
        run.advance(SimTime::FUTURE).unwrap();
        let s = 2.0 - changed;
        let (a, b) = (changed - 2.0 * s, 0.5 * changed * changed + changed * s - s * s);
        assert!((output(&run, id(0)) - a).abs() < 1e-9, "{name}");
        // For so long at the start, and after the change, `a` is read as it stood: half of its rate times the square of that. A
        // follower that is three steps of 0.04 ahead does so until the first step of the leader has come.
        let unseen = if name == "follower ahead" { 0.22 } else { 0.1 };
        let read_as_it_stood = 0.5 * (1.0 + 2.0) * unseen * unseen + 1e-5;
        let off = (output(&run, id(1)) - b).abs();
        assert!(off < read_as_it_stood, "{name}: {off:e}");
        let made: Vec<f64> = run.changes().iter().map(|changed| changed.at.seconds()).collect();
        assert_eq!(made, [0.0, changed], "{name}");
        run.finish(false).unwrap();
        let (times, u) = (rows.times(), rows.reals("a.u"));
        for (time, u) in times.iter().zip(&u).skip(1) {
            assert_eq!(*u, if *time <= changed { 1.0 } else { -2.0 }, "{name} at {time}");
        }
    }
}

#[test]
fn what_cannot_be_set_says_why() {
    let (mut run, _) = chain().start(1);
    let world = run.world_mut();
    assert_eq!(
        world.set_input(id(1), U, &Value::real(1.0)),
        Err(Undrivable::Connected)
    );
    assert_eq!(
        world.set_input(id(0), PortId(1), &Value::real(1.0)),
        Err(Undrivable::Unbound)
    );
    assert_eq!(
        world.set_input(id(0), U, &Value::boolean(true)),
        Err(Undrivable::OtherType)
    );
    let three = Value::Reals(vec![1.0; 3]);
    assert_eq!(world.set_input(id(0), U, &three), Err(Undrivable::OtherType));
    assert_eq!(
        world.drive(id(0), 7, Segment::constant(1.0, SimTime::FUTURE)),
        Err(Undrivable::NotANumber)
    );
    let refused = run
        .change(vec![Change::Input(id(1), U, Value::real(1.0))])
        .unwrap_err();
    assert!(
        refused.to_string().contains("something is connected to it"),
        "{refused}"
    );
}

/// What was written is part of what a run goes on from.
#[test]
fn written_inputs_are_in_checkpoints() {
    let prepared = || {
        let (mut run, _) = chain().start(1);
        run.change(vec![Change::Input(id(0), U, Value::real(1.5))])
            .unwrap();
        let slope = Segment::polynomial([0.0, 2.0, 0.0, 0.0], SimTime::default(), SimTime::FUTURE);
        run.world_mut().drive(id(1), 0, slope).unwrap();
        run.advance(at(1.0)).unwrap();
        run
    };
    let mut whole = prepared();
    let bytes = whole.checkpoint().unwrap();
    let (mut resumed, _) = chain().resume(1, &bytes).unwrap();
    whole.advance(SimTime::FUTURE).unwrap();
    resumed.advance(SimTime::FUTURE).unwrap();
    for participant in [id(0), id(1)] {
        assert_eq!(
            output(&whole, participant).to_bits(),
            output(&resumed, participant).to_bits()
        );
    }
    // The law beside the connection: ∫ 2 t dt = 4 more than ∫ 1.5 t dt = 3, but for the first step, in which `a` is read
    // as it stood.
    assert!((output(&whole, id(1)) - 7.0).abs() < 0.5 * 1.5 * 0.1 * 0.1 + 1e-12);
}

/// A force that holds two masses together: a pacing as somebody else would write it.
#[derive(Clone, Copy, Debug)]
struct Joined {
    /// Whose velocities are to be the same.
    members: [ParticipantId; 2],
    masses: [f64; 2],
}

impl Pacing for Joined {
    fn name(&self, _solver: Option<&'static str>) -> Option<&'static str> {
        Some("joined")
    }

    fn words(&self, _method: &Method, step: f64, _all_go_back: bool) -> String {
        format!("joined, step {step} s")
    }

    fn needs(&self) -> Needs {
        Needs {
            meets: true,
            rollback: true,
            ..Needs::PLAIN
        }
    }

    fn master(&self, plan: &Arc<Plan>) -> Box<dyn Master> {
        Box::new(Joiner {
            joined: *self,
            grid: plan.seats[0].grid,
            plan: Arc::clone(plan),
            multiplier: 0.0,
        })
    }
}

struct Joiner {
    joined: Joined,
    plan: Arc<Plan>,
    grid: Grid,
    multiplier: f64,
}

impl Joiner {
    /// How far the velocities are apart after a step with that multiplier.
    fn gap(&self, world: &mut World, to: SimTime, multiplier: f64) -> Result<f64, RunError> {
        let Joined { members, masses } = self.joined;
        let [one, other] = members;
        let law = |force: f64| Segment::constant(force, SimTime::FUTURE);
        let driven = world.drive(one, 0, law(-multiplier / masses[0]));
        driven
            .and(world.drive(other, 0, law(multiplier / masses[1])))
            .unwrap();
        world.step_group(&members, to)?;
        world.exchange(&members, to)?;
        let velocity = |who| world.history(who).latest_reals()[0];
        Ok(velocity(one) - velocity(other))
    }
}

impl Master for Joiner {
    fn advance(&mut self, world: &mut World, limit: SimTime) -> Result<Advanced, RunError> {
        const BEGINNING: usize = 0;
        let from = world.frontier();
        let resolution = self.plan.resolution;
        let to = self.grid.at(self.grid.count_to(from, resolution) + 1);
        let to = to.min(limit).min(self.plan.window.stop);
        world.save(&self.joined.members, BEGINNING)?;
        let without = self.gap(world, to, 0.0)?;
        world.repeat(&self.joined.members, BEGINNING)?;
        let with = self.gap(world, to, 1.0)?;
        world.repeat(&self.joined.members, BEGINNING)?;
        self.multiplier = without / (without - with);
        self.gap(world, to, self.multiplier)?;
        world.settle(to);
        Ok(Advanced {
            frontier: to,
            steps: 1,
            terminated: false,
        })
    }

    fn keep(&self, writer: &mut Writer) {
        writer.real(self.multiplier);
    }

    fn resume(&mut self, _world: &World, reader: &mut Reader<'_>) -> Result<(), Damage> {
        self.multiplier = reader.real("a multiplier")?;
        Ok(())
    }
}

/// A mass of one is pushed by 2, and one of three hangs on it: both gain 0.5 a second, and the multiplier is 1.5.
#[test]
fn a_multiplier_joins_two_masses() {
    for threads in [1, 2] {
        let mut bench = Bench::new(Sweep::Jacobi, 0.01, 2.0)
            .add("light", Accumulator::new(0.0))
            .add("heavy", Accumulator::new(0.0))
            .record_all();
        bench.pace(Joined {
            members: [id(0), id(1)],
            masses: [1.0, 3.0],
        });
        bench.setup.drive.push((id(0), U));
        bench.setup.drive.push((id(1), U));
        bench.setup.record.push((id(0), U));
        bench.setup.record.push((id(1), U));
        let (mut run, rows) = bench.start(threads);
        run.change(vec![Change::Input(id(0), U, Value::real(2.0))])
            .unwrap();
        run.advance(at(0.505)).unwrap();
        assert_eq!(run.world().frontier(), at(0.505));
        run.advance(SimTime::FUTURE).unwrap();
        run.finish(false).unwrap();
        // Sums of 201 steps, each rounded.
        for name in ["light.x", "heavy.x"] {
            for (time, x) in rows.times().iter().zip(rows.reals(name)) {
                assert!(
                    (x - 0.5 * time).abs() < 201.0 * 4.0 * f64::EPSILON,
                    "{name} at {time}: {x}"
                );
            }
        }
        for (name, force) in [("light.u", 2.0 - 1.5), ("heavy.u", 1.5 / 3.0)] {
            let last = *rows.reals(name).last().unwrap();
            assert!((last - force).abs() < 1e-9, "{name}: {last}");
        }
    }
}

/// Those that cannot go back land on limits as well.
#[test]
fn limits_without_rollback() {
    let mut bench = Bench::new(Sweep::Jacobi, 0.1, 2.0)
        .add("x", OneWay(Accumulator::new(1.0)))
        .record_all();
    bench.pace(control());
    let (mut run, _) = bench.start(1);
    run.advance(at(0.777)).unwrap();
    assert_eq!(run.world().frontier(), at(0.777));
}
