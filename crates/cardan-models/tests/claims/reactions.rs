//! Inputs that follow outputs inside a step.

use cardan_core::inputs::Inputs;
use cardan_core::participant::{StepEnd, StepRequest, Watch};
use cardan_core::reaction::{Inertia, Motion, Part, Reaction};
use cardan_core::signal::Segment;
use cardan_ode::{Method, SolverSettings};

use crate::bench::{Bench, PRECISE, at, close, precise, reals};

const STIFFNESS: f64 = 40.0;

/// `f = 1 - 40 (x - 0.5)` on the only input, from the first output.
fn spring() -> Reaction {
    Reaction {
        parts: vec![Part {
            inputs: vec![0],
            motions: vec![Motion::Value(0)],
            origin: vec![0.5, 0.0, 0.0],
            base: vec![1.0],
            gains: vec![-STIFFNESS],
            ..Part::default()
        }],
        ..Reaction::default()
    }
}

fn mass(solver: &SolverSettings) -> Bench {
    Bench::new("mass", &reals(&[("position", 1.0)]), solver)
}

/// The mass on the spring: it swings about 0.525 with the square root of 40.
fn exact(t: f64) -> [f64; 2] {
    let (rest, rate) = (0.5 + 1.0 / STIFFNESS, STIFFNESS.sqrt());
    let (sin, cos) = (rate * t).sin_cos();
    [rest + (1.0 - rest) * cos, -(1.0 - rest) * rate * sin]
}

#[test]
fn a_force_that_follows_the_motion_is_a_spring() {
    // Over some swings the stiff method adds up 1e-10 in each of about a thousand steps.
    let bdf = SolverSettings {
        rtol: 1e-10,
        atol: 1e-12,
        ..SolverSettings::of(Method::Bdf)
    };
    for (solver, tolerance) in [(precise(), PRECISE), (bdf, 1e-6)] {
        let mut mass = mass(&solver);
        mass.participant.reactive().unwrap().react(&spring()).unwrap();
        // What the segment says does not count.
        mass.hold(2.0, &[-7.0]);
        let seen = mass.outputs(&[0.0]);
        for (found, exact) in seen.iter().zip(exact(2.0)) {
            close(*found, exact, tolerance);
        }
    }
}

#[test]
fn what_is_shown_inside_a_step_has_the_force_of_its_place() {
    let mut mass = mass(&precise());
    mass.participant.reactive().unwrap().react(&spring()).unwrap();
    let middle = [at(0.3), at(1.0)];
    let law = [Segment::constant(-7.0, at(1.0))];
    mass.try_step(1.0, Inputs::single(&law), Watch::Instants(&middle))
        .unwrap();
    let mut point = [f64::NAN; 3];
    let trace = mass.participant.trace().unwrap();
    trace.point(0, crate::bench::plane(&mut point)).unwrap();
    let [x, v] = exact(0.3);
    close(point[0], x, PRECISE);
    close(point[1], v, PRECISE);
    close(point[2], 1.0 - STIFFNESS * (x - 0.5), 100.0 * PRECISE);
}

#[test]
fn an_empty_reaction_ends_it() {
    let mut mass = mass(&precise());
    mass.participant.reactive().unwrap().react(&spring()).unwrap();
    mass.hold(1.0, &[0.0]);
    mass.participant
        .reactive()
        .unwrap()
        .react(&Reaction::default())
        .unwrap();
    mass.hold(1.5, &[-2.0]);
    let [x, v] = exact(1.0);
    let seen = mass.outputs(&[0.0]);
    close(seen[0], x + 0.5 * v - 0.25, PRECISE);
    close(seen[1], v - 1.0, PRECISE);
}

#[test]
fn a_reaction_that_does_not_fit_is_refused() {
    let mut mass = mass(&precise());
    let broken: [fn(&mut Part); 5] = [
        |part| part.inputs[0] = 1,
        |part| part.motions[0] = Motion::Value(3),
        |part| part.motions[0] = Motion::Turn(0),
        |part| part.origin.clear(),
        |part| part.bends = vec![[0.0; 3]; 2],
    ];
    for spoil in broken {
        let mut reaction = spring();
        spoil(&mut reaction.parts[0]);
        let failure = mass.participant.reactive().unwrap().react(&reaction);
        assert!(failure.unwrap_err().message.contains("does not fit"));
    }
}

/// A law that is set anew at every step, from the point reached, is the same law: neither bits of order nor steps are lost.
#[test]
fn the_same_law_told_from_elsewhere_costs_nothing() {
    let bdf = SolverSettings {
        rtol: 1e-6,
        atol: 1e-8,
        ..SolverSettings::of(Method::Bdf)
    };
    let ride = |anew: bool| {
        let mut mass = mass(&bdf);
        let mut reaction = spring();
        mass.participant.reactive().unwrap().react(&reaction).unwrap();
        while mass.time < 2.0 {
            let law = [Segment::constant(0.0, at(2.0))];
            let request = StepRequest {
                from: at(mass.time),
                to: at(2.0),
                inputs: Inputs::single(&law),
                watch: Watch::Nothing,
            };
            let end = mass.participant.own_steps().unwrap().step_once(request).unwrap();
            mass.time = match end {
                StepEnd::Early { at } => at.seconds(),
                _ => 2.0,
            };
            if anew {
                let seen = mass.outputs(&[0.0]);
                let part = &mut reaction.parts[0];
                part.base[0] -= STIFFNESS * (seen[0] - part.origin[0]);
                part.origin = seen;
                mass.participant.reactive().unwrap().react(&reaction).unwrap();
            }
        }
        mass.participant.effort().inner_steps as f64
    };
    let (once, always) = (ride(false), ride(true));
    assert!((always / once - 1.0).abs() < 0.02, "{once} {always}");
}

/// `f = segment - 3 v`, and as if half of the mass of two were somebody else's.
fn line_end(inertias: Vec<Inertia>) -> Reaction {
    Reaction {
        parts: vec![Part {
            inputs: vec![0],
            motions: vec![Motion::Value(1)],
            origin: vec![0.0; 3],
            gains: vec![-3.0],
            ..Part::default()
        }],
        inertias,
        tick: 1e-6,
    }
}

fn two_kilograms() -> Bench {
    Bench::new("mass", &reals(&[("mass", 2.0), ("velocity", 1.0)]), &precise())
}

/// `m v' = 6 - 3 v`: the velocity goes from 1 to 2 with the rate 3/m.
fn towards_two(t: f64, mass: f64) -> f64 {
    2.0 - (-3.0 * t / mass).exp()
}

#[test]
fn a_law_without_a_base_comes_on_top_of_the_segment() {
    let mut mass = two_kilograms();
    mass.participant
        .reactive()
        .unwrap()
        .react(&line_end(Vec::new()))
        .unwrap();
    mass.hold(1.0, &[6.0]);
    let seen = mass.outputs(&[6.0]);
    close(seen[1], towards_two(1.0, 2.0), PRECISE);
    // Outside of steps too: the force is 6 - 3 v.
    close(seen[2], (6.0 - 3.0 * seen[1]) / 2.0, PRECISE);
}

#[test]
fn inertia_that_is_taken_away_is_missing() {
    let inertia = Inertia {
        input: 0,
        output: 1,
        mass: 1.0,
    };
    let mut mass = two_kilograms();
    mass.participant
        .reactive()
        .unwrap()
        .react(&line_end(vec![inertia]))
        .unwrap();
    mass.hold(1.0, &[6.0]);
    let seen = mass.outputs(&[6.0]);
    // Rates are differences over 1e-6 s of velocities of about one: good to 1e-10, over one second and a rate of three.
    close(seen[1], towards_two(1.0, 1.0), 1e-9);
    close(seen[2], 6.0 - 3.0 * seen[1], 1e-8);
}

#[test]
fn more_inertia_than_there_is_cannot_be_taken_away() {
    let inertia = Inertia {
        input: 0,
        output: 1,
        mass: 2.5,
    };
    let mut mass = two_kilograms();
    mass.participant
        .reactive()
        .unwrap()
        .react(&line_end(vec![inertia]))
        .unwrap();
    let segments = [Segment::constant(6.0, at(1.0))];
    let failure = mass
        .participant
        .step(StepRequest {
            from: at(0.0),
            to: at(1.0),
            inputs: Inputs::single(&segments),
            watch: Watch::Nothing,
        })
        .unwrap_err();
    assert!(
        failure.message.contains("more inertia than there is"),
        "{failure}"
    );
}
