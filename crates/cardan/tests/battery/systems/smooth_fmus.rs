//! Smooth systems of FMUs: what coupling them costs where nothing happens.

use super::family;
use super::fmu::Fmu;
use super::reference::{jumping, smooth};
use crate::system::System;
use cardan_testkit::fmus::Fmi;
use std::f64::consts::TAU;

family![
    two_masses_that_step,
    two_masses_of_model_exchange,
    mass_without_state,
    mass_that_holds_its_force,
    gain_that_steps_in_a_loop,
    room_in_the_sun,
    room_with_a_controller,
];

/// Two driven masses, each on its own spring, with a spring of the catalogue between them.
fn on_a_spring(one: Fmu, two: Fmu) -> System {
    let text = format!(
        r#"
        {}
        {}
        spring = {{ model = "spring-damper", parameters = {{ stiffness = 300.0, damping = 0.5 }} }}
        one.position -> spring.position_a
        one.velocity -> spring.velocity_a
        two.position -> spring.position_b
        two.velocity -> spring.velocity_b
        spring.force_a -> one.force
        spring.force_b -> two.force
        "#,
        one.with("m = 1.0, d = 0.1, k = 100.0, x0 = 0.1, inner_step = 1e-4")
            .named("one"),
        two.with("m = 2.0, d = 0.2, k = 400.0, inner_step = 1e-4")
            .named("two")
    );
    let reference = smooth(&[0.1, 0.0, 0.0, 0.0], |_, x, dx| {
        let force = 300.0 * (x[2] - x[0]) + 0.5 * (x[3] - x[1]);
        dx.copy_from_slice(&[
            x[1],
            force - 100.0 * x[0] - 0.1 * x[1],
            x[3],
            (-force - 400.0 * x[2] - 0.2 * x[3]) / 2.0,
        ]);
    });
    System::new(&text, reference)
        .observe(&["one.position", "one.velocity", "two.position", "two.velocity"])
        .until(2.0, 0.02)
}

fn two_masses_that_step() -> System {
    on_a_spring(
        Fmu::steps("driven-mass", Fmi::V2),
        Fmu::steps("driven-mass", Fmi::V3),
    )
}

fn two_masses_of_model_exchange() -> System {
    on_a_spring(
        Fmu::exchange("driven-mass", Fmi::V3),
        Fmu::exchange("driven-mass", Fmi::V2),
    )
}

/// One of them cannot go back.
fn mass_without_state() -> System {
    on_a_spring(
        Fmu::without_state("driven-mass", Fmi::V2),
        Fmu::steps("driven-mass", Fmi::V3),
    )
}

/// One of them can do nothing that is optional, not even steps of different lengths.
fn mass_that_holds_its_force() -> System {
    on_a_spring(
        Fmu::steps("held-mass", Fmi::V2),
        Fmu::exchange("driven-mass", Fmi::V3),
    )
}

/// `first = drive - 0.8 first - v`, with an FMU as the gain.
fn gain_that_steps_in_a_loop() -> System {
    let text = format!(
        r#"
        {}
        drive = {{ model = "step", parameters = {{ time = 0.345, after = 9.0 }} }}
        first = {{ model = "sum", parameters = {{ gains = [1.0, 1.0, -1.0] }} }}
        mass = {{ model = "mass-spring-damper", parameters = {{ mass = 2.0, stiffness = 50.0, damping = 1.0 }} }}
        drive.y -> first.u1
        gain.y -> first.u2
        mass.velocity -> first.u3
        first.y -> gain.u
        first.y -> mass.force
        "#,
        Fmu::steps("gain", Fmi::V3).with("a = -0.8").named("gain")
    );
    let reference = jumping(&[0.0; 2], &[0.345], &[9.0], |_, x, drive, dx| {
        let force = (drive - x[1]) / 1.8;
        dx.copy_from_slice(&[x[1], (force - 50.0 * x[0] - x[1]) / 2.0]);
    });
    System::new(&text, reference)
        .observe(&["mass.position", "mass.velocity"])
        .until(2.0, 0.02)
}

/// 400 W with the period of some minutes, and a wall that lags behind the room.
fn room_in_the_sun() -> System {
    let text = format!(
        r#"
        {}
        sun = {{ model = "sine", parameters = {{ amplitude = 400.0, frequency = 0.01, offset = 400.0 }} }}
        wall = {{ model = "state-space", parameters = {{ a = [-0.02], b = [0.02], c = [1.0], x0 = [20.0] }} }}
        sun.y -> room.heat
        room.temperature -> wall.u
        "#,
        Fmu::steps("room", Fmi::V2).named("room")
    );
    let reference = smooth(&[20.0, 20.0], |t, x, dx| {
        let sun = 400.0 + 400.0 * (0.01 * TAU * t).sin();
        dx.copy_from_slice(&[(sun - 50.0 * (x[0] - 5.0)) / 1e4, 0.02 * (x[0] - x[1])]);
    });
    System::new(&text, reference)
        .observe(&["room.temperature", "wall.y"])
        .until(300.0, 2.0)
}

/// A room of Model Exchange that is to have 22 °C.
fn room_with_a_controller() -> System {
    let text = format!(
        r#"
        {}
        wanted = {{ model = "constant", parameters = {{ value = 22.0 }} }}
        pid = {{ model = "pid", parameters = {{ kp = 300.0, ki = 5.0 }} }}
        wanted.y -> pid.setpoint
        room.temperature -> pid.measurement
        pid.y -> room.heat
        "#,
        Fmu::exchange("room", Fmi::V3).named("room")
    );
    let reference = smooth(&[20.0, 0.0], |_, x, dx| {
        let error = 22.0 - x[0];
        let heat = 300.0 * error + x[1];
        dx.copy_from_slice(&[(heat - 50.0 * (x[0] - 5.0)) / 1e4, 5.0 * error]);
    });
    System::new(&text, reference)
        .observe(&["room.temperature"])
        .until(300.0, 2.0)
}
