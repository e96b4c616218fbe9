//! Lines of a material.

use super::support::Variant;
use cardan::{Overrides, Report};

/// Two linkages whose first cranks are joined by a shaft; `line` says what it is made of.
fn cranks(line: &str) -> Report {
    let variant = Variant::text(&format!(
        r#"
[system]
stop = 2e-4
[components.one]
model = "four-bar-linkage"
parameters = {{ speed = 1.0 }}
[components.two]
model = "four-bar-linkage"
parameters = {{ speed = 1.0 }}
[[lines]]
name = "shaft"
from = {{ flow = "one.speed", effort = "one.torque", position = "one.angle" }}
to = {{ flow = "two.speed", effort = "two.torque", position = "two.angle" }}
{line}
"#
    ));
    let (mut simulation, _) = variant.open(Overrides::default());
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    report
}

/// A cube with the edge L: k = E L, T = L / c, Zf = k T, and for rotations k L² / 4 and Zf L² / 4.
#[test]
fn a_shaft_of_a_material_is_felt_by_its_rotation() {
    // Steel, and aluminium as one would write it.
    let aluminium = "{ modulus = 70e9, speed = 5000.0 }";
    for (material, modulus, speed) in [("\"steel\"", 210e9, 5180.0), (aluminium, 70e9, 5000.0)] {
        let edge = 0.1;
        let report = cranks(&format!("material = {material}\nlength = {edge}"));
        let line = &report.lines[0];
        assert_eq!(line.domain, "rotational");
        let delay = edge / speed;
        let stiffness = modulus * edge * edge * edge / 4.0;
        // A few roundings.
        let agrees = |found: f64, expected: f64| (found - expected).abs() <= 1e-14 * expected;
        assert!(agrees(line.delay, delay), "{line:?}");
        assert!(agrees(line.stiffness, stiffness), "{line:?}");
        assert!(agrees(line.impedance, stiffness * delay), "{line:?}");
        assert!(agrees(line.parasitic_mass, stiffness * delay * delay), "{line:?}");
        // It is one rotation, not a line in space with three of them beside three translations.
        assert_eq!((line.rotational, line.parasitic_inertia), (None, None));
        let words = line.words();
        assert!(words.contains("kg·m² along"), "{words}");
        assert!(
            words.contains("N·m/rad") && words.contains(" rad apart"),
            "{words}"
        );
    }
    // By hand, 0.25 · 210e9 · 0.1⁴ / 5180. The 500 that is printed with the formulas comes of a Zf that was rounded to half of
    // what they give.
    let steel = cranks("material = \"steel\"\nlength = 0.1");
    assert!((steel.lines[0].impedance - 1013.51).abs() < 0.01);
}

#[test]
fn what_is_said_beside_a_material_counts() {
    let report = cranks("material = \"steel\"\nlength = 0.1\nZf = 7.0");
    assert_eq!(report.lines[0].impedance, 7.0);
    assert!((report.lines[0].delay - 0.1 / 5180.0).abs() < 1e-18);
    let report = cranks("material = \"steel\"\nlength = 0.1\ndelay = 3e-5");
    assert_eq!(report.lines[0].delay, 3e-5);
    // What follows from the material is not changed by that: its impedance is that of its own delay.
    assert!((report.lines[0].impedance - 1013.51).abs() < 0.01);
}
