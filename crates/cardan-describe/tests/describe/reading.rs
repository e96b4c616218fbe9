//! Reading `system.toml`.

use super::{GOOD, complaints, complaints_about, parse};
use cardan_core::signal::Reading;
use cardan_describe::spec::{ComponentSource, Literal, MethodKind, StartRule};
use insta::assert_snapshot;

#[test]
fn a_good_description_is_read_as_it_stands() {
    let (spec, reporter) = parse(GOOD);
    assert_eq!(reporter.render_all(false), "");
    assert_eq!(spec.name, "quarter-car");
    assert_eq!((spec.start_time(), spec.stop.unwrap().value), (0.0, 4.0));

    let [wheel, chassis] = &spec.components[..] else {
        panic!("two components")
    };
    assert!(
        matches!(&wheel.source, Some(ComponentSource::Model(name)) if name.value == "mass-spring-damper")
    );
    assert_eq!(wheel.parameters[0].1.value, Literal::Integer(40));
    assert_eq!(wheel.solver.as_ref().unwrap().kind.as_ref().unwrap().value, "rk4");
    assert_eq!(wheel.history[0].points[1].time.value, -0.1);
    assert_eq!(wheel.substeps.unwrap().value, 2);
    assert_eq!(chassis.source.as_ref().unwrap().kind(), "process");
    assert!(chassis.isolate.unwrap().value);

    assert_eq!(
        spec.connections[0].reading.unwrap().value,
        Reading::Linear { weight: 0.788 }
    );
    assert_eq!(spec.connections[1].reading, None);
    assert_eq!(spec.method.kind.unwrap().value, MethodKind::GaussSeidel);
    assert_eq!(spec.method.start.unwrap().value, StartRule::Cold);
    assert_eq!(spec.limits.memory.unwrap().value, 4_000_000_000);
    assert!(spec.record.keeps("wheel.velocity") && !spec.record.keeps("chassis.force"));
}

#[test]
fn components_keep_the_order_of_the_text() {
    let (spec, _) = parse("[components.b]\nmodel='x'\n[components.a]\nmodel='x'\n[components.c]\nmodel='x'");
    let names: Vec<&str> = spec.components.iter().map(|c| c.name.value.as_str()).collect();
    assert_eq!(names, ["b", "a", "c"]);
}

#[test]
fn a_folder_names_its_system() {
    let mut reporter = cardan_describe::Reporter::new();
    let source = cardan_describe::Source::new("examples/quarter-car/system.toml", "");
    assert_eq!(cardan_describe::parse(source, &mut reporter).name, "quarter-car");
}

#[test]
fn many_mistakes_are_reported_at_once() {
    let text = r#"[system]
name = 5
stop = "ten"
stopp = 3

[components.wheel]
model = "mass"
step = -0.001
paramters = { mass = 1 }

[components.chassis]
fmu = "chassis.fmu"
model = "mass"

[[connections]]
from = "wheel.velocity"
reading = "cubic"

[methd]
kind = "jacobi"
"#;
    assert_snapshot!(complaints(text), @r#"
    error: `name`: expected a string, found a whole number
     --> system.toml:2:8
      |
    2 | name = 5
      |        ^ expected a string

    error: `stop`: expected a number, found a string
     --> system.toml:3:8
      |
    3 | stop = "ten"
      |        ^^^^^ expected a number

    error: unknown key `stopp` in [system]
     --> system.toml:4:1
      |
    4 | stopp = 3
      | ^^^^^ not known here
      = help: did you mean `stop`?

    error: `step` must be greater than 0, found -0.001
     --> system.toml:8:8
      |
    8 | step = -0.001
      |        ^^^^^^
      = help: `step` is its own communication step in seconds

    error: unknown key `paramters` in [components.wheel]
     --> system.toml:9:1
      |
    9 | paramters = { mass = 1 }
      | ^^^^^^^^^ not known here
      = help: did you mean `parameters`?

    error: component `chassis` is made from two things
      --> system.toml:13:1
       |
    12 | fmu = "chassis.fmu"
       | --- and `fmu` here
    13 | model = "mass"
       | ^^^^^ `model` here
       = help: keep one of them

    error: a connection lacks `to`
      --> system.toml:15:1
       |
    15 | [[connections]]
       | ^^^^^^^^^^^^^^^
       = help: add `to`: the input: `component.port`, `component.port[1]`

    error: `reading` cannot be `cubic`
      --> system.toml:17:11
       |
    17 | reading = "cubic"
       |           ^^^^^^^ unknown choice
       = help: choose one of hold, linear, quadratic, least-squares, mean, hermite, slerp

    error: unknown key `methd` in the description
      --> system.toml:19:2
       |
    19 | [methd]
       |  ^^^^^ not known here
       = help: did you mean `method`?
    "#);
}

#[test]
fn syntax_errors_do_not_hide_each_other() {
    let text = "[system]\nname = \nstop = 4.0\n[components.a\nmodel = \"x\"\n[method]\nkind = \"jacoby\"\n";
    assert_snapshot!(complaints(text), @r#"
    error: a value is missing
     --> system.toml:2:8
      |
    2 | name =
      |        ^
      = help: write one after the `=`

    error: not valid TOML: unclosed table, expected `]`
     --> system.toml:4:14
      |
    4 | [components.a
      |              ^

    error: `kind` cannot be `jacoby`
     --> system.toml:7:8
      |
    7 | kind = "jacoby"
      |        ^^^^^^^^ unknown choice
      = help: did you mean `jacobi`? Otherwise choose one of jacobi, gauss-seidel, adaptive, iterated, glue, tlm, auto
    "#);
}

#[test]
fn given_twice() {
    let text =
        "[system]\nstop = 4.0\nstop = 5.0\n[components.a]\nmodel = \"x\"\n[components.a]\nmodel = \"y\"\n";
    assert_snapshot!(complaints(text), @r#"
    error: `stop` is given twice
     --> system.toml:3:1
      |
    2 | stop = 4.0
      | ---- first given here
    3 | stop = 5.0
      | ^^^^ given again
      = help: keep one of the two

    error: `a` is given twice
     --> system.toml:6:13
      |
    4 | [components.a]
      | -------------- first given here
    ...
    6 | [components.a]
      |             ^ given again
      = help: keep one of the two
    "#);
}

#[test]
fn given_twice_beside_others_of_the_name() {
    let section = "step = 1\nsolver = { step = 2, step = 3 }\nstep = 4\n";
    assert_snapshot!(complaints_about(section), @r#"
    error: `step` is given twice
     --> system.toml:6:22
      |
    6 | solver = { step = 2, step = 3 }
      |            ---- first given here
      |                      ^^^^ given again
      = help: keep one of the two

    error: `step` is given twice
     --> system.toml:7:1
      |
    5 | step = 1
      | ---- first given here
    ...
    7 | step = 4
      | ^^^^ given again
      = help: keep one of the two
    "#);
}

#[test]
fn words_without_quotes() {
    assert_snapshot!(complaints("[system]\nstop = ten\n[components.a]\nmodel = mass\n"), @r#"
    error: not valid TOML: neither a number, nor true or false, nor in quotes
     --> system.toml:2:8
      |
    2 | stop = ten
      |        ^^^
      = help: if it is a string, write "ten"

    error: not valid TOML: neither a number, nor true or false, nor in quotes
     --> system.toml:4:9
      |
    4 | model = mass
      |         ^^^^
      = help: if it is a string, write "mass"
    "#);
}

#[test]
fn numbers_beyond_all_bounds() {
    let section =
        "parameters = { a = 99999999999999999999, b = 1e999 }\nsubsteps = 5000000000\nstep = 1e999\n";
    assert_snapshot!(complaints_about(section), @r#"
    error: the whole number is out of range: it must lie between -9223372036854775808 and 9223372036854775807
     --> system.toml:5:20
      |
    5 | parameters = { a = 99999999999999999999, b = 1e999 }
      |                    ^^^^^^^^^^^^^^^^^^^^
      = help: where a real is meant, write it with a decimal point, such as 1.0e20

    error: `substeps` must be a whole number from 1, found 5000000000
     --> system.toml:6:12
      |
    6 | substeps = 5000000000
      |            ^^^^^^^^^^

    error: `step` must be a finite number
     --> system.toml:7:8
      |
    7 | step = 1e999
      |        ^^^^^
    "#);
}

#[test]
fn nothing_much() {
    assert_snapshot!(complaints("# nothing yet\n"), @r#"
    error: the description lacks `components`
     --> system.toml:1:1
      |
    1 | # nothing yet
      | ^
      = help: add `components`: who takes part, by name

    error: it is not said when to stop
     --> system.toml:1:1
      |
    1 | # nothing yet
      | ^
      = help: add `stop = …` (seconds) to [system], or give --stop
    "#);
    assert_snapshot!(complaints("[system]\nstop = 1\n[components]\n"), @r#"
    error: there is no component
     --> system.toml:3:1
      |
    3 | [components]
      | ^^^^^^^^^^^^
      = help: add one: [components.NAME]
    "#);
}

#[test]
fn wrong_kinds() {
    let section = r#"parameters = 3
substeps = 0
isolate = "yes"
solver = { kind = 4, rtol = 0, atol = inf }
[method]
step = nan
order = ["wheel", 3]
[limits]
memory = "plenty"
[record]
every = 0
variables = "wheel.*"
"#;
    assert_snapshot!(complaints_about(section), @r#"
    error: `parameters`: expected a table, found a whole number
     --> system.toml:5:14
      |
    5 | parameters = 3
      |              ^ expected a table

    error: `substeps` must be a whole number from 1, found 0
     --> system.toml:6:12
      |
    6 | substeps = 0
      |            ^

    error: `isolate`: expected true or false, found a string
     --> system.toml:7:11
      |
    7 | isolate = "yes"
      |           ^^^^^ expected true or false

    error: `kind`: expected a string, found a whole number
     --> system.toml:8:19
      |
    8 | solver = { kind = 4, rtol = 0, atol = inf }
      |                   ^ expected a string

    error: `rtol` must be greater than 0, found 0
     --> system.toml:8:29
      |
    8 | solver = { kind = 4, rtol = 0, atol = inf }
      |                             ^
      = help: `rtol` is the relative tolerance

    error: `atol` must be a finite number
     --> system.toml:8:39
      |
    8 | solver = { kind = 4, rtol = 0, atol = inf }
      |                                       ^^^

    error: `step` must be a finite number
      --> system.toml:10:8
       |
    10 | step = nan
       |        ^^^

    error: `order`: expected a string, found a whole number
      --> system.toml:11:19
       |
    11 | order = ["wheel", 3]
       |                   ^ expected a string

    error: `memory` is not an amount of memory
      --> system.toml:13:10
       |
    13 | memory = "plenty"
       |          ^^^^^^^^
       = help: write it as in "512 MB" or "4 GiB"

    error: `every` must be greater than 0, found 0
      --> system.toml:15:9
       |
    15 | every = 0
       |         ^
       = help: `every` is the distance of rows in seconds; every accepted step if left out

    error: `variables`: expected a list of strings, found a string
      --> system.toml:16:13
       |
    16 | variables = "wheel.*"
       |             ^^^^^^^^^ expected a list of strings
    "#);
}

#[test]
fn component_sources() {
    let section = r#"[components.none]
step = 0.1
[components.many]
fmu = "a.fmu"
python = "a.py:A"
[components.empty]
process = { command = [] }
[components.what]
process = "run.sh"
[components]
number = 3
"#;
    assert_snapshot!(complaints_about(section), @r#"
    error: component `none` does not say what it is made from
     --> system.toml:5:13
      |
    5 | [components.none]
      |             ^^^^
      = help: add one of model, multibody, fmu, process, python, octave, scilab, connect, listen: model = "…"

    error: component `many` is made from two things
     --> system.toml:9:1
      |
    8 | fmu = "a.fmu"
      | --- and `fmu` here
    9 | python = "a.py:A"
      | ^^^^^^ `python` here
      = help: keep one of them

    error: the command is empty
      --> system.toml:11:23
       |
    11 | process = { command = [] }
       |                       ^^
       = help: name a program: ["python3", "brake.py"]

    error: `process`: expected a table, found a string
      --> system.toml:13:11
       |
    13 | process = "run.sh"
       |           ^^^^^^^^ expected a table

    error: `components`: expected a table, found a whole number
      --> system.toml:15:10
       |
    15 | number = 3
       |          ^ expected a table
    "#);
}

#[test]
fn component_names() {
    let section = "[components.\"a.b\"]\nmodel = \"x\"\n[components.\"\"]\nmodel = \"x\"\n\
                   [components.\"a b\"]\nmodel = \"x\"\n[components.\"a[1]\"]\nmodel = \"x\"\n";
    assert_snapshot!(complaints_about(section), @r#"
    error: the component name `a.b` contains a dot
     --> system.toml:5:13
      |
    5 | [components."a.b"]
      |             ^^^^^
      = help: use letters, digits, `-` and `_`

    error: the component name `` is empty
     --> system.toml:7:13
      |
    7 | [components.""]
      |             ^^
      = help: use letters, digits, `-` and `_`

    error: the component name `a b` contains a space
     --> system.toml:9:13
      |
    9 | [components."a b"]
      |             ^^^^^
      = help: use letters, digits, `-` and `_`

    error: the component name `a[1]` contains a bracket
      --> system.toml:11:13
       |
    11 | [components."a[1]"]
       |             ^^^^^^
       = help: use letters, digits, `-` and `_`
    "#);
}

#[test]
fn weights() {
    let section = r#"[[connections]]
from = "a.x"
to = "b.x"
weight = 0.5
[[connections]]
from = "a.x"
to = "b.y"
reading = "quadratic"
weight = 0.5
"#;
    assert_snapshot!(complaints_about(section), @r#"
    error: a weight is given without a linear reading
     --> system.toml:8:10
      |
    8 | weight = 0.5
      |          ^^^
      = help: add `reading = "linear"`, or leave the weight out

    error: a `quadratic` reading has no weight
      --> system.toml:13:10
       |
    13 | weight = 0.5
       |          ^^^
       = help: add `reading = "linear"`, or leave the weight out
    "#);
    let (spec, reporter) = parse(
        "[[connections]]\nfrom = 'a.x'\nto = 'b.x'\nweight = 0.5\n[method]\nreading = 'linear'\n[system]\n[components.a]\nmodel='x'",
    );
    assert!(!reporter.has_errors());
    assert_eq!(
        spec.connections[0].reading.unwrap().value,
        Reading::Linear { weight: 0.5 }
    );
}

#[test]
fn histories() {
    let section = r#"history = { x = [[-0.1, 1.0], [-0.2, 1.0], [0.0, 2.0]], y = [1, 2], z = 3, w = [["then", 1]] }
"#;
    assert_snapshot!(complaints_about(section), @r#"
    error: the times of a history must increase
     --> system.toml:5:32
      |
    5 | history = { x = [[-0.1, 1.0], [-0.2, 1.0], [0.0, 2.0]], y = [1, 2], z = 3, w = [["then", 1]] }
      |                   ---- comes before it
      |                                ^^^^
      = help: put the oldest point first, and each instant once

    error: a history ends before the start, which is at 0 s
     --> system.toml:5:45
      |
    5 | history = { x = [[-0.1, 1.0], [-0.2, 1.0], [0.0, 2.0]], y = [1, 2], z = 3, w = [["then", 1]] }
      |                                             ^^^
      = help: leave this point out: the component itself gives the value at the start

    error: expected pairs of time and value, found a whole number
     --> system.toml:5:62
      |
    5 | history = { x = [[-0.1, 1.0], [-0.2, 1.0], [0.0, 2.0]], y = [1, 2], z = 3, w = [["then", 1]] }
      |                                                              ^
      = help: write [[-0.2, 1.0], [-0.1, 1.5]]

    error: expected pairs of time and value, found a whole number
     --> system.toml:5:65
      |
    5 | history = { x = [[-0.1, 1.0], [-0.2, 1.0], [0.0, 2.0]], y = [1, 2], z = 3, w = [["then", 1]] }
      |                                                                 ^
      = help: write [[-0.2, 1.0], [-0.1, 1.5]]

    error: expected pairs of time and value, found a whole number
     --> system.toml:5:73
      |
    5 | history = { x = [[-0.1, 1.0], [-0.2, 1.0], [0.0, 2.0]], y = [1, 2], z = 3, w = [["then", 1]] }
      |                                                                         ^
      = help: write [[-0.2, 1.0], [-0.1, 1.5]]

    error: expected a time in seconds, found a string
     --> system.toml:5:82
      |
    5 | history = { x = [[-0.1, 1.0], [-0.2, 1.0], [0.0, 2.0]], y = [1, 2], z = 3, w = [["then", 1]] }
      |                                                                                  ^^^^^^
    "#);
}

#[test]
fn settings_that_do_not_fit() {
    assert_snapshot!(complaints("[system]\n[components.a]\nmodel = \"x\"\n"), @r#"
    error: it is not said when to stop
     --> system.toml:1:1
      |
    1 | [system]
      | ^
      = help: add `stop = …` (seconds) to [system], or give --stop
    "#);
    assert_snapshot!(complaints("[system]\nstart = 2.0\nstop = 1.0\n[components.a]\nmodel = \"x\"\n"), @r#"
    error: the stop (1 s) must come after the start (2 s)
     --> system.toml:3:8
      |
    2 | start = 2.0
      |         --- the start
    3 | stop = 1.0
      |        ^^^
      = help: give a stop greater than 2
    "#);
    let text = "[system]\nstop = 1.0\n[components.a]\nmodel = \"x\"\nstep = 2.0\n[method]\nstep = 3.0\n[record]\nevery = 9\n";
    assert_snapshot!(complaints(text), @r#"
    error: the step (2 s) is longer than the run (1 s)
     --> system.toml:5:8
      |
    5 | step = 2.0
      |        ^^^
      = help: give a step of at most 1

    error: the step (3 s) is longer than the run (1 s)
     --> system.toml:7:8
      |
    7 | step = 3.0
      |        ^^^
      = help: give a step of at most 1

    warning: rows every 9 s: only the start is kept
     --> system.toml:9:9
      |
    9 | every = 9
      |         ^
      = help: the run lasts 1 s
    "#);
}

#[test]
fn places_of_components() {
    let text = r#"[system]
stop = 1
[components.arm]
model = "rigid-body"
frame = { position = [1, 2.5, 0], angles = [0.1, 0, 0] }
scales = { length = 0.001, time = 0.001 }
[components.arm.markers]
tip = { frame = "frame", load = "load", position = [0.0, 0.0, 50.0] }
"#;
    let (spec, reporter) = parse(text);
    assert_eq!(reporter.render_all(false), "");
    let arm = &spec.components[0];
    let frame = arm.frame.as_ref().unwrap();
    assert_eq!(frame.position.unwrap().value, [1.0, 2.5, 0.0]);
    assert_eq!(frame.angles.unwrap().value, [0.1, 0.0, 0.0]);
    let scales = arm.scales.as_ref().unwrap();
    assert_eq!(scales.length.map(|l| l.value), Some(1e-3));
    assert!(scales.force.is_none() && scales.mass.is_none());
    let tip = &arm.markers[0];
    assert_eq!(tip.name.value, "tip");
    assert_eq!(tip.load.as_ref().unwrap().value, "load");
    assert_eq!(tip.position.unwrap().value, [0.0, 0.0, 50.0]);
    assert!(tip.angles.is_none());
}

#[test]
fn places_that_cannot_be() {
    let text = r#"[system]
stop = 1
[components.arm]
model = "rigid-body"
frame = { position = [1, 2], angles = [0.1, "a", inf], axis = 3 }
scales = { length = 0, force = -1.0, time = "ms" }
[components.arm.markers]
tip = { load = "load", position = 3 }
"a.b" = { frame = "frame" }
end = 7
"#;
    assert_snapshot!(complaints(text), @r#"
    error: `position`: expected 3 numbers, found 2
     --> system.toml:5:22
      |
    5 | frame = { position = [1, 2], angles = [0.1, "a", inf], axis = 3 }
      |                      ^^^^^^
      = help: `position` is where its origin lies; [0, 0, 0] if left out

    error: `angles`: expected a number, found a string
     --> system.toml:5:45
      |
    5 | frame = { position = [1, 2], angles = [0.1, "a", inf], axis = 3 }
      |                                             ^^^ expected a number

    error: `angles` must be a finite number
     --> system.toml:5:50
      |
    5 | frame = { position = [1, 2], angles = [0.1, "a", inf], axis = 3 }
      |                                                  ^^^

    error: unknown key `axis` in `frame`
     --> system.toml:5:56
      |
    5 | frame = { position = [1, 2], angles = [0.1, "a", inf], axis = 3 }
      |                                                        ^^^^ not known here
      = help: keys here: position, angles

    error: `length` must be greater than 0, found 0
     --> system.toml:6:21
      |
    6 | scales = { length = 0, force = -1.0, time = "ms" }
      |                     ^
      = help: `length` is its unit of length: 0.001 for mm; 1 if left out

    error: `force` must be greater than 0, found -1
     --> system.toml:6:32
      |
    6 | scales = { length = 0, force = -1.0, time = "ms" }
      |                                ^^^^
      = help: `force` is its unit of force: 1000 for kN; mass · length / time² if left out

    error: `time`: expected a number, found a string
     --> system.toml:6:45
      |
    6 | scales = { length = 0, force = -1.0, time = "ms" }
      |                                             ^^^^ expected a number

    error: the marker `tip` lacks `frame`
     --> system.toml:8:7
      |
    8 | tip = { load = "load", position = 3 }
      |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = help: add `frame`: the frame port whose body it is fixed to

    error: `position`: expected a list of three numbers, found a whole number
     --> system.toml:8:35
      |
    8 | tip = { load = "load", position = 3 }
      |                                   ^ expected a list of three numbers

    error: the marker name `a.b` contains a dot
     --> system.toml:9:1
      |
    9 | "a.b" = { frame = "frame" }
      | ^^^^^
      = help: use letters, digits, `-` and `_`

    error: `markers`: expected a table, found a whole number
      --> system.toml:10:7
       |
    10 | end = 7
       |       ^ expected a table
    "#);
}
