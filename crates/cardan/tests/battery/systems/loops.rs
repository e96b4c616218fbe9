//! Outputs that depend on each other at one instant, and couplings that are stiff or rigid.

use super::family;
use super::reference::{smooth, switched};
use crate::system::System;
use std::f64::consts::TAU;

family![
    loop_of_gain_three,
    loop_of_gain_a_half,
    loop_of_gain_minus_eight_tenths,
    loop_with_a_step,
    two_dampers_in_a_loop,
    blocks_with_direct_terms,
    rigid_pair_of_a_light_mass,
    rigid_pair_of_a_heavy_mass,
    rigid_pair_on_an_end_stop,
    stiff_spring_between_masses,
    stiff_spring_without_damping,
    stiff_chain_of_three,
];

/// A mass whose force is `f = drive + gain f`, by way of a sum, a gain and a sum; `force` is what that comes to.
fn looped(gain: f64, drive: &str) -> String {
    format!(
        r#"
        drive = {drive}
        first = {{ model = "sum", parameters = {{ gains = [1.0, 1.0] }} }}
        gain = {{ model = "gain", parameters = {{ k = {gain:?} }} }}
        second = {{ model = "sum", parameters = {{ gains = [1.0, -1.0] }} }}
        mass = {{ model = "mass-spring-damper", parameters = {{ mass = 2.0, stiffness = 50.0, damping = 1.0 }} }}
        drive.y -> first.u1
        second.y -> first.u2
        first.y -> gain.u
        gain.y -> second.u1
        mass.velocity -> second.u2
        first.y -> mass.force
        "#
    )
}

/// `first = drive + gain first - v`.
fn loop_of(gain: f64) -> System {
    let drive = r#"{ model = "sine", parameters = { amplitude = 4.0, frequency = 0.7 } }"#;
    let reference = smooth(&[0.0; 2], move |t, x, dx| {
        let force = (4.0 * (0.7 * TAU * t).sin() - x[1]) / (1.0 - gain);
        dx.copy_from_slice(&[x[1], (force - 50.0 * x[0] - x[1]) / 2.0]);
    });
    System::new(&looped(gain, drive), reference)
        .observe(&["mass.position", "mass.velocity"])
        .until(3.0, 0.02)
}

fn loop_of_gain_three() -> System {
    loop_of(3.0)
}

fn loop_of_gain_a_half() -> System {
    loop_of(0.5)
}

fn loop_of_gain_minus_eight_tenths() -> System {
    loop_of(-0.8)
}

/// The loop is driven by what jumps.
fn loop_with_a_step() -> System {
    let drive = r#"{ model = "step", parameters = { time = 0.777, after = 9.0 } }"#;
    let reference = super::reference::jumping(&[0.0; 2], &[0.777], &[9.0], |_, x, drive, dx| {
        let force = (drive - x[1]) / (1.0 - 0.5);
        dx.copy_from_slice(&[x[1], (force - 50.0 * x[0] - x[1]) / 2.0]);
    });
    System::new(&looped(0.5, drive), reference)
        .observe(&["mass.position", "mass.velocity"])
        .until(3.0, 0.02)
}

/// Two dampers in a row between a mass and the ground: the point between them has no mass, so its velocity follows at
/// once from a force that follows at once from it.
fn two_dampers_in_a_loop() -> System {
    let text = r#"
        mass = { model = "mass-spring-damper", parameters = { mass = 3.0, stiffness = 120.0, position = 0.2 } }
        first = { model = "spring-damper", parameters = { stiffness = 0.0, damping = 8.0 } }
        second = { model = "gain", parameters = { k = 0.0625 } }
        mass.position -> first.position_a
        mass.velocity -> first.velocity_a
        first.force_b -> second.u
        second.y -> first.velocity_b
        first.force_a -> mass.force
    "#;
    // 8 N s/m and 16 N s/m in a row.
    let reference = smooth(&[0.2, 0.0], |_, x, dx| {
        let force = -(8.0 * 16.0 / 24.0) * x[1];
        dx.copy_from_slice(&[x[1], (force - 120.0 * x[0]) / 3.0]);
    });
    System::new(text, reference)
        .observe(&["mass.position", "mass.velocity"])
        .until(3.0, 0.02)
}

/// x' = -3 x + u, y = x + 2 u and z' = -z + w, v = 2 z - 0.75 w, with u = drive + v and w = y: the gain around is -1.5.
fn blocks_with_direct_terms() -> System {
    let text = r#"
        drive = { model = "sine", parameters = { amplitude = 1.0, frequency = 0.5 } }
        sum = { model = "sum", parameters = { gains = [1.0, 1.0] } }
        one = { model = "state-space", parameters = { a = [-3.0], b = [1.0], c = [1.0], d = [2.0], x0 = [1.0] } }
        two = { model = "state-space", parameters = { a = [-1.0], b = [1.0], c = [2.0], d = [-0.75] } }
        watch_one = { model = "state-space", parameters = { a = [-5.0], b = [1.0], c = [1.0] } }
        watch_two = { model = "state-space", parameters = { a = [-4.0], b = [1.0], c = [1.0] } }
        drive.y -> sum.u1
        two.y -> sum.u2
        sum.y -> one.u
        one.y -> two.u
        one.y -> watch_one.u
        two.y -> watch_two.u
    "#;
    // u = drive + 2 z - 0.75 (x + 2 u).
    let reference = smooth(&[0.0, 0.0, 1.0, 0.0], |t, s, dx| {
        let (x, z) = (s[2], s[3]);
        let u = ((0.5 * TAU * t).sin() + 2.0 * z - 0.75 * x) / 2.5;
        let y = x + 2.0 * u;
        let v = 2.0 * z - 0.75 * y;
        dx.copy_from_slice(&[-5.0 * s[0] + y, -4.0 * s[1] + v, -3.0 * x + u, -z + y]);
    });
    System::new(text, reference)
        .observe(&["watch_one.y", "watch_two.y"])
        .until(4.0, 0.02)
}

/// A driven oscillator that carries another mass: one gives its motion, the other answers with a force.
fn rigid_pair(carried: f64, stop: f64) -> System {
    let text = format!(
        r#"
        drive = {{ model = "sine", parameters = {{ amplitude = 3.0, frequency = 0.6 }} }}
        carrier = {{ model = "mass-spring-damper", parameters = {{ mass = 1.0, stiffness = 30.0, damping = 0.5, position = 0.1 }} }}
        load = {{ model = "moved-mass", parameters = {{ mass = {carried:?}, stiffness = 20.0, damping = 0.2 }} }}
        stop = {{ model = "contact-spring", parameters = {{ stiffness = 1e4, floor = {stop:?} }} }}
        net = {{ model = "sum", parameters = {{ gains = [1.0, -1.0, 1.0] }} }}
        carrier.position -> load.position
        carrier.velocity -> load.velocity
        carrier.acceleration -> load.acceleration
        carrier.position -> stop.position
        drive.y -> net.u1
        load.force -> net.u2
        stop.force -> net.u3
        net.y -> carrier.force
        "#
    );
    let reference = switched(
        &[0.1, 0.0],
        move |t, x, free, dx| {
            let push = if free[0] { 0.0 } else { 1e4 * (stop - x[0]) };
            let force = 3.0 * (0.6 * TAU * t).sin() + push - 50.0 * x[0] - 0.7 * x[1];
            dx.copy_from_slice(&[x[1], force / (1.0 + carried)]);
        },
        move |_, x| vec![x[0] - stop],
    );
    System::new(&text, reference)
        .observe(&["carrier.position", "carrier.velocity"])
        .until(3.0, 0.02)
}

fn rigid_pair_of_a_light_mass() -> System {
    rigid_pair(0.3, -1e3)
}

fn rigid_pair_of_a_heavy_mass() -> System {
    rigid_pair(20.0, -1e3)
}

/// The loop at one instant is there, and a contact closes in it.
fn rigid_pair_on_an_end_stop() -> System {
    rigid_pair(4.0, -0.05)
}

/// Two masses, each on its own spring, with a coupling between them.
fn coupled(stiffness: f64, damping: f64) -> System {
    let text = format!(
        r#"
        one = {{ model = "mass-spring-damper", parameters = {{ mass = 1.0, stiffness = 100.0, damping = 0.1, position = 0.1 }} }}
        two = {{ model = "mass-spring-damper", parameters = {{ mass = 2.0, stiffness = 400.0, damping = 0.2, position = 0.1002 }} }}
        spring = {{ model = "spring-damper", parameters = {{ stiffness = {stiffness:?}, damping = {damping:?} }} }}
        one.position -> spring.position_a
        one.velocity -> spring.velocity_a
        two.position -> spring.position_b
        two.velocity -> spring.velocity_b
        spring.force_a -> one.force
        spring.force_b -> two.force
        "#
    );
    let reference = smooth(&[0.1, 0.0, 0.1002, 0.0], move |_, x, dx| {
        let force = stiffness * (x[2] - x[0]) + damping * (x[3] - x[1]);
        dx.copy_from_slice(&[
            x[1],
            force - 100.0 * x[0] - 0.1 * x[1],
            x[3],
            (-force - 400.0 * x[2] - 0.2 * x[3]) / 2.0,
        ]);
    });
    System::new(&text, reference).observe(&["one.position", "one.velocity", "two.position", "two.velocity"])
}

fn stiff_spring_between_masses() -> System {
    coupled(1e6, 200.0).until(1.0, 0.01)
}

/// Two hundred radians per tenth of a second, and nothing makes them fade.
fn stiff_spring_without_damping() -> System {
    coupled(1e6, 0.0).until(0.2, 0.002)
}

/// Grams on springs of 1e5 N/m beside a kilogram.
fn stiff_chain_of_three() -> System {
    let text = r#"
        one = { model = "mass", parameters = { mass = 1.0, velocity = 1.0 } }
        two = { model = "mass", parameters = { mass = 0.002 } }
        three = { model = "mass-spring-damper", parameters = { mass = 0.5, stiffness = 1e3, damping = 1.0 } }
        left = { model = "spring-damper", parameters = { stiffness = 1e5, damping = 5.0 } }
        right = { model = "spring-damper", parameters = { stiffness = 2e5, damping = 5.0 } }
        net = { model = "sum", parameters = { gains = [1.0, 1.0] } }
        one.position -> left.position_a
        one.velocity -> left.velocity_a
        two.position -> left.position_b
        two.velocity -> left.velocity_b
        two.position -> right.position_a
        two.velocity -> right.velocity_a
        three.position -> right.position_b
        three.velocity -> right.velocity_b
        left.force_a -> one.force
        left.force_b -> net.u1
        right.force_a -> net.u2
        net.y -> two.force
        right.force_b -> three.force
    "#;
    let reference = smooth(&[0.0, 1.0, 0.0, 0.0, 0.0, 0.0], |_, x, dx| {
        let left = 1e5 * (x[2] - x[0]) + 5.0 * (x[3] - x[1]);
        let right = 2e5 * (x[4] - x[2]) + 5.0 * (x[5] - x[3]);
        dx.copy_from_slice(&[
            x[1],
            left,
            x[3],
            (right - left) / 0.002,
            x[5],
            (-right - 1e3 * x[4] - x[5]) / 0.5,
        ]);
    });
    System::new(text, reference)
        .observe(&[
            "one.position",
            "one.velocity",
            "two.position",
            "two.velocity",
            "three.position",
            "three.velocity",
        ])
        .until(0.2, 0.002)
}
