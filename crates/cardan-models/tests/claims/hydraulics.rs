//! Pipes, volumes and cylinders against their closed forms.

use std::f64::consts::PI;

use cardan_ode::{Method, SolverSettings};

use crate::bench::{Bench, PRECISE, build, close, precise, reals};

const DROP: f64 = 5e5;

/// Both ways of solving: the second one is told the derivative of the law.
fn both(model: &str, values: &[(&'static str, f64)], check: impl Fn(&mut Bench)) {
    for method in [Method::Dopri5, Method::Bdf] {
        let solver = SolverSettings { method, ..precise() };
        check(&mut Bench::new(model, &reals(values), &solver));
    }
}

/// Without losses the pressure accelerates a column of fluid: q' = A Δp / (ρ l).
#[test]
fn a_pressure_accelerates_the_fluid_in_a_pipe() {
    let pipe = [
        ("length", 2.0),
        ("area", 3e-4),
        ("density", 900.0),
        ("flow", 1e-4),
    ];
    both("hydraulic-pipe", &pipe, |pipe| {
        pipe.hold(0.1, &[2.0 * DROP, DROP]);
        let [out_a, out_b] = pipe.outputs(&[0.0; 2])[..] else {
            unreachable!()
        };
        let expected = 1e-4 + 0.1 * 3e-4 * DROP / 1800.0;
        close(out_b / expected, 1.0, PRECISE);
        assert_eq!(out_a, -out_b);
    });
}

/// Hagen and Poiseuille: the flow comes to π r⁴ Δp / (8 μ l), by an exponential of rate 8 μ / (ρ r²).
#[test]
fn friction_along_the_pipe_limits_the_flow() {
    let (radius, length, viscosity, density) = (0.004_f64, 3.0, 0.05, 870.0);
    let values = [
        ("length", length),
        ("area", PI * radius * radius),
        ("density", density),
        ("viscosity", viscosity),
    ];
    let end = PI * radius.powi(4) * DROP / (8.0 * viscosity * length);
    let rate = 8.0 * viscosity / (density * radius * radius);
    both("hydraulic-pipe", &values, |pipe| {
        for k in 1..=10 {
            let t = 0.02 * f64::from(k);
            pipe.hold(t, &[0.0, DROP]);
            // From b to a, which is out at a.
            let flow = pipe.outputs(&[0.0; 2])[0];
            close(flow / end, 1.0 - (-rate * t).exp(), PRECISE);
        }
    });
}

/// A turbulent orifice: v' = (Δp - k v²) / (ρ l) gives a hyperbolic tangent, and the flow comes to C A √(2 Δp / ρ). Nearly all
/// the time the flow is 10⁷ times that of the laminar zone, which is felt by the square of that.
#[test]
fn an_orifice_lets_through_the_root_of_the_pressure() {
    let (area, opening, discharge, density, length) = (1e-4, 4e-6, 0.6, 850.0, 1.5);
    let values = [
        ("length", length),
        ("area", area),
        ("density", density),
        ("orifice_area", opening),
        ("discharge", discharge),
        ("laminar_flow", 1e-11),
    ];
    let end = discharge * opening * (2.0 * DROP / density).sqrt();
    let rate = area * DROP / (density * length * end);
    both("hydraulic-pipe", &values, |pipe| {
        for k in 1..=10 {
            let t = 0.3 * f64::from(k) / rate;
            pipe.hold(t, &[DROP, 0.0]);
            let flow = pipe.outputs(&[0.0; 2])[1];
            close(flow / end, (rate * t).tanh(), PRECISE);
        }
    });
}

/// Far below its edge the laminar zone is a straight line: ρ q₀ / (2 (C A)²) for each flow.
#[test]
fn a_slow_flow_loses_pressure_in_proportion() {
    let (area, opening, discharge, density, laminar) = (1e-4, 4e-6_f64, 0.6, 850.0, 1e-5);
    let values = [
        ("length", 1.5),
        ("area", area),
        ("density", density),
        ("orifice_area", opening),
        ("discharge", discharge),
        ("laminar_flow", laminar),
        ("flow", 1e-4 * laminar),
    ];
    let resistance = density * laminar / (2.0 * (discharge * opening).powi(2));
    let rate = resistance * area / (density * 1.5);
    both("hydraulic-pipe", &values, |pipe| {
        pipe.hold(2.0 / rate, &[0.0; 2]);
        // The zone bends by 1e-8 / 2 of the flow; a velocity of 1e-5 m/s is known to some atol, which is 1e-12.
        close(
            pipe.outputs(&[0.0; 2])[1] / (1e-4 * laminar),
            (-2.0_f64).exp(),
            1e-6,
        );
    });
}

#[test]
fn what_flows_in_raises_the_pressure_of_a_volume() {
    let values = [("volume", 5e-4), ("bulk_modulus", 1.2e9), ("pressure", 1e5)];
    both("hydraulic-volume", &values, |volume| {
        volume.hold(0.5, &[3e-6, -1e-6]);
        close(volume.outputs(&[0.0; 2])[0] / (1e5 + 2.4e12 * 1e-6), 1.0, PRECISE);
    });
}

/// The piston swings about p A / k, and takes in what it makes room for.
#[test]
fn a_pressure_pushes_the_piston_out() {
    let (area, mass, stiffness) = (2e-3, 4.0, 1e5_f64);
    let values = [("area", area), ("mass", mass), ("stiffness", stiffness)];
    let omega = (stiffness / mass).sqrt();
    let rest = (area * DROP + 300.0) / stiffness;
    both("hydraulic-cylinder", &values, |cylinder| {
        for k in 1..=10 {
            let t = 5e-3 * f64::from(k);
            cylinder.hold(t, &[DROP, 300.0]);
            let [flow, position, velocity] = cylinder.outputs(&[0.0; 2])[..] else {
                unreachable!()
            };
            close(position, rest * (1.0 - (omega * t).cos()), PRECISE);
            close(velocity, rest * omega * (omega * t).sin(), 1e-6);
            assert_eq!(flow, -area * velocity);
        }
    });
    let damped = [("stiffness", stiffness), ("damping", 2e3), ("area", area)];
    both("hydraulic-cylinder", &damped, |cylinder| {
        cylinder.hold(1.0, &[DROP, 0.0]);
        close(cylinder.outputs(&[0.0; 2])[1], area * DROP / stiffness, PRECISE);
    });
}

/// A supply, a volume and a cylinder, by hand, with flows and pressures half a step apart: what they hold is what the supply
/// gave. Only the way of the piston over a step is not exactly the mean of its velocities: an error of second order.
#[test]
fn a_circuit_holds_what_the_supply_gave() {
    let (coarse, fine) = (worst_balance(2e-5), worst_balance(1e-5));
    close(coarse / fine, 4.0, 0.1);
}

/// The largest difference between what is there and what was given over 0.2 s.
fn worst_balance(h: f64) -> f64 {
    let mut pipe = Bench::precise("hydraulic-pipe", &[("length", 1.0), ("area", 1e-4)]);
    let mut volume = Bench::precise("hydraulic-volume", &[("volume", 1e-3)]);
    let values = [("area", 1e-3), ("mass", 2.0), ("stiffness", 1e5)];
    let mut cylinder = Bench::precise("hydraulic-cylinder", &values);
    let (inertance, capacity) = (870.0 / 1e-4, 1e-3 / 1.6e9);
    let (mut pressure, mut before, mut given) = (0.0, 0.0, 0.0);
    let (mut most, mut worst) = (0.0_f64, 0.0_f64);
    let steps = (0.2 / h).round() as u32;
    for k in 1..=steps {
        let t = h * f64::from(k);
        pipe.hold(t, &[DROP, pressure]);
        cylinder.hold(t, &[pressure, 0.0]);
        let flow = pipe.outputs(&[0.0; 2])[1];
        let piston = cylinder.outputs(&[0.0; 2]);
        // The flows are those at t; the pressure was that at t - h / 2, and now goes to t + h / 2.
        let held = pressure;
        volume.hold(t, &[flow, piston[0]]);
        pressure = volume.outputs(&[0.0; 2])[0];
        given += DROP * h * 0.5 * (flow + before);
        before = flow;
        let holds = 0.5 * inertance * flow * flow
            + 0.5 * capacity * held * pressure
            + 0.5 * 2.0 * piston[2] * piston[2]
            + 0.5 * 1e5 * piston[1] * piston[1];
        worst = worst.max((holds - given).abs());
        most = most.max(holds);
    }
    assert!(worst < 1e-5 * most, "{worst} J of {most} J");
    worst
}

#[test]
fn parts_that_cannot_be_are_refused() {
    for (model, name, value) in [
        ("hydraulic-pipe", "area", 0.0),
        ("hydraulic-pipe", "orifice_area", 0.0),
        ("hydraulic-volume", "volume", -1.0),
        ("hydraulic-cylinder", "mass", 0.0),
    ] {
        let refused = build(model, &reals(&[(name, value)]), &precise()).err().unwrap();
        assert_eq!(
            refused.to_string(),
            format!("parameter {name}: must be greater than 0, found {value}")
        );
    }
}
