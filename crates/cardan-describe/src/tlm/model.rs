//! A meta-model in plain data.

use super::kinds::{Causality, Dimensions, Domain};
use crate::diagnostic::{Span, Spanned};
use std::ops::Range;

/// A TLM co-simulation as its file describes it.
///
/// The place of an interface point in `interfaces` is its number on the wire, and that of a parameter in `parameters`
/// likewise; both count in the order of the file.
#[derive(Clone, PartialEq, Debug)]
pub struct MetaModel {
    /// The name of the whole.
    pub name: String,
    /// Who takes part. The place in this list is the number of a component on the wire.
    pub sub_models: Vec<SubModel>,
    /// The interface points of all sub-models.
    pub interfaces: Vec<InterfacePoint>,
    /// The parameters of all sub-models.
    pub parameters: Vec<Parameter>,
    /// The lines.
    pub connections: Vec<Connection>,
    /// Times and ports.
    pub simulation: Simulation,
    /// The opening tag of the file.
    pub span: Span,
}

/// How a sub-model comes to life.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartCommand {
    /// Somebody else starts it.
    Nobody,
    /// Cardan runs its model file: an FMU, a built-in model or a component file.
    Cardan,
    /// A program, looked for in `PATH`.
    Program(String),
}

/// A tool with its model.
#[derive(Clone, PartialEq, Debug)]
pub struct SubModel {
    /// Its name.
    pub name: String,
    /// How it is started.
    pub start_command: StartCommand,
    /// The file that its tool reads; handed on as it is written.
    pub model_file: String,
    /// Where that was written.
    pub model_file_span: Span,
    /// Its steps may be as long as the delay of its shortest line, not just half of it.
    pub exact_step: bool,
    /// What it looks like, for viewers.
    pub geometry_file: Option<String>,
    /// Where its inertial frame stands in the global one.
    pub position: [f64; 3],
    /// How its inertial frame is turned: angles about x, y and z, in the order z, y, x.
    pub angles: [f64; 3],
    /// Its interface points in [`MetaModel::interfaces`].
    pub interfaces: Range<usize>,
    /// Its parameters in [`MetaModel::parameters`].
    pub parameters: Range<usize>,
    /// Where it was written.
    pub span: Span,
}

/// A point where a sub-model meets others.
#[derive(Clone, PartialEq, Debug)]
pub struct InterfacePoint {
    /// Whose it is, in [`MetaModel::sub_models`].
    pub sub_model: usize,
    /// Its name in that sub-model.
    pub name: String,
    /// Its degrees of freedom.
    pub dimensions: Dimensions,
    /// Which way things go.
    pub causality: Causality,
    /// Its physics.
    pub domain: Domain,
    /// Its nominal position in the frame of its sub-model.
    pub position: [f64; 3],
    /// Its nominal orientation there.
    pub angles: [f64; 3],
    /// Where it was written.
    pub span: Span,
}

/// A value that a tool may ask for.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Whose it is, in [`MetaModel::sub_models`].
    pub sub_model: usize,
    /// Its name.
    pub name: String,
    /// Its value, as it is written.
    pub value: String,
    /// Where it was written.
    pub span: Span,
    /// The same for people who have the file at hand: `file:line`.
    pub place: String,
}

/// A line between two interface points.
#[derive(Clone, PartialEq, Debug)]
pub struct Connection {
    /// One end, in [`MetaModel::interfaces`].
    pub from: usize,
    /// The other end.
    pub to: usize,
    /// How long a wave takes, in seconds.
    pub delay: f64,
    /// The characteristic impedance; 0 for signals.
    pub zf: f64,
    /// The characteristic impedance of rotations, where all six degrees of freedom are connected.
    pub zfr: f64,
    /// How much of an earlier wave is mixed in, to damp the line: from 0 to below 1.
    pub alpha: f64,
    /// What only Cardan understands.
    pub own: OwnSettings,
    /// Where it was written.
    pub span: Span,
}

/// Attributes of a connection that Cardan adds to the format, kept as they are written. Other managers ignore them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OwnSettings {
    /// Is the mass that the line adds taken away again?
    pub compensate: Option<Spanned<String>>,
    /// The kind of filter that `alpha` belongs to.
    pub filter: Option<Spanned<String>>,
    /// How waves are read between their samples.
    pub interpolation: Option<Spanned<String>>,
    /// The waves that the line starts with.
    pub start: Option<Spanned<String>>,
}

/// Times and ports of a co-simulation.
#[derive(Clone, PartialEq, Debug)]
pub struct Simulation {
    /// When it begins, in seconds.
    pub start: f64,
    /// When it ends.
    pub stop: f64,
    /// Where tools reach the manager.
    pub manager_port: u16,
    /// The distance of the rows that a monitor writes.
    pub write_step: f64,
    /// Where it was written.
    pub span: Span,
}

/// The step that a sub-model without lines is told, before it is halved.
const UNCONNECTED_STEP: f64 = 1e-4;

impl MetaModel {
    pub(super) fn empty(name: String, span: Span) -> Self {
        MetaModel {
            name,
            sub_models: Vec::new(),
            interfaces: Vec::new(),
            parameters: Vec::new(),
            connections: Vec::new(),
            simulation: Simulation {
                start: 0.0,
                stop: 0.0,
                manager_port: super::DEFAULT_PORT,
                write_step: 0.0,
                span,
            },
            span,
        }
    }

    /// The number of a sub-model.
    pub fn sub_model(&self, name: &str) -> Option<usize> {
        self.sub_models
            .iter()
            .position(|sub_model| sub_model.name == name)
    }

    /// The number of an interface point of a sub-model.
    pub fn interface(&self, sub_model: usize, name: &str) -> Option<usize> {
        let range = self.sub_models.get(sub_model)?.interfaces.clone();
        range.into_iter().find(|&id| self.interfaces[id].name == name)
    }

    /// The number of a parameter of a sub-model.
    pub fn parameter(&self, sub_model: usize, name: &str) -> Option<usize> {
        let range = self.sub_models.get(sub_model)?.parameters.clone();
        range.into_iter().find(|&id| self.parameters[id].name == name)
    }

    /// `sub_model.interface`; a question mark for a number that nothing has.
    pub fn interface_name(&self, id: usize) -> String {
        match self.interfaces.get(id) {
            Some(point) => format!("{}.{}", self.sub_models[point.sub_model].name, point.name),
            None => "?".to_owned(),
        }
    }

    /// The line that ends at an interface point.
    pub fn connection_of(&self, id: usize) -> Option<&Connection> {
        self.connections
            .iter()
            .find(|connection| connection.from == id || connection.to == id)
    }

    /// The interface point at the other end of the line.
    pub fn partner(&self, id: usize) -> Option<usize> {
        let connection = self.connection_of(id)?;
        Some(if connection.from == id {
            connection.to
        } else {
            connection.from
        })
    }

    /// The longest step that a sub-model may make: the delay of its shortest line, half of that unless it makes exact
    /// steps.
    pub fn max_step(&self, sub_model: usize) -> f64 {
        let Some(sub_model) = self.sub_models.get(sub_model) else {
            return 0.5 * UNCONNECTED_STEP;
        };
        let lines = sub_model
            .interfaces
            .clone()
            .filter_map(|id| self.connection_of(id));
        let shortest = lines.map(|line| line.delay).min_by(f64::total_cmp);
        match shortest {
            Some(delay) if sub_model.exact_step => delay,
            Some(delay) => 0.5 * delay,
            None => 0.5 * UNCONNECTED_STEP,
        }
    }
}
