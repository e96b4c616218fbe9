//! How an FMU is run.

/// Choices of the user for one FMU in Co-Simulation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// The log categories to switch on; with none given, those for warnings and errors where the FMU names any.
    pub log_categories: Option<Vec<String>>,
    /// Cut each step into this many, so that an FMU that holds its inputs sees them move.
    pub substeps: Option<u32>,
    /// May instances of the same binary run on different threads?
    pub parallel: bool,
}
