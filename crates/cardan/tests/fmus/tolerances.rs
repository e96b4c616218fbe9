//! The tolerance that the solver inside a Co-Simulation FMU is told.

use crate::workplace::{Workplace, last};
use cardan_testkit::fmus::Fmi;

/// Two of them in a circle, one of which has no tolerance of its own; what each of them was told.
fn told(version: Fmi, method: &str) -> [f64; 2] {
    let place = Workplace::system(&format!(
        r#"
[system]
stop = 1.0
[components.own]
fmu = {{@told-{version}}}
[components.none]
fmu = "none"
[[connections]]
from = "own.x"
to = "none.u"
[[connections]]
from = "none.x"
to = "own.u"
[method]
{method}
"#
    ));
    place.changed(&format!("told-{version}"), "none", |text| {
        text.replace(" tolerance=\"1e-5\"", "")
    });
    let table = place.run();
    ["own.tolerance", "none.tolerance"].map(|name| last(&table, name))
}

#[test]
fn it_is_no_looser_than_the_run_nor_than_its_own() {
    for version in Fmi::ALL {
        // Nobody asks for anything: its own counts.
        for method in [
            "kind = \"jacobi\"\nstep = 0.1",
            "kind = \"auto\"",
            "kind = \"adaptive\"",
        ] {
            assert_eq!(told(version, method), [1e-5, 0.0], "{version}, {method}");
        }
        for kind in ["auto", "adaptive", "iterated"] {
            for (asked, expected) in [(1e-4, [1e-5, 1e-4]), (1e-7, [1e-7, 1e-7])] {
                let method = format!("kind = \"{kind}\"\ntolerance = {asked:e}");
                assert_eq!(told(version, &method), expected, "{version}, {method}");
            }
        }
    }
}
