//! What a participant can do beyond stepping, over the line.

use super::Remote;
use crate::wire::{Abilities, Flags, Kind, read_planes, write_planes};
use cardan_core::participant::{
    Derivatives, EventMode, Failure, Outcome, Past, Portable, Rollback, Slopes, Slot, Trace,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::time::SimTime;

/// Slots are few and small numbers; four bytes are plenty.
fn number(slot: Slot) -> Outcome<u32> {
    u32::try_from(slot).map_err(|_| Failure::failed(format!("There is no slot {slot}.")))
}

impl Rollback for Remote {
    fn save(&mut self, slot: Slot) -> Outcome<()> {
        let slot = number(slot)?;
        // The state stays what it is, and with it what is known.
        self.channel.ask(Kind::Save, |writer| {
            writer.u32(slot);
        })?;
        (self.standing, ()) = self.channel.reply(|_| Ok(()))?;
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        let slot = number(slot)?;
        self.plain(Kind::Restore, |writer| {
            writer.u32(slot);
        })
    }

    fn portable(&mut self) -> Option<&mut dyn Portable> {
        self.abilities.has(Abilities::PORTABLE).then_some(self as _)
    }
}

impl Portable for Remote {
    fn export(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Outcome<()> {
        let slot = number(slot)?;
        self.channel.ask(Kind::Export, |writer| {
            writer.u32(slot);
        })?;
        (self.standing, ()) = self.channel.reply(|reader| {
            bytes.extend_from_slice(reader.blob("a state")?);
            Ok(())
        })?;
        Ok(())
    }

    fn import(&mut self, slot: Slot, bytes: &[u8]) -> Outcome<()> {
        let slot = number(slot)?;
        self.channel.ask(Kind::Import, |writer| {
            writer.u32(slot).blob(bytes);
        })?;
        (self.standing, ()) = self.channel.reply(|_| Ok(()))?;
        Ok(())
    }
}

impl EventMode for Remote {
    fn pending(&self) -> bool {
        self.standing.pending
    }

    fn enter(&mut self, at: SimTime) -> Outcome<()> {
        self.plain(Kind::EnterEvents, |writer| {
            writer.time(at);
        })
    }

    fn update(&mut self, at: SimTime) -> Outcome<bool> {
        self.plain(Kind::UpdateEvents, |writer| {
            writer.time(at);
        })?;
        Ok(self.channel.flags().has(Flags::AGAIN))
    }

    fn leave(&mut self, at: SimTime) -> Outcome<()> {
        self.plain(Kind::LeaveEvents, |writer| {
            writer.time(at);
        })
    }
}

impl Remote {
    /// How all bound real outputs react to all bound real inputs, in one message: a row for each output.
    pub fn tangent(&mut self, at: SimTime, inputs: &Planes) -> Outcome<&[f64]> {
        let known = &mut self.tangent;
        if !(known.holds && known.at == at && known.inputs == *inputs) {
            known.holds = false;
            self.channel.ask(Kind::Tangent, |writer| {
                writer.time(at);
                write_planes(inputs.view(), writer);
            })?;
            known.matrix.resize(self.outputs.reals * self.inputs.reals, 0.0);
            let matrix = &mut known.matrix;
            (self.standing, ()) = self.channel.reply(|reader| reader.reals(matrix))?;
            (known.at, known.holds) = (at, true);
            known.inputs.clone_from(inputs);
        }
        Ok(&self.tangent.matrix)
    }
}

impl Derivatives for Remote {
    fn directional(
        &mut self,
        at: SimTime,
        inputs: &Planes,
        direction: &[f64],
        change: &mut [f64],
    ) -> Outcome<()> {
        if self.abilities.has(Abilities::DIRECTIONAL) {
            self.channel.ask(Kind::Directional, |writer| {
                writer.time(at);
                write_planes(inputs.view(), writer);
                writer.reals(direction);
            })?;
            (self.standing, ()) = self.channel.reply(|reader| reader.reals(change))?;
            return Ok(());
        }
        let matrix = self.tangent(at, inputs)?;
        let rows = matrix.chunks_exact(direction.len().max(1));
        for (change, row) in change.iter_mut().zip(rows) {
            *change = row
                .iter()
                .zip(direction)
                .map(|(slope, along)| slope * along)
                .sum();
        }
        Ok(())
    }
}

impl Slopes for Remote {
    fn slopes(
        &mut self,
        at: SimTime,
        inputs: &Planes,
        input_slopes: &[f64],
        slopes: &mut [f64],
    ) -> Outcome<()> {
        self.channel.ask(Kind::Slopes, |writer| {
            writer.time(at);
            write_planes(inputs.view(), writer);
            writer.reals(input_slopes);
        })?;
        (self.standing, ()) = self.channel.reply(|reader| reader.reals(slopes))?;
        Ok(())
    }
}

impl Trace for Remote {
    fn instants(&self) -> &[SimTime] {
        self.watched.instants()
    }

    fn point(&mut self, index: usize, mut values: PlanesMut<'_>) -> Outcome<()> {
        let point = self.watched.point(index);
        let point = point.ok_or_else(|| Failure::failed(format!("Nothing was watched at index {index}.")))?;
        values.copy_from(point.view());
        Ok(())
    }
}

impl Past for Remote {
    fn outputs_before(&mut self, at: SimTime, values: PlanesMut<'_>) -> Outcome<()> {
        self.channel.ask(Kind::OutputsBefore, |writer| {
            writer.time(at);
        })?;
        (self.standing, ()) = self.channel.reply(|reader| read_planes(reader, values))?;
        Ok(())
    }
}
