//! A room and its thermostat, as FMUs of all kinds.

use super::family;
use super::fmu::Fmu;
use crate::system::System;
use cardan_testkit::fmus::Fmi;
use cardan_testkit::reference::Hybrid;

family![
    thermostat_of_model_exchange,
    thermostat_of_model_exchange_fmi3,
    thermostat_and_room_of_model_exchange,
    thermostat_and_room_for_an_hour,
    thermostat_that_steps_for_long,
    thermostat_with_a_boolean,
    thermostat_with_an_integer,
    thermostat_with_an_enumeration,
    thermostat_that_steps,
    thermostat_that_steps_with_a_boolean,
    thermostat_that_steps_with_an_integer,
    thermostat_that_steps_with_an_enumeration,
    thermostat_with_event_mode,
    thermostat_without_state,
    thermostat_without_state_with_a_boolean,
    relay_and_servo,
    relay_and_servo_fmi3,
];

/// 1000 W on below 19 °C and off above 21 °C; 10 kJ/K, 50 W/K to 5 °C, from 20 °C.
fn heated(thermostat: &Fmu, room: &Fmu, switch: &str) -> System {
    let text = format!(
        "{}{}room.temperature -> thermostat.temperature\nthermostat.{switch} -> room.{switch}",
        thermostat.named("thermostat"),
        room.named("room")
    );
    let reference = Hybrid::new(&[20.0], false, |_, x, on, dx| {
        let heat = if *on { 1000.0 } else { 0.0 };
        dx[0] = (heat - 50.0 * (x[0] - 5.0)) / 1e4;
    })
    .guards(|_, x, on| vec![if *on { 21.0 - x[0] } else { x[0] - 19.0 }])
    .jumps(|_, _, _, on| *on = !*on);
    System::new(&text, reference)
        .observe(&["room.temperature"])
        .until(200.0, 0.5)
}

fn thermostat_of_model_exchange() -> System {
    heated(
        &Fmu::exchange("thermostat", Fmi::V2),
        &Fmu::steps("room", Fmi::V2),
        "heat",
    )
}

fn thermostat_of_model_exchange_fmi3() -> System {
    heated(
        &Fmu::exchange("thermostat", Fmi::V3),
        &Fmu::steps("room", Fmi::V3),
        "heat",
    )
}

fn thermostat_and_room_of_model_exchange() -> System {
    heated(
        &Fmu::exchange("thermostat", Fmi::V3),
        &Fmu::exchange("room", Fmi::V3),
        "heat",
    )
}

/// More than a hundred switches: some of them fall within rounding of the end of a step.
fn thermostat_and_room_for_an_hour() -> System {
    heated(
        &Fmu::exchange("thermostat", Fmi::V2),
        &Fmu::exchange("room", Fmi::V2),
        "on",
    )
    .until(3600.0, 9.0)
}

fn thermostat_that_steps_for_long() -> System {
    heated(
        &Fmu::steps("thermostat", Fmi::V2),
        &Fmu::exchange("room", Fmi::V2),
        "heat",
    )
    .until(1200.0, 3.0)
}

fn thermostat_with_a_boolean() -> System {
    heated(
        &Fmu::exchange("thermostat", Fmi::V2),
        &Fmu::exchange("room", Fmi::V2),
        "on",
    )
}

fn thermostat_with_an_integer() -> System {
    heated(
        &Fmu::exchange("thermostat", Fmi::V2),
        &Fmu::steps("room", Fmi::V3),
        "level",
    )
}

fn thermostat_with_an_enumeration() -> System {
    heated(
        &Fmu::exchange("thermostat", Fmi::V3),
        &Fmu::steps("room", Fmi::V3),
        "mode",
    )
}

fn thermostat_that_steps() -> System {
    heated(
        &Fmu::steps("thermostat", Fmi::V2),
        &Fmu::steps("room", Fmi::V2),
        "heat",
    )
}

fn thermostat_that_steps_with_a_boolean() -> System {
    heated(
        &Fmu::steps("thermostat", Fmi::V2),
        &Fmu::steps("room", Fmi::V2),
        "on",
    )
}

fn thermostat_that_steps_with_an_integer() -> System {
    heated(
        &Fmu::steps("thermostat", Fmi::V2),
        &Fmu::exchange("room", Fmi::V2),
        "level",
    )
}

fn thermostat_that_steps_with_an_enumeration() -> System {
    heated(
        &Fmu::steps("thermostat", Fmi::V2),
        &Fmu::steps("room", Fmi::V2),
        "mode",
    )
}

/// In FMI 3 it tells that it has an event at the end of a step, and switches in the event.
fn thermostat_with_event_mode() -> System {
    heated(
        &Fmu::steps("thermostat", Fmi::V3),
        &Fmu::steps("room", Fmi::V3),
        "on",
    )
}

fn thermostat_without_state() -> System {
    heated(
        &Fmu::without_state("thermostat", Fmi::V2),
        &Fmu::steps("room", Fmi::V2),
        "heat",
    )
}

fn thermostat_without_state_with_a_boolean() -> System {
    heated(
        &Fmu::without_state("thermostat", Fmi::V2),
        &Fmu::steps("room", Fmi::V2),
        "on",
    )
}

/// A motor that a relay turns to and fro about zero: half a newton to either side, and a play of a tenth.
fn servo(relay: Fmu) -> System {
    let relay = relay.with("low = -0.1, high = 0.1, power = 1.0");
    let text = format!(
        r#"
        {}
        half = {{ model = "constant", parameters = {{ value = 0.5 }} }}
        net = {{ model = "sum", parameters = {{ gains = [1.0, -1.0] }} }}
        motor = {{ model = "state-space", parameters = {{ a = [0.0, 1.0, 0.0, -1.0], b = [0.0, 1.0], c = [1.0, 0.0], x0 = [0.3, 0.0] }} }}
        motor.y -> relay.temperature
        relay.heat -> net.u1
        half.y -> net.u2
        net.y -> motor.u
        "#,
        relay.named("relay")
    );
    let reference = Hybrid::new(&[0.3, 0.0], false, |_, x, on, dx| {
        let force = if *on { 0.5 } else { -0.5 };
        dx.copy_from_slice(&[x[1], force - x[1]]);
    })
    .guards(|_, x, on| vec![if *on { 0.1 - x[0] } else { x[0] + 0.1 }])
    .jumps(|_, _, _, on| *on = !*on);
    System::new(&text, reference)
        .observe(&["motor.y"])
        .until(12.0, 0.05)
}

fn relay_and_servo() -> System {
    servo(Fmu::exchange("thermostat", Fmi::V2))
}

fn relay_and_servo_fmi3() -> System {
    servo(Fmu::exchange("thermostat", Fmi::V3))
}
