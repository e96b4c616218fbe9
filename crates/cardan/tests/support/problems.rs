//! Systems for the problems of the testkit, coupled with fixed steps and a reading to be named.

use super::Variant;
use cardan_testkit::problems::RigidPair;

/// For 3 s, with a row every millisecond; all variables of `upper` and `lower`.
pub(crate) fn double_pendulum(reading: &str) -> Variant {
    Variant::text(&DOUBLE_PENDULUM.replace("\"hold\"", &format!("\"{reading}\"")))
}

const DOUBLE_PENDULUM: &str = r#"
[system]
name = "double-pendulum"
stop = 3.0

[components.upper]
model = "pendulum-upper"
parameters = { angle = 1.5707963267948966 }

[components.lower]
model = "pendulum-lower"

[[connections]]
from = "upper.acceleration_x"
to = "lower.acceleration_x"

[[connections]]
from = "upper.acceleration_y"
to = "lower.acceleration_y"

[[connections]]
from = "upper.angle"
to = "lower.upper_angle"

[[connections]]
from = "upper.speed"
to = "lower.upper_speed"

[[connections]]
from = "lower.force_x"
to = "upper.force_x"

[[connections]]
from = "lower.force_y"
to = "upper.force_y"

[[connections]]
from = "lower.torque"
to = "upper.torque"

[method]
kind = "jacobi"
step = 0.001
reading = "hold"

[record]
every = 0.001
variables = ["upper.*", "lower.*"]
"#;

/// For 30 s, with a row every 10 ms; all variables of `engine` and `linkage`.
pub(crate) fn engine_linkage(reading: &str) -> Variant {
    Variant::text(&ENGINE_LINKAGE.replace("\"hold\"", &format!("\"{reading}\"")))
}

const ENGINE_LINKAGE: &str = r#"
[system]
name = "engine-linkage"
stop = 30.0

[components.throttle]
model = "table"
parameters = { times = [0.0, 5.0, 6.0, 15.0, 16.0, 30.0], values = [8.97, 8.97, 11.93, 11.93, 8.97, 8.97] }

[components.engine]
model = "mean-value-engine"
parameters = { gear = 7.0, air_fuel_ratio = 14.6, spark_advance = 15.0, pressure = 0.543 }

[components.linkage]
model = "four-bar-linkage"
parameters = { loops = 1.0, damping = 3.18, speed = 30.0 }

[[connections]]
from = "throttle.y"
to = "engine.throttle"

[[connections]]
from = "engine.torque"
to = "linkage.torque"

[[connections]]
from = "linkage.speed"
to = "engine.speed"

[method]
kind = "jacobi"
step = 0.001
reading = "hold"
start = "flat"

[record]
every = 0.01
variables = ["engine.*", "linkage.*"]
"#;

/// The first mass takes the force of the constraint, the second the motion of the first.
pub(crate) fn rigid_pair(pair: RigidPair, reading: &str) -> Variant {
    let (first, second) = (pair.first(), pair.second());
    Variant::text(&format!(
        r#"
[system]
name = "rigid-pair"
stop = 1.0

[components.drive]
model = "sine"
parameters = {{ amplitude = {amplitude:?}, frequency = {frequency:?} }}

[components.net]
model = "sum"
parameters = {{ gains = [1.0, -1.0] }}

[components.first]
model = "mass-spring-damper"
parameters = {{ mass = {:?}, stiffness = {:?}, damping = {:?}, position = 0.1 }}

[components.second]
model = "moved-mass"
parameters = {{ mass = {:?}, stiffness = {:?}, damping = {:?} }}

[[connections]]
from = "drive.y"
to = "net.u1"

[[connections]]
from = "second.force"
to = "net.u2"

[[connections]]
from = "net.y"
to = "first.force"

[[connections]]
from = "first.position"
to = "second.position"

[[connections]]
from = "first.velocity"
to = "second.velocity"

[[connections]]
from = "first.acceleration"
to = "second.acceleration"

[method]
kind = "jacobi"
step = 0.001
reading = "{reading}"

[record]
variables = ["first.*", "second.force"]
"#,
        first.mass,
        first.stiffness,
        first.damping,
        second.mass,
        second.stiffness,
        second.damping,
        amplitude = RigidPair::AMPLITUDE,
        frequency = RigidPair::RATE / std::f64::consts::TAU,
    ))
}
