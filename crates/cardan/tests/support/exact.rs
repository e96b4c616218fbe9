//! The exact solutions of examples.

use cardan_ode::Lu;
use cardan_testkit::problems::{Matrix, exponential, transform};
use std::array::from_fn;
use std::sync::LazyLock;

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

/// 1 kg that falls 10 mm on a floor which pushes like a spring and never pulls: see `examples/impact`. Nothing is lost, so
/// it does so for ever.
pub(crate) struct ElasticImpact {
    pub(crate) stiffness: f64,
}

impl ElasticImpact {
    pub(crate) const GRAVITY: f64 = 9.81;
    pub(crate) const DROP: f64 = 0.01;

    /// When the floor is touched first.
    pub(crate) fn touched() -> f64 {
        (2.0 * Self::DROP / Self::GRAVITY).sqrt()
    }

    /// How long the contact lasts. With `A = g/ω²` and `B = v/ω` the floor is pressed in by `A (1 - cos φ) + B sin φ` at
    /// `φ = ω t`, which is zero again where `tan(φ/2) = -B/A`.
    pub(crate) fn contact(&self) -> f64 {
        let frequency = self.stiffness.sqrt();
        let ratio = Self::touched() * frequency;
        2.0 * (std::f64::consts::PI - ratio.atan()) / frequency
    }

    /// Position and velocity.
    pub(crate) fn at(&self, t: f64) -> [f64; 2] {
        let (g, fall) = (Self::GRAVITY, Self::touched());
        let speed = g * fall;
        // From contact to contact: up and down again, then the floor.
        let period = 2.0 * fall + self.contact();
        let since = (t + fall + self.contact()).rem_euclid(period);
        if since >= self.contact() {
            let flying = since - self.contact() - fall;
            return [Self::DROP - 0.5 * g * flying * flying, -g * flying];
        }
        let frequency = self.stiffness.sqrt();
        let (sine, cosine) = (frequency * since).sin_cos();
        let rest = g / (frequency * frequency);
        [
            -rest * (1.0 - cosine) - speed / frequency * sine,
            -rest * frequency * sine - speed * cosine,
        ]
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

/// A pole on a cart, near the upright position, with the feedback that is best for the weights below, 50 times a second.
pub(crate) struct CartPole;

impl CartPole {
    const PERIOD: f64 = 0.02;
    /// Of position, velocity, angle and rate; that of the force is one.
    const WEIGHTS: [f64; 4] = [100.0, 0.0, 10.0, 0.0];
    const INPUT: [f64; 4] = [0.0, 1.0, 0.0, -2.0];

    fn matrix() -> Matrix<4> {
        let (cart, pole, length, g) = (1.0, 0.1, 0.5, 9.81);
        let mut a = [[0.0; 4]; 4];
        a[0][1] = 1.0;
        a[1][2] = -pole * g / cart;
        a[2][3] = 1.0;
        a[3][2] = (cart + pole) * g / (cart * length);
        a
    }

    /// The gain `bᵀ P`, where `P` solves the Riccati equation `aᵀ P + P a - P b bᵀ P + Q = 0`.
    ///
    /// `P` is where the Riccati differential equation comes to rest, backwards in time. With `P = Y X⁻¹` that equation
    /// is linear in `(X, Y)`, so a piece of time is an exponential. After each piece `X` is the identity again, since
    /// else fast modes would bury slow ones. After 20 s the rest is e⁻⁸⁷: the slowest mode falls with 2.18 1/s,
    /// and its square counts.
    fn gain() -> &'static [f64; 4] {
        static GAIN: LazyLock<[f64; 4]> = LazyLock::new(|| {
            let (a, b) = (CartPole::matrix(), CartPole::INPUT);
            let hamiltonian: Matrix<8> = from_fn(|i| {
                from_fn(|j| match (i < 4, j < 4) {
                    (true, true) => a[i][j],
                    (true, false) => -b[i] * b[j - 4],
                    (false, true) => f64::from(u8::from(i == j + 4)) * -CartPole::WEIGHTS[j],
                    (false, false) => -a[j - 4][i - 4],
                })
            });
            let back = exponential(&hamiltonian, -0.1);
            let mut p = [[0.0; 4]; 4];
            let mut lu = Lu::new(4);
            for _ in 0..200 {
                let moved =
                    |i: usize, j: usize| back[i][j] + (0..4).map(|k| back[i][4 + k] * p[k][j]).sum::<f64>();
                // Row by row, P X = Y is Xᵀ pᵀ = yᵀ.
                assert!(lu.factor(|i, j| moved(j, i)));
                let mut next: Matrix<4> = from_fn(|i| from_fn(|j| moved(4 + i, j)));
                next.iter_mut().for_each(|row| lu.solve(row));
                p = next;
            }
            transform(&p, &b)
        });
        &GAIN
    }

    /// The four states, the force from here on, the cost up to here, and the gain.
    pub(crate) fn at(t: f64) -> Vec<f64> {
        let gain = Self::gain();
        // A held force is a fifth state that stays.
        let held: Matrix<5> = from_fn(|i| {
            from_fn(|j| match (i < 4, j < 4) {
                (true, true) => Self::matrix()[i][j],
                (true, false) => Self::INPUT[i],
                _ => 0.0,
            })
        });
        let step = exponential(&held, Self::PERIOD);
        let (mut x, mut cost) = ([0.0, 0.0, 0.1, 0.0], 0.0);
        let samples = (t / Self::PERIOD).round() as u32;
        for sample in 0.. {
            let force = -(0..4).map(|i| gain[i] * x[i]).sum::<f64>();
            if sample == samples {
                return [&x[..], &[force, cost], gain].concat();
            }
            let weighted: f64 = (0..4).map(|i| Self::WEIGHTS[i] * x[i] * x[i]).sum();
            cost += Self::PERIOD * (weighted + force * force);
            let [a, b, c, d, _] = transform(&step, &[x[0], x[1], x[2], x[3], force]);
            x = [a, b, c, d];
        }
        Vec::new()
    }
}

/// A mass on a spring that swings, and an observer that sees its position ten times a second.
pub(crate) struct Observed;

impl Observed {
    const PERIOD: f64 = 0.1;
    /// rad/s
    const FREQUENCY: f64 = 2.0;
    /// By which its error shrinks from sample to sample.
    const POLES: [f64; 2] = [0.6, 0.7];

    /// Position and velocity, and what the observer thinks of both.
    pub(crate) fn at(t: f64) -> [f64; 4] {
        let w = Self::FREQUENCY;
        let swing = |t: f64| [(w * t).cos(), -w * (w * t).sin()];
        // From sample to sample the state turns: x' = c x + s v / w, v' = -s w x + c v. With the gains l and m on the
        // error of the position, that error turns with the matrix below, and its trace and determinant are the sum and
        // the product of the poles.
        let (s, c) = (w * Self::PERIOD).sin_cos();
        let (sum, product) = (Self::POLES[0] + Self::POLES[1], Self::POLES[0] * Self::POLES[1]);
        let l = 2.0 * c - sum;
        let m = (product - c * (c - l)) * w / s - s * w;
        let turn = [[c - l, s / w], [-s * w - m, c]];
        // It begins with nothing, so its first error is the state.
        let mut error = swing(0.0);
        for _ in 0..(t / Self::PERIOD).round() as u32 {
            error = transform(&turn, &error);
        }
        let [x, v] = swing(t);
        [x, v, x - error[0], v - error[1]]
    }
}
