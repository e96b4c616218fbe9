//! Claims that derivatives are what differences of outputs say.

use super::bench::Bench;
use super::bits::real_elements;
use super::rig::Rig;
use super::{Make, Options};
use cardan_core::interface::{Port, Variability};
use cardan_core::participant::{StepEnd, Watch};
use cardan_core::planes::Planes;
use cardan_core::time::SimTime;
use cardan_core::value::ValueType;

/// Outputs are computed with a rounding error of about this many units in the last place.
const NOISE: f64 = 64.0 * f64::EPSILON;

/// A number that was found by differences, and how far off it may be.
struct Estimate {
    value: f64,
    error: f64,
}

/// Directional derivatives, where offered, agree with differences of outputs, input by input and for all at once.
pub fn derivatives_agree_with_differences(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("derivatives_agree_with_differences", make, options) else {
        return;
    };
    let mut rig = bench.ready();
    if rig.participant.derivatives().is_none() {
        return;
    }
    let driven: Vec<Port> = rig.drive.ports().cloned().collect();
    // A quaternion that leaves the unit sphere is no rotation, so these inputs stay where they are.
    let reals = driven.iter().filter(|port| port.value_type == ValueType::Real);
    let nominal: Vec<f64> = reals
        .flat_map(|port| (0..port.shape.len()).map(move |element| (port, element)))
        .map(|(port, element)| {
            if port.is_turning(element) {
                0.0
            } else {
                port.nominal
            }
        })
        .collect();
    let names: Vec<String> = real_elements(&driven).map(|(_, name)| name).collect();
    for k in [0, 1, 2] {
        rig.go_to(bench.point(k));
        for (index, name) in names
            .iter()
            .enumerate()
            .filter(|(index, _)| nominal[*index] > 0.0)
        {
            let mut direction = vec![0.0; names.len()];
            direction[index] = nominal[index];
            compare_along(&mut rig, &direction, &format!("along `{name}`"));
        }
        compare_along(&mut rig, &nominal, "along all inputs");
    }
}

fn compare_along(rig: &mut Rig<'_>, direction: &[f64], along: &str) {
    let inputs = rig.drive.at(rig.now);
    let mut change = vec![f64::NAN; rig.room().reals.len()];
    let derivatives = rig.participant.derivatives();
    let outcome = derivatives.map(|d| d.directional(rig.now, &inputs, direction, &mut change));
    rig.expect("directional", outcome.transpose());

    // The cube root of the rounding error balances rounding against the third derivative in a central difference.
    let moved = direction.iter().zip(&inputs.reals).filter(|(d, _)| **d != 0.0);
    let size = moved.map(|(d, u)| (u / d).abs()).fold(1.0, f64::max);
    let part = f64::EPSILON.cbrt() * size;
    let at = |rig: &mut Rig<'_>, part: f64| {
        let mut moved = inputs.clone();
        moved
            .reals
            .iter_mut()
            .zip(direction)
            .for_each(|(u, d)| *u += part * d);
        rig.outputs_with(&moved).reals
    };
    let [low, lower, high, higher] = [-part, -2.0 * part, part, 2.0 * part].map(|part| at(rig, part));
    let estimates = (0..change.len()).map(|i| {
        let value = (high[i] - low[i]) / (2.0 * part);
        let coarser = (higher[i] - lower[i]) / (4.0 * part);
        let rounding = NOISE * high[i].abs().max(low[i].abs()) / part;
        Estimate {
            value,
            error: (coarser - value).abs() + rounding,
        }
    });
    judge(
        rig,
        &change,
        estimates,
        &format!("the derivative {along}"),
        |_| true,
    );
}

/// Slopes of outputs, where offered, agree with differences of outputs over tiny steps.
pub fn slopes_agree_with_differences(make: Make<'_>, options: &Options) {
    let Some(bench) = Bench::new("slopes_agree_with_differences", make, options) else {
        return;
    };
    let mut rig = bench.ready();
    if rig.participant.slopes().is_none() {
        return;
    }
    for k in [0, 1, 2] {
        rig.go_to(bench.point(k));
        if rig.ended {
            return;
        }
        compare_over_time(&mut rig);
    }
}

fn compare_over_time(rig: &mut Rig<'_>) {
    let (start, tiny) = (rig.now, 1e-3 * rig.terms.step());
    let later = |steps: f64| SimTime::from_seconds(start.seconds() + steps * tiny);
    if rig
        .participant
        .next_instant()
        .is_some_and(|next| next <= later(2.0))
    {
        // Outputs may jump there, and a jump has no slope.
        return;
    }
    let driven = rig.drive.over(start, later(2.0));
    let inputs = driven.read_at(start);
    let mut slopes = vec![f64::NAN; rig.room().reals.len()];
    let input_slopes = driven.slopes_at(start);
    let asked = rig.participant.slopes();
    let outcome = asked.map(|s| s.slopes(start, &inputs, &input_slopes, &mut slopes));
    rig.expect("slopes", outcome.transpose());

    let mut seen: Vec<Planes> = vec![rig.outputs_with(&inputs)];
    for to in [later(1.0), later(2.0)] {
        if rig.step_with(to, &driven, Watch::Nothing) != StepEnd::Completed {
            return;
        }
        seen.push(rig.outputs_with(&driven.read_at(to)));
    }
    let estimates = (0..slopes.len()).map(|i| {
        let [y0, y1, y2] = [0, 1, 2].map(|k: usize| seen[k].reals[i]);
        let coarser = (y1 - y0) / tiny;
        let value = (4.0 * y1 - 3.0 * y0 - y2) / (2.0 * tiny);
        let rounding = NOISE * y0.abs().max(y1.abs()) / tiny;
        Estimate {
            value,
            error: (coarser - value).abs() + rounding,
        }
    });
    let moves = |port: &Port| port.variability == Variability::Continuous;
    judge(rig, &slopes, estimates, &format!("the slope at {start:?}"), moves);
}

/// Fails unless what was told is what differences say, for the outputs that `counts`.
fn judge(
    rig: &Rig<'_>,
    told: &[f64],
    estimates: impl Iterator<Item = Estimate>,
    what: &str,
    counts: impl Fn(&Port) -> bool,
) {
    for (((port, name), &told), Estimate { value, error }) in
        real_elements(&rig.ports).zip(told).zip(estimates)
    {
        let allowed = error + rig.terms.options.agreement * value.abs();
        // Written so that a number that is not one fails.
        let agrees = (told - value).abs() <= allowed;
        if counts(port) && !agrees {
            let bits = told.to_bits();
            rig.terms.fail(format_args!(
                "{what} of `{name}` is told as {told:?} ({bits:#018x}), differences say {value:e} ± {allowed:.1e}"
            ));
        }
    }
}
