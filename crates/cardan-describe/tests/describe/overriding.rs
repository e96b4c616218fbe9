//! What the command line changes.

use super::{GOOD, parse};
use cardan_describe::Overrides;
use cardan_describe::spec::{Literal, MethodKind};
use insta::assert_snapshot;

fn set(values: &[&str]) -> Overrides {
    Overrides {
        set: values.iter().map(|&v| v.to_owned()).collect(),
        ..Overrides::default()
    }
}

#[test]
fn values_replace_those_of_the_description() {
    let (mut spec, mut reporter) = parse(GOOD);
    let overrides = Overrides {
        stop: Some(2.0),
        method: Some("jacobi".into()),
        step: Some(0.5),
        tolerance: Some(1e-3),
        every: Some(0.25),
        set: vec![
            "wheel.mass=41.5".into(),
            "wheel.name=big one".into(),
            "chassis.on = true".into(),
            "wheel.stiffness=150 kN/m".into(),
            "wheel.day=2020-01-01".into(),
            "wheel.v=[1, 2]".into(),
        ],
        ..Overrides::default()
    };
    spec.apply(&overrides, &mut reporter);
    spec.check_settings(&mut reporter);
    assert_eq!(reporter.render_all(false), "");
    assert_eq!(spec.stop.unwrap().value, 2.0);
    assert_eq!(spec.method.kind.unwrap().value, MethodKind::Jacobi);
    assert_eq!(spec.record.every.unwrap().value, 0.25);
    let value = |component: &str, name: &str| {
        let parameters = &spec.component(component).unwrap().parameters;
        let mut found = parameters.iter().filter(|(known, _)| known.value == name);
        let value = found.next().unwrap().1.value.clone();
        assert!(found.next().is_none());
        value
    };
    assert_eq!(value("wheel", "mass"), Literal::Real(41.5));
    assert_eq!(value("wheel", "name"), Literal::String("big one".into()));
    assert_eq!(value("chassis", "on"), Literal::Boolean(true));
    assert_eq!(value("wheel", "stiffness"), Literal::String("150 kN/m".into()));
    assert_eq!(value("wheel", "day"), Literal::String("2020-01-01".into()));
    assert!(matches!(value("wheel", "v"), Literal::Array(items) if items.len() == 2));
}

#[test]
fn mistakes_point_to_the_command_line() {
    let (mut spec, mut reporter) = parse(GOOD);
    let overrides = Overrides {
        stop: Some(-1.0),
        method: Some("jacoby".into()),
        step: Some(0.0),
        every: Some(f64::NAN),
        set: vec![
            "whel.mass=1".into(),
            "mass=1".into(),
            "wheel.mass=[1,".into(),
            "wheel.mass=".into(),
        ],
        ..Overrides::default()
    };
    spec.apply(&overrides, &mut reporter);
    spec.check_settings(&mut reporter);
    assert_snapshot!(reporter.render_all(false), @r#"
    error: the stop (-1 s) must come after the start (0 s)
     --> <command line>:1:8
      |
    1 | --stop -1
      |        ^^
     ::: system.toml:5:9
      |
    5 | start = 0.0
      |         --- the start
      = help: give a stop greater than 0

    error: --step must be greater than 0, found 0
     --> <command line>:2:8
      |
    2 | --step 0
      |        ^

    error: --every must be greater than 0, found NaN
     --> <command line>:3:9
      |
    3 | --every NaN
      |         ^^^

    error: there is no method `jacoby`
     --> <command line>:4:10
      |
    4 | --method jacoby
      |          ^^^^^^
      = help: did you mean `jacobi`? Otherwise choose one of jacobi, gauss-seidel, adaptive, iterated, glue, tlm, auto

    error: there is no component `whel`
     --> <command line>:5:7
      |
    5 | --set whel.mass=1
      |       ^^^^
      = help: did you mean `wheel`?

    error: `mass=1` does not set anything
     --> <command line>:6:7
      |
    6 | --set mass=1
      |       ^^^^^^
      = help: write --set component.parameter=value

    error: not valid TOML: unclosed array, expected `]`
     --> <command line>:7:21
      |
    7 | --set wheel.mass=[1,
      |                     ^

    error: no value is given
     --> <command line>:8:18
      |
    8 | --set wheel.mass=
      |                  ^
      = help: write --set component.parameter=value
    "#);
}

#[test]
fn a_later_mistake_with_a_value_points_there_too() {
    let (mut spec, mut reporter) = parse(GOOD);
    spec.apply(&set(&["chassis.mas=3"]), &mut reporter);
    let known =
        [cardan_core::interface::Parameter::new("mass").default(cardan_core::value::Value::real(1.0))];
    let chassis = spec.component("chassis").unwrap();
    assert!(cardan_describe::parameters(&known, chassis, &mut reporter).is_none());
    assert_snapshot!(reporter.render_all(false), @r#"
    error: component `chassis` has no parameter `mas`
     --> <command line>:1:15
      |
    1 | --set chassis.mas=3
      |               ^^^ no such parameter
      = help: did you mean `mass`?
    "#);
}
