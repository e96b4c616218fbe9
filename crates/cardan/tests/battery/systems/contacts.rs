//! Masses that touch and let go.

use super::family;
use crate::system::System;
use cardan_testkit::reference::Hybrid;

family![
    ball_on_a_floor,
    ball_on_a_hertzian_floor,
    ball_on_a_hard_floor,
    hammer_on_a_floor,
];

const GRAVITY: f64 = 9.81;

/// What a floor at zero pushes back with; a little above it the law goes on, so that the reference is smooth there.
#[derive(Clone, Copy)]
struct Floor {
    stiffness: f64,
    exponent: f64,
    damping: f64,
}

impl Floor {
    fn force(self, position: f64, velocity: f64) -> f64 {
        let depth = -position;
        let push = self.stiffness * depth.abs().powf(self.exponent).copysign(depth);
        push * (1.0 - self.damping * velocity).max(0.0)
    }

    fn toml(self) -> String {
        format!(
            r#"floor = {{ model = "contact-spring", parameters = {{ stiffness = {:?}, exponent = {:?}, damping = {:?} }} }}"#,
            self.stiffness, self.exponent, self.damping
        )
    }
}

/// A mass that falls on a floor.
fn ball(mass: f64, height: f64, velocity: f64, floor: Floor) -> System {
    let text = format!(
        r#"
        ball = {{ model = "mass", parameters = {{ mass = {mass:?}, gravity = {GRAVITY}, position = {height:?}, velocity = {velocity:?} }} }}
        {}
        ball.position -> floor.position
        ball.velocity -> floor.velocity
        floor.force -> ball.force
        "#,
        floor.toml()
    );
    let reference = Hybrid::new(&[height, velocity], false, move |_, x, touching, dx| {
        let push = if *touching { floor.force(x[0], x[1]) } else { 0.0 };
        dx.copy_from_slice(&[x[1], push / mass - GRAVITY]);
    })
    .guards(|_, x, touching| vec![if *touching { -x[0] } else { x[0] }])
    .jumps(|_, _, _, touching| *touching = !*touching);
    System::new(&text, reference).observe(&["ball.position", "ball.velocity"])
}

fn ball_on_a_floor() -> System {
    let floor = Floor {
        stiffness: 1e4,
        exponent: 1.0,
        damping: 0.0,
    };
    ball(1.0, 0.5, 0.0, floor).until(2.0, 0.01)
}

fn ball_on_a_hertzian_floor() -> System {
    let floor = Floor {
        stiffness: 1e5,
        exponent: 1.5,
        damping: 0.2,
    };
    ball(1.0, 0.5, 0.0, floor).until(2.0, 0.01)
}

fn ball_on_a_hard_floor() -> System {
    let floor = Floor {
        stiffness: 1e7,
        exponent: 1.0,
        damping: 0.0,
    };
    ball(1.0, 0.5, 0.0, floor).until(2.0, 0.01)
}

/// Half a kilogram at 5 m/s on a floor that takes most of it.
fn hammer_on_a_floor() -> System {
    let floor = Floor {
        stiffness: 5e6,
        exponent: 1.5,
        damping: 0.4,
    };
    ball(0.5, 0.02, -5.0, floor).until(0.02, 1e-4)
}
