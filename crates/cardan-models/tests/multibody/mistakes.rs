//! What cannot be built is refused with a place and a word on what to do.

use cardan_models::multibody::{
    Body, Force, ForceKind, JointKind, Mechanism, Mistake, Place, PortKind, PortOf, Space,
};

use crate::plane::rod;
use crate::rig::{at, body, hinge, joint, motion};

/// A pendulum that is fine.
fn pendulum() -> Mechanism {
    Mechanism {
        space: Space::Plane,
        gravity: [0.0, -9.81, 0.0],
        bodies: vec![rod("rod", 1.0)],
        joints: vec![hinge("pivot", "ground", "rod.a")],
        ..Mechanism::default()
    }
}

fn refused(spoil: impl FnOnce(&mut Mechanism)) -> Mistake {
    let mut mechanism = pendulum();
    spoil(&mut mechanism);
    mechanism.blueprint("mechanism").err().expect("a mistake")
}

fn body_of(name: &str) -> Place {
    Place::Body(name.to_owned())
}

fn joint_of(name: &str) -> Place {
    Place::Joint(name.to_owned())
}

#[test]
fn the_pendulum_itself_is_fine() {
    assert!(pendulum().blueprint("pendulum").is_ok());
}

#[test]
fn names_that_nobody_has() {
    let mistake = refused(|m| m.joints[0].between[1] = at("rod.c"));
    assert_eq!(mistake.place, joint_of("pivot"));
    assert_eq!(mistake.message, "there is no point c of body rod");
    assert_eq!(mistake.advice.as_deref(), Some("known are a, b, origin, center"));
    let mistake = refused(|m| m.joints[0].between[0] = at("sky"));
    assert_eq!(mistake.message, "there is no body sky");
    let mistake = refused(|m| m.ports.push(motion("angle", "knee")));
    assert_eq!(mistake.place, Place::Port("angle".to_owned()));
    assert_eq!(mistake.advice.as_deref(), Some("known are pivot"));
}

#[test]
fn bodies_that_are_none() {
    let mistake = refused(|m| m.bodies[0].mass = -1.0);
    assert_eq!(
        (mistake.place, &*mistake.message),
        (body_of("rod"), "mass = -1 is not the mass of a body")
    );
    let mistake = refused(|m| m.bodies[0].shape = None);
    assert_eq!(mistake.place, body_of("rod"));
    assert!(mistake.message.contains("no inertia"), "{mistake}");
    let mistake = refused(|m| m.bodies.push(rod("rod", 2.0)));
    assert!(mistake.message.contains("taken"), "{mistake}");
    let mistake = refused(|m| m.bodies.clear());
    assert_eq!(
        (mistake.place, &*mistake.message),
        (Place::Whole, "there is no body in it")
    );
    // Nothing holds it, and nothing resists.
    let mistake = refused(|m| {
        m.bodies.push(Body {
            name: "ghost".to_owned(),
            ..Body::default()
        })
    });
    assert_eq!(
        (mistake.place, &*mistake.message),
        (body_of("ghost"), "has no mass, and nothing holds it")
    );
    // In space no moment exceeds the sum of the others.
    let flat = Mechanism {
        bodies: vec![body("disc", 1.0, [1.0, 1.0, 3.0])],
        ..Mechanism::default()
    };
    let mistake = flat.blueprint("disc").err().expect("a mistake");
    assert!(mistake.message.contains("not that of a rigid body"), "{mistake}");
}

/// A thin rod in a ball joint turns about itself, and nothing resists.
#[test]
fn a_rod_that_spins_for_nothing() {
    let rod = Mechanism {
        space: Space::Space,
        bodies: vec![rod("rod", 1.0)],
        joints: vec![joint("ball", JointKind::Spherical, "ground", "rod.a")],
        ..Mechanism::default()
    };
    let mistake = rod.blueprint("rod").err().expect("a mistake");
    assert!(mistake.message.contains("without inertia"), "{mistake}");
}

#[test]
fn joints_that_cannot_be() {
    let mistake = refused(|m| m.joints[0].between = [at("rod.a"), at("rod.b")]);
    assert_eq!(
        (mistake.place, &*mistake.message),
        (joint_of("pivot"), "joins rod with itself")
    );
    let mistake = refused(|m| m.joints[0].kind = JointKind::Spherical);
    assert!(mistake.message.contains("needs space"), "{mistake}");
    let mistake = refused(|m| m.joints[0].kind = JointKind::Prismatic { axis: [0.0; 3] });
    assert!(mistake.message.contains("has no direction"), "{mistake}");
    let mistake = refused(|m| m.joints[0].kind = JointKind::Distance { length: Some(0.0) });
    assert!(mistake.message.contains("holds nothing apart"), "{mistake}");
    let mistake = refused(|m| {
        m.joints[0].kind = JointKind::Fixed;
        m.joints[0].speed = Some(1.0);
    });
    assert!(mistake.message.contains("could be given a start"), "{mistake}");
    // Both ends of a rod nailed to one point.
    let mistake = refused(|m| m.joints.push(hinge("other", "ground", "rod.b")));
    assert_eq!(mistake.place, body_of("rod"));
    assert!(mistake.message.contains("become one"), "{mistake}");
}

#[test]
fn starts_that_contradict_each_other() {
    // A rod of one metre does not reach three.
    let mistake = refused(|m| {
        m.joints.push(joint(
            "rope",
            JointKind::Distance { length: Some(3.0) },
            "ground",
            "rod.b",
        ))
    });
    assert!(
        [joint_of("rope"), body_of("rod")].contains(&mistake.place),
        "{mistake}"
    );
    assert!(mistake.message.contains("missed by"), "{mistake}");
    // Two nails, and a speed.
    let mistake = refused(|m| {
        m.ground.push(crate::rig::point("far", [1.0, 0.0, 0.0]));
        m.joints.push(hinge("other", "ground.far", "rod.b"));
        m.joints[0].speed = Some(1.0);
    });
    assert!(mistake.message.contains("velocities"), "{mistake}");
}

#[test]
fn forces_and_ports_that_cannot_be() {
    let spring = |stiffness: f64| Force {
        name: "spring".to_owned(),
        kind: ForceKind::Spring {
            between: [at("ground"), at("rod.b")],
            stiffness,
            damping: 0.0,
            length: None,
        },
    };
    let mistake = refused(|m| m.forces.push(spring(-1.0)));
    assert_eq!(mistake.place, Place::Force("spring".to_owned()));
    let mistake = refused(|m| {
        let kind = ForceKind::Spring {
            between: [at("ground"), at("ground")],
            stiffness: 1.0,
            damping: 0.0,
            length: Some(0.0),
        };
        m.forces.push(Force {
            name: "idle".to_owned(),
            kind,
        });
    });
    assert!(mistake.message.contains("do not move"), "{mistake}");
    let mistake = refused(|m| {
        m.joints[0].kind = JointKind::Fixed;
        m.ports.push(PortOf {
            name: "torque".to_owned(),
            kind: PortKind::Effort {
                joint: "pivot".to_owned(),
            },
        });
    });
    assert!(mistake.message.contains("has no angle"), "{mistake}");
}
