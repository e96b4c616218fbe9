//! Ports and parameters as a description sees them.

use crate::diagnostic::{Span, Spanned};
use cardan_core::value::{Shape, ValueType};

/// What a connector is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConnectorKind {
    /// Driven from outside.
    Input,
    /// Drives others.
    Output,
    /// Either, as its connections say.
    Inout,
    /// Set before the run.
    Parameter,
    /// Computed before the run.
    CalculatedParameter,
    /// Can be recorded.
    Local,
}

/// What a description says of a port or parameter of a component.
#[derive(Clone, PartialEq, Debug)]
pub struct ConnectorSpec {
    /// The name the component knows it by.
    pub name: Spanned<String>,
    /// What it is for.
    pub kind: Spanned<ConnectorKind>,
    /// What it carries; the component's own if not given.
    pub value_type: Option<Spanned<ValueType>>,
    /// Its unit; the component's own if not given.
    pub unit: Option<Spanned<String>>,
    /// How much of it; none if nothing is said.
    pub shape: Option<Spanned<Shape>>,
    /// Where it was written.
    pub span: Span,
}
