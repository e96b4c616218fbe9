//! Inputs from a file: a participant that depends on time alone and drives what nobody else does.
//!
//! Continuous columns are lines between the rows, all others hold their last value. Where a value jumps (a discrete
//! column changes, or two rows have the same time) steps of all participants end, so that a jump is seen at its
//! instant and nowhere else: up to there readers see the value before it, from there on the one after it.

mod column;
mod match_up;

pub(crate) use match_up::attach;

use cardan_core::checkpoint::{Damage, Reader, Writer};
use cardan_core::interface::{Interface, PortId};
use cardan_core::participant::{
    EventMode, Outcome, Participant, Past, Portable, Rollback, RunWindow, Settings, Slot, StepEnd,
    StepRequest,
};
use cardan_core::planes::{Extent, Planes, PlanesMut};
use cardan_core::shell::Slots;
use cardan_core::time::SimTime;
use column::{Column, Side};

/// Drives inputs from the columns of a table.
struct InputFile {
    interface: Interface,
    times: Vec<f64>,
    /// By port, for each element.
    columns: Vec<Vec<Column>>,
    /// Instants at which something jumps.
    jumps: Vec<f64>,
    bound: Vec<PortId>,
    now: Now,
    saved: Slots<Now>,
}

/// Where it stands.
#[derive(Clone, Copy, Default)]
struct Now {
    time: f64,
    /// How many jumps lie behind it.
    passed: usize,
}

impl InputFile {
    /// `columns` are those of the interface's ports; all have a value for each time, and there is one at least.
    fn new(mut interface: Interface, times: Vec<f64>, columns: Vec<Vec<Column>>) -> Self {
        let jumps = jumps(&times, &columns);
        interface.foretold = true;
        InputFile {
            interface,
            times,
            columns,
            jumps,
            bound: Vec::new(),
            now: Now::default(),
            saved: Slots::default(),
        }
    }

    /// How many jumps lie at or before `time`.
    fn jumps_to(&self, time: f64) -> usize {
        self.jumps.partition_point(|&jump| jump <= time)
    }

    fn write(&self, time: f64, side: Side, mut values: PlanesMut<'_>) {
        let mut extent = Extent::default();
        for id in &self.bound {
            let first = extent.place(&self.interface.ports[id.index()]);
            for (element, column) in self.columns[id.index()].iter().enumerate() {
                column.write(&self.times, time, side, first + element, &mut values);
            }
        }
    }
}

fn jumps(times: &[f64], columns: &[Vec<Column>]) -> Vec<f64> {
    let jumps_at = |row: usize| {
        let mut all = columns.iter().flatten();
        all.any(|column| column.jumps_at(row, times))
    };
    let mut jumps: Vec<f64> = (1..times.len())
        .filter(|&row| jumps_at(row))
        .map(|row| times[row])
        .collect();
    jumps.dedup();
    jumps
}

impl Participant for InputFile {
    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn bind(&mut self, _inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        self.bound = outputs.to_vec();
        Ok(())
    }

    fn begin_initialization(&mut self, run: &RunWindow, _settings: &Settings) -> Outcome<()> {
        let time = run.start.seconds();
        self.now = Now {
            time,
            passed: self.jumps_to(time),
        };
        Ok(())
    }

    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        self.now = Now {
            time: request.to.seconds(),
            passed: self.jumps_to(request.from.seconds()),
        };
        Ok(StepEnd::Completed)
    }

    fn outputs(&mut self, at: SimTime, _inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        let side = if self.pending() { Side::Before } else { Side::After };
        self.write(at.seconds(), side, values);
        Ok(())
    }

    fn set_parameters(&mut self, _at: SimTime, _changes: &Settings) -> Outcome<()> {
        Ok(())
    }

    fn next_instant(&self) -> Option<SimTime> {
        let ahead = self.jumps.get(self.now.passed)?;
        Some(SimTime::from_seconds(*ahead))
    }

    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn events(&mut self) -> Option<&mut dyn EventMode> {
        if self.jumps.is_empty() { None } else { Some(self) }
    }

    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        Some(self)
    }

    fn past(&mut self) -> Option<&mut dyn Past> {
        Some(self)
    }
}

impl EventMode for InputFile {
    fn pending(&self) -> bool {
        self.jumps_to(self.now.time) > self.now.passed
    }

    fn enter(&mut self, _at: SimTime) -> Outcome<()> {
        self.now.passed = self.jumps_to(self.now.time);
        Ok(())
    }

    fn update(&mut self, _at: SimTime) -> Outcome<bool> {
        Ok(false)
    }

    fn leave(&mut self, _at: SimTime) -> Outcome<()> {
        Ok(())
    }
}

impl Past for InputFile {
    fn outputs_before(&mut self, at: SimTime, values: PlanesMut<'_>) -> Outcome<()> {
        self.write(at.seconds(), Side::After, values);
        Ok(())
    }
}

impl Rollback for InputFile {
    fn save(&mut self, slot: Slot) -> Outcome<()> {
        self.saved.put(slot, self.now);
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        self.now = *self.saved.get(slot)?;
        Ok(())
    }

    fn portable(&mut self) -> Option<&mut dyn Portable> {
        Some(self)
    }
}

impl Portable for InputFile {
    fn export(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Outcome<()> {
        let &Now { time, passed } = self.saved.get(slot)?;
        let mut writer = Writer::new();
        writer.real(time);
        writer.length(passed);
        bytes.extend_from_slice(&writer.into_bytes());
        Ok(())
    }

    fn import(&mut self, slot: Slot, bytes: &[u8]) -> Outcome<()> {
        let now = self.read_state(bytes)?;
        self.saved.put(slot, now);
        Ok(())
    }
}

impl InputFile {
    fn read_state(&self, bytes: &[u8]) -> Result<Now, Damage> {
        const WHAT: &str = "rows of the table";
        let mut reader = Reader::new(bytes);
        let time = reader.time(WHAT)?.seconds();
        let passed = reader.count(WHAT)?;
        reader.end()?;
        match usize::try_from(passed) {
            Ok(passed) if passed <= self.jumps.len() => Ok(Now { time, passed }),
            _ => Err(Damage::Nonsense { what: WHAT }),
        }
    }
}
