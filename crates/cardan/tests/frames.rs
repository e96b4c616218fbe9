//! Bodies in space, in one frame or in several: systems from their descriptions to their rows.

#![allow(clippy::unwrap_used)] // in helpers of tests

mod support;

use cardan::core::reaction::turn;
use cardan::core::spatial::{after, back, by_angles, by_vector, cross, dot, minus, plus, times, turned};
use cardan::{Overrides, Reporter, System, Table};
use cardan_testkit::observed_order;
use support::{Variant, reals, step};

/// Where and how a component lives: its keys, and the way from the system into it.
struct Home {
    keys: &'static str,
    origin: [f64; 3],
    axes: [f64; 4],
    /// Metres, newtons and seconds in its units.
    length: f64,
    force: f64,
    time: f64,
}

const ANGLES: [f64; 3] = [0.3, -0.5, 1.1];

fn here() -> Home {
    Home {
        keys: "",
        origin: [0.0; 3],
        axes: [1.0, 0.0, 0.0, 0.0],
        length: 1.0,
        force: 1.0,
        time: 1.0,
    }
}

/// kg, mm, ms: the unit of force is 1000 N.
fn there() -> Home {
    Home {
        keys: "frame = { position = [1.0, -2.0, 0.5], angles = [0.3, -0.5, 1.1] }\n\
               scales = { length = 0.001, time = 0.001 }\n",
        origin: [1.0, -2.0, 0.5],
        axes: by_angles(ANGLES),
        length: 1e3,
        force: 1e-3,
        time: 1e3,
    }
}

impl Home {
    fn vector(&self, v: [f64; 3], scale: f64) -> String {
        list(&times(scale, turned(back(self.axes), v)))
    }

    fn position(&self, x: [f64; 3]) -> String {
        self.vector(minus(x, self.origin), self.length)
    }

    fn orientation(&self, q: [f64; 4]) -> String {
        list(&after(back(self.axes), q))
    }
}

/// With all digits, as TOML wants them.
fn list(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(|v| format!("{v:.17e}")).collect();
    format!("[{}]", values.join(", "))
}

const MASS: f64 = 2.0;
const INERTIA: [f64; 3] = [0.2, 0.5, 0.6];
const STIFFNESS: f64 = 800.0;

/// A body on a bushing that pulls equally in all directions, with these stiffness and damping against rotation.
fn system(body: &Home, mount: &Home, (turning, damping, spin_damping): (f64, f64, f64), method: &str) -> Variant {
    let start = by_vector([0.1, -0.2, 0.3]);
    let per_mass = body.force * body.time * body.time / body.length;
    assert!((per_mass - 1.0).abs() < 1e-12, "masses are in kg everywhere");
    let speed = body.length / body.time;
    let stiffness = STIFFNESS * mount.force / mount.length;
    // Moments are in N m where the unit of force is 1000 N and that of length is 1 mm.
    let text = format!(
        "[system]\nstop = 1.0\n\
         [components.body]\nmodel = \"rigid-body\"\nsolver = {{ kind = \"rk4\", step = {} }}\n{}\
         parameters = {{ mass = {MASS}, inertia = {}, gravity = {}, position = {}, orientation = {}, velocity = {}, \
         angular_velocity = {} }}\n\
         [components.mount]\nmodel = \"bushing\"\n{}\
         parameters = {{ stiffness = {}, damping = {}, position = {}, orientation = {} }}\n\
         [[connections]]\nfrom = \"body.frame\"\nto = \"mount.frame\"\n\
         [[connections]]\nfrom = \"mount.load\"\nto = \"body.load\"\n\
         [method]\n{method}\n[record]\nevery = 0.01\n",
        1e-3 * body.time,
        body.keys,
        list(&INERTIA.map(|i| i * body.length * body.length)),
        body.vector([0.0, 0.0, -9.81], body.length / (body.time * body.time)),
        body.position([0.05, 0.02, -0.03]),
        body.orientation(start),
        body.vector([0.3, -0.2, 0.5], speed),
        body.vector([1.0, 2.0, 3.0], 1.0 / body.time),
        mount.keys,
        list(&[stiffness, stiffness, stiffness, turning, turning, turning]),
        list(
            &[
                [damping * mount.force * mount.time / mount.length; 3],
                [spin_damping * mount.time; 3]
            ]
            .concat()
        ),
        mount.position([0.0; 3]),
        mount.orientation([1.0, 0.0, 0.0, 0.0]),
    );
    Variant::text(&text)
}

const PARABOLAS: &str = "kind = \"gauss-seidel\"\nstep = 0.001\nreading = \"quadratic\"";

const FRAME: [&str; 13] = [
    "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz",
];

fn part(table: &Table, port: &str, names: &[&str], row: usize) -> Vec<f64> {
    let value = |name: &&str| reals(table, &format!("{port}.{name}"))[row];
    names.iter().map(value).collect()
}

fn three(table: &Table, port: &str, names: [&str; 3], row: usize) -> [f64; 3] {
    part(table, port, &names, row).try_into().unwrap()
}

/// Whoever lives in other axes, elsewhere and in other units, nothing changes but the rounding: coordinates of up to 3 m
/// and 3000 mm have an error of 1e-15 of that in each of a thousand steps, and the swing of 20 rad/s neither grows nor
/// forgets them.
#[test]
fn it_does_not_matter_where_a_component_lives() {
    let laws = (30.0, 4.0, 0.2);
    let plain = system(&here(), &here(), laws, PARABOLAS).run(Overrides::default());
    for (body, mount) in [(here(), there()), (there(), here()), (there(), there())] {
        let other = system(&body, &mount, laws, PARABOLAS).run(Overrides::default());
        assert_eq!(plain.times, other.times);
        for name in FRAME {
            let name = format!("body.frame.{name}");
            for (a, b) in reals(&plain, &name).iter().zip(reals(&other, &name)) {
                assert!((a - b).abs() <= 1e-10, "{name}: {a} and {b}");
            }
        }
        for name in ["fx", "fy", "fz", "mx", "my", "mz"] {
            let name = format!("mount.load.{name}");
            for (a, b) in reals(&plain, &name).iter().zip(reals(&other, &name)) {
                // The stiffness makes newtons of metres.
                assert!((a - b).abs() <= STIFFNESS * 1e-10, "{name}: {a} and {b}");
            }
        }
    }
}

/// Without dampers the energy stays: that of the body, which it tells, and that of the springs. What the coupling takes or
/// gives shrinks with the third power of the step, as parabolas promise, and with solvers of fourth order.
#[test]
fn springs_keep_the_energy() {
    let turning = 30.0;
    let drift = |h: f64| {
        let variant = system(&here(), &there(), (turning, 0.0, 0.0), PARABOLAS);
        let table = variant.run(step(h));
        let energy = |row: usize| {
            let x = three(&table, "body.frame", ["x", "y", "z"], row);
            let q = part(&table, "body.frame", &FRAME[3..7], row).try_into().unwrap();
            let theta = turn([1.0, 0.0, 0.0, 0.0], q);
            reals(&table, "body.energy")[row] + 0.5 * (STIFFNESS * dot(x, x) + turning * dot(theta, theta))
        };
        let first = energy(0);
        let rows = 0..table.times.len();
        rows.map(|row| (energy(row) - first).abs()).fold(0.0, f64::max)
    };
    let points = [4e-3, 2e-3, 1e-3].map(|h| (h, drift(h)));
    let order = observed_order(&points);
    assert!(order >= 2.7, "order {order}, {points:?}");
}

/// A force to one point does not change the angular momentum about it: without gravity, and with nothing against rotation.
#[test]
fn a_central_force_keeps_the_angular_momentum() {
    let momentum = |table: &Table, row: usize| {
        let [x, v, w] = [["x", "y", "z"], ["vx", "vy", "vz"], ["wx", "wy", "wz"]]
            .map(|names| three(table, "body.frame", names, row));
        let q: [f64; 4] = part(table, "body.frame", &FRAME[3..7], row).try_into().unwrap();
        let spin = turned(back(q), w);
        let own = turned(q, std::array::from_fn(|i| INERTIA[i] * spin[i]));
        (times(MASS, cross(x, v)), own)
    };
    let orbit_drift = |h: f64| {
        let variant = system(&there(), &here(), (0.0, 0.0, 0.0), PARABOLAS);
        let gravity = there().vector([0.0, 0.0, -9.81], 1e-3);
        let variant = variant.with(&[(gravity.as_str(), "[0.0, 0.0, 0.0]")]);
        let table = variant.run(step(h));
        let (orbit, spin) = momentum(&table, 0);
        let mut worst = 0.0_f64;
        for row in 0..table.times.len() {
            let (orbit_now, spin_now) = momentum(&table, row);
            for i in 0..3 {
                worst = worst.max((orbit_now[i] - orbit[i]).abs());
                // No moment at all: what turns there and back is rounded, in numbers of about one.
                assert!((spin_now[i] - spin[i]).abs() < 1e-12);
            }
        }
        worst
    };
    let points = [4e-3, 2e-3, 1e-3].map(|h| (h, orbit_drift(h)));
    let order = observed_order(&points);
    assert!(order >= 2.7, "order {order}, {points:?}");
}

/// A damped body comes to rest where spring and weight are equal, and its quaternion stays one.
#[test]
fn a_damped_body_comes_to_rest() {
    let variant = system(
        &there(),
        &there(),
        (30.0, 60.0, 4.0),
        "kind = \"iterated\"\nstep = 0.01",
    );
    let table = variant.with(&[("stop = 1.0", "stop = 4.0")]).run(Overrides::default());
    let last = table.times.len() - 1;
    // The slowest decay is 60 / (2 · 2) = 15 1/s; after 4 s nothing is left but the tolerance of the rounds.
    let rest = part(&table, "body.frame", &FRAME, last);
    let expected = [0.0, 0.0, -9.81 * MASS / STIFFNESS];
    for (found, expected) in rest.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-5, "{found} is not {expected}");
    }
    let norm: f64 = rest[3..7].iter().map(|q| q * q).sum();
    assert!((norm - 1.0).abs() < 1e-12, "{norm}");
    assert!(rest[7..].iter().all(|v| v.abs() < 1e-4), "{rest:?}");
}

/// Loads at two markers and at the frame itself add up: here to a body that is only turned.
#[test]
fn a_couple_of_forces_turns() {
    let text = "[system]\nstop = 0.5\n\
        [components.body]\nmodel = \"rigid-body\"\nparameters = { inertia = [1.0, 1.0, 2.0] }\n\
        [components.body.markers]\n\
        left = { frame = \"frame\", load = \"load\", position = [-0.5, 0.0, 0.0] }\n\
        right = { frame = \"frame\", load = \"load\", position = [0.5, 0.0, 0.0] }\n\
        [components.push]\nmodel = \"constant\"\nparameters = { value = 3.0 }\n\
        [components.pull]\nmodel = \"constant\"\nparameters = { value = -3.0 }\n\
        [[connections]]\nfrom = \"push.y\"\nto = \"body.right_load.fy\"\n\
        [[connections]]\nfrom = \"pull.y\"\nto = \"body.left_load.fy\"\n\
        [[connections]]\nfrom = \"push.y\"\nto = \"body.load.mz\"\n\
        [method]\nkind = \"gauss-seidel\"\nstep = 0.001\n";
    let table = Variant::text(text).run(Overrides::default());
    let last = table.times.len() - 1;
    let [x, y, _] = three(&table, "body.frame", ["x", "y", "z"], last);
    assert!(x.abs() < 1e-12 && y.abs() < 1e-12, "{x} {y}");
    // 2 φ'' = 3 + 3 cos φ from rest; a quarter of the energy integral: φ'² = 3 (φ + sin φ).
    let [_, _, w] = three(&table, "body.frame", ["wx", "wy", "wz"], last);
    let [qw, _, _, qz] = part(&table, "body.frame", &FRAME[3..7], last).try_into().unwrap();
    let phi = 2.0 * f64::atan2(qz, qw);
    assert!(phi > 0.3);
    // The arm is foretold to second order: φ'' ≤ 3 over a millisecond is 1.5e-6 of an angle, and so of the moment.
    assert!((w * w - 3.0 * (phi + phi.sin())).abs() < 1e-5, "{w} {phi}");
    // The marker is where its body has turned it.
    let [x, y, _] = three(&table, "body.right", ["x", "y", "z"], last);
    let expected = plus([0.0; 3], turned(by_vector([0.0, 0.0, phi]), [0.5, 0.0, 0.0]));
    assert!((x - expected[0]).abs() < 1e-12 && (y - expected[1]).abs() < 1e-12);
}

fn complaints(text: &str) -> String {
    let variant = Variant::text(text);
    let mut reporter = Reporter::new();
    let system = System::load(variant.path(), &Overrides::default(), false, &mut reporter);
    assert_eq!(system.is_none(), reporter.has_errors());
    let words = reporter.render_all(false);
    words.replace(&format!("{}/", variant.path().display()), "")
}

#[test]
fn what_cannot_be_placed_is_told() {
    let text = "[system]\nstop = 1\n\
        [components.body]\nmodel = \"rigid-body\"\n\
        [components.body.markers]\n\
        tip = { frame = \"energy\" }\n\
        load = { frame = \"frame\" }\n\
        end = { frame = \"frame\", load = \"lode\" }\n\
        [components.gain]\nmodel = \"constant\"\nscales = { length = 0.001 }\n\
        [method]\nkind = \"jacobi\"\nstep = 0.1\n";
    insta::assert_snapshot!(complaints(text), @"");
}

/// A mistake in its parameters does not make a component lose its markers: what names them is not called wrong.
#[test]
fn markers_of_a_refused_component_are_known() {
    let text = "[system]\nstop = 1\n\
        [components.body]\nmodel = \"rigid-body\"\nparameters = { mass = -1.0 }\n\
        [components.body.markers]\ntip = { frame = \"frame\", load = \"load\" }\n\
        [components.mount]\nmodel = \"bushing\"\n\
        [[connections]]\nfrom = \"body.tip\"\nto = \"mount.frame\"\n\
        [[connections]]\nfrom = \"mount.load\"\nto = \"body.tip_load\"\n\
        [method]\nkind = \"jacobi\"\nstep = 0.1\n";
    let words = complaints(text);
    assert_eq!(words.matches("error:").count(), 1, "{words}");
    assert!(words.contains("must be greater than 0, found -1"), "{words}");
}

/// A frame that is driven through a marker cannot be driven itself.
#[test]
fn a_body_has_one_driver() {
    let text = "[system]\nstop = 1\n\
        [components.body]\nmodel = \"rigid-body\"\n\
        [components.mount]\nmodel = \"bushing\"\n\
        [components.mount.markers]\ngrip = { frame = \"frame\", position = [0.1, 0.0, 0.0] }\n\
        [[connections]]\nfrom = \"body.frame\"\nto = \"mount.frame\"\n\
        [method]\nkind = \"jacobi\"\nstep = 0.1\n";
    let words = complaints(text);
    assert!(words.contains("`mount.frame` is a local variable"), "{words}");
    assert!(words.contains("the input `mount.grip` is not connected"), "{words}");
}
