//! Bodies in space against what is known of them.

use cardan_models::multibody::{JointKind, Mechanism, Motion, Space};
use cardan_ode::Method;

use crate::rig::{Rig, body, fixed, hinge, joint, motion, point, seen};

/// A body alone, turning.
fn alone(inertia: [f64; 3], spin: [f64; 3]) -> Mechanism {
    let mut top = body("top", 2.0, inertia);
    top.position = Some([0.0; 3]);
    top.angular_velocity = Some(spin);
    top.velocity = Some([0.3, -0.1, 0.2]);
    Mechanism {
        space: Space::Space,
        bodies: vec![top],
        ports: vec![seen("frame", "top")],
        ..Mechanism::default()
    }
}

/// A symmetric top without torque: its axis goes round its angular momentum at `|L| / I1`, in closed form.
#[test]
fn a_symmetric_top_goes_round_its_momentum() {
    let (inertia, spin) = ([1.0, 1.0, 1.6], [0.4, 0.0, 5.0]);
    let momentum: [f64; 3] = [inertia[0] * spin[0], 0.0, inertia[2] * spin[2]];
    let size = (momentum[0] * momentum[0] + momentum[2] * momentum[2]).sqrt();
    let around: [f64; 3] = momentum.map(|part| part / size);
    let axis = |t: f64| {
        // Rodrigues' formula for the body's z axis, turned about the momentum.
        let (z, angle) = ([0.0, 0.0, 1.0], size / inertia[0] * t);
        let (sine, cosine) = angle.sin_cos();
        let along = around[2];
        let side = [around[1] * z[2], -around[0] * z[2], 0.0];
        [0, 1, 2].map(|i| z[i] * cosine + side[i] * sine + around[i] * along * (1.0 - cosine))
    };
    let error = |method: Method, step: f64| {
        let mut rig = Rig::new(&alone(inertia, spin), &fixed(method, step));
        rig.go(2.0);
        let frame = rig.all("frame");
        let (w, x, y, z) = (frame[3], frame[4], frame[5], frame[6]);
        let own = [
            2.0 * (x * z + w * y),
            2.0 * (y * z - w * x),
            1.0 - 2.0 * (x * x + y * y),
        ];
        let position = [0.6, -0.2, 0.4];
        assert!((0..3).all(|i| (frame[i] - position[i]).abs() < 1e-9), "{frame:?}");
        (0..3).map(|i| (own[i] - axis(2.0)[i]).abs()).fold(0.0, f64::max)
    };
    for (method, order) in [
        (Method::Trapezoidal, 2.0),
        (Method::GeneralizedAlpha, 2.0),
        (Method::Rattle, 4.0),
    ] {
        let errors = [0.02, 0.01].map(|step| error(method, step));
        let found = (errors[0] / errors[1]).log2();
        assert!(
            (found - order).abs() < 0.25,
            "{method}: {errors:?}, order {found}"
        );
    }
}

/// Three different moments: no closed form in functions at hand, but energy and momentum stay.
#[test]
fn a_tumbling_body_keeps_energy_and_momentum() {
    let (inertia, spin) = ([1.0, 2.0, 2.5], [0.1, 3.0, 0.1]);
    let mut rig = Rig::new(&alone(inertia, spin), &fixed(Method::Rattle, 2e-3));
    let momentum = |frame: &[f64]| {
        let q = [frame[3], frame[4], frame[5], frame[6]];
        let own =
            cardan_core::spatial::turned(cardan_core::spatial::back(q), [frame[10], frame[11], frame[12]]);
        cardan_core::spatial::turned(q, [0, 1, 2].map(|i| inertia[i] * own[i]))
    };
    let (before, energy) = (momentum(rig.all("frame")), rig.one("energy"));
    let mut upright = 1.0_f64;
    for step in 1..=100 {
        rig.go(f64::from(step) * 0.1);
        let now = momentum(rig.all("frame"));
        // RATTLE keeps momentum as it is and lets the energy swing with the fourth power of the step: (3 · 2e-3)⁴ ≈ 1e-9.
        for i in 0..3 {
            assert!((now[i] - before[i]).abs() < 1e-8 * 6.0, "{now:?} {before:?}");
        }
        assert!((rig.one("energy") / energy - 1.0).abs() < 1e-8);
        assert!(rig.one("residual") < 1e-12);
        let frame = rig.all("frame");
        upright = upright.min(1.0 - 2.0 * (frame[4] * frame[4] + frame[6] * frame[6]));
    }
    // It has tumbled: the middle axis does not stay.
    assert!(upright < -0.9, "{upright}");
}

/// Two shafts under an angle, joined by the joint that gave the project its name: `tan θ₂ = tan θ₁ cos β`.
#[test]
fn a_cardan_joint_turns_unevenly() {
    let bend = 0.5_f64;
    let mut first = body("first", 1.0, [0.1, 0.1, 0.1]);
    first.position = Some([0.0; 3]);
    let mut second = body("second", 1.0, [0.1, 0.1, 0.1]);
    // The second shaft is turned about y, so that its x axis is bent away.
    second.position = Some([0.0; 3]);
    second.orientation = Some([(0.5 * bend).cos(), 0.0, (0.5 * bend).sin(), 0.0]);
    let (sine, cosine) = bend.sin_cos();
    let turned_x = [cosine, 0.0, -sine];
    let mut input = joint(
        "input",
        JointKind::Revolute {
            axis: [1.0, 0.0, 0.0],
        },
        "ground",
        "first",
    );
    input.drive = Some(Motion {
        rate: 2.0,
        ..Motion::default()
    });
    let output = joint(
        "output",
        JointKind::Revolute { axis: turned_x },
        "ground",
        "second",
    );
    let cross = joint(
        "cross",
        JointKind::Universal {
            first: [0.0, 1.0, 0.0],
            second: [0.0, 0.0, 1.0],
        },
        "first",
        "second",
    );
    let mechanism = Mechanism {
        space: Space::Space,
        bodies: vec![first, second],
        joints: vec![input, output, cross],
        ports: vec![motion("in", "input"), motion("out", "output")],
        ..Mechanism::default()
    };
    for method in [Method::Trapezoidal, Method::Rattle] {
        let mut rig = Rig::new(&mechanism, &fixed(method, 1e-3));
        let mut furthest = 0.0_f64;
        for step in 1..=60 {
            let t = f64::from(step) * 0.05;
            rig.go(t);
            let (theta, out) = (2.0 * t, rig.one("out"));
            assert!(
                (rig.one("in") - theta).abs() < 1e-6,
                "{method}: {} {theta}",
                rig.one("in")
            );
            // The first fork lies in the axis of the bend at the start: a quarter turn later the joint is at its fastest.
            let expected = f64::atan2(theta.sin() * cosine, theta.cos());
            let gap = (out - expected).rem_euclid(std::f64::consts::TAU);
            furthest = furthest.max(gap.min(std::f64::consts::TAU - gap));
        }
        // Positions obey the constraints to the tolerance of 1e-7, times the slope of the angle, at most 1 / cos β.
        assert!(furthest < 1e-6, "{method}: {furthest:e}");
        // Turns are counted.
        assert!((rig.one("out") - 6.0).abs() < 0.3);
    }
}

/// A pendulum with its axis anywhere swings like one in a plane.
#[test]
fn a_hinge_in_space_is_one_in_a_plane() {
    let rod = |space: Space| {
        let mut rod = body("rod", 1.2, [0.01, 0.1, 0.1]);
        if space == Space::Plane {
            rod.inertia = Some([0.1, 0.0, 0.0, 0.0, 0.0, 0.0]);
        }
        rod.center = [0.5, 0.0, 0.0];
        rod.points = vec![point("foot", [0.0; 3])];
        rod
    };
    let pendulum = |space: Space, gravity: [f64; 3], axis: [f64; 3]| {
        let mut pivot = hinge("pivot", "ground", "rod.foot");
        pivot.kind = JointKind::Revolute { axis };
        pivot.speed = Some(1.0);
        Mechanism {
            space,
            gravity,
            bodies: vec![rod(space)],
            joints: vec![pivot],
            ports: vec![motion("angle", "pivot")],
            ..Mechanism::default()
        }
    };
    let mut plane = Rig::new(
        &pendulum(Space::Plane, [0.0, -9.81, 0.0], [0.0, 0.0, 1.0]),
        &fixed(Method::Rattle, 1e-3),
    );
    let mut space = Rig::new(
        &pendulum(Space::Space, [0.0, 0.0, -9.81], [0.0, -1.0, 0.0]),
        &fixed(Method::Rattle, 1e-3),
    );
    for step in 1..=20 {
        let t = f64::from(step) * 0.1;
        plane.go(t);
        space.go(t);
        // Both are wrong by the fourth power of the step, 1e-12 times what the motion changes in a second to that power.
        assert!(
            (plane.one("angle") - space.one("angle")).abs() < 1e-8,
            "{t}: {} {}",
            plane.one("angle"),
            space.one("angle")
        );
        assert!((plane.one("energy") - space.one("energy")).abs() < 1e-8);
    }
}

/// A force pushes along parabolas, a moment about a principal axis turns likewise, at the centre of mass and away from it.
#[test]
fn loads_push_and_turn() {
    let mut brick = body("brick", 2.0, [0.3, 0.4, 0.5]);
    brick.position = Some([0.0; 3]);
    brick.points = vec![point("corner", [0.0, 0.5, 0.0])];
    let mechanism = Mechanism {
        space: Space::Space,
        bodies: vec![brick],
        ports: vec![seen("middle", "brick"), seen("corner", "brick.corner")],
        ..Mechanism::default()
    };
    for method in [Method::Trapezoidal, Method::Rattle, Method::Dopri5] {
        let mut rig = Rig::new(&mechanism, &fixed(method, 1e-3));
        // A force along x at the centre and a moment about z; the opposite force at the corner would turn it more.
        let mut loads = [0.0; 12];
        (loads[0], loads[5]) = (4.0, 0.1);
        rig.push(&loads);
        rig.go(1.0);
        let frame = rig.all("middle").to_vec();
        // Both motions are parabolas, which all three methods hit but for the tolerance of their corrections, 1e-7 a step
        // in the worst case and far less in the mean.
        assert!((frame[0] - 1.0).abs() < 1e-5, "{method}: {frame:?}");
        assert!(
            (2.0 * frame[6].atan2(frame[3]) - 0.1).abs() < 1e-5,
            "{method}: {frame:?}"
        );
        assert!((frame[12] - 0.2).abs() < 1e-5, "{method}: {frame:?}");
        // The corner sees the same turn, half a metre along the body's y axis.
        let corner = rig.all("corner");
        assert!(
            (corner[0] - (1.0 - 0.5 * 0.1_f64.sin())).abs() < 1e-5,
            "{method}: {corner:?}"
        );
        assert!(
            (corner[7] - (2.0 - 0.5 * 0.2 * 0.1_f64.cos())).abs() < 1e-5,
            "{method}: {corner:?}"
        );
    }
}
