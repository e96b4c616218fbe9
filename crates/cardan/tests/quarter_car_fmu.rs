//! The quarter car as two FMUs: in SSP and in OSP the same to the bit, and the same as the built-in models.

mod support;

use cardan::Overrides;
use support::{reals, run, step};

const SSP: &str = "quarter-car-fmu/SystemStructure.ssd";
const OSP: &str = "quarter-car-fmu/OspSystemStructure.xml";
const OUTPUTS: [&str; 5] = [
    "chassis.force",
    "chassis.position",
    "chassis.velocity",
    "wheel.velocity",
    "wheel.position",
];

/// With another step and a row for each hundredth of a second, which OSP has no word for.
fn every_hundredth(h: f64) -> Overrides {
    Overrides {
        every: Some(0.01),
        ..step(h)
    }
}

#[test]
fn ssp_and_osp_agree_to_the_bit() {
    for h in [1e-3, 5e-3] {
        let ssp = run(SSP, every_hundredth(h));
        let osp = run(OSP, every_hundredth(h));
        assert_eq!(ssp.times, osp.times);
        for name in OUTPUTS {
            assert_eq!(reals(&ssp, name), reals(&osp, name), "{name} at {h} s");
        }
    }
}

/// Both sides hold what they hear, so each part is a linear equation with a constant on the right. The FMUs solve it
/// exactly; the built-in models with Dormand-Prince.
///
/// For x' = λ x one step of that has 1/600 in place of 1/720 before (λ h)⁶, so it is wrong by (|λ| h)⁶ / 3600 of the
/// distance to the rest. Nearly all of it comes from the wheel on its tyre, |λ| = √(kt / mw) = 61 /s: the chassis with
/// its 6 /s adds a millionth. In the whole car a wrong wheel is forgotten with d / 2 mw = 12.5 /s, so that the errors
/// of 1 / (12.5 /s · h) = 80 steps add up. The distance is at most the 0.1 m of the road, 0.05 m that the wheel rises
/// above it, and 0.04 m by which the suspension presses the tyre. Smaller inner steps make the error smaller still.
#[test]
fn fmus_and_built_in_models_agree_as_far_as_the_solver_goes() {
    let h = 1e-3;
    let native = run("quarter-car/system.toml", step(h));
    let fmus = run(SSP, step(h));
    let lambda = (150e3_f64 / 40.0).sqrt();
    let position = (lambda * h).powi(6) / 3600.0 * (1.0 / (12.5 * h)) * (0.1 + 0.05 + 0.04);
    let velocity = lambda * position;
    let bounds = [
        15e3 * 2.0 * position + 1e3 * 2.0 * velocity,
        position,
        velocity,
        velocity,
        position,
    ];
    assert!(position < 3e-10, "{position:e}");
    assert_eq!(native.times, fmus.times);
    for (name, bound) in OUTPUTS.into_iter().zip(bounds) {
        let pairs = reals(&native, name).iter().zip(reals(&fmus, name));
        let largest = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(largest <= bound, "{name}: {largest:e} is more than {bound:e}");
    }
}

/// At 20 ms the wheel has a velocity after the first step, and the force answers to it at once.
#[test]
fn the_force_uses_the_velocity_just_exchanged() {
    for file in [SSP, OSP] {
        let result = run(
            file,
            Overrides {
                stop: Some(0.02),
                every: Some(0.02),
                ..step(0.02)
            },
        );
        let velocity = reals(&result, "wheel.velocity")[1];
        assert!(velocity > 1.0);
        assert_eq!(reals(&result, "chassis.force")[1], 1e3 * velocity, "{file}");
    }
}
