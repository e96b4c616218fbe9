//! The keys of `system.toml`: one table from which the reader checks and the JSON schema is made, so that the two
//! cannot say different things.

mod mechanism;

pub(crate) use mechanism::{
    BODY, DRIVE, FORCE, FORCES, GROUND, JOINT, JOINTS, MECHANISM, MECHANISM_PORT, PORTS, SHAPE, SHAPES,
    SPACES, STABILIZATION, STABILIZATIONS, Sort,
};

use cardan_core::line::Medium;
use cardan_core::signal::Reading;

/// A key and what may stand behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) required: bool,
    pub(crate) about: &'static str,
}

/// What may stand behind a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// A finite number.
    Number,
    /// A finite number above zero.
    Positive,
    /// A finite number, zero or above.
    NotNegative,
    /// A number greater than zero, or `inf`.
    Limit,
    /// A whole number from one.
    Count,
    /// A whole number from zero.
    CountOrNone,
    /// True or false.
    Flag,
    /// A string.
    Text,
    /// One of a few strings.
    Choice(&'static [&'static str]),
    /// A list of three finite numbers.
    Vector,
    /// A list of finite numbers, of at least and at most so many.
    Numbers(usize, usize),
    /// A finite number, or a list of them, of at least and at most so many.
    NumberOrNumbers(usize, usize),
    /// A list of so many lists of three finite numbers.
    Vectors(usize),
    /// A table of names, each with a list of finite numbers, of at least and at most so many.
    NamedNumbers(usize, usize),
    /// A list of strings.
    Texts,
    /// A string, or a list of them.
    TextOrTexts,
    /// True or false, or a list of strings.
    FlagOrTexts,
    /// True or false, or a string.
    FlagOrText,
    /// A string, or a table with these keys.
    TextOrTable(&'static [Key]),
    /// Bytes, as a whole number or as in `"4 GB"`.
    Size,
    /// A table with these keys.
    Table(&'static [Key]),
    /// A list of tables with these keys.
    Tables(&'static [Key]),
    /// A table of names, each with a table of these keys.
    Named(&'static [Key]),
    /// A table of names, each with any value.
    Values,
    /// A table of names, each with a list of pairs of a time and a value.
    Histories,
}

pub(crate) const fn key(name: &'static str, kind: Kind, about: &'static str) -> Key {
    Key {
        name,
        kind,
        required: false,
        about,
    }
}

const fn required(name: &'static str, kind: Kind, about: &'static str) -> Key {
    Key {
        name,
        kind,
        required: true,
        about,
    }
}

/// In the order of [`MethodKind`](crate::spec::MethodKind).
pub(crate) const METHODS: &[&str] = &[
    "jacobi",
    "gauss-seidel",
    "adaptive",
    "iterated",
    "glue",
    "tlm",
    "auto",
];

/// In the order of [`Scheme`](crate::spec::Scheme).
pub(crate) const SCHEMES: &[&str] = &["jacobi", "gauss-seidel"];

/// In the order of [`EstimatorKind`](crate::spec::EstimatorKind).
pub(crate) const ESTIMATORS: &[&str] = &["richardson", "embedded", "corrected", "energy"];

/// In the order of [`AcceleratorKind`](crate::spec::AcceleratorKind).
pub(crate) const ACCELERATORS: &[&str] = &["iqn-ils", "fixed-point", "aitken", "broyden", "newton"];

/// In the order of [`TangentKind`](crate::spec::TangentKind).
pub(crate) const TANGENTS: &[&str] = &["none", "linear", "curved"];

/// In the order of [`StartRule`](crate::spec::StartRule).
pub(crate) const STARTS: &[&str] = &["consistent", "flat", "cold"];

/// In the order of [`FmiKind`](crate::spec::FmiKind).
pub(crate) const INTERFACES: &[&str] = &["co-simulation", "model-exchange"];

/// In the order of [`TransportKind`](crate::spec::TransportKind).
pub(crate) const TRANSPORTS: &[&str] = &["pipe", "unix", "tcp", "shared-memory"];

const READINGS: &[&str] = &Reading::NAMES;

/// The keys of a component that say what it is made from; exactly one is given.
pub(crate) const SOURCES: [&str; 9] = [
    "model",
    "multibody",
    "fmu",
    "process",
    "python",
    "octave",
    "scilab",
    "connect",
    "listen",
];

/// The names a component may have, for editors; the reader says what is wrong with one.
pub(crate) const NAME_PATTERN: &str = r"^[^\s.\[\]*?]+$";

pub(crate) static DOCUMENT: &[Key] = &[
    key("system", Kind::Table(SYSTEM), "the system as a whole"),
    required("components", Kind::Named(COMPONENT), "who takes part, by name"),
    key(
        "connections",
        Kind::Tables(CONNECTION),
        "which output drives which input",
    ),
    key(
        "bonds",
        Kind::Tables(BOND),
        "which outputs are effort and flow, with power for their product",
    ),
    key(
        "lines",
        Kind::Tables(LINE),
        "transmission lines: which interfaces are joined by a delay",
    ),
    key("method", Kind::Table(METHOD), "how the components are coupled"),
    key("limits", Kind::Table(LIMITS), "what a component may use up"),
    key("record", Kind::Table(RECORD), "what is kept of the run"),
];

pub(crate) static SYSTEM: &[Key] = &[
    key(
        "name",
        Kind::Text,
        "the system's name; the folder's or file's if left out",
    ),
    key("description", Kind::Text, "one line for people"),
    key(
        "start",
        Kind::Number,
        "the initial instant in seconds; 0 if left out",
    ),
    key(
        "stop",
        Kind::Number,
        "the last instant in seconds; may be given by --stop instead",
    ),
];

pub(crate) static COMPONENT: &[Key] = &[
    key("model", Kind::Text, "a built-in model"),
    key(
        "multibody",
        Kind::TextOrTable(MECHANISM),
        "a mechanism of rigid bodies: a file that describes it, or the description itself",
    ),
    key("fmu", Kind::Text, "an FMU file"),
    key("process", Kind::Table(PROCESS), "a process to start"),
    key("python", Kind::Text, "a Python class, `file.py:Class`"),
    key("octave", Kind::Text, "an Octave script"),
    key("scilab", Kind::Text, "a Scilab script"),
    key(
        "connect",
        Kind::Text,
        "a process that is already there, `tcp://host:port`",
    ),
    key(
        "listen",
        Kind::Text,
        "where a process will come that is started by other means, `tcp://host:port`",
    ),
    key(
        "link",
        Kind::Table(LINK),
        "how a component in another process is met",
    ),
    key(
        "parameters",
        Kind::Values,
        "parameters by name: numbers, strings with a unit (\"150 kN/m\"), lists",
    ),
    key("step", Kind::Positive, "its own communication step in seconds"),
    key(
        "substeps",
        Kind::Count,
        "how many steps it takes in one communication step",
    ),
    key("isolate", Kind::Flag, "run it in a process of its own"),
    key(
        "parallel",
        Kind::Flag,
        "let instances of its binary run on several threads",
    ),
    key("role", Kind::Text, "its part in the method, such as \"leader\""),
    key("discrete", Kind::Flag, "its outputs change in jumps only"),
    key(
        "solver",
        Kind::Table(SOLVER),
        "its solver, where it has none of its own",
    ),
    key("limits", Kind::Table(CALL_LIMITS), "what it alone may use up"),
    key(
        "interface",
        Kind::Choice(INTERFACES),
        "which interface of an FMU to use, where it has both",
    ),
    key(
        "log",
        Kind::FlagOrTexts,
        "the log categories of an FMU, or true for all of them",
    ),
    key(
        "history",
        Kind::Histories,
        "points of its outputs before the start: port = [[time, value], …]",
    ),
    key(
        "frame",
        Kind::Table(FRAME),
        "its inertial frame against that of the system",
    ),
    key(
        "scales",
        Kind::Table(SCALES),
        "the sizes of its units in those of the system",
    ),
    key(
        "markers",
        Kind::Named(MARKER),
        "points fixed to its bodies, by name: each is a frame, and with a load a load",
    ),
];

pub(crate) static FRAME: &[Key] = &[
    key(
        "position",
        Kind::Vector,
        "where its origin lies; [0, 0, 0] if left out",
    ),
    key("angles", Kind::Vector, ANGLES),
];

const ANGLES: &str = "how its axes are turned: radians about z, then y, then x; [0, 0, 0] if left out";

pub(crate) static SCALES: &[Key] = &[
    key(
        "length",
        Kind::Positive,
        "its unit of length: 0.001 for mm; 1 if left out",
    ),
    key(
        "force",
        Kind::Positive,
        "its unit of force: 1000 for kN; mass · length / time² if left out",
    ),
    key(
        "mass",
        Kind::Positive,
        "its unit of mass: 1000 for t; 1 if left out",
    ),
    key(
        "time",
        Kind::Positive,
        "its unit of time: 0.001 for ms; 1 if left out",
    ),
];

pub(crate) static MARKER: &[Key] = &[
    required("frame", Kind::Text, "the frame port whose body it is fixed to"),
    key(
        "load",
        Kind::Text,
        "the load port that acts on that body, or by which it acts",
    ),
    key(
        "position",
        Kind::Vector,
        "where it lies, in the axes of the body and the component's unit of length; [0, 0, 0] if left out",
    ),
    key("angles", Kind::Vector, ANGLES),
];

/// What an annotation in a description of another format says of a component.
pub(crate) static ANNOTATION: &[Key] = &[
    key("step", Kind::Positive, "its own communication step in seconds"),
    key(
        "substeps",
        Kind::Count,
        "how many steps it takes in one communication step",
    ),
    key("isolate", Kind::Flag, "run it in a process of its own"),
    key(
        "parallel",
        Kind::Flag,
        "let instances of its binary run on several threads",
    ),
    key("role", Kind::Text, "its part in the method, such as \"leader\""),
    key("discrete", Kind::Flag, "its outputs change in jumps only"),
    key("solver", Kind::Text, "its solver, where it has none of its own"),
    key("log", Kind::FlagOrTexts, "the log categories of an FMU, or true"),
];

pub(crate) static PROCESS: &[Key] = &[
    required("command", Kind::Texts, "the program and its arguments"),
    key(
        "transport",
        Kind::Choice(TRANSPORTS),
        "how to talk to it; pipe if left out",
    ),
    key(
        "folder",
        Kind::Text,
        "where it works, relative to the description; there if left out",
    ),
    key(
        "environment",
        Kind::Values,
        "variables of its environment, on top of Cardan's own",
    ),
    key("log", Kind::Text, "a file for what it prints"),
    key(
        "spin",
        Kind::Flag,
        "with shared memory: keep looking instead of sleeping, for the price of a core on each side",
    ),
];

pub(crate) static LINK: &[Key] = &[
    key(
        "start",
        Kind::Positive,
        "seconds it may take until it has introduced itself; 30 if left out",
    ),
    key(
        "stop",
        Kind::Positive,
        "seconds it may take to end by itself; 5 if left out",
    ),
    key(
        "secret",
        Kind::Text,
        "the environment variable with the secret that both sides share",
    ),
    key(
        "certificate",
        Kind::Text,
        "a PEM file: the certificate to trust, or with `listen` the one to show",
    ),
    key(
        "key",
        Kind::Text,
        "a PEM file: with `listen`, the private key of the certificate",
    ),
];

pub(crate) static SOLVER: &[Key] = &[
    key("kind", Kind::Text, "the integration method"),
    key("step", Kind::Positive, "a fixed step in seconds"),
    key("rtol", Kind::Positive, "the relative tolerance"),
    key("atol", Kind::Positive, "the absolute tolerance"),
    key("max_step", Kind::Positive, "the largest step in seconds"),
    key(
        "tolerance",
        Kind::Positive,
        "trapezoidal, generalized-alpha: a step counts when a Newton correction is shorter; 1e-7 if left out",
    ),
    key(
        "penalty",
        Kind::Positive,
        "trapezoidal, generalized-alpha: how hard constraints are held within an iteration; follows from masses and the step if \
         left out",
    ),
    key(
        "spectral_radius",
        Kind::NotNegative,
        "generalized-alpha: what a step leaves of the fastest oscillations, from 0 (nothing) to 1 (all); 0.8 if left out",
    ),
];

pub(crate) static CONNECTION: &[Key] = &[
    required(
        "from",
        Kind::Text,
        "the output: `component.port`, `component.port[1]`",
    ),
    required(
        "to",
        Kind::Text,
        "the input: `component.port`, `component.port[1]`",
    ),
    key(
        "reading",
        Kind::Choice(READINGS),
        "how the input reads the output between and beyond its points",
    ),
    key(
        "weight",
        Kind::Number,
        "share of the latest slope in a linear reading",
    ),
    key("name", Kind::Text, "its name in what is said about it"),
];

pub(crate) static BOND: &[Key] = &[
    key(
        "name",
        Kind::Text,
        "its name; made of the two outputs if left out",
    ),
    required(
        "effort",
        Kind::Text,
        "an output such as a force or a voltage, connected to the component of the flow",
    ),
    required(
        "flow",
        Kind::Text,
        "an output such as a velocity or a current, connected to the component of the effort",
    ),
    key(
        "into",
        Kind::Text,
        "the component that effort times flow flows into where it is positive; that of the effort if left out",
    ),
];

pub(crate) static LINE: &[Key] = &[
    key(
        "name",
        Kind::Text,
        "its name in results and in what is said about it; made of the two components if left out",
    ),
    required("from", Kind::TextOrTable(LINE_END), LINE_ENDS),
    required("to", Kind::TextOrTable(LINE_END), LINE_ENDS),
    key(
        "domain",
        Kind::Choice(&Medium::NAMES),
        "what it carries; follows from the ends if left out",
    ),
    key("delay", Kind::Positive, "seconds from one end to the other"),
    key(
        "Zf",
        Kind::Positive,
        "its impedance: force, torque, pressure or voltage for a velocity, angular velocity, flow or current of one",
    ),
    key(
        "Zfr",
        Kind::Positive,
        "in space: moment for an angular velocity of one; Zf if left out",
    ),
    key(
        "alpha",
        Kind::NotNegative,
        "damping of waves, from 0 (none) to below 1; 0 if left out",
    ),
    key(
        "feedback",
        Kind::Positive,
        "from how many delays before the damping keeps a part; 1 if left out, 1.5 in other tools",
    ),
    key(
        "filter",
        Kind::Choice(&["lengthening", "unit"]),
        "with alpha: does the damping come on top of the delay, or do both together take just the delay? unit if left out with compensate = true, \
         else lengthening",
    ),
    key(
        "interpolation",
        Kind::Choice(&["cubic", "linear"]),
        "how waves are read between points; cubic if left out, linear in other tools",
    ),
    key(
        "compensate",
        Kind::FlagOrText,
        "true: the line stands for a rigid tie, its inertia is taken away and its elasticity made small; \"inertia\": only the \
         inertia; false if left out",
    ),
    key(
        "start",
        Kind::Choice(&["empty", "consistent"]),
        "what is in it at the start: nothing, or the load with which both ends move as one; empty if left out",
    ),
    key(
        "material",
        Kind::TextOrTable(MATERIAL),
        "with `length`, instead of delay and impedances: \"steel\", or a modulus and a speed of sound",
    ),
    key(
        "length",
        Kind::Positive,
        "the edge of a cube of the material, in m",
    ),
];

const LINE_ENDS: &str =
    "an interface: \"component.point\", or a table with `flow` and `effort`, `frame` and `load`, or `value`";

pub(crate) static LINE_END: &[Key] = &[
    key("flow", Kind::Text, "the output that moves: a velocity, a flow"),
    key(
        "effort",
        Kind::Text,
        "the input on which the line acts: a force, a pressure",
    ),
    key(
        "position",
        Kind::Text,
        "an output that tells where it is, to measure gaps",
    ),
    key("frame", Kind::Text, "the frame of a point in space"),
    key("load", Kind::Text, "the load at that point"),
    key(
        "value",
        Kind::Text,
        "the output at which a signal begins, or the input at which it arrives",
    ),
];

pub(crate) static MATERIAL: &[Key] = &[
    required("modulus", Kind::Positive, "Young's modulus in Pa"),
    required("speed", Kind::Positive, "the speed of sound in m/s"),
];

pub(crate) static METHOD: &[Key] = &[
    key(
        "kind",
        Kind::Choice(METHODS),
        "the coupling method; auto if left out",
    ),
    key(
        "step",
        Kind::Positive,
        "the communication step in seconds; the first one to try in adaptive runs",
    ),
    key(
        "tolerance",
        Kind::Positive,
        "adaptive: the error that is allowed, against the size that a signal has had; iterated with a step: how well \
         values must fit together",
    ),
    key(
        "absolute",
        Kind::Positive,
        "adaptive: what is allowed on top, against nominal values; a thousandth of the tolerance if left out",
    ),
    key(
        "min_step",
        Kind::Positive,
        "adaptive: steps below this are given up, 1e-11 of the run if left out; glue: the leader's steps are no shorter",
    ),
    key(
        "max_step",
        Kind::Positive,
        "adaptive: the longest step, a twentieth of the run if left out; glue: the leader's longest",
    ),
    key(
        "estimator",
        Kind::Choice(ESTIMATORS),
        "adaptive: how the error of a step is found out; richardson if left out, corrected for iterated steps",
    ),
    key(
        "energy_tolerance",
        Kind::Positive,
        "estimator energy: the joules that a bond may gain or lose in a step, instead of a tolerance",
    ),
    key(
        "correction",
        Kind::Flag,
        "shift inputs so that what was read wrongly over a step is made good over the next; false if left out",
    ),
    key(
        "scheme",
        Kind::Choice(SCHEMES),
        "adaptive, iterated: all at once, or one after the other; gauss-seidel if left out",
    ),
    key(
        "accelerator",
        Kind::Choice(ACCELERATORS),
        "iterated: how the values to try next follow from those that were tried; iqn-ils if left out",
    ),
    key(
        "relaxation",
        Kind::Positive,
        "iterated, fixed-point: the part of a change that is taken; 1 if left out",
    ),
    key(
        "reuse",
        Kind::Count,
        "iterated, iqn-ils: from how many steps before it learns; 8 if left out",
    ),
    key(
        "max_iterations",
        Kind::Count,
        "iterated: a step that takes more rounds is given up; 50 if left out, 10 where the next one can be shorter",
    ),
    key(
        "tangent",
        Kind::Choice(TANGENTS),
        "glue: how the leader feels a follower that gives its tangent inside a step: not at all, along it, or along a law \
         that bends from point to point; curved if left out",
    ),
    key(
        "ahead",
        Kind::CountOrNone,
        "glue: how many of its own steps a follower may be ahead of the leader; 0 if left out",
    ),
    key(
        "force_absolute_error",
        Kind::NotNegative,
        "glue: how far off a value that was predicted for the leader may be; 1 if left out",
    ),
    key(
        "force_relative_error",
        Kind::NotNegative,
        "glue: the same as a part of the value; only what exceeds both is remarked on; 0.01 if left out",
    ),
    key(
        "reject",
        Kind::Flag,
        "glue: repeat steps of the leader with a shorter one where predictions were off; false if left out",
    ),
    key(
        "order",
        Kind::Texts,
        "the components in the order in which they advance",
    ),
    key(
        "start",
        Kind::Choice(STARTS),
        "how signals begin; consistent if left out",
    ),
    key(
        "reading",
        Kind::Choice(READINGS),
        "the reading of connections that do not choose one",
    ),
];

pub(crate) static LIMITS: &[Key] = &[
    key("call", Kind::Limit, CALL_LIMIT),
    key(
        "memory",
        Kind::Size,
        "memory of the whole run, such as \"4 GB\"; all there is if left out",
    ),
];

pub(crate) static CALL_LIMITS: &[Key] = &[key("call", Kind::Limit, CALL_LIMIT)];

const CALL_LIMIT: &str = "seconds any one call may take; 60 if left out, inf for ever";

pub(crate) static RECORD: &[Key] = &[
    key(
        "every",
        Kind::Positive,
        "the distance of rows in seconds; every accepted step if left out",
    ),
    key(
        "variables",
        Kind::Texts,
        "patterns over `component.variable` with * and ?; all outputs if left out",
    ),
];
