//! The coupling of FMUs, measured.

use crate::workplace::Workplace;
use cardan::core::flight::Flight;
use cardan::core::method::Sweep;
use cardan::doctor::{self, Diagnosis, Options, Unmeasured};
use cardan::{Overrides, Reporter, System};
use std::time::Duration;

/// Two masses with a spring and a damper between them; `mass` is what each of them is.
fn two_masses(one: &str, two: &str) -> String {
    format!(
        r#"
[system]
stop = 5.0
[components.one]
{one}
[components.two]
{two}
[components.spring]
model = "spring-damper"
parameters = {{ stiffness = 1e4, damping = 10.0 }}
[[connections]]
from = "one.position"
to = "spring.position_a"
[[connections]]
from = "one.velocity"
to = "spring.velocity_a"
[[connections]]
from = "two.position"
to = "spring.position_b"
[[connections]]
from = "two.velocity"
to = "spring.velocity_b"
[[connections]]
from = "spring.force_a"
to = "one.force"
[[connections]]
from = "spring.force_b"
to = "two.force"
[method]
kind = "jacobi"
step = 0.001
"#
    )
}

fn diagnose(text: &str) -> (System, Diagnosis) {
    let place = Workplace::system(text);
    let mut reporter = Reporter::new();
    let system = System::load(place.path(), &Overrides::default(), false, &mut reporter);
    let mut system = system.unwrap_or_else(|| panic!("{}", reporter.render_all(false)));
    let options = Options {
        time: Duration::from_secs(60),
        flight: Flight::default(),
        progress: &mut |_, _, _| {},
    };
    let found = doctor::examine(&mut system, options).unwrap_or_else(|error| panic!("{error}"));
    (system, found)
}

/// The FMU takes Runge-Kutta steps of at most a millisecond and the built-in mass Dormand-Prince's; both are right to ten
/// digits, and what is found to about six.
#[test]
fn fmus_and_built_in_models_have_the_same_figures() {
    let native = |mass: f64, stiffness: f64, damping: f64| {
        format!(
            "model = \"mass-spring-damper\"\nparameters = {{ mass = {mass:?}, stiffness = {stiffness:?}, damping = \
             {damping:?}, position = 0.1 }}"
        )
    };
    let (_, expected) = diagnose(&two_masses(&native(1.0, 100.0, 0.1), &native(2.0, 400.0, 0.2)));
    let expected = expected.groups[0].figures.clone().unwrap();
    for version in ["fmi2", "fmi3"] {
        let fmu = |mass: f64, stiffness: f64, damping: f64| {
            format!(
                "fmu = {{@driven-mass-{version}}}\nparameters = {{ m = {mass:?}, k = {stiffness:?}, d = {damping:?}, x0 = \
                 0.1 }}"
            )
        };
        let (_, found) = diagnose(&two_masses(&fmu(1.0, 100.0, 0.1), &fmu(2.0, 400.0, 0.2)));
        let figures = found.groups[0]
            .figures
            .clone()
            .unwrap_or_else(|| panic!("{found:?}"));
        for (a, b) in figures.modes.iter().zip(&expected.modes) {
            assert!(
                (a.rate - b.rate).abs() < 1e-4 * b.size(),
                "{version}: {a:?} {b:?}"
            );
        }
        for method in [Sweep::Jacobi, Sweep::GaussSeidel] {
            let of = |f: &doctor::Figures| f.limits_of(method).unwrap().limits.map(|limit| limit.seconds());
            for (a, b) in of(&figures).into_iter().zip(of(&expected)) {
                assert!(
                    a == b || (a / b - 1.0).abs() < 0.01,
                    "{version} {method}: {a} {b}"
                );
            }
        }
    }
}

#[test]
fn one_that_cannot_go_back_is_named_and_the_rest_is_told() {
    let fmu = "fmu = {@held-mass-fmi2}";
    let native = "model = \"mass-spring-damper\"\nparameters = { mass = 2.0, stiffness = 400.0 }";
    let (system, found) = diagnose(&two_masses(fmu, native));
    let group = &found.groups[0];
    assert_eq!(group.members.len(), 3, "the structure is there");
    let [(who, Unmeasured::OneWay)] = &group.unmeasured[..] else {
        panic!("{:?}", group.unmeasured);
    };
    assert_eq!(system.graph.node(*who).name, "one");
    assert!(group.figures.is_none());
    assert_eq!(found.one_way, [*who]);
    let remarks = doctor::remarks(&system, &found, group);
    assert!(
        remarks[0].message.starts_with("`one` cannot go back"),
        "{remarks:?}"
    );
    assert!(remarks[0].advice.as_ref().unwrap().contains("isolate = true"));
}

/// In a process of its own it can go back, and then it is measured.
#[test]
fn isolation_lets_it_be_measured() {
    let native = "model = \"mass-spring-damper\"\nparameters = { mass = 2.0, stiffness = 400.0 }";
    let (_, found) = diagnose(&two_masses("fmu = {@held-mass-fmi2}\nisolate = true", native));
    let group = &found.groups[0];
    assert!(group.unmeasured.is_empty(), "{:?}", group.unmeasured);
}
