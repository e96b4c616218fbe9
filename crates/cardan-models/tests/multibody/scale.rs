//! The unit of length is nobody's business: mechanisms of millimetres move as those of metres do.

use cardan_models::multibody::{JointKind, Mechanism, Shape};
use cardan_ode::{Method, SolverSettings};

use crate::plane::slider_crank;
use crate::rig::{Rig, body, joint, seen};

/// The same mechanism with all lengths, and gravity, so many times as large: angles move the same.
fn scaled(mechanism: &Mechanism, factor: f64) -> Mechanism {
    let mut scaled = mechanism.clone();
    let stretch = |vector: &mut [f64; 3]| *vector = vector.map(|part| factor * part);
    stretch(&mut scaled.gravity);
    scaled.ground.iter_mut().for_each(|point| stretch(&mut point.at));
    for body in &mut scaled.bodies {
        stretch(&mut body.center);
        body.points.iter_mut().for_each(|point| stretch(&mut point.at));
        body.position.iter_mut().for_each(stretch);
        body.velocity.iter_mut().for_each(stretch);
        if let Some(inertia) = &mut body.inertia {
            *inertia = inertia.map(|part| factor * factor * part);
        }
        if let Some(Shape::Rod { length }) = &mut body.shape {
            *length *= factor;
        }
    }
    scaled
}

fn solvers() -> Vec<SolverSettings> {
    let by_tolerance = SolverSettings {
        rtol: 1e-9,
        atol: 1e-30,
        ..SolverSettings::of(Method::Rattle)
    };
    let fixed = |method| SolverSettings {
        step: Some(1e-3),
        ..SolverSettings::of(method)
    };
    vec![
        by_tolerance,
        fixed(Method::Rattle),
        fixed(Method::Trapezoidal),
        fixed(Method::GeneralizedAlpha),
        fixed(Method::Rk4),
    ]
}

/// In a plane with a loop, and a guide; errors of the start and of rounding grow where the crank creeps over its highest position.
#[test]
fn a_slider_crank_of_any_size() {
    let mut whole = slider_crank(None);
    whole.joints[0].speed = Some(12.0);
    for settings in solvers() {
        let mut original = Rig::new(&whole, &settings);
        for factor in [1e-2, 1e-3, 1e-6, 1e3] {
            let mut other = Rig::new(&scaled(&whole, factor), &settings);
            for step in 1..=10 {
                let t = 0.1 * f64::from(step);
                if original.time() < t {
                    original.go(t);
                }
                other.go(t);
            }
            let (found, expected) = (other.one("theta"), original.one("theta"));
            let method = settings.method;
            assert!(
                (found - expected).abs() < 1e-5,
                "{method}, {factor:e}: {found} instead of {expected}"
            );
        }
    }
}

/// In space: a body that tumbles on a ball joint.
#[test]
fn a_top_of_any_size() {
    let mut top = body("top", 2.0, [0.2, 0.5, 0.6]);
    top.center = [0.5, 0.0, 0.0];
    top.position = Some([0.0; 3]);
    top.angular_velocity = Some([1.0, -2.0, 3.0]);
    let whole = Mechanism {
        gravity: [0.0, 0.0, -9.81],
        bodies: vec![top],
        joints: vec![joint("ball", JointKind::Spherical, "ground", "top")],
        ports: vec![seen("top", "top")],
        ..Mechanism::default()
    };
    for settings in solvers() {
        let mut original = Rig::new(&whole, &settings);
        original.go(1.0);
        for factor in [1e-3, 1e-6, 1e3] {
            let mut other = Rig::new(&scaled(&whole, factor), &settings);
            other.go(1.0);
            let parts = original.all("top")[3..7].iter().zip(&other.all("top")[3..7]);
            let far = parts.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(far < 1e-6, "{}, {factor:e}: {far:e}", settings.method);
        }
    }
}
