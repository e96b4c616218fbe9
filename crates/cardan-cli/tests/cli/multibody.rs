//! Mechanisms as users meet them: mistakes with file and line, and what is told of a good one.

use crate::bench::{Bench, last};

const SYSTEM: &str =
    "[system]\nstop = 0.1\n[components.arm]\nmultibody = \"arm.toml\"\n[method]\nstep = 0.01\n";

const ARM: &str = r#"space = "plane"
[bodies.rod]
mass = 1.0
center = [0.5, 0.0]
shape = { kind = "rod", length = 1.0 }
[joints.hinge]
kind = "revolute"
between = ["ground", "rod"]
"#;

fn bench(arm: &str) -> Bench {
    let bench = Bench::new();
    bench.write("system.toml", SYSTEM);
    bench.write("arm.toml", arm);
    bench
}

#[test]
fn a_joint_to_nothing_is_a_mistake_with_its_place() {
    let bench = bench(&ARM.replace("\"rod\"]", "\"rid\"]"));
    for command in ["check", "run", "info"] {
        let answer = bench.cardan(&[command, "system.toml"]).expect(2);
        assert!(answer.err.contains("arm.toml:8:23"), "{}", answer.err);
        assert!(answer.err.contains("there is no body `rid`"), "{}", answer.err);
        assert!(answer.err.contains("did you mean `rod`?"), "{}", answer.err);
    }
    let check = bench.cardan(&["check", "system.toml", "--json"]).expect(2).json();
    let mistake = &check["diagnostics"][0];
    assert_eq!(mistake["line"], 8);
    assert!(
        mistake["file"].as_str().unwrap().ends_with("arm.toml"),
        "{mistake}"
    );
}

#[test]
fn what_shows_only_when_it_is_built_has_a_place_too() {
    let bench = bench(&(ARM.to_owned() + "[bodies.ghost]\nmass = 0.0\n"));
    let answer = bench.cardan(&["check", "system.toml"]).expect(2);
    assert!(answer.err.contains("arm.toml:9"), "{}", answer.err);
    assert!(answer.err.contains("the body `ghost`"), "{}", answer.err);
}

#[test]
fn a_good_one_is_told_with_its_size() {
    let bench = bench(ARM);
    let size = "arm: 1 body, 1 joint, 2 coordinates, 1 constraint";
    for command in ["info", "check"] {
        let answer = bench.cardan(&[command, "system.toml"]).expect(0);
        assert!(answer.out.contains(size), "{}", answer.out);
    }
    let info = bench.cardan(&["info", "system.toml", "--json"]).expect(0).json();
    let component = &info["components"][0];
    assert_eq!(component["kind"], "multibody");
    assert_eq!(component["source"], "arm.toml");
    assert_eq!(component["mechanism"]["coordinates"], 2);
    let check = bench.cardan(&["check", "system.toml", "--json"]).expect(0).json();
    assert_eq!(check["mechanisms"]["arm"]["constraints"], 1);
}

#[test]
fn a_run_tells_its_corrections() {
    let bench = bench(ARM);
    let solver = "solver = { kind = \"trapezoidal\", step = 1e-3 }\n[method]";
    bench.write("system.toml", &SYSTEM.replace("[method]", solver));
    let run = bench.cardan(&["run", "system.toml", "--json"]).expect(0).json();
    let component = &run["components"]["arm"];
    assert_eq!(component["inner_steps"], 100);
    assert!(component["iterations"].as_u64().unwrap() >= 100, "{component}");
    let verbose = bench.cardan(&["run", "system.toml", "-v"]).expect(0);
    assert!(verbose.out.contains("corrections"), "{}", verbose.out);
}

#[test]
fn numbers_inside_can_be_set() {
    let bench = bench(ARM);
    bench.write("arm.toml", &(ARM.to_owned() + "speed = 2.0\n"));
    let energy = |mass: &str| {
        let set = format!("arm.bodies.rod.mass={mass}");
        bench
            .cardan(&["run", "system.toml", "--set", &set, "--out", "out.csv"])
            .expect(0);
        last(&bench.table("out.csv"), "arm.energy")
    };
    let (light, heavy) = (energy("1.0"), energy("3"));
    // m l² / 6 of the speed's square; on the level of the hinge there is no other.
    assert!(
        (light - 4.0 / 6.0).abs() < 1e-6 && (heavy - 2.0).abs() < 1e-6,
        "{light}, {heavy}"
    );
    let gravity = bench
        .cardan(&["run", "system.toml", "--set", "arm.gravity=[0, 0]", "--json"])
        .expect(0);
    assert_eq!(gravity.json()["status"], "ok");
    let answer = bench
        .cardan(&["check", "system.toml", "--set", "arm.rod.mass=2"])
        .expect(2);
    assert!(
        answer.err.contains("did you mean `bodies.rod.mass`?"),
        "{}",
        answer.err
    );
    let answer = bench
        .cardan(&["check", "system.toml", "--set", "arm.bodies.rod.mass=heavy"])
        .expect(2);
    assert!(answer.err.contains("expected a finite number"), "{}", answer.err);
    let answer = bench
        .cardan(&["check", "system.toml", "--set", "arm.bodies.rod.mass=-2"])
        .expect(2);
    assert!(answer.err.contains("mass = -2"), "{}", answer.err);
}

/// What a mechanism is made of decides every bit: a run does not go on with something else.
#[test]
fn a_changed_number_is_another_system() {
    let bench = bench(ARM);
    bench
        .cardan(&["run", "system.toml", "--checkpoint", "state"])
        .expect(0);
    let go_on = ["run", "system.toml", "--resume", "state", "--stop", "0.2"];
    for (set, code) in [
        (None, 0),
        (Some("arm.bodies.rod.mass=2"), 2),
        (Some("arm.gravity=[0, 0]"), 2),
    ] {
        let set = set.into_iter().flat_map(|set| ["--set", set]);
        let arguments: Vec<&str> = go_on.into_iter().chain(set).collect();
        let answer = bench.cardan(&arguments).expect(code);
        assert_eq!(
            code == 2,
            answer.err.contains("other parameters"),
            "{}",
            answer.err
        );
    }
}
