//! Scripts of the Adams Co-Simulation Interface, as users call them.

use crate::bench::Bench;

const BOOK: &str = include_str!("../../../../docs/book/acsi.md");

/// The system of the book, as one would write it down without a script.
const PLAIN: &str = r#"
[system]
name = "mount"
stop = 2.0
[components.engine]
model = "mass-spring-damper"
parameters = { mass = 120.0, stiffness = 1e3, position = 0.01 }
[components.rubber_mount]
model = "spring-damper"
parameters = { stiffness = 3e4, damping = 150.0 }
[[connections]]
from = "engine.position"
to = "rubber_mount.position_a"
reading = "quadratic"
[[connections]]
from = "engine.velocity"
to = "rubber_mount.velocity_a"
reading = "quadratic"
[[connections]]
from = "rubber_mount.force_a"
to = "engine.force"
reading = "linear"
weight = 0.788
"#;

/// The text between the fences of the first block of a language in the book.
fn block(language: &str) -> &'static str {
    let (_, rest) = BOOK.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

/// The script and the map of the book, in files of those names.
fn mount(script: &str, map: &str) -> Bench {
    let bench = Bench::new();
    bench.write(script, block("text"));
    bench.write(map, block("toml"));
    bench
}

/// A method that needs no leader: the same system in both formats takes the same steps.
const STEPS: [&str; 4] = ["--method", "jacobi", "--step", "0.001"];

#[test]
fn the_example_of_the_book_gives_the_bits_of_the_same_system_in_toml() {
    let bench = mount("mount.cosim", "mount.map.toml");
    bench.write("plain.toml", PLAIN);
    for (system, out) in [("mount.cosim", "script.csv"), ("plain.toml", "plain.csv")] {
        let mut arguments = vec!["run", system, "--out", out];
        arguments.extend(STEPS);
        bench.cardan(&arguments).expect(0);
    }
    let (script, plain) = (bench.read("script.csv"), bench.read("plain.csv"));
    assert!(script.lines().count() > 2000 && script == plain);
}

#[test]
fn a_script_is_known_by_how_it_begins_and_its_map_may_lie_elsewhere() {
    let bench = mount("setup.txt", "elsewhere.toml");
    let arguments = ["check", "setup.txt", "--map", "elsewhere.toml", "--quick"];
    let answer = bench.cardan(&[&arguments[..], &STEPS].concat()).expect(0);
    assert!(
        answer
            .out
            .contains("setup: no mistakes; 2 components, 3 connections"),
        "{}",
        answer.out
    );
    assert!(answer.out.contains("linear (weight 0.788)"), "{}", answer.out);
}

#[test]
fn without_a_map_it_is_said_where_one_was_looked_for() {
    let bench = mount("mount.cosim", "other.toml");
    for command in ["run", "check", "info"] {
        let answer = bench.cardan(&[command, "mount.cosim"]).expect(2);
        assert!(answer.err.contains("--> mount.map.toml"), "{}", answer.err);
        assert!(answer.err.contains("[codes.adams]"), "{}", answer.err);
    }
}

#[test]
fn ports_that_are_not_there_are_found_in_the_map() {
    let bench = mount("mount.cosim", "mount.map.toml");
    let map = block("toml")
        .replace("force_a", "force_{node_id}")
        .replace("stop = 2.0", "");
    bench.write("mount.map.toml", &map);
    let answer = bench
        .cardan(&[&["check", "mount.cosim"][..], &STEPS].concat())
        .expect(2);
    let port = "error: component `rubber_mount` has no port `force_117`\n  --> mount.map.toml:15:9\n";
    assert!(answer.err.contains(port), "{}", answer.err);
    let stop = "error: it is not said when to stop\n --> mount.map.toml:1:1\n";
    assert!(answer.err.contains(stop), "{}", answer.err);
}

#[test]
fn a_map_is_for_scripts_only() {
    let bench = mount("mount.cosim", "mount.map.toml");
    bench.write("plain.toml", PLAIN);
    let answer = bench
        .cardan(&["check", "plain.toml", "--map", "mount.map.toml"])
        .expect(2);
    assert!(
        answer.err.contains("this is no co-simulation script"),
        "{}",
        answer.err
    );
}
