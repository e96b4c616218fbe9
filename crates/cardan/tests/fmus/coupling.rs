//! FMUs coupled with each other and with built-in models.

use crate::workplace::{Workplace, bits, fmu, largest_error, run_on};
use cardan::Overrides;
use cardan_testkit::fmus::{Fmi, pack_folder, unpacked};
use std::fs;
use std::path::Path;

/// A line is read exactly, so what is left is how the FMU sees it: m = k = 1, F = t, from rest.
fn error_with(name: &str, substeps: &str) -> f64 {
    let place = Workplace::system(&format!(
        r#"
[system]
stop = 2.0
[components.ramp]
model = "ramp"
[components.mass]
fmu = {{@{name}}}
{substeps}
[[connections]]
from = "ramp.y"
to = "mass.force"
reading = "linear"
[method]
kind = "gauss-seidel"
step = 0.2
"#
    ));
    largest_error(&place.run(), "mass.position", |t| t - t.sin())
}

#[test]
fn substeps_raise_the_accuracy_of_held_inputs() {
    for name in ["held-mass-fmi2", "held-mass-fmi3"] {
        let errors = [1, 2, 4, 8].map(|n| error_with(name, &format!("substeps = {n}")));
        // The mean over a part of a step: an error of second order in the length of the part.
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!((order - 2.0).abs() < 0.1, "{name}: {errors:?}");
        }
        assert_eq!(error_with(name, ""), errors[0], "{name}: one is what one gets");
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).unwrap();
        }
    }
}

/// `feedthrough` with a terminal that takes a position and a velocity and gives the position back as a force.
const PARTNER: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiTerminalsAndIcons fmiVersion="3.0">
  <Terminals>
    <Terminal name="flange" matchingRule="plug" terminalKind="org.cardan.mechanics.flange">
      <TerminalMemberVariable variableKind="signal" variableName="float64_out" memberName="force"/>
      <TerminalMemberVariable variableKind="signal" variableName="float32_in" memberName="velocity"/>
      <TerminalMemberVariable variableKind="signal" variableName="float64_in" memberName="position"/>
    </Terminal>
  </Terminals>
</fmiTerminalsAndIcons>
"#;

#[test]
fn terminals_connect_their_members_by_name() {
    let system = |connections: &str| {
        let text = format!(
            r#"
[system]
stop = 1.0
[components.mass]
fmu = {{@driven-mass-fmi3}}
parameters = {{ k = 2.0, x0 = 1.0 }}
[components.partner]
fmu = "partner.fmu"
{connections}
[method]
kind = "gauss-seidel"
step = 0.01
[record]
variables = ["mass.*", "partner.float64_*", "partner.float32_*"]
"#
        );
        let place = Workplace::system(&text);
        let folder = place.path().join("partner");
        copy(&unpacked("feedthrough", Fmi::V3), &folder);
        place.write("partner/terminalsAndIcons/terminalsAndIcons.xml", PARTNER);
        pack_folder(&folder, &place.path().join("partner.fmu"));
        place
    };
    let connection = |from: &str, to: &str| format!("[[connections]]\nfrom = \"{from}\"\nto = \"{to}\"\n");
    let single = [
        connection("mass.position", "partner.float64_in"),
        connection("mass.velocity", "partner.float32_in"),
        connection("partner.float64_out", "mass.force"),
    ];
    let expected = system(&single.concat()).run();
    // Which way each member goes follows from the ports, so either end may stand first.
    for (from, to) in [
        ("mass.flange", "partner.flange"),
        ("partner.flange", "mass.flange"),
    ] {
        let table = system(&connection(from, to)).run();
        assert_eq!(bits(&table), bits(&expected), "{from}");
    }
    // x'' = -2 x + x; the force lags by a step of 0.01 at most, so the phase is off by about as much.
    let error = largest_error(&expected, "mass.position", f64::cos);
    assert!(error < 0.02, "{error}");
}

/// Two instances of one FMU that drive each other.
fn twins(name: &str, interface: &str, parallel: &str) -> Workplace {
    Workplace::system(&format!(
        r#"
[system]
stop = 2.0
[components.left]
fmu = {{@{name}}}
interface = "{interface}"
parameters = {{ x0 = 1.0, T = 0.3 }}
{parallel}
[components.right]
fmu = {{@{name}}}
interface = "{interface}"
parameters = {{ T = 0.7 }}
{parallel}
[[connections]]
from = "left.y"
to = "right.u"
reading = "quadratic"
[[connections]]
from = "right.y"
to = "left.u"
reading = "linear"
[method]
kind = "jacobi"
step = 0.01
"#
    ))
}

#[test]
fn threads_do_not_change_a_bit() {
    for name in ["lag-fmi2", "lag-fmi3"] {
        for interface in ["co-simulation", "model-exchange"] {
            let run = |parallel: &str, threads| {
                let place = twins(name, interface, parallel);
                bits(&run_on(place.path(), Overrides::default(), threads).1)
            };
            let expected = run("", 1);
            for parallel in ["", "parallel = true"] {
                for threads in [1, 2] {
                    let found = run(parallel, threads);
                    assert_eq!(found, expected, "{name}, {interface}, {parallel}, {threads}");
                }
            }
        }
    }
}

#[test]
fn one_fmu_by_two_paths_is_two_fmus_of_the_same_kind() {
    let place = twins("lag-fmi3", "co-simulation", "");
    let expected = bits(&place.run());
    place.copy("lag-fmi3", "copy.fmu");
    let text = fs::read_to_string(place.path().join("system.toml")).unwrap();
    let known = format!("{:?}", fmu("lag-fmi3"));
    place.write("system.toml", &text.replacen(&known, "\"copy.fmu\"", 1));
    assert_eq!(bits(&place.run()), expected);
}
