//! experiment
use crate::bench::{Bench, at, reals};
use cardan_core::inputs::Inputs;
use cardan_core::participant::{Participant, StepEnd, StepRequest, Watch};
use cardan_core::signal::Segment;
use cardan_ode::{Counts, Equations, Method, Progress, SolverSettings, Trouble};
use cardan_testkit::problems::Elliott;

fn bdf() -> SolverSettings {
    SolverSettings {
        rtol: 1e-5,
        atol: 1e-8,
        max_step: Some(0.02),
        ..SolverSettings::of(Method::Bdf)
    }
}
fn oscillator() -> Bench {
    let [x, v, _] = Elliott::steady(0.0);
    let o = Elliott::OSCILLATOR;
    Bench::new(
        "mass-spring-damper",
        &reals(&[
            ("mass", o.mass),
            ("damping", o.damping),
            ("stiffness", o.stiffness),
            ("position", x),
            ("velocity", v),
        ]),
        &bdf(),
    )
}
struct Cont;
impl Equations for Cont {
    fn states(&self) -> usize {
        2
    }
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        dx[0] = x[1];
        dx[1] = Elliott::OSCILLATOR.acceleration([x[0], x[1]], Elliott::force(t));
        Ok(())
    }
    fn jacobian(&mut self, _t: f64, _x: &[f64], j: &mut [f64]) -> Result<bool, Trouble> {
        let o = Elliott::OSCILLATOR;
        j.copy_from_slice(&[0.0, 1.0, -o.stiffness / o.mass, -o.damping / o.mass]);
        Ok(true)
    }
}
fn continuous() -> (Counts, f64, f64) {
    let mut s = cardan_ode::build(&bdf(), 2, 0).unwrap();
    let [x, v, _] = Elliott::steady(0.0);
    s.restart(0.0, &[x, v]).unwrap();
    let (mut ex, mut ev) = (0.0_f64, 0.0_f64);
    loop {
        let p = s.advance(&mut Cont, 4.0).unwrap();
        let [x, v, _] = Elliott::steady(s.time());
        ex = ex.max((s.state()[0] - x).abs());
        ev = ev.max((s.state()[1] - v).abs());
        if p == Progress::Limit {
            break;
        }
    }
    (s.counts(), ex, ev)
}
/// parabola through last n samples
fn law(samples: &[(f64, f64)], until: f64) -> Segment {
    match samples {
        [(_, f)] => Segment::constant(*f, at(until)),
        [(t0, f0), (t1, f1)] => {
            Segment::polynomial([*f1, (f1 - f0) / (t1 - t0), 0.0, 0.0], at(*t1), at(until))
        }
        [.., (t0, f0), (t1, f1), (t2, f2)] => {
            let d1 = (f2 - f1) / (t2 - t1);
            let d0 = (f1 - f0) / (t1 - t0);
            let c = (d1 - d0) / (t2 - t0);
            // f2 + d1 s + c s (s + t2 - t1)
            Segment::polynomial([*f2, d1 + c * (t2 - t1), c, 0.0], at(*t2), at(until))
        }
        [] => unreachable!(),
    }
}
fn hermite(k: i64, d: f64, until: f64) -> Segment {
    let (t1, t0) = (k as f64 * d, (k - 1) as f64 * d);
    let w = Elliott::RATE;
    let s = |t: f64| w * Elliott::AMPLITUDE * (w * t).cos();
    let (f1, f0, s1, s0) = (Elliott::force(t1), Elliott::force(t0), s(t1), s(t0));
    // in local time from t1, at s=-d: f0, s0
    // f1 + s1 s + a s^2 + b s^3
    let a_ = f0 - f1 + s1 * d; // = a d^2 - b d^3
    let b_ = s0 - s1; // = -2 a d + 3 b d^2
    // from: a = (a_ + b d^3)/d^2 ; b_ = -2 a_/d - 2 b d^2 + 3 b d^2 => b d^2 = b_ + 2 a_/d
    let b = (b_ + 2.0 * a_ / d) / (d * d);
    let a = (a_ + b * d * d * d) / (d * d);
    Segment::polynomial([f1, s1, a, b], at(t1), at(until))
}
fn quadratic(d: f64, preroll: bool, herm: bool) -> (u64, u64, f64, f64) {
    let mut b = oscillator();
    let mut k: i64 = 0;
    let (mut ex, mut ev) = (0.0_f64, 0.0_f64);
    loop {
        let first = if preroll { k - 2 } else { (k - 2).max(0) };
        let samples: Vec<(f64, f64)> = (first..=k)
            .map(|k| (k as f64 * d, Elliott::force(k as f64 * d)))
            .collect();
        let seg = [if herm && (k > 0 || preroll) {
            hermite(k, d, 4.0)
        } else {
            law(&samples, 4.0)
        }];
        let end = b
            .participant
            .own_steps()
            .unwrap()
            .step_once(StepRequest {
                from: at(b.time),
                to: at(4.0),
                inputs: Inputs::single(&seg),
                watch: Watch::Nothing,
            })
            .unwrap();
        b.time = match end {
            StepEnd::Completed => 4.0,
            StepEnd::Early { at } => at.seconds(),
            _ => panic!(),
        };
        let y = b.outputs(&[0.0]);
        let [x, v, _] = Elliott::steady(b.time);
        ex = ex.max((y[0] - x).abs());
        ev = ev.max((y[1] - v).abs());
        if end == StepEnd::Completed {
            break;
        }
        while (k + 1) as f64 * d <= b.time {
            k += 1;
        }
    }
    let e = b.participant.effort();
    (e.inner_steps, e.evaluations, ex, ev)
}
fn hold(d: f64) -> (u64, u64, f64, f64) {
    let mut b = oscillator();
    let (mut ex, mut ev) = (0.0_f64, 0.0_f64);
    let n = (4.0 / d).round() as i64;
    for k in 0..n {
        let to = (k + 1) as f64 * d;
        let f = Elliott::force(k as f64 * d);
        loop {
            let seg = [Segment::constant(f, at(to))];
            let end = b
                .participant
                .own_steps()
                .unwrap()
                .step_once(StepRequest {
                    from: at(b.time),
                    to: at(to),
                    inputs: Inputs::single(&seg),
                    watch: Watch::Nothing,
                })
                .unwrap();
            b.time = match end {
                StepEnd::Completed => to,
                StepEnd::Early { at } => at.seconds(),
                _ => panic!(),
            };
            let y = b.outputs(&[0.0]);
            let [x, v, _] = Elliott::steady(b.time);
            ex = ex.max((y[0] - x).abs());
            ev = ev.max((y[1] - v).abs());
            if end == StepEnd::Completed {
                break;
            }
        }
    }
    let e = b.participant.effort();
    (e.inner_steps, e.evaluations, ex, ev)
}
#[test]
fn table() {
    let (c, ex, ev) = continuous();
    println!("continuous {c:?} {ex:e} {ev:e}");
    for d in [0.02, 0.002, 0.001] {
        println!("d {d}");
        println!("  hold      {:?}", hold(d));
        println!("  quad pre  {:?}", quadratic(d, true, false));
        println!("  quad cold {:?}", quadratic(d, false, false));
        println!("  herm pre  {:?}", quadratic(d, true, true));
    }
}
