//! Steps that are repeated until values fit together: real problems, with the steps counted.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::{Overrides, Report, Table};
use cardan_testkit::observed_order;
use cardan_testkit::problems::{DoublePendulum, EngineLinkage, QuarterCar, RigidPair, TwoMass};
use support::{Variant, largest_error, problems};

fn run(system: &Variant) -> (Table, Report) {
    let (mut simulation, handle) = system.open(Overrides::default());
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    assert_eq!(report.method, "iterated");
    (handle.table(), report)
}

/// The two masses with these keys instead of the method's, and this reading.
fn two_mass(keys: &str, reading: &str) -> Variant {
    Variant::of(
        "two-mass/system.toml",
        &[
            ("kind = \"jacobi\"", "kind = \"iterated\""),
            ("step = 0.001 ", &format!("{keys}\n#")),
            ("reading = \"quadratic\"", &format!("reading = \"{reading}\"")),
            ("start = \"flat\"", "# start"),
        ],
    )
}

/// Without iteration parabolas are stable up to 7.9 ms and lines up to 6.3 ms; repeated, ten milliseconds are stable, and
/// the degree of the reading still sets the order: of the interpolation, not of the extrapolation.
#[test]
fn long_steps_are_stable_and_of_high_order() {
    for (reading, least, largest) in [
        ("linear", 1.9, 0.2),
        ("quadratic", 2.7, 0.02),
        ("hermite", 3.7, 1e-3),
    ] {
        let mut points = Vec::new();
        for step in [1e-2, 5e-3, 2.5e-3] {
            let (result, _) = run(&two_mass(&format!("step = {step}\ntolerance = 1e-8"), reading));
            let error = largest_error(&result, "one.position", |t| TwoMass::reference(t)[0]);
            points.push((step, error));
        }
        // Amplitudes are 0.2 m.
        assert!(points[0].1 < largest, "{reading}: {points:?}");
        let order = observed_order(&points);
        assert!(order >= least, "{reading}: order {order} of {points:?}");
    }
}

/// A spring a hundred times as stiff, which holds both masses on the long step: passing values on diverges.
#[test]
fn stiff_springs_need_what_learns() {
    let stiff = |accelerator: &str| {
        two_mass(
            &format!("step = 0.01\ntolerance = 1e-8\naccelerator = \"{accelerator}\""),
            "linear",
        )
        .with(&[("coupling_stiffness = 1e4", "coupling_stiffness = 1e6")])
    };
    let (mut simulation, _handle) = stiff("fixed-point").open(Overrides::default());
    let report = simulation.run();
    assert_eq!((report.status.as_ref(), report.exit_code), ("failed", 4));
    let error = report.error.unwrap();
    assert!(error.message.contains("does not converge"), "{}", error.message);
    assert!(error.message.contains("residuals"), "{}", error.message);
    assert!(error.advice.unwrap().contains("iqn-ils"));
    for accelerator in ["aitken", "broyden", "iqn-ils", "newton"] {
        let (_, report) = run(&stiff(accelerator));
        // One repeat tells a secant all there is to know of one unknown that reacts linearly; the first step of Newton's
        // method measures that by itself.
        let repeats = report.iterations as f64 / report.steps as f64;
        assert!(repeats <= 1.5, "{accelerator}: {repeats} repeats per step");
    }
}

/// Values that run away are given up before they take anybody along, and one round is enough where it fits.
#[test]
fn what_runs_away_is_given_up_early() {
    let stiff = |keys: &str| {
        two_mass(keys, "hermite").with(&[("coupling_stiffness = 1e4", "coupling_stiffness = 1e6")])
    };
    for keys in [
        "step = 0.05\naccelerator = \"fixed-point\"",
        "step = 0.05\naccelerator = \"fixed-point\"\nscheme = \"jacobi\"",
        "step = 0.01\naccelerator = \"fixed-point\"\nrelaxation = 5.0",
    ] {
        let (mut simulation, _handle) = stiff(keys).open(Overrides::default());
        let report = simulation.run();
        assert_eq!(report.exit_code, 4, "{keys}: {:?}", report.error);
        // Fifty rounds would be given up as well, but some of them would take for ever.
        assert!(report.iterations < 49, "{keys}: {}", report.iterations);
    }
    let (_, report) = run(&two_mass("tolerance = 1e-3\nmax_iterations = 1", "hermite"));
    assert_eq!(report.iterations, 0);
}

/// Nothing but a tolerance: errors of all steps add up, and the result is within ten times of it.
#[test]
fn two_masses_are_right_to_ten_times_the_tolerance() {
    for tolerance in [1e-3, 1e-4] {
        let (result, report) = run(&two_mass(&format!("tolerance = {tolerance}"), "hermite"));
        let error = largest_error(&result, "one.position", |t| TwoMass::reference(t)[0]) / 0.2;
        assert!(
            error <= 10.0 * tolerance,
            "{tolerance}: {error:e} in {} steps",
            report.steps
        );
    }
}

/// Fewer calls than with steps that are halved to know their error: two or three for each step instead of three.
#[test]
fn the_quarter_car_is_right_in_few_calls() {
    let system = Variant::of(
        "quarter-car/system.toml",
        &[
            ("kind = \"jacobi\"", "kind = \"iterated\""),
            ("step = 0.001", "tolerance = 1e-4"),
            ("reading = \"hold\"", "# reading"),
        ],
    );
    let (result, report) = run(&system);
    let chassis = largest_error(&result, "chassis.position", |t| QuarterCar::reference(t)[0]);
    let wheel = largest_error(&result, "wheel.position", |t| QuarterCar::reference(t)[2]);
    assert!(chassis <= 1e-4 && wheel <= 1e-4, "{chassis:e} {wheel:e}");
    assert!(report.steps <= 300, "{} steps", report.steps);
    for (name, component) in &report.components {
        assert!(component.steps <= 600, "{name}: {} calls", component.steps);
    }
}

/// A stop of 3000 N m s/rad closes twice between two pendulums in an algebraic loop. Repeating the blow of 0.3 ms takes far
/// fewer calls than shrinking steps until nothing in them matters.
#[test]
fn a_blow_is_right_in_fifteen_hundred_calls() {
    let system = problems::double_pendulum("hermite").with(&[
        ("kind = \"jacobi\"", "kind = \"iterated\""),
        ("step = 0.001", "tolerance = 1e-5"),
    ]);
    let (result, report) = run(&system);
    let error =
        |name: &str, state: usize| largest_error(&result, name, |t| DoublePendulum::reference(t)[state]);
    let (upper, lower) = (error("upper.angle", 0), error("lower.angle", 2));
    assert!(upper <= 1e-6 && lower <= 1e-6, "{upper:e} {lower:e}");
    for (name, component) in &report.components {
        assert!(component.steps <= 1500, "{name}: {} calls", component.steps);
    }
    // Nobody was told of an event too late.
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
}

/// A setpoint jumps, and with it the output of a controller that reacts at once: the step up to there must not see it, and the
/// next one must. Steps that are halved, far more accurate, find the same.
#[test]
fn a_jump_at_the_end_of_a_step_is_not_seen_on_the_way() {
    let system = |method: &str, tolerance: &str| {
        Variant::text(&format!(
            "[system]\nstop = 10.0\n[components.set]\nmodel = \"step\"\nparameters = {{ time = 1.0 }}\n\
             [components.pid]\nmodel = \"pid\"\nparameters = {{ kp = 20.0, ki = 5.0, kd = 5.0 }}\n\
             [components.plant]\nmodel = \"mass-spring-damper\"\n\
             parameters = {{ mass = 1.0, stiffness = 5.0, damping = 1.0 }}\n\
             [[connections]]\nfrom = \"set.y\"\nto = \"pid.setpoint\"\n\
             [[connections]]\nfrom = \"plant.position\"\nto = \"pid.measurement\"\n\
             [[connections]]\nfrom = \"pid.y\"\nto = \"plant.force\"\n\
             [method]\n{method}\ntolerance = {tolerance}\n[record]\nevery = 0.01\n"
        ))
    };
    let (mut reference, handle) = system("kind = \"adaptive\"", "1e-9").open(Overrides::default());
    assert_eq!(reference.run().status, "ok");
    let reference = support::reals(&handle.table(), "plant.position").to_vec();
    for (method, tolerance) in [
        ("kind = \"iterated\"", "1e-4"),
        ("kind = \"iterated\"", "1e-6"),
        ("kind = \"iterated\"\nstep = 0.0007", "1e-8"),
    ] {
        let (result, _) = run(&system(method, tolerance));
        let rows = support::reals(&result, "plant.position").iter().zip(&reference);
        let error = rows.map(|(x, known)| (x - known).abs()).fold(0.0, f64::max);
        // Steps that are given are not chosen by the tolerance. The controller's filter of 10 ms makes 500 N fade: cubics
        // over 0.7 ms are wrong by 500 (0.07)⁴ / 384 N, and the plant, of 1 kg, moves by far less than that.
        let allowed = if method.contains("step") {
            1e-5
        } else {
            10.0 * tolerance.parse::<f64>().unwrap()
        };
        assert!(error <= allowed, "{method} {tolerance}: {error:e}");
    }
}

/// Torque and speed of engine and linkage without a memory block in between.
#[test]
fn engine_and_linkage_fit_together() {
    let system = problems::engine_linkage("hermite").with(&[
        ("kind = \"jacobi\"", "kind = \"iterated\""),
        ("start = \"flat\"", "# start"),
    ]);
    let (result, _) = run(&system);
    let error = largest_error(&result, "linkage.speed", |t| EngineLinkage::reference(t)[1]);
    assert!(error <= 1e-4, "{error:e} rad/s");
}

/// Whatever the ratio of the masses: the constraint force is found at every exchange as a loop, so that nothing is left that
/// could grow by it from step to step.
#[test]
fn rigid_pairs_do_not_blow_up() {
    for alpha in [0.6, 2.0, 31.0] {
        let pair = RigidPair { alpha };
        let system =
            problems::rigid_pair(pair, "hermite").with(&[("kind = \"jacobi\"", "kind = \"iterated\"")]);
        let (result, _) = run(&system);
        let error = largest_error(&result, "first.position", |t| pair.reference(t)[0]);
        // The spec's best projection leaves 1.7e-6 m.
        assert!(error <= 1.7e-6, "{alpha}: {error:e}");
    }
}

#[test]
fn idle_keys_and_contradictions_are_told() {
    use cardan::{Reporter, System};
    let complaint = |method: &str| {
        let text =
            format!("[system]\nstop = 1.0\n[components.c]\nmodel = \"constant\"\n[method]\n{method}\n");
        let system = Variant::text(&text);
        let mut reporter = Reporter::new();
        System::load(system.path(), &Overrides::default(), false, &mut reporter);
        let found: Vec<String> = reporter.finish().iter().map(|d| d.message.clone()).collect();
        found.join("; ")
    };
    for (method, part) in [
        (
            "kind = \"iterated\"\nstep = 0.1\nmax_step = 0.5",
            "does not use `max_step`",
        ),
        (
            "kind = \"iterated\"\nstep = 0.1\nrelaxation = 0.5",
            "`relaxation` has no effect",
        ),
        (
            "kind = \"iterated\"\nstep = 0.1\naccelerator = \"newton\"\nreuse = 3",
            "`reuse` has no effect",
        ),
        (
            "kind = \"jacobi\"\nstep = 0.1\naccelerator = \"newton\"",
            "`accelerator` has no effect",
        ),
        (
            "kind = \"adaptive\"\nestimator = \"corrected\"",
            "need steps that are repeated",
        ),
        (
            "kind = \"iterated\"\nestimator = \"richardson\"",
            "not by `richardson`",
        ),
        (
            "kind = \"iterated\"\nestimator = \"embedded\"",
            "not by `embedded`",
        ),
    ] {
        let told = complaint(method);
        assert!(told.contains(part), "{method}: {told}");
    }
}
