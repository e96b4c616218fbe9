//! Values for parameters.

use super::parse;
use cardan_core::interface::{Parameter, ParameterId};
use cardan_core::participant::Settings;
use cardan_core::value::{Shape, Value, ValueType};
use cardan_describe::{Reporter, parameters};
use insta::assert_snapshot;

fn known() -> Vec<Parameter> {
    vec![
        Parameter::new("mass")
            .unit("kg")
            .above(0.0)
            .described("the moved mass"),
        Parameter::new("stiffness")
            .unit("N/m")
            .default(Value::real(1.0))
            .at_least(0.0),
        Parameter::new("temperature")
            .unit("K")
            .default(Value::real(293.15)),
        Parameter::new("count")
            .typed(ValueType::Integer)
            .default(Value::integer(1)),
        Parameter::new("file")
            .typed(ValueType::String)
            .default(Value::string("")),
        Parameter::new("linear")
            .typed(ValueType::Boolean)
            .default(Value::boolean(true)),
        Parameter::new("inertia")
            .shaped(Shape::matrix(2, 2))
            .default(Value::Reals(vec![0.0; 4])),
        Parameter::new("table")
            .any_size()
            .default(Value::Reals(Vec::new())),
    ]
}

fn set(values: &str) -> (Option<Settings>, Reporter) {
    let (spec, mut reporter) = parse(&format!(
        "[system]\nstop = 1\n[components.wheel]\nmodel = \"mass\"\n[components.wheel.parameters]\n{values}"
    ));
    let settings = parameters(&known(), &spec.components[0], &mut reporter);
    (settings, reporter)
}

fn complaints(values: &str) -> String {
    let (settings, reporter) = set(values);
    assert!(settings.is_none());
    reporter.render_all(false)
}

#[test]
fn good_values() {
    let (settings, reporter) = set(
        "mass = 40\nstiffness = \"150 kN/m\"\ntemperature = \"20 degC\"\ncount = 3\nfile = \"a.csv\"\nlinear = false\n\
         inertia = [[1, 2.5], [3, 4]]\ntable = [1, 2, 3]\n",
    );
    assert_eq!(reporter.render_all(false), "");
    let settings = settings.unwrap();
    let get = |index| settings.get(ParameterId(index)).unwrap().clone();
    assert_eq!(get(0), Value::real(40.0));
    assert_eq!(get(1), Value::real(150e3));
    assert_eq!(get(2), Value::real(293.15));
    assert_eq!(get(3), Value::integer(3));
    assert_eq!(get(4), Value::string("a.csv"));
    assert_eq!(get(5), Value::boolean(false));
    assert_eq!(get(6), Value::Reals(vec![1.0, 2.5, 3.0, 4.0]));
    assert_eq!(get(7), Value::Reals(vec![1.0, 2.0, 3.0]));
}

#[test]
fn quantities() {
    let stiffness = |text: &str| {
        let (settings, _) = set(&format!("mass = 1\nstiffness = \"{text}\"\n"));
        settings
            .and_then(|s| s.get(ParameterId(1)).cloned())
            .and_then(|v| v.as_real())
    };
    assert_eq!(stiffness("1.5e3 N/mm"), Some(1.5e6));
    assert_eq!(stiffness("1e3N/m"), Some(1000.0));
    assert_eq!(stiffness("12"), Some(12.0));
    assert_eq!(stiffness(" 2 lbf/in "), Some(2.0 * 4.4482216152605 / 0.0254));
    assert_eq!(stiffness("stiff"), None);
    assert!(
        stiffness("1 eV/m2").is_some(),
        "an e that begins a unit is not a power"
    );
}

#[test]
fn bad_values() {
    let values = r#"mas = 40
stiffness = "150 kNm"
temperature = "20 degrees"
count = 1.5
file = 3
linear = "yes"
inertia = [[1, 2], [3]]
table = [1, "x", true]
"#;
    assert_snapshot!(complaints(values), @r#"
    error: component `wheel` has no parameter `mas`
     --> system.toml:6:1
      |
    6 | mas = 40
      | ^^^ no such parameter
      = help: did you mean `mass`?

    error: `stiffness`: `kNm` cannot be converted to `N/m`
     --> system.toml:7:18
      |
    7 | stiffness = "150 kNm"
      |                  ^^^ expected N/m

    error: `temperature`: `degrees` is not a known unit
     --> system.toml:8:19
      |
    8 | temperature = "20 degrees"
      |                   ^^^^^^^
      = help: write it in K, or in a unit that converts to it

    error: `count`: expected a whole number, found a number
     --> system.toml:9:9
      |
    9 | count = 1.5
      |         ^^^ expected a whole number

    error: `file`: expected a string, found a whole number
      --> system.toml:10:8
       |
    10 | file = 3
       |        ^ expected a string

    error: `linear`: expected true or false, found a string
      --> system.toml:11:10
       |
    11 | linear = "yes"
       |          ^^^^^ expected true or false

    error: the rows of a matrix must be equally long
      --> system.toml:12:20
       |
    12 | inertia = [[1, 2], [3]]
       |                    ^^^ a list of 1, the first is a list of 2

    error: `table`: expected a number, found a string
      --> system.toml:13:13
       |
    13 | table = [1, "x", true]
       |             ^^^ expected a number

    error: `table`: expected a number, found a boolean
      --> system.toml:13:18
       |
    13 | table = [1, "x", true]
       |                  ^^^^ expected a number
    "#);
}

#[test]
fn ranges_and_shapes() {
    assert_snapshot!(complaints("mass = 0\nstiffness = \"-1 kN/m\"\ncount = [1, 2]\ninertia = [1, 2, 3]\n"), @r#"
    error: `mass` must be greater than 0, found 0 kg
     --> system.toml:6:8
      |
    6 | mass = 0
      |        ^
      = help: `mass` is the moved mass

    error: `stiffness` must be at least 0, found -1000 N/m
     --> system.toml:7:13
      |
    7 | stiffness = "-1 kN/m"
      |             ^^^^^^^^^

    error: `count`: expected a single value, found a list of 2
     --> system.toml:8:9
      |
    8 | count = [1, 2]
      |         ^^^^^^ expected a single value

    error: `inertia`: expected a 2×2 matrix, found a list of 3
     --> system.toml:9:11
      |
    9 | inertia = [1, 2, 3]
      |           ^^^^^^^^^ expected a 2×2 matrix
    "#);
    assert_snapshot!(complaints("mass = inf\nstiffness = { value = 3 }\ntemperature = \"hot\"\n"), @r#"
    error: `mass` must be finite, found inf
     --> system.toml:6:8
      |
    6 | mass = inf
      |        ^^^

    error: `stiffness`: expected a number, found a table
     --> system.toml:7:13
      |
    7 | stiffness = { value = 3 }
      |             ^^^^^^^^^^^^^ expected a number

    error: `temperature`: expected a number, found a string
     --> system.toml:8:15
      |
    8 | temperature = "hot"
      |               ^^^^^
      = help: write a number in K, or a number with its unit in quotes
    "#);
}
