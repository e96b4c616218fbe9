//! What a description says, before any name in it has been looked up.
//!
//! Whatever may still turn out wrong keeps its place in the text. Every reader of a format makes one of these.

mod bond;
mod choice;
mod component;
mod connector;
mod line;
mod literal;
mod mechanism;
mod place;
mod transformation;

pub use bond::BondSpec;
pub use choice::{
    AcceleratorKind, EstimatorKind, FmiKind, MethodKind, Scheme, StartRule, TangentKind, TransportKind,
};
pub use component::{
    ComponentSource, ComponentSpec, HistoryPoint, HistorySpec, LinkSpec, LogSpec, ProcessSpec, SolverSpec,
};
pub use connector::{ConnectorKind, ConnectorSpec};
pub use line::{LineEndSpec, LineSpec, MaterialSpec};
pub use literal::Literal;
pub use mechanism::{
    BodySpec, DriveSpec, ForceKind, ForceSpec, JointKind, JointSpec, MechanismPort, MechanismPortSpec,
    MechanismSpec, PointName, PointSpec, ShapeSpec, StabilizationSpec, StopSide,
};
pub use place::{FrameSpec, MarkerSpec, ScalesSpec};
pub use transformation::{Hop, Transformation};

use crate::diagnostic::{Span, Spanned};
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
    /// In the order of the description.
    pub bonds: Vec<BondSpec>,
    /// In the order of the description.
    pub lines: Vec<LineSpec>,
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
            bonds: Vec::new(),
            lines: Vec::new(),
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

/// An output that drives an input, as described.
#[derive(Clone, PartialEq, Debug)]
pub struct ConnectionSpec {
    /// Its name in what is said about it.
    pub name: Option<Spanned<String>>,
    /// `component.port`, or one element of it; none where that was wrong and has been reported.
    pub from: Option<Spanned<String>>,
    /// `component.port`, or one element of it; none where that was wrong and has been reported.
    pub to: Option<Spanned<String>>,
    /// How the input reads the output, the weight of a line included.
    pub reading: Option<Spanned<Reading>>,
    /// The reading that is usual where nothing else suits the output better; the method's if none.
    pub usual_reading: Option<Reading>,
    /// The two ends may stand the other way round: which one is the output decides.
    pub undirected: bool,
    /// What happens on the way; nothing but a change of units if empty.
    pub hops: Vec<Hop>,
}

impl ConnectionSpec {
    /// A connection from one end to the other with nothing in between.
    pub fn new(from: Option<Spanned<String>>, to: Option<Spanned<String>>) -> Self {
        ConnectionSpec {
            name: None,
            from,
            to,
            reading: None,
            usual_reading: None,
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
    /// The absolute tolerance, against nominal values.
    pub absolute: Option<Spanned<f64>>,
    /// Steps below this are given up.
    pub min_step: Option<Spanned<f64>>,
    /// The longest step.
    pub max_step: Option<Spanned<f64>>,
    /// How the error of a step is found out.
    pub estimator: Option<Spanned<EstimatorKind>>,
    /// Joules that a bond may gain or lose in a step.
    pub energy_tolerance: Option<Spanned<f64>>,
    /// Do inputs make good what they were wrong by in the last step?
    pub correction: Option<Spanned<bool>>,
    /// Who sees what of whom during a step.
    pub scheme: Option<Spanned<Scheme>>,
    /// How the values of the next round follow from those before.
    pub accelerator: Option<Spanned<AcceleratorKind>>,
    /// The part of a change that is taken from one round to the next.
    pub relaxation: Option<Spanned<f64>>,
    /// From how many steps before an accelerator learns.
    pub reuse: Option<Spanned<u32>>,
    /// A step that takes more rounds is given up.
    pub max_iterations: Option<Spanned<u32>>,
    /// How a leader feels the tangents of its followers.
    pub tangent: Option<Spanned<TangentKind>>,
    /// How many of its own steps a follower may be ahead of the leader.
    pub ahead: Option<Spanned<u32>>,
    /// How far off predictions may be.
    pub force_absolute_error: Option<Spanned<f64>>,
    /// The same as a part of the value.
    pub force_relative_error: Option<Spanned<f64>>,
    /// Are steps repeated where predictions were off?
    pub reject: Option<Spanned<bool>>,
    /// The order in which components advance.
    pub order: Option<Spanned<Vec<Spanned<String>>>>,
    /// How the signals begin.
    pub start: Option<Spanned<StartRule>>,
    /// The reading of connections that do not choose one.
    pub reading: Option<Spanned<Reading>>,
}

impl MethodSpec {
    /// Does the method repeat steps until values fit together?
    pub fn repeats_steps(&self) -> bool {
        self.kind
            .as_ref()
            .is_some_and(|kind| kind.value == MethodKind::Iterated)
    }

    /// Does the method choose its steps? Asked for by name, or by a tolerance where nothing else is said.
    pub fn chooses_steps(&self) -> bool {
        match self.kind.as_ref().map(|kind| kind.value).unwrap_or_default() {
            MethodKind::Adaptive => true,
            MethodKind::Iterated => self.step.is_none(),
            MethodKind::Auto => self.tolerance.or(self.energy_tolerance).is_some() && self.step.is_none(),
            _ => false,
        }
    }
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
