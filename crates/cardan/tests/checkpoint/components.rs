//! Components whose state cannot be written down: nothing is run.

use crate::bench::Bench;

/// What a run with checkpoints is told.
#[track_caller]
fn refusal(text: &str) -> String {
    let bench = Bench::new(text);
    let Err(error) = bench.open(bench.keeping()) else {
        panic!("it was not refused");
    };
    assert_eq!(error.exit_code(), 2);
    assert!(!bench.out().exists() && !bench.checkpoint().exists());
    error.to_string()
}

#[test]
fn fmus_that_do_not_serialise_are_named() {
    for isolate in [false, true] {
        let text = format!(
            r#"
[system]
stop = 1.0
[components.ramp]
model = "ramp"
[components.held]
fmu = {{@held-mass-fmi2}}
isolate = {isolate}
[components.cosine]
fmu = {{@cosine-fmi3}}
[components.lag]
fmu = {{@lag-fmi2}}
[method]
kind = "gauss-seidel"
step = 0.1
"#
        );
        let told = refusal(&text);
        for part in ["`held`", "`cosine`", "canSerializeFMUstate", "--checkpoint"] {
            assert!(told.contains(part), "{told}");
        }
        assert!(!told.contains("`lag`") && !told.contains("`ramp`"), "{told}");
    }
}
