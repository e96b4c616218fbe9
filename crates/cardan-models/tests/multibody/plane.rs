//! Mechanisms in a plane against closed forms and independent equations.

use cardan_models::multibody::{
    Body, Force, ForceKind, JointKind, Mechanism, Motion, PortKind, PortOf, Shape, Space,
};
use cardan_ode::{Equations, Method, Progress, SolverSettings, Trouble, build};

use crate::rig::{Rig, at, fixed, hinge, joint, motion, point};

pub(crate) fn rod(name: &str, length: f64) -> Body {
    Body {
        name: name.to_owned(),
        mass: 1.0,
        center: [0.5 * length, 0.0, 0.0],
        shape: Some(Shape::Rod { length }),
        points: vec![point("a", [0.0; 3]), point("b", [length, 0.0, 0.0])],
        ..Body::default()
    }
}

pub(crate) fn plane() -> Mechanism {
    Mechanism {
        space: Space::Plane,
        gravity: [0.0, -9.81, 0.0],
        ..Mechanism::default()
    }
}

/// Crank, connecting rod and slider: `x = r cos θ + √(l² - r² sin² θ)`.
pub(crate) fn slider_crank(drive: Option<Motion>) -> Mechanism {
    let (crank, rod_length) = (0.2, 0.6);
    let mut first = hinge("crank", "ground", "crank.a");
    first.drive = drive;
    let slider = Body {
        name: "slider".to_owned(),
        mass: 0.8,
        inertia: Some([0.01, 0.0, 0.0, 0.0, 0.0, 0.0]),
        ..Body::default()
    };
    let mut connecting = rod("rod", rod_length);
    connecting.position = Some([crank, 0.0, 0.0]);
    Mechanism {
        bodies: vec![rod("crank", crank), connecting, slider],
        joints: vec![
            first,
            hinge("pin", "crank.b", "rod.a"),
            hinge("wrist", "rod.b", "slider"),
            joint(
                "guide",
                JointKind::Prismatic {
                    axis: [1.0, 0.0, 0.0],
                },
                "ground",
                "slider",
            ),
        ],
        ports: vec![motion("theta", "crank"), motion("x", "guide")],
        ..plane()
    }
}

#[test]
fn a_driven_slider_crank_is_its_closed_form() {
    let speed = 20.0;
    let mechanism = slider_crank(Some(Motion {
        rate: speed,
        ..Motion::default()
    }));
    let (r, l) = (0.2_f64, 0.6_f64);
    for method in [Method::Trapezoidal, Method::GeneralizedAlpha, Method::Rattle] {
        let mut rig = Rig::new(&mechanism, &fixed(method, 1e-3));
        for step in 1..=100 {
            let t = f64::from(step) * 0.01;
            rig.go(t);
            let (sine, cosine) = (speed * t).sin_cos();
            let root = (l * l - r * r * sine * sine).sqrt();
            let x = r * cosine + root;
            let v = -r * speed * sine - r * r * speed * sine * cosine / root;
            // Positions obey the constraints to the tolerance of the corrections, 1e-7, and velocities to the penalty.
            assert!(
                (rig.one("x") - x).abs() < 1e-6,
                "{method} at {t}: {} {x}",
                rig.one("x")
            );
            assert!(
                (rig.one("x_speed") - v).abs() < 1e-4,
                "{method} at {t}: {} {v}",
                rig.one("x_speed")
            );
            assert!((rig.one("theta") - speed * t).abs() < 1e-6);
        }
    }
}

/// The slider-crank in its one angle: `J(θ) θ'' + J'(θ)/2 θ'² = -V'(θ)`, everything from positions of the masses.
struct OneAngle;

impl OneAngle {
    /// Positions of crank centre, rod centre, rod angle, slider, by θ, and their first two derivatives by differences of
    /// closed forms would lose digits; these are exact.
    fn shape(theta: f64) -> [[f64; 3]; 3] {
        // Slider x, rod angle φ with sin φ = -r sin θ / l, each as value, first and second derivative.
        let (r, l) = (0.2, 0.6);
        let (sine, cosine) = theta.sin_cos();
        let s = -r * sine / l;
        let (ds, dds) = (-r * cosine / l, r * sine / l);
        let root = (1.0 - s * s).sqrt();
        let phi = [
            s.asin(),
            ds / root,
            dds / root + s * ds * ds / (root * root * root),
        ];
        let x = [
            r * cosine + l * phi[0].cos(),
            -r * sine - l * phi[0].sin() * phi[1],
            -r * cosine - l * (phi[0].cos() * phi[1] * phi[1] + phi[0].sin() * phi[2]),
        ];
        // The rod's centre is half-way between pin and slider.
        [x, phi, [sine, cosine, 0.0]]
    }
}

impl Equations for OneAngle {
    fn states(&self) -> usize {
        2
    }

    fn derivatives(&mut self, _: f64, state: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        let (r, l, g) = (0.2, 0.6, 9.81);
        let [x, phi, [sine, cosine, _]] = Self::shape(state[0]);
        // Centre of the rod: ((r cos θ + x) / 2, r sin θ / 2).
        let (cx, cdx) = (0.5 * (-r * sine + x[1]), 0.5 * (-r * cosine + x[2]));
        let (cy, cdy) = (0.5 * r * cosine, -0.5 * r * sine);
        let inertia = r * r / 3.0 + (cx * cx + cy * cy) + l * l / 12.0 * phi[1] * phi[1] + 0.8 * x[1] * x[1];
        let half_slope = cx * cdx + cy * cdy + l * l / 12.0 * phi[1] * phi[2] + 0.8 * x[1] * x[2];
        let pull = -g * (0.5 * r * cosine + cy);
        dx[0] = state[1];
        dx[1] = (pull - half_slope * state[1] * state[1]) / inertia;
        Ok(())
    }
}

/// Let go, the slider-crank swings as its equation in one angle says.
#[test]
fn a_free_slider_crank_is_its_equation_in_one_angle() {
    let mut mechanism = slider_crank(None);
    mechanism.joints[0].speed = Some(12.0);
    let settings = SolverSettings {
        rtol: 1e-12,
        atol: 1e-13,
        ..SolverSettings::of(Method::Dopri5)
    };
    let mut reference = build(&settings, 2, 0).expect("builds");
    reference.restart(0.0, &[0.0, 12.0]).expect("starts");
    while reference.advance(&mut OneAngle, 1.0).expect("goes on") == Progress::Step {}
    let expected = reference.state()[0];
    let error = |method: Method, step: f64| {
        let mut rig = Rig::new(&mechanism, &fixed(method, step));
        rig.go(1.0);
        (rig.one("theta") - expected).abs()
    };
    for (method, order, steps) in [
        (Method::Trapezoidal, 2.0, [2e-3, 1e-3]),
        (Method::Rattle, 4.0, [4e-3, 2e-3]),
    ] {
        let errors = steps.map(|step| error(method, step));
        let found = (errors[0] / errors[1]).log2();
        assert!((found - order).abs() < 0.3, "{method}: {errors:?}, order {found}");
    }
    assert!(
        error(Method::Dopri5, 1e-3) < 1e-4,
        "{}",
        error(Method::Dopri5, 1e-3)
    );
}

/// A particle on a spring: `x = x₀ cos ωt`, and with damping its envelope.
#[test]
fn a_mass_on_a_spring_swings() {
    let particle = Body {
        name: "mass".to_owned(),
        mass: 2.0,
        position: Some([1.5, 0.0, 0.0]),
        ..Body::default()
    };
    let spring = ForceKind::Spring {
        between: [at("ground"), at("mass")],
        stiffness: 200.0,
        damping: 0.8,
        length: Some(1.0),
    };
    let mechanism = Mechanism {
        space: Space::Plane,
        bodies: vec![particle],
        forces: vec![Force {
            name: "spring".to_owned(),
            kind: spring,
        }],
        ports: vec![PortOf {
            name: "mass".to_owned(),
            kind: PortKind::Point { at: at("mass") },
        }],
        ..Mechanism::default()
    };
    let (decay, frequency) = (0.2_f64, (100.0_f64 - 0.04).sqrt());
    let exact = |t: f64| {
        let (sine, cosine) = (frequency * t).sin_cos();
        1.0 + 0.5 * (-decay * t).exp() * (cosine + decay / frequency * sine)
    };
    for (method, order) in [
        (Method::Trapezoidal, 2.0),
        (Method::GeneralizedAlpha, 2.0),
        (Method::Rattle, 4.0),
    ] {
        let error = |step: f64| {
            let mut rig = Rig::new(&mechanism, &fixed(method, step));
            rig.go(2.0);
            (rig.all("mass")[0] - exact(2.0)).abs()
        };
        let errors = [error(1e-2), error(5e-3)];
        let found = (errors[0] / errors[1]).log2();
        assert!((found - order).abs() < 0.3, "{method}: {errors:?}, order {found}");
    }
}

/// A ball on an elastic floor comes back as high as it fell from, after the time of fall, contact and fall.
#[test]
fn a_ball_bounces() {
    let ball = Body {
        name: "ball".to_owned(),
        mass: 1.0,
        position: Some([0.0, 1.1, 0.0]),
        ..Body::default()
    };
    let contact = ForceKind::Contact {
        point: at("ball"),
        radius: 0.1,
        plane: at("ground"),
        normal: [0.0, 1.0, 0.0],
        stiffness: 1e5,
        damping: 0.0,
    };
    let mechanism = Mechanism {
        bodies: vec![ball],
        forces: vec![Force {
            name: "floor".to_owned(),
            kind: contact,
        }],
        ports: vec![PortOf {
            name: "ball".to_owned(),
            kind: PortKind::Point { at: at("ball") },
        }],
        ..plane()
    };
    let (g, w) = (9.81_f64, 1e5_f64.sqrt());
    let fall = (2.0 / g).sqrt();
    // In contact the ball swings about -g / w² below the floor: half a period and twice the way down to that.
    let contact = (std::f64::consts::PI + 2.0 * (g / (w * w) / (2.0 / g).sqrt() / g * w).atan()) / w;
    for method in [Method::Trapezoidal, Method::Dopri5] {
        let settings = SolverSettings {
            step: Some(1e-4),
            rtol: 1e-9,
            atol: 1e-11,
            ..SolverSettings::of(method)
        };
        let mut rig = Rig::new(&mechanism, &settings);
        rig.go(2.0 * fall + contact);
        // At the top the height does not change with the time of contact, and energy stays.
        assert!(
            (rig.all("ball")[1] - 1.1).abs() < 2e-5,
            "{method}: {:?}",
            rig.all("ball")
        );
        assert!(
            (rig.one("energy") / (9.81 * 1.1) - 1.0).abs() < 2e-5,
            "{method}: {}",
            rig.one("energy")
        );
    }
}

/// Angles begin with the turns that are described: a spring that rests there does not pull.
#[test]
fn turns_are_counted_from_the_start() {
    let turned = |start: Option<f64>, drive: Option<Motion>| {
        let mut foot = hinge("foot", "ground", "rod.a");
        (foot.start, foot.drive) = (start, drive);
        Mechanism {
            bodies: vec![rod("rod", 1.0)],
            joints: vec![foot],
            forces: vec![Force {
                name: "spring".to_owned(),
                kind: ForceKind::JointSpring {
                    joint: "foot".to_owned(),
                    stiffness: 10.0,
                    damping: 0.0,
                    rest: 10.0,
                },
            }],
            ports: vec![motion("angle", "foot")],
            gravity: [0.0; 3],
            ..plane()
        }
    };
    let driven = Motion {
        offset: 10.0,
        ..Motion::default()
    };
    for mechanism in [turned(Some(10.0), None), turned(None, Some(driven))] {
        let mut rig = Rig::new(&mechanism, &fixed(Method::Rattle, 1e-3));
        for t in [0.0, 0.1] {
            rig.go(t);
            // To the tolerance of the start.
            assert!((rig.one("angle") - 10.0).abs() < 1e-8, "{}", rig.one("angle"));
            assert!(rig.one("energy").abs() < 1e-12, "{}", rig.one("energy"));
        }
    }
}

/// A crank that is driven beyond what its rod reaches: every solver ends there, whatever it knows of constraints.
#[test]
fn a_drive_that_tears_the_mechanism_apart() {
    let mut crank = hinge("crank", "ground", "crank.a");
    crank.drive = Some(Motion {
        rate: 1.0,
        ..Motion::default()
    });
    let mut ground = plane();
    ground.ground = vec![point("far", [1.5, 0.0, 0.0])];
    let mut link = rod("link", 1.0);
    link.position = Some([1.0, 0.0, 0.0]);
    let mut last = rod("last", 0.8);
    last.position = Some([1.5, 0.0, 0.0]);
    let mechanism = Mechanism {
        bodies: vec![rod("crank", 1.0), link, last],
        joints: vec![
            crank,
            hinge("pin", "crank.b", "link.a"),
            hinge("knee", "link.b", "last.b"),
            hinge("foot", "ground.far", "last.a"),
        ],
        ports: vec![motion("angle", "crank")],
        ..ground
    };
    // The far ends are apart by √(3.25 - 3 cos θ), and 1.8 m together: they part at 90.0 degrees, cos θ = 0.01 / 3.
    let end = (0.01_f64 / 3.0).acos();
    for method in [Method::Rattle, Method::Trapezoidal, Method::Dopri5, Method::Bdf] {
        let mut rig = Rig::new(&mechanism, &SolverSettings::of(method));
        let mut t = 0.0;
        let failure = loop {
            t += 0.02;
            assert!(t < 3.0, "{method}: it goes on");
            if let Err(failure) = rig.try_to_go(t) {
                break failure;
            }
        };
        assert!(!failure.contains("root function"), "{method}: {failure}");
        // Solvers on slopes let it be stretched by a thousandth before.
        assert!((t - end).abs() < 0.05, "{method}: {t}, {failure}");
    }
}
