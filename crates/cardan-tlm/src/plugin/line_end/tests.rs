//! Hand-computed answers, and the physics of a bar between two masses.

use super::*;

fn line(delay: f64, zf: f64, alpha: f64) -> Line {
    Line {
        delay,
        zf,
        zfr: zf,
        alpha,
        ..Line::default()
    }
}

fn axis(line: Line, arithmetic: Arithmetic) -> LineEnd {
    LineEnd::new(Kind::Axis(Flow::Motion), line, arithmetic, (0.0, 10.0))
}

fn drained(end: &mut LineEnd) -> Vec<f64> {
    let mut numbers = Vec::new();
    end.drain(&mut numbers);
    numbers
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} is not {b}");
}

#[test]
fn the_beginning_is_that_of_the_public_plugin() {
    let mut end = axis(line(0.1, 2.0, 0.0), Arithmetic::default());
    end.set_initial_force([5.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    end.set_initial_flow([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    // Whatever has arrived: up to the delay the initial force counts.
    end.take(&[0.05, 0.0, 0.0, 10.0]).unwrap();
    assert_eq!(end.readiness(0.1), Readiness::Ready);
    assert_eq!(end.force_1d(0.1, 9.0), 5.0);
    // F = 5 - 2·1, w = -F + 2·3.
    assert!(end.set_motion_1d(0.025, 0.5, 3.0));
    assert!(!end.is_due());
    assert!(end.set_motion_1d(0.05, 0.6, 3.0));
    assert!(end.is_due());
    assert_eq!(drained(&mut end), [0.025, 0.5, 3.0, 3.0, 0.05, 0.6, 3.0, 3.0]);
    assert!(
        !end.set_motion_1d(0.05, 0.0, 0.0),
        "what is sent cannot be taken back"
    );
}

#[test]
fn an_attached_line_holds_the_initial_load() {
    let arithmetic = Arithmetic {
        beginning: Beginning::Attached,
        ..Arithmetic::default()
    };
    let mut end = axis(line(0.1, 2.0, 0.0), arithmetic);
    end.set_initial_force([5.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    end.set_initial_flow([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(end.force_1d(0.0, 1.0), 5.0);
    assert_eq!(end.force_1d(0.05, 2.0), 3.0);
    end.set_motion_1d(0.05, 0.0, 2.0);
    assert_eq!(drained(&mut end)[3], -3.0 + 2.0 * 2.0);
}

#[test]
fn waves_arrive_after_the_delay() {
    let mut end = axis(line(0.1, 2.0, 0.0), Arithmetic::default());
    end.set_motion_1d(0.05, 0.0, 0.0);
    drained(&mut end);
    assert_eq!(end.readiness(0.15), Readiness::Waiting);
    assert_eq!(end.readiness(0.16), Readiness::Waiting);
    end.take(&[0.04, 0.0, 0.0, 10.0]).unwrap();
    assert_eq!(end.readiness(0.14), Readiness::Ready);
    assert_eq!(end.readiness(0.15), Readiness::Waiting);
    end.take(&[0.06, 0.0, 0.0, 20.0]).unwrap();
    assert_eq!(end.readiness(0.15), Readiness::Ready);
    close(end.force_1d(0.15, 3.0), 15.0 - 2.0 * 3.0);
    // Before the first sample it counts; beyond the horizon, its end.
    close(end.force_1d(0.12, 0.0), 10.0);
    assert_eq!(end.readiness(0.16), Readiness::Ahead);
    close(end.force_1d(0.16, 0.0), 15.0);
    assert_eq!(end.take(&[0.05, 0.0, 0.0, 1.0]), Err(Objection::OutOfOrder));
    assert_eq!(end.take(&[0.07, 0.0, 0.0, f64::NAN]), Err(Objection::NotFinite));
    let data = end.time_data(0.15).unwrap();
    close(data[0], 0.05);
    close(data[3], 15.0);
}

/// A later sample changes nothing, not even the last bit.
#[test]
fn later_samples_change_nothing() {
    let delay = 2e-4;
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        let arithmetic = Arithmetic {
            interpolation,
            ..Arithmetic::default()
        };
        let mut end = axis(line(delay, 200.0, 0.0), arithmetic);
        let wave = |k: u32| (f64::from(k) * 0.7).sin();
        for k in 1..=20 {
            end.take(&[f64::from(k) * delay, 0.0, 0.0, wave(k)]).unwrap();
            // The same instant on another way: some of these are a bit later, some earlier.
            let t = f64::from(k + 1) * delay;
            end.set_motion_1d(t, 0.0, 0.0);
            drained(&mut end);
            let before = end.force_1d(t, 0.0);
            let mut more = end.clone();
            more.take(&[f64::from(k + 1) * delay, 0.0, 0.0, wave(k + 1)])
                .unwrap();
            assert_eq!(before.to_bits(), more.force_1d(t, 0.0).to_bits());
            assert_eq!(before.to_bits(), wave(k).to_bits());
        }
    }
}

#[test]
fn the_filter_looks_back() {
    for (feedback, expected) in [(1.0, 0.75 * 8.0 + 0.25 * 6.0), (1.5, 0.75 * 8.0 + 0.25 * 5.0)] {
        let arithmetic = Arithmetic {
            feedback,
            ..Arithmetic::default()
        };
        let mut end = axis(line(0.1, 2.0, 0.25), arithmetic);
        for (time, wave) in [(0.1, 4.0), (0.2, 4.0), (0.3, 8.0), (0.4, 8.0)] {
            end.take(&[time, 0.0, 0.0, wave]).unwrap();
        }
        // The first wave passes as it is, for lack of a past.
        close(end.force_1d(0.2, 0.0), 4.0);
        end.damped.push(&[0.1, 4.0]);
        end.damped.push(&[0.2, 6.0]);
        end.last_sent = 0.3;
        // At 0.4 the wave of 0.3 arrives; what was felt of that of 0.2, or half way to that of 0.1, is mixed in.
        close(end.force_1d(0.4, 0.0), expected);
    }
}

#[test]
fn pressure_rises_with_flow() {
    let mut end = LineEnd::new(
        Kind::Axis(Flow::Volume),
        line(0.1, 2.0, 0.0),
        Arithmetic::default(),
        (0.0, 1.0),
    );
    end.take(&[0.05, 0.0, 0.0, 10.0]).unwrap();
    end.set_motion_1d(0.1, 0.0, 0.0);
    drained(&mut end);
    close(end.force_1d(0.15, 3.0), 16.0);
    end.set_motion_1d(0.15, 0.0, 3.0);
    close(drained(&mut end)[3], 16.0 + 6.0);
}

#[test]
fn signals_wait_for_nobody_they_do_not_hear() {
    let mut input = LineEnd::new(
        Kind::Input,
        line(0.1, 0.0, 0.0),
        Arithmetic::default(),
        (0.0, 1.0),
    );
    input.set_initial_force([7.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(input.value(0.1), 7.0);
    assert_eq!(input.readiness(5.0), Readiness::Waiting);
    input.take(&[0.1, 1.0]).unwrap();
    input.take(&[0.3, 3.0]).unwrap();
    close(input.value(0.3), 2.0);
    assert_eq!(input.readiness(5.0), Readiness::Waiting);
    input.end();
    assert_eq!(input.readiness(5.0), Readiness::Ready);
    assert_eq!(input.value(5.0), 3.0);
}

/// Samples that wait for their turn are in global axes like all others.
#[test]
fn what_leaves_a_body_is_in_global_axes() {
    let placement = Placement {
        position: [1.0, 0.0, 0.0],
        rotation: rotation::from_angles([0.0, 0.0, std::f64::consts::FRAC_PI_2]),
    };
    let line = Line {
        placement,
        ..line(0.1, 10.0, 0.0)
    };
    let mut end = LineEnd::new(Kind::Body, line, Arithmetic::default(), (0.0, 1.0));
    let motion = Motion3D {
        velocity: [0.0, 4.0, 0.0],
        ..Motion3D::default()
    };
    end.set_motion_3d(0.01, &motion);
    assert!(!end.is_due());
    let sample = drained(&mut end);
    close(sample[1], 1.0);
    close(sample[13], -4.0);
    close(sample[19], -40.0);
    let mut wave = vec![0.1; 25];
    wave[19..].copy_from_slice(&[0.0, 5.0, 0.0, 0.0, 0.0, 3.0]);
    end.take(&wave).unwrap();
    end.set_motion_3d(0.19, &motion);
    drained(&mut end);
    let load = end.force_3d(0.2, [0.2, 0.0, 0.0], [0.0; 3]);
    close(load[0], 3.0);
    close(load[5], 3.0);
}

/// Two masses on springs to the ground with a line between them, RK4 with sixteen steps a delay: problem 11a.
struct TwoMasses {
    ends: [LineEnd; 2],
    state: [[f64; 2]; 2],
    /// By step: the two waves that left.
    waves: Vec<[f64; 2]>,
    step: f64,
    z: f64,
}

const MASS: [f64; 2] = [1.0, 2.0];
const STIFFNESS: [f64; 2] = [1000.0, 4000.0];
const DELAY: f64 = 2e-4;

impl TwoMasses {
    fn new(z: f64, alpha: f64) -> Self {
        let arithmetic = Arithmetic {
            interpolation: Interpolation::Cubic,
            feedback: 1.0,
            beginning: Beginning::Attached,
        };
        TwoMasses {
            ends: [(); 2].map(|()| axis(line(DELAY, z, alpha), arithmetic)),
            state: [[0.01, 0.0]; 2],
            waves: vec![[0.0; 2]],
            step: DELAY / 16.0,
            z,
        }
    }

    fn advance(&mut self, k: u32) {
        let (from, to) = (f64::from(k) * self.step, f64::from(k + 1) * self.step);
        let mut sent = [0.0; 2];
        for i in 0..2 {
            if k == 0 {
                self.ends[i].set_motion_1d(0.0, self.state[i][0], 0.0);
            }
            let end = &self.ends[i];
            assert_eq!(end.readiness(to), Readiness::Ready);
            let rate = |t: f64, [x, v]: [f64; 2]| [v, (end.force_1d(t, v) - STIFFNESS[i] * x) / MASS[i]];
            let along = |x: [f64; 2], s: f64, d: [f64; 2]| [x[0] + s * d[0], x[1] + s * d[1]];
            let (h, x) = (to - from, self.state[i]);
            let k1 = rate(from, x);
            let k2 = rate(from + h / 2.0, along(x, h / 2.0, k1));
            let k3 = rate(from + h / 2.0, along(x, h / 2.0, k2));
            let k4 = rate(to, along(x, h, k3));
            self.state[i] = std::array::from_fn(|j| x[j] + h / 6.0 * (k1[j] + 2.0 * (k2[j] + k3[j]) + k4[j]));
            let [x, v] = self.state[i];
            self.ends[i].set_motion_1d(to, x, v);
            let outbox = &self.ends[i].outbox;
            sent[i] = outbox.sample(outbox.len() - 1)[3];
        }
        self.waves.push(sent);
        for i in 0..2 {
            if self.ends[i].is_due() {
                for sample in drained(&mut self.ends[i]).chunks(4) {
                    self.ends[1 - i].take(sample).unwrap();
                }
            }
        }
    }

    /// Energy of the bodies and of the line: waves of the last delay, by Simpson's rule.
    fn energy(&self) -> f64 {
        let bodies: f64 = (0..2)
            .map(|i| (MASS[i] * self.state[i][1].powi(2) + STIFFNESS[i] * self.state[i][0].powi(2)) / 2.0)
            .sum();
        let last = self.waves.len() - 1;
        let density = |back: usize| match last.checked_sub(back) {
            Some(at) => self.waves[at].iter().map(|w| w * w).sum::<f64>() / (4.0 * self.z),
            None => 0.0,
        };
        let weight = |k: usize| match k {
            0 | 16 => 1.0,
            k if k % 2 == 1 => 4.0,
            _ => 2.0,
        };
        bodies + self.step / 3.0 * (0..=16).map(|k| weight(k) * density(k)).sum::<f64>()
    }
}

/// The values of the problem's statement, at the precision it states them.
#[test]
fn two_masses_end_where_the_problem_says() {
    let mut masses = TwoMasses::new(200.0, 0.0);
    let (first, mut least, mut most) = (masses.energy(), f64::INFINITY, 0.0_f64);
    for k in 0..80_000 {
        masses.advance(k);
        let energy = masses.energy();
        (least, most) = (least.min(energy), most.max(energy));
    }
    let [x1, x2] = masses.state.map(|[x, _]| x);
    assert!((x1 + 0.0095917052).abs() < 2e-9, "{x1}");
    assert!((x2 + 0.0095896933).abs() < 2e-9, "{x2}");
    let leak = (most - least) / first;
    assert!(leak < 1e-6, "{leak}");
}

/// The low mode, from the zeros of what moves together.
fn frequency(z: f64, alpha: f64) -> f64 {
    let mut masses = TwoMasses::new(z, alpha);
    let (mut zeros, mut last) = (Vec::new(), f64::NAN);
    for k in 0..160_000 {
        masses.advance(k);
        let sum = MASS[0] * masses.state[0][0] + MASS[1] * masses.state[1][0];
        if last * sum < 0.0 {
            zeros.push((f64::from(k) + last / (last - sum)) * masses.step);
        }
        last = sum;
    }
    (zeros.len() - 1) as f64 / (2.0 * (zeros[zeros.len() - 1] - zeros[0]))
}

#[test]
fn a_line_is_a_bar_with_mass() {
    let expected = [
        (200.0, 0.0, 6.45424),
        (1000.0, 0.0, 6.29109),
        (5000.0, 0.0, 5.62696),
        (1000.0, 0.2, 6.24249),
        (1000.0, 0.5, 6.10317),
        (1000.0, 0.9, 5.03232),
    ];
    for (z, alpha, expected) in expected {
        let measured = frequency(z, alpha);
        let off = (measured / expected - 1.0).abs();
        assert!(off < 5e-4, "Z = {z}, alpha = {alpha}: {measured} Hz");
    }
}
