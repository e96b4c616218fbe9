//! Large descriptions take time in proportion to their size.

use super::{parse, v2, v3};
use cardan_describe::Reporter;
use cardan_fmi::description::validate;
use std::fmt::Write;
use std::time::{Duration, Instant};

const MANY: usize = 100_000;

/// Reads and validates, and says how long that took.
fn timed(what: &str, text: String, expected: usize) {
    let megabytes = text.len() as f64 / 1e6;
    let begin = Instant::now();
    let (fmu, _) = parse(text);
    let fmu = fmu.unwrap();
    let read = begin.elapsed();
    assert_eq!(fmu.variables.len(), expected);
    validate(&fmu, &mut Reporter::new());
    let all = begin.elapsed();
    println!("{what}: {megabytes:.1} MB, read in {read:?}, with validation {all:?}");
    // Ten times as long as a slow machine needs; a quadratic search would need minutes.
    assert!(all < Duration::from_secs(20), "{what} took {all:?}");
}

#[test]
fn a_hundred_thousand_variables_of_fmi_2() {
    let (mut variables, mut outputs) = (String::new(), String::new());
    for i in 0..MANY {
        let (causality, index) = (if i % 10 == 0 { "output" } else { "local" }, i + 1);
        let _ = writeln!(
            variables,
            "<ScalarVariable name=\"body[{i}].frame.r_0\" valueReference=\"{i}\" description=\"position\" \
             causality=\"{causality}\" variability=\"continuous\"><Real unit=\"m\" min=\"-1e9\"/></ScalarVariable>"
        );
        if causality == "output" {
            let _ = writeln!(outputs, "<Unknown index=\"{index}\" dependencies=\"{index}\"/>");
        }
    }
    let structure = format!("<ModelStructure><Outputs>{outputs}</Outputs></ModelStructure>");
    let text = v2(&variables).replace("<ModelStructure/>", &structure);
    timed("fmi 2", text, MANY);
}

#[test]
fn a_hundred_thousand_variables_of_fmi_3_that_refer_to_each_other() {
    let mut variables = String::new();
    for i in 0..MANY {
        let other = (i + 1) % MANY;
        let _ = writeln!(
            variables,
            "<Float64 name=\"x{i}\" valueReference=\"{i}\" derivative=\"{other}\" previous=\"{other}\" clocks=\"{other}\"/>"
        );
    }
    timed("fmi 3", v3(&variables), MANY);
}

#[test]
fn a_hundred_thousand_variables_of_one_name() {
    let one = "<ScalarVariable name=\"x\" valueReference=\"1\"><Real/></ScalarVariable>\n";
    timed("one name", v2(&one.repeat(MANY)), 1);
    let one = "<ScalarVariable name=\"x\" valueReference=\"1\"/>\n";
    timed("no type", v2(&one.repeat(MANY)), 0);
}

#[test]
fn enumerations_with_more_items_than_memory_are_refused() {
    let items: String = (0..10_000)
        .map(|i| format!("<Item name=\"i{i}\" value=\"{i}\"/>"))
        .collect();
    let types = format!(
        "<TypeDefinitions><SimpleType name=\"T\"><Enumeration>{items}</Enumeration></SimpleType></TypeDefinitions>"
    );
    let variables: String = (0..10_000)
        .map(|i| {
            format!(
                "<ScalarVariable name=\"v{i}\" valueReference=\"{i}\"><Enumeration declaredType=\"T\"/></ScalarVariable>"
            )
        })
        .collect();
    let text = v2(&variables).replace("<ModelVariables>", &format!("{types}<ModelVariables>"));
    let (_, reporter) = parse(text);
    assert!(reporter.has_errors());
}
