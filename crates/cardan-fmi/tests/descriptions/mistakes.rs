//! What is said about mistakes.

use super::{messages, parse, v2, v3};
use cardan_describe::Reporter;
use cardan_fmi::description::validate;
use insta::assert_snapshot;

fn complaints(text: &str) -> String {
    parse(text).1.render_all(false)
}

#[test]
fn other_versions() {
    let with = |version: &str| v2("").replace("\"2.0\"", &format!("\"{version}\""));
    assert_snapshot!(complaints(&with("1.0")), @r#"
    error: FMI 1.0 is not supported: export as 2.0 or 3.0
     --> modelDescription.xml:1:34
      |
    1 | <fmiModelDescription fmiVersion="1.0" modelName="m" guid="g">
      |                                  ^^^ a version from 2010
    "#);
    assert_snapshot!(complaints(&with("4.0")), @r#"
    error: `4.0` is not a version of FMI that is supported
     --> modelDescription.xml:1:34
      |
    1 | <fmiModelDescription fmiVersion="4.0" modelName="m" guid="g">
      |                                  ^^^
      = help: export as 2.0 or 3.0
    "#);
    assert!(parse(with("2.0.4")).1.render_all(false).is_empty());
    assert_snapshot!(complaints(&with("2.7-odd")), @r#"
    error: there is no FMI 2.7-odd
     --> modelDescription.xml:1:34
      |
    1 | <fmiModelDescription fmiVersion="2.7-odd" modelName="m" guid="g">
      |                                  ^^^^^^^
      = help: the versions of FMI 2 are 2.0 and 2.0.1 and so on: export the FMU anew
    "#);
    for none in ["2.1", "2.0-odd", "2", "2.0.", "2.0.1.0"] {
        assert!(parse(with(none)).0.is_none(), "{none}");
    }
    let newer = v3("").replace("\"3.0\"", "\"3.1\"");
    assert_snapshot!(complaints(&newer), @r#"
    warning: FMI 3.1 is read as 3.0: what is new in it is ignored
     --> modelDescription.xml:1:34
      |
    1 | <fmiModelDescription fmiVersion="3.1" modelName="m" instantiationToken="g">
      |                                  ^^^
    "#);
    assert!(parse(newer).0.is_some());
    let draft = v3("").replace("\"3.0\"", "\"3.0-beta.5\"");
    assert!(complaints(&draft).contains("FMI 3.0-beta.5 is a draft: it is read as 3.0"));
    assert!(complaints("<html/>").contains("<html> is not the description of an FMU"));
}

#[test]
fn values_and_references() {
    assert_snapshot!(complaints(&v2("\
<ScalarVariable name=\"a\" valueReference=\"1\" causality=\"inptu\"><Real start=\"1,5\"/></ScalarVariable>
<ScalarVariable name=\"a\" valueReference=\"2\"><Integer start=\"3000000000\"/></ScalarVariable>
<ScalarVariable name=\"b\" valueReference=\"-1\"><Real derivative=\"7\"/></ScalarVariable>
<ScalarVariable name=\"c\" valueReference=\"3\"><Real derivative=\"70\" declaredType=\"T\"/></ScalarVariable>
<ScalarVariable name=\"d\" valueReference=\"4\"/>
<ScalarVariable name=\"e\" valueReference=\"5\" causality=\"output\"><Real/></ScalarVariable>")), @r#"
    warning: `inptu` means nothing as `causality`: it is read as if it were not written
     --> modelDescription.xml:4:56
      |
    4 | <ScalarVariable name="a" valueReference="1" causality="inptu"><Real start="1,5"/></ScalarVariable>
      |                                                        ^^^^^
      = help: did you mean `input`?

    error: the start value of `a` must be a number, found `1,5`
     --> modelDescription.xml:4:76
      |
    4 | <ScalarVariable name="a" valueReference="1" causality="inptu"><Real start="1,5"/></ScalarVariable>
      |                                                                            ^^^
      = help: write a decimal point

    warning: there are two variables `a`: the first counts
     --> modelDescription.xml:5:1
      |
    4 | <ScalarVariable name="a" valueReference="1" causality="inptu"><Real start="1,5"/></ScalarVariable>
      | -------------------------------------------------------------- the first
    5 | <ScalarVariable name="a" valueReference="2"><Integer start="3000000000"/></ScalarVariable>
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    error: the start value of `a` must be a whole number from -2147483648 to 2147483647, found `3000000000`
     --> modelDescription.xml:5:61
      |
    5 | <ScalarVariable name="a" valueReference="2"><Integer start="3000000000"/></ScalarVariable>
      |                                                             ^^^^^^^^^^

    error: a value reference must be a whole number from 0 to 4294967295, found `-1`
     --> modelDescription.xml:6:42
      |
    6 | <ScalarVariable name="b" valueReference="-1"><Real derivative="7"/></ScalarVariable>
      |                                          ^^

    warning: the `derivative` `70` points to no variable: it is left out
     --> modelDescription.xml:7:63
      |
    7 | <ScalarVariable name="c" valueReference="3"><Real derivative="70" declaredType="T"/></ScalarVariable>
      |                                                               ^^

    warning: `c`: the declared type is not defined
     --> modelDescription.xml:7:81
      |
    7 | <ScalarVariable name="c" valueReference="3"><Real derivative="70" declaredType="T"/></ScalarVariable>
      |                                                                                 ^

    error: the variable `d` has no type
     --> modelDescription.xml:8:1
      |
    8 | <ScalarVariable name="d" valueReference="4"/>
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = help: it needs a <Real>, <Integer>, <Boolean>, <String> or <Enumeration> inside

    warning: `e`: an output that <ModelStructure> does not list: it is taken to depend on everything
     --> modelDescription.xml:9:1
      |
    9 | <ScalarVariable name="e" valueReference="5" causality="output"><Real/></ScalarVariable>
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
}

#[test]
fn arrays_and_clocks() {
    assert_snapshot!(complaints(&v3("\
<Float64 name=\"a\" valueReference=\"1\" start=\"1 2\"><Dimension start=\"3\"/></Float64>
<Float64 name=\"b\" valueReference=\"2\"><Dimension valueReference=\"1\"/></Float64>
<Float64 name=\"c\" valueReference=\"3\" causality=\"input\"><Dimension start=\"99999999999\"/><Dimension start=\"99999999999\"/></Float64>
<Float64 name=\"d\" valueReference=\"4\"><Dimension start=\"-1\"/><Dimension/></Float64>
<Clock name=\"e\" valueReference=\"5\" intervalVariability=\"sometimes\"/>
<Binary name=\"f\" valueReference=\"6\"><Start value=\"0g\"/></Binary>
<Int32 name=\"g\" valueReference=\"7\" clocks=\"1 99\"/>
<Int32 name=\"h\" valueReference=\"7\"><Alias name=\"a\"/></Int32>")), @r#"
    error: `a` has 3 elements, but 2 start values
     --> modelDescription.xml:4:1
      |
    4 | <Float64 name="a" valueReference="1" start="1 2"><Dimension start="3"/></Float64>
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    error: the dimension `1` is not a structural parameter
     --> modelDescription.xml:5:65
      |
    5 | <Float64 name="b" valueReference="2"><Dimension valueReference="1"/></Float64>
      |                                                                 ^ so the size of the array is not known

    warning: `c`: no start value, so the default of the type is taken
     --> modelDescription.xml:6:1
      |
    6 | <Float64 name="c" valueReference="3" causality="input"><Dimension start="99999999999"/><Dimension start="99999…
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    error: `c` would have 18446744073709551615 elements, which cannot be meant
     --> modelDescription.xml:6:56
      |
    6 | …c" valueReference="3" causality="input"><Dimension start="99999999999"/><Dimension start="99999999999"/></Flo…
      |                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    error: a dimension cannot be negative
     --> modelDescription.xml:7:56
      |
    7 | <Float64 name="d" valueReference="4"><Dimension start="-1"/><Dimension/></Float64>
      |                                                        ^^

    error: a dimension needs a `start` or the `valueReference` of a structural parameter
     --> modelDescription.xml:7:61
      |
    7 | <Float64 name="d" valueReference="4"><Dimension start="-1"/><Dimension/></Float64>
      |                                                             ^^^^^^^^^^^^

    warning: the clock `e` does not say when it ticks: it is taken for triggered
     --> modelDescription.xml:8:1
      |
    8 | <Clock name="e" valueReference="5" intervalVariability="sometimes"/>
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    warning: `sometimes` means nothing as `intervalVariability`: it is read as if it were not written
     --> modelDescription.xml:8:57
      |
    8 | <Clock name="e" valueReference="5" intervalVariability="sometimes"/>
      |                                                         ^^^^^^^^^

    error: the start value of `f` must be pairs of hexadecimal digits
     --> modelDescription.xml:9:51
      |
    9 | <Binary name="f" valueReference="6"><Start value="0g"/></Binary>
      |                                                   ^^

    warning: `a` is not a clock: it is left out
      --> modelDescription.xml:10:44
       |
    10 | <Int32 name="g" valueReference="7" clocks="1 99"/>
       |                                            ^^^^

    warning: the clock `99` points to no variable: it is left out
      --> modelDescription.xml:10:44
       |
    10 | <Int32 name="g" valueReference="7" clocks="1 99"/>
       |                                            ^^^^

    warning: `h` has the value reference 7 of `g`: the FMU cannot tell them apart
      --> modelDescription.xml:11:1
       |
    10 | <Int32 name="g" valueReference="7" clocks="1 99"/>
       | -------------------------------------------------- used here first
    11 | <Int32 name="h" valueReference="7"><Alias name="a"/></Int32>
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    warning: the alias `a` is the name of a variable already: it is ignored
      --> modelDescription.xml:11:49
       |
    11 | <Int32 name="h" valueReference="7"><Alias name="a"/></Int32>
       |                                                 ^
    "#);
}

#[test]
fn structures_that_point_nowhere() {
    let text = v2("\
<ScalarVariable name=\"x\" valueReference=\"1\" initial=\"exact\"><Real start=\"1\"/></ScalarVariable>
<ScalarVariable name=\"dx\" valueReference=\"2\"><Real/></ScalarVariable>
<ScalarVariable name=\"y\" valueReference=\"3\" causality=\"output\"><Real/></ScalarVariable>
<ScalarVariable name=\"z\" valueReference=\"4\" causality=\"output\"><Real/></ScalarVariable>");
    let structure = "<ModelStructure><Outputs><Unknown index=\"3\" dependencies=\"1 99\"/>\n<Unknown index=\"0\"/>\n\
                     <Unknown index=\"3\"/>\n<Unknown index=\"1\"/></Outputs>\n\
                     <Derivatives><Unknown index=\"2\"/></Derivatives></ModelStructure>";
    let text = text.replace("<ModelStructure/>", structure).replace(
        "<ModelVariables>",
        "<ModelExchange modelIdentifier=\"m\"/><ModelVariables>",
    );
    assert_snapshot!(complaints(&text), @r#"
    warning: `dx` is listed as a derivative, but not of which state: the FMU cannot be used in model exchange
     --> modelDescription.xml:5:1
      |
    1 | <fmiModelDescription fmiVersion="2.0" modelName="m" guid="g">
      | ------------------------------------------------------------- in this FMU
    ...
    5 | <ScalarVariable name="dx" valueReference="2"><Real/></ScalarVariable>
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    warning: `z`: an output that <ModelStructure> does not list: it is taken to depend on everything
     --> modelDescription.xml:7:1
      |
    7 | <ScalarVariable name="z" valueReference="4" causality="output"><Real/></ScalarVariable>
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    warning: `x`: listed among the outputs without being one, ignored
     --> modelDescription.xml:9:1
      |
    9 | <ModelStructure><Outputs><Unknown index="3" dependencies="1 99"/>
      | ^^^^^^^^^^^^^^^^

    warning: `y` depends on `99`, which is no variable: it is taken to depend on everything
     --> modelDescription.xml:9:59
      |
    9 | <ModelStructure><Outputs><Unknown index="3" dependencies="1 99"/>
      |                                                           ^^^^

    warning: `0` points to no variable: the entry is ignored
      --> modelDescription.xml:10:17
       |
    10 | <Unknown index="0"/>
       |                 ^

    warning: `y` is listed twice: the first counts
      --> modelDescription.xml:11:1
       |
    11 | <Unknown index="3"/>
       | ^^^^^^^^^^^^^^^^^^^^
    "#);
    let fmu = parse(text).0.unwrap();
    assert!(fmu.model_exchange.is_none() && fmu.co_simulation.is_some());
    assert_eq!(fmu.structure.outputs[0].dependencies, None);
}

#[test]
fn what_the_standard_forbids() {
    let text = v2("\
<ScalarVariable name=\"a\" valueReference=\"1\" causality=\"parameter\" variability=\"continuous\"><Real start=\"1\"/></ScalarVariable>
<ScalarVariable name=\"b\" valueReference=\"2\" causality=\"output\" initial=\"exact\" variability=\"continuous\"><Integer start=\"1\"/></ScalarVariable>
<ScalarVariable name=\"c\" valueReference=\"3\" causality=\"input\" initial=\"exact\"><Real start=\"5\" min=\"7\" max=\"6\"/></ScalarVariable>
<ScalarVariable name=\"d\" valueReference=\"4\" causality=\"input\"><Real start=\"5\" max=\"4\" reinit=\"true\" nominal=\"0\"/></ScalarVariable>
<ScalarVariable name=\"e\" valueReference=\"4\" causality=\"input\"><Real start=\"6\"/></ScalarVariable>");
    let (fmu, _) = parse(text);
    let mut reporter = Reporter::new();
    validate(&fmu.unwrap(), &mut reporter);
    let text = messages(&reporter).join("\n");
    assert_snapshot!(text, @r#"
    warning: `a`: causality `parameter` and variability `continuous` do not go together
    warning: `b` cannot be continuous: it is not a floating-point number
    warning: `c`: initial `exact` is not allowed for a continuous input
    warning: `c`: the minimum 7 is above the maximum 6
    warning: `d`: the start value 5 lies outside of -inf … 4
    warning: `d`: a nominal value must be greater than 0
    warning: `d`: `reinit` is only for states
    warning: `e`: another name of a variable that has another start value
    warning: `e`: two inputs are one variable of the binary: whoever comes last sets it
    "#);
}

/// The culprit has a name, and the place is that of the entry. What is tunable does change.
#[test]
fn dependencies_on_what_never_changes() {
    let text = v3(
        "<Float64 name=\"p\" valueReference=\"1\" causality=\"parameter\" variability=\"fixed\" start=\"1\"/>
<Float64 name=\"t\" valueReference=\"2\" causality=\"parameter\" variability=\"tunable\" start=\"1\"/>
<Float64 name=\"y\" valueReference=\"3\" causality=\"output\"/>
<Float64 name=\"z\" valueReference=\"4\" causality=\"output\"/>",
    )
    .replace(
        "<ModelStructure/>",
        "<ModelStructure>\n<Output valueReference=\"3\" dependencies=\"2\"/>\n\
         <Output valueReference=\"4\" dependencies=\"1 2\"/>\n</ModelStructure>",
    );
    let (fmu, mut reporter) = parse(text);
    validate(&fmu.unwrap(), &mut reporter);
    assert_snapshot!(reporter.render_all(false), @r#"
    warning: `z` is listed as depending on `p`, which never changes: is an input meant?
      --> modelDescription.xml:11:1
       |
    11 | <Output valueReference="4" dependencies="1 2"/>
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
}
