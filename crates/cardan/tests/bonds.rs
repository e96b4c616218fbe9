//! The quarter car as a power bond: its residual energy, steps that follow it, and inputs that make it good, against the
//! figures of the reference problem.

mod support;

use cardan::supervised::{self, Quiet};
use cardan::{Overrides, Report, Table};
use cardan_testkit::problems::QuarterCar;
use support::{Variant, largest_error, step};

const METHOD: &str = "kind = \"adaptive\"\nestimator = \"energy\"";
const FIXED: &str = "kind = \"jacobi\"";

/// The car of the example, with other settings of the method.
fn car(method: &[(&str, &str)]) -> Variant {
    Variant::of("quarter-car/energy.toml", method)
}

fn fixed(correction: &str) -> Variant {
    car(&[
        (METHOD, FIXED),
        ("energy_tolerance = 0.035", "#"),
        ("max_step = 0.05\n", ""),
        ("correction = true", correction),
        ("scheme = \"jacobi\"\n", ""),
    ])
}

fn run(system: &Variant, overrides: Overrides) -> (Report, Table) {
    let (mut simulation, rows) = system.open(overrides);
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    (report, rows.table())
}

/// The largest errors of the heights of chassis and wheel.
fn errors(table: &Table) -> [f64; 2] {
    let error = |name, place: usize| largest_error(table, name, move |t| QuarterCar::reference(t)[place]);
    [error("chassis.position", 0), error("wheel.position", 2)]
}

/// The residual energy is that of the forces inside the steps, with velocities as they were read. Chassis and wheel know
/// the slopes of their outputs, so the quadrature is of fourth order and its error below a percent even at five steps to
/// a swing of the wheel.
#[test]
fn residual_energies_are_those_of_the_reference() {
    let table = [(2e-2, 715.0), (1e-2, 221.0), (5e-3, 96.6), (1e-3, 18.0)];
    for (h, joules) in table {
        let (report, _) = run(&fixed("correction = false"), step(h));
        let bond = &report.bonds[0];
        // Three digits are given.
        assert!((bond.absolute / joules - 1.0).abs() < 0.01, "{h}: {bond:?}");
        assert!(bond.residual.abs() < bond.absolute && bond.largest < bond.absolute);
        assert!(bond.time.unwrap() < 0.1, "while the wheel jumps: {bond:?}");
    }
}

/// With steps that follow the energy, at no more steps, the results are at least as good as those of the reference.
#[test]
fn steps_by_energy_are_as_good_as_the_reference() {
    let table = [
        // tolerance, correction, steps and errors of the reference
        (0.22, false, 319, [3.7e-3, 1.3e-3]),
        (0.06, false, 486, [3.3e-3, 9.4e-4]),
        (0.006, false, 1280, [1.3e-3, 3.5e-4]),
        (0.12, true, 319, [3.2e-3, 6.3e-4]),
        (0.035, true, 447, [2.8e-3, 3.3e-4]),
        (0.01, true, 738, [1.1e-3, 2.2e-4]),
        (0.004, true, 1128, [4.7e-4, 1.4e-4]),
    ];
    for (tolerance, correction, most, reference) in table {
        let system = car(&[
            (
                "energy_tolerance = 0.035",
                &format!("energy_tolerance = {tolerance}"),
            ),
            ("correction = true", &format!("correction = {correction}")),
        ]);
        let (report, rows) = run(&system, Overrides::default());
        assert!(report.steps <= most, "{tolerance}: {} steps", report.steps);
        let errors = errors(&rows);
        assert!(
            errors[0] <= reference[0] && errors[1] <= reference[1],
            "{tolerance} {correction}: {errors:?}"
        );
        // At the same number of steps a fixed step is wrong by ten times as much at the wheel.
        let (_, rows) = run(&fixed("correction = false"), step(4.0 / report.steps as f64));
        assert!(self::errors(&rows)[1] > 10.0 * errors[1]);
        // No step that was kept made more energy than it may.
        assert!(report.bonds[0].largest <= tolerance);
    }
}

/// A correction makes the coupling one of second order: at a fifth of the step a twenty-fifth of the error.
#[test]
fn corrections_with_fixed_steps() {
    let mut before = [f64::INFINITY; 2];
    for (h, reference) in [(5e-3, [1.4e-3, 2.1e-3]), (1e-3, [1.1e-4, 4.1e-4])] {
        let (report, rows) = run(&fixed("correction = true"), step(h));
        let errors = errors(&rows);
        for i in 0..2 {
            assert!(errors[i] <= reference[i], "{h}: {errors:?}");
            assert!(errors[i] < before[i] / 20.0);
        }
        before = errors;
        let (plain, _) = run(&fixed("correction = false"), step(h));
        assert!(report.bonds[0].absolute < 0.5 * plain.bonds[0].absolute);
    }
}

/// Without joules the tolerance counts against the energy that the largest power carries across in the longest step.
#[test]
fn a_tolerance_needs_no_joules() {
    let mut before = 0;
    for tolerance in ["1e-3", "1e-4", "1e-5"] {
        let system = car(&[("energy_tolerance = 0.035", &format!("tolerance = {tolerance}"))]);
        let (report, rows) = run(&system, Overrides::default());
        let bond = &report.bonds[0];
        assert!(report.steps > before);
        before = report.steps;
        // The largest power is below 25 kW, which carries 1250 J across in the longest step.
        assert!(
            bond.largest < 1250.0 * tolerance.parse::<f64>().unwrap(),
            "{bond:?}"
        );
        assert!(errors(&rows)[1] < 3e-3);
    }
}

/// The report of a run in a child says the same of the coupling, number for number.
#[test]
fn figures_survive_the_supervisor() {
    let system = fixed("correction = false");
    let options = supervised::Options {
        overrides: step(1e-2),
        ..Default::default()
    };
    let out = system.path().join("out.csv");
    let watched = supervised::run(system.path(), &options, &mut Quiet::to(out)).unwrap();
    let (report, _) = run(&system, step(1e-2));
    assert_eq!(watched.coupling, report.coupling);
    assert_eq!(watched.bonds, report.bonds);
    assert_eq!(watched.warnings, report.warnings);
    assert!(watched.coupling.iter().any(|c| c.to == "wheel.force"));
}

/// Far too coarse steps are told: which connection, when, and what to do.
#[test]
fn results_that_cannot_be_trusted_are_told() {
    let (report, _) = run(&fixed("correction = false"), step(2e-2));
    let warning = report
        .warnings
        .iter()
        .find(|w| w.place == "chassis.force → wheel.force")
        .unwrap();
    assert_eq!(warning.kind, "coupling-defect");
    assert_eq!(warning.time, 0.02, "when the force jumps up");
    assert!(warning.message.contains("smaller step"), "{}", warning.message);
    let (report, _) = run(&fixed("correction = false"), step(1e-3));
    assert_eq!(report.warnings, []);
}

fn complaint(replacements: &[(&str, &str)]) -> String {
    let system = car(replacements);
    match cardan::Simulation::open(system.path()) {
        Ok(simulation) => format!("{:?}", simulation.warnings()),
        Err(error) => format!("{:?}", error.diagnostics()),
    }
}

#[test]
fn what_does_not_go_together_is_told() {
    let bond = "[[bonds]]                             # force times velocity is the power that crosses from the wheel into the \
                chassis\neffort = \"chassis.force\"\nflow = \"wheel.velocity\"";
    let told = complaint(&[(bond, "")]);
    assert!(told.contains("where there are none"), "{told}");
    let told = complaint(&[("estimator = \"energy\"", "estimator = \"richardson\"")]);
    assert!(told.contains("done in halves"), "{told}");
    assert!(told.contains("`energy_tolerance` is of no use here"), "{told}");
    let told = complaint(&[("flow = \"wheel.velocity\"", "flow = \"wheel.position\"")]);
    assert!(told.contains("is no power"), "{told}");
}
