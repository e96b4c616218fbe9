//! Solutions without a closed form: computed once, by our own integrator at a tolerance near its limit.

use cardan_ode::{Crossing, Equations, Method, Progress, SolverSettings, build};

/// States at `0, spacing, 2 spacing, …`.
pub(super) struct Trajectory<const N: usize> {
    spacing: f64,
    rows: Vec<[f64; N]>,
    /// When a root was met on the way.
    pub(super) events: Vec<f64>,
}

impl<const N: usize> Trajectory<N> {
    /// The row at `t`, which must be one of them.
    pub(super) fn row(&self, t: f64) -> [f64; N] {
        let index = (t / self.spacing).round();
        assert!(
            (t - index * self.spacing).abs() < 1e-9 && index >= 0.0 && (index as usize) < self.rows.len(),
            "the reference has rows every {} s up to {} s, and none at {t} s",
            self.spacing,
            self.spacing * (self.rows.len() - 1) as f64
        );
        self.rows[index as usize]
    }

    /// The largest difference in each column between two solutions of one problem.
    #[cfg(test)]
    pub(super) fn largest_differences(&self, other: &Self) -> [f64; N] {
        assert_eq!(self.rows.len(), other.rows.len());
        let mut worst = [0.0_f64; N];
        for (a, b) in self.rows.iter().zip(&other.rows) {
            for (worst, (a, b)) in worst.iter_mut().zip(a.iter().zip(b)) {
                *worst = worst.max((a - b).abs());
            }
        }
        worst
    }
}

/// The tightest tolerance that rounding leaves room for.
pub(super) fn tight() -> SolverSettings {
    SolverSettings {
        rtol: 1e-13,
        atol: 1e-13,
        ..SolverSettings::of(Method::Dopri5)
    }
}

/// Another method, to check the first one with: fixed steps that know nothing of a tolerance.
#[cfg(test)]
pub(super) fn fixed(step: f64) -> SolverSettings {
    SolverSettings {
        step: Some(step),
        ..SolverSettings::of(Method::Rk4)
    }
}

/// Integrates over `count` rows. At a root the equations are told of it, and go on from there as they then are.
pub(super) fn integrate<E: Equations, const N: usize>(
    equations: &mut E,
    start: [f64; N],
    spacing: f64,
    count: u32,
    settings: &SolverSettings,
    mut switch: impl FnMut(&mut E, Crossing),
) -> Trajectory<N> {
    let mut solver = build(settings, N, equations.roots()).unwrap();
    solver.restart(0.0, &start).unwrap();
    let mut trajectory = Trajectory {
        spacing,
        rows: vec![start],
        events: Vec::new(),
    };
    for k in 1..=count {
        let at = f64::from(k) * spacing;
        loop {
            match solver.advance(equations, at).unwrap() {
                Progress::Step => {}
                Progress::Limit => break,
                Progress::Root { crossing, .. } => {
                    trajectory.events.push(solver.time());
                    switch(equations, crossing);
                    solver.disturb();
                }
            }
        }
        let mut row = [0.0; N];
        row.copy_from_slice(solver.state());
        trajectory.rows.push(row);
    }
    trajectory
}
