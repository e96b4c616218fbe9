mod rods;

use cardan_ode::mechanical::MechanicalSettings;
use cardan_ode::{Method, Progress, SolverSettings, build_mechanical};
use rods::Rods;

#[test]
fn probe_pendulum() {
    for (method, h, tol) in [
        (Method::Trapezoidal, 1e-3, 1e-6),
        (Method::Trapezoidal, 1e-3, 1e-7),
        (Method::Trapezoidal, 1e-2, 7e-6),
        (Method::Trapezoidal, 1e-2, 1e-5),
        (Method::Trapezoidal, 1e-2, 1e-6),
        (Method::Trapezoidal, 1e-2, 1e-9),
        (Method::GeneralizedAlpha, 1e-3, 1e-9),
        (Method::Rattle, 1e-3, 1.0),
        (Method::Rattle, 1e-2, 1.0),
    ] {
        let mut rods = Rods::double_pendulum();
        let settings = SolverSettings {
            method,
            step: Some(h),
            mechanical: MechanicalSettings {
                tolerance: tol,
                penalty: Some(1e8),
                ..Default::default()
            },
            ..Default::default()
        };
        let mut solver =
            build_mechanical(&settings, cardan_ode::mechanical::Mechanics::structure(&rods), 0).unwrap();
        let x0 = [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        solver.restart(0.0, &x0).unwrap();
        let e0 = rods.energy(&x0);
        let (mut phi, mut drift): (f64, f64) = (0.0, 0.0);
        let mut ends = vec![];
        for k in 1..=1000 {
            loop {
                let p = solver.advance(&mut rods, k as f64 * 0.01).unwrap();
                phi = phi.max(rods.violation(solver.state()));
                drift = drift.max((rods.energy(solver.state()) - e0).abs());
                if p == Progress::Limit {
                    break;
                }
            }
            if [100, 500, 1000].contains(&k) {
                ends.push(solver.state()[..4].to_vec());
            }
        }
        println!(
            "{method} h {h} tol {tol}: it {} phi {phi:.2e} drift {drift:.3e} {:?}",
            solver.counts().iterations,
            ends
        );
    }
}

#[test]
fn probe_linkage() {
    for (method, loops, h, tol, pen) in [
        (Method::Trapezoidal, 1, 1e-3, 1e-7, Some(1e8)),
        (Method::Trapezoidal, 2, 1e-3, 1e-7, Some(1e8)),
        (Method::Trapezoidal, 5, 1e-3, 1e-7, Some(1e8)),
        (Method::Trapezoidal, 1, 1e-3, 1e-7, None),
        (Method::Rattle, 1, 1e-3, 1e-9, None),
        (Method::Rattle, 5, 1e-3, 1e-9, None),
        (Method::Trapezoidal, 10, 1e-3, 1e-7, None),
        (Method::Trapezoidal, 100, 1e-3, 1e-7, None),
        (Method::Trapezoidal, 300, 1e-3, 1e-7, None),
        (Method::Trapezoidal, 1000, 1e-3, 1e-7, None),
        (Method::Trapezoidal, 1000, 1e-3, 1e-8, None),
    ] {
        let mut rods = Rods::linkage(loops);
        let settings = SolverSettings {
            method,
            step: Some(h),
            mechanical: MechanicalSettings {
                tolerance: tol,
                penalty: pen,
                ..Default::default()
            },
            ..Default::default()
        };
        let mut solver =
            build_mechanical(&settings, cardan_ode::mechanical::Mechanics::structure(&rods), 0).unwrap();
        let x0 = Rods::linkage_start(loops, 30.0);
        solver.restart(0.0, &x0).unwrap();
        let e0 = rods.energy(&x0);
        let (mut phi, mut drift, mut askew): (f64, f64, f64) = (0.0, 0.0, 0.0);
        let stop = if loops > 50 { 0.3 } else { 1.0 };
        let started = std::time::Instant::now();
        loop {
            let p = match solver.advance(&mut rods, stop) {
                Ok(p) => p,
                Err(e) => {
                    println!("{e}");
                    break;
                }
            };
            let x = solver.state();
            phi = phi.max(rods.violation(x));
            drift = drift.max((rods.energy(x) - e0).abs());
            for i in 1..=loops {
                askew = askew.max(
                    (x[2 * i] - i as f64 - x[0])
                        .abs()
                        .max((x[2 * i + 1] - x[1]).abs()),
                );
            }
            if p == Progress::Limit {
                break;
            }
        }
        let c = solver.counts();
        println!(
            "{method} L {loops} tol {tol}: it/step {:.3} rejected {} phi {phi:.2e} drift {:.3e} rel, askew {askew:.2e} B0 {:?} {:.1} us/step",
            c.iterations as f64 / c.steps as f64,
            c.rejected,
            drift / e0,
            &solver.state()[..2],
            started.elapsed().as_secs_f64() * 1e6 / c.steps as f64
        );
    }
}

#[test]
fn probe_sizes() {
    for mult in [1.0, 10.0, 100.0] {
        for tol in [1e-7, 1e-8, 1e-9] {
            for loops in [1usize, 2, 5, 10, 20, 50, 100, 200, 500, 1000] {
                let m = (2 * loops + 1) as f64;
                let h = 1e-3;
                let pen = mult * (500.0 + 5.0 * m * m) * (2.0 / 3.0 / 6.0) / (h * h);
                let mut rods = Rods::linkage(loops);
                let settings = SolverSettings {
                    method: Method::Trapezoidal,
                    step: Some(h),
                    mechanical: MechanicalSettings {
                        tolerance: tol,
                        penalty: Some(pen),
                        ..Default::default()
                    },
                    ..Default::default()
                };
                let mut solver =
                    build_mechanical(&settings, cardan_ode::mechanical::Mechanics::structure(&rods), 0)
                        .unwrap();
                let x0 = Rods::linkage_start(loops, 30.0);
                solver.restart(0.0, &x0).unwrap();
                let e0 = rods.energy(&x0);
                let (mut drift, mut askew): (f64, f64) = (0.0, 0.0);
                let stop = 0.22;
                loop {
                    let p = match solver.advance(&mut rods, stop) {
                        Ok(p) => p,
                        Err(e) => {
                            println!("{e}");
                            break;
                        }
                    };
                    let x = solver.state();
                    drift = drift.max((rods.energy(x) - e0).abs());
                    for i in 1..=loops {
                        askew = askew.max(
                            (x[2 * i] - i as f64 - x[0])
                                .abs()
                                .max((x[2 * i + 1] - x[1]).abs()),
                        );
                    }
                    if p == Progress::Limit {
                        break;
                    }
                }
                let c = solver.counts();
                print!(
                    "mult {mult} tol {tol:e} L {loops}: {:.2} drift {:.1e} askew {askew:.1e} | ",
                    c.iterations as f64 / c.steps as f64,
                    drift / e0
                );
            }
            println!();
        }
    }
}
