//! What a description says, before any name in it has been looked up.
//!
//! Whatever may still turn out wrong keeps its place in the text. Every reader of a format makes one of these.

mod choice;
mod connector;
mod transformation;

pub use choice::{FmiKind, MethodKind, StartRule};
pub use connector::{ConnectorKind, ConnectorSpec};
pub use transformation::{Hop, Transformation};

use crate::diagnostic::{Span, Spanned};
use crate::units::Unit;
use cardan_core::graph::Conversion;
use cardan_core::interface::UnitDefinition;
use cardan_core::signal::Reading;

/// A system as described.
#[derive(Clone, PartialEq, Debug)]
pub struct SystemSpec {
    /// As given, or taken from the file's or folder's name.
    pub name: String,
    /// One line for people.
    pub description: Option<String>,
    /// The initial instant; 0 if not given.
    pub start: Option<Spanned<f64>>,
    /// The last instant. The command line may give it, so that its absence is not yet a mistake.
    pub stop: Option<Spanned<f64>>,
    /// A stop was given and was wrong, which has been reported.
    pub stop_rejected: bool,
    /// In the order of the description.
    pub components: Vec<ComponentSpec>,
    /// In the order of the description.
    pub connections: Vec<ConnectionSpec>,
    /// How the components are coupled.
    pub method: MethodSpec,
    /// What a component may use up.
    pub limits: LimitsSpec,
    /// What is kept of the run.
    pub record: RecordSpec,
    /// Units that the description defines.
    pub units: Vec<UnitDefinition>,
    /// The place of the description as a whole, for what is missing in it.
    pub span: Span,
    /// Parts could not be read, so that nothing should be called missing.
    pub broken: bool,
}

impl SystemSpec {
    /// A system of which only the name and the place are known so far.
    pub fn new(name: String, span: Span) -> Self {
        SystemSpec {
            name,
            description: None,
            start: None,
            stop: None,
            stop_rejected: false,
            components: Vec::new(),
            connections: Vec::new(),
            method: MethodSpec::default(),
            limits: LimitsSpec::default(),
            record: RecordSpec::default(),
            units: Vec::new(),
            span,
            broken: false,
        }
    }

    /// The initial instant in seconds.
    pub fn start_time(&self) -> f64 {
        self.start.map_or(0.0, |start| start.value)
    }

    /// The component of that name.
    pub fn component(&self, name: &str) -> Option<&ComponentSpec> {
        self.components.iter().find(|c| c.name.value == name)
    }
}

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
    /// Its solver, where it has none of its own.
    pub solver: Option<SolverSpec>,
    /// Points of its outputs before the start.
    pub history: Vec<HistorySpec>,
    /// Which of the interfaces of an FMU to use, where it has both.
    pub fmi_kind: Option<Spanned<FmiKind>>,
    /// What an FMU is to log.
    pub log: Option<Spanned<LogSpec>>,
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
            incomplete: false,
            step: None,
            substeps: None,
            isolate: None,
            parallel: None,
            role: None,
            discrete: None,
            solver: None,
            history: Vec::new(),
            fmi_kind: None,
            log: None,
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
    /// An FMU file.
    Fmu(Spanned<String>),
    /// A process to start.
    Process(ProcessSpec),
    /// A Python class, `file.py:Class`.
    Python(Spanned<String>),
    /// An Octave script.
    Octave(Spanned<String>),
    /// A process that is already there, `tcp://host:port`.
    Connect(Spanned<String>),
}

impl ComponentSource {
    /// Where it was written.
    pub fn span(&self) -> Span {
        match self {
            ComponentSource::Model(text)
            | ComponentSource::Fmu(text)
            | ComponentSource::Python(text)
            | ComponentSource::Octave(text)
            | ComponentSource::Connect(text) => text.span,
            ComponentSource::Process(process) => process.span,
        }
    }

    /// The key by which it was given.
    pub fn kind(&self) -> &'static str {
        match self {
            ComponentSource::Model(_) => "model",
            ComponentSource::Fmu(_) => "fmu",
            ComponentSource::Process(_) => "process",
            ComponentSource::Python(_) => "python",
            ComponentSource::Octave(_) => "octave",
            ComponentSource::Connect(_) => "connect",
        }
    }
}

/// A process to start.
#[derive(Clone, PartialEq, Debug)]
pub struct ProcessSpec {
    /// The program and its arguments.
    pub command: Vec<Spanned<String>>,
    /// How to talk to it.
    pub transport: Option<Spanned<String>>,
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

/// An output that drives an input, as described.
#[derive(Clone, PartialEq, Debug)]
pub struct ConnectionSpec {
    /// `component.port`, or one element of it; none where that was wrong and has been reported.
    pub from: Option<Spanned<String>>,
    /// `component.port`, or one element of it; none where that was wrong and has been reported.
    pub to: Option<Spanned<String>>,
    /// How the input reads the output, the weight of a line included.
    pub reading: Option<Spanned<Reading>>,
    /// The two ends may stand the other way round: which one is the output decides.
    pub undirected: bool,
    /// What happens on the way; nothing but a change of units if empty.
    pub hops: Vec<Hop>,
}

impl ConnectionSpec {
    /// A connection from one end to the other with nothing in between.
    pub fn new(from: Option<Spanned<String>>, to: Option<Spanned<String>>) -> Self {
        ConnectionSpec {
            from,
            to,
            reading: None,
            undirected: false,
            hops: Vec::new(),
        }
    }
}

/// How the components are coupled, as described.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MethodSpec {
    /// Which method; `auto` if not given.
    pub kind: Option<Spanned<MethodKind>>,
    /// The communication step in seconds.
    pub step: Option<Spanned<f64>>,
    /// The relative tolerance.
    pub tolerance: Option<Spanned<f64>>,
    /// The order in which components advance.
    pub order: Option<Spanned<Vec<Spanned<String>>>>,
    /// How the signals begin.
    pub start: Option<Spanned<StartRule>>,
    /// The reading of connections that do not choose one.
    pub reading: Option<Spanned<Reading>>,
}

/// What a component may use up.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LimitsSpec {
    /// Seconds any one call may take.
    pub call: Option<Spanned<f64>>,
    /// Bytes of memory.
    pub memory: Option<Spanned<u64>>,
}

/// What is kept of the run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RecordSpec {
    /// The distance of rows in seconds; every accepted step if not given.
    pub every: Option<Spanned<f64>>,
    /// Patterns over `component.variable`; everything if not given.
    pub variables: Option<Vec<Spanned<String>>>,
}

/// A value as written in a description.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// `1.5`
    Real(f64),
    /// `3`
    Integer(i64),
    /// `true`
    Boolean(bool),
    /// `"text"`
    String(String),
    /// A number in a unit that is known already, and what is to happen after it was converted.
    Quantity(f64, Unit, Conversion),
    /// Bytes without further meaning.
    Bytes(Vec<u8>),
    /// A date or a time, as written.
    Date(String),
    /// `[1, 2]`
    Array(Vec<Spanned<Literal>>),
    /// `{ a = 1 }`, in the order of the text.
    Table(Vec<(Spanned<String>, Spanned<Literal>)>),
}

impl Literal {
    /// The number, if it is one; whole ones count.
    pub fn number(&self) -> Option<f64> {
        match self {
            Literal::Real(value) => Some(*value),
            Literal::Integer(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// What it is, for people.
    pub fn kind(&self) -> &'static str {
        match self {
            Literal::Real(_) => "a number",
            Literal::Integer(_) => "a whole number",
            Literal::Boolean(_) => "a boolean",
            Literal::String(_) => "a string",
            Literal::Quantity(..) => "a number with a unit",
            Literal::Bytes(_) => "bytes",
            Literal::Date(_) => "a date",
            Literal::Array(_) => "a list",
            Literal::Table(_) => "a table",
        }
    }
}
