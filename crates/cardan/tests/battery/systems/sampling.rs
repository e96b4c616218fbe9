//! Controllers that look at their plant once in a period.

use super::family;
use super::fmu::Fmu;
use super::reference::sampled;
use crate::system::System;
use cardan_testkit::fmus::Fmi;

family![
    sampled_speed_of_model_exchange,
    sampled_speed_of_model_exchange_fmi3,
    sampled_speed_with_event_mode,
    sampled_position_through_a_gain,
];

/// The speed of a mass with a damper, held at one metre per second.
fn speed(controller: Fmu) -> System {
    let text = format!(
        r#"
        {}
        mass = {{ model = "mass-spring-damper", parameters = {{ mass = 1.0, stiffness = 0.0, damping = 0.4 }} }}
        mass.velocity -> controller.u
        controller.y -> mass.force
        "#,
        controller
            .with("setpoint = 1.0, gain = 6.0, period = 0.13")
            .named("controller")
    );
    let reference = sampled(
        &[0.0; 2],
        0.13,
        2.0,
        |_, x| 6.0 * (1.0 - x[1]),
        |_, x, force, dx| dx.copy_from_slice(&[x[1], force - 0.4 * x[1]]),
    );
    System::new(&text, reference)
        .observe(&["mass.position", "mass.velocity"])
        .until(2.0, 0.01)
}

fn sampled_speed_of_model_exchange() -> System {
    speed(Fmu::exchange("sampler", Fmi::V2))
}

fn sampled_speed_of_model_exchange_fmi3() -> System {
    speed(Fmu::exchange("sampler", Fmi::V3))
}

fn sampled_speed_with_event_mode() -> System {
    speed(Fmu::steps("sampler", Fmi::V3))
}

/// What it says goes through a factor before it reaches the plant.
fn sampled_position_through_a_gain() -> System {
    let controller = Fmu::exchange("sampler", Fmi::V2).with("setpoint = 0.02, gain = 2.0, period = 0.05");
    let text = format!(
        r#"
        {}
        gain = {{ model = "gain", parameters = {{ k = 150.0 }} }}
        mass = {{ model = "mass-spring-damper", parameters = {{ mass = 3.0, stiffness = 100.0, damping = 30.0 }} }}
        mass.position -> controller.u
        controller.y -> gain.u
        gain.y -> mass.force
        "#,
        controller.named("controller")
    );
    let reference = sampled(
        &[0.0; 2],
        0.05,
        1.5,
        |_, x| 300.0 * (0.02 - x[0]),
        |_, x, force, dx| dx.copy_from_slice(&[x[1], (force - 100.0 * x[0] - 30.0 * x[1]) / 3.0]),
    );
    System::new(&text, reference)
        .observe(&["mass.position", "mass.velocity"])
        .until(1.5, 0.01)
}
