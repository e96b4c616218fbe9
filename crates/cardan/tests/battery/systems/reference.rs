//! Shapes that the references of many systems have.

use cardan_testkit::reference::{Hybrid, grid};

/// A system whose equations change where one of several functions passes zero; they are told on which side of each they
/// are: true above zero.
pub(super) fn switched(
    start: &[f64],
    rates: impl Fn(f64, &[f64], &[bool], &mut [f64]) + 'static,
    surfaces: impl Fn(f64, &[f64]) -> Vec<f64> + 'static,
) -> Hybrid<Vec<bool>> {
    let sides: Vec<bool> = surfaces(0.0, start).iter().map(|s| *s >= 0.0).collect();
    Hybrid::new(start, sides, move |t, x, sides, dx| rates(t, x, sides, dx))
        .guards(move |t, x, sides| {
            let sides = sides.iter();
            surfaces(t, x)
                .iter()
                .zip(sides)
                .map(|(s, above)| if *above { *s } else { -s })
                .collect()
        })
        .jumps(|place, _, _, sides| sides[place] = !sides[place])
}

/// A system with a number that holds between instants: `held(t, x)`, as it is at 0, period, 2 period, …
pub(super) fn sampled(
    start: &[f64],
    period: f64,
    stop: f64,
    held: impl Fn(f64, &[f64]) -> f64 + 'static,
    rates: impl Fn(f64, &[f64], f64, &mut [f64]) + 'static,
) -> Hybrid<f64> {
    let ticks = grid(0.0, (stop / period).floor() * period, period);
    Hybrid::new(start, held(0.0, start), move |t, x, held, dx| {
        rates(t, x, *held, dx)
    })
    .breaks(&ticks, move |k, _, x, value| {
        // The instant of the tick, not what a step came to.
        *value = held(k as f64 * period, x);
    })
}

/// A system with a number that jumps at given instants; zero before the first of them.
pub(super) fn jumping(
    start: &[f64],
    times: &[f64],
    values: &[f64],
    rates: impl Fn(f64, &[f64], f64, &mut [f64]) + 'static,
) -> Hybrid<f64> {
    let values = values.to_vec();
    Hybrid::new(start, 0.0, move |t, x, value, dx| rates(t, x, *value, dx))
        .breaks(times, move |k, _, _, value| *value = values[k])
}

/// A system that is smooth all the time.
pub(super) fn smooth(start: &[f64], rates: impl Fn(f64, &[f64], &mut [f64]) + 'static) -> Hybrid<()> {
    Hybrid::new(start, (), move |t, x, (), dx| rates(t, x, dx))
}
