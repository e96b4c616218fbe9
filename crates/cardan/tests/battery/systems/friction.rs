//! Blocks with dry friction, which stick and slide, and gears with play: FMUs that keep to what they did before.

use super::family;
use super::fmu::Fmu;
use crate::system::System;
use cardan_testkit::fmus::Fmi;
use cardan_testkit::reference::Hybrid;
use std::f64::consts::TAU;

family![
    block_on_a_belt,
    block_on_a_belt_fmi3,
    block_on_a_belt_that_steps,
    block_on_a_belt_that_steps_fmi3,
    driven_block_that_sticks,
    driven_block_that_sticks_and_steps,
    pushed_block_that_steps,
    backlash_that_steps,
    backlash_that_steps_fmi3,
];

/// A block of 1 kg: the force that it takes to move it, and what it feels when it slides.
#[derive(Clone, Copy)]
struct Friction {
    sticking: f64,
    sliding: f64,
    belt: f64,
}

impl Friction {
    fn parameters(self, position: f64) -> String {
        format!(
            "mass = 1.0, sticking = {:?}, sliding = {:?}, belt = {:?}, x0 = {position:?}, \
             inner_step = 1e-5",
            self.sticking, self.sliding, self.belt
        )
    }

    /// Position and velocity under a force; the mode is the direction of sliding, zero while it sticks.
    fn reference(self, position: f64, force: impl Fn(f64, &[f64]) -> f64 + Clone + 'static) -> Hybrid<i32> {
        let (on_guard, on_jump) = (force.clone(), force.clone());
        let start = (0.0 - self.belt)
            .partial_cmp(&0.0)
            .map_or(0, |order| order as i32);
        Hybrid::new(&[position, 0.0], start, move |t, x, direction, dx| {
            dx[0] = x[1];
            dx[1] = match direction {
                0 => 0.0,
                direction => force(t, x) - f64::from(*direction) * self.sliding,
            };
        })
        .guards(move |t, x, direction| {
            vec![match direction {
                0 => self.sticking - on_guard(t, x).abs(),
                direction => f64::from(*direction) * (x[1] - self.belt),
            }]
        })
        .jumps(move |_, t, x, direction| {
            let force = on_jump(t, x);
            if *direction != 0 {
                x[1] = self.belt;
            }
            // At rest against the belt: it goes where the force is too large.
            let moves = force.abs() >= self.sticking;
            *direction = if moves { force.signum() as i32 } else { 0 };
        })
    }
}

/// On a spring to the ground, and taken along by a belt.
fn on_a_belt(block: Fmu) -> System {
    let friction = Friction {
        sticking: 15.0,
        sliding: 10.0,
        belt: 0.1,
    };
    let text = format!(
        r#"
        {}
        spring = {{ model = "spring-damper", parameters = {{ stiffness = 100.0 }} }}
        block.position -> spring.position_a
        block.velocity -> spring.velocity_a
        spring.force_a -> block.force
        "#,
        block.with(&friction.parameters(0.02)).named("block")
    );
    System::new(&text, friction.reference(0.02, |_, x| -100.0 * x[0]))
        .observe(&["block.position", "block.velocity"])
        .until(3.0, 0.02)
}

fn block_on_a_belt() -> System {
    on_a_belt(Fmu::exchange("sliding-block", Fmi::V2))
}

fn block_on_a_belt_fmi3() -> System {
    on_a_belt(Fmu::exchange("sliding-block", Fmi::V3))
}

fn block_on_a_belt_that_steps() -> System {
    on_a_belt(Fmu::steps("sliding-block", Fmi::V2))
}

fn block_on_a_belt_that_steps_fmi3() -> System {
    on_a_belt(Fmu::steps("sliding-block", Fmi::V3))
}

/// On a spring, driven by a sine: it sticks where it turns round.
fn driven(block: Fmu) -> System {
    let friction = Friction {
        sticking: 5.0,
        sliding: 4.0,
        belt: 0.0,
    };
    let text = format!(
        r#"
        {}
        drive = {{ model = "sine", parameters = {{ amplitude = 12.0, frequency = 1.0 }} }}
        net = {{ model = "sum", parameters = {{ gains = [1.0, -40.0] }} }}
        drive.y -> net.u1
        block.position -> net.u2
        net.y -> block.force
        "#,
        block.with(&friction.parameters(0.05)).named("block")
    );
    let force = |t: f64, x: &[f64]| 12.0 * (TAU * t).sin() - 40.0 * x[0];
    System::new(&text, friction.reference(0.05, force))
        .observe(&["block.position", "block.velocity"])
        .until(2.0, 0.01)
}

fn driven_block_that_sticks() -> System {
    driven(Fmu::exchange("sliding-block", Fmi::V3))
}

fn driven_block_that_sticks_and_steps() -> System {
    driven(Fmu::steps("sliding-block", Fmi::V2))
}

/// Nothing goes back from the block to what pushes it, so only its own outputs tell when it began to slide.
fn pushed_block_that_steps() -> System {
    let friction = Friction {
        sticking: 8.0,
        sliding: 5.0,
        belt: 0.0,
    };
    let block = Fmu::steps("sliding-block", Fmi::V2).with(&friction.parameters(0.0));
    let text = format!(
        r#"
        {}
        push = {{ model = "sine", parameters = {{ amplitude = 4.0, frequency = 3.0 }} }}
        gain = {{ model = "gain", parameters = {{ k = 3.0 }} }}
        push.y -> gain.u
        gain.y -> block.force
        "#,
        block.named("block")
    );
    let force = |t: f64, _: &[f64]| 12.0 * (3.0 * TAU * t).sin();
    System::new(&text, friction.reference(0.0, force))
        .observe(&["block.position", "block.velocity"])
        .until(1.05, 0.00525)
}

/// What the motor's gear lets through pulls the load, and the load holds the motor back.
fn backlash(gear: Fmu) -> System {
    const PLAY: f64 = 0.05;
    let text = format!(
        r#"
        {}
        drive = {{ model = "sine", parameters = {{ amplitude = 20.0, frequency = 0.8 }} }}
        net = {{ model = "sum", parameters = {{ gains = [1.0, -30.0] }} }}
        motor = {{ model = "mass-spring-damper", parameters = {{ mass = 1.0, stiffness = 50.0, damping = 2.0 }} }}
        shaft = {{ model = "sum", parameters = {{ gains = [200.0, -200.0] }} }}
        load = {{ model = "mass-spring-damper", parameters = {{ mass = 0.5, stiffness = 10.0, damping = 1.0 }} }}
        drive.y -> net.u1
        load.position -> net.u2
        net.y -> motor.force
        motor.position -> gear.u
        gear.y -> shaft.u1
        load.position -> shaft.u2
        shaft.y -> load.force
        "#,
        gear.with(&format!("play = {PLAY}, inner_step = 1e-5"))
            .named("gear")
    );
    // Motor, load, and the gear's output, which follows the motor on one side, on the other, or on none.
    let reference = Hybrid::new(&[0.0; 5], 0, |t, x, side: &i32, dx| {
        let drive = 20.0 * (0.8 * TAU * t).sin() - 30.0 * x[2];
        dx.copy_from_slice(&[
            x[1],
            drive - 50.0 * x[0] - 2.0 * x[1],
            x[3],
            (200.0 * (x[4] - x[2]) - 10.0 * x[2] - x[3]) / 0.5,
            if *side == 0 { 0.0 } else { x[1] },
        ]);
    })
    .guards(|_, x, side| match side {
        // Against the direction in which it goes no side can be met, not even by rounding where it has just left.
        0 if x[1] > 0.0 => vec![x[4] + PLAY - x[0], 1.0],
        0 => vec![1.0, x[0] + PLAY - x[4]],
        side => vec![f64::from(*side) * x[1]],
    })
    .jumps(|place, _, _, side| {
        *side = match (*side, place) {
            (0, 0) => 1,
            (0, _) => -1,
            _ => 0,
        };
    });
    System::new(&text, reference)
        .observe(&[
            "motor.position",
            "motor.velocity",
            "load.position",
            "load.velocity",
            "gear.y",
        ])
        .until(2.5, 0.02)
}

fn backlash_that_steps() -> System {
    backlash(Fmu::steps("backlash", Fmi::V2))
}

fn backlash_that_steps_fmi3() -> System {
    backlash(Fmu::steps("backlash", Fmi::V3))
}
