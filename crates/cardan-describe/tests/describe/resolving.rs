//! Names against interfaces.

use super::parse;
use cardan_core::graph::{Conversion, Graph};
use cardan_core::interface::{Interface, Port, Variability};
use cardan_core::signal::Reading;
use cardan_core::value::{Shape, Value, ValueType};
use cardan_describe::{Reporter, resolve};
use insta::assert_snapshot;

fn wheel() -> Interface {
    let mut wheel = Interface::default();
    wheel.port(Port::output("velocity").unit("km/h"));
    wheel.port(Port::output("position").unit("m"));
    wheel.port(Port::input("force").unit("N"));
    wheel.port(Port::local("energy").unit("J"));
    wheel.port(Port::output("contact").typed(ValueType::Boolean));
    wheel.port(Port::output("attitude").rotation());
    wheel.port(Port::output("stress").shaped(Shape::matrix(2, 3)));
    wheel
}

fn chassis() -> Interface {
    let mut chassis = Interface::default();
    chassis.port(Port::input("velocity_in").unit("m/s").start(Value::real(0.0)));
    chassis.port(Port::input("position").unit("mm").start(Value::real(0.0)));
    chassis.port(
        Port::input("attitude")
            .rotation()
            .start(Value::Reals(vec![1.0, 0.0, 0.0, 0.0])),
    );
    chassis.port(
        Port::input("loads")
            .shaped(Shape::vector(2))
            .start(Value::Reals(vec![0.0; 2])),
    );
    chassis.port(Port::output("force").unit("kN"));
    chassis
}

const BASE: &str = r#"[system]
stop = 4.0
[components.wheel]
model = "wheel"
[components.chassis]
model = "chassis"
"#;
const CLOSED: &str = "[[connections]]\nfrom = \"chassis.force\"\nto = \"wheel.force\"\n";

fn run(text: &str) -> (Option<Graph>, Reporter) {
    let (spec, mut reporter) = parse(text);
    assert!(!reporter.has_errors(), "{}", reporter.render_all(false));
    let (wheel, chassis) = (wheel(), chassis());
    let interfaces: Vec<Option<&Interface>> = spec
        .components
        .iter()
        .map(|component| match component.name.value.as_str() {
            "wheel" => Some(&wheel),
            "chassis" => Some(&chassis),
            _ => None,
        })
        .collect();
    let graph = resolve(&spec, &interfaces, &mut reporter);
    (graph, reporter)
}

/// What is said of a system whose wheel is driven, with `section` added.
fn complaints(section: &str) -> String {
    let (graph, reporter) = run(&format!("{BASE}{CLOSED}{section}"));
    assert_eq!(graph.is_none(), reporter.has_errors());
    reporter.render_all(false)
}

fn connections(pairs: &[(&str, &str)]) -> String {
    pairs
        .iter()
        .map(|(from, to)| format!("[[connections]]\nfrom = \"{from}\"\nto = \"{to}\"\n"))
        .collect()
}

#[test]
fn a_good_system_becomes_a_graph() {
    let section = connections(&[
        ("wheel.velocity", "chassis.velocity_in"),
        ("wheel.attitude", "chassis.attitude"),
        ("wheel.stress[2,3]", "chassis.loads[1]"),
    ]);
    let (graph, reporter) = run(&format!(
        "{BASE}{CLOSED}{section}[method]\nreading = \"quadratic\"\n"
    ));
    assert_eq!(reporter.render_all(false), "");
    let graph = graph.unwrap();
    assert_snapshot!(graph.to_string(), @r#"
    wheel: force → velocity position contact attitude stress
    chassis: velocity_in position attitude loads → force
    chassis.force → wheel.force  (quadratic, × 1000)
    wheel.velocity → chassis.velocity_in  (quadratic, × 0.2777777777777778)
    wheel.attitude → chassis.attitude  (slerp)
    wheel.stress[2,3] → chassis.loads[1]  (quadratic)
    "#);
    assert_eq!(
        graph.connections[0].conversion,
        Conversion {
            factor: 1000.0,
            offset: 0.0
        }
    );
    assert_eq!(graph.connections[2].reading, Reading::Slerp);
    assert_eq!(graph.connections[3].from.element, Some(5));
}

#[test]
fn wrong_names() {
    let section = connections(&[
        ("wheel.velocty", "chassis.velocity_in"),
        ("whel.position", "chassis.position"),
        ("wheel", "chassis.loads"),
        ("wheel.temperature", "chassis.atitude"),
        ("motor.torque", "wheel.force.x"),
    ]);
    assert_snapshot!(complaints(&section), @r#"
    error: component `wheel` has no port `velocty`
      --> system.toml:11:15
       |
    11 | from = "wheel.velocty"
       |               ^^^^^^^ no such port
       = help: did you mean `wheel.velocity`?

    error: there is no component `whel`
      --> system.toml:14:9
       |
    14 | from = "whel.position"
       |         ^^^^ unknown component
       = help: did you mean `wheel`?

    error: `wheel` does not name a port
      --> system.toml:17:8
       |
    17 | from = "wheel"
       |        ^^^^^^^
       = help: write component.port; outputs of `wheel`: velocity, position, contact, attitude, stress

    error: component `wheel` has no port `temperature`
      --> system.toml:20:15
       |
    20 | from = "wheel.temperature"
       |               ^^^^^^^^^^^ no such port
       = help: outputs of `wheel`: velocity, position, contact, attitude, stress

    error: component `chassis` has no port `atitude`
      --> system.toml:21:15
       |
    21 | to = "chassis.atitude"
       |               ^^^^^^^ no such port
       = help: did you mean `chassis.attitude`?

    error: there is no component `motor`
      --> system.toml:23:9
       |
    23 | from = "motor.torque"
       |         ^^^^^ unknown component
       = help: components: wheel, chassis

    error: component `wheel` has no port `force.x`
      --> system.toml:24:13
       |
    24 | to = "wheel.force.x"
       |             ^^^^^^^ no such port
       = help: did you mean `wheel.force`?
    "#);
}

#[test]
fn wrong_directions() {
    let section = connections(&[
        ("wheel.force", "chassis.velocity_in"),
        ("wheel.energy", "chassis.position"),
        ("wheel.attitude", "chassis.force"),
    ]);
    assert_snapshot!(complaints(&section), @r#"
    error: `wheel.force` is an input, `from` needs an output
      --> system.toml:11:8
       |
    11 | from = "wheel.force"
       |        ^^^^^^^^^^^^^ not an output
       = help: outputs of `wheel`: velocity, position, contact, attitude, stress

    error: `wheel.energy` is a local variable: it can be recorded but not connected
      --> system.toml:14:8
       |
    14 | from = "wheel.energy"
       |        ^^^^^^^^^^^^^^ not an output
       = help: outputs of `wheel`: velocity, position, contact, attitude, stress

    error: `chassis.force` is an output, `to` needs an input
      --> system.toml:18:6
       |
    18 | to = "chassis.force"
       |      ^^^^^^^^^^^^^^^ not an input
       = help: inputs of `chassis`: velocity_in, position, attitude, loads
    "#);
}

#[test]
fn wrong_elements() {
    let section = connections(&[
        ("wheel.stress[3,1]", "chassis.loads[0]"),
        ("wheel.stress[1]", "chassis.loads[x]"),
        ("wheel.position[1]", "chassis.position"),
    ]);
    assert_snapshot!(complaints(&section), @r#"
    error: `wheel.stress[3,1]`: the index 3 is not between 1 and 2
      --> system.toml:11:21
       |
    11 | from = "wheel.stress[3,1]"
       |                     ^^^^^
       = help: `stress` has 2×3 elements, counted from 1

    error: `chassis.loads[0]`: the index 0 is not between 1 and 2
      --> system.toml:12:20
       |
    12 | to = "chassis.loads[0]"
       |                    ^^^
       = help: `loads` has 2 elements, counted from 1

    error: `wheel.stress[1]`: expected 2 indices, found 1
      --> system.toml:14:21
       |
    14 | from = "wheel.stress[1]"
       |                     ^^^
       = help: `stress` has 2×3 elements, counted from 1

    error: `chassis.loads[x]`: `x` is not an index
      --> system.toml:15:20
       |
    15 | to = "chassis.loads[x]"
       |                    ^^^
       = help: `loads` has 2 elements, counted from 1

    error: `wheel.position[1]`: a single value has no elements
      --> system.toml:17:23
       |
    17 | from = "wheel.position[1]"
       |                       ^^^
       = help: leave the index out
    "#);
}

#[test]
fn ends_that_do_not_fit() {
    let section = connections(&[
        ("wheel.contact", "chassis.velocity_in"),
        ("wheel.stress", "chassis.loads"),
        ("wheel.velocity", "chassis.position"),
    ]);
    assert_snapshot!(complaints(&section), @r#"
    error: `wheel.contact` (boolean) cannot drive `chassis.velocity_in` (real): the types differ
      --> system.toml:12:6
       |
    11 | from = "wheel.contact"
       |        --------------- boolean
    12 | to = "chassis.velocity_in"
       |      ^^^^^^^^^^^^^^^^^^^^^ real
       = help: connect ports of the same type

    error: `wheel.stress` (2×3) cannot drive `chassis.loads` (2): the shapes differ
      --> system.toml:15:6
       |
    14 | from = "wheel.stress"
       |        -------------- 2×3
    15 | to = "chassis.loads"
       |      ^^^^^^^^^^^^^^^ 2
       = help: connect single elements, as in `component.port[1]`, or ports of the same shape

    error: `wheel.velocity` cannot drive `chassis.position`: `km/h` cannot be converted to `mm`
      --> system.toml:18:6
       |
    17 | from = "wheel.velocity"
       |        ---------------- in km/h
    18 | to = "chassis.position"
       |      ^^^^^^^^^^^^^^^^^^ in mm
       = help: connect ports that measure the same thing
    "#);
}

#[test]
fn driven_twice() {
    let section = connections(&[
        ("chassis.force", "wheel.force"),
        ("wheel.stress[1,1]", "chassis.loads[1]"),
        ("wheel.stress[1,2]", "chassis.loads[2]"),
        ("wheel.stress[1,3]", "chassis.loads[2]"),
    ]);
    assert_snapshot!(complaints(&section), @r#"
    error: `wheel.force` is driven twice
      --> system.toml:12:6
       |
     9 | to = "wheel.force"
       |      ------------- first driven here
    ...
    12 | to = "wheel.force"
       |      ^^^^^^^^^^^^^ driven again here
       = help: an input takes one output: remove one of the two connections

    error: `chassis.loads[2]` is driven twice
      --> system.toml:21:6
       |
    18 | to = "chassis.loads[2]"
       |      ------------------ first driven here
    ...
    21 | to = "chassis.loads[2]"
       |      ^^^^^^^^^^^^^^^^^^ driven again here
       = help: an input takes one output: remove one of the two connections
    "#);
}

#[test]
fn left_open() {
    let (_, reporter) = run(BASE);
    assert_snapshot!(reporter.render_all(false), @r#"
    error: the input `wheel.force` is not connected
     --> system.toml:3:13
      |
    3 | [components.wheel]
      |             ^^^^^ has no value of its own for it
      = help: `chassis.force` could drive it: [[connections]] from = "chassis.force", to = "wheel.force"
    "#);
}

#[test]
fn partly_open() {
    let (spec, mut reporter) = parse(
        "[system]\nstop = 1\n[components.a]\nmodel = \"x\"\n[components.b]\nmodel = \"x\"\n\
         [[connections]]\nfrom = \"a.y\"\nto = \"b.u[2]\"\n",
    );
    let (mut a, mut b) = (Interface::default(), Interface::default());
    a.port(Port::output("y"));
    b.port(Port::input("u").shaped(Shape::vector(3)));
    assert!(resolve(&spec, &[Some(&a), Some(&b)], &mut reporter).is_none());
    assert_snapshot!(reporter.render_all(false), @r#"
    error: the input `b.u` is only partly connected; open: [1], [3]
     --> system.toml:5:13
      |
    5 | [components.b]
      |             ^ has no value of its own for it
      = help: connect an output to it: [[connections]] from = "…", to = "b.u[1]"
    "#);
}

#[test]
fn readings() {
    let section = r#"[[connections]]
from = "wheel.position"
to = "chassis.position"
reading = "slerp"
[[connections]]
from = "wheel.attitude"
to = "chassis.attitude"
reading = "quadratic"
[method]
reading = "slerp"
"#;
    assert_snapshot!(complaints(section), @r#"
    error: `wheel.position` is not a rotation, so it cannot be read by slerp
      --> system.toml:13:11
       |
    13 | reading = "slerp"
       |           ^^^^^^^
       = help: choose hold, linear, quadratic, least-squares, mean or hermite

    error: `wheel.attitude` is a rotation: a `quadratic` reading would leave the unit sphere
      --> system.toml:17:11
       |
    17 | reading = "quadratic"
       |           ^^^^^^^^^^^
       = help: leave `reading` out: rotations are read by slerp, or choose hold

    error: slerp is for rotations and cannot be the reading of all connections
      --> system.toml:19:11
       |
    19 | reading = "slerp"
       |           ^^^^^^^
       = help: leave it out: rotations are read by slerp anyway
    "#);
}

/// A body with a frame and a load, and something that it drives.
fn in_space(connections: &str) -> (Option<Graph>, String) {
    let (mut body, mut mount) = (Interface::default(), Interface::default());
    body.port(Port::output("frame").frame());
    body.port(Port::input("load").load().start(Value::Reals(vec![0.0; 6])));
    body.port(Port::output("list").shaped(Shape::vector(6)));
    mount.port(Port::input("frame").frame().start(Value::Reals(vec![0.0; 13])));
    mount.port(Port::input("height").unit("mm").start(Value::real(0.0)));
    mount.port(Port::output("load").load());
    let components =
        "[system]\nstop = 1\n[components.body]\nmodel = \"x\"\n[components.mount]\nmodel = \"x\"\n";
    let (spec, mut reporter) = parse(&format!("{components}{connections}"));
    assert!(!reporter.has_errors(), "{}", reporter.render_all(false));
    let graph = resolve(&spec, &[Some(&body), Some(&mount)], &mut reporter);
    (graph, reporter.render_all(false))
}

#[test]
fn frames_and_loads_have_named_elements() {
    let list = [
        ("body.frame", "mount.frame"),
        ("mount.load", "body.load"),
        ("body.frame.z", "mount.height"),
    ];
    let text = format!(
        "{}[record]\nvariables = [\"body.frame.q?\", \"mount.load.fz\"]\n[method]\nreading = \"linear\"\n",
        connections(&list)
    );
    let (graph, words) = in_space(&text);
    assert_eq!(words, "");
    let graph = graph.unwrap();
    let element = &graph.connections[2];
    assert_eq!(element.from.element, Some(2));
    assert_eq!(graph.name_of(element.from), "body.frame.z");
    assert_eq!(element.conversion.factor, 1000.0);
    assert!(matches!(graph.connections[0].reading, Reading::Linear { .. }));
}

#[test]
fn frames_drive_frames_and_loads_loads() {
    let list = [
        ("body.frame", "body.load"),
        ("body.list", "body.load"),
        ("body.frame.q", "mount.height"),
    ];
    let section = format!("{}reading = \"slerp\"\n", connections(&list));
    assert_snapshot!(in_space(&section).1, @r#"
    error: `body.frame` (a frame) cannot drive `body.load` (a load): the forms differ
     --> system.toml:9:6
      |
    8 | from = "body.frame"
      |        ------------ a frame
    9 | to = "body.load"
      |      ^^^^^^^^^^^ a load
      = help: a frame drives a frame, a load a load; elements go alone, as in `component.port.x`

    error: `body.load` is driven twice
      --> system.toml:12:6
       |
     9 | to = "body.load"
       |      ----------- first driven here
    ...
    12 | to = "body.load"
       |      ^^^^^^^^^^^ driven again here
       = help: an input takes one output: remove one of the two connections

    error: `body.list` (numbers) cannot drive `body.load` (a load): the forms differ
      --> system.toml:12:6
       |
    11 | from = "body.list"
       |        ----------- numbers
    12 | to = "body.load"
       |      ^^^^^^^^^^^ a load
       = help: a frame drives a frame, a load a load; elements go alone, as in `component.port.x`

    error: `body.frame.q`: `q` is no part of a frame
      --> system.toml:14:19
       |
    14 | from = "body.frame.q"
       |                   ^^
       = help: elements of `frame`: x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz
    "#);
}

#[test]
fn booleans_are_held() {
    let (mut a, mut b) = (Interface::default(), Interface::default());
    a.port(Port::output("on").typed(ValueType::Boolean));
    b.port(Port::input("on").typed(ValueType::Boolean));
    let text = "[system]\nstop = 1\n[components.a]\nmodel = \"x\"\n[components.b]\nmodel = \"x\"\n\
                [[connections]]\nfrom = \"a.on\"\nto = \"b.on\"\n";
    let (spec, mut reporter) = parse(&format!("{text}[method]\nreading = \"linear\"\n"));
    let graph = resolve(&spec, &[Some(&a), Some(&b)], &mut reporter).unwrap();
    assert_eq!(graph.connections[0].reading, Reading::Hold);
    let (spec, mut reporter) = parse(&format!("{text}reading = \"linear\"\n"));
    assert!(resolve(&spec, &[Some(&a), Some(&b)], &mut reporter).is_none());
    assert_snapshot!(reporter.render_all(false), @r#"
    error: `a.on` is boolean: it can only be held
      --> system.toml:10:11
       |
    10 | reading = "linear"
       |           ^^^^^^^^
       = help: leave `reading` out, or choose hold
    "#);
}

#[test]
fn a_component_may_be_called_discrete() {
    let text = BASE.replace(
        "model = \"wheel\"",
        "model = \"wheel\"\ndiscrete = true\nstep = 0.5",
    );
    let section = connections(&[("wheel.velocity", "chassis.velocity_in")]);
    let (graph, _) = run(&format!(
        "{text}{CLOSED}{section}[method]\nreading = \"linear\"\n"
    ));
    let graph = graph.unwrap();
    assert_eq!(
        graph.nodes[0].interface.ports[0].variability,
        Variability::Discrete
    );
    assert_eq!(graph.nodes[0].step, Some(0.5));
    assert_eq!(graph.connections[1].reading, Reading::Hold);
}

#[test]
fn unknown_units_are_passed_on_with_a_warning() {
    let (mut a, mut b) = (Interface::default(), Interface::default());
    a.port(Port::output("y").unit("furlong"));
    b.port(Port::input("u").unit("m"));
    let (spec, mut reporter) = parse(
        "[system]\nstop = 1\n[components.a]\nmodel = \"x\"\n[components.b]\nmodel = \"x\"\n\
         [[connections]]\nfrom = \"a.y\"\nto = \"b.u\"\n",
    );
    let graph = resolve(&spec, &[Some(&a), Some(&b)], &mut reporter).unwrap();
    assert_eq!(graph.connections[0].conversion, Conversion::NONE);
    assert_snapshot!(reporter.render_all(false), @r#"
    warning: the unit `furlong` of `a.y` is not understood: `furlong` is not a known unit
     --> system.toml:8:8
      |
    8 | from = "a.y"
      |        ^^^^^
      = help: nothing is converted on this connection: check the units yourself
    "#);
}

#[test]
fn orders() {
    assert_snapshot!(complaints("[method]\norder = [\"wheel\", \"wheel\", \"body\"]\n"), @r#"
    error: the order leaves out `chassis`
      --> system.toml:11:9
       |
    11 | order = ["wheel", "wheel", "body"]
       |         ^^^^^^^^^^^^^^^^^^^^^^^^^^
       = help: list every component once, or leave `order` out

    error: `wheel` is listed twice
      --> system.toml:11:19
       |
    11 | order = ["wheel", "wheel", "body"]
       |          ------- first listed here
       |                   ^^^^^^^
       = help: list every component once

    error: there is no component `body`
      --> system.toml:11:28
       |
    11 | order = ["wheel", "wheel", "body"]
       |                            ^^^^^^ unknown component
       = help: components: wheel, chassis
    "#);
    assert_snapshot!(complaints("[method]\norder = [\"whel\", \"chassis\"]\n"), @r#"
    error: there is no component `whel`
      --> system.toml:11:10
       |
    11 | order = ["whel", "chassis"]
       |          ^^^^^^ unknown component
       = help: did you mean `wheel`?
    "#);
}

#[test]
fn records() {
    let section = "[record]\nvariables = [\"wheel.*\", \"wheel.velocty\", \"wheel.stress[1,2]\", \"*.colour\", \"wheel.temperature\"]\n";
    assert_snapshot!(complaints(section), @r#"
    error: `wheel.velocty` matches no variable
      --> system.toml:11:25
       |
    11 | variables = ["wheel.*", "wheel.velocty", "wheel.stress[1,2]", "*.colour", "wheel.temperature"]
       |                         ^^^^^^^^^^^^^^^ nothing to record
       = help: did you mean `wheel.velocity`?

    error: `*.colour` matches no variable
      --> system.toml:11:63
       |
    11 | variables = ["wheel.*", "wheel.velocty", "wheel.stress[1,2]", "*.colour", "wheel.temperature"]
       |                                                               ^^^^^^^^^^ nothing to record
       = help: patterns match `component.variable`; components: wheel, chassis

    error: `wheel.temperature` matches no variable
      --> system.toml:11:75
       |
    11 | variables = ["wheel.*", "wheel.velocty", "wheel.stress[1,2]", "*.colour", "wheel.temperature"]
       |                                                                           ^^^^^^^^^^^^^^^^^^^ nothing to record
       = help: variables: wheel.velocity, wheel.position, wheel.force, wheel.energy, wheel.contact, wheel.attitude, wheel.stress
    "#);
}

#[test]
fn histories() {
    let text = BASE.replace(
        "model = \"wheel\"",
        "model = \"wheel\"\nhistory = { velocity = [[-0.2, 1], [-0.1, \"2 m/s\"]], position = [[-0.15, 3.0]] }",
    );
    let (graph, reporter) = run(&format!("{text}{CLOSED}"));
    assert_eq!(reporter.render_all(false), "");
    let graph = graph.unwrap();
    let points: Vec<String> = graph.nodes[0]
        .past
        .iter()
        .map(|p| format!("{} {} {}", p.port.0, p.time, p.value))
        .collect();
    assert_eq!(points, ["0 -0.2 1", "1 -0.15 3", "0 -0.1 7.2"]);

    let text = BASE.replace(
        "model = \"wheel\"",
        "model = \"wheel\"\nhistory = { velocty = [[-1, 1]], force = [[-1, 1]], stress = [[-1, [1, 2]]], position = [[-1, true]] }",
    );
    let (_, reporter) = run(&format!("{text}{CLOSED}"));
    assert_snapshot!(reporter.render_all(false), @r#"
    error: component `wheel` has no output `velocty`
     --> system.toml:5:13
      |
    5 | history = { velocty = [[-1, 1]], force = [[-1, 1]], stress = [[-1, [1, 2]]], position = [[-1, true]] }
      |             ^^^^^^^ no such output
      = help: did you mean `velocity`?

    error: `wheel.force` is not an output: only outputs have a history
     --> system.toml:5:34
      |
    5 | history = { velocty = [[-1, 1]], force = [[-1, 1]], stress = [[-1, [1, 2]]], position = [[-1, true]] }
      |                                  ^^^^^
      = help: outputs of `wheel`: velocity, position, contact, attitude, stress

    error: `stress`: expected a 2×3 matrix, found a list of 2
     --> system.toml:5:68
      |
    5 | history = { velocty = [[-1, 1]], force = [[-1, 1]], stress = [[-1, [1, 2]]], position = [[-1, true]] }
      |                                                                    ^^^^^^ expected a 2×3 matrix

    error: `position`: expected a number, found a boolean
     --> system.toml:5:95
      |
    5 | history = { velocty = [[-1, 1]], force = [[-1, 1]], stress = [[-1, [1, 2]]], position = [[-1, true]] }
      |                                                                                               ^^^^ expected a number
    "#);
}

#[test]
fn a_component_that_failed_causes_no_further_mistakes() {
    let section = "[components.motor]\nfmu = \"motor.fmu\"\n[record]\nvariables = [\"motor.anything\"]\n";
    let wiring = connections(&[("motor.torque", "wheel.force"), ("wheel.velocity", "motor.speed")]);
    let (graph, reporter) = run(&format!("{BASE}{wiring}{section}"));
    assert!(graph.is_none());
    assert_eq!(reporter.render_all(false), "");
}

#[test]
fn a_connection_may_have_a_name() {
    let named = "[[connections]]\nfrom = \"wheel.velocity\"\nto = \"chassis.velocity_in\"\nname = \"hub\"\n";
    let (graph, _) = run(&format!("{BASE}{CLOSED}{named}"));
    let names: Vec<Option<String>> = graph.unwrap().connections.into_iter().map(|c| c.name).collect();
    assert_eq!(names, [None, Some("hub".to_owned())]);
}
