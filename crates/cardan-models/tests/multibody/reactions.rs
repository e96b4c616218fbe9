//! Forces and moments in joints, by Newton's and Euler's laws.

use cardan_core::spatial::{cross, turned};
use cardan_models::multibody::{Body, JointKind, Mechanism, Motion, PortKind, PortOf, Shape, Space};
use cardan_ode::{Method, SolverSettings};

use crate::plane::{plane, rod, slider_crank};
use crate::rig::{Rig, at, hinge, joint, motion, point, seen};

const GRAVITY: f64 = 9.81;

fn reaction(name: &str, joint: &str) -> PortOf {
    PortOf {
        name: name.to_owned(),
        kind: PortKind::Reaction {
            joint: joint.to_owned(),
        },
    }
}

/// RATTLE to its last digits: what is left is rounding of accelerations, a part of 1e-9 or so of the largest force.
fn exact() -> SolverSettings {
    SolverSettings {
        rtol: 1e-11,
        atol: 1e-13,
        ..SolverSettings::of(Method::Rattle)
    }
}

#[track_caller]
fn same(found: &[f64], expected: &[f64], allowed: f64) {
    assert_eq!(found.len(), expected.len());
    let far = found
        .iter()
        .zip(expected)
        .fold(0.0_f64, |far, (a, b)| far.max((a - b).abs()));
    assert!(far <= allowed, "{found:?} instead of {expected:?}");
}

/// A rod that swings about its end: `m (a - g)` with the acceleration of its middle.
#[test]
fn a_hinge_carries_weight_and_swing() {
    let mut foot = hinge("foot", "ground", "rod.a");
    foot.speed = Some(2.0);
    let mechanism = Mechanism {
        bodies: vec![rod("rod", 1.0)],
        joints: vec![foot],
        ports: vec![motion("angle", "foot"), reaction("bearing", "foot")],
        ..plane()
    };
    let mut rig = Rig::new(&mechanism, &exact());
    for step in 0..=20 {
        rig.go(0.05 * f64::from(step));
        let (angle, speed) = (rig.one("angle"), rig.one("angle_speed"));
        let (sine, cosine) = angle.sin_cos();
        // m l²/3 θ'' = -m g l/2 cos θ
        let turning = -1.5 * GRAVITY * cosine;
        let force = [
            0.5 * (-turning * sine - speed * speed * cosine),
            0.5 * (turning * cosine - speed * speed * sine) + GRAVITY,
        ];
        same(
            rig.all("bearing"),
            &[force[0], force[1], 0.0, 0.0, 0.0, 0.0],
            1e-7,
        );
    }
}

/// A beam on a hinge and a roller, and a force on it: levers, at once.
#[test]
fn a_beam_on_two_supports() {
    let roller = JointKind::PointOnLine {
        axis: [1.0, 0.0, 0.0],
    };
    let mut ground = plane();
    ground.ground = vec![point("far", [2.0, 0.0, 0.0])];
    let mechanism = Mechanism {
        bodies: vec![rod("beam", 2.0)],
        joints: vec![
            hinge("left", "ground", "beam.a"),
            joint("right", roller, "ground.far", "beam.b"),
        ],
        ports: vec![
            reaction("left_force", "left"),
            reaction("right_force", "right"),
            PortOf {
                name: "push".to_owned(),
                kind: PortKind::Force { at: at("beam.b") },
            },
        ],
        ..ground
    };
    let mut rig = Rig::new(&mechanism, &exact());
    let half = 0.5 * GRAVITY;
    same(rig.all("left_force"), &[0.0, half, 0.0, 0.0, 0.0, 0.0], 1e-7);
    same(rig.all("right_force"), &[0.0, half, 0.0, 0.0, 0.0, 0.0], 1e-7);
    rig.push(&[3.0, -10.0]);
    rig.go(0.01);
    same(rig.all("left_force"), &[-3.0, half, 0.0, 0.0, 0.0, 0.0], 1e-6);
    same(
        rig.all("right_force"),
        &[0.0, half + 10.0, 0.0, 0.0, 0.0, 0.0],
        1e-6,
    );
}

/// Two forces move the slider, and the power of the drive is the change of energy.
#[test]
fn a_driven_slider_crank_balances() {
    let speed = 20.0;
    let mut mechanism = slider_crank(Some(Motion {
        offset: 0.3,
        rate: speed,
        ..Motion::default()
    }));
    mechanism.ports.extend([
        reaction("drive", "crank"),
        reaction("pin", "pin"),
        reaction("wrist", "wrist"),
        reaction("rail", "guide"),
    ]);
    let mut rig = Rig::new(&mechanism, &exact());
    let (r, l, mass) = (0.2_f64, 0.6_f64, 0.8);
    let place = |t: f64| {
        let (sine, cosine) = (0.3 + speed * t).sin_cos();
        r * cosine + (l * l - r * r * sine * sine).sqrt()
    };
    for step in 1..=20 {
        let t = 0.013 * f64::from(step);
        let h = 1e-4;
        rig.go(t - h);
        let before = rig.one("energy");
        rig.go(t);
        let (wrist, rail) = (rig.all("wrist").to_vec(), rig.all("rail").to_vec());
        let drive = rig.all("drive").to_vec();
        rig.go(t + h);
        let after = rig.one("energy");
        // Differences of closed forms and of energy: wrong by h² of derivatives of up to speed⁴, and rounding over h².
        let acceleration = (place(t - h) - 2.0 * place(t) + place(t + h)) / (h * h);
        same(&[wrist[0] + rail[0]], &[mass * acceleration], 1e-3);
        same(&[wrist[1] + rail[1]], &[mass * GRAVITY], 1e-5);
        // A rail holds across its axis alone, hinges hold no moment.
        same(&[rail[0], wrist[5]], &[0.0, 0.0], 1e-6);
        same(&[drive[5] * speed], &[(after - before) / (2.0 * h)], 0.05);
    }
}

/// What is asked for its reaction is held by constraints instead of a shared point: the motion is the same.
#[test]
fn being_asked_changes_nothing() {
    let silent = slider_crank(None);
    let mut asked = silent.clone();
    for joint in &silent.joints {
        asked
            .ports
            .push(reaction(&format!("{}_force", joint.name), &joint.name));
    }
    let (mut silent, mut asked) = (Rig::new(&silent, &exact()), Rig::new(&asked, &exact()));
    for step in 1..=10 {
        let t = 0.1 * f64::from(step);
        silent.go(t);
        asked.go(t);
        for port in ["theta", "theta_speed", "x", "x_speed"] {
            same(silent.all(port), asked.all(port), 1e-8);
        }
    }
}

fn box_in_space(center: [f64; 3]) -> Body {
    Body {
        name: "box".to_owned(),
        mass: 2.0,
        center,
        inertia: Some([0.3, 0.4, 0.5, 0.02, 0.05, -0.04]),
        position: Some([0.0; 3]),
        ..Body::default()
    }
}

fn in_space(body: Body, kind: JointKind, ports: Vec<PortOf>) -> Mechanism {
    Mechanism {
        space: Space::Space,
        gravity: [0.0, 0.0, -GRAVITY],
        bodies: vec![body],
        joints: vec![joint("joint", kind, "ground", "box")],
        ports,
        ..Mechanism::default()
    }
}

/// Fixed to the ground a body hangs on a force and a moment.
#[test]
fn a_body_that_cannot_move() {
    let center = [0.3, -0.2, 0.1];
    let mechanism = in_space(
        box_in_space(center),
        JointKind::Fixed,
        vec![reaction("clamp", "joint")],
    );
    let mut rig = Rig::new(&mechanism, &exact());
    let force = [0.0, 0.0, 2.0 * GRAVITY];
    let moment = cross(center, force);
    let expected = [force, moment].concat();
    same(rig.all("clamp"), &expected, 1e-6);
    rig.go(0.1);
    same(rig.all("clamp"), &expected, 1e-6);
}

/// A wheel that is not balanced, driven about an axis: `ω × (I ω)` and `m ω × (ω × c)` turn with it.
#[test]
fn a_wheel_that_is_not_balanced() {
    let center = [0.1, 0.0, 0.2];
    let mut mechanism = in_space(
        box_in_space(center),
        JointKind::Revolute {
            axis: [0.0, 0.0, 1.0],
        },
        vec![reaction("bearing", "joint"), seen("box", "box")],
    );
    mechanism.gravity = [0.0; 3];
    let speed = 7.0;
    mechanism.joints[0].drive = Some(Motion {
        rate: speed,
        ..Motion::default()
    });
    let mut rig = Rig::new(&mechanism, &exact());
    for step in 0..=10 {
        rig.go(0.05 * f64::from(step));
        let orientation = std::array::from_fn(|i| rig.all("box")[3 + i]);
        let square = speed * speed;
        let force = [-2.0 * square * center[0], -2.0 * square * center[1], 0.0];
        // About the centre of mass, ω × (I ω) with the column (xz, yz, zz) of the inertia, and the lever of the force.
        let own = [0.04 * square, 0.05 * square, 0.0];
        let lever = cross(center, force);
        let moment = [own[0] + lever[0], own[1] + lever[1], own[2] + lever[2]];
        let expected = [turned(orientation, force), turned(orientation, moment)].concat();
        same(rig.all("bearing"), &expected, 1e-5);
    }
}

/// A rope pulls with the weight along it and what keeps the ball on its circle; a universal joint gives what a ball joint does, and holds
/// the twist.
#[test]
fn ropes_and_balls() {
    let rope = Mechanism {
        space: Space::Space,
        gravity: [0.0, 0.0, -GRAVITY],
        bodies: vec![Body {
            name: "box".to_owned(),
            mass: 2.0,
            position: Some([0.0, 0.0, -1.0]),
            velocity: Some([3.0, 0.0, 0.0]),
            ..Body::default()
        }],
        joints: vec![joint(
            "joint",
            JointKind::Distance { length: Some(1.0) },
            "ground",
            "box",
        )],
        ports: vec![reaction("rope", "joint")],
        ..Mechanism::default()
    };
    let rig = Rig::new(&rope, &exact());
    same(
        rig.all("rope"),
        &[0.0, 0.0, 2.0 * (GRAVITY + 9.0), 0.0, 0.0, 0.0],
        1e-6,
    );

    let universal = JointKind::Universal {
        first: [1.0, 0.0, 0.0],
        second: [0.0, 1.0, 0.0],
    };
    for (kind, holds) in [(JointKind::Spherical, false), (universal, true)] {
        let mut body = box_in_space([0.0, 0.0, -0.5]);
        body.inertia = None;
        body.shape = Some(Shape::Box {
            size: [0.1, 0.2, 0.3],
        });
        let ports = vec![reaction("held", "joint"), seen("box", "box.center")];
        let mut rig = Rig::new(&in_space(body, kind, ports), &exact());
        // Hanging straight down, a twist moves nothing if it is held, and nothing is held if nothing holds.
        rig.push(&[0.0, 0.0, 0.0, 0.0, 0.0, 1.5]);
        rig.go(1e-6);
        let twist = if holds { -1.5 } else { 0.0 };
        same(rig.all("held"), &[0.0, 0.0, 2.0 * GRAVITY, 0.0, 0.0, twist], 1e-4);
    }
}
