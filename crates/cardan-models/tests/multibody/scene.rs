//! Bodies as outputs for whoever draws a mechanism.

use cardan_core::interface::{Causality, Interface};
use cardan_core::participant::{Participant, Settings};
use cardan_models::Native;
use cardan_models::multibody::{
    Body, JointKind, Mechanism, Motion, Place, PortKind, PortOf, Space, scene_port,
};
use cardan_ode::Method;

use crate::plane::rod;
use crate::rig::{Rig, at, body, fixed, hinge, joint, motion, seen};

/// Two rods in a plane, the first driven at 3 rad/s from an angle of 0.5.
fn driven() -> Mechanism {
    let mut shoulder = hinge("shoulder", "ground", "upper.a");
    shoulder.drive = Some(Motion {
        offset: 0.5,
        rate: 3.0,
        ..Motion::default()
    });
    let mut lower = rod("lower", 0.4);
    lower.position = Some([0.3, 0.0, 0.0]);
    Mechanism {
        space: Space::Plane,
        gravity: [0.0, -9.81, 0.0],
        bodies: vec![rod("upper", 0.3), lower],
        joints: vec![shoulder, hinge("elbow", "upper.b", "lower.a")],
        ports: vec![motion("angle", "elbow"), seen("port", "lower")],
        ..Mechanism::default()
    }
}

/// A body that turns every way about a ball joint at a point of it, with its centre of mass elsewhere.
fn top() -> Mechanism {
    let mut top = body("top", 2.0, [0.2, 0.5, 0.6]);
    top.center = [0.5, 0.1, -0.2];
    top.points = vec![crate::rig::point("ball", [0.0, 0.0, 0.4])];
    top.angular_velocity = Some([1.0, -2.0, 3.0]);
    Mechanism {
        gravity: [0.0, 0.0, -9.81],
        bodies: vec![top],
        joints: vec![joint("ball", JointKind::Spherical, "ground", "top.ball")],
        ports: vec![seen("port", "top")],
        ..Mechanism::default()
    }
}

fn drawn(mechanism: Mechanism) -> Mechanism {
    Mechanism {
        scene: true,
        ..mechanism
    }
}

fn interface(mechanism: &Mechanism) -> Interface {
    let blueprint = mechanism.blueprint("mechanism").expect("builds");
    let settings = fixed(Method::Trapezoidal, 1e-3);
    let native = Native::new(blueprint, &Settings::default(), &settings).expect("builds");
    native.interface().clone()
}

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

#[test]
fn a_body_is_the_frame_at_its_origin() {
    for (mechanism, body) in [(driven(), "lower"), (top(), "top")] {
        let mut rig = Rig::new(&drawn(mechanism), &fixed(Method::Trapezoidal, 1e-3));
        let start = rig.all("port").to_vec();
        rig.go(0.3);
        let (port, scene) = (rig.all("port"), rig.all(&scene_port(body)));
        assert!(same_bits(port, scene), "{body}: {port:?} {scene:?}");
        assert_eq!(scene.len(), 13);
        assert!(!same_bits(&start, scene), "{body} does not move");
    }
}

#[test]
fn a_driven_body_is_where_its_drive_says() {
    let mut rig = Rig::new(&drawn(driven()), &fixed(Method::Trapezoidal, 1e-3));
    rig.go(0.7);
    let angle = 0.5 + 3.0 * 0.7_f64;
    let half = 0.5 * angle;
    // Constraints hold to the tolerance of the corrections, 1e-7.
    let close = |found: &[f64], exact: &[f64]| {
        for (found, exact) in found.iter().zip(exact) {
            assert!((found - exact).abs() < 1e-6, "{found} {exact}");
        }
    };
    close(
        &rig.all("scene.upper")[..7],
        &[0.0, 0.0, 0.0, half.cos(), 0.0, 0.0, half.sin()],
    );
    close(
        &rig.all("scene.lower")[..3],
        &[0.3 * angle.cos(), 0.3 * angle.sin(), 0.0],
    );
}

#[test]
fn a_particle_has_a_position_where_its_mass_is() {
    for (space, width) in [(Space::Plane, 2), (Space::Space, 3)] {
        let bob = Body {
            name: "bob".to_owned(),
            mass: 2.0,
            center: [0.25, 0.0, 0.0],
            position: Some([0.75, 0.0, 0.0]),
            ..Body::default()
        };
        let mechanism = Mechanism {
            space,
            gravity: [0.0, -9.81, 0.0],
            bodies: vec![bob],
            joints: vec![joint(
                "rope",
                JointKind::Distance { length: Some(1.0) },
                "ground",
                "bob.center",
            )],
            ports: vec![PortOf {
                name: "port".to_owned(),
                kind: PortKind::Point { at: at("bob.center") },
            }],
            scene: true,
            ..Mechanism::default()
        };
        let mut rig = Rig::new(&mechanism, &fixed(Method::Trapezoidal, 1e-3));
        rig.go(0.2);
        let bob = rig.all("scene.bob");
        assert!(same_bits(rig.all("port"), bob));
        assert_eq!(bob.len(), width);
        assert!(bob[1] < -0.1, "it falls: {bob:?}");
        let length = bob.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!((length - 1.0).abs() < 1e-6, "{length}");
    }
}

#[test]
fn a_scene_adds_outputs_and_changes_nothing() {
    let (plain, with) = (interface(&top()), interface(&drawn(top())));
    let names = |interface: &Interface, causality| -> Vec<String> {
        let ports = interface.ports_of(causality);
        ports.map(|(_, port)| port.name.clone()).collect()
    };
    assert_eq!(names(&plain, Causality::Output), ["port", "energy"]);
    assert_eq!(names(&with, Causality::Output), ["port", "scene.top", "energy"]);
    for causality in [Causality::Input, Causality::Local] {
        assert_eq!(names(&plain, causality), names(&with, causality));
    }
    let settings = fixed(Method::Trapezoidal, 1e-3);
    let mut rigs = [top(), drawn(top())].map(|mechanism| Rig::new(&mechanism, &settings));
    rigs.iter_mut().for_each(|rig| rig.go(0.5));
    assert!(same_bits(rigs[0].all("port"), rigs[1].all("port")));
}

#[test]
fn its_names_are_its_own() {
    for name in ["scene", "scene.lower"] {
        let mut mechanism = driven();
        mechanism.ports.push(seen(name, "upper"));
        assert!(mechanism.blueprint("mechanism").is_ok());
        let mistake = drawn(mechanism).blueprint("mechanism").err().expect("a mistake");
        assert_eq!(mistake.place, Place::Port(name.to_owned()));
        assert!(mistake.message.contains("scene"), "{mistake}");
    }
    // Where no port is described, joints make some.
    let mut mechanism = driven();
    mechanism.ports.clear();
    mechanism.joints[1].name = "scene".to_owned();
    let mistake = drawn(mechanism).blueprint("mechanism").err().expect("a mistake");
    assert_eq!(mistake.place, Place::Joint("scene".to_owned()));
}
