//! Variables of an FMU.

use cardan_core::value::Value;
use cardan_describe::Span;

/// The types of both versions of the standard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "they are named as in the standard")]
pub enum Kind {
    Float32,
    /// `Real` in FMI 2.
    Float64,
    Int8,
    UInt8,
    Int16,
    UInt16,
    /// `Integer` in FMI 2.
    Int32,
    UInt32,
    Int64,
    UInt64,
    Boolean,
    String,
    Binary,
    Enumeration,
    Clock,
}

/// What a variable is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "they are named as in the standard")]
pub enum Causality {
    Parameter,
    CalculatedParameter,
    StructuralParameter,
    Input,
    Output,
    Local,
    Independent,
}

/// When a variable changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "they are named as in the standard")]
pub enum Variability {
    Constant,
    Fixed,
    Tunable,
    Discrete,
    Continuous,
}

/// How a variable gets its first value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "they are named as in the standard")]
pub enum Initial {
    Exact,
    Approx,
    Calculated,
}

/// One dimension of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dimension {
    /// As long as that.
    Fixed(u64),
    /// As long as the structural parameter of that index says.
    By(usize),
}

/// When a clock ticks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClockInterval {
    /// At a constant interval that the description gives.
    Constant,
    /// At an interval that is known once the instance is initialised.
    Fixed,
    /// At an interval that the FMU calculates in its initialisation.
    Calculated,
    /// At an interval that changes with tunable parameters.
    Tunable,
    /// At an interval that the FMU gives anew at each tick.
    Changing,
    /// Once, after a time that the FMU gives when something sets it going.
    Countdown,
    /// When somebody else says so.
    Triggered,
}

impl ClockInterval {
    /// Does the engine let it tick at times that follow from intervals?
    pub fn is_time_based(self) -> bool {
        self != ClockInterval::Triggered
    }
}

/// What is special about a clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClockProperties {
    /// When it ticks.
    pub interval_variability: ClockInterval,
    /// `intervalDecimal`, or counter over resolution, in seconds.
    pub interval: Option<f64>,
    /// `shiftDecimal`, or counter over resolution, in seconds.
    pub shift: f64,
}

impl Variable {
    /// How many elements it has with the sizes as they are at the start, `all` being the variables of its FMU. None where
    /// one of the sizes has no start value.
    pub fn elements(&self, all: &[Variable]) -> Option<u64> {
        super::variables::size(self, all)
    }
}

/// A variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Unique in the FMU.
    pub name: String,
    /// Other names of it, with FMI 3.
    pub aliases: Vec<String>,
    /// By which the binary knows it.
    pub value_reference: u32,
    /// Its type.
    pub kind: Kind,
    /// What it is for.
    pub causality: Causality,
    /// When it changes.
    pub variability: Variability,
    /// How it gets its first value, as written or as the standard's tables say.
    pub initial: Option<Initial>,
    /// Its first value or guess.
    pub start: Option<Value>,
    /// The same as written, where it is a 64-bit unsigned number too large to be carried; then there is no `start`.
    pub large_start: Option<String>,
    /// Empty for a scalar.
    pub dimensions: Vec<Dimension>,
    /// Name of its unit.
    pub unit: Option<String>,
    /// Smallest value.
    pub minimum: Option<f64>,
    /// Largest value.
    pub maximum: Option<f64>,
    /// A typical magnitude.
    pub nominal: Option<f64>,
    /// Index of the variable of which it is the derivative.
    pub derivative_of: Option<usize>,
    /// Index of the variable that holds its value at the tick before, if it is a clocked state (FMI 3).
    pub previous: Option<usize>,
    /// May an event change it, being a state?
    pub reinit: bool,
    /// Names and numbers of an enumeration.
    pub choices: Vec<(String, i64)>,
    /// May it be set while a step is on its way (FMI 3)?
    pub intermediate_update: bool,
    /// Indices of the clocks whose ticks it belongs to.
    pub clocks: Vec<usize>,
    /// What is special about it if it is a clock.
    pub clock: Option<ClockProperties>,
    /// One line for people.
    pub description: Option<String>,
    /// Where it was declared.
    pub span: Span,
}
