//! Masses that touch and let go.

use super::family;
use super::reference::switched;
use crate::system::System;

family![
    ball_on_a_floor,
    ball_on_a_hertzian_floor,
    ball_on_a_hard_floor,
    ball_on_a_high_floor,
    ball_on_a_driven_floor,
    ball_on_a_plate,
    grain_on_a_floor,
    hammer_on_a_floor,
    pile_on_rock,
    two_masses_colliding,
    two_masses_colliding_hard,
    three_balls_in_a_row,
    oscillator_between_end_stops,
    gear_with_backlash,
];

const GRAVITY: f64 = 9.81;

/// What pushes back at some depth; the law goes on outside, so that the reference is smooth a little beyond the contact.
#[derive(Clone, Copy)]
struct Floor {
    stiffness: f64,
    exponent: f64,
    damping: f64,
}

impl Floor {
    fn elastic(stiffness: f64) -> Self {
        Floor {
            stiffness,
            exponent: 1.0,
            damping: 0.0,
        }
    }

    /// The force at a depth, where `touching`; `leaving` is the velocity outwards.
    fn force(self, touching: bool, depth: f64, leaving: f64) -> f64 {
        if !touching {
            return 0.0;
        }
        let push = self.stiffness * depth.abs().powf(self.exponent).copysign(depth);
        push * (1.0 - self.damping * leaving).max(0.0)
    }

    fn toml(self, name: &str, position: f64) -> String {
        format!(
            "{name} = {{ model = \"contact-spring\", parameters = {{ stiffness = {:?}, exponent = {:?}, damping = {:?}, \
             floor = {position:?} }} }}",
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
        floor.toml("floor", 0.0)
    );
    let reference = switched(
        &[height, velocity],
        move |_, x, above, dx| {
            let push = floor.force(!above[0], -x[0], x[1]);
            dx.copy_from_slice(&[x[1], push / mass - GRAVITY]);
        },
        |_, x| vec![x[0]],
    );
    System::new(&text, reference).observe(&["ball.position", "ball.velocity"])
}

fn ball_on_a_floor() -> System {
    ball(1.0, 0.5, 0.0, Floor::elastic(1e4)).until(2.0, 0.01)
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
    ball(1.0, 0.5, 0.0, Floor::elastic(1e7)).until(2.0, 0.01)
}

/// A hundred metres above where positions are counted from, which costs them three digits.
fn ball_on_a_high_floor() -> System {
    let text = format!(
        r#"
        ball = {{ model = "mass", parameters = {{ mass = 1.0, gravity = {GRAVITY}, position = 100.5 }} }}
        {}
        ball.position -> floor.position
        ball.velocity -> floor.velocity
        floor.force -> ball.force
        "#,
        Floor::elastic(1e4).toml("floor", 100.0)
    );
    let reference = switched(
        &[0.5, 0.0],
        |_, x, above, dx| {
            let push = if above[0] { 0.0 } else { -1e4 * x[0] };
            dx.copy_from_slice(&[x[1], push - GRAVITY]);
        },
        |_, x| vec![x[0]],
    );
    System::new(&text, reference)
        .observe(&["ball.position", "ball.velocity"])
        .above_in("position", 100.0)
        .until(1.5, 0.01)
}

/// A milligram that falls a tenth of a millimetre.
fn grain_on_a_floor() -> System {
    ball(1e-6, 1e-4, 0.0, Floor::elastic(0.5)).until(0.04, 2e-4)
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

/// Twenty tonnes at 8 m/s.
fn pile_on_rock() -> System {
    let floor = Floor {
        stiffness: 5e9,
        exponent: 1.0,
        damping: 0.05,
    };
    ball(2e4, 0.05, -8.0, floor).until(0.03, 1e-4)
}

/// The floor swings by 2 mm, ten times a second.
fn ball_on_a_driven_floor() -> System {
    let floor = Floor {
        stiffness: 1e5,
        exponent: 1.0,
        damping: 0.3,
    };
    let text = format!(
        r#"
        drive = {{ model = "sine", parameters = {{ amplitude = 0.002, frequency = 10.0 }} }}
        ball = {{ model = "mass", parameters = {{ mass = 0.3, gravity = {GRAVITY}, position = 0.05 }} }}
        gap = {{ model = "sum", parameters = {{ gains = [1.0, -1.0] }} }}
        {}
        ball.position -> gap.u1
        drive.y -> gap.u2
        gap.y -> floor.position
        ball.velocity -> floor.velocity
        floor.force -> ball.force
        "#,
        floor.toml("floor", 0.0)
    );
    let drive = |t: f64| 0.002 * (20.0 * std::f64::consts::PI * t).sin();
    let reference = switched(
        &[0.05, 0.0],
        move |t, x, above, dx| {
            // The damping is told of the ball's velocity alone.
            let push = floor.force(!above[0], drive(t) - x[0], x[1]);
            dx.copy_from_slice(&[x[1], push / 0.3 - GRAVITY]);
        },
        move |t, x| vec![x[0] - drive(t)],
    );
    System::new(&text, reference).observe(&["ball.position", "ball.velocity"])
}

/// A ball of 0.2 kg on a plate of 5 kg, which gives way.
fn ball_on_a_plate() -> System {
    let contact = Floor {
        stiffness: 1e6,
        exponent: 1.5,
        damping: 0.1,
    };
    let text = format!(
        r#"
        ball = {{ model = "mass", parameters = {{ mass = 0.2, gravity = {GRAVITY}, position = 0.1 }} }}
        plate = {{ model = "mass-spring-damper", parameters = {{ mass = 5.0, stiffness = 5e4, damping = 40.0 }} }}
        gap = {{ model = "sum", parameters = {{ gains = [1.0, -1.0] }} }}
        rate = {{ model = "sum", parameters = {{ gains = [1.0, -1.0] }} }}
        down = {{ model = "gain", parameters = {{ k = -1.0 }} }}
        {}
        ball.position -> gap.u1
        plate.position -> gap.u2
        ball.velocity -> rate.u1
        plate.velocity -> rate.u2
        gap.y -> contact.position
        rate.y -> contact.velocity
        contact.force -> ball.force
        contact.force -> down.u
        down.y -> plate.force
        "#,
        contact.toml("contact", 0.0)
    );
    let reference = switched(
        &[0.1, 0.0, 0.0, 0.0],
        move |_, x, above, dx| {
            let push = contact.force(!above[0], x[2] - x[0], x[1] - x[3]);
            dx.copy_from_slice(&[
                x[1],
                push / 0.2 - GRAVITY,
                x[3],
                (-push - 5e4 * x[2] - 40.0 * x[3]) / 5.0,
            ]);
        },
        |_, x| vec![x[0] - x[2]],
    )
    .sizes(&[0.1, 1.0, 1e-3, 0.1]);
    System::new(&text, reference).observe(&[
        "ball.position",
        "ball.velocity",
        "plate.position",
        "plate.velocity",
    ])
}

/// Free masses in a row, each with its start and velocity, and the same contact between neighbours.
fn row(masses: &'static [f64], start: &'static [[f64; 2]], contact: Floor) -> System {
    let mut text = String::new();
    let mut columns = Vec::new();
    let count = masses.len();
    for (i, (mass, [position, velocity])) in masses.iter().zip(start).enumerate() {
        text += &format!(
            "m{i} = {{ model = \"mass\", parameters = {{ mass = {mass:?}, position = {position:?}, velocity = {velocity:?} }} }}\n"
        );
        columns.extend([format!("m{i}.position"), format!("m{i}.velocity")]);
    }
    for i in 0..count - 1 {
        let j = i + 1;
        text += &contact.toml(&format!("contact{i}"), 0.0);
        text += &format!(
            r#"
            gap{i} = {{ model = "sum", parameters = {{ gains = [1.0, -1.0] }} }}
            rate{i} = {{ model = "sum", parameters = {{ gains = [1.0, -1.0] }} }}
            m{j}.position -> gap{i}.u1
            m{i}.position -> gap{i}.u2
            m{j}.velocity -> rate{i}.u1
            m{i}.velocity -> rate{i}.u2
            gap{i}.y -> contact{i}.position
            rate{i}.y -> contact{i}.velocity
            "#
        );
    }
    for i in 0..count {
        // The contact behind pushes forwards, the one in front backwards.
        let (behind, front) = (i.checked_sub(1), (i + 1 < count).then_some(i));
        let gains = match (behind, front) {
            (Some(_), Some(_)) => "1.0, -1.0",
            (Some(_), None) => "1.0",
            _ => "-1.0",
        };
        text += &format!("net{i} = {{ model = \"sum\", parameters = {{ gains = [{gains}] }} }}\n");
        for (place, contact) in [behind, front].into_iter().flatten().enumerate() {
            text += &format!("contact{contact}.force -> net{i}.u{}\n", place + 1);
        }
        text += &format!("net{i}.y -> m{i}.force\n");
    }
    let reference = switched(
        start.as_flattened(),
        move |_, x, apart, dx| {
            for i in 0..count {
                dx[2 * i] = x[2 * i + 1];
                dx[2 * i + 1] = 0.0;
            }
            for i in 0..count - 1 {
                let (depth, leaving) = (x[2 * i] - x[2 * i + 2], x[2 * i + 3] - x[2 * i + 1]);
                let push = contact.force(!apart[i], depth, leaving);
                dx[2 * i + 1] -= push / masses[i];
                dx[2 * i + 3] += push / masses[i + 1];
            }
        },
        move |_, x| (0..count - 1).map(|i| x[2 * i + 2] - x[2 * i]).collect(),
    )
    .sizes(&[0.01, 1.0].repeat(count));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    System::new(&text, reference).observe(&columns)
}

fn two_masses_colliding() -> System {
    let contact = Floor::elastic(2e4);
    row(&[2.0, 0.5], &[[0.0, 3.0], [0.1, -1.0]], contact).until(0.2, 0.002)
}

/// A blow of some thirty microseconds.
fn two_masses_colliding_hard() -> System {
    let contact = Floor {
        stiffness: 1e9,
        exponent: 1.5,
        damping: 0.3,
    };
    row(&[0.04, 0.02], &[[0.0, 3.0], [0.013, -1.0]], contact).until(0.01, 5e-5)
}

/// The first one strikes the second, which a millimetre parts from the third.
fn three_balls_in_a_row() -> System {
    let contact = Floor {
        stiffness: 1e8,
        exponent: 1.5,
        damping: 0.0,
    };
    let start = &[[0.0, 1.0], [0.005, 0.0], [0.006, 0.0]];
    row(&[0.1, 0.1, 0.1], start, contact).until(0.012, 1e-4)
}

/// Driven near its resonance against stops at 30 mm on both sides.
fn oscillator_between_end_stops() -> System {
    let stop = Floor {
        stiffness: 1e5,
        exponent: 1.0,
        damping: 0.5,
    };
    let text = format!(
        r#"
        drive = {{ model = "sine", parameters = {{ amplitude = 8.0, frequency = 1.6 }} }}
        mass = {{ model = "mass-spring-damper", parameters = {{ mass = 2.0, stiffness = 200.0, damping = 1.0 }} }}
        mirror = {{ model = "gain", parameters = {{ k = -1.0 }} }}
        backwards = {{ model = "gain", parameters = {{ k = -1.0 }} }}
        net = {{ model = "sum", parameters = {{ gains = [1.0, 1.0, -1.0] }} }}
        {}
        {}
        mass.position -> lower.position
        mass.velocity -> lower.velocity
        mass.position -> mirror.u
        mirror.y -> upper.position
        mass.velocity -> backwards.u
        backwards.y -> upper.velocity
        drive.y -> net.u1
        lower.force -> net.u2
        upper.force -> net.u3
        net.y -> mass.force
        "#,
        stop.toml("lower", -0.03),
        stop.toml("upper", -0.03)
    );
    let reference = switched(
        &[0.0, 0.0],
        move |t, x, free, dx| {
            let drive = 8.0 * (3.2 * std::f64::consts::PI * t).sin();
            let lower = stop.force(!free[0], -0.03 - x[0], x[1]);
            let upper = stop.force(!free[1], x[0] - 0.03, -x[1]);
            let force = drive + lower - upper - 200.0 * x[0] - x[1];
            dx.copy_from_slice(&[x[1], force / 2.0]);
        },
        |_, x| vec![x[0] + 0.03, 0.03 - x[0]],
    );
    System::new(&text, reference)
        .observe(&["mass.position", "mass.velocity"])
        .until(2.0, 0.01)
}

/// A motor that swings its load to and fro through a play of a millimetre on both sides. After a third of a second a disturbance
/// has grown tenfold, after a whole one two thousandfold: no tolerance of steps bounds that, so it ends before.
fn gear_with_backlash() -> System {
    let tooth = Floor {
        stiffness: 1e5,
        exponent: 1.0,
        damping: 1.0,
    };
    let text = format!(
        r#"
        drive = {{ model = "sine", parameters = {{ amplitude = 10.0, frequency = 3.0 }} }}
        motor = {{ model = "mass-spring-damper", parameters = {{ mass = 0.5, stiffness = 0.0, damping = 2.0 }} }}
        load = {{ model = "mass-spring-damper", parameters = {{ mass = 1.5, stiffness = 0.0, damping = 5.0 }} }}
        ahead = {{ model = "sum", parameters = {{ gains = [1.0, -1.0] }} }}
        faster = {{ model = "sum", parameters = {{ gains = [1.0, -1.0] }} }}
        behind = {{ model = "gain", parameters = {{ k = -1.0 }} }}
        slower = {{ model = "gain", parameters = {{ k = -1.0 }} }}
        net = {{ model = "sum", parameters = {{ gains = [1.0, 1.0, -1.0] }} }}
        answer = {{ model = "sum", parameters = {{ gains = [-1.0, 1.0] }} }}
        {}
        {}
        motor.position -> ahead.u1
        load.position -> ahead.u2
        motor.velocity -> faster.u1
        load.velocity -> faster.u2
        ahead.y -> back.position
        faster.y -> back.velocity
        ahead.y -> behind.u
        behind.y -> front.position
        faster.y -> slower.u
        slower.y -> front.velocity
        drive.y -> net.u1
        back.force -> net.u2
        front.force -> net.u3
        net.y -> motor.force
        back.force -> answer.u1
        front.force -> answer.u2
        answer.y -> load.force
        "#,
        tooth.toml("back", -1e-3),
        tooth.toml("front", -1e-3)
    );
    let reference = switched(
        &[0.0; 4],
        move |t, x, free, dx| {
            let drive = 10.0 * (6.0 * std::f64::consts::PI * t).sin();
            let (ahead, faster) = (x[0] - x[2], x[1] - x[3]);
            let back = tooth.force(!free[0], -1e-3 - ahead, faster);
            let front = tooth.force(!free[1], ahead - 1e-3, -faster);
            let push = back - front;
            dx.copy_from_slice(&[
                x[1],
                (drive + push - 2.0 * x[1]) / 0.5,
                x[3],
                (-push - 5.0 * x[3]) / 1.5,
            ]);
        },
        |_, x| vec![x[0] - x[2] + 1e-3, 1e-3 - x[0] + x[2]],
    );
    System::new(&text, reference)
        .observe(&[
            "motor.position",
            "motor.velocity",
            "load.position",
            "load.velocity",
        ])
        .until(0.3, 0.002)
}
