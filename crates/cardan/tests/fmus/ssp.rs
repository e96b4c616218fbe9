//! Systems in SSP.

use crate::workplace::{Workplace, bits, largest_gap, last, run};
use cardan::{Overrides, Table};
use cardan_testkit::fmus::pack_folder;
use std::path::PathBuf;

/// A lag of each version, the second in a system of its own and behind two transformations, in the folder `pair`.
fn pair() -> Workplace {
    let place = Workplace::new();
    place.write(
        "pair/SystemStructure.ssd",
        include_str!("pair/SystemStructure.ssd"),
    );
    place.write("pair/resources/tuning.ssv", include_str!("pair/tuning.ssv"));
    place.write("pair/resources/tuning.ssm", include_str!("pair/tuning.ssm"));
    place.copy("lag-fmi2", "pair/resources/lag2.fmu");
    place.copy("lag-fmi3", "pair/resources/lag3.fmu");
    place
}

fn archive(place: &Workplace) -> PathBuf {
    let archive = place.path().join("pair.ssp");
    pack_folder(&place.path().join("pair"), &archive);
    archive
}

/// What the FMUs compute: one explicit Euler step each, the second with what the first has just come to, through
/// u -> 2 (-u) + 1. Its time constant is given in milliseconds.
fn reference(second: f64) -> (Vec<f64>, Vec<f64>) {
    const STEP: f64 = 0.01;
    let (mut x, mut z) = (0.0, 4.0 * 0.5 - 1.0);
    let (mut first, mut later) = (vec![x], vec![z]);
    for _ in 0..100 {
        x += STEP / 0.5 * (3.0 - x);
        z += STEP / second * (1.0 - 2.0 * x - z);
        first.push(x);
        later.push(z);
    }
    (first, later)
}

#[track_caller]
fn is_right(table: &Table) {
    let (first, second) = reference(0.2);
    // The same operations but for the order of factors: rounding over a hundred steps of a stable system.
    let gap = largest_gap(table, "first.y", &first).max(largest_gap(table, "inner.second.y", &second));
    assert!(gap < 1e-13, "{gap}");
}

#[test]
fn an_archive_a_folder_and_a_description_give_the_same_bits() {
    let place = pair();
    let folder = place.path().join("pair");
    let (_, packed) = run(&archive(&place), Overrides::default());
    is_right(&packed);
    for path in [folder.join("SystemStructure.ssd"), folder] {
        let (_, table) = run(&path, Overrides::default());
        assert_eq!(bits(&table), bits(&packed), "{}", path.display());
    }
}

#[test]
fn parameters_of_nested_components_are_set_by_their_long_names() {
    let place = pair();
    let overrides = Overrides {
        set: vec!["inner.second.T=0.4".to_owned(), "first.u=3.0".to_owned()],
        ..Overrides::default()
    };
    let (_, table) = run(&archive(&place), overrides);
    let gap = largest_gap(&table, "inner.second.y", &reference(0.4).1);
    assert!(gap < 1e-13, "{gap}");
}

#[test]
fn patterns_match_the_long_names() {
    let place = pair();
    let text = include_str!("pair/SystemStructure.ssd");
    let end = "    </ssd:Annotations>\n  </ssd:DefaultExperiment>";
    assert!(text.contains(end));
    let annotation = r#"      <ssc:Annotation type="org.cardan.record"><record every="0.5" variables="inner.* *.x"/></ssc:Annotation>"#;
    place.write(
        "pair/SystemStructure.ssd",
        &text.replace(end, &format!("{annotation}\n{end}")),
    );
    let (_, table) = run(&archive(&place), Overrides::default());
    let names: Vec<&str> = table.schema.columns.iter().map(|c| c.name.as_str()).collect();
    let expected = [
        "first.x",
        "inner.second.u",
        "inner.second.x",
        "inner.second.der(x)",
        "inner.second.y",
    ];
    assert_eq!(names, expected);
    assert_eq!(table.times, [0.0, 0.5, 1.0]);
    assert_eq!(last(&table, "inner.second.x"), last(&table, "inner.second.y"));
}

#[test]
fn model_exchange_and_a_solver_are_chosen_in_the_structure() {
    let place = pair();
    let text = include_str!("pair/SystemStructure.ssd");
    let plain = r#"<ssd:Component name="first" source="resources/lag2.fmu" implementation="CoSimulation">"#;
    let annotation = r#"
        <ssd:Annotations>
          <ssc:Annotation type="org.cardan.component">
            <component><solver kind="dopri5" rtol="1e-10" atol="1e-12"/></component>
          </ssc:Annotation>
        </ssd:Annotations>"#;
    assert!(text.contains(plain));
    let chosen = plain.replace("CoSimulation", "ModelExchange") + annotation;
    place.write("pair/SystemStructure.ssd", &text.replace(plain, &chosen));
    let (report, table) = run(&archive(&place), Overrides::default());
    // T x' = 3 - x, within the tolerance of the solver times a hundred steps.
    let exact = 3.0 * (1.0 - (-1.0_f64 / 0.5).exp());
    assert!((last(&table, "first.y") - exact).abs() < 1e-8);
    assert!(report.components["first"].rhs > 0);
}

#[test]
fn enumerations_are_given_by_name() {
    let place = Workplace::new();
    let text = r#"<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" name="gears" version="1.0">
  <ssd:System name="root">
    <ssd:Elements>
      <ssd:Component name="types" source="types.fmu">
        <ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>
          <ssv:ParameterSet version="1.0" name="own"><ssv:Parameters>
            <ssv:Parameter name="enumeration_in"><ssv:Enumeration value="reverse"/></ssv:Parameter>
            <ssv:Parameter name="string_in"><ssv:String value="two words"/></ssv:Parameter>
            <ssv:Parameter name="boolean_in"><ssv:Boolean value="true"/></ssv:Parameter>
            <ssv:Parameter name="int64_in"><ssv:Integer value="-9007199254740993"/></ssv:Parameter>
          </ssv:Parameters></ssv:ParameterSet>
        </ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>
      </ssd:Component>
    </ssd:Elements>
  </ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="0.1"/>
</ssd:SystemStructureDescription>
"#;
    let path = place.write("gears.ssd", text);
    place.copy("feedthrough-fmi3", "types.fmu");
    let mut simulation = cardan::Simulation::open(&path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(simulation.run().status, "ok");
    let value = |name: &str| simulation.value(name).unwrap();
    assert_eq!(value("types.enumeration_out"), cardan::Value::integer(-1));
    assert_eq!(value("types.boolean_out"), cardan::Value::boolean(true));
    assert_eq!(value("types.string_out"), cardan::Value::string("two words"));
    // One more than a double can tell apart.
    assert_eq!(
        value("types.int64_out"),
        cardan::Value::integer(-9_007_199_254_740_993)
    );
}
