//! What depends on what.

use cardan_describe::Span;

/// An output, derivative, event indicator or initial unknown, and what it depends on.
#[derive(Clone, PartialEq, Debug)]
pub struct Unknown {
    /// Index of the variable.
    pub variable: usize,
    /// Indices of the variables it depends on; none where nothing is said, which means all.
    pub dependencies: Option<Vec<usize>>,
    /// The entry; the variable where there is none.
    pub span: Span,
}

/// The model structure.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ModelStructure {
    /// In the order of the file.
    pub outputs: Vec<Unknown>,
    /// Derivatives of the continuous states, in the order of the states.
    pub derivatives: Vec<Unknown>,
    /// Clocked states (FMI 3).
    pub clocked_states: Vec<Unknown>,
    /// What is unknown at initialisation.
    pub initial_unknowns: Vec<Unknown>,
    /// How many event indicators there are.
    pub event_indicators: usize,
}
