//! The exact solutions of the examples with FMUs.

/// A ball dropped from 1 m that keeps 0.7 of its velocity in each bounce, and rests below 0.1 m/s.
pub(crate) struct BouncingBall {
    pub(crate) height: f64,
    pub(crate) velocity: f64,
    pub(crate) last_bounce: f64,
}

impl BouncingBall {
    const GRAVITY: f64 = 9.81;
    const RESTITUTION: f64 = 0.7;
    const REST_BELOW: f64 = 0.1;

    /// When it touches the ground, and how fast it leaves it: the first time after √(2h/g), then after 2v/g each.
    pub(crate) fn bounces() -> Vec<(f64, f64)> {
        let fall = (2.0 / Self::GRAVITY).sqrt();
        let (mut at, mut velocity) = (fall, Self::GRAVITY * fall * Self::RESTITUTION);
        let mut bounces = Vec::new();
        while velocity >= Self::REST_BELOW {
            bounces.push((at, velocity));
            at += 2.0 * velocity / Self::GRAVITY;
            velocity *= Self::RESTITUTION;
        }
        bounces.push((at, 0.0));
        bounces
    }

    pub(crate) fn at(t: f64) -> Self {
        let last = Self::bounces().into_iter().take_while(|(at, _)| *at <= t).last();
        let Some((last_bounce, velocity)) = last else {
            return BouncingBall {
                height: 1.0 - Self::GRAVITY / 2.0 * t * t,
                velocity: -Self::GRAVITY * t,
                last_bounce: 0.0,
            };
        };
        let gravity = if velocity > 0.0 { Self::GRAVITY } else { 0.0 };
        let since = t - last_bounce;
        BouncingBall {
            height: since * (velocity - gravity / 2.0 * since),
            velocity: velocity - gravity * since,
            last_bounce,
        }
    }
}

/// A motor that gets a new voltage ten times a second.
pub(crate) struct SampledMotor;

impl SampledMotor {
    const GAIN: f64 = 20.0;
    const LAG: f64 = 0.5;

    /// The sample, the voltage and the speed at `t`. Between two ticks the voltage stays, and the speed goes towards
    /// gain times voltage as an exponential; from tick to tick that is a recurrence.
    pub(crate) fn at(t: f64) -> [f64; 3] {
        // Ticks are instants of their own: a time that is one but for rounding belongs to it.
        let ticks = (t * 10.0 + 1e-9).floor() as u32;
        let (mut speed, mut integral) = (0.0, 0.0);
        let mut tick = 0;
        loop {
            let sample = speed;
            let voltage = 0.1 * (100.0 - sample) + integral;
            integral += 0.04 * (100.0 - sample);
            let end = Self::GAIN * voltage;
            let after = |seconds: f64| end + (sample - end) * (-seconds / Self::LAG).exp();
            if tick == ticks {
                return [sample, voltage, after((t - f64::from(tick) / 10.0).max(0.0))];
            }
            speed = after(0.1);
            tick += 1;
        }
    }
}

/// A room of 240 kJ/K that loses 100 W/K to -5 °C, and a heater that follows its thermostat with a lag of 120 s.
pub(crate) struct HeatedRoom;

impl HeatedRoom {
    /// The heater's power in kW and the room's temperature in K at `t`.
    pub(crate) fn at(t: f64) -> [f64; 2] {
        let (capacity, loss, gain, lag) = (240.0, 0.1, 1.0, 120.0); // kJ/K, kW/K, kW/K, s
        let (outside, setpoint, felt, start) = (-5.0, 21.0, -0.5, 15.0); // degC, K for what is felt too much
        let rest_temperature = (gain * (setpoint - felt) + loss * outside) / (gain + loss);
        let rest_power = loss * (rest_temperature - outside);
        // Seen from the rest, x = (temperature, power) has x' = A x with this A. With its trace 2 α and its
        // determinant α² + β² the exponential is exp(α t) (cos β t + (A - α) sin(β t) / β).
        let a: [[f64; 2]; 2] = [[-loss / capacity, 1.0 / capacity], [-gain / lag, -1.0 / lag]];
        let alpha = (a[0][0] + a[1][1]) / 2.0;
        let beta = (a[0][0] * a[1][1] - a[0][1] * a[1][0] - alpha * alpha).sqrt();
        let (cos, sin) = ((beta * t).cos(), (beta * t).sin() / beta);
        let x = [start - rest_temperature, -rest_power];
        let row = |i: usize| {
            let moved = a[i][0] * x[0] + a[i][1] * x[1] - alpha * x[i];
            (alpha * t).exp() * (cos * x[i] + sin * moved)
        };
        [rest_power + row(1), rest_temperature + row(0) + 273.15]
    }
}
