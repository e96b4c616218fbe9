//! Requests, answered one by one.

use crate::copies::{Copies, Saved};
use crate::wire::{
    Flags, Header, Kind, Malformed, Message, Reader, Standing, StepHead, StepInputs, Watched, read_binding,
    read_planes, read_settings, read_window, write_end, write_planes,
};
use cardan_core::interface::{Interface, PortId};
use cardan_core::participant::{Failure, Outcome, Participant, Slot, StepEnd, StepRequest};
use cardan_core::planes::{Extent, Planes};
use cardan_core::time::SimTime;

/// What is needed to answer; all memory is used again for the next request.
pub(super) struct Desk {
    pub(super) message: Message,
    pub(super) terminated: bool,
    interface: Interface,
    inputs: Extent,
    /// Inputs as they came with a request, and room for outputs.
    given: Planes,
    values: Planes,
    /// Directions and slopes of the inputs, and what comes out.
    along: Vec<f64>,
    change: Vec<f64>,
    head: StepHead,
    segments: StepInputs,
    room: Planes,
    /// Where states are kept that the participant does not save itself.
    copies: Option<Copies>,
}

impl Desk {
    pub(super) fn new(interface: Interface, copies: Option<Copies>) -> Self {
        Desk {
            message: Message::default(),
            terminated: false,
            interface,
            inputs: Extent::default(),
            given: Planes::default(),
            values: Planes::default(),
            along: Vec::new(),
            change: Vec::new(),
            head: StepHead::default(),
            segments: StepInputs::default(),
            room: Planes::default(),
            copies,
        }
    }

    /// Answers a request: the reply is in the message, unless the participant failed.
    pub(super) fn answer(
        &mut self,
        participant: &mut dyn Participant,
        header: &Header,
        payload: &[u8],
    ) -> Result<Outcome<()>, Malformed> {
        let mut reader = Reader::new(payload);
        let outcome = match header.kind {
            Kind::Step => {
                self.head
                    .read(header.flags, payload, self.inputs, &mut self.segments)?;
                return Ok(self.step(participant, header.sequence));
            }
            Kind::Outputs => {
                let at = reader.time()?;
                read_planes(&mut reader, self.given.view_mut())?;
                reader.finish()?;
                participant.outputs(at, &self.given, self.values.view_mut())
            }
            Kind::Bind => {
                let (inputs, outputs) = read_binding(&self.interface, &mut reader)?;
                reader.finish()?;
                self.bind(&inputs, &outputs);
                let looked = self.copies.as_mut().map_or(Ok(()), Copies::look_around);
                looked.and_then(|()| participant.bind(&inputs, &outputs))
            }
            Kind::BeginInitialization => {
                let window = read_window(&mut reader)?;
                let settings = read_settings(&self.interface, &mut reader)?;
                reader.finish()?;
                participant.begin_initialization(&window, &settings)
            }
            Kind::FinishInitialization => participant.finish_initialization(),
            Kind::SetParameters => {
                let at = reader.time()?;
                let settings = read_settings(&self.interface, &mut reader)?;
                reader.finish()?;
                participant.set_parameters(at, &settings)
            }
            Kind::ShareEvents => participant.share_events(),
            Kind::Terminate => {
                self.terminated = true;
                participant.terminate()
            }
            Kind::Save | Kind::Restore | Kind::Export | Kind::Import => {
                return self.state(participant, header, reader);
            }
            Kind::Directional | Kind::Tangent | Kind::Slopes => {
                let at = reader.time()?;
                read_planes(&mut reader, self.given.view_mut())?;
                if header.kind != Kind::Tangent {
                    self.along.resize(self.inputs.reals, 0.0);
                    reader.reals(&mut self.along)?;
                }
                reader.finish()?;
                self.derive(participant, header.kind, at)
            }
            Kind::OutputsBefore => {
                let at = reader.time()?;
                match participant.past() {
                    Some(past) => past.outputs_before(at, self.values.view_mut()),
                    None => cannot("tell its outputs before the start"),
                }
            }
            Kind::EnterEvents | Kind::UpdateEvents | Kind::LeaveEvents => {
                return self.events(participant, header, reader);
            }
            other => {
                return Err(Malformed::Unexpected {
                    expected: "a request",
                    found: other as u16,
                });
            }
        };
        Ok(outcome.map(|()| self.reply(participant, header, Flags::default())))
    }

    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) {
        let of = |ids: &[PortId]| {
            let ports = ids.iter().filter_map(|id| self.interface.ports.get(id.index()));
            Extent::of(ports)
        };
        let (inputs, outputs) = (of(inputs), of(outputs));
        self.inputs = inputs;
        self.given = Planes::new(inputs);
        self.values = Planes::new(outputs);
        self.room = Planes::new(outputs);
        self.segments = StepInputs::default();
    }

    /// How the participant stands, and what else belongs to the reply of this kind.
    fn reply(&mut self, participant: &mut dyn Participant, header: &Header, flags: Flags) {
        let standing = self.standing(participant);
        let flags = Flags(standing.flags().0 | flags.0);
        let mut writer = self.message.reply(header.kind, flags, header.sequence);
        standing.write(&mut writer);
        match header.kind {
            Kind::Outputs | Kind::OutputsBefore => write_planes(self.values.view(), &mut writer),
            Kind::Directional | Kind::Tangent | Kind::Slopes => {
                writer.reals(&self.change);
            }
            _ => {}
        }
    }

    fn standing(&self, participant: &mut dyn Participant) -> Standing {
        let mut standing = Standing::of(participant);
        if let Some(copies) = &self.copies {
            standing.effort = copies.effort(standing.effort);
        }
        standing
    }

    fn step(&mut self, participant: &mut dyn Participant, sequence: u64) -> Outcome<()> {
        if let Some(at) = self.head.accepted {
            participant.accepted(at);
        }
        let inputs = self.segments.inputs();
        let request = StepRequest {
            from: self.head.from,
            to: self.head.to,
            inputs,
            watch: self.head.watch(),
        };
        let end = match participant.own_steps().filter(|_| self.head.own) {
            Some(steps) => steps.step_once(request),
            None => participant.step(request),
        }?;
        let stands_at = match end {
            StepEnd::Completed => Some(self.head.to),
            StepEnd::Early { at } | StepEnd::Terminate { at } => Some(at),
            StepEnd::Rejected { .. } => None,
        };
        let along = stands_at.filter(|_| self.head.outputs);
        if let Some(at) = along {
            // No output reacts to them, but the contract wants inputs.
            for (index, real) in self.given.reals.iter_mut().enumerate() {
                *real = inputs.real(index, at);
            }
            let held = inputs.held_after(at);
            if !held.integers.is_empty() || !held.booleans.is_empty() || !held.bytes.is_empty() {
                self.given.integers.copy_from_slice(held.integers);
                self.given.booleans.copy_from_slice(held.booleans);
                self.given.bytes.clone_from_slice(held.bytes);
            }
            participant.outputs(at, &self.given, self.values.view_mut())?;
        }
        let standing = self.standing(participant);
        let flags = standing.flags().with(Flags::OUTPUTS, along.is_some());
        let mut writer = self.message.reply(Kind::Step, flags, sequence);
        standing.write(&mut writer);
        let mut trace = participant.trace();
        let watched = trace.as_ref().map_or(0, |trace| trace.instants().len());
        write_end(end, watched, &mut writer);
        if along.is_some() {
            write_planes(self.values.view(), &mut writer);
        }
        match trace.as_mut() {
            Some(trace) if watched > 0 => Watched::write(*trace, &mut self.room, &mut writer),
            _ => Ok(()),
        }
    }

    fn state(
        &mut self,
        participant: &mut dyn Participant,
        header: &Header,
        mut reader: Reader<'_>,
    ) -> Result<Outcome<()>, Malformed> {
        let slot = reader.u32("a slot")? as usize;
        let mut exported = Vec::new();
        let bytes = match header.kind {
            Kind::Import => reader.blob("a state")?,
            _ => &[],
        };
        reader.finish()?;
        if let Some(copies) = &mut self.copies {
            let copied = copied(copies, participant, header, slot);
            return Ok(copied.map(|(kind, sequence)| {
                let standing = self.standing(participant);
                let mut writer = self.message.reply(kind, standing.flags(), sequence);
                standing.write(&mut writer);
            }));
        }
        let outcome = match (participant.rollback(), header.kind) {
            (None, _) => cannot("go back to a saved state"),
            (Some(rollback), Kind::Save) => rollback.save(slot),
            (Some(rollback), Kind::Restore) => rollback.restore(slot),
            (Some(rollback), kind) => match rollback.portable() {
                None => cannot("give its saved states away"),
                Some(portable) if kind == Kind::Export => portable.export(slot, &mut exported),
                Some(portable) => portable.import(slot, bytes),
            },
        };
        Ok(outcome.map(|()| {
            let standing = self.standing(participant);
            let mut writer = self.message.reply(header.kind, standing.flags(), header.sequence);
            standing.write(&mut writer);
            if header.kind == Kind::Export {
                writer.blob(&exported);
            }
        }))
    }

    fn derive(&mut self, participant: &mut dyn Participant, kind: Kind, at: SimTime) -> Outcome<()> {
        let (rows, columns) = (self.values.reals.len(), self.inputs.reals);
        self.change.clear();
        self.change.resize(rows, 0.0);
        if kind == Kind::Slopes {
            return match participant.slopes() {
                Some(slopes) => slopes.slopes(at, &self.given, &self.along, &mut self.change),
                None => cannot("tell how fast its outputs change"),
            };
        }
        let Some(derivatives) = participant.derivatives() else {
            return cannot("tell how its outputs react to its inputs");
        };
        if kind == Kind::Directional {
            return derivatives.directional(at, &self.given, &self.along, &mut self.change);
        }
        let mut column = vec![0.0; rows];
        self.change.resize(rows * columns, 0.0);
        for index in 0..columns {
            self.along.clear();
            self.along.resize(columns, 0.0);
            if let Some(one) = self.along.get_mut(index) {
                *one = 1.0;
            }
            derivatives.directional(at, &self.given, &self.along, &mut column)?;
            let cells = self.change.iter_mut().skip(index).step_by(columns);
            for (cell, value) in cells.zip(&column) {
                *cell = *value;
            }
        }
        Ok(())
    }

    fn events(
        &mut self,
        participant: &mut dyn Participant,
        header: &Header,
        mut reader: Reader<'_>,
    ) -> Result<Outcome<()>, Malformed> {
        let at = reader.time()?;
        reader.finish()?;
        let outcome = match (participant.events(), header.kind) {
            (None, _) => cannot("act while time stands still"),
            (Some(events), Kind::EnterEvents) => events.enter(at).map(|()| false),
            (Some(events), Kind::LeaveEvents) => events.leave(at).map(|()| false),
            (Some(events), _) => events.update(at),
        };
        Ok(outcome.map(|again| {
            self.reply(participant, header, Flags::default().with(Flags::AGAIN, again));
        }))
    }
}

/// Saves or restores by copies of this process. Returns the kind and the number of the request to answer, which is
/// another one if this is a copy that has just woken up.
fn copied(
    copies: &mut Copies,
    participant: &mut dyn Participant,
    header: &Header,
    slot: Slot,
) -> Outcome<(Kind, u64)> {
    let spent = participant.effort();
    match header.kind {
        Kind::Save => match copies.save(slot, spent)? {
            Saved::Kept => Ok((Kind::Save, header.sequence)),
            Saved::Restored { sequence, kept } => kept.map(|()| (Kind::Restore, sequence)),
        },
        Kind::Restore => Err(copies.restore(slot, header.sequence, spent)),
        _ => Err(Failure::failed(
            "Its saved states are sleeping processes, which cannot be written to a file.",
        )
        .advise("checkpoints need models that save their state themselves")),
    }
}

/// Asked for something that was not offered.
#[cold]
fn cannot<T>(what: &str) -> Outcome<T> {
    Err(Failure::failed(format!("This participant cannot {what}.")))
}
