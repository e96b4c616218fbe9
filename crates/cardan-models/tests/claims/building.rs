//! What cannot be built says which parameter is at fault.

use cardan_core::value::Value;
use cardan_models::{Column, Interpolation, table_from_columns};
use cardan_ode::SolverSettings;

use crate::bench::{build, precise};

#[track_caller]
fn refused(model: &str, values: &[(&str, &[f64])], parameter: &str, words: &str) {
    let values: Vec<(&str, Value)> = values
        .iter()
        .map(|(n, v)| (*n, Value::Reals(v.to_vec())))
        .collect();
    let error = build(model, &values, &precise()).err().unwrap();
    assert_eq!(error.parameter.as_deref(), Some(parameter), "{error}");
    assert!(error.message.contains(words), "{error}");
}

#[test]
fn values_out_of_range_are_refused() {
    refused(
        "mass",
        &[("mass", &[0.0])],
        "mass",
        "must be greater than 0, found 0",
    );
    refused("mass", &[("position", &[f64::NAN])], "position", "must be finite");
    refused(
        "mass",
        &[("mass", &[1.0, 2.0])],
        "mass",
        "expected 1 value(s), found 2",
    );
    refused(
        "spring-damper",
        &[("damping", &[-1.0])],
        "damping",
        "must be at least 0",
    );
    refused("sine", &[("period", &[-0.1])], "period", "must be at least 0");
    refused(
        "pid",
        &[("filter_time", &[0.0])],
        "filter_time",
        "must be greater than 0",
    );
}

#[test]
fn values_that_contradict_each_other_are_refused() {
    refused(
        "pid",
        &[("minimum", &[2.0]), ("maximum", &[1.0])],
        "minimum",
        "less than maximum",
    );
    refused(
        "pid",
        &[("maximum", &[1.0, 2.0])],
        "maximum",
        "one value or none, found 2",
    );
    refused(
        "ramp",
        &[("start_time", &[2.0]), ("end_time", &[1.0])],
        "end_time",
        "start_time = 2",
    );
    refused("sum", &[("gains", &[])], "gains", "at least one");
}

#[test]
fn polynomials_and_matrices_must_fit() {
    let improper: &[(&str, &[f64])] = &[("numerator", &[1.0, 0.0, 0.0])];
    refused(
        "transfer-function",
        improper,
        "numerator",
        "must not have a higher degree than the denominator",
    );
    refused(
        "transfer-function",
        &[("denominator", &[])],
        "denominator",
        "at least one",
    );
    refused(
        "transfer-function",
        &[("denominator", &[0.0, 1.0])],
        "denominator",
        "begin with a zero",
    );
    refused(
        "state-space",
        &[("b", &[1.0]), ("c", &[1.0])],
        "a",
        "must be given",
    );
    let (a, b, c): (&[f64], &[f64], &[f64]) = (&[0.0, 1.0, -1.0, 0.0], &[0.0, 1.0], &[1.0, 0.0]);
    refused(
        "state-space",
        &[("a", &a[..3]), ("b", b), ("c", c)],
        "a",
        "square",
    );
    refused(
        "state-space",
        &[("a", a), ("b", &b[..1]), ("c", c)],
        "b",
        "multiple of 2",
    );
    refused(
        "state-space",
        &[("a", a), ("b", b), ("c", &[])],
        "c",
        "multiple of 2",
    );
    refused(
        "state-space",
        &[("a", a), ("b", b), ("c", c), ("d", &[1.0, 2.0])],
        "d",
        "must have 1 values or none",
    );
    refused(
        "state-space",
        &[("a", a), ("b", b), ("c", c), ("x0", &[1.0])],
        "x0",
        "must have 2 values",
    );
}

#[test]
fn tables_must_be_in_order_and_complete() {
    refused("table", &[("values", &[1.0])], "times", "must be given");
    refused(
        "table",
        &[("times", &[]), ("values", &[])],
        "times",
        "at least one",
    );
    refused(
        "table",
        &[("times", &[0.0, 2.0, 1.0]), ("values", &[0.0; 3])],
        "times",
        "1 follows 2",
    );
    refused(
        "table",
        &[("times", &[0.0, 1.0]), ("values", &[0.0])],
        "values",
        "each of the 2 times, found 1",
    );
    let wild = [
        ("times", Value::real(0.0)),
        ("values", Value::real(0.0)),
        ("interpolation", Value::string("cubic")),
    ];
    let error = build("table", &wild, &precise()).err().unwrap();
    assert_eq!(error.parameter.as_deref(), Some("interpolation"));

    let column = Column {
        name: "speed".to_owned(),
        unit: Some("m/s".to_owned()),
        values: vec![1.0],
    };
    assert!(table_from_columns(vec![0.0, 1.0], vec![column], Interpolation::Linear, 0.0).is_err());
    assert!(table_from_columns(vec![0.0], vec![], Interpolation::Linear, f64::NAN).is_err());
}

#[test]
fn a_wrong_type_and_a_wrong_solver_are_refused() {
    let error = build("gain", &[("k", Value::string("two"))], &precise())
        .err()
        .unwrap();
    assert_eq!(error.to_string(), "parameter k: expected real, found string");
    let solver = SolverSettings {
        rtol: 0.0,
        ..SolverSettings::default()
    };
    let error = build("gain", &[], &solver).err().unwrap();
    assert_eq!(error.parameter, None);
    assert!(error.message.contains("rtol"), "{error}");
}
