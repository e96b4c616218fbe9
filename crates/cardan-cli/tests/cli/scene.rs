//! Scenes: the file beside the results that tells how to draw mechanisms.

use crate::bench::{Answer, Bench};
use crate::interrupt::{interrupt, start};
use cardan::Table;
use serde_json::{Value, json};

const SYSTEM: &str =
    "[system]\nname = \"s\"\nstop = 0.1\n[components.arm]\nmultibody = \"arm.toml\"\n[method]\nstep = 0.01\n";

/// A driven crank with a particle on a rope, a spring and a floor.
const ARM: &str = r#"space = "plane"
scene = true
[ground]
points = { nail = [0.1, 0.2], floor = [0.0, -5.0] }
[bodies.crank]
mass = 1.5
center = [0.5, 0.0]
shape = { kind = "box", size = [1.0, 0.1] }
points = { tip = [1.0, 0.0] }
[bodies.bob]
mass = 2.0
position = [1.0, -1.0]
[joints.foot]
kind = "revolute"
between = ["ground.nail", "crank"]
drive = { offset = 0.6, rate = 2.0 }
[joints.rope]
kind = "distance"
between = ["crank.tip", "bob"]
[forces.coil]
kind = "spring"
between = ["crank.center", "bob"]
stiffness = 10.0
[forces.floor]
kind = "contact"
point = "bob"
radius = 0.1
plane = "ground.floor"
normal = [0.0, 1.0]
stiffness = 1e3
"#;

/// A pendulum that swings for ever.
const PENDULUM: &str = r#"space = "plane"
scene = true
[bodies.rod]
mass = 1.0
center = [0.5, 0.0]
shape = { kind = "rod", length = 1.0 }
[joints.hinge]
kind = "revolute"
between = ["ground", "rod"]
"#;

/// Becomes too large for a number at t = 0.05.
const LOUD: &str = r#"[components.source]
model = "ramp"
parameters = { slope = 1.0 }
[components.loud]
model = "gain"
parameters = { k = 1e308 }
[components.louder]
model = "gain"
parameters = { k = 36.0 }
[[connections]]
from = "source.y"
to = "loud.u"
[[connections]]
from = "loud.y"
to = "louder.u"
"#;

fn bench(system: &str, arm: &str) -> Bench {
    let bench = Bench::new();
    bench.write("s.toml", system);
    bench.write("arm.toml", arm);
    bench
}

fn scene(bench: &Bench, name: &str) -> Value {
    serde_json::from_str(&bench.read(name)).unwrap()
}

/// The names of columns behind a key of a body's pose.
fn columns(body: &Value, key: &str) -> Vec<String> {
    let names = body["pose"][key].as_array();
    let names = names.unwrap_or_else(|| panic!("no {key} of {body}"));
    names
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

/// The first row of these columns, which must be there.
fn first(table: &Table, names: &[String]) -> Vec<f64> {
    let value = |name: &String| match table.column(name) {
        Some(cardan::core::record::ColumnData::Reals(values)) => values[0],
        other => panic!("{name}: {other:?}"),
    };
    names.iter().map(value).collect()
}

#[test]
fn it_lies_beside_results_of_every_format() {
    let bench = bench(SYSTEM, ARM);
    for result in ["a.csv", "b.parquet", "c.mat"] {
        let run = bench.cardan(&["run", "s.toml", "--out", result, "--json"]);
        let file = format!("{}.scene.json", &result[..1]);
        assert_eq!(run.expect(0).json()["scene"], file);
        let scene = scene(&bench, &file);
        assert_eq!(scene["version"], 1);
        assert_eq!(scene["results"], result);
        let table = bench.table(result);
        let bodies = &scene["mechanisms"][0]["bodies"];
        let [crank, bob] = [&bodies[0], &bodies[1]];
        // The crank is driven, so it begins exactly there; constraints hold to the tolerance of corrections, 1e-7.
        let at = first(&table, &columns(crank, "position"));
        let turned = first(&table, &columns(crank, "orientation"));
        let exact = [0.1, 0.2, 0.0, 0.3_f64.cos(), 0.0, 0.0, 0.3_f64.sin()];
        for (found, exact) in at.iter().chain(&turned).zip(exact) {
            assert!((found - exact).abs() < 1e-6, "{at:?} {turned:?}");
        }
        assert_eq!(first(&table, &columns(bob, "position")).len(), 2);
        assert_eq!(bob["pose"]["orientation"], Value::Null);
    }
}

#[test]
fn it_has_what_is_needed_to_draw() {
    let bench = bench(SYSTEM, ARM);
    let answer = bench.cardan(&["run", "s.toml"]).expect(0);
    assert!(answer.out.contains("s.scene.json"), "{}", answer.out);
    let scene = scene(&bench, "s.scene.json");
    assert_eq!(scene["time"], "time");
    let arm = &scene["mechanisms"][0];
    assert_eq!(arm["component"], "arm");
    assert_eq!(arm["space"], "plane");
    assert_eq!(arm["gravity"], json!([0.0, -9.81, 0.0]));
    assert_eq!(
        arm["ground"],
        json!([{ "name": "nail", "position": [0.1, 0.2, 0.0] }, { "name": "floor", "position": [0.0, -5.0, 0.0] }])
    );
    let [crank, bob] = [&arm["bodies"][0], &arm["bodies"][1]];
    assert_eq!(crank["name"], "crank");
    assert_eq!(crank["mass"], 1.5);
    assert_eq!(crank["center"], json!([0.5, 0.0, 0.0]));
    assert_eq!(crank["shape"], json!({ "kind": "box", "size": [1.0, 0.1, 0.0] }));
    assert_eq!(
        crank["points"],
        json!([{ "name": "tip", "position": [1.0, 0.0, 0.0] }])
    );
    assert_eq!([&crank["particle"], &bob["particle"]], [false, true]);
    assert_eq!(bob["shape"], Value::Null);
    let end = |body: &str, point: &str, position: [f64; 3]| json!({ "body": body, "point": point, "position": position });
    let foot = json!({
        "name": "foot",
        "kind": "revolute",
        "between": [end("ground", "nail", [0.1, 0.2, 0.0]), end("crank", "origin", [0.0; 3])],
        "axis": [0.0, 0.0, 1.0],
        "second_axis": null,
    });
    let rope = json!({
        "name": "rope",
        "kind": "distance",
        "between": [end("crank", "tip", [1.0, 0.0, 0.0]), end("bob", "origin", [0.0; 3])],
        "axis": null,
        "second_axis": null,
    });
    assert_eq!(arm["joints"], json!([foot, rope]));
    let between = [
        end("crank", "center", [0.5, 0.0, 0.0]),
        end("bob", "origin", [0.0; 3]),
    ];
    assert_eq!(arm["springs"], json!([{ "name": "coil", "between": between }]));
    let floor = json!({
        "name": "floor",
        "point": end("bob", "origin", [0.0; 3]),
        "radius": 0.1,
        "plane": end("ground", "floor", [0.0, -5.0, 0.0]),
        "normal": [0.0, 1.0, 0.0],
    });
    assert_eq!(arm["contacts"], json!([floor]));
}

#[test]
fn columns_that_are_not_recorded_are_not_named() {
    let system = format!("{SYSTEM}[record]\nvariables = [\"arm.energy\", \"arm.scene.crank\"]\n");
    let bench = bench(&system, ARM);
    bench.cardan(&["run", "s.toml"]).expect(0);
    let scene = scene(&bench, "s.scene.json");
    let bodies = &scene["mechanisms"][0]["bodies"];
    let table = bench.table("s.csv");
    assert_eq!(first(&table, &columns(&bodies[0], "orientation")).len(), 4);
    assert_eq!(bodies[1]["pose"]["position"], Value::Null);
    assert!(table.column("arm.scene.bob[1]").is_none());
}

#[test]
fn without_one_nothing_is_written() {
    let bench = bench(SYSTEM, &ARM.replace("scene = true", "scene = false"));
    let answer = bench.cardan(&["run", "s.toml"]).expect(0);
    assert!(!answer.out.contains("scene"), "{}", answer.out);
    assert_eq!(bench.files(), ["arm.toml", "s.csv", "s.toml"]);
    let run = bench.cardan(&["run", "s.toml", "--json"]).expect(0).json();
    assert_eq!(run.get("scene"), None);
    let info = bench.cardan(&["info", "s.csv", "--json"]).expect(0).json();
    assert_eq!(info.get("scene"), None);
}

#[test]
fn a_run_that_fails_leaves_it_with_its_rows() {
    for watched in [true, false] {
        let bench = bench(&SYSTEM.replace("[method]", &format!("{LOUD}[method]")), ARM);
        let arguments = ["run", "s.toml", "--json", "--no-supervisor"];
        let arguments = &arguments[..if watched { 3 } else { 4 }];
        let run = bench.cardan(arguments).expect(4).json();
        assert_eq!(run["status"], "failed");
        assert_eq!(run["scene"], "s.scene.json");
        let scene = scene(&bench, "s.scene.json");
        let crank = &scene["mechanisms"][0]["bodies"][0];
        let table = bench.table("s.csv");
        assert!(table.times.len() > 1 && table.times.last() < Some(&0.1));
        first(&table, &columns(crank, "position"));
        assert_eq!(bench.files(), ["arm.toml", "s.csv", "s.scene.json", "s.toml"]);
    }
}

#[test]
fn an_interrupted_run_leaves_it_too() {
    let bench = bench(SYSTEM, PENDULUM);
    let child = start(
        &bench,
        &["run", "s.toml", "--stop", "1e6", "--every", "10", "--json"],
    );
    interrupt(&child);
    let answer = Answer::from(child.wait_with_output().unwrap()).expect(130);
    assert_eq!(answer.json()["scene"], "s.scene.json");
    assert_eq!(scene(&bench, "s.scene.json")["results"], "s.csv");
}

#[test]
fn a_file_that_is_needed_otherwise_is_not_its_place() {
    let bench = bench(SYSTEM, ARM);
    let answer = bench.cardan(&["run", "s.toml", "--checkpoint", "s.scene.json"]);
    let answer = answer.expect(2);
    let words = "s.scene.json cannot hold both a checkpoint and the scene";
    assert!(answer.err.contains(words), "{}", answer.err);
}

#[test]
fn info_names_the_one_that_belongs_to_the_result() {
    let bench = bench(SYSTEM, ARM);
    bench.cardan(&["run", "s.toml"]).expect(0);
    let info = bench.cardan(&["info", "s.csv"]).expect(0);
    assert!(info.out.contains("with the scene s.scene.json"), "{}", info.out);
    let info = bench.cardan(&["info", "s.csv", "--json"]).expect(0).json();
    assert_eq!(info["scene"], "s.scene.json");
    // A result of the same name in another format is not the one that the scene is of.
    bench.cardan(&["run", "s.toml", "--out", "s.mat"]).expect(0);
    let info = bench.cardan(&["info", "s.csv", "--json"]).expect(0).json();
    assert_eq!(info.get("scene"), None);
}
