//! Components that are mechanisms, from their descriptions to their rows.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may fail loudly"
)]

mod support;

use cardan::core::spatial::{after, back, by_angles, cross, dot, minus, plus, times, turned};
use cardan::{Overrides, Reporter, System, Table};
use cardan_ode::{Equations, Method, SolverSettings, Trouble};
use cardan_testkit::observed_order;
use support::{Variant, reals};

/// A rod of length one and mass one, hung at its end in a plane; the angle is counted from the x axis.
const PENDULUM: &str = r#"space = "plane"
[ground]
points = { nail = [0.5, 1.0] }
[bodies.rod]
mass = 1.0
center = [0.5, 0.0]
shape = { kind = "rod", length = 1.0 }
points = { tip = [1.0, 0.0] }
[joints.hinge]
kind = "revolute"
between = ["ground.nail", "rod"]
start = -0.4
speed = 2.0
[ports]
angle = { kind = "motion", joint = "hinge" }
tip = { kind = "point", at = "rod.tip" }
torque = { kind = "effort", joint = "hinge" }
"#;

/// A ball on a rope that stays tight: a spherical pendulum, one metre long.
const ROPE: &str = r#"[bodies.bob]
mass = 2.0
shape = { kind = "sphere", radius = 0.1 }
position = [1.0, 0.0, 0.0]
velocity = [0.0, 1.5, 0.0]
[joints.rope]
kind = "distance"
between = ["ground", "bob"]
length = 1.0
[ports]
bob = { kind = "point", at = "bob" }
"#;

/// A body that hangs in a ball joint at its origin and turns every way.
const BALL_JOINT: &str = r#"[bodies.body]
mass = 2.0
center = [0.5, 0.0, 0.0]
inertia = [0.2, 0.5, 0.6]
angles = [0.3, -0.2, 0.5]
position = [0.0, 0.0, 0.0]
angular_velocity = [1.0, -2.0, 3.0]
[joints.ball]
kind = "spherical"
between = ["ground", "body"]
[ports]
body = { kind = "frame", at = "body.center" }
"#;

/// A table of the description, moved below a component.
fn inline(component: &str, mechanism: &str) -> String {
    let lines = mechanism.lines().map(|line| match line.strip_prefix('[') {
        Some(rest) => format!("[components.{component}.multibody.{rest}\n"),
        None => format!("{line}\n"),
    });
    let rest: String = lines.collect();
    format!("[components.{component}.multibody]\n{rest}")
}

/// A system of one mechanism, written right there.
fn system(keys: &str, mechanism: &str) -> String {
    format!(
        "[system]\nstop = 2.0\n[components.m]\n{keys}\n{}\
         [method]\nkind = \"jacobi\"\nstep = 0.01\n",
        inline("m", mechanism)
    )
}

/// The same in a file beside the system.
fn beside(keys: &str, mechanism: &str) -> Variant {
    let variant = Variant::text(&format!(
        "[system]\nstop = 2.0\n[components.m]\nmultibody = \"m.toml\"\n{keys}\n\
         [method]\nkind = \"jacobi\"\nstep = 0.01\n"
    ));
    std::fs::write(variant.path().join("m.toml"), mechanism).unwrap();
    variant
}

fn run(variant: &Variant) -> Table {
    variant.run(Overrides::default())
}

fn bits(table: &Table) -> Vec<u64> {
    let columns = table
        .schema
        .columns
        .iter()
        .map(|column| reals(table, &column.name));
    columns.flatten().map(|value| value.to_bits()).collect()
}

/// Equations in minimal coordinates.
struct Minimal<F>(usize, F);

impl<F: FnMut(&[f64], &mut [f64])> Equations for Minimal<F> {
    fn states(&self) -> usize {
        self.0
    }

    fn derivatives(&mut self, _: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        (self.1)(x, dx);
        Ok(())
    }
}

/// The solution of minimal equations at these times, far more exact than anything here.
fn exact(times: &[f64], start: &[f64], equations: impl FnMut(&[f64], &mut [f64])) -> Vec<Vec<f64>> {
    let settings = SolverSettings {
        rtol: 1e-12,
        atol: 1e-14,
        ..SolverSettings::of(Method::Dopri5)
    };
    let mut solver = cardan_ode::build(&settings, start.len(), 0).unwrap();
    let mut equations = Minimal(start.len(), equations);
    solver.restart(times[0], start).unwrap();
    times
        .iter()
        .map(|t| {
            while solver.time() < *t {
                solver.advance(&mut equations, *t).unwrap();
            }
            solver.state().to_vec()
        })
        .collect()
}

/// A rod about its end: (m l² / 3) θ'' = -m g l/2 cos θ.
fn swing(times: &[f64]) -> Vec<Vec<f64>> {
    exact(times, &[-0.4, 2.0], |x, dx| {
        dx.copy_from_slice(&[x[1], -1.5 * 9.81 * x[0].cos()]);
    })
}

fn error(found: &[f64], exact: impl Iterator<Item = f64>) -> f64 {
    assert!(!found.is_empty());
    found
        .iter()
        .zip(exact)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max)
}

fn solver(kind: &str, step: f64) -> String {
    format!("solver = {{ kind = \"{kind}\", step = {step}, tolerance = 1e-10 }}")
}

#[test]
fn a_pendulum_in_a_plane() {
    let errors: Vec<f64> = [2e-3, 1e-3]
        .map(|step| {
            let text = system(&solver("trapezoidal", step), PENDULUM);
            let table = run(&Variant::text(&(text + "[record]\nvariables = [\"m.*\"]\n")));
            let exact = swing(&table.times);
            let angle = error(reals(&table, "m.angle"), exact.iter().map(|x| x[0]));
            let speed = error(reals(&table, "m.angle_speed"), exact.iter().map(|x| x[1]));
            let tip = error(reals(&table, "m.tip[1]"), exact.iter().map(|x| 0.5 + x[0].cos()));
            let height = error(reals(&table, "m.tip[2]"), exact.iter().map(|x| 1.0 + x[0].sin()));
            assert!(error(reals(&table, "m.residual"), std::iter::repeat(0.0)) < 1e-9);
            angle.max(speed).max(tip).max(height)
        })
        .to_vec();
    // (ω h)² / 12 of a period is lost, with ω near 4 rad/s; at the end that is some 1e-5 rad, at up to 15 rad/s².
    assert!(errors[1] < 2e-4, "{errors:?}");
    let order = observed_order(&[(2e-3, errors[0]), (1e-3, errors[1])]);
    assert!((1.9..2.1).contains(&order), "{order}");
}

/// What a description leaves out: RATTLE with the tolerances that other models have.
#[test]
fn the_usual_solver() {
    let usual = bits(&run(&Variant::text(&system("", PENDULUM))));
    let named = system(
        "solver = { kind = \"rattle\", rtol = 1e-9, atol = 1e-12 }",
        PENDULUM,
    );
    assert_eq!(usual, bits(&run(&Variant::text(&named))));
    let other = system("solver = { kind = \"rattle\", rtol = 1e-6 }", PENDULUM);
    assert_ne!(usual, bits(&run(&Variant::text(&other))));
    // Methods of order two have looser ones.
    let usual = system("solver = { kind = \"trapezoidal\" }", PENDULUM);
    let named = system(
        "solver = { kind = \"trapezoidal\", rtol = 1e-6, atol = 1e-9 }",
        PENDULUM,
    );
    assert_eq!(
        bits(&run(&Variant::text(&usual))),
        bits(&run(&Variant::text(&named)))
    );
}

/// A tolerance holds whatever the mechanism does: in two seconds of swinging, errors are some hundred times that of a step.
#[test]
fn steps_by_tolerance() {
    for (keys, allowed) in [
        ("", 1e-7),
        ("solver = { kind = \"rattle\", rtol = 1e-6 }", 1e-4),
        ("solver = { kind = \"trapezoidal\", rtol = 1e-8 }", 1e-3),
        ("solver = { kind = \"generalized-alpha\", rtol = 1e-8 }", 1e-3),
    ] {
        let table = run(&Variant::text(&system(keys, PENDULUM)));
        let exact = swing(&table.times);
        let wrong = error(reals(&table, "m.angle"), exact.iter().map(|x| x[0]));
        assert!(wrong < allowed, "{keys}: {wrong:e}");
    }
}

/// A double pendulum of rods whose lower one strikes against a stop in the joint, like a knee.
const KNEE: &str = r#"space = "plane"
[bodies.upper]
mass = 1.0
inertia = 1.0
center = [0.5, 0.0]
points = { end = [1.0, 0.0] }
[bodies.lower]
mass = 1.0
inertia = 1.0
center = [0.5, 0.0]
[joints.hip]
kind = "revolute"
between = ["ground", "upper"]
start = 0.0
[joints.knee]
kind = "revolute"
between = ["upper.end", "lower"]
start = -1.5707963267948966
[forces.stop]
kind = "stop"
joint = "knee"
above = 0.0
stiffness = 800.0
damping = 3000.0
"#;

/// Schiehlen and Scholz' pendulum as one mechanism. Its stop is an impulse of 0.3 ms when it closes, and is felt for 0.15 s.
///
/// The published state at 3 s has eight digits; two impulses lie before it, each found by an event.
#[test]
fn a_knee_that_stops() {
    let system = system("", KNEE).replace("stop = 2.0", "stop = 3.0");
    let table = run(&Variant::text(&system));
    let last = |name: &str| reals(&table, name).last().copied().unwrap_or(f64::NAN);
    let level = std::f64::consts::FRAC_PI_2;
    // Angles from hanging down; that of the knee is the difference of both.
    let (upper, knee) = (last("m.hip") + level, last("m.knee"));
    let (turning, bending) = (last("m.hip_speed"), last("m.knee_speed"));
    for (found, published) in [
        (upper, 0.57005673),
        (turning, 0.44294851),
        (upper + knee, 0.57085338),
        (turning + bending, 0.44322553),
    ] {
        assert!((found - published).abs() < 1e-7, "{found} instead of {published}");
    }
    let deepest = reals(&table, "m.knee").iter().fold(0.0_f64, |a, b| a.max(*b));
    // Rows every 10 ms see a maximum of 9.20e-4 to a few parts of it.
    assert!((8.5e-4..9.3e-4).contains(&deepest), "{deepest:e}");
}

/// Slopes at index one, with constraints kept in two ways: Baumgarte's violations are those of the solver, a penalty gives way by the load
/// over its factor.
#[test]
fn constraints_on_slopes() {
    let residual = |stabilization: &str| {
        let mechanism = format!("stabilization = {{ {stabilization} }}\n{PENDULUM}");
        let keys = "solver = { kind = \"dopri5\" }";
        let recorded = "\n[record]\nvariables = [\"m.angle\", \"m.residual\"]\n";
        let table = run(&Variant::text(&(system(keys, &mechanism) + recorded)));
        let exact = swing(&table.times);
        let wrong = error(reals(&table, "m.angle"), exact.iter().map(|x| x[0]));
        let residual = error(reals(&table, "m.residual"), std::iter::repeat(0.0));
        (wrong, residual)
    };
    let (wrong, held) = residual("kind = \"baumgarte\", frequency = 100.0");
    assert!(wrong < 1e-6 && held < 1e-8, "{wrong:e}, {held:e}");
    let (coarse, fine) = (
        residual("kind = \"penalty\", factor = 1e4, frequency = 30.0"),
        residual("kind = \"penalty\", factor = 1e5, frequency = 30.0"),
    );
    // The next term is smaller by the inverse of the factor, and of the frequency that the load changes with.
    assert!(
        (coarse.1 / fine.1 / 10.0 - 1.0).abs() < 0.05,
        "{coarse:?}, {fine:?}"
    );
    assert!(fine.1 > 10.0 * held && fine.0 < coarse.0, "{coarse:?}, {fine:?}");
}

#[test]
fn every_solver_runs_a_mechanism() {
    for keys in [
        "solver = { kind = \"generalized-alpha\", step = 2e-4, spectral_radius = 0.9, penalty = 1e8 }",
        "solver = { kind = \"rattle\", step = 5e-3 }",
        "solver = { kind = \"dopri5\" }",
        "solver = { kind = \"bdf\", rtol = 1e-8, atol = 1e-10 }",
    ] {
        let table = run(&Variant::text(&system(keys, PENDULUM)));
        let exact = swing(&table.times);
        let wrong = error(reals(&table, "m.angle"), exact.iter().map(|x| x[0]));
        assert!(wrong < 1e-5, "{keys}: {wrong:e}");
    }
}

#[test]
fn a_rope_in_space() {
    let table = run(&Variant::text(&system(
        &solver("rattle", 2e-3).replace(", tolerance = 1e-10", ""),
        ROPE,
    )));
    let gravity = [0.0, 0.0, -9.81];
    // r'' = g + λ r, where r · r stays one.
    let exact = exact(&table.times, &[1.0, 0.0, 0.0, 0.0, 1.5, 0.0], |x, dx| {
        let (r, v) = ([x[0], x[1], x[2]], [x[3], x[4], x[5]]);
        let pull = -(dot(v, v) + dot(gravity, r));
        dx[..3].copy_from_slice(&v);
        dx[3..].copy_from_slice(&plus(gravity, times(pull, r)));
    });
    for part in 0..3 {
        let places = reals(&table, &format!("m.bob[{}]", part + 1)).to_vec();
        let wrong = error(&places, exact.iter().map(|x| x[part]));
        assert!(wrong < 1e-6, "{part}: {wrong:e}");
        let speeds = reals(&table, &format!("m.bob_velocity[{}]", part + 1)).to_vec();
        let wrong = error(&speeds, exact.iter().map(|x| x[3 + part]));
        assert!(wrong < 1e-5, "{part}: {wrong:e}");
    }
}

/// Euler's equations about the joint, in the axes of the body.
#[test]
fn a_body_in_a_ball_joint() {
    let table = run(&Variant::text(&system(&solver("trapezoidal", 5e-4), BALL_JOINT)));
    let start = by_angles([0.3, -0.2, 0.5]);
    let spin = turned(back(start), [1.0, -2.0, 3.0]);
    let (center, weight) = ([0.5, 0.0, 0.0], [0.0, 0.0, -2.0 * 9.81]);
    let inertia = [0.2, 0.5 + 2.0 * 0.25, 0.6 + 2.0 * 0.25];
    let exact = exact(&table.times, &[&start[..], &spin[..]].concat(), |x, dx| {
        let (q, w) = ([x[0], x[1], x[2], x[3]], [x[4], x[5], x[6]]);
        let rate = after(q, [0.0, w[0], w[1], w[2]]);
        let momentum = [0, 1, 2].map(|i| inertia[i] * w[i]);
        let torque = minus(cross(center, turned(back(q), weight)), cross(w, momentum));
        dx[..4].copy_from_slice(&rate.map(|part| 0.5 * part));
        dx[4..].copy_from_slice(&[0, 1, 2].map(|i| torque[i] / inertia[i]));
    });
    let place = |x: &Vec<f64>| turned([x[0], x[1], x[2], x[3]], center);
    for (part, axis) in ["x", "y", "z"].into_iter().enumerate() {
        let found = reals(&table, &format!("m.body.{axis}"));
        let wrong = error(found, exact.iter().map(|x| place(x)[part]));
        assert!(wrong < 1e-4, "{axis}: {wrong:e}");
        let found = reals(&table, &format!("m.body.w{axis}"));
        let spin = |x: &Vec<f64>| turned([x[0], x[1], x[2], x[3]], [x[4], x[5], x[6]]);
        let wrong = error(found, exact.iter().map(|x| spin(x)[part]));
        assert!(wrong < 1e-3, "w{axis}: {wrong:e}");
    }
}

/// A file or a table, one thread or two, this process or another: the same bits.
#[test]
fn where_it_is_written_and_run_does_not_matter() {
    for mechanism in [PENDULUM, ROPE, BALL_JOINT] {
        let text = system("", mechanism);
        let expected = bits(&run(&Variant::text(&text)));
        assert_eq!(bits(&run(&beside("", mechanism))), expected);
        assert_eq!(
            bits(&run(&Variant::text(&system("isolate = true", mechanism)))),
            expected
        );
        let twice = text.replace(
            "[method]",
            &format!("[components.n]\n{}[method]", inline("n", mechanism)),
        );
        let tables = [1, 2].map(|threads| {
            let (mut simulation, handle) = Variant::text(&twice).open_on(Overrides::default(), threads);
            assert_eq!(simulation.run().status, "ok");
            bits(&handle.table())
        });
        assert_eq!(tables[0], tables[1]);
        assert_eq!(tables[0][..expected.len()], expected);
    }
}

/// Two rods that a stiff line makes one of twice the length.
#[test]
fn two_mechanisms_on_a_line() {
    let (sine, cosine) = (-0.4_f64).sin_cos();
    let upper = PENDULUM.replace("[ports]", "[ports]\nend = { kind = \"frame\", at = \"rod.tip\" }");
    let lower = format!(
        "space = \"plane\"\n[bodies.rod]\nmass = 1.0\ncenter = [0.5, 0.0]\nshape = {{ kind = \"rod\", length = 1.0 }}\n\
         position = [{}, {}]\nangle = -0.4\nvelocity = [{}, {}]\nspeed = 2.0\n\
         [ports]\nend = {{ kind = \"frame\", at = \"rod\" }}\n",
        0.5 + cosine,
        1.0 + sine,
        -2.0 * sine,
        2.0 * cosine
    );
    let text = format!(
        "[system]\nstop = 0.5\n[components.a]\nsolver = {{ kind = \"trapezoidal\", step = 2e-4 }}\n{}\
         [components.b]\nsolver = {{ kind = \"trapezoidal\", step = 2e-4 }}\n{}\
         [[lines]]\nfrom = {{ frame = \"a.end\", load = \"a.end_load\" }}\n\
         to = {{ frame = \"b.end\", load = \"b.end_load\" }}\ndelay = 1e-3\nZf = 100.0\nZfr = 100.0\n\
         compensate = true\nstart = \"consistent\"\n",
        inline("a", &upper),
        inline("b", &lower)
    );
    let table = run(&Variant::text(&text));
    let exact = exact(&table.times, &[-0.4, 2.0], |x, dx| {
        dx.copy_from_slice(&[x[1], -0.75 * 9.81 * x[0].cos()]);
    });
    let wrong = error(reals(&table, "a.angle"), exact.iter().map(|x| x[0]));
    assert!(wrong < 1e-3, "{wrong:e}");
}

/// A spring at the tip, inside the mechanism and as a component of its own: what is between them is the reading, of order three.
#[test]
fn a_load_at_a_frame() {
    let inside = format!(
        "{PENDULUM}[forces.spring]\nkind = \"spring\"\nbetween = [\"ground\", \"rod.tip\"]\nstiffness = 50.0\nlength = 0.0\n"
    );
    let framed = format!("{PENDULUM}end = {{ kind = \"frame\", at = \"rod.tip\" }}\n");
    let mount = "[components.mount]\nmodel = \"bushing\"\n\
         parameters = { stiffness = [50.0, 50.0, 50.0, 0.0, 0.0, 0.0], damping = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }\n\
         [[connections]]\nfrom = \"m.end\"\nto = \"mount.frame\"\n\
         [[connections]]\nfrom = \"mount.load\"\nto = \"m.end_load\"\n[method]\nreading = \"quadratic\"";
    let errors = [1e-3, 5e-4].map(|step| {
        let keys = format!("solver = {{ kind = \"trapezoidal\", step = {step} }}");
        let expected = run(&Variant::text(&system(&keys, &inside)));
        let text = system(&keys, &framed).replace("[method]", mount);
        let text = text.replace("step = 0.01", &format!("step = {step}")) + "[record]\nevery = 0.01\n";
        let found = run(&Variant::text(&text));
        assert_eq!(found.times.len(), expected.times.len());
        let angles = reals(&expected, "m.angle").iter().copied();
        (step, error(reals(&found, "m.angle"), angles))
    });
    assert!(errors[0].1 < 3e-4, "{errors:?}");
    let order = observed_order(&errors);
    assert!((2.8..3.2).contains(&order), "{order}: {errors:?}");
}

/// Any angle can be the start, in a plane and in space, wherever bodies are said to be.
#[test]
fn starts_are_just_so() {
    let first = |bodies: &str, joint: &str, column: &str| {
        let keys = format!(
            "{bodies}\njoints.j = {{ kind = \"revolute\", between = [\"ground\", \"a\"], {joint} }}\n"
        );
        reals(&run(&Variant::text(&system("", &keys))), column)[0]
    };
    for start in [0.5, 1.7, 3.0, -2.0, -3.1] {
        let joint = format!("start = {start}, speed = -1.0");
        for plane in [
            "",
            ", position = [0.0, 0.0]",
            ", position = [0.0, 0.0], angle = 1.0",
        ] {
            let bodies = format!("space = \"plane\"\nbodies.a = {{ mass = 1.0, inertia = 1.0{plane} }}");
            assert!(
                (first(&bodies, &joint, "m.j") - start).abs() < 1e-9,
                "{start} {plane}"
            );
            assert!(
                (first(&bodies, &joint, "m.j_speed") + 1.0).abs() < 1e-9,
                "{start} {plane}"
            );
        }
        let joint = format!("axis = [0, 0.6, 0.8], {joint}");
        for space in ["", ", angles = [0.7, 0.1, 0.0]"] {
            let bodies = format!("bodies.a = {{ mass = 1.0, inertia = [1.0, 1.0, 1.0]{space} }}");
            assert!(
                (first(&bodies, &joint, "m.j") - start).abs() < 1e-9,
                "{start} {space}"
            );
        }
        let bodies = "space = \"plane\"\nbodies.a = { mass = 1.0, inertia = 1.0 }";
        let drive = format!("drive = {{ offset = {start} }}");
        assert!(
            (first(bodies, &drive, "m.j") - start).abs() < 1e-9,
            "driven to {start}"
        );
    }
    // A drive that begins on the far side of where the body is said to be.
    let placed = "space = \"plane\"\nbodies.a = { mass = 1.0, inertia = 1.0, position = [0.0, 0.0] }\n\
         joints.j = { kind = \"revolute\", between = [\"ground\", \"a\"], drive = { offset = 3.0 } }\n";
    let words = ["the joint `j`", "-0.142 instead of 3.000", "nearer to that"];
    says(&beside("", placed), &[], "m.toml", 3, &words);
}

/// Who is joined to nobody and has no place still has its velocity.
#[test]
fn a_free_body_flies_on() {
    let free = "space = \"plane\"\nbodies.a = { mass = 1.0, inertia = 1.0, velocity = [5.0, 0.0], speed = 2.0 }\n\
                ports.a = { kind = \"frame\", at = \"a\" }\n";
    let table = run(&Variant::text(&system("", free)));
    assert!(error(reals(&table, "m.a.x"), table.times.iter().map(|t| 5.0 * t)) < 1e-9);
    assert!(error(reals(&table, "m.a.wz"), std::iter::repeat(2.0)) < 1e-6);
}

/// Values of inputs that nothing drives.
#[test]
fn an_effort_holds_a_rod_up() {
    let held = PENDULUM.replace("start = -0.4\nspeed = 2.0", "start = 0.0\nspeed = 0.0");
    let keys = format!("parameters = {{ torque = {} }}", 0.5 * 9.81);
    let table = run(&Variant::text(&system(&keys, &held)));
    assert!(error(reals(&table, "m.angle"), std::iter::repeat(0.0)) < 1e-9);
}

#[test]
fn a_report_counts_corrections() {
    let keys = "solver = { kind = \"trapezoidal\", step = 1e-3 }";
    let (mut simulation, _) = Variant::text(&system(keys, PENDULUM)).open(Overrides::default());
    let report = simulation.run();
    let component = &report.components["m"];
    assert!(component.iterations >= component.inner_steps, "{component:?}");
    assert_eq!(component.inner_steps, 2000);
}

/// What is said of a system that cannot be loaded: file, line and message of each mistake.
fn refused(variant: &Variant, set: &[&str]) -> Vec<(String, usize, String, String)> {
    let overrides = Overrides {
        set: set.iter().map(|text| (*text).to_owned()).collect(),
        ..Overrides::default()
    };
    let mut reporter = Reporter::new();
    assert!(System::load(variant.path(), &overrides, false, &mut reporter).is_none());
    let found = reporter.sorted();
    let found = found.iter().map(|d| {
        let file = d.file.file_name().unwrap_or(d.file.as_os_str());
        (
            file.to_string_lossy().into_owned(),
            d.line.unwrap_or(0),
            d.message.clone(),
            d.advice.clone().unwrap_or_default(),
        )
    });
    found.collect()
}

#[track_caller]
fn says(variant: &Variant, set: &[&str], file: &str, line: usize, words: &[&str]) {
    let found = refused(variant, set);
    assert_eq!(found.len(), 1, "{found:?}");
    let (at, row, message, advice) = &found[0];
    assert_eq!((at.as_str(), *row), (file, line), "{message}");
    for words in words {
        assert!(
            message.contains(words) || advice.contains(words),
            "{message}; {advice}"
        );
    }
}

/// What only shows when the mechanism is built has a place too.
#[test]
fn contradictions_are_shown_where_they_are() {
    let ghost = format!("{PENDULUM}[bodies.ghost]\nmass = 0.0\n");
    says(
        &beside("", &ghost),
        &[],
        "m.toml",
        18,
        &["the body `ghost`", "has no mass", "give it a mass"],
    );
    let particle = PENDULUM.replace("shape = { kind = \"rod\", length = 1.0 }\n", "");
    says(
        &beside("", &particle),
        &[],
        "m.toml",
        4,
        &["the body `rod`", "has no inertia"],
    );
    let twice = format!(
        "{PENDULUM}[joints.other]\nkind = \"distance\"\nbetween = [\"ground\", \"rod.tip\"]\nlength = 9.0\n"
    );
    let found = refused(&beside("", &twice), &[]);
    assert!(
        found[0].0 == "m.toml" && found[0].2.contains("fit together"),
        "{found:?}"
    );
    let port = PENDULUM.replace("joint = \"hinge\" }\ntip", "joint = \"weld\" }\ntip")
        + "[bodies.knob]\nmass = 0.1\nshape = { kind = \"sphere\", radius = 0.01 }\n[joints.weld]\nkind = \"fixed\"\n\
           between = [\"rod.tip\", \"knob\"]\n";
    says(
        &beside("", &port),
        &[],
        "m.toml",
        15,
        &["the port `angle`", "joint weld has no angle"],
    );
}

#[test]
fn a_file_that_two_use_is_complained_about_once() {
    let variant = beside("", "space = \"plane\"\n[bodies.a]\nmass = -1.0\n");
    let text = std::fs::read_to_string(variant.path().join("system.toml")).unwrap();
    let text = text.replace("[method]", "[components.n]\nmultibody = \"m.toml\"\n[method]");
    std::fs::write(variant.path().join("system.toml"), text).unwrap();
    says(&variant, &[], "m.toml", 3, &["`mass` must not be below 0"]);
}

/// A rod twice as long falls as one that is described so.
#[test]
fn a_component_changes_numbers_of_its_mechanism() {
    let longer = PENDULUM
        .replace("length = 1.0", "length = 2.0")
        .replace("start = -0.4", "start = 0.3")
        .replace("mass = 1.0", "mass = 2.0");
    let changes = r#"parameters = { "bodies.rod.shape.length" = 2.0, "joints.hinge.start" = 0.3, "bodies.rod.mass" = 2 }"#;
    let described = bits(&run(&Variant::text(&system("", &longer))));
    assert_eq!(bits(&run(&beside(changes, PENDULUM))), described);
    assert_eq!(bits(&run(&Variant::text(&system(changes, PENDULUM)))), described);
}

#[test]
fn what_a_mechanism_does_not_have_cannot_be_changed() {
    says(
        &beside("", PENDULUM),
        &["m.rod.mass=2"],
        "<command line>",
        1,
        &[
            "the mechanism `m` has no parameter `rod.mass`",
            "did you mean `bodies.rod.mass`?",
        ],
    );
    says(
        &Variant::text(&system("parameters = { colour = 2.0 }", PENDULUM)),
        &[],
        "system.toml",
        4,
        &[
            "the mechanism `m` has no parameter `colour`",
            "names such as `bodies.rod.mass`; inputs that nothing drives can be given a value, too: torque",
        ],
    );
    says(
        &Variant::text(&system(
            "parameters = { \"bodies.rod.position\" = [1, 2, 3] }",
            PENDULUM,
        )),
        &[],
        "system.toml",
        4,
        &["`bodies.rod.position`: expected two numbers"],
    );
}

#[test]
fn solvers_for_mechanisms_are_for_mechanisms() {
    let mass = |solver: &str| {
        Variant::text(&format!(
            "[system]\nstop = 1.0\n[components.m]\nmodel = \"four-bar-linkage\"\nsolver = {{ {solver} }}\n\
             [components.ramp]\nmodel = \"ramp\"\n[[connections]]\nfrom = \"ramp.y\"\nto = \"m.torque\"\n"
        ))
    };
    for kind in ["trapezoidal", "generalized-alpha", "rattle"] {
        let words = format!("the solver {kind} is made for multibody models");
        says(
            &mass(&format!("kind = \"{kind}\"")),
            &[],
            "system.toml",
            5,
            &[&words, "take one of euler"],
        );
    }
    says(
        &mass("kind = \"rk4\", penalty = 1.0"),
        &[],
        "system.toml",
        5,
        &[
            "the solver rk4 has no `penalty`",
            "belongs to trapezoidal and generalized-alpha",
        ],
    );
    says(
        &Variant::text(&system(
            "solver = { kind = \"generalized-alpha\", spectral_radius = 1.5 }",
            PENDULUM,
        )),
        &[],
        "system.toml",
        4,
        &["spectral_radius = 1.5 must lie between 0"],
    );
    says(
        &Variant::text(&system("solver = { kind = \"trapezoid\" }", PENDULUM)),
        &[],
        "system.toml",
        4,
        &["there is no solver `trapezoid`", "did you mean `trapezoidal`?"],
    );
}
