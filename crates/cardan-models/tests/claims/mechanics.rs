//! Masses and springs against their closed forms.

use cardan_core::signal::{Curve, Segment};
use cardan_core::time::SimTime;
use cardan_core::value::Value;
use cardan_ode::{Method, SolverSettings};
use cardan_testkit::problems::RigidPair;

use crate::bench::{Bench, PRECISE, at, close, precise, reals};

/// `amplitude · sin(rate · t)`, exactly.
fn sine(amplitude: f64, rate: f64, until: f64) -> Segment {
    Segment {
        until: at(until),
        origin: SimTime::default(),
        curve: Curve::Arc {
            cosine: 0.0,
            sine: amplitude,
            rate,
        },
    }
}

#[test]
fn a_mass_falls_as_galileo_says() {
    for method in [Method::Heun, Method::Rk4, Method::Dopri5] {
        let start = reals(&[("mass", 2.0), ("position", 10.0), ("velocity", 1.0)]);
        let mut mass = Bench::new("mass", &start, &SolverSettings::of(method));
        let weight = -2.0 * 9.81;
        for k in 1..=10 {
            let t = 0.1 * f64::from(k);
            mass.hold(t, &[weight]);
            let [position, velocity, acceleration] = mass.outputs(&[weight])[..] else {
                unreachable!()
            };
            close(position, 10.0 + t - 0.5 * 9.81 * t * t, 1e-13);
            close(velocity, 1.0 - 9.81 * t, 1e-13);
            assert_eq!(acceleration, -9.81);
        }
    }
}

/// The same fall, as a property of the mass instead of a force on it.
#[test]
fn gravity_is_a_weight_that_nobody_has_to_connect() {
    let start = [
        ("mass", 2.0),
        ("gravity", 9.81),
        ("position", 10.0),
        ("velocity", 1.0),
    ];
    let mut mass = Bench::precise("mass", &start);
    for t in [0.1, 0.4, 1.0] {
        mass.hold(t, &[0.0]);
        let [position, velocity, acceleration] = mass.outputs(&[2.0])[..] else {
            unreachable!()
        };
        close(position, 10.0 + t - 0.5 * 9.81 * t * t, 1e-13);
        close(velocity, 1.0 - 9.81 * t, 1e-13);
        assert_eq!(acceleration, 1.0 - 9.81);
    }
}

#[test]
fn a_forced_oscillator_swings_with_both_frequencies() {
    // x'' + 4 x = sin 3 t from rest: x = (3/2 sin 2 t - sin 3 t) / 5
    let mut oscillator = Bench::precise("mass-spring-damper", &[("mass", 0.5), ("stiffness", 2.0)]);
    for k in 1..=20 {
        let t = 0.25 * f64::from(k);
        oscillator.step(t, &[sine(0.5, 3.0, t)]);
        let force = 0.5 * (3.0 * t).sin();
        let [position, velocity, acceleration] = oscillator.outputs(&[force])[..] else {
            unreachable!()
        };
        close(position, (1.5 * (2.0 * t).sin() - (3.0 * t).sin()) / 5.0, PRECISE);
        close(velocity, 0.6 * ((2.0 * t).cos() - (3.0 * t).cos()), PRECISE);
        close(acceleration, 2.0 * force - 4.0 * position, 1e-15);
    }
}

#[test]
fn a_damped_oscillator_decays_as_it_should() {
    let values = [
        ("mass", 2.0),
        ("stiffness", 50.0),
        ("damping", 4.0),
        ("position", 1.0),
    ];
    let mut oscillator = Bench::precise("mass-spring-damper", &values);
    let (decay, frequency) = (1.0_f64, 24.0_f64.sqrt());
    for t in [0.1, 0.5, 2.0] {
        oscillator.hold(t, &[0.0]);
        let phase = frequency * t;
        let expected = (-decay * t).exp() * (phase.cos() + decay / frequency * phase.sin());
        close(oscillator.outputs(&[0.0])[0], expected, PRECISE);
    }
}

#[test]
fn an_undamped_oscillator_keeps_its_energy() {
    for method in [Method::Rk4, Method::Dopri5, Method::Bdf] {
        let settings = SolverSettings {
            step: method.is_fixed_step().then_some(1e-2),
            method,
            ..precise()
        };
        let values = reals(&[("stiffness", 9.0), ("position", 0.3), ("velocity", -0.4)]);
        let mut oscillator = Bench::new("mass-spring-damper", &values, &settings);
        let energy = |x: &[f64]| 0.5 * (9.0 * x[0] * x[0] + x[1] * x[1]);
        let before = energy(&oscillator.outputs(&[0.0]));
        // About fifty periods, in which rk4 loses 2 h ω (h ω)⁵ / 144 in each step.
        for k in 1..=1000 {
            oscillator.hold(0.1 * f64::from(k), &[0.0]);
        }
        close(energy(&oscillator.outputs(&[0.0])) / before, 1.0, 2e-6);
    }
}

#[test]
fn spring_and_damper_act_equally_and_oppositely() {
    let values = reals(&[("stiffness", 100.0), ("damping", 7.0), ("length", 0.5)]);
    let mut spring = Bench::new("spring-damper", &values, &precise());
    for motion in [[1.0, 0.0, 0.0, 0.0], [0.2, -1.0, 0.1, 3.0], [0.5, 2.0, 0.0, 2.0]] {
        let [on_a, on_b] = spring.outputs(&motion)[..] else {
            unreachable!()
        };
        let [xa, va, xb, vb] = motion;
        close(on_a, -100.0 * (xa - xb - 0.5) - 7.0 * (va - vb), 1e-12);
        assert_eq!(on_a, -on_b);
    }
    assert_eq!(spring.outputs(&[0.5, 0.0, 0.0, 0.0]), [0.0, 0.0]);
}

/// 10 kN/m and 100 MN/m³ share the load at a centimetre: 100 N each, and half and a quarter of that times the way.
#[test]
fn a_nonlinear_spring_stiffens() {
    let values = [("stiffness", 1e4), ("cubic_stiffness", 1e8), ("damping", 5.0)];
    let mut spring = Bench::precise("nonlinear-spring", &values);
    for (motion, force, energy) in [
        ([0.01, 0.0], -200.0, 0.75),
        ([-0.01, 2.0], 190.0, 0.75),
        ([0.02, 0.0], -1000.0, 6.0),
        ([0.0, -1.0], 5.0, 0.0),
    ] {
        let [found_force, found_energy] = spring.outputs(&motion)[..] else {
            unreachable!()
        };
        close(found_force, force, 1e-12);
        close(found_energy, energy, 1e-14);
    }
}

/// What the energy rises by is the work done, whatever the law: the force is the slope of the energy.
#[test]
fn springs_store_the_work_done_on_them() {
    let nonlinear = reals(&[("stiffness", 1e4), ("cubic_stiffness", -3e7)]);
    let contact = reals(&[("stiffness", 5e7), ("exponent", 1.5), ("floor", 0.003)]);
    for (model, values) in [("nonlinear-spring", nonlinear), ("contact-spring", contact)] {
        let mut spring = Bench::new(model, &values, &precise());
        for position in [-0.004, -0.001, 0.002, 0.009] {
            let at = |spring: &mut Bench, position: f64| {
                let outputs = spring.outputs(&[position, 0.0]);
                (outputs[0], outputs[1])
            };
            let (force, _) = at(&mut spring, position);
            let h = 1e-6;
            let rise = at(&mut spring, position + h).1 - at(&mut spring, position - h).1;
            // A central difference errs by h²/6 of the third derivative: of the order of the force times (h/1 mm)².
            close(rise / (2.0 * h), -force, 1e-6 * force.abs());
        }
    }
}

#[test]
fn a_contact_pushes_and_never_pulls() {
    let values = [("stiffness", 1e6), ("damping", 0.5), ("floor", 0.1)];
    let mut contact = Bench::precise("contact-spring", &values);
    // Open, however fast things come down; touching; pressed in, at rest, on the way in and out; torn off.
    for ([position, velocity], depth, force) in [
        ([0.11, -3.0], 0.0, 0.0),
        ([0.1, -3.0], 0.0, 0.0),
        ([0.099, 0.0], 1e-3, 1000.0),
        ([0.099, -1.0], 1e-3, 1500.0),
        ([0.099, 1.0], 1e-3, 500.0),
        ([0.099, 2.5], 1e-3, 0.0),
    ] {
        let [found, energy, found_depth] = contact.outputs(&[position, velocity])[..] else {
            unreachable!()
        };
        // The depth is what rounding leaves of a difference of decimetres.
        close(found_depth, depth, 1e-16);
        close(found, force, 1e-9);
        close(energy, 0.5 * 1e6 * depth * depth, 1e-9);
    }
}

#[test]
fn a_coupled_mass_obeys_the_equations_of_the_two_mass_oscillator() {
    let values = [
        ("mass", 2.0),
        ("stiffness", 400.0),
        ("damping", 0.2),
        ("coupling_stiffness", 1e4),
        ("coupling_damping", 10.0),
        ("position", 0.2),
    ];
    let mut mass = Bench::precise("coupled-mass", &values);
    // The same from the book: 2 x'' = -400 x - 0.2 x' - λ with λ = 10⁴ (x - x1) + 10 (x' - v1).
    let matrices = [
        ("a", Value::Reals(vec![0.0, 1.0, -10_400.0 / 2.0, -10.2 / 2.0])),
        ("b", Value::Reals(vec![0.0, 0.0, 5e3, 5.0])),
        ("c", Value::Reals(vec![1.0, 0.0, 0.0, 1.0, 1e4, 10.0])),
        ("d", Value::Reals(vec![0.0, 0.0, 0.0, 0.0, -1e4, -10.0])),
        ("x0", Value::Reals(vec![0.2, 0.0])),
    ];
    let mut book = Bench::new("state-space", &matrices, &precise());
    for k in 1..=50 {
        let t = 0.01 * f64::from(k);
        let other = [sine(0.1, 12.9, t), sine(0.7, 20.0, t)];
        mass.step(t, &other);
        book.step(t, &other);
        let other = other.map(|law| law.at(at(t)));
        for (found, expected) in mass.outputs(&other).into_iter().zip(book.outputs(&other)) {
            close(found, expected, 1e-6);
        }
    }
}

/// The first mass answers a force with an acceleration, the moved mass that with a force: around the loop, the ratio of
/// their masses.
#[test]
fn a_moved_mass_closes_a_loop_with_the_ratio_of_the_masses() {
    for alpha in [0.6, 2.0, 31.0] {
        let pair = RigidPair { alpha };
        let (first, second) = (pair.first(), pair.second());
        let values = [
            ("mass", first.mass),
            ("stiffness", first.stiffness),
            ("damping", first.damping),
            ("position", 0.1),
        ];
        let mut free = Bench::precise("mass-spring-damper", &values);
        let values = [
            ("mass", second.mass),
            ("stiffness", second.stiffness),
            ("damping", second.damping),
        ];
        let mut moved = Bench::precise("moved-mass", &values);
        let mut around = |lambda: f64| moved.outputs(&free.outputs(&[-lambda]))[0];
        // The force of the problem goes around unchanged; another one comes back with the gain.
        let exact = pair.lambda(0.0);
        close(around(exact), exact, 1e-11);
        close(around(exact + 1.0) - exact, pair.loop_gain(), 1e-11);
    }
}

/// The first mass steps with a held force, then the moved one answers to where it is: an error of the force grows by the
/// ratio of the masses in each step, and no smaller step helps. The figures are those of the problem.
#[test]
fn a_held_constraint_force_errs_more_in_each_step() {
    for (alpha, growth) in [(0.6, 0.601), (2.0, 2.0007), (31.0, 30.998)] {
        let pair = RigidPair { alpha };
        let (first, second) = (pair.first(), pair.second());
        let answer = |lambda: f64| {
            let values = [
                ("mass", first.mass),
                ("stiffness", first.stiffness),
                ("damping", first.damping),
                ("position", 0.1),
            ];
            let mut free = Bench::precise("mass-spring-damper", &values);
            let values = [
                ("mass", second.mass),
                ("stiffness", second.stiffness),
                ("damping", second.damping),
            ];
            let mut moved = Bench::precise("moved-mass", &values);
            free.hold(1e-3, &[-lambda]);
            moved.hold(1e-3, &[0.0; 3]);
            moved.outputs(&free.outputs(&[-lambda]))[0]
        };
        let found = answer(pair.lambda(0.0) + 1.0) - answer(pair.lambda(0.0));
        // The force takes h/m1 of the velocity and h²/2 m1 of the position; what that is to both springs and dampers
        // comes on top. The next terms are smaller by the 1e-4 of damping that the first mass has in a step, and (10 h)².
        let (h, m1) = (1e-3, first.mass);
        let on_top = h / m1 * (second.damping - alpha * first.damping)
            + h * h / (2.0 * m1) * (second.stiffness - alpha * first.stiffness);
        close(found, -alpha - on_top, 1e-6);
        // In the problem, the second half has states of its own, and moves with a force that it finds on the way.
        close(found, -growth, 1e-3);
    }
}
