//! Configuration scripts of the Adams Co-Simulation Interface, and their maps.

use super::loading::Folder;
use cardan_core::graph::Graph;
use cardan_core::interface::{Interface, Port};
use cardan_core::signal::Reading;
use cardan_core::value::Shape;
use cardan_describe::spec::{ComponentSource, MethodKind, TangentKind};
use cardan_describe::{Diagnostic, Reporter, Source, SystemSpec, acsi, resolve};
use insta::assert_snapshot;
use proptest::prelude::*;
use std::path::Path;

const BRIDGE: &str = include_str!("acsi/bridge.cosim");
const BRIDGE_MAP: &str = include_str!("acsi/bridge.map.toml");
const MISTAKES: &str = include_str!("acsi/mistakes.cosim");

/// A leader and a follower, and a word of each for the tests to change.
const PAIR: &str = "\
process {
    id = 1
    name = body
    code = adams
    interaction {
        name = tip
        connection = node
        gforce_id = 1
    }
}
process {
    id = 2
    name = beam
    code = marc
    interaction {
        name = node
        connection = tip
        node_id = 5
    }
}
";

const PAIR_MAP: &str = "\
[system]
stop = 1.0
[codes.adams]
model = \"mass\"
motion = \"position\"
force = \"force\"
[codes.marc]
model = \"spring\"
motion = \"position\"
force = \"force\"
";

fn parse(script: &str, map: &str) -> (SystemSpec, Reporter) {
    let mut reporter = Reporter::new();
    let map = Source::new("pair.map.toml", map);
    let spec = acsi::parse(Source::new("pair.cosim", script), Some(map), &mut reporter);
    (spec, reporter)
}

/// What is said about a script and a map, all of it.
fn complaints(script: &str, map: &str) -> String {
    parse(script, map).1.render_all(false)
}

/// What is said about the pair after a change in its script.
fn after(old: &str, new: &str) -> String {
    assert!(PAIR.contains(old), "{old}");
    complaints(&PAIR.replacen(old, new, 1), PAIR_MAP)
}

/// The same after a change in its map.
fn after_in_map(old: &str, new: &str) -> String {
    assert!(PAIR_MAP.contains(old), "{old}");
    complaints(PAIR, &PAIR_MAP.replacen(old, new, 1))
}

/// Lines and messages in brief.
fn brief(reporter: &Reporter) -> Vec<String> {
    let line = |d: &&Diagnostic| {
        let file = d.file.display();
        format!("{file}:{}:{} {}", d.line.unwrap(), d.column.unwrap(), d.message)
    };
    reporter.sorted().iter().map(line).collect()
}

fn connections(spec: &SystemSpec) -> Vec<String> {
    let text = |end: &Option<cardan_describe::Spanned<String>>| end.as_ref().unwrap().value.clone();
    let connections = spec.connections.iter();
    connections
        .map(|c| {
            let name = c.name.as_ref().map_or("", |name| &name.value);
            let reading = c.usual_reading.map(|r| r.to_string()).unwrap_or_default();
            format!("{name}: {} → {}, {reading}", text(&c.from), text(&c.to))
        })
        .collect()
}

#[test]
fn a_script_and_its_map_become_a_system() {
    let mut reporter = Reporter::new();
    let folder = Path::new("tests/describe/acsi");
    let (script, map) = (folder.join("bridge.cosim"), folder.join("bridge.map.toml"));
    assert_eq!(acsi::map_beside(&script), map);
    let spec = acsi::load(&script, &map, &mut reporter).unwrap();
    spec.check_settings(&mut reporter);
    assert_eq!(reporter.render_all(false), "");
    assert_eq!(spec.name, "bridge");
    assert_eq!(spec.stop.unwrap().value, 4.0);
    assert_eq!(spec.method.kind.as_ref().unwrap().value, MethodKind::Glue);
    assert_eq!(spec.method.force_absolute_error.unwrap().value, 5.0);
    assert_eq!(spec.method.force_relative_error.unwrap().value, 0.02);
    assert_eq!(spec.method.tangent.as_ref().unwrap().value, TangentKind::Linear);
    assert_eq!(spec.method.ahead.unwrap().value, 1);
    let named: Vec<&str> = spec.components.iter().map(|c| c.name.value.as_str()).collect();
    assert_eq!(named, ["Light_truck", "bridge", "gravel"]);
    let [truck, bridge, gravel] = spec.components.as_slice() else {
        panic!("three")
    };
    assert_eq!(truck.role.as_ref().unwrap().value, "leader");
    assert!(bridge.role.is_none() && gravel.role.is_none());
    // The table of the process adds to the one of its code, and wins over it.
    assert!(matches!(&truck.source, Some(ComponentSource::Model(model)) if model.value == "multibody"));
    let parameters = truck
        .parameters
        .iter()
        .map(|(name, value)| (name.value.as_str(), value.value.number()));
    let parameters: Vec<_> = parameters.collect();
    assert_eq!(parameters, [("stiffness", Some(2e4)), ("mass", Some(1200.0))]);
    assert!(truck.solver.is_some());
    assert_eq!(bridge.step.unwrap().value, 0.002);
    assert_snapshot!(connections(&spec).join("\n"), @r#"
    front axle: Light_truck.u_11 → bridge.node_1212_u, quadratic
    front axle: bridge.node_1212_f → Light_truck.f_11, linear (weight 0.788)
    rear axle: Light_truck.u_12 → bridge.node_1313_u, quadratic
    rear axle: bridge.node_1313_f → Light_truck.f_12, linear (weight 0.788)
    bed: Light_truck.bed_position → gravel.Box.position, quadratic
    bed: Light_truck.bed_rotation → gravel.Box.rotation, quadratic
    bed: gravel.Box.force → Light_truck.f_20, linear (weight 0.788)
    "#);
}

/// A rotation is read by slerp and not by the rule of the script, as the interface has it.
#[test]
fn readings_suit_what_is_read() {
    let (spec, mut reporter) = parse(BRIDGE, BRIDGE_MAP);
    let mut truck = Interface::default();
    for name in ["u_11", "u_12"] {
        truck.port(Port::output(name));
    }
    for name in ["f_11", "f_12", "f_20"] {
        truck.port(Port::input(name));
    }
    truck.port(Port::output("bed_position").shaped(Shape::vector(3)));
    truck.port(Port::output("bed_rotation").rotation());
    let mut bridge = Interface::default();
    for node in ["node_1212", "node_1313"] {
        bridge.port(Port::input(format!("{node}_u")));
        bridge.port(Port::output(format!("{node}_f")));
    }
    let mut gravel = Interface::default();
    gravel.port(Port::input("Box.position").shaped(Shape::vector(3)));
    gravel.port(Port::input("Box.rotation").rotation());
    gravel.port(Port::output("Box.force"));
    let graph = resolve(
        &spec,
        &[Some(&truck), Some(&bridge), Some(&gravel)],
        &mut reporter,
    );
    assert_eq!(reporter.render_all(false), "");
    let graph: Graph = graph.unwrap();
    let read: Vec<String> = graph
        .connections
        .iter()
        .map(|c| format!("{}: {}", c.name.as_deref().unwrap(), c.reading))
        .collect();
    let force = "linear (weight 0.788)";
    assert_eq!(
        read,
        [
            "front axle: quadratic".to_owned(),
            format!("front axle: {force}"),
            "rear axle: quadratic".to_owned(),
            format!("rear axle: {force}"),
            "bed: quadratic".to_owned(),
            "bed: slerp".to_owned(),
            format!("bed: {force}"),
        ]
    );
}

#[test]
fn orders_are_rules_for_reading() {
    // The numbers of the interface's manual, and the line's weight where none is given.
    let rules = [
        ("2", Reading::Quadratic),
        ("1", Reading::Linear { weight: 1.0 }),
        ("0", Reading::Hold),
        ("-1", Reading::LeastSquares),
        ("-2", Reading::Mean),
    ];
    for (order, expected) in rules {
        for spelt in ["interpolate", "interpolation"] {
            let (spec, reporter) = parse(&format!("{spelt}_order_f = {order}\n{PAIR}"), PAIR_MAP);
            assert_eq!(reporter.render_all(false), "");
            let readings: Vec<_> = spec.connections.iter().map(|c| c.usual_reading).collect();
            assert_eq!(
                readings,
                [Some(Reading::Quadratic), Some(expected)],
                "motion, then force"
            );
        }
    }
    let weighted = format!("interpolate_order_u=1\nlinear_weight_u=0.25\n{PAIR}");
    let (spec, _) = parse(&weighted, PAIR_MAP);
    assert_eq!(
        spec.connections[0].usual_reading,
        Some(Reading::Linear { weight: 0.25 })
    );
}

/// Where the script leaves a rule open, the map may have one for all.
#[test]
fn the_map_may_choose_a_reading() {
    let map = format!("{PAIR_MAP}[method]\nreading = \"hermite\"\nkind = \"gauss-seidel\"\n");
    let (spec, reporter) = parse(&format!("interpolate_order_f = 0\n{PAIR}"), &map);
    assert_eq!(reporter.render_all(false), "");
    let readings: Vec<_> = spec.connections.iter().map(|c| c.usual_reading).collect();
    assert_eq!(readings, [None, Some(Reading::Hold)]);
    assert_eq!(spec.method.kind.unwrap().value, MethodKind::GaussSeidel);
}

#[test]
fn the_map_says_who_leads() {
    let map = PAIR_MAP
        .replace("[codes.adams]", "[codes.adams]\nrole = \"follower\"")
        .replace("[codes.marc]", "[codes.marc]\nrole = \"leader\"");
    let (spec, reporter) = parse(PAIR, &map);
    assert_eq!(reporter.render_all(false), "");
    assert_eq!(
        spec.component("beam").unwrap().role.as_ref().unwrap().value,
        "leader"
    );
    assert!(spec.component("body").unwrap().role.is_none());
    assert_eq!(
        connections(&spec),
        [
            "node: beam.position → body.position, quadratic",
            "node: body.force → beam.force, quadratic"
        ]
    );
}

#[test]
fn mistakes_are_all_reported_at_once() {
    assert_snapshot!(complaints(MISTAKES, PAIR_MAP));
}

#[test]
fn braces_that_do_not_match() {
    let lines = |text: &str| brief(&parse(text, PAIR_MAP).1).join("\n");
    assert_snapshot!(lines(&PAIR.replacen("    }\n}\nprocess", "    }\nprocess", 1)), @r#"
    pair.cosim:10:1 a `}` is missing before this `process`
    "#);
    assert_snapshot!(lines(&PAIR.replacen("    }\n}\nprocess", "}\nprocess", 1)), @r#"
    pair.cosim:10:1 a `}` is missing before this `process`
    "#);
    assert_snapshot!(lines(&PAIR.replacen("    interaction {", "    interaction", 1)), @r#"
    pair.cosim:5:5 a `{` is missing behind `interaction`
    "#);
    assert_snapshot!(lines(&format!("{PAIR}}}\n")), @r#"
    pair.cosim:21:1 a `}` too many: no group is open here
    "#);
    assert_snapshot!(lines(PAIR.trim_end().trim_end_matches('}')), @r#"
    pair.cosim:11:1 the script ends inside this `process`
    "#);
    assert_snapshot!(lines("process {\ninteraction {\nname = a\n"), @r#"
    pair.cosim:1:1 the script ends inside this `process`
    pair.cosim:2:1 the script ends inside this `interaction`
    "#);
    assert_snapshot!(lines(&PAIR.replacen("process {", "{", 1)), @r#"
    pair.cosim:1:1 a group without a name
    "#);
    assert_snapshot!(lines(&PAIR.replacen("process {", "process = {", 1)), @r#"
    pair.cosim:1:1 `process` is a group, which has no value
    "#);
    assert_snapshot!(lines(&PAIR.replacen("process {", "proces {", 1)), @r#"
    pair.cosim:1:1 there is no group `proces`
    "#);
    assert_snapshot!(lines(&PAIR.replacen("process {", "interaction {", 1)), @r#"
    pair.cosim:1:1 an `interaction` outside of a `process`
    "#);
    assert_snapshot!(lines("a { b { c = 1 }"), @r#"
    pair.cosim:1:1 there is no group `a`
    pair.cosim:1:1 the script ends inside this group
    "#);
}

#[test]
fn connections_that_are_not_mutual() {
    let third = "process {\nid = 3\nname = rope\ncode = marc\ninteraction {\nname = end\nconnection = body.tip\n}\n}\n";
    assert_snapshot!(complaints(&format!("{PAIR}{third}"), PAIR_MAP), @r#"
    error: `rope.end` is connected to `body.tip`, but that one to `beam.node`
      --> pair.cosim:27:14
       |
     7 |         connection = node
       |                      ---- its own connection
    ...
    27 | connection = body.tip
       |              ^^^^^^^^
       = help: two interactions that belong together name each other
    "#);
}

#[test]
fn connections_that_nobody_understands() {
    let third =
        "process {\nid = 3\nname = rope\ncode = marc\ninteraction {\nname = node\nconnection = tip\n}\n}\n";
    assert_snapshot!(complaints(&format!("{PAIR}{third}"), PAIR_MAP), @r#"
    error: several interactions are called `node`
     --> pair.cosim:7:22
      |
    7 |         connection = node
      |                      ^^^^
      = help: name the process too; they are: beam.node, rope.node
    "#);
    assert_snapshot!(after("connection = node", "connection = beam.nod"), @r#"
    error: `body.tip` is connected to `beam.nod`, which is not there
     --> pair.cosim:7:22
      |
    7 |         connection = beam.nod
      |                      ^^^^^^^^ no such interaction
      = help: did you mean `beam.node`?
    "#);
    assert_snapshot!(after("connection = node", "connection = tip"), @r#"
    error: `body.tip` is connected to itself
     --> pair.cosim:7:22
      |
    7 |         connection = tip
      |                      ^^^
      = help: name an interaction of another process
    "#);
}

#[test]
fn what_a_script_needs() {
    assert_snapshot!(complaints("cosim_ip = localhost\n", PAIR_MAP), @r#"
    error: there is no `process`
     --> pair.cosim:1:1
      |
    1 | cosim_ip = localhost
      | ^
      = help: name who takes part: process { … }, with id, name, code and interactions in it
    "#);
    assert_snapshot!(complaints("process {\n}\n", PAIR_MAP), @r#"
    error: this `process` lacks `id`, `name`, `code`
     --> pair.cosim:1:1
      |
    1 | process {
      | ^^^^^^^
      = help: add `id = …`, `name = …`, `code = …`

    error: this `process` has no `interaction`
     --> pair.cosim:1:1
      |
    1 | process {
      | ^^^^^^^
      = help: nothing connects it to the others: add interaction { … }, with name and connection in it
    "#);
    assert_snapshot!(after("    id = 2\n    name = beam\n", ""), @r#"
    error: this `process` lacks `id`, `name`
      --> pair.cosim:11:1
       |
    11 | process {
       | ^^^^^^^
       = help: add `id = …`, `name = …`
    "#);
}

#[test]
fn who_leads_is_known() {
    assert_snapshot!(after("gforce_id = 1", "node_id = 1"), @r#"
    error: neither `body` nor `beam` leads
      --> pair.cosim:17:22
       |
     7 |         connection = node
       |                      ---- the other end
    ...
    17 |         connection = tip
       |                      ^^^
       = help: whoever has `gforce_id` gives motion and receives force; or add `role = "leader"` to one of them in the map
    "#);
    assert_snapshot!(after("node_id = 5", "gforce_id = 5"), @r#"
    error: both `body` and `beam` lead
      --> pair.cosim:17:22
       |
     7 |         connection = node
       |                      ---- the other end
    ...
    17 |         connection = tip
       |                      ^^^
       = help: one gives motion and receives force, the other follows: add `role = "follower"` to that one in the map
    "#);
    assert_snapshot!(after_in_map("[codes.adams]", "[codes.adams]\nrole = \"boss\""), @r#"
    error: there is no role `boss`
     --> pair.map.toml:4:8
      |
    4 | role = "boss"
      |        ^^^^^^
      = help: a process is a leader or a follower
    "#);
}

#[test]
fn a_process_on_another_machine_must_be_reached() {
    assert_snapshot!(after("code = marc", "code = marc\n    ip_address = 10.0.0.2"), @r#"
    error: process `beam` is on `10.0.0.2`, and the map does not say how to reach it there
      --> pair.cosim:15:18
       |
    15 |     ip_address = 10.0.0.2
       |                  ^^^^^^^^ another machine
      ::: pair.map.toml:8:9
       |
     8 | model = "spring"
       |         -------- `model` means: on this machine
       = help: say so in the map with `connect = "tcp://host:port"` or `listen = "tcp://0.0.0.0:port"`, or leave `ip_address` out to have it here
    "#);
    let map = PAIR_MAP.replace("model = \"spring\"", "listen = \"tcp://0.0.0.0:5000\"");
    let script = PAIR.replace("code = marc", "code = marc\n    ip_address = 10.0.0.2");
    assert_eq!(complaints(&script, &map), "");
}

#[test]
fn a_map_that_does_not_fit() {
    assert_snapshot!(after_in_map("[codes.marc]", "[codes.mark]"), @r#"
    error: the map does not know the code `marc`
      --> pair.cosim:14:12
       |
    14 |     code = marc
       |            ^^^^ not in the map
       = help: did you mean `mark`? codes in the map: adams, mark; or add [codes.marc] or [processes.beam] to pair.map.toml

    warning: the script has no code `mark`
     --> pair.map.toml:7:8
      |
    7 | [codes.mark]
      |        ^^^^ not used
      = help: did you mean `marc`?
    "#);
    assert_snapshot!(after_in_map("model = \"spring\"\n", ""), @r#"
    error: the map does not say what process `beam` is made from
     --> pair.map.toml:7:8
      |
    7 | [codes.marc]
      |        ^^^^
      = help: add one of model, fmu, process, python, octave, scilab, connect, listen: model = "…"
    "#);
    assert_snapshot!(after_in_map("motion = \"position\"\nforce = \"force\"\n[codes.marc]", "[codes.marc]"), @r#"
    error: the map does not name the port of `body` for the motion at an interaction
     --> pair.map.toml:3:8
      |
    3 | [codes.adams]
      |        ^^^^^
      = help: add `motion = "…"`; {interaction}, {gforce_id}, {node_id} and {geometry_name} in it stand for what the script has

    error: the map does not name the port of `body` for the force at an interaction
     --> pair.map.toml:3:8
      |
    3 | [codes.adams]
      |        ^^^^^
      = help: add `force = "…"`; {interaction}, {gforce_id}, {node_id} and {geometry_name} in it stand for what the script has
    "#);
    assert_snapshot!(after_in_map("motion = \"position\"", "motion = [\"position\", \"velocity\"]"), @r#"
    error: `body` names 2 ports for the motion, `beam` names 1
     --> pair.map.toml:9:10
      |
    5 | motion = ["position", "velocity"]
      |           ---------- the other end
    ...
    9 | motion = "position"
      |          ^^^^^^^^^^
      = help: they are connected in their order: name as many at both ends
    "#);
    assert_snapshot!(after_in_map("motion = \"position\"", "motion = \"u_{node}{gforce_id\""), @r#"
    error: nothing can stand for `{node}`
     --> pair.map.toml:5:14
      |
    5 | motion = "u_{node}{gforce_id"
      |              ^^^^
      = help: words between braces: process, interaction, gforce_id, node_id, geometry_name

    error: a `}` is missing
     --> pair.map.toml:5:19
      |
    5 | motion = "u_{node}{gforce_id"
      |                   ^^^^^^^^^^
      = help: write {interaction}, {node_id} and the like
    "#);
    assert_snapshot!(after_in_map("motion = \"position\"", "motion = \"u_{geometry_name}\""), @r#"
    error: this interaction has no `geometry_name`
     --> pair.cosim:6:16
      |
    6 |         name = tip
      |                ^^^
     ::: pair.map.toml:5:10
      |
    5 | motion = "u_{geometry_name}"
      |          ------------------- the name of the port asks for it
      = help: add `geometry_name = …` to it, or name the port otherwise in the map
    "#);
    assert_snapshot!(after_in_map("motion = \"position\"", "motoin = \"u\"\nmotion = 3"), @r#"
    error: unknown key `motoin` in [codes.adams]
     --> pair.map.toml:5:1
      |
    5 | motoin = "u"
      | ^^^^^^ not known here
      = help: did you mean `motion`?

    error: `motion`: expected a string or a list of strings, found a whole number
     --> pair.map.toml:6:10
      |
    6 | motion = 3
      |          ^ expected a string or a list of strings
    "#);
    assert_snapshot!(after_in_map("[codes.adams]", "[processes.body]\ninteractions.top = { force = \"f\" }\n[processes.bean]\nmodel = \"x\"\n[codes.adams]"), @r#"
    warning: the script has no interaction of `body` called `top`
     --> pair.map.toml:4:14
      |
    4 | interactions.top = { force = "f" }
      |              ^^^ not used
      = help: did you mean `tip`?

    warning: the script has no process `bean`
     --> pair.map.toml:5:12
      |
    5 | [processes.bean]
      |            ^^^^ not used
      = help: did you mean `beam`?
    "#);
    assert_snapshot!(complaints(&format!("force_absolute_error = 1\n{PAIR}"), &format!("{PAIR_MAP}[method]\nforce_absolute_error = 2\n")), @r#"
    error: `force_absolute_error` is given in the script too
      --> pair.map.toml:12:24
       |
    12 | force_absolute_error = 2
       |                        ^
      ::: pair.cosim:1:24
       |
     1 | force_absolute_error = 1
       |                        - there
       = help: keep one of the two
    "#);
}

#[test]
fn idle_weights_are_remarked_on() {
    assert_snapshot!(complaints(&format!("linear_weight_f = 0.5\n{PAIR}"), PAIR_MAP), @r#"
    warning: `linear_weight_f` has no effect
     --> pair.cosim:1:19
      |
    1 | linear_weight_f = 0.5
      |                   ^^^
      = help: it counts with `interpolate_order_f = 1` only
    "#);
}

/// Names of components have no spaces; two that differ in them only would be one.
#[test]
fn names_that_come_to_the_same() {
    let script = PAIR
        .replace("name = body", "name = a b")
        .replace("name = beam", "name = a_b");
    assert_snapshot!(complaints(&script, PAIR_MAP), @r#"
    error: two processes would be called `a_b`
      --> pair.cosim:13:12
       |
     3 |     name = a b
       |            --- the first
    ...
    13 |     name = a_b
       |            ^^^
       = help: names of components have `_` in place of spaces and dots: choose another name
    "#);
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new("acsi");
    let script = folder.file("pair.cosim", PAIR.as_bytes());
    let said =
        |script: &Path| folder.said(|reporter| acsi::load(script, &acsi::map_beside(script), reporter));
    let missing = said(&script);
    assert_snapshot!(missing, @r#"
    error: there is no such file, which would say what the processes are made from
     --> DIR/pair.map.toml
      = help: write one, or name it with --map; such as
              [system]
              stop = 1.0
              [codes.adams]
              model = "mass-spring-damper"
              motion = "position"
              force = "force"
    "#);
    let map = folder.file("pair.map.toml", b"[codes]\nx = \"\xDF\"\n");
    assert_snapshot!(said(&script), @r#"
    error: line 2 is not text in UTF-8
     --> DIR/pair.map.toml:2:1
      = help: save the file as UTF-8: is this the right file?
    "#);
    folder.file("pair.map.toml", PAIR_MAP.as_bytes());
    assert_eq!(said(&script), "");
    std::fs::remove_file(map).unwrap();
    let holes = folder.file("holes.cosim", b"process {\n\0\n}\n");
    assert_snapshot!(said(&holes), @r#"
    error: line 2 is not text in UTF-8
     --> DIR/holes.cosim:2:1
      = help: save the file as UTF-8: is this the right file?
    "#);
    let long = folder.file("long.cosim", "# text\n".repeat(200_000).as_bytes());
    assert_snapshot!(said(&long), @r#"
    error: the file is longer than 1 MB
     --> DIR/long.cosim
      = help: a description is a short text: is this the right file?
    "#);
    assert_snapshot!(said(&long.with_file_name("none.cosim")), @r#"
    error: there is no such file
     --> DIR/none.cosim
      = help: check the path
    "#);
}

#[test]
fn files_are_told_by_their_names_and_by_what_they_say() {
    let folder = Folder::new("acsi-kind");
    let is = |name: &str, text: &str| acsi::is_script(&folder.file(name, text.as_bytes()));
    assert!(is("a.cosim", "anything"));
    assert!(is("a.txt", PAIR));
    assert!(is("a.acf", "# run it\ncosim_ip = localhost\n"));
    assert!(!is("b.txt", PAIR_MAP));
    assert!(!acsi::is_script(Path::new("nowhere.txt")));
}

/// A script of so many followers, with a name and rules of its own.
fn printed(followers: &[(String, u32)], orders: (i64, i64), weight: f64, style: usize) -> String {
    let (quote, open, comment) = [("", " {", ""), ("\"", "\n{", " # why"), ("'", "{", "\t! so")][style % 3];
    let q = |text: &str| format!("{quote}{text}{quote}{comment}");
    let mut text = format!(
        "interpolate_order_u = {}\ninterpolate_order_f={}{comment}\nlinear_weight_f = {weight}\n",
        orders.0, orders.1
    );
    text += &format!("process{open}\nid=0\nname = leader\ncode = {}\n", q("adams"));
    for (index, (name, _)) in followers.iter().enumerate() {
        text += &format!(
            "interaction{open}\nname = g{index}\nconnection = {}\ngforce_id = {index}\n}}\n",
            q(&format!("{name}{index}.n"))
        );
    }
    text += "}\n";
    for (index, (name, node)) in followers.iter().enumerate() {
        text += &format!(
            "process{open}\nid = {}\nname = {}\ncode = marc\ninteraction{open}\nname = n\nconnection = g{index}\nnode_id = {node}\n}}\n}}\n",
            index + 1,
            q(&format!("{name}{index}"))
        );
    }
    text
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(
        followers in prop::collection::vec(("[a-z][a-z ._-]{0,8}[a-z]", 0..100_000_u32), 1..6),
        orders in (-2..=2_i64, -2..=2_i64),
        weight in -2.0..2.0_f64,
        style in 0..3_usize,
    ) {
        let text = printed(&followers, orders, weight, style);
        let map = PAIR_MAP.replace("motion = \"position\"\nforce = \"force\"\n[codes.marc]", "motion = \"u{gforce_id}\"\nforce = \"f{gforce_id}\"\n[codes.marc]")
            .replace("motion = \"position\"", "motion = \"u{node_id}\"");
        let (spec, reporter) = parse(&text, &map);
        prop_assert!(!reporter.has_errors(), "{}\n{}", text, reporter.render_all(false));
        prop_assert_eq!(spec.components.len(), followers.len() + 1);
        let reading = |order: i64, weight: f64| match order {
            2 => Reading::Quadratic,
            1 => Reading::Linear { weight },
            0 => Reading::Hold,
            -1 => Reading::LeastSquares,
            _ => Reading::Mean,
        };
        let (motion, force) = (reading(orders.0, 1.0), reading(orders.1, weight));
        let mut expected = Vec::new();
        for (index, (name, node)) in followers.iter().enumerate() {
            let name = format!("{name}{index}").replace([' ', '.'], "_");
            expected.push(format!("g{index}: leader.u{index} → {name}.u{node}, {motion}"));
            expected.push(format!("g{index}: {name}.force → leader.f{index}, {force}"));
        }
        prop_assert_eq!(connections(&spec), expected);
    }

    #[test]
    fn arbitrary_text(script in "\\PC{0,200}", map in "\\PC{0,100}") {
        exercise(&script, &map);
    }

    #[test]
    fn arbitrary_tokens(tokens in prop::collection::vec(prop::sample::select(vec![
        "process", "interaction", "{", "}", "=", "\n", " ", "\"", "'", "#", "$", "!", "name", "id", "code", "connection",
        "gforce_id", "node_id", "1", "-2", "a", "a.b", "marc", "cosim_ip", "interpolate_order_u", ".", "µ", "\r\n", "\t",
    ]), 0..80)) {
        exercise(&tokens.join(" "), PAIR_MAP);
        exercise(&tokens.concat(), PAIR_MAP);
    }

    #[test]
    fn a_good_script_damaged(at in 0..BRIDGE.len(), cut in 0..40_usize, put in "[{}=#\"a\n]{0,4}") {
        let start = BRIDGE.floor_char_boundary(at);
        let end = BRIDGE.floor_char_boundary((at + cut).min(BRIDGE.len())).max(start);
        exercise(&format!("{}{put}{}", &BRIDGE[..start], &BRIDGE[end..]), BRIDGE_MAP);
    }

    #[test]
    fn a_good_map_damaged(at in 0..BRIDGE_MAP.len(), cut in 0..40_usize, put in "[{}=#\"a\n]{0,4}") {
        let start = BRIDGE_MAP.floor_char_boundary(at);
        let end = BRIDGE_MAP.floor_char_boundary((at + cut).min(BRIDGE_MAP.len())).max(start);
        exercise(BRIDGE, &format!("{}{put}{}", &BRIDGE_MAP[..start], &BRIDGE_MAP[end..]));
    }
}

/// Whatever is written, reading it ends without a panic, and what cannot be used is said.
fn exercise(script: &str, map: &str) {
    let (spec, mut reporter) = parse(script, map);
    spec.check_settings(&mut reporter);
    let interface = Interface::default();
    let interfaces: Vec<_> = spec.components.iter().map(|_| Some(&interface)).collect();
    let graph = resolve(&spec, &interfaces, &mut reporter);
    assert!(graph.is_none() || !spec.components.is_empty() || reporter.has_errors());
    let rendered = reporter.render_all(true);
    assert_eq!(rendered.is_empty(), reporter.sorted().is_empty());
}

/// As many groups, names and mistakes as fit: nothing grows faster than the text.
#[test]
fn garbage_of_the_largest_size_ends() {
    let size = acsi::MAX_BYTES as usize;
    let named: String = (0..size / 60)
        .map(|i| format!("process{{name=p{i}\ninteraction{{name=i{i}\nconnection=j{i}}}}}\n"))
        .collect();
    let parts: String = (0..size / 30)
        .map(|i| format!("[codes.c{i}]\nmodle=1\n"))
        .collect();
    for text in [
        "{",
        "}",
        "process{",
        "interaction\n",
        "process{interaction{",
        "a=",
        "=",
        "\"",
        "a = b\n",
        "id 1\n",
    ] {
        exercise(&text.repeat(size / text.len()), PAIR_MAP);
    }
    exercise(&named, PAIR_MAP);
    exercise(&named, &parts);
}
