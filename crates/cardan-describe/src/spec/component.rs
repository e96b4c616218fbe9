//! Who takes part, as described.

use super::{
    ConnectorSpec, FmiKind, FrameSpec, Literal, MarkerSpec, MechanismSpec, ScalesSpec, TransportKind,
};
use crate::diagnostic::{Span, Spanned};
use std::collections::HashSet;

/// A participant as described.
#[derive(Clone, PartialEq, Debug)]
pub struct ComponentSpec {
    /// Unique in the system.
    pub name: Spanned<String>,
    /// What it is made from; none where that was wrong and has been reported.
    pub source: Option<ComponentSource>,
    /// In the order of the description.
    pub parameters: Vec<(Spanned<String>, Spanned<Literal>)>,
    /// Values of inputs for when nothing is connected. Readers that do not know what is an input leave such values among
    /// the parameters.
    pub starts: Vec<(Spanned<String>, Spanned<Literal>)>,
    /// The parameters may come from a set that serves many components: names it does not know are passed over with a
    /// warning.
    pub shares_parameters: bool,
    /// Those of them that are meant for this component alone, because a mapping or the user names them: it must have them.
    pub demanded: HashSet<String>,
    /// Parameters may have been lost to mistakes in the text, so that none should be called missing.
    pub incomplete: bool,
    /// Its own communication step in seconds.
    pub step: Option<Spanned<f64>>,
    /// How many steps it takes in one communication step.
    pub substeps: Option<Spanned<u32>>,
    /// Does it run in a process of its own?
    pub isolate: Option<Spanned<bool>>,
    /// May instances of its binary run on several threads?
    pub parallel: Option<Spanned<bool>>,
    /// Its part in the method, such as `leader`.
    pub role: Option<Spanned<String>>,
    /// Do its outputs change in jumps only?
    pub discrete: Option<Spanned<bool>>,
    /// Seconds any one of its calls may take.
    pub call_limit: Option<Spanned<f64>>,
    /// Its solver, where it has none of its own.
    pub solver: Option<SolverSpec>,
    /// Points of its outputs before the start.
    pub history: Vec<HistorySpec>,
    /// Which of the interfaces of an FMU to use, where it has both.
    pub fmi_kind: Option<Spanned<FmiKind>>,
    /// How a component in another process is met.
    pub link: Option<LinkSpec>,
    /// What an FMU is to log.
    pub log: Option<Spanned<LogSpec>>,
    /// Its inertial frame against that of the system.
    pub frame: Option<FrameSpec>,
    /// Its units against those of the system.
    pub scales: Option<ScalesSpec>,
    /// Points fixed to its bodies, in the order of the description.
    pub markers: Vec<MarkerSpec>,
    /// What the description says of its ports and parameters; nothing if it leaves that to the component.
    pub connectors: Vec<ConnectorSpec>,
}

impl ComponentSpec {
    /// A component of which only the name is known so far.
    pub fn new(name: Spanned<String>) -> Self {
        ComponentSpec {
            name,
            source: None,
            parameters: Vec::new(),
            starts: Vec::new(),
            shares_parameters: false,
            demanded: HashSet::new(),
            incomplete: false,
            step: None,
            substeps: None,
            isolate: None,
            parallel: None,
            role: None,
            discrete: None,
            call_limit: None,
            solver: None,
            history: Vec::new(),
            fmi_kind: None,
            link: None,
            log: None,
            frame: None,
            scales: None,
            markers: Vec::new(),
            connectors: Vec::new(),
        }
    }
}

/// What an FMU is to log.
#[derive(Clone, PartialEq, Debug)]
pub enum LogSpec {
    /// Everything, or nothing.
    All(bool),
    /// These categories.
    Categories(Vec<Spanned<String>>),
}

/// What a component is made from.
#[derive(Clone, PartialEq, Debug)]
pub enum ComponentSource {
    /// A built-in model.
    Model(Spanned<String>),
    /// A mechanism of rigid bodies, described in a file beside the description.
    MultibodyFile(Spanned<String>),
    /// A mechanism of rigid bodies, described here.
    Multibody(Box<MechanismSpec>),
    /// An FMU file.
    Fmu(Spanned<String>),
    /// A process to start.
    Process(ProcessSpec),
    /// A Python class, `file.py:Class`.
    Python(Spanned<String>),
    /// An Octave script.
    Octave(Spanned<String>),
    /// A Scilab script.
    Scilab(Spanned<String>),
    /// A process that is already there, `tcp://host:port`.
    Connect(Spanned<String>),
    /// A process that will come, to `tcp://host:port`.
    Listen(Spanned<String>),
}

impl ComponentSource {
    /// Where it was written.
    pub fn span(&self) -> Span {
        match self {
            ComponentSource::Model(text)
            | ComponentSource::MultibodyFile(text)
            | ComponentSource::Fmu(text)
            | ComponentSource::Python(text)
            | ComponentSource::Octave(text)
            | ComponentSource::Scilab(text)
            | ComponentSource::Connect(text)
            | ComponentSource::Listen(text) => text.span,
            ComponentSource::Process(process) => process.span,
            ComponentSource::Multibody(mechanism) => mechanism.span,
        }
    }

    /// The key by which it was given.
    pub fn kind(&self) -> &'static str {
        match self {
            ComponentSource::Model(_) => "model",
            ComponentSource::MultibodyFile(_) | ComponentSource::Multibody(_) => "multibody",
            ComponentSource::Fmu(_) => "fmu",
            ComponentSource::Process(_) => "process",
            ComponentSource::Python(_) => "python",
            ComponentSource::Octave(_) => "octave",
            ComponentSource::Scilab(_) => "scilab",
            ComponentSource::Connect(_) => "connect",
            ComponentSource::Listen(_) => "listen",
        }
    }
}

/// A process to start.
#[derive(Clone, PartialEq, Debug)]
pub struct ProcessSpec {
    /// The program and its arguments.
    pub command: Vec<Spanned<String>>,
    /// How to talk to it.
    pub transport: Option<Spanned<TransportKind>>,
    /// Where it works, relative to the description.
    pub folder: Option<Spanned<String>>,
    /// Variables of its environment.
    pub environment: Vec<(Spanned<String>, Spanned<String>)>,
    /// A file for what it prints.
    pub log: Option<Spanned<String>>,
    /// In shared memory: keep looking instead of sleeping?
    pub spin: Option<Spanned<bool>>,
    /// Where it was written.
    pub span: Span,
}

/// How a component in another process is met.
#[derive(Clone, PartialEq, Debug)]
pub struct LinkSpec {
    /// Seconds it may take until it has introduced itself.
    pub start: Option<Spanned<f64>>,
    /// Seconds it may take to end by itself.
    pub stop: Option<Spanned<f64>>,
    /// The environment variable with the secret that both sides share.
    pub secret: Option<Spanned<String>>,
    /// A PEM file: the certificate to trust, or to show where Cardan listens.
    pub certificate: Option<Spanned<String>>,
    /// A PEM file: the private key of the certificate, where Cardan listens.
    pub key: Option<Spanned<String>>,
    /// Where it was written.
    pub span: Span,
}

/// A solver as described; its kind is checked by whoever knows the solvers.
#[derive(Clone, PartialEq, Debug)]
pub struct SolverSpec {
    /// Its name.
    pub kind: Option<Spanned<String>>,
    /// A fixed step in seconds.
    pub step: Option<Spanned<f64>>,
    /// The relative tolerance.
    pub rtol: Option<Spanned<f64>>,
    /// The absolute tolerance.
    pub atol: Option<Spanned<f64>>,
    /// The largest step in seconds.
    pub max_step: Option<Spanned<f64>>,
    /// For mechanisms: the length of a Newton correction below which a step counts.
    pub tolerance: Option<Spanned<f64>>,
    /// For mechanisms: the penalty of the constraints.
    pub penalty: Option<Spanned<f64>>,
    /// For mechanisms: what a step of generalised-alpha leaves of the fastest oscillations.
    pub spectral_radius: Option<Spanned<f64>>,
    /// Where it was written.
    pub span: Span,
}

/// Points of an output before the start.
#[derive(Clone, PartialEq, Debug)]
pub struct HistorySpec {
    /// The output.
    pub port: Spanned<String>,
    /// Oldest first.
    pub points: Vec<HistoryPoint>,
}

/// A point of an output before the start.
#[derive(Clone, PartialEq, Debug)]
pub struct HistoryPoint {
    /// The instant in seconds.
    pub time: Spanned<f64>,
    /// All elements of the output.
    pub value: Spanned<Literal>,
}
