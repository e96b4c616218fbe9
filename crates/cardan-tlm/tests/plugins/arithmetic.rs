//! Loads and waves, number by number, for data that arrives early, late, twice and never.

use crate::drive::{Answer, CLIENTS, Client, Probe, running};
use crate::peer::{CLOSE_PERMISSION, CLOSE_REQUEST, Peer, TIME_DATA, line};

const MECHANICAL: &str = "x 1 bidirectional mechanical";
const DELAY: f64 = 1e-2;

/// What the test does at the other end.
fn samples(peer: &mut Peer, id: i32, all: &[[f64; 4]]) {
    peer.send(TIME_DATA, id, &all.concat());
}

fn told(probe: &mut Probe, order: &str) {
    assert_eq!(probe.ask(order), Answer::Ok(String::new()), "{order}");
}

#[test]
fn there_is_no_data_before_the_delay_whatever_has_arrived() {
    for client in CLIENTS {
        let (mut probe, mut peer) = running(client, &[(MECHANICAL, line(DELAY, 10.0, 0.0, 0.0))], &[]);
        told(&mut probe, "force1 0 5");
        told(&mut probe, "flow1 0 2");
        samples(
            &mut peer,
            0,
            &[
                [0.005, 0.1, 1.0, 40.0],
                [0.010, 0.2, 2.0, 80.0],
                [0.015, 0.3, 3.0, 60.0],
            ],
        );
        for time in [0.0, 0.005, 0.01] {
            assert_eq!(probe.ask(&format!("get1 0 {time} 3")).number(), 5.0, "{client:?}");
            assert_eq!(probe.ask(&format!("wave1 0 {time}")).numbers(), [10.0, 0.0]);
            assert_eq!(probe.ask(&format!("pure1 0 {time} 3 0")).number(), 5.0);
        }
        // Before the first sample: that one. Half the delay after the start, motion leaves: -(5 - 10 * 2) + 10 * 3.
        told(&mut probe, "set1 0 0.005 0.25 3");
        assert_eq!(peer.expect(TIME_DATA).numbers(), [0.005, 0.25, 3.0, 45.0]);
        assert_eq!(probe.ask("get1 0 0.012 3").number(), 40.0 - 30.0);
        told(&mut probe, "set1 0 0.01 0.28 3");
        peer.expect(TIME_DATA);
        // Between samples: the line through them.
        assert_eq!(probe.ask("data1 0 0.0175").numbers(), data_at(0.0175 - DELAY));
        assert_eq!(probe.ask("get1 0 0.02 1").number(), 80.0 - 10.0);
        assert_eq!(probe.ask("wave1 0 0.02").numbers(), [10.0, 80.0]);
        assert_eq!(probe.ask("pure1 0 0.02 1 0").number(), 70.0);
        // w = -(c - Z v) + Z v, with c = 70 half way between 80 and 60.
        told(&mut probe, "set1 0 0.015 0 2");
        peer.expect(TIME_DATA);
        told(&mut probe, "set1 0 0.0225 0 2");
        let left = peer.expect(TIME_DATA).numbers();
        assert!((left[3] - (-70.0 + 40.0)).abs() < 1e-12, "{left:?}");
        assert_eq!(probe.ask("extrapolations").number(), 0.0);
    }
}

fn data_at(at: f64) -> Vec<f64> {
    let (a, b) = ([0.005, 0.1, 1.0, 40.0], [0.010, 0.2, 2.0, 80.0]);
    let mut all = vec![at];
    all.extend((1..4).map(|k| ((at - a[0]) * b[k] - (at - b[0]) * a[k]) / (b[0] - a[0])));
    all
}

#[test]
fn a_call_waits_for_what_it_needs_and_no_longer() {
    for client in CLIENTS {
        let (mut probe, mut peer) = running(client, &[(MECHANICAL, line(DELAY, 10.0, 0.0, 0.0))], &[]);
        told(&mut probe, "set1 0 0.005 0 0");
        told(&mut probe, "set1 0 0.01 0 0");
        peer.expect(TIME_DATA);
        peer.expect(TIME_DATA);
        probe.say("get1 0 0.016 0");
        assert!(probe.waits());
        samples(&mut peer, 0, &[[0.005, 0.0, 0.0, 10.0]]); // one before what is needed
        assert!(probe.waits());
        samples(&mut peer, 0, &[[0.007, 0.0, 0.0, 12.0]]);
        assert!((probe.answer().number() - 11.0).abs() < 1e-12);
        // Farther than a delay after the last motion it does not wait: the other end may be waiting too.
        let far = probe.ask("get1 0 0.03 0").number();
        assert!(
            (far - 25.0).abs() < 1e-9,
            "the line through 10 and 12, at 20 ms: {far}"
        );
        assert_eq!(probe.ask("extrapolations").number(), 1.0);
    }
}

#[test]
fn motion_leaves_every_half_delay_and_the_rest_at_the_end() {
    for client in CLIENTS {
        let (mut probe, mut peer) = running(client, &[(MECHANICAL, line(DELAY, 10.0, 0.0, 0.0))], &[]);
        for k in 0..=10 {
            told(&mut probe, &format!("set1 0 {} {k} 0", f64::from(k) * 1e-3));
        }
        told(&mut probe, "set1 0 0.01 11 0"); // it has left already
        // From the start to half the delay, and half a delay more.
        let first = peer.expect(TIME_DATA).numbers();
        let times: Vec<_> = first.chunks(4).map(|sample| sample[0]).collect();
        assert_eq!(times, [0.0, 1e-3, 2e-3, 3e-3, 4e-3, 5e-3], "{client:?}");
        assert_eq!(peer.expect(TIME_DATA).payload.len(), 5 * 32);
        probe.refused("set1 0 0.009 0 0", "in order");
        probe.refused("set1 0 nan 0 0", "finite");
        probe.refused("set1 0 0.011 inf 0", "finite");
        samples(&mut peer, 0, &[[0.02, 0.0, 0.0, 10.0]]);
        told(&mut probe, "set1 0 0.011 12 0");
        told(&mut probe, "set1 0 0.011 13 0"); // the same instant again, while it is here: the later one
        assert!(peer.silent());
        probe.say("close");
        let rest = peer.expect(TIME_DATA).numbers();
        assert_eq!((rest.len(), rest[1]), (4, 13.0));
        peer.expect(CLOSE_REQUEST);
        samples(&mut peer, 0, &[[0.03, 0.0, 0.0, 10.0]]); // others are still at work
        peer.send(CLOSE_PERMISSION, -1, &[]);
        assert_eq!(probe.answer(), Answer::Ok(String::new()));
        probe.refused("set1 0 0.02 0 0", "goodbye");
    }
}

#[test]
fn pressures_have_the_other_sign() {
    for client in CLIENTS {
        let hydraulic = [("p 1 bidirectional hydraulic", line(DELAY, 2.0, 0.0, 0.0))];
        let (mut probe, mut peer) = running(client, &hydraulic, &[]);
        peer.big = true;
        told(&mut probe, "force1 0 100");
        told(&mut probe, "flow1 0 3");
        assert_eq!(probe.ask("get1 0 0.01 7").number(), 100.0);
        told(&mut probe, "set1 0 0.01 0 5"); // p = 100 + 2 * 3; w = p + 2 * 5
        assert_eq!(peer.expect(TIME_DATA).numbers(), [0.01, 0.0, 5.0, 116.0]);
        samples(&mut peer, 0, &[[0.01, 0.0, 0.0, 50.0]]);
        assert_eq!(probe.ask("get1 0 0.02 7").number(), 64.0, "{client:?}");
        assert_eq!(probe.ask("pure1 0 0.02 7 1").number(), 64.0);
        told(&mut probe, "set1 0 0.02 0 5");
        assert_eq!(peer.expect(TIME_DATA).numbers(), [0.02, 0.0, 5.0, 70.0]);
    }
}

#[test]
fn signals_come_and_go() {
    for client in CLIENTS {
        let signals = [
            ("in 1 input signal", line(DELAY, 0.0, 0.0, 0.0)),
            ("out 1 output signal", line(DELAY, 0.0, 0.0, 0.0)),
        ];
        let (mut probe, mut peer) = running(client, &signals, &[]);
        told(&mut probe, "first 0 9");
        assert_eq!(probe.ask("value 0 0.01").number(), 9.0);
        told(&mut probe, "setvalue 1 0.002 1");
        assert!(peer.silent());
        told(&mut probe, "setvalue 1 0.006 2");
        assert_eq!(peer.expect(TIME_DATA).numbers(), [0.002, 1.0, 0.006, 2.0]);
        // An input waits however far ahead it is.
        probe.say("value 0 0.05");
        assert!(probe.waits());
        peer.send(TIME_DATA, 0, &[0.03, 4.0, 0.05, 8.0]);
        assert!((probe.answer().number() - 6.0).abs() < 1e-12);
        probe.refused("get1 0 0.05 0", "is");
        probe.refused("value 1 0.05", "is");
        probe.refused("setvalue 0 0.05 0", "is");
    }
}

/// The filter, written again from its definition.
struct Filter {
    alpha: f64,
    feedback: f64,
    kept: Vec<(f64, f64)>,
}

impl Filter {
    fn read(&self, at: f64) -> f64 {
        let k = self.kept.partition_point(|(time, _)| *time < at - 1e-12);
        if k == 0 {
            return self.kept[0].1;
        }
        let ((t0, a), (t1, b)) = (self.kept[k - 1], self.kept[k]);
        if t1 <= at {
            return b;
        }
        ((at - t0) * b - (at - t1) * a) / (t1 - t0)
    }

    fn of(&self, at: f64, wave: f64) -> f64 {
        if self.kept.is_empty() {
            return wave;
        }
        (1.0 - self.alpha) * wave + self.alpha * self.read(at - self.feedback * DELAY)
    }
}

#[test]
fn the_filter_feeds_back_what_was_felt_before() {
    for client in CLIENTS {
        for (feedback, before) in [(1.5, vec![]), (1.0, vec!["feedback 1"])] {
            let (mut probe, mut peer) =
                running(client, &[(MECHANICAL, line(DELAY, 10.0, 0.0, 0.2))], &before);
            let wave = |k: i32| 3.0 * f64::from(k * k % 17) - 20.0;
            let step = 4e-3;
            let mut filter = Filter {
                alpha: 0.2,
                feedback,
                kept: vec![],
            };
            for k in 1..40 {
                let time = f64::from(k) * step;
                samples(&mut peer, 0, &[[time, 0.0, 0.0, wave(k)]]);
                let at = time - DELAY;
                let came = if at > 0.0 {
                    // The samples lie at whole steps, the readings half way between; before the first there is the first.
                    let (t0, t1) = (f64::from(k - 3) * step, f64::from(k - 2) * step);
                    let (at, c) = if k == 3 {
                        (step, wave(1))
                    } else {
                        (
                            at,
                            ((at - t0) * wave(k - 2) - (at - t1) * wave(k - 3)) / (t1 - t0),
                        )
                    };
                    Some((at, filter.of(at, c)))
                } else {
                    None
                };
                let expected = came.map_or(0.0, |(_, c)| c - 10.0 * 0.5);
                let force = probe.ask(&format!("get1 0 {time} 0.5")).number();
                assert!(
                    (force - expected).abs() < 1e-9,
                    "{client:?} {k}: {force} {expected}"
                );
                told(&mut probe, &format!("set1 0 {time} 0 0.5"));
                if let Some(entry) = came {
                    filter.kept.push(entry);
                }
            }
        }
    }
}

/// Samples of one instant that come twice, motion that is told twice: no quotient of zeros.
#[test]
fn what_is_repeated_makes_no_nan() {
    for client in CLIENTS {
        for alpha in [0.0, 0.2] {
            let (mut probe, mut peer) = running(client, &[(MECHANICAL, line(DELAY, 10.0, 0.0, alpha))], &[]);
            let mut last = 0.0;
            for k in 1..30 {
                let time = f64::from(k) * 5e-3;
                samples(&mut peer, 0, &[[time, 0.0, 0.0, 3.0], [time, 0.0, 0.0, 4.0]]);
                samples(
                    &mut peer,
                    0,
                    &[[time, 0.0, 0.0, 5.0], [time - 1e-3, 0.0, 0.0, 6.0]],
                );
                for _ in 0..2 {
                    last = probe.ask(&format!("get1 0 {time} 0")).number();
                    assert!(last.is_finite());
                    told(&mut probe, &format!("set1 0 {time} 0 0"));
                }
            }
            // The first of each instant counts, so the wave is constant: at samples, between them, beyond them.
            let between = probe.ask("get1 0 0.148 0").number();
            let beyond = probe.ask("get1 0 0.2 0").number();
            for wave in [last, between, beyond] {
                assert!((wave - 3.0).abs() < 1e-12, "{client:?}: {wave}");
            }
            assert_eq!(probe.ask("extrapolations").number(), 1.0);
        }
    }
}

/// The same run with everything there beforehand and with everything as late as can be: the same bits.
#[test]
fn the_moment_of_arrival_changes_nothing() {
    for client in CLIENTS {
        let mut runs = Vec::new();
        for early in [true, false] {
            let lines = [
                (MECHANICAL, line(DELAY, 10.0, 0.0, 0.2)),
                ("y 1 bidirectional mechanical", line(0.7 * DELAY, 10.0, 0.0, 0.0)),
            ];
            let (mut probe, mut peer) = running(client, &lines, &[]);
            let sample =
                |k: i32, id: i32| [f64::from(k) * 3e-3, 0.0, 0.0, f64::from((k + id) * (k + 3) % 11)];
            if early {
                for id in 0..2 {
                    samples(&mut peer, id, &(1..40).map(|k| sample(k, id)).collect::<Vec<_>>());
                }
            }
            let mut sent = [0; 2];
            let mut forces = Vec::new();
            let mut ask = |probe: &mut Probe, peer: &mut Peer, id: i32, order: String| {
                probe.say(&order);
                // Late data comes one by one, only if it is waited for.
                while !early && sent[id as usize] < 40 && probe_waits_briefly(probe, &mut forces) {
                    sent[id as usize] += 1;
                    samples(peer, id, &[sample(sent[id as usize], id)]);
                }
                if early || sent[id as usize] >= 40 {
                    forces.push(probe.answer());
                }
            };
            for k in 1..12 {
                let time = f64::from(k) * 3.5e-3;
                for id in 0..2 {
                    ask(
                        &mut probe,
                        &mut peer,
                        id,
                        format!("get1 {id} {} 0.25", time - 1e-3),
                    );
                    ask(&mut probe, &mut peer, id, format!("get1 {id} {time} 0.25"));
                    ask(&mut probe, &mut peer, id, format!("set1 {id} {time} 0 0.25"));
                }
            }
            runs.push(forces);
        }
        assert_eq!(runs[0].len(), 66);
        assert_eq!(runs[0], runs[1], "{client:?}");
    }
}

/// Waits a moment for an answer; takes it down if there is one.
fn probe_waits_briefly(probe: &mut Probe, answers: &mut Vec<Answer>) -> bool {
    match probe.soon() {
        Some(answer) => {
            answers.push(answer);
            false
        }
        None => true,
    }
}

#[test]
fn cubic_waves_are_exact_for_cubic_waves() {
    for client in CLIENTS {
        let (mut probe, mut peer) = running(client, &[(MECHANICAL, line(DELAY, 10.0, 0.0, 0.0))], &["cubic"]);
        let wave = |t: f64| 1.0 + 2e2 * t - 3e4 * t * t + 4e6 * t * t * t;
        let times = [0.002, 0.005, 0.007, 0.011, 0.013, 0.018];
        samples(&mut peer, 0, &times.map(|t| [t, 0.0, 0.0, wave(t)]));
        for time in [0.005, 0.010, 0.0125] {
            told(&mut probe, &format!("set1 0 {time} 0 0"));
        }
        for time in [0.0195, 0.021, 0.0225] {
            let force = probe.ask(&format!("get1 0 {time} 0")).number();
            let error = (force - wave(time - DELAY)).abs();
            assert!(error < 1e-11, "{client:?} {time}: {error}");
        }
    }
    // The environment can ask for it too; and what it cannot mean is said.
    let mut probe = Probe::start(Client::C, &[("CARDAN_TLM_INTERPOLATION", "quintic")]);
    probe.refused("connect m 0 1 0.1 localhost:1", "linear or cubic");
    let mut probe = Probe::start(Client::Python, &[("CARDAN_TLM_FILTER_FEEDBACK", "-1")]);
    probe.refused("connect m 0 1 0.1 localhost:1", "CARDAN_TLM_FILTER_FEEDBACK");
}

/// A quarter turn about z, then one about x: global to component.
const A: [f64; 9] = [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
const PLACE: [f64; 3] = [10.0, 20.0, 30.0];

fn placed(alpha: f64) -> [f64; 29] {
    let mut all = line(DELAY, 100.0, 3.0, alpha);
    all[4..7].copy_from_slice(&PLACE);
    all[7..16].copy_from_slice(&A);
    all
}

fn apply(a: &[f64], v: &[f64]) -> Vec<f64> {
    (0..3)
        .map(|i| (0..3).map(|k| a[3 * i + k] * v[k]).sum())
        .collect()
}

fn apply_back(a: &[f64], v: &[f64]) -> Vec<f64> {
    (0..3)
        .map(|i| (0..3).map(|k| a[3 * k + i] * v[k]).sum())
        .collect()
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    assert!(
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12),
        "{a:?}\n{b:?}"
    );
}

fn about_z(angle: f64) -> Vec<f64> {
    let (s, c) = angle.sin_cos();
    vec![c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0]
}

fn list(numbers: &[f64]) -> String {
    numbers.iter().map(|n| format!(" {n}")).collect()
}

#[test]
fn three_dimensions_are_exchanged_in_the_global_frame() {
    for client in CLIENTS {
        let (mut probe, mut peer) = running(client, &[("tie 6 bidirectional mechanical", placed(0.0))], &[]);
        let (load, flow) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
        told(&mut probe, &format!("force3 0{}", list(&load)));
        told(&mut probe, &format!("flow3 0{}", list(&flow)));
        let (r, turn, v, w) = ([1.0, 2.0, 3.0], about_z(0.3), [7.0, 8.0, 9.0], [-1.0, -2.0, -3.0]);
        assert_eq!(
            probe
                .ask(&format!("get3 0 0.01{}{}", list(&v), list(&w)))
                .numbers(),
            load
        );
        let motion = format!("{}{}{}{}", list(&r), list(&turn), list(&v), list(&w));
        told(&mut probe, &format!("set3 0 0.01{motion}"));

        let sent = peer.expect(TIME_DATA).numbers();
        let place: Vec<f64> = (0..3).map(|k| PLACE[k] + apply_back(&A, &r)[k]).collect();
        close(&sent[1..4], &place);
        let product: Vec<f64> = (0..9)
            .map(|i| (0..3).map(|k| turn[i / 3 * 3 + k] * A[3 * k + i % 3]).sum())
            .collect();
        close(&sent[4..13], &product);
        close(&sent[13..16], &apply_back(&A, &v));
        close(&sent[16..19], &apply_back(&A, &w));
        let wave = |k: usize, z: f64, v: f64| -(load[k] - z * flow[k]) + z * v;
        let force: Vec<f64> = (0..3).map(|k| wave(k, 100.0, v[k])).collect();
        let torque: Vec<f64> = (0..3).map(|k| wave(3 + k, 3.0, w[k])).collect();
        close(&sent[19..22], &apply_back(&A, &force));
        close(&sent[22..25], &apply_back(&A, &torque));

        // Two samples of the other end, in big-endian order; half way between them.
        peer.big = true;
        let mut other = Vec::new();
        for (time, angle, f) in [(0.006, 0.2, 100.0), (0.010, 0.6, 300.0)] {
            other.extend([time, 10.0 * time, 0.0, 0.0]);
            other.extend(about_z(angle));
            other.extend([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, f, 2.0 * f, 3.0 * f, 4.0, 5.0, 6.0]);
        }
        peer.send(TIME_DATA, 0, &other);
        let data = probe.ask("data3 0 0.018").numbers();
        close(&data[..4], &[0.008, 0.08, 0.0, 0.0]);
        close(&data[4..13], &about_z(0.4));
        close(
            &data[13..],
            &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 200.0, 400.0, 600.0, 4.0, 5.0, 6.0],
        );
        let felt = probe
            .ask(&format!("get3 0 0.018{}{}", list(&v), list(&w)))
            .numbers();
        let (f, m) = (apply(&A, &[200.0, 400.0, 600.0]), apply(&A, &[4.0, 5.0, 6.0]));
        let expected: Vec<f64> = (0..3)
            .map(|k| f[k] - 100.0 * v[k])
            .chain((0..3).map(|k| m[k] - 3.0 * w[k]))
            .collect();
        close(&felt, &expected);
        close(
            &probe
                .ask(&format!("pure3 0 0.018{}{}", list(&v), list(&w)))
                .numbers(),
            &felt,
        );
        let wave = probe.ask("wave3 0 0.018").numbers();
        close(&wave, &[100.0, 3.0, 200.0, 400.0, 600.0, 4.0, 5.0, 6.0]);
        let seen = probe.ask("seen 0 0.018").numbers();
        let away: Vec<f64> = (0..3).map(|k| data[1 + k] - PLACE[k]).collect();
        close(&seen[..3], &apply(&A, &away));
        // Samples that leave at the end are in the global frame like all others.
        told(&mut probe, &format!("set3 0 0.012{motion}"));
        assert!(peer.silent());
        probe.say("close");
        close(&peer.expect(TIME_DATA).numbers()[1..4], &place);
    }
}
