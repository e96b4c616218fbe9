//! Components that are Python classes, in processes of their own.

use super::family;
use super::reference::{sampled, smooth, switched};
use crate::system::System;
use cardan_testkit::reference::Hybrid;

family![
    python_thermostat,
    python_thermostat_without_rollback,
    python_thermostat_through_a_gain,
    python_thermostat_through_a_heater,
    python_thermostat_that_ends_early,
    python_controller,
    python_contact,
    python_mass,
];

const CLASSES: &str = r#"
import cardan


class Thermostat(cardan.Participant):
    """Looks at the end of a step."""

    temperature = cardan.Input()
    heat = cardan.Output(discrete=True)
    rollback = True

    def step(self, t, dt):
        now = self.read("temperature", t + dt)
        if now <= 14.0:
            self.heat = 1000.0
        elif now >= 16.0:
            self.heat = 0.0


class Forgetful(Thermostat):
    rollback = False


class Switch(cardan.Participant):
    """Says whether there is to be heat."""

    temperature = cardan.Input()
    on = cardan.Output(type="boolean")
    rollback = True

    def step(self, t, dt):
        now = self.read("temperature", t + dt)
        if now <= 14.0:
            self.on = True
        elif now >= 16.0:
            self.on = False


class Heater(cardan.Participant):
    """Answers at once."""

    on = cardan.Input(type="boolean")
    heat = cardan.Output(discrete=True, direct=["on"])
    rollback = True

    def outputs(self, t):
        self.heat = 1000.0 if self.on else 0.0


class Early(cardan.Participant):
    """Ends its step where it switches."""

    temperature = cardan.Input()
    heat = cardan.Output(discrete=True)
    rollback = True

    def step(self, t, dt):
        on = self.heat > 0.0
        beyond = lambda at: (self.read("temperature", at) - 16.0) * (1.0 if on else -1.0) - (0.0 if on else 2.0)
        if beyond(t + dt) <= 0.0:
            return
        before, after = t, t + dt
        for _ in range(60):
            middle = 0.5 * (before + after)
            before, after = (before, middle) if beyond(middle) > 0.0 else (middle, after)
        self.heat = 0.0 if on else 1000.0
        if after < t + dt:
            return cardan.Early(after)


class Controller(cardan.Participant):
    """Looks ten times a second, and holds its force in between."""

    speed = cardan.Input(unit="m/s")
    force = cardan.Output(unit="N", discrete=True, direct=True)
    period = 0.1
    rollback = True

    def outputs(self, t):
        self.force = 5.0 * (1.0 - self.speed)


class Contact(cardan.Participant):
    """A floor without mass."""

    position = cardan.Input(unit="m")
    force = cardan.Output(unit="N", direct=True)
    rollback = True

    def outputs(self, t):
        self.force = 1e4 * max(-self.position, 0.0)


class Mass(cardan.Participant):
    """Two kilograms: exact for forces that are polynomials of the fifth degree in a step."""

    force = cardan.Input(unit="N")
    position = cardan.Output(unit="m", start=0.1)
    velocity = cardan.Output(unit="m/s", start=0.0)
    rollback = True

    def initialize(self, start, stop):
        self.position, self.velocity = 0.1, 0.0

    def step(self, t, dt):
        forces = [(0.5 + 0.1 * place * 15.0**0.5, weight / 18.0) for place, weight in ((-1, 5), (0, 8), (1, 5))]
        kicks = [(part, weight * dt * self.read("force", t + part * dt) / 2.0) for part, weight in forces]
        self.position += dt * self.velocity + dt * sum((1.0 - part) * kick for part, kick in kicks)
        self.velocity += sum(kick for _, kick in kicks)
"#;

fn with_classes<M: Clone + 'static>(text: &str, reference: Hybrid<M>) -> System {
    System::new(text, reference).file("classes.py", CLASSES)
}

fn thermostat(class: &str) -> System {
    let text = format!(
        r#"
        thermostat = {{ python = "classes.py:{class}" }}
        room.y -> thermostat.temperature
        thermostat.heat -> room.u
        "#
    );
    heated(&text)
}

/// A room that is heated by something. It counts from the temperature outside.
fn heated(text: &str) -> System {
    let text = format!(
        r#"
        room = {{ model = "state-space", parameters = {{ a = [-0.005], b = [1e-4], c = [1.0], x0 = [15.0] }} }}
        {text}
        "#
    );
    let reference = Hybrid::new(&[15.0], false, |_, x, on, dx| {
        let heat = if *on { 1000.0 } else { 0.0 };
        dx[0] = 1e-4 * heat - 0.005 * x[0];
    })
    .guards(|_, x, on| vec![if *on { 16.0 - x[0] } else { x[0] - 14.0 }])
    .jumps(|_, _, _, on| *on = !*on);
    with_classes(&text, reference)
        .observe(&["room.y"])
        .until(100.0, 0.5)
}

fn python_thermostat() -> System {
    thermostat("Thermostat")
}

fn python_thermostat_without_rollback() -> System {
    thermostat("Forgetful")
}

/// What the thermostat does reaches the room through something that answers at once.
fn python_thermostat_through_a_gain() -> System {
    heated(
        r#"
        thermostat = { python = "classes.py:Thermostat" }
        half = { model = "gain", parameters = { k = 0.5 } }
        both = { model = "sum", parameters = { gains = [1.0, 1.0] } }
        room.y -> thermostat.temperature
        thermostat.heat -> half.u
        half.y -> both.u1
        half.y -> both.u2
        both.y -> room.u
        "#,
    )
}

/// The same for a Boolean.
fn python_thermostat_through_a_heater() -> System {
    heated(
        r#"
        thermostat = { python = "classes.py:Switch" }
        heater = { python = "classes.py:Heater" }
        room.y -> thermostat.temperature
        thermostat.on -> heater.on
        heater.heat -> room.u
        "#,
    )
}

fn python_thermostat_that_ends_early() -> System {
    thermostat("Early")
}

fn python_controller() -> System {
    let text = r#"
        controller = { python = "classes.py:Controller" }
        mass = { model = "mass-spring-damper", parameters = { mass = 1.0, stiffness = 0.0, damping = 0.4 } }
        mass.velocity -> controller.speed
        controller.force -> mass.force
    "#;
    let reference = sampled(
        &[0.0; 2],
        0.1,
        1.5,
        |_, x| 5.0 * (1.0 - x[1]),
        |_, x, force, dx| dx.copy_from_slice(&[x[1], force - 0.4 * x[1]]),
    );
    with_classes(text, reference)
        .observe(&["mass.position", "mass.velocity"])
        .until(1.5, 0.01)
}

fn python_contact() -> System {
    let text = r#"
        ball = { model = "mass", parameters = { mass = 1.0, gravity = 9.81, position = 0.05 } }
        floor = { python = "classes.py:Contact" }
        ball.position -> floor.position
        floor.force -> ball.force
    "#;
    let reference = switched(
        &[0.05, 0.0],
        |_, x, above, dx| {
            let push = if above[0] { 0.0 } else { -1e4 * x[0] };
            dx.copy_from_slice(&[x[1], push - 9.81]);
        },
        |_, x| vec![x[0]],
    );
    with_classes(text, reference)
        .observe(&["ball.position", "ball.velocity"])
        .until(0.5, 0.005)
}

fn python_mass() -> System {
    let text = r#"
        mass = { python = "classes.py:Mass" }
        spring = { model = "spring-damper", parameters = { stiffness = 150.0, damping = 3.0 } }
        mass.position -> spring.position_a
        mass.velocity -> spring.velocity_a
        spring.force_a -> mass.force
    "#;
    let reference = smooth(&[0.1, 0.0], |_, x, dx| {
        dx.copy_from_slice(&[x[1], (-150.0 * x[0] - 3.0 * x[1]) / 2.0]);
    });
    with_classes(text, reference)
        .observe(&["mass.position", "mass.velocity"])
        .until(1.0, 0.01)
}
