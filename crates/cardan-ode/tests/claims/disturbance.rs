//! Inputs that jump: the past of the right-hand side is dropped, the state and the feeling for the step are not.

use cardan_ode::{Counts, Equations, Method, SolveError, Solver, SolverSettings, Trouble};

use crate::Outcome;
use crate::problems::{every_method, run};

/// x' = k (u − x), with an input that the caller sets.
struct Lag {
    k: f64,
    u: f64,
}

impl Equations for Lag {
    fn states(&self) -> usize {
        1
    }

    fn derivatives(&mut self, _t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        dx[0] = self.k * (self.u - x[0]);
        Ok(())
    }
}

/// A square wave at the input, constant between limits; answers the largest error at the limits.
fn square_wave(
    solver: &mut dyn Solver,
    lag: &mut Lag,
    interval: f64,
    jump: fn(&mut dyn Solver) -> Result<(), SolveError>,
) -> Result<f64, SolveError> {
    solver.restart(0.0, &[0.0])?;
    let mut exact = 0.0;
    let mut largest = 0.0_f64;
    for k in 0..40 {
        lag.u = if k % 2 == 0 { 1.0 } else { -1.0 };
        jump(solver)?;
        run(solver, lag, f64::from(k + 1) * interval)?;
        exact = lag.u + (exact - lag.u) * (-lag.k * interval).exp();
        largest = largest.max((solver.state()[0] - exact).abs());
    }
    Ok(largest)
}

#[test]
fn a_jump_of_the_input_is_taken_at_once() -> Outcome {
    let interval = 0.1;
    for settings in every_method() {
        let mut solver = cardan_ode::build(&settings, 1, 0)?;
        let error = square_wave(&mut *solver, &mut Lag { k: 1.0, u: 0.0 }, interval, disturb)?;
        // Errors decay with the state. Local ones are h²/2·2, h³/6·2, h⁵/120·2 for a jump of two, summed over one
        // time constant; had a stale slope been used, the error would be of the size of a step.
        let h = settings
            .step
            .map_or(0.0, |step| interval / (interval / step - 1e-6).ceil());
        let allowed = match settings.method {
            Method::Euler => h,
            Method::Heun => h * h / 3.0,
            Method::Rk4 => h.powi(4) / 60.0,
            _ => solver.counts().steps as f64 * (settings.rtol + settings.atol),
        };
        assert!(error < allowed, "{}: {error} > {allowed}", settings.method);
    }
    Ok(())
}

fn disturb(solver: &mut dyn Solver) -> Result<(), SolveError> {
    solver.disturb();
    Ok(())
}

fn restart(solver: &mut dyn Solver) -> Result<(), SolveError> {
    let x = solver.state().to_vec();
    solver.restart(solver.time(), &x)
}

/// Dormand-Prince keeps its step; BDF climbs from order 1 each time, but with the Jacobian it has.
#[test]
fn a_disturbance_is_not_dearer_than_a_restart() -> Outcome {
    for (method, k) in [(Method::Dopri5, 1.0), (Method::Bdf, 100.0)] {
        let work = |jump| -> Result<Counts, Box<dyn std::error::Error>> {
            let mut solver = cardan_ode::build(&SolverSettings::of(method), 1, 0)?;
            square_wave(&mut *solver, &mut Lag { k, u: 0.0 }, 0.1, jump)?;
            Ok(solver.counts())
        };
        let (disturbed, restarted) = (work(disturb)?, work(restart)?);
        assert!(
            disturbed.rhs <= restarted.rhs,
            "{method}: {disturbed:?} {restarted:?}"
        );
        assert!(disturbed.jacobians <= 2, "{method}: {disturbed:?}");
    }
    Ok(())
}
