//! Descriptions in the manner of different tools.

use super::{example, messages, text};
use cardan_core::value::Value;
use cardan_describe::{Reporter, Source};
use cardan_fmi::description::{
    Causality, ClockInterval, Dimension, Initial, Kind, Variability, Version, validate,
};

#[test]
fn dymola_like() {
    let (fmu, reporter) = example("dymola_like");
    assert_eq!(messages(&reporter), [""; 0]);
    assert_eq!((fmu.version, fmu.structured_names), (Version::V2, true));
    let co_simulation = fmu.co_simulation.as_ref().unwrap();
    assert!(co_simulation.usage.saves_state && co_simulation.usage.serializes_state);
    assert_eq!(co_simulation.output_derivative_order, 1);
    assert!(fmu.model_exchange.as_ref().unwrap().needs_completed_step);
    let mass = &fmu.variables[0];
    assert_eq!((mass.unit.as_deref(), mass.minimum), (Some("kg"), Some(0.0)));
    assert_eq!(
        (mass.initial, mass.start.clone()),
        (Some(Initial::Exact), Some(Value::real(400.0)))
    );
    let mode = &fmu.variables[2];
    assert_eq!((mode.kind, mode.choices.len()), (Kind::Enumeration, 2));
    assert_eq!(fmu.variables[5].derivative_of, Some(4));
    assert_eq!(fmu.structure.derivatives[1].dependencies, Some(vec![3, 4, 6]));
    assert_eq!(fmu.structure.event_indicators, 2);
    assert_eq!(fmu.units[6].base, Some([0, 0, 0, 0, 1, 0, 0, 0]));
    assert_eq!(fmu.default_experiment.tolerance, Some(1e-6));
    assert_eq!(fmu.find("z_body"), Some(9));
}

#[test]
fn openmodelica_like() {
    let (fmu, reporter) = example("openmodelica_like");
    assert_eq!(messages(&reporter), [""; 0]);
    assert_eq!(fmu.co_simulation.as_ref().unwrap().usage.source_files.len(), 3);
    assert!(fmu.variables[1].reinit);
    assert_eq!(fmu.structure.outputs[1].dependencies, None);
    assert_eq!(fmu.structure.derivatives[1].dependencies, Some(vec![]));
    let types: Vec<u32> = fmu.variables.iter().map(|v| v.value_reference).collect();
    assert_eq!(types[4..6], [0, 0], "a reference counts for each type");
}

#[test]
fn simulink_like() {
    let (fmu, reporter) = example("simulink_like");
    assert_eq!(messages(&reporter), [""; 0]);
    assert_eq!(fmu.variables[0].causality, Causality::Independent);
    assert_eq!(fmu.variables[0].initial, None);
    assert_eq!(fmu.variables[6].start, Some(Value::string("a & b")));
    assert_eq!(fmu.default_experiment.step, Some(0.01));
}

#[test]
fn catia_like_with_prefixes_everywhere() {
    let (fmu, reporter) = example("catia_like");
    assert_eq!(messages(&reporter), [""; 0]);
    assert_eq!(fmu.units[1].offset, 273.15);
    assert_eq!(fmu.structure.outputs[0].dependencies, Some(vec![]));
}

#[test]
fn amesim_like_with_annotations_in_variables() {
    let (fmu, reporter) = example("amesim_like");
    assert_eq!(messages(&reporter), [""; 0]);
    assert_eq!(fmu.variables[2].start, Some(Value::real(0.15)));
    assert_eq!(fmu.units[1].base, None);
    assert!(!fmu.structured_names);
}

#[test]
fn jmodelica_like_without_start_of_an_input() {
    let (fmu, reporter) = example("jmodelica_like");
    let expected = "warning: `inputs`: no start value, so the default of the type is taken";
    assert_eq!(messages(&reporter), [expected]);
    assert_eq!(fmu.variables[4].start, Some(Value::real(0.0)));
    assert!(!fmu.model_exchange.as_ref().unwrap().needs_completed_step);
}

#[test]
fn simulationx_like_with_odd_numbers() {
    let (fmu, reporter) = example("simulationx_like");
    let expected = "warning: the start value of `cycles` should be written `4`, found `4.0`";
    assert_eq!(messages(&reporter), [expected]);
    assert_eq!(fmu.variables[3].start, Some(Value::integer(4)));
    assert_eq!(fmu.variables[2].variability, Variability::Fixed);
    assert_eq!(fmu.variables[1].nominal, Some(100.0));
    assert_eq!(fmu.default_experiment.stop, None, "INF is no stop");
}

#[test]
fn maplesim_like_without_a_structure() {
    let (fmu, reporter) = example("maplesim_like");
    let expected = "warning: there is no <ModelStructure>: every output may depend on every input";
    assert_eq!(messages(&reporter), [expected]);
    assert_eq!(fmu.structure.outputs.len(), 1);
    assert_eq!(fmu.structure.outputs[0].dependencies, None);
    assert_eq!(fmu.structure.derivatives[0].variable, 2);
}

#[test]
fn pythonfmu_like() {
    let (fmu, reporter) = example("pythonfmu_like");
    assert_eq!(messages(&reporter), [""; 0]);
    assert!(fmu.co_simulation.as_ref().unwrap().usage.needs_execution_tool);
    assert_eq!(fmu.variables[3].start, Some(Value::boolean(true)));
}

#[test]
fn arrays_of_fmi_3() {
    let (fmu, reporter) = example("v3_arrays");
    let too_large = "warning: the start value of `large` is 18446744073709551615, but 64-bit unsigned values above \
                     9223372036854775807 cannot be carried";
    assert_eq!(messages(&reporter), [too_large]);
    let get = |name: &str| &fmu.variables[fmu.find(name).unwrap()];
    let by = |name: &str| Dimension::By(fmu.find(name).unwrap());
    assert_eq!(get("A").dimensions, [by("n"), by("n")]);
    assert_eq!(get("A").start.as_ref().map(Value::len), Some(9));
    assert_eq!(get("inputs").dimensions, [by("m")], "found by its alias");
    assert_eq!(
        (get("y").dimensions.as_slice(), get("y").nominal),
        (&[Dimension::Fixed(3)][..], Some(0.1))
    );
    assert_eq!(get("large").start, None);
    assert_eq!(get("large").large_start.as_deref(), Some("18446744073709551615"));
    assert_eq!(get("flags").start, Some(Value::Booleans(vec![true, false, true])));
    assert_eq!(
        get("texts").start,
        Some(Value::Strings(vec!["one ".into(), "two words".into()]))
    );
    assert_eq!(get("blob").start, Some(Value::Binaries(vec![b"foo".to_vec()])));
    assert!(get("single").intermediate_update);
    assert_eq!(get("der(x)").derivative_of, fmu.find("x"));
    assert_eq!(fmu.structure.event_indicators, 3, "an array of indicators");
    assert_eq!(
        fmu.co_simulation.as_ref().unwrap().fixed_internal_step,
        Some(1e-3)
    );
}

#[test]
fn clocks_of_fmi_3() {
    let (fmu, reporter) = example("v3_clocks");
    assert_eq!(messages(&reporter), [""; 0]);
    let clock = |index: usize| fmu.variables[index].clock.unwrap();
    assert_eq!((clock(0).interval, clock(0).shift), (Some(1.0), 0.5));
    assert_eq!((clock(1).interval, clock(1).shift), (Some(0.02), 0.005));
    assert_eq!(clock(2).interval_variability, ClockInterval::Countdown);
    assert_eq!(clock(3).interval_variability, ClockInterval::Triggered);
    assert_eq!(fmu.variables[4].clocks, [0, 1]);
    assert_eq!(fmu.variables[4].previous, Some(5));
    assert_eq!(fmu.structure.clocked_states.len(), 1);
    assert!(fmu.scheduled_execution && fmu.co_simulation.as_ref().unwrap().event_mode);
}

#[test]
fn terminals_of_fmi_3() {
    let (mut fmu, mut reporter) = example("v3_terminals");
    let source = Source::new("terminalsAndIcons.xml", text("v3_terminals_and_icons"));
    fmu.read_terminals(source, &mut reporter);
    let expected = "warning: there is no variable `pin.j`: the member is ignored";
    assert_eq!(messages(&reporter), [expected]);
    let names: Vec<&str> = fmu.terminals.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["flange", "electric", "electric.pin"]);
    assert_eq!(fmu.terminals[0].members[0].kind, "inflow");
    assert_eq!(fmu.terminals[2].members[0].variable, 2, "by its alias");
}

#[test]
fn what_tools_write_is_valid_but_for_what_they_are_known_for() {
    let names = [
        "dymola_like",
        "openmodelica_like",
        "simulink_like",
        "catia_like",
        "amesim_like",
    ];
    for name in names
        .into_iter()
        .chain(["v3_arrays", "v3_clocks", "v3_terminals"])
    {
        let (fmu, _) = example(name);
        let mut reporter = Reporter::new();
        validate(&fmu, &mut reporter);
        assert_eq!(messages(&reporter), [""; 0], "{name}");
    }
}
