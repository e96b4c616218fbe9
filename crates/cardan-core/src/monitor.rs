//! What a run noticed that did not stop it.

use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::plan::Interaction;
use crate::time::SimTime;

/// What sort of thing was noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WarningKind {
    /// A participant ended a step early and the method could not let the others know at once.
    EarlyReturn,
    /// A participant asked for the end of the simulation.
    Terminated,
    /// Events at one instant did not come to an end.
    Chattering,
    /// A checkpoint could not be kept.
    Unkept,
    /// Readings were too far from what came.
    CouplingDefect,
    /// What a leader was told to expect was too far from what its follower computed.
    Prediction,
    /// The same, again and again, and by more than half of the values.
    Unstable,
    /// A transmission line is not what it was meant to be.
    Line,
    /// A tolerance is not kept: a step that should have been taken back could not be, or nobody watches errors at all.
    Tolerance,
}

impl WarningKind {
    /// All of them.
    pub(crate) const ALL: &[WarningKind] = &[
        WarningKind::EarlyReturn,
        WarningKind::Terminated,
        WarningKind::Chattering,
        WarningKind::Unkept,
        WarningKind::CouplingDefect,
        WarningKind::Prediction,
        WarningKind::Unstable,
        WarningKind::Line,
        WarningKind::Tolerance,
    ];

    /// A short name for machines.
    pub fn name(self) -> &'static str {
        match self {
            WarningKind::EarlyReturn => "early-return",
            WarningKind::Terminated => "terminated",
            WarningKind::Chattering => "chattering",
            WarningKind::Unkept => "checkpoint",
            WarningKind::CouplingDefect => "coupling-defect",
            WarningKind::Prediction => "prediction",
            WarningKind::Unstable => "unstable",
            WarningKind::Line => "line",
            WarningKind::Tolerance => "tolerance",
        }
    }
}

/// Something a run noticed.
#[derive(Clone, PartialEq, Debug)]
pub struct Warning {
    /// What sort.
    pub kind: WarningKind,
    /// Which component, connection or variable.
    pub place: String,
    /// When it was first noticed.
    pub time: SimTime,
    /// A full sentence.
    pub message: String,
    /// How often.
    pub count: u64,
}

/// How a loop of outputs was solved so far.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopAccount {
    /// Its outputs.
    pub outputs: Vec<String>,
    /// At how many instants, and repeats of them, it was solved.
    pub solved: u64,
    /// Rounds of the solver in all.
    pub rounds: u64,
    /// The largest residual that was left, against the size of the values.
    pub residual: f64,
    /// When that was.
    pub time: SimTime,
}

/// How far off the readings of a connection were: what they foretold for the end of a step against what came.
#[derive(Clone, PartialEq, Debug)]
pub struct ConnectionAccount {
    /// The output, of a vector the element that was off most.
    pub from: String,
    /// The input.
    pub to: String,
    /// The largest defect, as a part of the range of the signal.
    pub largest: f64,
    /// The root of their mean square, as a part of that of the signal about its mean.
    pub mean: f64,
    /// When it was largest.
    pub time: SimTime,
    /// The range of the signal at the communication points, in its own unit.
    pub size: f64,
    /// At how many steps it was looked at.
    pub looks: u64,
}

/// What became of the energy that crossed a bond, in joules.
#[derive(Clone, PartialEq, Debug)]
pub struct BondAccount {
    /// The bond.
    pub name: String,
    /// Energy from nowhere in all: what one side took in, less what the other gave away.
    pub residual: f64,
    /// The same with every step counted by its magnitude.
    pub absolute: f64,
    /// The largest magnitude of a step.
    pub largest: f64,
    /// The end of that step.
    pub time: SimTime,
    /// Energy that crossed, whatever its direction.
    pub crossed: f64,
    /// The largest power at the end of a step, in watts.
    pub power: f64,
}

impl BondAccount {
    pub(crate) fn new(name: &str) -> Self {
        BondAccount {
            name: name.to_owned(),
            residual: 0.0,
            absolute: 0.0,
            largest: 0.0,
            time: SimTime::PAST,
            crossed: 0.0,
            power: 0.0,
        }
    }

    /// A step to `at` left this residual; so much crossed in it, with that power at its end.
    pub(crate) fn enter(&mut self, residual: f64, crossed: f64, power: f64, at: SimTime) {
        self.residual += residual;
        self.absolute += residual.abs();
        if residual.abs() > self.largest {
            (self.largest, self.time) = (residual.abs(), at);
        }
        self.crossed += crossed;
        self.power = self.power.max(power);
    }
}

/// What is known of a transmission line.
#[derive(Clone, PartialEq, Debug)]
pub struct LineAccount {
    /// The line.
    pub name: String,
    /// What it was made of in the end.
    pub made: crate::line::Properties,
    /// The part of its inertia that is taken away from what it ends at.
    pub compensated: f64,
    /// How far its ends were apart at most beyond what they were apart at the start, where that is known.
    pub gap: Option<f64>,
    /// When that was.
    pub time: SimTime,
    /// From one end to the other at the start: each may count its positions from elsewhere.
    pub(crate) origin: [f64; 3],
}

impl LineAccount {
    pub(crate) fn new(line: &crate::plan::Line) -> Self {
        LineAccount {
            name: line.name.clone(),
            made: line.properties,
            compensated: 0.0,
            gap: None,
            time: SimTime::PAST,
            origin: [0.0; 3],
        }
    }

    /// Takes notice of the way from one end to the other.
    pub(crate) fn note_gap(&mut self, way: [f64; 3], time: SimTime) {
        let beyond = way
            .iter()
            .zip(self.origin)
            .map(|(now, then)| (now - then).powi(2));
        let gap = beyond.sum::<f64>().sqrt();
        if self.gap.is_none_or(|largest| gap > largest) {
            (self.gap, self.time) = (Some(gap), time);
        }
    }
}

impl Resumable for LineAccount {
    fn keep(&self, writer: &mut Writer) {
        writer.boolean(self.gap.is_some());
        writer.real(self.gap.unwrap_or_default());
        writer.time(self.time);
        self.origin.iter().for_each(|place| writer.real(*place));
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "gaps of lines";
        let known = reader.boolean(WHAT)?;
        self.gap = Some(reader.size(WHAT)?).filter(|_| known);
        self.time = reader.time(WHAT)?;
        for place in &mut self.origin {
            *place = reader.real(WHAT)?;
        }
        Ok(())
    }
}

/// What a leader was told to expect of a follower, against what that computed.
#[derive(Clone, PartialEq, Debug)]
pub struct PredictionAccount {
    /// The interaction.
    pub name: String,
    /// Which number of it.
    pub component: String,
    /// How often both were compared.
    pub compared: u64,
    /// How often they were too far apart.
    pub exceeded: u64,
    /// What was predicted where they were furthest apart.
    pub predicted: f64,
    /// What was computed there.
    pub computed: f64,
    /// When that was.
    pub time: SimTime,
    /// When the coupling was first found unstable.
    pub unstable: Option<SimTime>,
}

impl PredictionAccount {
    fn new(interaction: &Interaction) -> Self {
        PredictionAccount {
            name: interaction.name.clone(),
            component: interaction.component.clone(),
            compared: 0,
            exceeded: 0,
            predicted: 0.0,
            computed: 0.0,
            time: SimTime::PAST,
            unstable: None,
        }
    }

    /// How far they were apart at most.
    pub fn largest(&self) -> f64 {
        (self.predicted - self.computed).abs()
    }
}

/// Collects warnings: the first of a kind at a place is kept, the others are counted.
#[derive(Clone, Debug, Default)]
pub struct Monitor {
    warnings: Vec<Warning>,
    loops: Vec<LoopAccount>,
    predictions: Vec<PredictionAccount>,
}

impl Monitor {
    /// With what another one has collected.
    pub(crate) fn of(
        warnings: Vec<Warning>,
        loops: Vec<LoopAccount>,
        predictions: Vec<PredictionAccount>,
    ) -> Self {
        Monitor {
            warnings,
            loops,
            predictions,
        }
    }

    /// Notices something; `message` is made only the first time.
    pub fn notice(
        &mut self,
        kind: WarningKind,
        place: &str,
        time: SimTime,
        message: impl FnOnce() -> String,
    ) {
        if let Some(known) = self
            .warnings
            .iter_mut()
            .find(|w| w.kind == kind && w.place == place)
        {
            known.count += 1;
            return;
        }
        let message = message();
        tracing::warn!(place, time = time.seconds(), "{message}");
        self.warnings.push(Warning {
            kind,
            place: place.to_owned(),
            time,
            message,
            count: 1,
        });
    }

    /// A loop of outputs was solved.
    pub fn solved(&mut self, outputs: &[String], time: SimTime, rounds: u32, residual: f64) {
        let index = self.loops.iter().position(|l| l.outputs == outputs);
        let index = index.unwrap_or_else(|| {
            tracing::info!(rounds, residual, "solved the loop of {}", outputs.join(", "));
            self.loops.push(LoopAccount {
                outputs: outputs.to_vec(),
                solved: 0,
                rounds: 0,
                residual: 0.0,
                time,
            });
            self.loops.len() - 1
        });
        let account = &mut self.loops[index];
        account.solved += 1;
        account.rounds += u64::from(rounds);
        if residual > account.residual {
            account.residual = residual;
            account.time = time;
        }
    }

    /// A leader was told to expect something of one of all interactions, and something was computed.
    pub(crate) fn predicted(
        &mut self,
        (all, index): (&[Interaction], usize),
        (predicted, computed): (f64, f64),
        time: SimTime,
        (exceeds, unstable): (bool, bool),
    ) {
        if self.predictions.len() != all.len() {
            self.predictions = all.iter().map(PredictionAccount::new).collect();
        }
        let account = &mut self.predictions[index];
        account.compared += 1;
        account.exceeded += u64::from(exceeds);
        if account.compared == 1 || (predicted - computed).abs() > account.largest() {
            (account.predicted, account.computed, account.time) = (predicted, computed, time);
        }
        if unstable {
            account.unstable.get_or_insert(time);
        }
    }

    /// What leaders were told to expect so far, against what came.
    pub fn predictions(&self) -> &[PredictionAccount] {
        &self.predictions
    }

    /// The loops that were solved so far.
    pub fn loops(&self) -> &[LoopAccount] {
        &self.loops
    }

    /// Everything noticed so far.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
