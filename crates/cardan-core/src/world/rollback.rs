//! Going back: participants that can, and what everybody knows of them.

use super::World;
use super::crew::Task;
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::participant::Slot;
use crate::time::SimTime;

/// Where everybody stood when a state was saved.
pub(super) type Standing = Vec<SimTime>;

impl World {
    /// Finds out who can go back to a saved state. Before that is known, nobody can.
    pub(super) fn find_rollback(&mut self) -> Result<(), RunError> {
        for index in 0..self.at.len() {
            let participant = ParticipantId(index as u32);
            self.repeatable[index] =
                self.call(participant, Call::Save, None, |p| Ok(p.rollback().is_some()))?;
        }
        Ok(())
    }

    /// Can a participant go back to a saved state?
    pub fn can_go_back(&self, participant: ParticipantId) -> bool {
        self.repeatable[participant.index()]
    }

    /// Those who cannot.
    pub fn one_way(&self) -> impl Iterator<Item = ParticipantId> {
        let places = self.repeatable.iter().enumerate();
        places
            .filter(|(_, can)| !**can)
            .map(|(index, _)| ParticipantId(index as u32))
    }

    /// Those who can.
    pub fn two_way(&self) -> impl Iterator<Item = ParticipantId> {
        let places = self.repeatable.iter().enumerate();
        places
            .filter(|(_, can)| **can)
            .map(|(index, _)| ParticipantId(index as u32))
    }

    /// Lets a group keep its state in a slot, and notes where it stands. All of it must be able to go back.
    pub fn save(&mut self, group: &[ParticipantId], slot: Slot) -> Result<(), RunError> {
        if self.saved.len() <= slot {
            self.saved.resize(slot + 1, vec![SimTime::PAST; self.at.len()]);
        }
        for &participant in group {
            self.saved[slot][participant.index()] = self.at[participant.index()];
        }
        self.move_states(Task::Save, group, slot)
    }

    /// Lets a group go back to the state in a slot. What it published since is forgotten. Nobody may have settled
    /// anything in between.
    pub fn restore(&mut self, group: &[ParticipantId], slot: Slot) -> Result<(), RunError> {
        self.move_states(Task::Restore, group, slot)?;
        for &participant in group {
            let index = participant.index();
            let then = self.saved[slot][index];
            self.at[index] = then;
            self.histories[index].rewind(then);
            if let Some(samples) = &mut self.samples[index] {
                samples.rewind(then);
            }
        }
        self.books.forget(group);
        self.unusual.clear();
        Ok(())
    }

    /// Takes an attempt back.
    pub fn reject(&mut self, group: &[ParticipantId], slot: Slot) -> Result<(), RunError> {
        self.rejected += 1;
        self.restore(group, slot)
    }

    /// Goes back for another round of the same step.
    pub fn repeat(&mut self, group: &[ParticipantId], slot: Slot) -> Result<(), RunError> {
        self.iterations += 1;
        self.restore(group, slot)
    }

    pub(super) fn move_states(
        &mut self,
        task: Task,
        group: &[ParticipantId],
        slot: Slot,
    ) -> Result<(), RunError> {
        for &participant in group {
            let at = self.at[participant.index()];
            let desk = self.team.desk(participant);
            (desk.slot, desk.from, desk.to) = (slot, at, at);
        }
        self.team.perform(task, group.iter().copied());
        for &participant in group {
            if self.team.desk(participant).failure.is_some() {
                return Err(self.failure(participant));
            }
        }
        Ok(())
    }
}
