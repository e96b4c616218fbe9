//! The keys of a mechanism, in a table of its component or in a file of its own, and which of them go with which kind.

use super::{Key, Kind, key, required};

/// What a `kind` stands for: the keys it needs, and those it may have beside them.
#[derive(Debug)]
pub(crate) struct Sort {
    pub(crate) name: &'static str,
    pub(crate) needs: &'static [&'static str],
    pub(crate) may: &'static [&'static str],
}

const fn sort(name: &'static str, needs: &'static [&'static str], may: &'static [&'static str]) -> Sort {
    Sort { name, needs, may }
}

const fn names<const N: usize>(sorts: &[Sort; N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut i = 0;
    while i < N {
        names[i] = sorts[i].name;
        i += 1;
    }
    names
}

/// A plane and space, in this order.
pub(crate) const SPACES: &[&str] = &["plane", "space"];

/// Whether a revolute joint needs an axis depends on the space.
pub(crate) const JOINTS: &[Sort] = &JOINT_SORTS;
const JOINT_SORTS: [Sort; 7] = [
    sort("revolute", &[], &["axis", "start", "speed", "drive"]),
    sort("prismatic", &["axis"], &["start", "speed", "drive"]),
    sort("spherical", &[], &[]),
    sort("universal", &["axes"], &[]),
    sort("fixed", &[], &[]),
    sort("distance", &[], &["length", "drive"]),
    sort("point-on-line", &["axis"], &[]),
];
const JOINT_KINDS: &[&str] = &names(&JOINT_SORTS);

pub(crate) const FORCES: &[Sort] = &FORCE_SORTS;
const FORCE_SORTS: [Sort; 5] = [
    sort("spring", &["between", "stiffness"], &["damping", "length"]),
    sort("joint-spring", &["joint", "stiffness"], &["damping", "rest"]),
    sort("stop", &["joint", "stiffness"], &["above", "below", "damping"]),
    sort(
        "contact",
        &["point", "plane", "normal", "stiffness"],
        &["radius", "damping"],
    ),
    sort("constant", &["at", "force"], &[]),
];
const FORCE_KINDS: &[&str] = &names(&FORCE_SORTS);

pub(crate) const PORTS: &[Sort] = &PORT_SORTS;
const PORT_SORTS: [Sort; 6] = [
    sort("frame", &["at"], &[]),
    sort("point", &["at"], &[]),
    sort("force", &["at"], &[]),
    sort("motion", &["joint"], &[]),
    sort("effort", &["joint"], &[]),
    sort("reaction", &["joint"], &[]),
];
const PORT_KINDS: &[&str] = &names(&PORT_SORTS);

pub(crate) const STABILIZATIONS: &[Sort] = &STABILIZATION_SORTS;
const STABILIZATION_SORTS: [Sort; 2] = [
    sort("baumgarte", &[], &["frequency"]),
    sort("penalty", &["factor"], &["frequency"]),
];
const STABILIZATION_KINDS: &[&str] = &names(&STABILIZATION_SORTS);

pub(crate) const SHAPES: &[Sort] = &SHAPE_SORTS;
const SHAPE_SORTS: [Sort; 4] = [
    sort("rod", &["length"], &[]),
    sort("box", &["size"], &[]),
    sort("cylinder", &["radius", "length"], &[]),
    sort("sphere", &["radius"], &[]),
];
const SHAPE_KINDS: &[&str] = &names(&SHAPE_SORTS);

/// A vector has as many numbers as there are directions.
const VECTOR: Kind = Kind::Numbers(2, 3);

const POINTS: Kind = Kind::NamedNumbers(2, 3);

const POINT: &str = "`body.point`; a body alone stands for its origin";

pub(crate) static MECHANISM: &[Key] = &[
    key(
        "space",
        Kind::Choice(SPACES),
        "a plane, where bodies turn about z and vectors have two numbers, or space, where they have three; space if left out",
    ),
    key(
        "gravity",
        VECTOR,
        "the acceleration of gravity in m/s²; 9.81 downwards if left out: along y in a plane, along z in space",
    ),
    key("ground", Kind::Table(GROUND), "what does not move"),
    required("bodies", Kind::Named(BODY), "the bodies, by name"),
    key(
        "joints",
        Kind::Named(JOINT),
        "what joins them to each other and to the ground, by name",
    ),
    key(
        "forces",
        Kind::Named(FORCE),
        "what pulls at them beside gravity, by name",
    ),
    key(
        "ports",
        Kind::Named(MECHANISM_PORT),
        "what others see and do, by name; the motion of every joint if left out",
    ),
    key(
        "stabilization",
        Kind::Table(STABILIZATION),
        "how constraints are kept by solvers that know nothing of them; Baumgarte's if left out",
    ),
    key(
        "scene",
        Kind::Flag,
        "for whoever draws it: the motion of every body is an output `scene.BODY`, and a file beside the results tells their \
         shapes; false if left out",
    ),
];

pub(crate) static STABILIZATION: &[Key] = &[
    required(
        "kind",
        Kind::Choice(STABILIZATION_KINDS),
        "baumgarte: violations die out; penalty: springs and dampers hold instead of constraints",
    ),
    key(
        "frequency",
        Kind::Positive,
        "of violations as they die out, in rad/s; 50 if left out",
    ),
    key(
        "factor",
        Kind::Positive,
        "penalty: how heavy a violation weighs against masses",
    ),
];

pub(crate) static GROUND: &[Key] = &[key("points", POINTS, "points of the ground, by name")];

pub(crate) static BODY: &[Key] = &[
    required("mass", Kind::NotNegative, "its mass in kg"),
    key(
        "center",
        VECTOR,
        "its centre of mass in its axes; the origin if left out",
    ),
    key(
        "inertia",
        Kind::NumberOrNumbers(3, 6),
        "about its centre of mass, in kg·m²: in a plane one number, in space xx yy zz, or xx yy zz xy xz yz; that of its shape if \
         left out",
    ),
    key("points", POINTS, "points of it in its axes, by name"),
    key("position", VECTOR, "where its origin is at the start, about"),
    key(
        "angle",
        Kind::Number,
        "in a plane: how it is turned at the start, about",
    ),
    key(
        "angles",
        Kind::Vector,
        "in space: how it is turned at the start, about: radians about z, then y, then x",
    ),
    key("velocity", VECTOR, "of its origin at the start, about"),
    key(
        "speed",
        Kind::Number,
        "in a plane: its angular velocity at the start, about",
    ),
    key(
        "angular_velocity",
        Kind::Vector,
        "in space: its angular velocity at the start, about, in the axes of the ground",
    ),
    key(
        "shape",
        Kind::Table(SHAPE),
        "what it looks like, about its centre of mass",
    ),
];

pub(crate) static SHAPE: &[Key] = &[
    required(
        "kind",
        Kind::Choice(SHAPE_KINDS),
        "a thin rod along x, a box, a cylinder about z, or a sphere",
    ),
    key(
        "length",
        Kind::Positive,
        "of a rod along x, of a cylinder along z",
    ),
    key("size", Kind::Numbers(2, 3), "of a box along x, y and z"),
    key("radius", Kind::Positive, "of a cylinder or a sphere"),
];

pub(crate) static JOINT: &[Key] = &[
    required("kind", Kind::Choice(JOINT_KINDS), "what it lets move"),
    required(
        "between",
        Kind::Texts,
        "the two points that it joins, each `body.point`",
    ),
    key(
        "axis",
        VECTOR,
        "about which or along which it moves, in the axes of the first body",
    ),
    key(
        "axes",
        Kind::Vectors(2),
        "universal: an axis of the first body and one of the second, each in its own axes; they stay at right angles",
    ),
    key(
        "length",
        Kind::Positive,
        "distance: how far apart; what it is at the start if left out",
    ),
    key("start", Kind::Number, "its angle or travel at the start, exactly"),
    key(
        "speed",
        Kind::Number,
        "how fast that changes at the start, exactly",
    ),
    key(
        "drive",
        Kind::Table(DRIVE),
        "its angle, travel or length as a function of time: offset + rate t + amplitude sin(2π frequency t + phase)",
    ),
];

pub(crate) static DRIVE: &[Key] = &[
    key(
        "offset",
        Kind::Number,
        "at the start, without the sine; 0 if left out",
    ),
    key("rate", Kind::Number, "per second; 0 if left out"),
    key("amplitude", Kind::Number, "of the sine; 0 if left out"),
    key("frequency", Kind::Number, "in Hz; 0 if left out"),
    key("phase", Kind::Number, "in radians; 0 if left out"),
];

pub(crate) static FORCE: &[Key] = &[
    required("kind", Kind::Choice(FORCE_KINDS), "what it is"),
    key("between", Kind::Texts, "spring: its two ends, each `body.point`"),
    key(
        "joint",
        Kind::Text,
        "joint-spring, stop: the joint in whose motion it acts",
    ),
    key(
        "stiffness",
        Kind::NotNegative,
        "in N/m, or N·m/rad about an angle",
    ),
    key(
        "damping",
        Kind::NotNegative,
        "in N·s/m, or N·m·s/rad about an angle; 0 if left out",
    ),
    key(
        "length",
        Kind::NotNegative,
        "spring: where it does not pull; what it is at the start if left out",
    ),
    key(
        "rest",
        Kind::Number,
        "joint-spring: where it does not pull; 0 if left out",
    ),
    key(
        "above",
        Kind::Number,
        "stop: it pushes back where the motion is above this",
    ),
    key(
        "below",
        Kind::Number,
        "stop: it pushes back where the motion is below this",
    ),
    key("point", Kind::Text, "contact: the centre of a ball, `body.point`"),
    key("radius", Kind::NotNegative, "contact: of the ball; 0 if left out"),
    key("plane", Kind::Text, "contact: a point of the plane, `body.point`"),
    key(
        "normal",
        VECTOR,
        "contact: away from the plane, in the axes of its body",
    ),
    key("at", Kind::Text, POINT),
    key("force", VECTOR, "constant: in the axes of the ground, in N"),
];

pub(crate) static MECHANISM_PORT: &[Key] = &[
    required(
        "kind",
        Kind::Choice(PORT_KINDS),
        "frame (with a load), point (with its velocity), force, motion (with its speed), effort, reaction",
    ),
    key("at", Kind::Text, POINT),
    key("joint", Kind::Text, "motion, effort, reaction: the joint"),
];
