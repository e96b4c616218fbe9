//! Coupled runs with ngspice, MuJoCo and scikit-fem: orders of convergence, conservation, and what goes wrong.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::{Options, Overrides, Reporter, Simulation, System, Table};
use cardan_testkit::tools;
use std::path::Path;
use support::fine::{GuidedBeam, HeatingElement, PendulumOnBeam};
use support::{Variant, example, largest_error, reals, run, step};

/// Fails unless halving the step divides the error by about two to this power: half a power more or less is allowed for
/// the terms of higher order.
fn assert_order(order: f64, coarse: f64, fine: f64, what: &str) {
    let found = (coarse / fine).log2();
    assert!(
        (found - order).abs() < 0.5,
        "{what}: {coarse:e} and {fine:e} are of order {found}"
    );
}

/// An example with some text of its files changed, in a folder of its own.
fn changed(name: &str, changes: &[(&str, &str, &str)]) -> Variant {
    let variant = Variant::of(&format!("{name}/system.toml"), &[]);
    for entry in std::fs::read_dir(example(name)).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, variant.path().join(path.file_name().unwrap())).unwrap();
    }
    for (file, from, to) in changes {
        let path = variant.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} does not contain {from:?}");
        std::fs::write(&path, text.replace(from, to)).unwrap();
    }
    variant
}

#[test]
#[ignore = "needs ngspice: ./test --tools"]
fn the_heater_is_of_third_order() {
    if !tools::has("ngspice") {
        return;
    }
    // The power is extrapolated by a parabola, so the error per step is that of fourth order.
    let error = |h: f64| {
        let result = run("ngspice-heater/system.toml", step(h));
        largest_error(&result, "heat.y[1]", |t| HeatingElement::at(t)[2])
    };
    let errors = [0.1, 0.05, 0.025].map(error);
    assert_order(3.0, errors[0], errors[1], "0.1 s against 0.05 s");
    assert_order(3.0, errors[1], errors[2], "0.05 s against 0.025 s");
}

/// The current when the element stays cold: a ramp, then a constant, through a choke and 2.5 Ohm.
fn cold_current(t: f64) -> f64 {
    let (resistance, lag) = (2.5, 0.2);
    let ramp = |t: f64| 12.0 / resistance * (t - lag * (1.0 - (-t / lag).exp()));
    match t <= 1.0 {
        true => ramp(t),
        false => 12.0 / resistance + (ramp(1.0) - 12.0 / resistance) * (-(t - 1.0) / lag).exp(),
    }
}

#[test]
#[ignore = "needs ngspice: ./test --tools"]
fn ngspice_stops_at_communication_points_and_is_right_there() {
    if !tools::has("ngspice") {
        return;
    }
    let variant = changed("ngspice-heater", &[]);
    // Steps that have nothing to do with those of ngspice.
    let text = "[system]\nstop = 7.0\n[components.circuit]\nprocess = { command = [\"./spice.sh\", \"heater.cir\"] }\n\
                [method]\nstep = 0.07\n";
    std::fs::write(variant.path().join("system.toml"), text).unwrap();
    let result = variant.run(Overrides::default());
    assert_eq!(result.times.len(), 101);
    let error = largest_error(&result, "circuit.current", cold_current);
    // ngspice uses the trapezoidal rule with steps of 10 ms at most. Its errors add up to h²/12 times the integral of
    // |i'''| at most; i'' goes from 12 V/s / 0.5 H to zero after each of the two corners, the first of them forgotten
    // when the second comes.
    assert!(error < 0.01 * 0.01 / 12.0 * 24.0, "{error}");
}

/// What a run says when it fails.
fn complaint(variant: &Variant) -> String {
    let mut reporter = Reporter::new();
    if System::load(variant.path(), &Overrides::default(), false, &mut reporter).is_none() {
        let diagnostics = reporter.finish();
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        return diagnostics[0].message.clone();
    }
    match Simulation::open_with(variant.path(), Options::default()) {
        Ok(mut simulation) => simulation.run().error.unwrap().message,
        Err(error) => error.to_string(),
    }
}

#[test]
#[ignore = "needs ngspice: ./test --tools"]
fn what_ngspice_does_not_like_is_told_in_its_words() {
    if !tools::has("ngspice") {
        return;
    }
    for (from, to, words) in [
        (
            "R1 supply a 0.5",
            "R1 supply a foo",
            ["ngspice refuses heater.cir", "unknown parameter (foo)"],
        ),
        ("L1 a out", "Y1 a out", ["line 5", "model name is not found"]),
        (
            "R1 supply a 0.5",
            "V2 supply a 0\nV3 supply a 1",
            [
                "ngspice finds no operating point of heater.cir",
                "singular matrix:  check node v2#branch",
            ],
        ),
        (
            "v=v(out)*i(l1)",
            "v=v(power)*v(power)+time",
            ["ngspice gave up at 0.25 s", "Timestep too small; time = 0.25"],
        ),
        (
            ".tran 0.01 100",
            ".tran 0.01 30",
            ["The `.tran` of heater.cir ends at 30 s", "later end"],
        ),
        (
            "Vtemp temp 0 external",
            "Vtemp temp 0 dc 0 external",
            ["ngspice crashes at `Vtemp", "write"],
        ),
        (
            "input  vtemp",
            "input  vtmp",
            [
                "The source vtemp of heater.cir is external",
                "*cardan input vtemp",
            ],
        ),
        (
            "output v(power)",
            "output v(powr)",
            ["computes no `powr`", "the output `power`"],
        ),
        (
            "output v(power)",
            "output power",
            ["`power` in heater.cir is neither a voltage", "v(NODE)"],
        ),
    ] {
        let found = complaint(&changed("ngspice-heater", &[("heater.cir", from, to)]));
        for words in words {
            assert!(found.contains(words), "{to}: {found}");
        }
    }
}

/// Needs no ngspice: that is what it is about.
#[test]
fn a_missing_library_is_told_with_its_package() {
    let cache = tempfile::tempdir().unwrap();
    let environment = format!(
        "\"heater.cir\"], environment = {{ XDG_CACHE_HOME = \"{}\" }}",
        cache.path().display()
    );
    let changes = [
        (
            "spice.c",
            "dlopen(\"libngspice.so.0\"",
            "dlopen(\"libnothing.so.0\"",
        ),
        ("system.toml", "\"heater.cir\"]", &environment),
    ];
    let found = complaint(&changed("ngspice-heater", &changes));
    for words in [
        "The library of ngspice cannot be loaded (libnothing.so.0",
        "`apt install libngspice0`",
    ] {
        assert!(found.contains(words), "{found}");
    }
}

/// The end of a traceback is what counts, so it must not be cut off.
#[test]
fn a_missing_module_is_told_by_its_name() {
    let variant = changed(
        "mujoco-fe",
        &[("body.py", "import mujoco", "import no_such_simulator")],
    );
    let text = "[system]\nstop = 1.0\n[components.body]\npython = \"body.py:Body\"\n[method]\nstep = 0.1\n";
    std::fs::write(variant.path().join("system.toml"), text).unwrap();
    let found = complaint(&variant);
    assert!(found.contains("exit status 1"), "{found}");
    assert!(found.ends_with("No module named 'no_such_simulator'"), "{found}");
}

/// The same for the client of the example: it must be clean C.
#[test]
fn the_participant_compiles_without_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let from = example("ngspice-heater");
    let compiled = std::process::Command::new("cc")
        .args([
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wno-misleading-indentation",
        ])
        .args(["-O2", "-pthread", "-o"])
        .arg(folder.path().join("spice"))
        .args([from.join("spice.c"), from.join("cardan.c")])
        .args(["-lm", "-ldl"])
        .status();
    assert!(compiled.unwrap().success());
}

fn energies(result: &Table) -> Vec<f64> {
    let both = reals(result, "body.energy")
        .iter()
        .zip(reals(result, "beam.energy"));
    both.map(|(body, beam)| body + beam).collect()
}

#[test]
#[ignore = "needs MuJoCo: ./test --tools"]
fn the_pendulum_is_of_third_order_and_so_is_its_energy() {
    if tools::has("mujoco") {
        let name = "the_pendulum_is_of_third_order_and_so_is_its_energy";
        tools::with_python(name, pendulum_is_of_third_order);
    }
}

fn pendulum_is_of_third_order() {
    // The force is extrapolated by a parabola; MuJoCo integrates by a method of fourth order.
    let errors = [0.005, 0.0025].map(|h| {
        let result = run("mujoco-fe/system.toml", step(h));
        let energies = energies(&result);
        let lost = energies
            .iter()
            .fold(0.0_f64, |m, e| m.max((e - energies[0]).abs()));
        let height = largest_error(&result, "body.height", |t| PendulumOnBeam::at(t)[0]);
        let angle = largest_error(&result, "body.angle", |t| PendulumOnBeam::at(t)[2]);
        [("height", height), ("angle", angle), ("energy", lost)]
    });
    for ((what, coarse), (_, fine)) in errors[0].into_iter().zip(errors[1]) {
        assert_order(3.0, coarse, fine, what);
    }
}

/// MuJoCo would write a file, set the motion back to its start, and go on.
#[test]
#[ignore = "needs MuJoCo: ./test --tools"]
fn a_motion_that_is_lost_ends_the_run_in_the_words_of_mujoco() {
    if tools::has("mujoco") {
        let name = "a_motion_that_is_lost_ends_the_run_in_the_words_of_mujoco";
        tools::with_python(name, || {
            // A beam that pushes the slider away instead of holding it.
            let variant = changed(
                "mujoco-fe",
                &[("beam.py", "self.force = -float", "self.force = 1e4 * float")],
            );
            let found = complaint(&variant);
            assert!(found.contains("MuJoCo says: Nan, Inf or huge value"), "{found}");
            assert!(!variant.path().join("MUJOCO_LOG.TXT").exists());
        });
    }
}

#[test]
#[ignore = "needs scikit-fem: ./test --tools"]
fn the_force_of_the_beam_is_of_fourth_order_in_the_elements() {
    if tools::has("mujoco") {
        let name = "the_force_of_the_beam_is_of_fourth_order_in_the_elements";
        tools::with_python(name, force_is_of_fourth_order);
    }
}

/// The energy of cubic elements for a bent beam is of fourth order, and the force is its derivative.
fn force_is_of_fourth_order() {
    let deflection = -0.06;
    let errors = [4, 8].map(|elements| {
        let text = format!(
            "[system]\nstop = 0.1\n[components.beam]\npython = \"beam.py:Beam\"\nparameters = {{ elements = {elements} }}\n\
             [components.tip]\nmodel = \"constant\"\nparameters = {{ value = {deflection} }}\n\
             [[connections]]\nfrom = \"tip.y\"\nto = \"beam.deflection\"\n[method]\nstep = 0.1\n"
        );
        let variant = Variant::text(&text);
        copy("mujoco-fe", "beam.py", variant.path());
        let result = variant.run(Overrides::default());
        reals(&result, "beam.force")[1] + GuidedBeam::force(deflection)
    });
    // Elements are too stiff, never too soft.
    assert!(errors[1] > 0.0, "{errors:?}");
    assert_order(4.0, errors[0], errors[1], "4 elements against 8");
    // What the page of the example says, to its one digit.
    let part = errors[1] / -GuidedBeam::force(deflection);
    assert!((5.5e-7..6.5e-7).contains(&part), "{part}");
}

fn copy(name: &str, file: &str, to: &Path) {
    std::fs::copy(example(name).join(file), to.join(file)).unwrap();
}

/// The reference of the beam begins with the textbook, and its two ways of computing meet.
#[test]
fn the_reference_of_the_beam_is_consistent() {
    let small = GuidedBeam::force(1e-4) / 1e-4;
    assert!((small / GuidedBeam::STIFFNESS - 1.0).abs() < 2e-6, "{small}"); // 103 w², see cardan-link/tests/tools.rs
    for w in [1e-3, 5e-3, 0.02, 0.07] {
        // Symmetric, and growing faster than the line.
        assert_eq!(GuidedBeam::force(-w), -GuidedBeam::force(w));
        assert!(GuidedBeam::force(w) > GuidedBeam::STIFFNESS * w);
    }
}
