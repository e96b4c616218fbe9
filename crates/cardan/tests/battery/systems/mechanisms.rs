//! Mechanisms that hit stops, with other components at their joints.

use super::family;
use super::reference::switched;
use crate::system::System;

family![cart_with_a_stop, cart_on_a_contact_spring, pendulum_with_a_stop,];

/// A cart of 2 kg on a rail, pulled by a spring to a mass, in front of a stop of its own.
fn cart_with_a_stop() -> System {
    let text = r#"
        cart = { multibody = { space = "plane", gravity = [0.0, 0.0], bodies = { cart = { mass = 2.0, inertia = 0.1 } }, joints = { rail = { kind = "prismatic", between = ["ground.origin", "cart"], axis = [1.0, 0.0], speed = 1.0 } }, forces = { stop = { kind = "stop", joint = "rail", above = 0.05, stiffness = 1e5 } }, ports = { x = { kind = "motion", joint = "rail" }, pull = { kind = "effort", joint = "rail" } } } }
        mass = { model = "mass", parameters = { mass = 0.5 } }
        spring = { model = "spring-damper", parameters = { stiffness = 300.0, damping = 1.0 } }
        cart.x -> spring.position_a
        cart.x_speed -> spring.velocity_a
        mass.position -> spring.position_b
        mass.velocity -> spring.velocity_b
        spring.force_a -> cart.pull
        spring.force_b -> mass.force
    "#;
    let reference = switched(
        &[0.0, 1.0, 0.0, 0.0],
        |_, x, free, dx| {
            let stop = if free[0] { 0.0 } else { 1e5 * (x[0] - 0.05) };
            let pull = 300.0 * (x[2] - x[0]) + x[3] - x[1];
            dx.copy_from_slice(&[x[1], (pull - stop) / 2.0, x[3], -pull / 0.5]);
        },
        |_, x| vec![0.05 - x[0]],
    );
    System::new(text, reference)
        .observe(&["cart.x", "cart.x_speed", "mass.position", "mass.velocity"])
        .until(0.5, 0.005)
}

/// A weight that falls along a rail on a contact of the catalogue.
fn cart_on_a_contact_spring() -> System {
    let text = r#"
        weight = { multibody = { space = "plane", bodies = { weight = { mass = 3.0, inertia = 0.1 } }, joints = { rail = { kind = "prismatic", between = ["ground.origin", "weight"], axis = [0.0, 1.0], start = 0.1 } }, ports = { y = { kind = "motion", joint = "rail" }, push = { kind = "effort", joint = "rail" } } } }
        floor = { model = "contact-spring", parameters = { stiffness = 5e4, damping = 0.2 } }
        weight.y -> floor.position
        weight.y_speed -> floor.velocity
        floor.force -> weight.push
    "#;
    let reference = switched(
        &[0.1, 0.0],
        |_, x, above, dx| {
            let push = if above[0] {
                0.0
            } else {
                -5e4 * x[0] * (1.0 - 0.2 * x[1]).max(0.0)
            };
            dx.copy_from_slice(&[x[1], push / 3.0 - 9.81]);
        },
        |_, x| vec![x[0]],
    );
    System::new(text, reference)
        .observe(&["weight.y", "weight.y_speed"])
        .until(1.0, 0.01)
}

/// A rod of a metre and a kilogram that swings against a stop; a spring and a damper turn it back.
fn pendulum_with_a_stop() -> System {
    let text = r#"
        rod = { multibody = { space = "plane", bodies = { rod = { mass = 1.0, center = [0.5, 0.0], shape = { kind = "rod", length = 1.0 } } }, joints = { hinge = { kind = "revolute", between = ["ground.origin", "rod.origin"], start = 0.0 } }, forces = { stop = { kind = "stop", joint = "hinge", below = -1.2, stiffness = 2e4 } }, ports = { angle = { kind = "motion", joint = "hinge" }, torque = { kind = "effort", joint = "hinge" } } } }
        spring = { model = "sum", parameters = { gains = [-1.0, -0.1] } }
        rod.angle -> spring.u1
        rod.angle_speed -> spring.u2
        spring.y -> rod.torque
    "#;
    let reference = switched(
        &[0.0, 0.0],
        |_, x, free, dx| {
            let stop = if free[0] { 0.0 } else { 2e4 * (-1.2 - x[0]) };
            let torque = -0.5 * 9.81 * x[0].cos() - x[0] - 0.1 * x[1] + stop;
            dx.copy_from_slice(&[x[1], 3.0 * torque]);
        },
        |_, x| vec![x[0] + 1.2],
    );
    System::new(text, reference)
        .observe(&["rod.angle", "rod.angle_speed"])
        .until(2.0, 0.01)
}
