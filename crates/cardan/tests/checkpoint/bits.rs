//! A run that goes on gives the bits of one that was never interrupted.

use crate::bench::Bench;
use crate::systems::{clocks, fixed, two_mass};
use cardan::Overrides;

#[test]
fn two_masses_with_a_fixed_step() {
    for kind in ["jacobi", "gauss-seidel"] {
        Bench::new(&fixed(kind)).goes_on(&[0.002, 0.1, 0.3]);
    }
}

#[test]
fn two_masses_with_two_steps() {
    for kind in ["jacobi", "gauss-seidel"] {
        for step in ["step = 0.001", "step = 0.005"] {
            let method = format!("kind = \"{kind}\"\nstep = 0.002");
            Bench::new(&two_mass(step, &method, "")).goes_on(&[0.002, 0.1, 0.301]);
        }
    }
}

#[test]
fn two_masses_with_steps_by_tolerance() {
    for scheme in ["jacobi", "gauss-seidel"] {
        for estimator in ["richardson", "embedded"] {
            let method = format!(
                "kind = \"adaptive\"\nscheme = \"{scheme}\"\nestimator = \"{estimator}\"\ntolerance = 1e-5"
            );
            Bench::new(&two_mass("", &method, "")).goes_on(&[1e-4, 0.1, 0.3]);
        }
    }
}

/// Every family of solvers brings its own memory.
#[test]
fn solvers_with_a_memory() {
    for solver in ["euler", "heun", "rk4", "dopri5", "bdf"] {
        let step = match solver {
            "dopri5" | "bdf" => "",
            _ => ", step = 0.0005",
        };
        let text = fixed("gauss-seidel").replace(
            "[components.two]",
            &format!("solver = {{ kind = \"{solver}\"{step} }}\n[components.two]"),
        );
        Bench::new(&text).goes_on(&[0.1]);
    }
}

/// A crank with a slider, which a spring pulls, described right there; with each of the solvers for mechanisms.
#[test]
fn mechanisms() {
    for solver in ["trapezoidal", "generalized-alpha", "rattle"] {
        let text = format!(
            r#"
[system]
stop = 0.5
[components.crank]
solver = {{ kind = "{solver}", step = 0.001 }}
[components.crank.multibody]
space = "plane"
bodies.crank = {{ mass = 1.0, inertia = 0.1, center = [0.25, 0.0], points = {{ tip = [0.5, 0.0] }} }}
bodies.rod = {{ mass = 1.0, inertia = 0.1, center = [0.5, 0.0], points = {{ tip = [1.0, 0.0] }} }}
joints.foot = {{ kind = "revolute", between = ["ground", "crank"], start = 0.5, speed = 20.0 }}
joints.knee = {{ kind = "revolute", between = ["crank.tip", "rod"] }}
joints.rail = {{ kind = "point-on-line", between = ["ground", "rod.tip"], axis = [1.0, 0.0] }}
forces.spring = {{ kind = "spring", between = ["ground", "rod.tip"], stiffness = 100.0, length = 1.0 }}
ports.foot = {{ kind = "motion", joint = "foot" }}
[method]
kind = "jacobi"
step = 0.0025
"#
        );
        Bench::new(&text).goes_on(&[0.0025, 0.3]);
    }
}

#[test]
fn rows_on_a_grid_of_their_own() {
    for every in [0.0007, 0.013] {
        let method = "kind = \"gauss-seidel\"\nstep = 0.002";
        let text = two_mass("", method, &format!("[record]\nevery = {every}"));
        Bench::new(&text).goes_on(&[0.1, 0.3]);
    }
}

/// total = a · total + t: a loop through an FMU and a built-in model, solved at every point with a matrix that is kept.
#[test]
fn a_loop_through_an_fmu() {
    for kind in ["jacobi", "gauss-seidel"] {
        let text = format!(
            r#"
[system]
stop = 1.0
[components.ramp]
model = "ramp"
[components.g]
fmu = {{@gain-fmi2}}
parameters = {{ a = 0.5 }}
[components.total]
model = "sum"
[[connections]]
from = "total.y"
to = "g.u"
[[connections]]
from = "g.y"
to = "total.u1"
[[connections]]
from = "ramp.y"
to = "total.u2"
[method]
kind = "{kind}"
step = 0.05
"#
        );
        Bench::new(&text).goes_on(&[0.05, 0.5]);
    }
}

#[test]
fn clocks_and_events() {
    for step in [0.1, 0.25] {
        Bench::new(&clocks(step)).goes_on(&[0.05, 0.2, 0.5]);
    }
}

fn ball(version: &str, interface: &str, more: &str) -> String {
    format!(
        r#"
[system]
stop = 2.0
[components.ball]
fmu = {{@bouncing-ball-{version}}}
interface = "{interface}"
{more}
[method]
kind = "jacobi"
step = 0.05
"#
    )
}

/// A ball bounces several times before and after.
#[test]
fn a_ball_by_either_interface() {
    for version in ["fmi2", "fmi3"] {
        for interface in ["model-exchange", "co-simulation"] {
            let mut bench = Bench::new(&ball(version, interface, ""));
            bench.goes_on(&[0.4, 1.0]);
        }
    }
}

/// The state comes out of another process and goes into another one.
#[cfg(target_os = "linux")]
#[test]
fn a_ball_in_a_process_of_its_own() {
    Bench::new(&ball("fmi3", "co-simulation", "isolate = true")).goes_on(&[1.0]);
}

/// Where a component lives decides nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_ball_moves_into_a_process_of_its_own() {
    let (here, elsewhere) = ("isolate = false", "isolate = true");
    let bench = Bench::new(&ball("fmi3", "co-simulation", here));
    bench.finish(bench.options());
    let expected = bench.bytes();
    bench.run_until(1.0, bench.keeping());
    let file = bench.place.path().join("system.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace(here, elsewhere)).unwrap();
    bench.finish(bench.resuming());
    assert!(bench.bytes() == expected);
}

/// A table drives an FMU, with a jump before the cut and one after it.
#[test]
fn inputs_from_a_table() {
    let text = r#"
[system]
stop = 2.0
[components.lag]
fmu = {@lag-fmi3}
interface = "model-exchange"
[method]
kind = "gauss-seidel"
step = 0.1
"#;
    let mut bench = Bench::new(text);
    let table = bench.place.write(
        "inputs.csv",
        "time,u\n0,0\n0.55,0\n0.55,1\n1.33,1\n1.33,-1\n2,0\n",
    );
    bench.overrides = Overrides {
        input: Some(table),
        ..Overrides::default()
    };
    bench.goes_on(&[0.5, 0.6, 1.3]);
}

/// From a checkpoint of a run that went on from a checkpoint.
#[test]
fn a_chain_of_two() {
    let bench = Bench::new(&clocks(0.1));
    bench.finish(bench.options());
    let expected = bench.bytes();
    bench.run_until(0.3, bench.keeping());
    let mut both = bench.keeping();
    both.resume = Some(bench.checkpoint());
    bench.run_until(0.6, both);
    let report = bench.finish(bench.resuming());
    assert!(report.resumed_from.unwrap() >= 0.6);
    assert!(bench.bytes() == expected);
}

/// Checkpoints again and again change nothing.
#[test]
fn keeping_does_not_disturb() {
    let bench = Bench::new(&fixed("gauss-seidel"));
    bench.finish(bench.options());
    let expected = bench.bytes();
    let mut often = bench.keeping();
    often.checkpoints.as_mut().unwrap().every = std::time::Duration::ZERO;
    let report = bench.finish(often);
    assert_eq!(report.checkpoint.unwrap().time, 0.5);
    assert!(bench.bytes() == expected);
}

/// A parameter that was tuned during the run is part of the state.
#[test]
fn tuned_parameters_go_along() {
    let run = |bench: &Bench, until: f64, keep: bool| {
        let mut simulation = bench.open(bench.keeping()).unwrap();
        simulation.advance_to(0.1).unwrap();
        simulation.set("one.damping", cardan::Value::real(3.0)).unwrap();
        simulation.advance_to(until).unwrap();
        if keep {
            simulation.keep_checkpoint().unwrap();
        }
        simulation.finish();
    };
    let bench = Bench::new(&fixed("jacobi"));
    run(&bench, 0.5, false);
    let expected = bench.bytes();
    run(&bench, 0.2, true);
    bench.finish(bench.resuming());
    assert!(bench.bytes() == expected);
}

/// An end that was a point of the grid is one of many for a longer run.
#[test]
fn a_longer_run_takes_over_where_a_shorter_one_ended() {
    let mut bench = Bench::new(&fixed("gauss-seidel"));
    bench.finish(bench.options());
    let expected = bench.bytes();
    bench.overrides.stop = Some(0.25);
    assert_eq!(bench.finish(bench.keeping()).checkpoint.unwrap().time, 0.25);
    // Nothing is left to do up to the same end.
    let before = bench.bytes();
    assert_eq!(bench.finish(bench.resuming()).time, 0.25);
    assert!(bench.bytes() == before);
    bench.overrides.stop = None;
    bench.finish(bench.resuming());
    assert!(bench.bytes() == expected);
}

/// Steps by tolerance share the tolerance over the run, so a longer one takes other steps; it keeps the tolerance.
#[test]
fn steps_by_tolerance_can_be_prolonged() {
    let method = "kind = \"adaptive\"\ntolerance = 1e-6";
    let mut bench = Bench::new(&two_mass("", method, "[record]\nevery = 0.05"));
    bench.finish(bench.options());
    let whole = bench.table();
    bench.overrides.stop = Some(0.25);
    bench.finish(bench.keeping());
    bench.overrides.stop = None;
    bench.finish(bench.resuming());
    let prolonged = bench.table();
    assert_eq!(prolonged.times, whole.times);
    // Each is within ten times the tolerance of the solution (see tests/adaptive.rs), as is its size.
    let position = |table| *crate::workplace::reals(table, "one.position").last().unwrap();
    let difference = (position(&whole) - position(&prolonged)).abs();
    assert!(difference < 20.0 * 1e-6 * 0.2, "{difference:e}");
}

/// A leader with steps of its own, followers with theirs, laws that bend: all of it goes on.
#[test]
fn everybody_at_its_own_steps() {
    for (step, more) in [
        ("", ""),
        ("step = 0.0007", ""),
        ("step = 0.0007", "tangent = \"none\"\nreading = \"quadratic\""),
        ("step = 0.0007", "ahead = 2\ntangent = \"linear\""),
        ("", "reject = true\nmax_step = 0.01"),
    ] {
        let method = format!("kind = \"glue\"\nforce_absolute_error = 0.01\n{more}");
        Bench::new(&two_mass(step, &method, "")).goes_on(&[1e-4, 0.1, 0.3]);
        Bench::new(&two_mass(step, &method, "[record]\nevery = 0.001")).goes_on(&[0.1]);
    }
}
