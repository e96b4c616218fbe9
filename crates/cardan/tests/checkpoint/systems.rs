//! Descriptions of the tests.

/// Two masses with a stiff spring between them, the method left open.
pub(crate) fn two_mass(step_of_two: &str, method: &str, more: &str) -> String {
    format!(
        r#"
[system]
name = "two-mass"
stop = 0.5
[components.one]
model = "mass-spring-damper"
parameters = {{ mass = 1.0, stiffness = 100.0, damping = 0.1, position = 0.1 }}
[components.two]
model = "coupled-mass"
parameters = {{ mass = 2.0, stiffness = 400.0, damping = 0.2, coupling_stiffness = 1e4, coupling_damping = 10.0, position = 0.2 }}
{step_of_two}
[[connections]]
from = "two.force"
to = "one.force"
[[connections]]
from = "one.position"
to = "two.other_position"
[[connections]]
from = "one.velocity"
to = "two.other_velocity"
[method]
{method}
{more}
"#
    )
}

/// Two masses with one step.
pub(crate) fn fixed(kind: &str) -> String {
    two_mass("", &format!("kind = \"{kind}\"\nstep = 0.002"), "")
}

/// A periodic clock ticks, and every third tick calls in another FMU.
pub(crate) fn clocks(step: f64) -> String {
    format!(
        r#"
[system]
name = "clocks"
stop = 1.0
[components.ramp]
model = "ramp"
[components.ticker]
fmu = {{@ticker-fmi3}}
[components.follower]
fmu = {{@follower-fmi3}}
[[connections]]
from = "ramp.y"
to = "ticker.u"
reading = "linear"
[[connections]]
from = "ticker.every_third"
to = "follower.clock"
[[connections]]
from = "ticker.sample"
to = "follower.value"
[method]
kind = "gauss-seidel"
step = {step}
"#
    )
}
