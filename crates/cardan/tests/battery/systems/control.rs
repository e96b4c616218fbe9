//! Controllers and their plants.

use super::family;
use super::reference::{jumping, smooth, switched};
use crate::system::System;
use cardan_testkit::reference::Hybrid;
use std::f64::consts::TAU;

family![
    pid_without_limits,
    pid_with_limits,
    pid_with_limits_and_derivative,
    cascade_of_controllers,
    servo_with_a_transfer_function,
    observer_in_state_space,
    motor_of_large_and_small_numbers,
];

/// The controller of the catalogue: its integral part, its filtered error, and limits that stop the integral part over
/// a hundredth of the range.
#[derive(Clone, Copy)]
struct Pid {
    kp: f64,
    ki: f64,
    kd: f64,
    filter: f64,
    limit: f64,
}

impl Pid {
    fn unlimited(self, x: &[f64], error: f64) -> f64 {
        self.kp * error + x[0] + self.kd * self.rate(x, error)
    }

    fn rate(self, x: &[f64], error: f64) -> f64 {
        if self.kd == 0.0 {
            0.0
        } else {
            (error - x[1]) / self.filter
        }
    }

    fn output(self, x: &[f64], error: f64) -> f64 {
        self.unlimited(x, error).clamp(-self.limit, self.limit)
    }

    fn rates(self, x: &[f64], error: f64, dx: &mut [f64]) {
        let push = self.ki * error;
        let excess = self.unlimited(x, error) * push.signum() - self.limit;
        let freedom = (1.0 - excess.max(0.0) / (0.01 * 2.0 * self.limit)).max(0.0);
        dx[0] = push * if self.limit.is_finite() { freedom } else { 1.0 };
        dx[1] = self.rate(x, error);
    }

    /// Where its equations bend.
    fn bends(self, x: &[f64], error: f64) -> Vec<f64> {
        if self.limit.is_infinite() {
            return Vec::new();
        }
        let (found, edge) = (self.unlimited(x, error), 1.02 * self.limit);
        vec![
            found - self.limit,
            found + self.limit,
            found - edge,
            found + edge,
            error,
        ]
    }

    fn toml(self) -> String {
        let limits = if self.limit.is_finite() {
            format!(", minimum = {:?}, maximum = {:?}", -self.limit, self.limit)
        } else {
            String::new()
        };
        format!(
            "pid = {{ model = \"pid\", parameters = {{ kp = {:?}, ki = {:?}, kd = {:?}, filter_time = {:?}{limits} }} }}",
            self.kp, self.ki, self.kd, self.filter
        )
    }
}

/// A mass on a spring that is to go to 1 from 0.5 s on.
fn controlled(pid: Pid) -> System {
    let text = format!(
        r#"
        wanted = {{ model = "step", parameters = {{ time = 0.5, after = 1.0 }} }}
        {}
        plant = {{ model = "mass-spring-damper", parameters = {{ mass = 1.0, stiffness = 5.0, damping = 1.0 }} }}
        wanted.y -> pid.setpoint
        plant.position -> pid.measurement
        pid.y -> plant.force
        "#,
        pid.toml()
    );
    // The setpoint is a state that only jumps.
    let reference = switched(
        &[0.0; 5],
        move |_, x, _, dx| {
            let error = x[4] - x[0];
            let force = pid.output(&x[2..4], error);
            dx[0] = x[1];
            dx[1] = force - 5.0 * x[0] - x[1];
            pid.rates(&x[2..4], error, &mut dx[2..4]);
            dx[4] = 0.0;
        },
        move |_, x| pid.bends(&x[2..4], x[4] - x[0]),
    )
    .sizes(&[1.0, 1.0, 1.0, 1.0, 1.0])
    .breaks(&[0.5], |_, _, x, _| x[4] = 1.0);
    System::new(&text, reference)
        .observe(&["plant.position", "plant.velocity"])
        .until(5.0, 0.025)
}

fn pid_without_limits() -> System {
    controlled(Pid {
        kp: 20.0,
        ki: 5.0,
        kd: 5.0,
        filter: 0.01,
        limit: f64::INFINITY,
    })
}

fn pid_with_limits() -> System {
    controlled(Pid {
        kp: 10.0,
        ki: 6.0,
        kd: 0.0,
        filter: 0.01,
        limit: 6.5,
    })
}

fn pid_with_limits_and_derivative() -> System {
    controlled(Pid {
        kp: 30.0,
        ki: 20.0,
        kd: 6.0,
        filter: 0.02,
        limit: 8.0,
    })
}

/// The outer controller tells the inner one which velocity is wanted.
fn cascade_of_controllers() -> System {
    let text = r#"
        wanted = { model = "step", parameters = { time = 0.3, after = 0.2 } }
        outer = { model = "pid", parameters = { kp = 4.0, ki = 0.0 } }
        inner = { model = "pid", parameters = { kp = 50.0, ki = 200.0 } }
        plant = { model = "mass", parameters = { mass = 2.5 } }
        wanted.y -> outer.setpoint
        plant.position -> outer.measurement
        outer.y -> inner.setpoint
        plant.velocity -> inner.measurement
        inner.y -> plant.force
    "#;
    let reference = jumping(&[0.0; 3], &[0.3], &[0.2], |_, x, wanted, dx| {
        let error = 4.0 * (wanted - x[0]) - x[1];
        dx.copy_from_slice(&[x[1], (50.0 * error + x[2]) / 2.5, 200.0 * error]);
    });
    System::new(text, reference)
        .observe(&["plant.position", "plant.velocity"])
        .until(3.0, 0.02)
}

/// (s + 3) / (s + 30) before a double integrator: the lead lets through at once.
fn servo_with_a_transfer_function() -> System {
    let text = r#"
        wanted = { model = "sine", parameters = { amplitude = 0.1, frequency = 0.3, offset = 0.05 } }
        difference = { model = "sum", parameters = { gains = [1.0, -1.0] } }
        lead = { model = "transfer-function", parameters = { numerator = [200.0, 600.0], denominator = [1.0, 30.0] } }
        plant = { model = "mass", parameters = { mass = 1.0, position = 0.02 } }
        wanted.y -> difference.u1
        plant.position -> difference.u2
        difference.y -> lead.u
        lead.y -> plant.force
    "#;
    // 200 (s + 3)/(s + 30) = 200 - 5400/(s + 30).
    let reference = smooth(&[0.02, 0.0, 0.0], |t, x, dx| {
        let error = 0.05 + 0.1 * (0.3 * TAU * t).sin() - x[0];
        dx.copy_from_slice(&[x[1], 200.0 * error - 5400.0 * x[2], error - 30.0 * x[2]]);
    });
    System::new(text, reference)
        .observe(&["plant.position", "plant.velocity"])
        .until(4.0, 0.02)
}

/// An oscillator, and an observer that is told its position.
fn observer_in_state_space() -> System {
    let text = r#"
        plant = { model = "mass-spring-damper", parameters = { mass = 1.0, stiffness = 36.0, position = 1.0 } }
        observer = { model = "state-space", parameters = { a = [-12.0, 1.0, -100.0, 0.0], b = [12.0, 64.0], c = [0.0, -5.0] } }
        plant.position -> observer.u
        observer.y -> plant.force
    "#;
    // What the observer takes for the velocity damps the plant.
    let reference = smooth(&[1.0, 0.0, 0.0, 0.0], |_, x, dx| {
        dx.copy_from_slice(&[
            x[1],
            -5.0 * x[3] - 36.0 * x[0],
            -12.0 * x[2] + x[3] + 12.0 * x[0],
            -100.0 * x[2] + 64.0 * x[0],
        ]);
    });
    System::new(text, reference)
        .observe(&["plant.position", "plant.velocity"])
        .until(3.0, 0.02)
}

/// Currents of milliamperes, speeds of thousands, a limit on the voltage that is met at once and left again.
fn motor_of_large_and_small_numbers() -> System {
    let text = r#"
        wanted = { model = "step", parameters = { time = 0.0013, after = 4000.0 } }
        pid = { model = "pid", parameters = { kp = 0.05, ki = 2.0, minimum = -24.0, maximum = 24.0 } }
        winding = { model = "state-space", parameters = { a = [-2000.0], b = [500.0, -5.0], c = [1.0] } }
        rotor = { model = "state-space", parameters = { a = [-0.5], b = [2.0e5], c = [1.0] } }
        wanted.y -> pid.setpoint
        rotor.y -> pid.measurement
        pid.y -> winding.u[1]
        rotor.y -> winding.u[2]
        winding.y -> rotor.u
    "#;
    let pid = Pid {
        kp: 0.05,
        ki: 2.0,
        kd: 0.0,
        filter: 1.0,
        limit: 24.0,
    };
    // Speed, current, the controller's two states, and what is wanted.
    let reference: Hybrid<Vec<bool>> = switched(
        &[0.0; 5],
        move |_, x, _, dx| {
            let error = x[4] - x[0];
            let voltage = pid.output(&x[2..4], error);
            dx[0] = -0.5 * x[0] + 2e5 * x[1];
            dx[1] = -2000.0 * x[1] + 500.0 * voltage - 5.0 * x[0];
            pid.rates(&x[2..4], error, &mut dx[2..4]);
            dx[4] = 0.0;
        },
        move |_, x| pid.bends(&x[2..4], x[4] - x[0]),
    )
    .sizes(&[1e3, 0.1, 1.0, 1e3, 4e3])
    .breaks(&[0.0013], |_, _, x, _| x[4] = 4000.0);
    System::new(text, reference)
        .observe(&["rotor.y", "winding.y"])
        .until(0.05, 2.5e-4)
}
