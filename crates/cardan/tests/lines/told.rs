//! Ends that cannot feel a line and are told the load as a signal: a mass in Python.

use super::support::{Variant, reals};
use cardan::{MemoryHandle, Overrides, Report};

/// A mass in millimetres that integrates its force by Simpson's rule.
const MASS: &str = r#"
import cardan

class Mass(cardan.Participant):
    force = cardan.Input(unit="N", start=0.0)
    velocity = cardan.Output(unit="mm/s", start=0.0)
    position = cardan.Output(unit="mm", start=0.0)
    mass = cardan.Parameter(1.0, unit="kg")

    def step(self, t, dt):
        mean = sum(w * self.read("force", t + p * dt) for p, w in ((0.0, 1), (0.5, 4), (1.0, 1))) / 6
        new = self.velocity + 1e3 * mean / self.mass * dt
        self.position += 0.5 * dt * (self.velocity + new)
        self.velocity = new
"#;

/// A moving mass of 1 kg, and one of 1 kg at rest that is described by `second`.
fn masses(second: &str, line: &str, stop: f64) -> (Report, MemoryHandle) {
    let variant = Variant::text(&format!(
        r#"
[system]
stop = {stop}
[components.one]
model = "mass-spring-damper"
parameters = {{ mass = 1.0, stiffness = 0.0, velocity = 1.0 }}
[components.two]
{second}
[[lines]]
name = "bar"
from = {{ flow = "one.velocity", effort = "one.force", position = "one.position" }}
to = {{ flow = "two.velocity", effort = "two.force", position = "two.position" }}
{line}
"#
    ));
    std::fs::write(variant.path().join("mass.py"), MASS).unwrap();
    let (mut simulation, handle) = variant.open(Overrides::default());
    (simulation.run(), handle)
}

const PYTHON: &str = "python = \"mass.py:Mass\"";
const BUILT_IN: &str = "model = \"mass-spring-damper\"\nparameters = { mass = 1.0, stiffness = 0.0 }";

#[test]
fn gaps_are_told_in_metres_whatever_the_ends_are_told_in() {
    // k = 1e4 N/m between two masses of 1 kg, one of which is 1 m/s faster: sqrt(m / 2 k) · 1 m/s at most.
    let line = "delay = 1e-3\nZf = 10.0\nstart = \"empty\"";
    let gap = |second: &str| {
        let (report, _) = masses(second, line, 0.03);
        assert_eq!(report.status, "ok", "{:?}", report.error);
        let words = report.lines[0].words();
        assert!(words.contains(" m apart"), "{words}");
        report.lines[0].gap.unwrap()
    };
    let (one, other) = (gap(BUILT_IN), gap(PYTHON));
    // Nobody feels anything of the other for a delay, in which the gap grows by 1e-3 s · 1 m/s.
    let expected = (1.0_f64 / 2e4).sqrt();
    assert!((one - expected).abs() < 1e-3, "{one} {expected}");
    // A load that is told has kinks where waves jump: of Z h / m = 0.5 % of the velocity each.
    assert!((one - other).abs() < 0.005 * expected, "{one} {other}");
}

/// Z h / m = 2, where 6 / 11 is the limit of what is foretold by parabolas.
#[test]
fn a_line_too_stiff_for_the_steps_of_an_end_is_told() {
    let line = "delay = 2e-4\nZf = 2e4";
    let (report, _) = masses(PYTHON, line, 4e-3);
    assert_eq!(report.exit_code, 0, "{:?}", report.error);
    let warning = report.warnings.iter().find(|w| w.kind == "unstable").unwrap();
    assert_eq!(warning.place, "bar: two");
    assert!(
        warning.message.contains("choose a smaller `step` for two"),
        "{warning:?}"
    );
    // Who feels the line is not concerned.
    let (report, _) = masses(BUILT_IN, line, 4e-3);
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    // Going on, numbers end: the run fails, and what was before is there.
    let (report, handle) = masses(PYTHON, line, 0.1);
    assert_eq!(report.exit_code, 4);
    assert!(report.warnings.iter().any(|w| w.kind == "unstable"));
    let error = report.error.unwrap();
    assert!(error.message.contains("became") && error.advice.unwrap().contains("a line acts on it"));
    let table = handle.table();
    let velocity = reals(&table, "two.velocity");
    assert!(velocity.len() > 40 && velocity.iter().all(|v| v.is_finite()));
}

/// Z h / m = 0.2, with a jump that goes to and fro.
#[test]
fn a_line_that_is_soft_enough_for_the_steps_of_an_end_is_not_complained_about() {
    let (report, _) = masses(PYTHON, "delay = 2e-4\nZf = 2e3", 0.1);
    assert_eq!(report.status, "ok", "{:?}", report.error);
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
}
