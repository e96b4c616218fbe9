//! Transmission lines as users describe them: what may be at their ends, and what is said about them.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::{Overrides, Report, Simulation, Table};
use support::{Variant, largest_error, reals};

fn run(variant: &Variant) -> (Table, Report) {
    let (mut simulation, handle) = variant.open(Overrides::default());
    let report = simulation.run();
    assert_eq!(report.status, "ok", "{:?}", report.error);
    (handle.table(), report)
}

fn mistakes(text: &str) -> String {
    match Simulation::open(Variant::text(text).path()) {
        Ok(_) => panic!("it opens"),
        Err(error) => error.to_string(),
    }
}

/// Two masses on springs with a line between them; `line` are its further keys, `rest` what else there is.
fn two_masses(line: &str, rest: &str) -> String {
    format!(
        r#"
[system]
stop = 0.02
[components.one]
model = "mass-spring-damper"
parameters = {{ mass = 1.0, stiffness = 1000.0, position = 0.01 }}
[components.two]
model = "mass-spring-damper"
parameters = {{ mass = 2.0, stiffness = 4000.0, position = 0.01 }}
[[lines]]
name = "bar"
from = {{ flow = "one.velocity", effort = "one.force" }}
to = {{ flow = "two.velocity", effort = "two.force" }}
{line}
{rest}
"#
    )
}

const PLAIN: &str = "delay = 2e-4\nZf = 200.0";

#[test]
fn a_line_says_what_it_brings_along() {
    let (table, report) = run(&Variant::text(&two_masses(PLAIN, "")));
    assert_eq!(report.method, "tlm");
    let line = &report.lines[0];
    assert_eq!(
        (line.name.as_str(), line.domain.as_str()),
        ("bar", "translational")
    );
    // Z T and Z / T.
    assert!((line.parasitic_mass - 0.04).abs() < 1e-15);
    assert!((line.stiffness - 1e6).abs() < 1e-6);
    assert_eq!((line.compensated, line.stiffened), (Some(0.0), Some(1.0)));
    assert_eq!(line.gap, None);
    assert!(table.column("bar.energy").is_some());
    // Half of the delay is everybody's step, if nothing else is said.
    assert_eq!(report.components["one"].steps, 200);
}

#[test]
fn a_material_and_a_length_are_a_line() {
    let text = two_masses("material = \"steel\"\nlength = 0.1\nalpha = 0.2", "");
    let (_, report) = run(&Variant::text(&text.replace("stop = 0.02", "stop = 0.001")));
    let line = &report.lines[0];
    assert!((line.delay - 0.1 / 5180.0).abs() < 1e-18);
    // 210 GPa · 0.1 m · 0.1 m / 5180 m/s, and the mass of a cube of it, which the filter makes heavier by 1 / 0.8.
    assert!((line.impedance - 210e9 * 0.01 / 5180.0).abs() < 1e-6);
    assert!((line.parasitic_mass - 1.25 * 210e9 / 5180.0_f64.powi(2) * 1e-3).abs() < 1e-9);
}

/// Two free bodies in space. The second one is described by `body`, and seen in the axes of the system.
fn two_bodies(body: &str, line: &str) -> Variant {
    Variant::text(&format!(
        r#"
[system]
stop = 0.05
[components.a]
model = "rigid-body"
parameters = {{ mass = 2.0, inertia = [0.1, 0.2, 0.3], position = [0.3, 0.0, 0.0], gravity = [3.0, -9.81, 5.0] }}
solver = {{ kind = "rk4", step = 2.5e-5 }}
[components.b]
model = "rigid-body"
{body}
[[lines]]
name = "tie"
from = {{ frame = "a.frame", load = "a.load" }}
to = {{ frame = "b.frame", load = "b.load" }}
delay = 2e-4
Zf = 100.0
Zfr = 2.0
{line}
[record]
every = 1e-3
variables = ["a.frame", "b.frame", "b.load"]
"#
    ))
}

/// A frame brings its load along where there is no other frame and no other load.
#[test]
fn the_only_load_belongs_to_the_only_frame() {
    let named = two_bodies(GLOBAL, "alpha = 0.2");
    let short = named.with(&[
        ("{ frame = \"a.frame\", load = \"a.load\" }", "\"a.frame\""),
        ("{ frame = \"b.frame\", load = \"b.load\" }", "\"b.frame\""),
    ]);
    let (expected, found) = (run(&named).0, run(&short).0);
    for name in ["a.frame.x", "b.frame.qz", "b.load.fy", "b.load.mx"] {
        assert_eq!(reals(&expected, name), reals(&found, name), "{name}");
    }
    assert!(reals(&found, "b.load.fy").iter().any(|load| *load != 0.0));
    // It is offered where another name was meant.
    let refused = short.with(&[("from = \"a.frame\"", "from = \"a.frme\"")]);
    let text = match Simulation::open(refused.path()) {
        Ok(_) => panic!("it opens"),
        Err(error) => error.to_string(),
    };
    assert!(text.contains("frames with loads of `a`: frame"), "{text}");
    // A chain on a hinge has one load too, but two frames: it belongs to the one whose name it has.
    let chain = |end: &str| {
        format!(
            "[system]\nstop = 1e-3\n[components.a]\nmodel = \"planar-chain\"\n[components.b]\nmodel = \"rigid-body\"\n\
             [[lines]]\nfrom = \"a.{end}\"\nto = \"b.frame\"\ndelay = 2e-4\nZf = 100.0\nZfr = 1.0\n"
        )
    };
    assert!(Simulation::open(Variant::text(&chain("tip")).path()).is_ok());
    let refused = mistakes(&chain("base"));
    assert!(
        refused.contains("`a.base` is no interface at which a line can end") && refused.contains("tip"),
        "{refused}"
    );
}

fn largest_difference(a: &Table, b: &Table, name: &str) -> f64 {
    let (a, b) = (reals(a, name), reals(b, name));
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The second body in the axes of the system, turned like the frames below.
const GLOBAL: &str = r#"parameters = { mass = 1.0, inertia = [0.1, 0.1, 0.1], position = [0.3, 0.0, 0.0], orientation = [0.7, -0.2, 0.4] }
solver = { kind = "rk4", step = 2.5e-5 }"#;

#[test]
fn a_line_in_space_does_not_see_the_axes_of_a_component() {
    let turned = r#"parameters = { mass = 1.0, inertia = [0.1, 0.1, 0.1] }
frame = { position = [0.3, 0.0, 0.0], angles = [0.7, -0.2, 0.4] }
solver = { kind = "rk4", step = 2.5e-5 }"#;
    let small = r#"parameters = { mass = 1.0, inertia = [1e5, 1e5, 1e5], position = [0.0, 0.0, 0.0] }
frame = { position = [0.3, 0.0, 0.0], angles = [0.7, -0.2, 0.4] }
scales = { length = 0.001 }
solver = { kind = "rk4", step = 2.5e-5 }"#;
    for line in [
        "",
        "compensate = \"inertia\"",
        "compensate = true\nstart = \"consistent\"",
        "alpha = 0.2",
    ] {
        let (expected, report) = run(&two_bodies(GLOBAL, line));
        let compensated = if line.starts_with("compensate") { 1.0 } else { 0.0 };
        assert_eq!(report.lines[0].compensated, Some(compensated));
        for body in [turned, small] {
            let (found, _) = run(&two_bodies(body, line));
            // The same arithmetic in other axes and units: rounding alone, and with compensation that of differences over a
            // ten-thousandth of a millisecond, 1e-9 of the velocities.
            for (name, size) in [
                ("b.frame.x", 1.0),
                ("b.frame.qz", 1.0),
                ("b.frame.wy", 3.0),
                ("b.load.fx", 30.0),
            ] {
                let off = largest_difference(&expected, &found, name);
                assert!(off < 1e-7 * size, "{line} {name} {off}");
            }
        }
    }
}

#[test]
fn a_component_that_does_not_feel_the_line_goes_with_it_all_the_same() {
    // A unit of time of its own, and a marker, keep reactions away.
    let slow = r#"parameters = { mass = 1e6, inertia = [1e5, 1e5, 1e5], position = [0.3, 0.0, 0.0], orientation = [0.7, -0.2, 0.4] }
scales = { time = 0.001, force = 1.0, mass = 1e-6 }
solver = { kind = "rk4", step = 0.025 }"#;
    let (expected, _) = run(&two_bodies(GLOBAL, "start = \"consistent\""));
    let mut before = f64::INFINITY;
    for step in [1e-4, 5e-5, 2.5e-5] {
        let (found, _) = run(&two_bodies(
            &format!("{slow}\nstep = {step:e}"),
            "start = \"consistent\"",
        ));
        let off = largest_difference(&expected, &found, "b.frame.x");
        // It goes on along parabolas, so the error falls with the step. Of the way that both bodies went, 3 m/s² · t² / 2 shared by
        // both, a hundred-thousandth is asked for.
        let way = 0.5 * 3.0 * 0.05 * 0.05 * 2.0 / 3.0;
        assert!(off < 1e-5 * way && off < before, "{step}: {off}");
        before = off;
    }
    // What was asked for and cannot be had is said.
    let (_, report) = run(&two_bodies(&format!("{slow}\nstep = 1e-4"), "compensate = true"));
    // The other end takes all of it.
    assert_eq!(report.lines[0].compensated, Some(1.0));
}

#[test]
fn a_signal_arrives_later() {
    let (table, _) = run(&Variant::text(
        r#"
[system]
stop = 1.0
[components.wave]
model = "sine"
parameters = { frequency = 1.0, amplitude = 2.0 }
[components.ear]
model = "gain"
parameters = { k = 3.0 }
[[lines]]
from = { value = "wave.y" }
to = { value = "ear.u" }
delay = 0.1
"#,
    ));
    // Points half a delay apart, 0.05 s, and cubics between them: (2π h)⁴ · 9/384 of the amplitude of 6 at most.
    let bound = 6.0 * (0.05 * std::f64::consts::TAU).powi(4) * 9.0 / 384.0;
    let expected = |t: f64| match t < 0.1 {
        true => 0.0,
        false => 6.0 * (std::f64::consts::TAU * (t - 0.1)).sin(),
    };
    let error = largest_error(&table, "ear.y", expected);
    assert!(error < bound, "{error} {bound}");
}

#[test]
fn connections_and_lines_go_together() {
    // A force from a source on one of the masses, beside the line.
    let text = two_masses(PLAIN, "").replace(
        "[[lines]]",
        "[components.push]\nmodel = \"coupled-mass\"\nparameters = { mass = 1.0, stiffness = 10.0, coupling_stiffness = 50.0 }\n[[connections]]\nfrom = \"one.position\"\nto = \"push.other_position\"\n[[connections]]\nfrom = \"one.velocity\"\nto = \"push.other_velocity\"\n[[lines]]",
    );
    let (table, report) = run(&Variant::text(&text));
    assert_eq!(report.method, "tlm");
    // Pulled by what it reads of the mass, 50 N/m · 1 cm on 1 kg for 20 ms: 0.1 mm at most, and not nothing.
    let pulled = reals(&table, "push.position").last().copied().unwrap().abs();
    assert!(pulled > 5e-5 && pulled < 1.1e-4, "{pulled}");
}

/// An empty line moves along with its ends, and what jumps arrives as a jump, not before.
#[test]
fn a_line_begins_without_load() {
    let free = |second: &str| {
        let text = two_masses("delay = 1e-3\nZf = 100.0", "[record]\nevery = 1e-3")
            .replace(
                "stiffness = 1000.0, position = 0.01",
                "stiffness = 0.0, velocity = 1.0",
            )
            .replace("stiffness = 4000.0, position = 0.01", second);
        run(&Variant::text(&text)).0
    };
    let alike = free("stiffness = 0.0, velocity = 1.0");
    assert!(
        reals(&alike, "one.velocity")
            .iter()
            .all(|v| (v - 1.0).abs() < 1e-9)
    );
    // Nothing acts for a delay; then -Z v alone up to twice the delay: exp(-Z T / m).
    let apart = free("stiffness = 0.0");
    let velocity = reals(&apart, "one.velocity");
    assert!(
        (velocity[1] - 1.0).abs() < 1e-9 && (velocity[2] - (-0.1_f64).exp()).abs() < 1e-6,
        "{velocity:?}"
    );
}

#[test]
fn what_is_wrong_is_said_where_it_stands() {
    let cases = [
        (
            two_masses("delay = 0.0\nZf = 200.0", ""),
            "`delay` must be greater than 0",
        ),
        (two_masses("Zf = 200.0", ""), "a line lacks `delay`"),
        (two_masses("delay = 2e-4", ""), "a line lacks `Zf`"),
        (
            two_masses("delay = 2e-4\nZf = 200.0\nalpha = 1.0", ""),
            "`alpha` must be below 1",
        ),
        (
            two_masses("material = \"cheese\"\nlength = 0.1", ""),
            "the material `cheese` is not known",
        ),
        (two_masses("material = \"steel\"", ""), "lacks `length`"),
        (
            two_masses("delay = 2e-4\nZf = 200.0\ncompensate = \"mass\"", ""),
            "`compensate` cannot be `mass`",
        ),
        (
            two_masses("delay = 2e-4\nZf = 200.0\ndomain = \"rotational\"", ""),
            "the line is rotational, and this end is translational",
        ),
        (
            two_masses(PLAIN, "[method]\nkind = \"jacobi\"\nstep = 1e-4"),
            "there are lines, and the method is `jacobi`",
        ),
        (
            two_masses(PLAIN, "").replace("one.velocity", "one.velocty"),
            "has no port `velocty`",
        ),
        (
            two_masses(PLAIN, "").replace("flow = \"one.velocity\"", "flow = \"one.acceleration\""),
            "reacts at once to `one.force`",
        ),
        (
            two_masses(PLAIN, "").replace("flow = \"one.velocity\"", "flow = \"one.position\""),
            "is no power",
        ),
        (
            two_masses(PLAIN, "").replace(
                "flow = \"two.velocity\", effort = \"two.force\"",
                "flow = \"two.velocity\", effort = \"one.force\"",
            ),
            "belong to different components",
        ),
        (
            two_masses(PLAIN, "").replace("name = \"bar\"", "name = \"one\""),
            "`one` is the name of a component",
        ),
        (
            two_masses(PLAIN, "").replace("[components.one]", "[components.one]\nstep = 3e-4"),
            "too far for its line `bar`",
        ),
        (
            two_masses(
                PLAIN,
                "[[lines]]\nname = \"again\"\nfrom = { flow = \"one.velocity\", effort = \"one.force\" }\nto = { flow = \"two.velocity\", effort = \"two.force\" }\ndelay = 1e-3\nZf = 1.0",
            ),
            "`one.force` is driven twice",
        ),
        (
            two_masses(PLAIN, "").replace(
                "from = { flow = \"one.velocity\", effort = \"one.force\" }",
                "from = \"one.flange\"",
            ),
            "is no interface at which a line can end",
        ),
    ];
    for (text, expected) in cases {
        let found = mistakes(&text);
        assert!(found.contains(expected), "{expected}\n{found}");
    }
    let none = two_masses(PLAIN, "[method]\nkind = \"tlm\"");
    let without = &none[..none.find("[[lines]]").unwrap()];
    let found = mistakes(&format!("{without}\n[method]\nkind = \"tlm\""));
    assert!(found.contains("couples by lines, and there are none"), "{found}");
}

/// Positions count from wherever their component has its origin: what is told is what became of the gap at the start.
#[test]
fn gaps_begin_with_the_run() {
    let gap = |position: &str| {
        let text = two_masses(PLAIN, "")
            .replace(
                "effort = \"one.force\"",
                "effort = \"one.force\", position = \"one.position\"",
            )
            .replace(
                "effort = \"two.force\"",
                "effort = \"two.force\", position = \"two.position\"",
            )
            .replace(
                "mass = 2.0, stiffness = 4000.0, position = 0.01",
                &format!("mass = 2.0, stiffness = 0.0, position = {position}"),
            );
        run(&Variant::text(&text)).1.lines[0].gap.unwrap()
    };
    let (here, elsewhere) = (gap("0.01"), gap("5.01"));
    // A difference of positions of 5 m has lost 1e-15 m to rounding.
    assert!(
        here > 1e-7 && (here - elsewhere).abs() < 1e-13,
        "{here} and {elsewhere}"
    );
}

#[test]
fn a_length_that_is_wrong_is_the_only_mistake() {
    let found = mistakes(&two_masses("material = \"steel\"\nlength = -1.0", ""));
    assert!(found.contains("length") && !found.contains("lacks"), "{found}");
}

#[test]
fn more_inertia_than_there_is_cannot_be_taken_away() {
    // Z T = 2.4 kg, half of it at a mass of one.
    let variant = Variant::text(&two_masses(
        "delay = 2e-4\nZf = 12000.0\ncompensate = \"inertia\"",
        "",
    ));
    // Before the run begins, so that nothing is said of a line that was compensated.
    let Err(error) = Simulation::open(variant.path()) else {
        panic!("it opens");
    };
    assert_eq!(error.exit_code(), 4);
    let message = error.to_string();
    for words in [
        "the line bar",
        "more inertia than there is",
        ": 1.2 kg of 1 kg",
        "one at t = 0 s",
    ] {
        assert!(message.contains(words), "{message}");
    }
}
