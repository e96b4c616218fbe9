//! Bonds against interfaces and connections.

use super::parse;
use cardan_core::graph::Graph;
use cardan_core::interface::{Interface, Port};
use cardan_core::value::{Shape, ValueType};
use cardan_describe::{Reporter, resolve};

/// Reads two things and gives many.
fn side(first: (&str, &str), second: (&str, &str)) -> Interface {
    let mut side = Interface::default();
    side.port(Port::output(first.0).unit(first.1));
    side.port(Port::input(second.0).unit(second.1));
    side.port(Port::output("position").unit("m"));
    side.port(Port::output("contact").typed(ValueType::Boolean));
    side.port(Port::output("forces").unit("N").shaped(Shape::vector(3)));
    side
}

const BASE: &str = r#"[system]
stop = 4.0
[components.car]
model = "car"
[components.wheel]
model = "wheel"
[[connections]]
from = "car.force"
to = "wheel.force"
[[connections]]
from = "wheel.velocity"
to = "car.velocity"
"#;

fn run(bonds: &str) -> (Option<Graph>, Reporter) {
    let (spec, mut reporter) = parse(&format!("{BASE}{bonds}"));
    let car = side(("force", "kN"), ("velocity", "m/s"));
    let wheel = side(("velocity", "km/h"), ("force", "N"));
    let graph = resolve(&spec, &[Some(&car), Some(&wheel)], &mut reporter);
    (graph, reporter)
}

#[test]
fn a_bond_knows_its_units_and_its_direction() {
    let (graph, reporter) = run("[[bonds]]\neffort = \"car.force\"\nflow = \"wheel.velocity\"\n");
    assert!(!reporter.has_errors(), "{}", reporter.render_all(false));
    let bond = &graph.unwrap().bonds[0];
    assert_eq!(bond.name, "car.force × wheel.velocity");
    assert_eq!(bond.effort_to_si.factor, 1000.0);
    assert_eq!(bond.flow_to_si.factor, 1.0 / 3.6);
    assert!(bond.into_effort);
    let text =
        "[[bonds]]\nname = \"hub\"\neffort = \"car.force\"\nflow = \"wheel.velocity\"\ninto = \"wheel\"\n";
    let bond = &run(text).0.unwrap().bonds[0];
    assert_eq!((bond.name.as_str(), bond.into_effort), ("hub", false));
}

/// Each mistake is told, all of them at once, and each at its place.
#[test]
fn mistakes_are_all_told_at_once() {
    let bond = |effort: &str, flow: &str, more: &str| {
        format!("[[bonds]]\neffort = \"{effort}\"\nflow = \"{flow}\"\n{more}\n")
    };
    let cases = [
        (
            bond("car.torque", "wheel.velocity", ""),
            "component `car` has no port `torque`",
        ),
        (
            bond("car.force", "car.position", ""),
            "a bond joins two components",
        ),
        (bond("car.force", "wheel.position", ""), "is no power"),
        (
            bond("car.contact", "wheel.velocity", ""),
            "only reals carry power",
        ),
        (bond("car.forces", "wheel.velocity", ""), "element by element"),
        (
            bond("car.forces[1]", "wheel.velocity", ""),
            "is not connected to an input of `wheel`",
        ),
        (
            bond("car.force", "wheel.velocity", "into = \"road\""),
            "`road` is not at an end of this bond",
        ),
        (
            bond("wheel.velocity", "car.force", "name = \"once more\""),
            "are bound twice",
        ),
        (
            "[[bonds]]\neffort = \"car.force\"\n".into(),
            "a bond lacks `flow`",
        ),
    ];
    let text: String = cases.iter().map(|(text, _)| text.as_str()).collect();
    let (graph, reporter) = run(&text);
    let told = reporter.render_all(false);
    assert!(graph.is_none());
    for (_, message) in cases {
        assert!(told.contains(message), "{message} is not told:\n{told}");
    }
}

#[test]
fn names_differ() {
    let bond = |flow: &str| format!("[[bonds]]\nname = \"hub\"\neffort = \"car.force\"\nflow = \"{flow}\"\n");
    let (_, reporter) = run(&(bond("wheel.velocity") + &bond("wheel.position")));
    let told = reporter.render_all(false);
    assert!(told.contains("there are two bonds called `hub`"), "{told}");
}

/// A connection that is wrong is told once, not again with the bond that it carries.
#[test]
fn broken_connections_are_not_held_against_bonds() {
    let wrong = BASE.replace("to = \"wheel.force\"", "to = \"wheel.forse\"");
    let bond = "[[bonds]]\neffort = \"car.force\"\nflow = \"wheel.velocity\"\n";
    let (spec, mut reporter) = parse(&format!("{wrong}{bond}"));
    let car = side(("force", "kN"), ("velocity", "m/s"));
    let wheel = side(("velocity", "km/h"), ("force", "N"));
    assert!(resolve(&spec, &[Some(&car), Some(&wheel)], &mut reporter).is_none());
    assert_eq!(reporter.error_count(), 1, "{}", reporter.render_all(false));
}
