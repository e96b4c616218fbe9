//! Mechanisms: what is read of them, and every mistake with its place.

use super::{complaints, parse};
use cardan_describe::spec::{
    ComponentSource, ForceKind, JointKind, MechanismPort, MechanismSpec, ShapeSpec, StopSide,
};
use cardan_describe::{Reporter, Source, Span, Spanned, load_mechanism};
use insta::assert_snapshot;
use std::path::Path;

const HEAD: &str = "[system]\nstop = 1.0\n[components.m]\n";

/// A mechanism in a plane, with these lines after its first ones.
fn plane(rest: &str) -> String {
    format!(
        "{HEAD}[components.m.multibody]\nspace = \"plane\"\n[components.m.multibody.bodies]\n\
         crank = {{ mass = 1.0, inertia = 0.1, points = {{ tip = [1.0, 0.0] }} }}\n{rest}"
    )
}

/// The same in space.
fn space(rest: &str) -> String {
    format!(
        "{HEAD}[components.m.multibody.bodies]\n\
         crank = {{ mass = 1.0, inertia = [0.1, 0.1, 0.1], points = {{ tip = [1.0, 0.0, 0.0] }} }}\n{rest}"
    )
}

fn mechanism(text: &str) -> MechanismSpec {
    let (spec, reporter) = parse(text);
    assert_eq!(reporter.render_all(false), "");
    match spec.components.into_iter().next().unwrap().source {
        Some(ComponentSource::Multibody(mechanism)) => {
            assert!(mechanism.complete);
            *mechanism
        }
        other => panic!("{other:?}"),
    }
}

/// Message, line and advice of the only mistake.
fn mistake(text: &str) -> (String, usize, String) {
    let (spec, reporter) = parse(text);
    if let Some(ComponentSource::Multibody(mechanism)) = &spec.components[0].source {
        assert!(!mechanism.complete);
    }
    let found = reporter.sorted();
    assert_eq!(found.len(), 1, "{}", reporter.render_all(false));
    (
        found[0].message.clone(),
        found[0].line.unwrap(),
        found[0].advice.clone().unwrap_or_default(),
    )
}

#[track_caller]
fn says(text: &str, message: &str, line: usize, advice: &str) {
    let (found, at, help) = mistake(text);
    assert_eq!(found, message);
    assert_eq!(at, line, "{found}");
    assert!(help.contains(advice), "{help}");
}

#[test]
fn everything_is_read() {
    let text = r#"
[system]
stop = 1.0
[components.linkage]
solver = { kind = "generalized-alpha", step = 1e-3, tolerance = 1e-8, penalty = 1e9, spectral_radius = 0.0 }

[components.linkage.multibody]
space = "plane"
gravity = [0.0, 0.0]

[components.linkage.multibody.ground]
points = { A0 = [0.0, 0.0], floor = [0.0, -1.0] }

[components.linkage.multibody.bodies.crank]
mass = 2
center = [0.5, 0.0]
inertia = 0.25
points = { foot = [0, 0], tip = [1.0, 0.0] }
position = [0.0, 0.0]
angle = 3.141592653589793
velocity = [1.0, 2.0]
speed = 3.0

[components.linkage.multibody.bodies]
slider = { mass = 1.0, shape = { kind = "box", size = [1.0, 2.0] } }
ball = { mass = 0.5 }
wheel = { mass = 1.0, shape = { kind = "cylinder", radius = 0.5, length = 0.1 } }

[components.linkage.multibody.joints]
foot = { kind = "revolute", between = ["ground.A0", "crank.foot"], start = 0.3, speed = 30.0 }
rail = { kind = "prismatic", between = ["ground", "slider"], axis = [0.6, 0.8] }
rod = { kind = "distance", between = ["crank.tip", "slider.center"], length = 1.5 }
line = { kind = "point-on-line", between = ["slider", "ball"], axis = [0, 1] }
tie = { kind = "fixed", between = ["slider", "wheel"] }
push = { kind = "distance", between = ["ground", "ball"], drive = { offset = 1.0, amplitude = 0.1, frequency = 2.0 } }

[components.linkage.multibody.forces]
rope = { kind = "spring", between = ["crank.tip", "ground.floor"], stiffness = 100.0 }
coil = { kind = "joint-spring", joint = "foot", stiffness = 1.0, damping = 0.1, rest = 0.2 }
end = { kind = "stop", joint = "rail", below = -0.5, stiffness = 1e4 }
bounce = { kind = "contact", point = "ball", radius = 0.1, plane = "ground.floor", normal = [0, 1], stiffness = 1e5 }
wind = { kind = "constant", at = "crank.tip", force = [1.0, 0.0] }

[components.linkage.multibody.ports]
tip = { kind = "frame", at = "crank.tip" }
place = { kind = "point", at = "ball" }
pull = { kind = "force", at = "slider.center" }
angle = { kind = "motion", joint = "foot" }
torque = { kind = "effort", joint = "foot" }
"#;
    let found = mechanism(text);
    assert!(found.plane);
    assert_eq!(found.gravity, [0.0; 3]);
    assert_eq!(found.ground[1].at, [0.0, -1.0, 0.0]);
    let names: Vec<&str> = found.bodies.iter().map(|body| body.name.value.as_str()).collect();
    assert_eq!(names, ["crank", "slider", "ball", "wheel"]);
    let crank = &found.bodies[0];
    assert_eq!((crank.mass, crank.inertia.unwrap()[0]), (2.0, 0.25));
    let turned = crank.orientation.unwrap();
    assert!(
        (turned[3] - 1.0).abs() < 1e-15 && turned[0].abs() < 1e-15,
        "{turned:?}"
    );
    assert_eq!(crank.angular_velocity, Some([0.0, 0.0, 3.0]));
    assert_eq!(
        found.bodies[1].shape,
        Some(ShapeSpec::Box {
            size: [1.0, 2.0, 0.0]
        })
    );
    assert_eq!(found.joints.len(), 6);
    assert_eq!(
        found.joints[1].kind,
        JointKind::Prismatic {
            axis: [0.6, 0.8, 0.0]
        }
    );
    assert_eq!(found.joints[1].between[0].point, "origin");
    assert_eq!(found.joints[5].drive.unwrap().frequency, 2.0);
    assert!(matches!(
        found.forces[2].kind,
        ForceKind::Stop {
            side: StopSide::Below,
            ..
        }
    ));
    assert!(matches!(&found.ports[4].kind, MechanismPort::Effort { joint } if joint == "foot"));

    let found = mechanism(&space(""));
    assert_eq!(found.gravity, [0.0, 0.0, -9.81]);
    assert_eq!(mechanism(&plane("")).gravity, [0.0, -9.81, 0.0]);
    assert_eq!(found.bodies[0].inertia, Some([0.1, 0.1, 0.1, 0.0, 0.0, 0.0]));
}

#[test]
fn angles_in_space_are_about_z_then_y_then_x() {
    let text = space("body = { mass = 1.0, angles = [0.1, 0.2, 0.3], angular_velocity = [1, 2, 3] }\n");
    let body = mechanism(&text).bodies.remove(1);
    let angles = cardan_core::spatial::by_angles([0.1, 0.2, 0.3]);
    assert_eq!(body.orientation, Some(angles));
    assert_eq!(body.angular_velocity, Some([1.0, 2.0, 3.0]));
}

#[test]
fn mistakes_are_all_reported_at_once() {
    let text = r#"[system]
stop = 1.0

[components.linkage.multibody]
space = "plane"
gravity = [0.0, 0.0, -9.81]
bodys = 3

[components.linkage.multibody.ground.points]
A0 = [0.0, 0.0, 0.0]
origin = [1.0, 0.0]

[components.linkage.multibody.bodies]
crank = { mas = 1.0, points = { foot = [0.0, 0.0], tip = [1.0] } }
rod = { mass = -1.0, inertia = [1.0, 1.0, 1.0], angles = [0, 0, 0], shape = { kind = "bal", radius = 1.0 } }
disk = { mass = 1.0, shape = { kind = "cylinder", radius = 1.0, size = [1, 1] } }
ground = { mass = 1.0 }

[components.linkage.multibody.joints]
a = { kind = "revolut", between = ["ground.A0", "crank.foot"] }
b = { kind = "revolute", between = ["ground.A1", "crnk.foot"], axis = [0, 0, 1] }
c = { kind = "prismatic", between = ["ground.A0", "crank.fot"] }
d = { kind = "distance", between = ["ground.A0"], length = 0.0, start = 0.1 }
e = { kind = "prismatic", between = ["rod", "disk"], axis = [0.0, 0.0] }
f = { kind = "spherical", between = ["rod.center", "rod"] }

[components.linkage.multibody.forces]
g = { kind = "spring", stiffness = 1.0, between = ["rod", 5] }
h = { kind = "stop", joint = "z", stiffness = 1.0 }
i = { kind = "stop", joint = "e", stiffness = 1.0, above = 1, below = 2 }
j = { kind = "contact", point = "rod", plane = "ground.A0", normal = [0, 1, 0] }

[components.linkage.multibody.ports]
tip = { kind = "frame" }
"tip.x" = { kind = "point", at = "rod" }
energy = { kind = "force", at = "rod" }
x = { kind = "motion", joint = "e" }
x_speed = { kind = "force", at = "rod", joint = "e" }
"#;
    assert_snapshot!(complaints(text));
}

#[test]
fn vectors_have_as_many_numbers_as_there_are_directions() {
    says(
        &plane("rod = { mass = 1.0, position = [1.0, 2.0, 3.0] }\n"),
        "`position`: expected 2 numbers, found 3",
        8,
        "in a plane, where vectors have two numbers",
    );
    says(
        &space("rod = { mass = 1.0, center = [1.0, 2.0] }\n"),
        "`center`: expected 3 numbers, found 2",
        6,
        "in space, where vectors have three numbers",
    );
    says(
        &space("rod = { mass = 1.0, inertia = 1.0 }\n"),
        "`inertia`: expected 3 or 6 numbers, found 1",
        6,
        "[xx, yy, zz]",
    );
    says(
        &space("rod = { mass = 1.0, angle = 1.0 }\n"),
        "a body in space has no `angle`",
        6,
        "write `angles`",
    );
    // Where the space itself is wrong, nobody can count.
    let text =
        plane("rod = { mass = 1.0, center = [0, 0, 0], angle = 1.0 }\n").replace("\"plane\"", "\"flat\"");
    says(&text, "`space` cannot be `flat`", 5, "choose one of plane, space");
}

#[test]
fn axes_are_directions() {
    let joint = |kind: &str| {
        space(&format!(
            "[components.m.multibody.joints]\nj = {{ between = [\"ground\", \"crank\"], {kind} }}\n"
        ))
    };
    says(
        &joint("kind = \"revolute\""),
        "the joint `j` lacks `axis`",
        7,
        "add `axis`: about which",
    );
    says(
        &joint("kind = \"revolute\", axis = [0, 0, 0]"),
        "`axis` has no direction: all its numbers are 0",
        7,
        "such as 1 in one place",
    );
    says(
        &joint("kind = \"universal\", axes = [[1, 0, 0]]"),
        "`axes`: expected 2 lists, found 1",
        7,
        "universal",
    );
    let (spec, reporter) = parse(&joint("kind = \"universal\", axes = [[0, 3, 4], [1e300, 0, 0]]"));
    let found = reporter.sorted();
    assert_eq!(found.len(), 2, "{}", reporter.render_all(false));
    assert!(!reporter.has_errors());
    assert_eq!(found[0].message, "`axes` is not of length one, and is made so");
    let Some(ComponentSource::Multibody(mechanism)) = &spec.components[0].source else {
        panic!("a mechanism")
    };
    assert_eq!(
        mechanism.joints[0].kind,
        JointKind::Universal {
            axes: [[0.0, 0.6, 0.8], [1.0, 0.0, 0.0]]
        }
    );
    // Four digits are good enough to be left alone.
    let (_, reporter) = parse(&joint("kind = \"prismatic\", axis = [0.7071, 0.7071, 0]"));
    assert_eq!(reporter.render_all(false), "");
}

#[test]
fn names_are_looked_up() {
    let joint = |from: &str| {
        plane(&format!(
            "[components.m.multibody.joints]\nj = {{ kind = \"revolute\", between = [\"{from}\", \"crank.tip\"] }}\n"
        ))
    };
    says(
        &joint("grund"),
        "there is no body `grund`",
        9,
        "did you mean `ground`?",
    );
    says(
        &joint("ground.A"),
        "the ground has no point `A`",
        9,
        "points of it: origin",
    );
    says(
        &joint("ground.a.b"),
        "the ground has no point `a.b`",
        9,
        "points of it: origin",
    );
    says(
        &joint("crank"),
        "both points belong to `crank`",
        9,
        "points of two bodies",
    );
    let port = plane("[components.m.multibody.ports]\np = { kind = \"point\", at = \"crank.tpi\" }\n");
    says(
        &port,
        "the body `crank` has no point `tpi`",
        9,
        "did you mean `tip`?",
    );
    let port = plane("[components.m.multibody.ports]\np = { kind = \"effort\", joint = \"j\" }\n");
    says(&port, "there is no joint `j`", 9, "there are no joints");
}

/// What hangs on a mistake that was told is not told again.
#[test]
fn a_mistake_is_told_once() {
    let text = plane(
        "rod = 5\nbar = { mass = 1, points = 3 }\n[components.m.multibody.joints]\n\
         j = { kind = \"revolute\", between = [\"rod.end\", \"bar.end\"] }\n",
    );
    let (_, reporter) = parse(&text);
    let lines: Vec<_> = reporter.sorted().iter().map(|d| d.line).collect();
    assert_eq!(lines, [Some(8), Some(9)], "{}", reporter.render_all(false));
}

#[test]
fn ports_do_not_clash() {
    let ports = |list: &str| plane(&format!("[components.m.multibody.ports]\n{list}"));
    says(
        &ports(
            "tip = { kind = \"frame\", at = \"crank\" }\ntip_load = { kind = \"force\", at = \"crank\" }\n",
        ),
        "there would be two ports `tip_load`",
        10,
        "choose another name",
    );
    let joints = plane(
        "[components.m.multibody.joints]\nresidual = { kind = \"revolute\", between = [\"ground\", \"crank\"] }\n",
    );
    says(
        &joints,
        "every mechanism has a port `residual` already",
        9,
        "choose another name",
    );
}

#[test]
fn a_scene_is_asked_for() {
    let key = |value: &str| plane("").replace("space =", &format!("scene = {value}\nspace ="));
    assert!(!mechanism(&plane("")).scene);
    assert!(mechanism(&key("true")).scene);
    assert!(!mechanism(&key("false")).scene);
    says(
        &key("\"yes\""),
        "`scene`: expected true or false, found a string",
        5,
        "",
    );
}

#[test]
fn no_port_is_called_like_the_scene() {
    let joint = "[components.m.multibody.joints]\nscene = { kind = \"revolute\", between = [\"ground\", \"crank\"] }\n";
    let port = "[components.m.multibody.ports]\nscene = { kind = \"frame\", at = \"crank\" }\n";
    for clash in [joint, port] {
        assert!(!mechanism(&plane(clash)).scene);
        says(
            &plane(clash).replace("space =", "scene = true\nspace ="),
            "no port can be called `scene` where there is a scene",
            10,
            "choose another name",
        );
    }
}

#[test]
fn what_a_drive_makes_idle_is_told() {
    let text = plane(
        "[components.m.multibody.joints]\nj = { kind = \"revolute\", between = [\"ground\", \"crank\"], start = 1.0, drive = {} }\n",
    );
    let (_, reporter) = parse(&text);
    assert!(!reporter.has_errors());
    assert_eq!(
        reporter.sorted()[0].message,
        "`start` has no effect: the joint is where its drive says"
    );
}

#[test]
fn no_mechanism_includes_another() {
    says(
        &plane("").replace("space =", "multibody = \"other.toml\"\nspace ="),
        "a mechanism cannot be made from another one",
        5,
        "a component of its own",
    );
}

fn load(file: &str, folder: &Path) -> (Option<MechanismSpec>, String) {
    let mut reporter = Reporter::new();
    let source = Source::new("system.toml", format!("multibody = \"{file}\""));
    let id = reporter.add(source);
    let name = Spanned::new(file.to_owned(), Span::new(id, 12..14 + file.len()));
    let found = load_mechanism(&name, folder, &mut reporter);
    let text = reporter
        .render_all(false)
        .replace(&folder.display().to_string(), "FOLDER");
    (found, text)
}

#[test]
fn files_of_their_own() {
    let folder = std::env::temp_dir().join(format!("cardan-mechanisms-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("folder.toml")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("good.toml", "space = \"plane\"\n[bodies.a]\nmass = 1.0\n");
    write("bad.toml", "space = \"plane\"\n[bodies.a]\nmas = 1.0\n");
    write("none.toml", "space = \"plane\"\n");
    write("syntax.toml", "space = \"plane\"\n[bodies.a\nmass = 1.0\n");
    write(
        "other.toml",
        "multibody = \"good.toml\"\n[bodies.a]\nmass = 1.0\n",
    );
    write("empty.toml", "");
    std::fs::write(folder.join("long.toml"), vec![b'#'; (16 << 20) + 1]).unwrap();
    std::fs::write(folder.join("bytes.toml"), [0xff, 0xfe, 0x00]).unwrap();

    let (good, said) = load("good.toml", &folder);
    assert!(good.unwrap().complete && said.is_empty(), "{said}");
    let says = |file: &str, words: &[&str]| {
        let (found, said) = load(file, &folder);
        assert!(found.is_none_or(|found| !found.complete), "{file}");
        for words in words {
            assert!(said.contains(words), "{file}: {said}");
        }
    };
    says(
        "missing.toml",
        &[
            "there is no file `missing.toml`",
            "system.toml:1:13",
            "relative to FOLDER",
        ],
    );
    says(
        "bad.toml",
        &[
            "FOLDER/bad.toml:3:1",
            "unknown key `mas`",
            "did you mean `mass`?",
            "lacks `mass`",
        ],
    );
    says(
        "none.toml",
        &["FOLDER/none.toml:1:1", "the mechanism lacks `bodies`"],
    );
    says("syntax.toml", &["FOLDER/syntax.toml:2", "not valid TOML"]);
    says(
        "other.toml",
        &["FOLDER/other.toml:1:1", "cannot be made from another one"],
    );
    says("empty.toml", &["FOLDER/empty.toml", "the file is empty"]);
    says("long.toml", &["FOLDER/long.toml", "longer than 16 MB"]);
    says("bytes.toml", &["FOLDER/bytes.toml", "not text in UTF-8"]);
    says("folder.toml", &["FOLDER/folder.toml", "a folder"]);
    std::fs::remove_dir_all(&folder).unwrap();
}
