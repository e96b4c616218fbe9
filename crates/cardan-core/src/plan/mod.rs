//! The plan of a run: everything decided before the first step, as small numbers and flat lists.
//!
//! Text in, plan out; plan and participants in, run out. A plan does not change once it is compiled, and it prints
//! itself, so that `cardan check` shows what will happen and tests can compare it.

mod bonds;
mod columns;
mod compile;
mod exchange;
mod interactions;
mod lines;
mod order;
mod print;
mod probes;

pub use bonds::{Bonds, Side, Tie};
pub use columns::{ColumnSource, Columns, LineQuantity};
pub use compile::PlanError;
pub use exchange::{Exchange, Loop, Tear};
pub use interactions::Interaction;
pub use lines::{Line, LineEnd};
pub use probes::{Probe, ProbeName, Probes};

use crate::graph::{Conversion, Mapping, ParticipantId};
use crate::interface::PortId;
use crate::method::{Method, Needs};
use crate::participant::RunWindow;
use crate::planes::{Extent, Planes};
use crate::signal::Reading;
use crate::time::{Grid, Resolution, SimTime};
use crate::value::{Plane, Value};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// What the history holds before the first step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StartMode {
    /// What participants know: their past, or a line along their slopes; flat where they know neither.
    #[default]
    Consistent,
    /// Earlier points equal the initial value.
    Flat,
    /// No earlier points: hold, then a line, then a parabola.
    Cold,
}

impl FromStr for StartMode {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        match name {
            "consistent" => Ok(StartMode::Consistent),
            "flat" => Ok(StartMode::Flat),
            "cold" => Ok(StartMode::Cold),
            _ => Err(()),
        }
    }
}

impl fmt::Display for StartMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            StartMode::Consistent => "consistent",
            StartMode::Flat => "flat",
            StartMode::Cold => "cold",
        })
    }
}

/// What the user decided about a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Setup {
    /// The name of the system, for results.
    pub system: String,
    /// From when to when.
    pub window: RunWindow,
    /// How to couple.
    pub method: Method,
    /// The communication step of participants that have none of their own; where steps are chosen, the longest.
    pub step: f64,
    /// Those who cannot go back to a saved state, as far as that matters to the method.
    pub one_way: Vec<ParticipantId>,
    /// Are inputs shifted so that what was read wrongly over a step is made good over the next?
    pub correction: bool,
    /// The order of Gauss-Seidel; derived from the graph if not declared.
    pub order: Option<Vec<ParticipantId>>,
    /// The history before the first step.
    pub start: StartMode,
    /// Ports to record, in the order of the columns.
    pub record: Vec<(ParticipantId, PortId)>,
    /// Transmission lines whose energy is recorded, after the ports.
    pub record_lines: Vec<u32>,
    /// Inputs with nothing connected that are given values while the run goes on.
    pub drive: Vec<(ParticipantId, PortId)>,
    /// More outputs to evaluate, so that they can be looked at during the run.
    pub observe: Vec<(ParticipantId, PortId)>,
    /// The distance of recorded rows; every accepted point if none.
    pub every: Option<f64>,
    /// Whether the user asked for these steps or they follow from elsewhere, and the like: kept with results.
    pub notes: Vec<(String, String)>,
}

impl Setup {
    /// How long the run is, in seconds.
    pub fn span(&self) -> f64 {
        self.window.stop.since(self.window.start)
    }

    /// Method and steps in words.
    pub fn pace(&self) -> String {
        let method = &self.method;
        method.pacing.words(method, self.step, self.one_way.is_empty())
    }
}

/// One real input element that reads an output.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wire {
    /// Whose output.
    pub source: ParticipantId,
    /// Which real of its row.
    pub column: u32,
    /// How to read it.
    pub reading: Reading,
    /// Does the source step before the reader, so that its new points can be seen?
    pub leads: bool,
    /// Change of units.
    pub conversion: Conversion,
    /// Does the conversion change anything?
    pub converts: bool,
}

impl Wire {
    /// The latest point of the source that a step from `from` may see.
    #[inline]
    pub fn sees_up_to(&self, from: SimTime, resolution: Resolution) -> SimTime {
        if self.leads {
            SimTime::FUTURE
        } else {
            resolution.just_after(from)
        }
    }
}

/// Where the value of one real input element comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RealInput {
    /// Nothing is connected: a constant.
    Open(f64),
    /// An output.
    Wire(Wire),
    /// The first of four elements of a rotation, read by slerp.
    Rotation(Wire),
    /// The other three.
    RotationRest(Wire),
    /// What a transmission line does.
    Line {
        /// Which end of which line.
        end: u32,
        /// Which number of it.
        component: u32,
    },
}

impl RealInput {
    /// Is it what a transmission line does?
    pub(crate) fn is_line(&self) -> bool {
        matches!(self, RealInput::Line { .. })
    }

    /// Whose output it reads, if it is connected.
    pub fn source(&self) -> Option<ParticipantId> {
        match self {
            RealInput::Open(_) | RealInput::Line { .. } => None,
            RealInput::Wire(w) | RealInput::Rotation(w) | RealInput::RotationRest(w) => Some(w.source),
        }
    }
}

/// Where the value of one input element comes from that is not a real.
#[derive(Clone, PartialEq, Debug)]
pub struct HeldWire {
    /// The plane of both ends.
    pub plane: Plane,
    /// The place on the reader's plane.
    pub to: u32,
    /// Whose output.
    pub source: ParticipantId,
    /// The place in the source's row.
    pub from: u32,
    /// Does the source step before the reader?
    pub leads: bool,
    /// What values become on their way.
    pub mapping: Mapping,
}

/// Where the elements of a bound input lie.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InputPlace {
    /// On which plane.
    pub plane: Plane,
    /// The first of them.
    pub first: u32,
    /// How many there are.
    pub count: u32,
}

/// One participant in the plan.
#[derive(Clone, PartialEq, Debug)]
pub struct Seat {
    /// The component's name.
    pub name: String,
    /// Bound inputs, in the order of the planes.
    pub inputs: Vec<PortId>,
    /// Bound outputs, in the order of the planes.
    pub outputs: Vec<PortId>,
    /// Parallel to `outputs`: where the first element of each lies in the row.
    pub output_places: Vec<u32>,
    /// Parallel to `inputs`: where the elements of each lie.
    pub input_places: Vec<InputPlace>,
    /// Size of its inputs.
    pub input_extent: Extent,
    /// Size of its outputs.
    pub output_extent: Extent,
    /// One entry for each real input element.
    pub real_inputs: Vec<RealInput>,
    /// Connected inputs that are not reals.
    pub held_wires: Vec<HeldWire>,
    /// Values of the inputs where nothing is connected.
    pub open: Planes,
    /// Places of its input clocks among the booleans.
    pub clock_inputs: Vec<u32>,
    /// Places of its output clocks among the booleans.
    pub clock_outputs: Vec<u32>,
    /// Real inputs that change in jumps only.
    pub jumping_inputs: Vec<u32>,
    /// The instants at which it exchanges.
    pub grid: Grid,
    /// Has it instants of its own at which alone it steps: samples, or a step that the user gave it?
    pub has_own_grid: bool,
    /// Its continuous real outputs: place in the row, and nominal value.
    pub continuous: Vec<(u32, f64)>,
    /// For each real of the row, with which others it is of one kind: those of one unit, or of one participant where units are
    /// not known.
    pub kinds: Vec<u32>,
    /// Are its outputs known ahead?
    pub foretold: bool,
    /// Do its outputs depend on its inputs at the same instant?
    pub needs_inputs: bool,
    /// Are there inputs that are not reals, or rows on a finer grid than its steps?
    pub has_extras: bool,
    /// Does a reader want the slopes of its outputs?
    pub wants_slopes: bool,
    /// Is it at an end of a bond?
    pub bonded: bool,
    /// Points before the start given by the user: place of a port's first element in the row, and its value.
    pub past: Vec<(SimTime, u32, Value)>,
    /// Names of the real outputs by place in the row, for messages.
    pub real_names: Vec<String>,
    /// Names of the real inputs by place, for people.
    pub input_names: Vec<String>,
    /// Parallel to `held_wires`: the names of the input and of the output, for people.
    pub held_names: Vec<(String, String)>,
}

/// The plan of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// From when to when.
    pub window: RunWindow,
    /// What counts as the same instant.
    pub resolution: Resolution,
    /// How to couple.
    pub method: Method,
    /// What follows from that for others.
    pub needs: Needs,
    /// Are inputs shifted so that what was read wrongly over a step is made good over the next?
    pub correction: bool,
    /// The history before the first step.
    pub start: StartMode,
    /// By participant.
    pub seats: Vec<Seat>,
    /// How many kinds of signals there are.
    pub kinds: usize,
    /// The order of stepping.
    pub order: Vec<ParticipantId>,
    /// The order cut into groups that may step side by side, as ranges of it.
    pub waves: Vec<Range<usize>>,
    /// Parallel to the waves: do their members repeat steps until their values fit together? Such a wave is a circle.
    pub repeats: Vec<bool>,
    /// Do all step on the same grid?
    pub single_rate: bool,
    /// How outputs are evaluated at one instant.
    pub exchange: Exchange,
    /// The same while participants initialise.
    pub initial: Exchange,
    /// Is there anything to do between a step and what others see of it: outputs that depend on exchanged inputs, slopes,
    /// books of bonds?
    pub has_exchange: bool,
    /// Does anybody want slopes?
    pub has_slopes: bool,
    /// Participants that depend on each other in a circle, two or more in each group.
    pub groups: Vec<Vec<ParticipantId>>,
    /// What is recorded.
    pub columns: Columns,
    /// Inputs whose readings are compared with what comes.
    pub probes: Probes,
    /// What a leader gets from its followers.
    pub interactions: Vec<Interaction>,
    /// Where power crosses borders.
    pub bonds: Bonds,
    /// Transmission lines.
    pub lines: Vec<Line>,
}

impl Plan {
    /// Does anybody read its outputs?
    pub fn is_read(&self, participant: ParticipantId) -> bool {
        let reads = |seat: &Seat| {
            let mut reals = seat.real_inputs.iter();
            let mut held = seat.held_wires.iter();
            reals.any(|input| input.source() == Some(participant)) || held.any(|w| w.source == participant)
        };
        self.seats.iter().any(reads)
    }

    /// Does what the wire carries move in jumps only?
    pub(crate) fn jumps(&self, wire: &Wire) -> bool {
        let continuous = &self.seats[wire.source.index()].continuous;
        continuous.iter().all(|(place, _)| *place != wire.column)
    }

    /// Does anybody read its outputs by a rule that looks at more than the latest point?
    pub(crate) fn is_looked_back_at(&self, participant: ParticipantId) -> bool {
        let mut inputs = self.seats.iter().flat_map(|seat| &seat.real_inputs);
        inputs.any(|input| match input {
            RealInput::Open(_) | RealInput::Line { .. } => false,
            RealInput::Wire(w) | RealInput::Rotation(w) | RealInput::RotationRest(w) => {
                w.source == participant && w.reading.points() > 1
            }
        })
    }

    /// Where the first element of a bound output lies in its participant's row.
    pub fn output_place(&self, participant: ParticipantId, port: PortId) -> Option<usize> {
        let seat = self.seats.get(participant.index())?;
        let index = seat.outputs.iter().position(|bound| *bound == port)?;
        Some(seat.output_places[index] as usize)
    }
}
