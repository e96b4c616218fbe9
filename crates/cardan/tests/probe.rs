//! probe
mod support;
use support::*;
use cardan_testkit::problems::*;

#[test]
fn probe_two_mass() {
    for (file, kinds) in [("two-mass/system.toml", "F/D"), ("two-mass/displacement.toml", "D/D")] {
        for method in ["jacobi", "gauss-seidel"] {
            for reading in ["hold", "linear", "quadratic"] {
                let mut line = String::new();
                for h in [2e-3, 1e-3, 5e-4, 2.5e-4] {
                    let v = Variant::of(file, &[("\"quadratic\"", &format!("{reading:?}"))]);
                    let mut o = step(h);
                    o.method = Some(method.into());
                    let t = v.run(o);
                    let e = largest_error(&t, "one.position", |t| TwoMass::reference(t)[0]);
                    line += &format!(" {e:.3e}");
                }
                println!("{kinds} {method} {reading}: {line}");
            }
        }
    }
}

#[test]
fn probe_quarter_car() {
    for h in [2e-2, 1e-2, 5e-3, 1e-3] {
        let t = Variant::of("quarter-car/system.toml", &[]).run(step(h));
        println!("{h}: {:.3e} {:.3e} rows {}", largest_error(&t, "chassis.position", |t| QuarterCar::reference(t)[0]),
          largest_error(&t, "wheel.position", |t| QuarterCar::reference(t)[2]), t.rows());
    }
}

#[test]
fn probe_elliott() {
    for reading in ["hold", "quadratic"] {
        for start in ["cold", "consistent"] {
        for d in [0.02, 0.01, 0.005, 0.002, 0.001] {
            let t = Variant::of("elliott/system.toml", &[("\"quadratic\"", &format!("{reading:?}")), ("period = 0.001", &format!("period = {d}")), ("\"consistent\"", &format!("{start:?}")), ("step = 0.001\n", &format!("step = {d}\n"))]).run(Default::default());
            println!("{reading} {start} {d}: {:.4e} {:.4e} rows {}", largest_error(&t, "oscillator.position", |t| Elliott::steady(t)[0]),
              largest_error(&t, "oscillator.velocity", |t| Elliott::steady(t)[1]), t.rows());
        }}
    }
}
