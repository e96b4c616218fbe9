//! Every built-in model keeps the promises of a participant.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use cardan_core::interface::ParameterId;
use cardan_core::participant::{Participant, Settings};
use cardan_core::value::Value;
use cardan_models::multibody::{
    Body, Force, ForceKind, Joint, JointKind, Mechanism, Point, PointName, PortKind, PortOf,
};
use cardan_models::{Native, find};
use cardan_ode::{Method, SolverSettings};
use cardan_testkit::conformance;
use cardan_testkit::conformance::Options;

fn make(model: &str, method: Method, values: &[(&str, &[f64])]) -> Box<dyn Participant> {
    let info = find(model).unwrap();
    let parameters = (info.parameters)();
    let id = |name: &str| parameters.iter().position(|p| p.name == name).unwrap();
    let setting = |&(name, v): &(&str, &[f64])| (ParameterId(id(name) as u32), Value::Reals(v.to_vec()));
    let settings = Settings(values.iter().map(setting).collect());
    // The claims compare slopes with differences of the solution, so its error must be well below those.
    let mut solver = SolverSettings {
        rtol: 1e-11,
        atol: 1e-13,
        step: method.is_mechanical().then_some(1e-4),
        ..SolverSettings::of(method)
    };
    solver.mechanical.tolerance = Some(1e-12);
    info.build(&settings, &solver).unwrap()
}

/// The claims set tunable parameters to the values they have, so they are told those that are not the defaults.
fn options(values: &[(&str, &[f64])]) -> Options {
    let tell =
        |options: Options, &(name, v): &(&str, &[f64])| options.parameter(name, Value::Reals(v.to_vec()));
    values.iter().fold(Options::new(), tell)
}

/// One module of claims for a model with these parameters and this method.
macro_rules! conform {
    ($module:ident, $model:literal, $method:ident $(, $name:literal = [$($value:expr),*])*) => {
        conformance!(
            $module,
            || make($model, Method::$method, &[$(($name, &[$($value),*])),*]),
            options(&[$(($name, &[$($value),*])),*]),
        );
    };
}

conform!(constant, "constant", Dopri5, "value" = [2.0]);
conform!(step, "step", Dopri5, "time" = [0.035]);
conform!(ramp, "ramp", Dopri5, "start_time" = [0.015], "end_time" = [0.052]);
conform!(sine, "sine", Dopri5, "frequency" = [3.0]);
conform!(
    sampled_sine,
    "sine",
    Dopri5,
    "frequency" = [3.0],
    "period" = [0.1]
);
conform!(
    table,
    "table",
    Dopri5,
    "times" = [0.0, 0.02, 0.08],
    "values" = [1.0, 3.0, -1.0]
);
conform!(gain, "gain", Dopri5, "k" = [-3.0]);
conform!(sum, "sum", Dopri5, "gains" = [1.0, -2.0, 3.0]);
conform!(pid, "pid", Dopri5, "kp" = [2.0], "ki" = [3.0], "kd" = [0.1]);
conform!(
    limited_pid,
    "pid",
    Rk4,
    "ki" = [9.0],
    "minimum" = [-0.2],
    "maximum" = [0.1]
);
conform!(
    transfer_function,
    "transfer-function",
    Dopri5,
    "numerator" = [2.0, 1.0],
    "denominator" = [1.0, 2.0, 5.0]
);
conform!(
    lead,
    "transfer-function",
    Heun,
    "numerator" = [2.0, 1.0],
    "denominator" = [1.0, 2.0]
);
conform!(
    state_space,
    "state-space",
    Dopri5,
    "a" = [0.0, 1.0, -4.0, -1.0],
    "b" = [0.0, 1.0, 1.0, 0.0],
    "c" = [1.0, 0.0, 0.0, 1.0],
    "d" = [0.0, 0.0, 0.0, 2.0]
);
conform!(mass, "mass", Dopri5, "position" = [1.0]);
conform!(mass_by_euler, "mass", Euler, "velocity" = [1.0]);
conform!(
    spring_damper,
    "spring-damper",
    Dopri5,
    "stiffness" = [100.0],
    "damping" = [3.0]
);
conform!(
    rigid_body,
    "rigid-body",
    Dopri5,
    "inertia" = [0.2, 0.5, 0.6, 0.03, -0.02, 0.05],
    "gravity" = [0.0, 0.0, -9.81],
    "orientation" = [0.3, 0.2, 0.1],
    "angular_velocity" = [1.0, 2.0, 3.0]
);
conform!(
    bushing,
    "bushing",
    Dopri5,
    "stiffness" = [30.0, 20.0, 10.0, 3.0, 2.0, 1.0],
    "damping" = [3.0, 2.0, 1.0, 0.3, 0.2, 0.1]
);
conform!(
    mass_spring_damper,
    "mass-spring-damper",
    Rk4,
    "stiffness" = [90.0],
    "position" = [0.1]
);
conform!(
    stiff_oscillator,
    "mass-spring-damper",
    Bdf,
    "stiffness" = [1e4],
    "damping" = [1e3],
    "position" = [0.1]
);
conform!(
    coupled_mass,
    "coupled-mass",
    Dopri5,
    "coupling_stiffness" = [100.0],
    "coupling_damping" = [5.0]
);
conform!(
    quarter_car_chassis,
    "quarter-car-chassis",
    Dopri5,
    "deflection" = [0.01]
);
conform!(
    quarter_car_wheel,
    "quarter-car-wheel",
    Dopri5,
    "position" = [0.01]
);
conform!(
    moved_mass,
    "moved-mass",
    Dopri5,
    "stiffness" = [1000.0],
    "damping" = [1.0]
);
conform!(falling_mass, "mass", Rk4, "gravity" = [9.81]);
conform!(
    nonlinear_spring,
    "nonlinear-spring",
    Dopri5,
    "stiffness" = [100.0],
    "cubic_stiffness" = [20.0],
    "damping" = [3.0]
);
// The claims move inputs by about one: the floor is far above, so that it stays pressed in.
conform!(
    contact_spring,
    "contact-spring",
    Dopri5,
    "stiffness" = [100.0],
    "exponent" = [1.5],
    "damping" = [0.02],
    "floor" = [5.0]
);
conform!(pendulum_upper, "pendulum-upper", Dopri5, "angle" = [1.5]);
conform!(pendulum_lower, "pendulum-lower", Dopri5, "angle" = [-1.0]);
// It begins beyond the upper rod, and is pushed back.
conform!(
    pendulum_at_its_stop,
    "pendulum-lower",
    Bdf,
    "angle" = [2.0],
    "stop_stiffness" = [8.0],
    "stop_damping" = [30.0]
);
conform!(
    pendulum_meets_its_stop,
    "pendulum-lower",
    Dopri5,
    "speed" = [40.0],
    "angle" = [-1.0],
    "stop_stiffness" = [8.0],
    "stop_damping" = [3.0]
);
conform!(four_bar_linkage, "four-bar-linkage", Dopri5, "speed" = [3.0]);
conform!(four_bar, "four-bar", Rattle, "loops" = [2.0], "speed" = [3.0]);
conform!(
    damped_four_bar,
    "four-bar",
    Trapezoidal,
    "damping" = [0.1],
    "angle" = [0.4]
);
conform!(
    double_pendulum,
    "double-pendulum",
    GeneralizedAlpha,
    "angle1" = [1.0],
    "angle2" = [0.3]
);
conform!(
    double_pendulum_as_slopes,
    "double-pendulum",
    Dopri5,
    "angle1" = [1.0]
);
conform!(
    planar_chain,
    "planar-chain",
    Dopri5,
    "lengths" = [0.4, 0.7],
    "masses" = [2.0, 1.0],
    "hinge_damping" = [0.1],
    "joint_damping" = [0.2],
    "angles" = [0.3, -0.8]
);
conform!(
    hydraulic_pipe,
    "hydraulic-pipe",
    Dopri5,
    "viscosity" = [0.05],
    "orifice_area" = [4e-6],
    "flow" = [1e-5]
);
conform!(hydraulic_volume, "hydraulic-volume", Dopri5, "pressure" = [1e5]);
conform!(
    hydraulic_cylinder,
    "hydraulic-cylinder",
    Bdf,
    "stiffness" = [1e4],
    "damping" = [1e2]
);
conformance!(free_chain, || {
    let info = find("planar-chain").unwrap();
    let parameters = (info.parameters)();
    let base = parameters.iter().position(|p| p.name == "base").unwrap();
    let free = (ParameterId(base as u32), Value::string("free"));
    let solver = SolverSettings {
        rtol: 1e-11,
        atol: 1e-13,
        ..SolverSettings::of(Method::Dopri5)
    };
    info.build(&Settings(vec![free]), &solver).unwrap()
});
// An engine must turn.
conformance!(
    mean_value_engine,
    || make("mean-value-engine", Method::Dopri5, &[]),
    Options::new()
        .real("speed", |t| 200.0 + 50.0 * (20.0 * t).sin())
        .real("throttle", |t| 9.0 + 2.0 * (15.0 * t).sin()),
);
conformance!(
    spark_ignition_engine,
    || make(
        "spark-ignition-engine",
        Method::Dopri5,
        &[
            ("throttle_times", &[-1.0, 0.0215, 0.0525]),
            ("throttle_angles", &[8.0, 9.0, 7.0])
        ]
    ),
    Options::new().real("speed", |t| 200.0 + 50.0 * (20.0 * t).sin()),
);
conformance!(four_bar_by_tolerance, || {
    let solver = SolverSettings {
        rtol: 1e-11,
        atol: 1e-13,
        ..SolverSettings::of(Method::Rattle)
    };
    find("four-bar")
        .unwrap()
        .build(&Settings::default(), &solver)
        .unwrap()
});

/// A box on a hinge in space, held by a spring, with everything that others may see and do.
fn box_on_a_hinge() -> Box<dyn Participant> {
    let at = |body: &str, point: &str| PointName {
        body: body.to_owned(),
        point: point.to_owned(),
    };
    let port = |name: &str, kind| PortOf {
        name: name.to_owned(),
        kind,
    };
    let joint = || "hinge".to_owned();
    let mechanism = Mechanism {
        gravity: [0.0, 0.0, -9.81],
        bodies: vec![Body {
            name: "box".to_owned(),
            mass: 2.0,
            center: [0.3, 0.2, -0.1],
            inertia: Some([0.03, 0.04, 0.05, 0.002, 0.0, 0.001]),
            points: vec![Point {
                name: "hinge".to_owned(),
                at: [-0.2, 0.1, 0.3],
            }],
            ..Body::default()
        }],
        joints: vec![Joint {
            name: joint(),
            kind: JointKind::Revolute {
                axis: [0.36, 0.48, 0.8],
            },
            between: [at("ground", "origin"), at("box", "hinge")],
            start: Some(0.4),
            speed: None,
            drive: None,
        }],
        forces: vec![Force {
            name: "spring".to_owned(),
            kind: ForceKind::JointSpring {
                joint: joint(),
                stiffness: 20.0,
                damping: 0.3,
                rest: 0.0,
            },
        }],
        ports: vec![
            port(
                "box",
                PortKind::Frame {
                    at: at("box", "center"),
                },
            ),
            port("angle", PortKind::Motion { joint: joint() }),
            port("torque", PortKind::Effort { joint: joint() }),
            port("bearing", PortKind::Reaction { joint: joint() }),
        ],
        scene: true,
        ..Mechanism::default()
    };
    let solver = SolverSettings {
        rtol: 1e-11,
        atol: 1e-13,
        ..SolverSettings::of(Method::Rattle)
    };
    let blueprint = mechanism.blueprint("box").unwrap();
    Box::new(Native::new(blueprint, &Settings::default(), &solver).unwrap())
}
conformance!(a_mechanism_that_tells_all, box_on_a_hinge);
