//! Chains of bodies in a plane against closed forms, balances and the published solution of a problem.

use std::f64::consts::FRAC_PI_2;

use cardan_core::planes::Planes;
use cardan_core::value::Value;
use cardan_ode::{Method, SolverSettings};

use crate::bench::{Bench, PRECISE, at, build, close, precise};

const G: f64 = 9.81;

fn list(values: &[f64]) -> Value {
    Value::Reals(values.to_vec())
}

fn chain(values: &[(&'static str, Value)]) -> Bench {
    Bench::new("planar-chain", values, &precise())
}

/// How the outputs change in time under held loads.
fn slopes(bench: &mut Bench, loads: &[f64]) -> Vec<f64> {
    let width = bench.outputs(loads).len();
    let mut slopes = vec![f64::NAN; width];
    let planes = Planes {
        reals: loads.to_vec(),
        ..Planes::default()
    };
    bench
        .participant
        .slopes()
        .unwrap()
        .slopes(at(bench.time), &planes, &vec![0.0; loads.len()], &mut slopes)
        .unwrap();
    slopes
}

/// A rod that is let go where it lies: the hinge carries a quarter of its weight. When it hangs, it turns at √(3 g / l),
/// and the hinge carries two and a half times the weight.
#[test]
fn a_rod_falls_about_its_hinge() {
    let (mass, length) = (3.0, 0.8);
    let rod = [("lengths", Value::real(length)), ("masses", Value::real(mass))];
    let mut rod = chain(&rod);
    let still = [0.0; 6];
    let first = rod.outputs(&still);
    // Frames, angle, speed, energy, force of the hinge.
    close(first[29], 0.0, 1e-12);
    close(first[30], 0.25 * mass * G, 1e-12);
    let acceleration = slopes(&mut rod, &still)[27];
    close(acceleration, -1.5 * G / length, 1e-6);
    let mut lowest = [0.0; 3];
    while rod.outputs(&still)[26] > -3.0 {
        rod.hold(rod.time + 1e-3, &still);
        let now = rod.outputs(&still);
        close(now[28], 0.0, PRECISE);
        // At every angle: ω² = 3 g sin / l, and the force from it and from the acceleration.
        let (sin, cos) = now[26].sin_cos();
        close(now[27] * now[27], -3.0 * G * sin / length, PRECISE);
        let (around, along) = (-1.5 * G * cos / length, now[27] * now[27]);
        let lever = 0.5 * mass * length;
        close(now[29], -lever * (sin * around + cos * along), 1e-6);
        close(now[30], mass * G + lever * (cos * around - sin * along), 1e-6);
        if (now[26] + FRAC_PI_2).abs() < (lowest[0] + FRAC_PI_2).abs() {
            lowest = [now[26], now[27], now[30]];
        }
        assert!(rod.time < 2.0, "it never came to the other side");
    }
    // A row every millisecond meets the lowest point to 3 mrad, and all of this is flat there.
    close(lowest[1], -(3.0 * G / length).sqrt(), 1e-4);
    close(lowest[2], 2.5 * mass * G, 1e-3);
}

/// The double pendulum of problem 11: boxes of 13.86 kg, half a metre long and 60 mm wide, let go where they lie.
#[test]
fn two_boxes_swing_as_published() {
    let inertia = 13.86 * (0.5 * 0.5 + 0.06 * 0.06) / 12.0;
    let boxes = [
        ("lengths", list(&[0.5, 0.5])),
        ("masses", Value::real(13.86)),
        ("inertias", Value::real(inertia)),
        ("hinge_damping", Value::real(0.1)),
    ];
    let solver = SolverSettings {
        rtol: 1e-12,
        atol: 1e-13,
        ..SolverSettings::of(Method::Dopri5)
    };
    let mut boxes = Bench::new("planar-chain", &boxes, &solver);
    let still = [0.0; 6];
    boxes.hold(3.0, &still);
    let end = boxes.outputs(&still);
    // Nine decimals are published.
    close(end[26], -2.315814713, 1e-9);
    close(end[27], -4.052425355, 1e-9);
}

/// Three shafts in one piece, 3 kg, 160 mm and 40 mm thick each: six decimals are published.
#[test]
fn a_stiff_row_of_shafts_swings_as_published() {
    let (mass, length) = (9.0, 0.48);
    let inertia = mass * (length * length / 12.0 + 0.02 * 0.02 / 4.0);
    let mut shaft = chain(&[
        ("lengths", Value::real(length)),
        ("masses", Value::real(mass)),
        ("inertias", Value::real(inertia)),
    ]);
    shaft.hold(0.5, &[0.0; 6]);
    close(shaft.outputs(&[0.0; 6])[26], -2.701213, 5e-7);
}

fn thrown() -> Vec<(&'static str, Value)> {
    vec![
        ("base", Value::string("free")),
        ("lengths", list(&[0.4, 0.7, 0.3])),
        ("masses", list(&[2.0, 1.0, 3.0])),
        ("centres", list(&[0.1, 0.5, 0.15])),
        ("inertias", list(&[0.05, 0.04, 0.06])),
        ("position", list(&[1.0, 2.0])),
        ("velocity", list(&[-1.0, 4.0])),
        ("angles", list(&[0.3, -0.8, 2.0])),
        ("speeds", list(&[5.0, -3.0, 1.0])),
    ]
}

/// Momentum and angular momentum about the origin, and the centre of mass, from what is seen.
fn momenta(seen: &[f64]) -> [f64; 5] {
    let bodies = [
        (0.4, 2.0, 0.1, 0.05),
        (0.7, 1.0, 0.5, 0.04),
        (0.3, 3.0, 0.15, 0.06),
    ];
    let (mut x, mut y, mut vx, mut vy) = (seen[0], seen[1], seen[7], seen[8]);
    let mut sums = [0.0; 5];
    for (k, (length, mass, centre, inertia)) in bodies.into_iter().enumerate() {
        let (sin, cos) = seen[26 + k].sin_cos();
        let speed = seen[29 + k];
        let at = [x + centre * cos, y + centre * sin];
        let v = [vx - centre * sin * speed, vy + centre * cos * speed];
        let parts = [
            mass * v[0],
            mass * v[1],
            mass * (at[0] * v[1] - at[1] * v[0]) + inertia * speed,
            mass * at[0],
            mass * at[1],
        ];
        for (sum, part) in sums.iter_mut().zip(parts) {
            *sum += part;
        }
        (x, y) = (x + length * cos, y + length * sin);
        (vx, vy) = (vx - length * sin * speed, vy + length * cos * speed);
    }
    close(x, seen[13], 1e-12);
    close(y, seen[14], 1e-12);
    close(vx, seen[20], 1e-11);
    close(vy, seen[21], 1e-11);
    sums
}

/// The centre of mass of a thrown chain follows a parabola; energy and the angular momentum about the centre are kept,
/// whatever the bodies do among themselves.
#[test]
fn a_thrown_chain_keeps_what_it_has() {
    let mut thrown = chain(&thrown());
    let still = [0.0; 12];
    let first = thrown.outputs(&still);
    let about_centre = |[px, py, turning, mx, my]: [f64; 5]| turning - (mx * py - my * px) / 6.0;
    let start = momenta(&first);
    for k in 1..=20 {
        let t = 0.1 * f64::from(k);
        thrown.hold(t, &still);
        let seen = thrown.outputs(&still);
        let now = momenta(&seen);
        close(now[0], start[0], PRECISE);
        close(now[1], start[1] - 6.0 * G * t, PRECISE);
        close(now[3], start[3] + start[0] * t, PRECISE);
        close(now[4], start[4] + start[1] * t - 3.0 * G * t * t, 2.0 * PRECISE);
        close(about_centre(now), about_centre(start), PRECISE);
        close(seen[32], first[32], 1e-7);
    }
}

/// Loads at both ends do the work they say, and change the momenta as they say; dampers between the bodies take energy
/// and no momentum.
#[test]
fn loads_do_their_work() {
    let loads = [3.0, -2.0, 7.0, 11.0, 13.0, 0.4, -5.0, 6.0, 17.0, 19.0, 23.0, -0.7];
    for damping in [0.0, 0.3] {
        let mut values = thrown();
        values.push(("joint_damping", Value::real(damping)));
        let mut pushed = chain(&values);
        let seen = pushed.outputs(&loads);
        let power = slopes(&mut pushed, &loads)[32];
        let work = loads[0] * seen[7]
            + loads[1] * seen[8]
            + loads[5] * seen[12]
            + loads[6] * seen[20]
            + loads[7] * seen[21]
            + loads[11] * seen[25];
        let lost = damping * ((seen[30] - seen[29]).powi(2) + (seen[31] - seen[30]).powi(2));
        // Differences of an energy of a few hundred joules.
        close(power, work - lost, 1e-5);
        let before = momenta(&seen);
        // Loads that are fixed in space, over an instant.
        let h = 1e-4;
        pushed.hold(h, &loads);
        let after = momenta(&pushed.outputs(&loads));
        let change = |k: usize| (after[k] - before[k]) / h;
        close(change(0), loads[0] + loads[6], 1e-6);
        close(change(1), loads[1] + loads[7] - 6.0 * G, 1e-6);
        let moment = |at: usize, load: usize| {
            seen[at] * loads[load + 1] - seen[at + 1] * loads[load] + loads[load + 5]
        };
        let weight = -G * 0.5 * (before[3] + after[3]);
        // The points move by 5e-4 m meanwhile, under forces of 8 N.
        close(change(2), moment(0, 0) + moment(13, 6) + weight, 5e-3);
    }
}

/// A chain on a hinge is a free chain that is held by the hinge's force: its end does not accelerate, and its bodies turn
/// alike. What only turns or pushes out of the plane is felt by neither.
#[test]
fn the_force_of_the_hinge_holds_a_free_chain() {
    let shape = [
        ("lengths", list(&[0.4, 0.7, 0.3])),
        ("masses", list(&[2.0, 1.0, 3.0])),
        ("angles", list(&[0.3, -0.8, 2.0])),
        ("speeds", list(&[5.0, -3.0, 1.0])),
        ("joint_damping", Value::real(0.2)),
    ];
    let tip = [4.0, -3.0, 0.0, 0.0, 0.0, 1.5];
    let mut hinged = chain(&shape);
    let force = hinged.outputs(&tip)[33..].to_vec();
    let turning = slopes(&mut hinged, &tip)[29..32].to_vec();
    let mut values = shape.to_vec();
    values.push(("base", Value::string("free")));
    let mut free = chain(&values);
    let mut loads = vec![force[0], force[1], 1e3, 1e3, -1e3, 0.0];
    loads.extend([4.0, -3.0, -1e3, 2e3, 3e3, 1.5]);
    let held = slopes(&mut free, &loads);
    // Slopes are differences: of accelerations up to some hundred rad/s².
    close(held[7], 0.0, 1e-4);
    close(held[8], 0.0, 1e-4);
    for (held, turning) in held[29..32].iter().zip(&turning) {
        close(*held, *turning, 1e-4);
    }
    // How the force answers to the load is known, and equal to differences, for it is a straight line.
    let planes = Planes {
        reals: tip.to_vec(),
        ..Planes::default()
    };
    let along = [0.5, 2.0, 1.0, 1.0, 1.0, -0.3];
    let more: Vec<f64> = tip.iter().zip(along).map(|(a, b)| a + b).collect();
    let moved = hinged.outputs(&more)[33..].to_vec();
    let mut change = vec![f64::NAN; 35];
    let ability = hinged.participant.derivatives().unwrap();
    ability
        .directional(at(0.0), &planes, &along, &mut change)
        .unwrap();
    assert!(change[..33].iter().all(|part| *part == 0.0));
    for (k, change) in change[33..].iter().enumerate() {
        close(*change, moved[k] - force[k], 1e-11);
    }
}

#[test]
fn a_chain_that_cannot_be_is_refused() {
    for (values, words) in [
        (
            vec![("base", Value::string("welded"))],
            "parameter base: must be \"hinge\" or \"free\", found \"welded\"",
        ),
        (
            vec![("lengths", list(&[]))],
            "parameter lengths: expected the lengths of 1 to 16 bodies, found 0",
        ),
        (
            vec![("lengths", list(&[1.0; 17]))],
            "parameter lengths: expected the lengths of 1 to 16 bodies, found 17",
        ),
        (
            vec![("lengths", list(&[1.0; 3])), ("masses", list(&[1.0; 2]))],
            "parameter masses: expected 3 values, one for each length, or one for all; found 2",
        ),
        (
            vec![("masses", list(&[]))],
            "parameter masses: expected at least one value, found none",
        ),
        (
            vec![("inertias", Value::real(0.0))],
            "parameter inertias: must be greater than 0, found 0",
        ),
        (
            vec![("position", list(&[0.0; 3]))],
            "parameter position: expected 2 values (x, y), found 3",
        ),
        (
            vec![("velocity", list(&[0.0, 1.0]))],
            "parameter velocity: the hinge does not move",
        ),
        (
            vec![
                ("base", Value::string("free")),
                ("hinge_damping", Value::real(1.0)),
            ],
            "parameter hinge_damping: a free chain has no hinge",
        ),
    ] {
        let refused = build("planar-chain", &values, &precise()).err().unwrap();
        assert_eq!(refused.to_string(), words);
    }
    let most = vec![("lengths", list(&[0.1; 16])), ("base", Value::string("free"))];
    assert!(build("planar-chain", &most, &precise()).is_ok());
}
