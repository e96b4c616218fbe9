//! Terminals, keys of FMUs, and names with dots.

use super::{complaints_about, parse};
use cardan_core::graph::Graph;
use cardan_core::interface::{Interface, Parameter, Port, Terminal, UnitDefinition};
use cardan_core::value::Value;
use cardan_describe::spec::{FmiKind, LogSpec};
use cardan_describe::{Overrides, Reporter, resolve};
use insta::assert_snapshot;

fn flange(name: &str, members: &[(&str, Port)]) -> Interface {
    let mut interface = Interface::default();
    let members = members
        .iter()
        .map(|(member, port)| ((*member).to_owned(), interface.port(port.clone())))
        .collect();
    interface.terminals.push(Terminal {
        name: name.to_owned(),
        members,
    });
    interface
}

fn connect(interfaces: &[Interface], connections: &[(&str, &str)]) -> (Option<Graph>, Reporter) {
    let mut text = String::from("[system]\nstop = 1\n");
    for (name, _) in ["a", "b", "c"].iter().zip(interfaces) {
        text.push_str(&format!("[components.{name}]\nfmu = \"x.fmu\"\n"));
    }
    for (from, to) in connections {
        text.push_str(&format!("[[connections]]\nfrom = \"{from}\"\nto = \"{to}\"\n"));
    }
    let (spec, mut reporter) = parse(&text);
    let interfaces: Vec<Option<&Interface>> = interfaces.iter().map(Some).collect();
    let graph = resolve(&spec, &interfaces, &mut reporter);
    (graph, reporter)
}

fn shaft() -> [Interface; 2] {
    let torque = Port::input("tau_in").unit("N.m");
    let speed = Port::input("w").unit("rad/s");
    [
        flange(
            "flange",
            &[("speed", Port::output("w").unit("rpm")), ("torque", torque)],
        ),
        flange(
            "flange",
            &[("torque", Port::output("tau").unit("kN.m")), ("speed", speed)],
        ),
    ]
}

#[test]
fn members_find_their_partners() {
    let (graph, reporter) = connect(&shaft(), &[("a.flange", "b.flange")]);
    assert_eq!(reporter.render_all(false), "");
    assert_snapshot!(graph.unwrap().to_string(), @r"
    a: tau_in → w
    b: w → tau
    a.w → b.w  (hold, × 0.10471975511965977)
    b.tau → a.tau_in  (hold, × 1000)
    ");
}

#[test]
fn terminals_that_do_not_match() {
    let [a, b] = shaft();
    let c = flange(
        "flange",
        &[
            ("speed", Port::output("w")),
            ("heat", Port::input("q").start(Value::real(0.0))),
        ],
    );
    let (graph, reporter) = connect(&[a, b, c], &[("a.flange", "c.flange"), ("b.flange", "a.w")]);
    assert!(graph.is_none());
    let said = reporter.render_all(false);
    for part in [
        "`a.w` and `c.w` cannot be connected: one must be an output, the other an input",
        "the terminal `c.flange` has no member `torque`",
        "the terminal `a.flange` has no member `heat`",
        "`b.flange` is a terminal, `a.w` is not",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

#[test]
fn a_terminal_drives_an_input_only_once() {
    let connections = [("a.flange", "b.flange"), ("a.w", "b.w")];
    let (_, reporter) = connect(&shaft(), &connections);
    assert!(reporter.render_all(false).contains("`b.w` is driven twice"));
}

#[test]
fn keys_of_fmus() {
    let (spec, reporter) = parse(
        "[system]\nstop = 1\n[components.a]\nfmu = \"a.fmu\"\ninterface = \"model-exchange\"\nlog = true\n\
         [components.b]\nfmu = \"b.fmu\"\nlog = [\"logEvents\"]\n",
    );
    assert_eq!(reporter.render_all(false), "");
    let [a, b] = spec.components.as_slice() else {
        panic!("two components")
    };
    assert_eq!(a.fmi_kind.unwrap().value, FmiKind::ModelExchange);
    assert_eq!(a.log.as_ref().unwrap().value, LogSpec::All(true));
    assert!(matches!(&b.log.as_ref().unwrap().value, LogSpec::Categories(list) if list.len() == 1));
    let said = complaints_about("interface = \"both\"\nlog = 3\n");
    assert!(said.contains("`interface` cannot be `both`"), "{said}");
    assert!(
        said.contains("expected true, false or a list of strings"),
        "{said}"
    );
}

#[test]
fn participants_define_units() {
    let mut a = Interface::default();
    a.port(Port::output("y").unit("smoot"));
    a.units.push(UnitDefinition {
        name: "smoot".into(),
        exponents: [0, 1, 0, 0, 0, 0, 0, 0],
        factor: 1.7018,
        offset: 0.0,
    });
    let mut b = Interface::default();
    b.port(Port::input("u").unit("m"));
    let (graph, reporter) = connect(&[a, b], &[("a.y", "b.u")]);
    assert_eq!(reporter.render_all(false), "");
    assert_eq!(graph.unwrap().connections[0].conversion.factor, 1.7018);
}

/// Names of nested components hold dots, as do names of ports; the longest component counts that has what follows.
#[test]
fn names_with_dots() {
    let (mut spec, mut reporter) = parse(
        "[system]\nstop = 1\n[components.a]\nmodel = \"m\"\n[components.b]\nmodel = \"m\"\n\
         [[connections]]\nfrom = \"a.b.y.z\"\nto = \"a.u\"\n[[connections]]\nfrom = \"a.y.z\"\nto = \"a.b.u\"\n\
         [record]\nvariables = [\"a.b.*\", \"a.b.y.z\"]\n",
    );
    spec.components[1].name.value = "a.b".into();
    let mut interface = Interface::default();
    interface.port(Port::input("u"));
    interface.port(Port::output("y.z"));
    interface.parameter(Parameter::new("p.q").default(Value::real(1.0)));
    let set = vec!["a.b.p.q=3".to_owned(), "a.p.q=4".to_owned()];
    let overrides = Overrides {
        set,
        ..Overrides::default()
    };
    spec.apply(&overrides, &mut reporter);
    let graph = resolve(&spec, &[Some(&interface), Some(&interface)], &mut reporter);
    assert_eq!(reporter.render_all(false), "");
    for (component, value) in spec.components.iter().zip([4, 3]) {
        let (name, given) = &component.parameters[0];
        assert_eq!(name.value, "p.q");
        assert_eq!(given.value.number(), Some(f64::from(value)));
    }
    let graph = graph.unwrap();
    assert_snapshot!(graph.to_string(), @r"
    a: u → y.z
    a.b: u → y.z
    a.b.y.z → a.u  (hold)
    a.y.z → a.b.u  (hold)
    ");
    let (id, rest) = graph.split_name("a.b.y.z").unwrap();
    assert_eq!((id.index(), rest), (1, "y.z"));
    let mut wrong = spec.clone();
    let from = wrong.connections[0].from.as_mut().unwrap();
    from.value = "a.bb.y".into();
    let mut reporter = Reporter::new();
    let _ = resolve(&wrong, &[Some(&interface), Some(&interface)], &mut reporter);
    assert!(reporter.has_errors());
}
