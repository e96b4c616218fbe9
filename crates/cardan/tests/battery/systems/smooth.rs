//! Systems in which nothing jumps or bends, of all sizes.

use super::family;
use super::reference::smooth;
use crate::system::System;
use std::f64::consts::TAU;

family![
    two_masses,
    quarter_car,
    quarter_car_in_waves,
    tiny_amplitude,
    temperatures_near_room,
    huge_offset,
    slow_and_fast,
    ring_of_three,
    ring_of_four_masses,
    chain_without_a_loop,
    chain_that_starts_at_rest,
    hardening_spring,
];

/// The two masses of the literature, with the coupling in one of them.
fn two_masses() -> System {
    let text = r#"
        one = { model = "mass-spring-damper", parameters = { mass = 1.0, stiffness = 100.0, damping = 0.1, position = 0.1 } }
        two = { model = "coupled-mass", parameters = { mass = 2.0, stiffness = 400.0, damping = 0.2, coupling_stiffness = 1e3, coupling_damping = 2.0, position = 0.2 } }
        one.position -> two.other_position
        one.velocity -> two.other_velocity
        two.force -> one.force
    "#;
    let reference = smooth(&[0.1, 0.0, 0.2, 0.0], |_, x, dx| {
        let force = 1e3 * (x[2] - x[0]) + 2.0 * (x[3] - x[1]);
        dx.copy_from_slice(&[
            x[1],
            force - 100.0 * x[0] - 0.1 * x[1],
            x[3],
            (-force - 400.0 * x[2] - 0.2 * x[3]) / 2.0,
        ]);
    });
    System::new(text, reference)
        .observe(&["one.position", "one.velocity", "two.position", "two.velocity"])
        .until(3.0, 0.02)
}

/// 400 kg and 40 kg, on 15 kN/m with 1 kN s/m and a tyre of 150 kN/m.
fn car(road: &str, height: impl Fn(f64) -> f64 + 'static) -> System {
    let text = format!(
        r#"
        road = {road}
        chassis = {{ model = "quarter-car-chassis", parameters = {{ mass = 400.0, stiffness = 15e3, damping = 1e3 }} }}
        wheel = {{ model = "quarter-car-wheel", parameters = {{ mass = 40.0, tyre_stiffness = 150e3 }} }}
        road.y -> wheel.road
        wheel.velocity -> chassis.wheel_velocity
        chassis.force -> wheel.force
        "#
    );
    let reference = smooth(&[0.0; 4], move |t, x, dx| {
        let force = 15e3 * (x[2] - x[0]) + 1e3 * (x[3] - x[1]);
        dx.copy_from_slice(&[
            x[1],
            force / 400.0,
            x[3],
            (150e3 * (height(t) - x[2]) - force) / 40.0,
        ]);
    });
    System::new(&text, reference)
        .observe(&[
            "chassis.position",
            "chassis.velocity",
            "wheel.position",
            "wheel.velocity",
        ])
        .until(2.0, 0.01)
}

fn quarter_car() -> System {
    car("{ model = \"constant\", parameters = { value = 0.1 } }", |_| 0.1)
}

fn quarter_car_in_waves() -> System {
    let road = "{ model = \"sine\", parameters = { amplitude = 0.02, frequency = 3.0 } }";
    car(road, |t| 0.02 * (3.0 * TAU * t).sin())
}

/// Nanometres, and nobody says so.
fn tiny_amplitude() -> System {
    let text = r#"
        one = { model = "mass-spring-damper", parameters = { mass = 1.0, stiffness = 100.0, damping = 0.1, position = 1e-9 } }
        two = { model = "mass-spring-damper", parameters = { mass = 2.0, stiffness = 400.0, damping = 0.2 } }
        spring = { model = "spring-damper", parameters = { stiffness = 500.0, damping = 1.0 } }
        one.position -> spring.position_a
        one.velocity -> spring.velocity_a
        two.position -> spring.position_b
        two.velocity -> spring.velocity_b
        spring.force_a -> one.force
        spring.force_b -> two.force
    "#;
    let reference = smooth(&[1e-9, 0.0, 0.0, 0.0], |_, x, dx| {
        let force = 500.0 * (x[2] - x[0]) + x[3] - x[1];
        dx.copy_from_slice(&[
            x[1],
            force - 100.0 * x[0] - 0.1 * x[1],
            x[3],
            (-force - 400.0 * x[2] - 0.2 * x[3]) / 2.0,
        ]);
    });
    System::new(text, reference)
        .observe(&["one.position", "one.velocity", "two.position", "two.velocity"])
        .until(2.0, 0.01)
}

/// Two rooms about 293 K that differ by a kelvin: what happens is a three-hundredth of the numbers.
fn temperatures_near_room() -> System {
    let text = r#"
        outside = { model = "sine", parameters = { offset = 293.0, amplitude = 1.0, frequency = 0.001 } }
        one = { model = "state-space", parameters = { a = [-0.03], b = [0.01, 0.02], c = [1.0], x0 = [294.0] } }
        two = { model = "state-space", parameters = { a = [-0.05], b = [0.05], c = [1.0], x0 = [292.0] } }
        outside.y -> one.u[1]
        two.y -> one.u[2]
        one.y -> two.u
    "#;
    // Above 293 K, so that the reference does not lose digits.
    let reference = smooth(&[1.0, -1.0], |t, x, dx| {
        let outside = (0.001 * TAU * t).sin();
        dx.copy_from_slice(&[-0.03 * x[0] + 0.01 * outside + 0.02 * x[1], 0.05 * (x[0] - x[1])]);
    });
    System::new(text, reference)
        .observe(&["one.y", "two.y"])
        .above(293.0)
        .until(600.0, 5.0)
}

/// Two masses a thousand kilometres away that swing by centimetres.
fn huge_offset() -> System {
    let text = r#"
        one = { model = "mass", parameters = { mass = 1.0, position = 1000000.03 } }
        two = { model = "mass", parameters = { mass = 2.0, position = 1000001.0 } }
        spring = { model = "spring-damper", parameters = { stiffness = 300.0, damping = 2.0, length = -1.0 } }
        one.position -> spring.position_a
        one.velocity -> spring.velocity_a
        two.position -> spring.position_b
        two.velocity -> spring.velocity_b
        spring.force_a -> one.force
        spring.force_b -> two.force
    "#;
    // Numbers of a million have ten digits after the point, so the start is that of the numbers, not of the text.
    let start = 1_000_000.03 - 1e6;
    let reference = smooth(&[start, 0.0, 1.0, 0.0], |_, x, dx| {
        let force = 300.0 * (x[2] - x[0] - 1.0) + 2.0 * (x[3] - x[1]);
        dx.copy_from_slice(&[x[1], force, x[3], -force / 2.0]);
    });
    System::new(text, reference)
        .observe(&["one.position", "one.velocity", "two.position", "two.velocity"])
        .above_in("position", 1e6)
        .until(2.0, 0.01)
}

/// A millisecond beside ten seconds.
fn slow_and_fast() -> System {
    let text = r#"
        slow = { model = "state-space", parameters = { a = [-0.1], b = [0.1], c = [1.0], x0 = [1.0] } }
        fast = { model = "state-space", parameters = { a = [-1000.0], b = [-3000.0], c = [1.0] } }
        slow.y -> fast.u
        fast.y -> slow.u
    "#;
    let reference = smooth(&[1.0, 0.0], |_, x, dx| {
        dx.copy_from_slice(&[0.1 * (x[1] - x[0]), -1000.0 * x[1] - 3000.0 * x[0]]);
    });
    System::new(text, reference)
        .observe(&["slow.y", "fast.y"])
        .until(2.0, 0.01)
}

/// Each of three lags drives the next one; together they swing.
fn ring_of_three() -> System {
    let text = r#"
        one = { model = "state-space", parameters = { a = [-1.0], b = [2.0], c = [1.0], x0 = [1.0] } }
        two = { model = "state-space", parameters = { a = [-2.0], b = [3.0], c = [1.0] } }
        three = { model = "state-space", parameters = { a = [-0.5], b = [-1.0], c = [1.0] } }
        one.y -> two.u
        two.y -> three.u
        three.y -> one.u
    "#;
    let reference = smooth(&[1.0, 0.0, 0.0], |_, x, dx| {
        dx.copy_from_slice(&[-x[0] + 2.0 * x[2], -2.0 * x[1] + 3.0 * x[0], -0.5 * x[2] - x[1]]);
    });
    System::new(text, reference)
        .observe(&["one.y", "two.y", "three.y"])
        .until(5.0, 0.05)
}

/// Four masses in a ring, with a spring between neighbours.
fn ring_of_four_masses() -> System {
    let mut text = String::new();
    for i in 0..4 {
        let (next, before) = ((i + 1) % 4, (i + 3) % 4);
        let start = [0.01, 0.0, -0.02, 0.0][i];
        text += &format!(
            r#"
            m{i} = {{ model = "mass-spring-damper", parameters = {{ mass = {:?}, stiffness = 50.0, damping = 0.3, position = {start:?} }} }}
            s{i} = {{ model = "spring-damper", parameters = {{ stiffness = 800.0, damping = 0.5 }} }}
            net{i} = {{ model = "sum" }}
            m{i}.position -> s{i}.position_a
            m{i}.velocity -> s{i}.velocity_a
            m{next}.position -> s{i}.position_b
            m{next}.velocity -> s{i}.velocity_b
            s{i}.force_a -> net{i}.u1
            s{before}.force_b -> net{i}.u2
            net{i}.y -> m{i}.force
            "#,
            1.0 + 0.5 * i as f64,
        );
    }
    let start = [0.01, 0.0, 0.0, 0.0, -0.02, 0.0, 0.0, 0.0];
    let reference = smooth(&start, |_, x, dx| {
        for i in 0..4 {
            let (next, before) = ((i + 1) % 4, (i + 3) % 4);
            let pull =
                |other: usize| 800.0 * (x[2 * other] - x[2 * i]) + 0.5 * (x[2 * other + 1] - x[2 * i + 1]);
            let force = pull(next) + pull(before) - 50.0 * x[2 * i] - 0.3 * x[2 * i + 1];
            dx[2 * i] = x[2 * i + 1];
            dx[2 * i + 1] = force / (1.0 + 0.5 * i as f64);
        }
    });
    System::new(&text, reference)
        .observe(&[
            "m0.position",
            "m0.velocity",
            "m1.position",
            "m1.velocity",
            "m2.position",
            "m2.velocity",
            "m3.position",
            "m3.velocity",
        ])
        .until(1.5, 0.01)
}

/// A sine through a lag into a mass into another lag.
fn chain_without_a_loop() -> System {
    let text = r#"
        source = { model = "sine", parameters = { amplitude = 10.0, frequency = 1.5, phase = 0.4 } }
        lag = { model = "transfer-function", parameters = { numerator = [1.0], denominator = [0.05, 1.0] } }
        gain = { model = "gain", parameters = { k = 4.0 } }
        mass = { model = "mass-spring-damper", parameters = { mass = 1.0, stiffness = 400.0, damping = 2.0 } }
        after = { model = "state-space", parameters = { a = [-20.0], b = [20.0], c = [1.0] } }
        source.y -> lag.u
        lag.y -> gain.u
        gain.y -> mass.force
        mass.velocity -> after.u
    "#;
    // The lag 1/(0.05 s + 1) with its output as state.
    let reference = smooth(&[0.0; 4], |t, x, dx| {
        let source = 10.0 * (1.5 * TAU * t + 0.4).sin();
        dx.copy_from_slice(&[
            x[1],
            4.0 * x[3] - 400.0 * x[0] - 2.0 * x[1],
            20.0 * (x[1] - x[2]),
            (source - x[3]) / 0.05,
        ]);
    });
    System::new(text, reference)
        .observe(&["mass.position", "mass.velocity", "after.y"])
        .until(2.0, 0.01)
}

/// For a long while next to nothing happens: what a signal has been says little of what it will be.
fn chain_that_starts_at_rest() -> System {
    let text = r#"
        source = { model = "sine", parameters = { amplitude = 1e-3, frequency = 0.8 } }
        one = { model = "state-space", parameters = { a = [1.0], b = [1.0], c = [1.0] } }
        two = { model = "state-space", parameters = { a = [0.5], b = [1.0], c = [1.0] } }
        three = { model = "state-space", parameters = { a = [-1.0], b = [1.0], c = [1.0] } }
        source.y -> one.u
        one.y -> two.u
        two.y -> three.u
    "#;
    let reference = smooth(&[0.0; 3], |t, x, dx| {
        dx.copy_from_slice(&[
            x[0] + 1e-3 * (0.8 * TAU * t).sin(),
            0.5 * x[1] + x[0],
            x[1] - x[2],
        ]);
    });
    System::new(text, reference)
        .observe(&["one.y", "two.y", "three.y"])
        .until(8.0, 0.05)
}

/// Kilonewtons by the cube of the way.
fn hardening_spring() -> System {
    let text = r#"
        mass = { model = "mass", parameters = { mass = 0.4, position = 0.08 } }
        spring = { model = "nonlinear-spring", parameters = { stiffness = 200.0, cubic_stiffness = 3e5, damping = 0.5 } }
        mass.position -> spring.position
        mass.velocity -> spring.velocity
        spring.force -> mass.force
    "#;
    let reference = smooth(&[0.08, 0.0], |_, x, dx| {
        let force = -200.0 * x[0] - 3e5 * x[0].powi(3) - 0.5 * x[1];
        dx.copy_from_slice(&[x[1], force / 0.4]);
    });
    System::new(text, reference)
        .observe(&["mass.position", "mass.velocity"])
        .until(1.0, 0.005)
}
