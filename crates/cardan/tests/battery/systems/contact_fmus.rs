//! Contacts where one side of them, or all of it, is an FMU.

use super::family;
use super::fmu::Fmu;
use super::reference::switched;
use crate::system::System;
use cardan_testkit::fmus::Fmi;
use cardan_testkit::reference::Hybrid;

family![
    ball_on_a_floor_that_steps,
    ball_on_a_floor_that_steps_fmi3,
    ball_on_a_floor_of_model_exchange,
    ball_on_a_floor_without_state,
    ball_that_steps_on_a_floor,
    ball_of_model_exchange_on_a_floor,
    ball_and_floor_in_one,
    ball_and_floor_in_one_fmi3,
    bounces_that_drive_an_oscillator,
    bounces_with_event_mode,
];

/// A kilogram, or what an FMU has for it, from 0.2 m on 10 kN/m that take a part of it.
fn drop(ball: &str, floor: &str) -> System {
    let text = format!(
        r#"
        {ball}
        {floor}
        ball.position -> floor.position
        ball.velocity -> floor.velocity
        "#
    );
    let reference = switched(
        &[0.2, 0.0],
        |_, x, above, dx| {
            let push = if above[0] {
                0.0
            } else {
                -1e4 * x[0] * (1.0 - 0.1 * x[1]).max(0.0)
            };
            dx.copy_from_slice(&[x[1], push - 9.81]);
        },
        |_, x| vec![x[0]],
    );
    System::new(&text, reference)
        .observe(&["ball.position", "ball.velocity"])
        .until(1.0, 0.005)
}

const BALL: &str = r#"
    ball = { model = "mass", parameters = { mass = 1.0, gravity = 9.81, position = 0.2 } }
    floor.force -> ball.force
"#;

fn on_a_floor(floor: Fmu) -> System {
    drop(BALL, &floor.with("stiffness = 1e4, damping = 0.1").named("floor"))
}

fn ball_on_a_floor_that_steps() -> System {
    on_a_floor(Fmu::steps("contact", Fmi::V2))
}

fn ball_on_a_floor_that_steps_fmi3() -> System {
    on_a_floor(Fmu::steps("contact", Fmi::V3))
}

fn ball_on_a_floor_of_model_exchange() -> System {
    on_a_floor(Fmu::exchange("contact", Fmi::V2))
}

fn ball_on_a_floor_without_state() -> System {
    on_a_floor(Fmu::without_state("contact", Fmi::V3))
}

/// The ball is an FMU, which knows nothing of gravity: its weight is a force.
fn ball_of(fmu: Fmu) -> System {
    let ball = format!(
        r#"
        {}
        weight = {{ model = "constant", parameters = {{ value = -9.81 }} }}
        net = {{ model = "sum" }}
        weight.y -> net.u1
        floor.force -> net.u2
        net.y -> ball.force
        "#,
        fmu.with("m = 1.0, d = 0.0, k = 0.0, x0 = 0.2, inner_step = 1e-5")
            .named("ball")
    );
    drop(
        &ball,
        r#"floor = { model = "contact-spring", parameters = { stiffness = 1e4, damping = 0.1 } }"#,
    )
}

fn ball_that_steps_on_a_floor() -> System {
    ball_of(Fmu::steps("driven-mass", Fmi::V2))
}

fn ball_of_model_exchange_on_a_floor() -> System {
    ball_of(Fmu::exchange("driven-mass", Fmi::V3))
}

/// Ball and contact are one FMU; the plate that it falls on is another component.
fn on_a_plate(ball: Fmu) -> System {
    let ball = ball.with("mass = 0.2, stiffness = 2e4, h0 = 0.1");
    let text = format!(
        r#"
        {}
        plate = {{ model = "mass-spring-damper", parameters = {{ mass = 5.0, stiffness = 5e4, damping = 40.0 }} }}
        down = {{ model = "gain", parameters = {{ k = -1.0 }} }}
        plate.position -> ball.floor
        ball.force -> down.u
        down.y -> plate.force
        "#,
        ball.named("ball")
    );
    let reference = switched(
        &[0.1, 0.0, 0.0, 0.0],
        |_, x, above, dx| {
            let push = if above[0] { 0.0 } else { 2e4 * (x[2] - x[0]) };
            dx.copy_from_slice(&[
                x[1],
                push / 0.2 - 9.81,
                x[3],
                (-push - 5e4 * x[2] - 40.0 * x[3]) / 5.0,
            ]);
        },
        |_, x| vec![x[0] - x[2]],
    )
    .sizes(&[0.1, 1.0, 1e-3, 0.1]);
    System::new(&text, reference)
        .observe(&["ball.height", "ball.velocity", "plate.position", "plate.velocity"])
        .until(0.6, 0.004)
}

fn ball_and_floor_in_one() -> System {
    on_a_plate(Fmu::steps("dropped-ball", Fmi::V2))
}

fn ball_and_floor_in_one_fmi3() -> System {
    on_a_plate(Fmu::steps("dropped-ball", Fmi::V3))
}

/// The height of a ball that bounces on a hard floor, as a force.
fn bounces(ball: Fmu) -> System {
    let text = format!(
        r#"
        {}
        gain = {{ model = "gain", parameters = {{ k = 100.0 }} }}
        mass = {{ model = "mass-spring-damper", parameters = {{ mass = 1.0, stiffness = 400.0, damping = 2.0 }} }}
        ball.h -> gain.u
        gain.y -> mass.force
        "#,
        ball.named("ball")
    );
    let reference = Hybrid::new(&[0.0, 0.0, 1.0, 0.0], (), |_, x, (), dx| {
        dx.copy_from_slice(&[x[1], 100.0 * x[2] - 400.0 * x[0] - 2.0 * x[1], x[3], -9.81]);
    })
    .guards(|_, x, ()| vec![if x[3] < 0.0 { x[2] } else { 1.0 }])
    .jumps(|_, _, x, ()| {
        x[2] = 0.0;
        x[3] *= -0.7;
    });
    System::new(&text, reference)
        .observe(&["mass.position", "mass.velocity", "ball.h"])
        .until(1.5, 0.01)
}

fn bounces_that_drive_an_oscillator() -> System {
    bounces(Fmu::exchange("bouncing-ball", Fmi::V2))
}

fn bounces_with_event_mode() -> System {
    bounces(Fmu::steps("bouncing-ball", Fmi::V3))
}
