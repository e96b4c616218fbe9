//! Reads any frame as whatever it claims to be.

use super::greeting::{Challenge, Hello, Proof, Refusal, Welcome};
use super::header::{Flags, HEADER_SIZE, Header, Kind};
use super::interface::read_interface;
use super::malformed::Malformed;
use super::planes::read_planes;
use super::reader::Reader;
use super::segments::StepInputs;
use super::settings::{read_binding, read_settings, read_window};
use super::standing::Standing;
use super::step::{StepHead, StepReply, Watched};
use super::word::{read_failure, read_log};
use super::{LARGEST_GREETING, LARGEST_PAYLOAD};
use cardan_core::interface::{Causality, Interface};
use cardan_core::planes::{Extent, Planes};
use cardan_core::time::SimTime;

/// Reads a frame between Cardan and a participant of this interface, all its ports bound. Both sides read with the same
/// functions; fuzzing goes through here.
pub fn examine(frame: &[u8], interface: &Interface) -> Result<(), Malformed> {
    let (header, payload) = frame
        .split_first_chunk::<HEADER_SIZE>()
        .ok_or(Malformed::CutOff("the header"))?;
    let header = Header::read(header, LARGEST_PAYLOAD)?;
    let payload = payload
        .get(..header.length as usize)
        .ok_or(Malformed::CutOff("the payload"))?;
    let of = |input: bool| {
        let ports = interface.ports.iter();
        Extent::of(ports.filter(|port| (port.causality == Causality::Input) == input))
    };
    let (inputs, outputs) = (of(true), of(false));
    if header.reply {
        return reply(&header, payload, outputs);
    }
    let mut reader = Reader::new(payload);
    match header.kind {
        Kind::Hello if header.length <= LARGEST_GREETING => Hello::read(payload).map(drop),
        Kind::Challenge => Challenge::read(payload).map(drop),
        Kind::Proof => Proof::read(payload).map(drop),
        Kind::Welcome => Welcome::read(payload).map(drop),
        Kind::Refuse => Refusal::read(payload).map(drop),
        Kind::Interface => read_interface(payload).map(drop),
        Kind::Log => read_log(payload).map(drop),
        Kind::Failure => read_failure(payload).map(drop),
        Kind::Bind => {
            read_binding(interface, &mut reader)?;
            reader.finish()
        }
        Kind::BeginInitialization => {
            read_window(&mut reader)?;
            read_settings(interface, &mut reader)?;
            reader.finish()
        }
        Kind::SetParameters => {
            reader.time()?;
            read_settings(interface, &mut reader)?;
            reader.finish()
        }
        Kind::Step => step(header.flags, payload, inputs),
        Kind::Outputs | Kind::Directional | Kind::Tangent | Kind::Slopes => {
            reader.time()?;
            read_planes(&mut reader, Planes::new(inputs).view_mut())?;
            if matches!(header.kind, Kind::Directional | Kind::Slopes) {
                reader.reals(&mut vec![0.0; inputs.reals])?;
            }
            reader.finish()
        }
        Kind::OutputsBefore | Kind::EnterEvents | Kind::UpdateEvents | Kind::LeaveEvents => {
            reader.time()?;
            reader.finish()
        }
        Kind::Save | Kind::Restore | Kind::Export => {
            reader.u32("a slot")?;
            reader.finish()
        }
        Kind::Import => {
            reader.u32("a slot")?;
            reader.blob("a state")?;
            reader.finish()
        }
        Kind::Hello | Kind::FinishInitialization | Kind::ShareEvents | Kind::Terminate | Kind::Goodbye => {
            reader.finish()
        }
    }
}

fn step(flags: Flags, payload: &[u8], inputs: Extent) -> Result<(), Malformed> {
    let (mut head, mut read) = (StepHead::default(), StepInputs::default());
    head.read(flags, payload, inputs, &mut read)?;
    // Sampling what was read must be safe too.
    let read = read.inputs();
    let at = SimTime::from_seconds(0.5 * (head.from.seconds() + head.to.seconds()));
    for index in 0..read.reals() {
        read.real(index, at);
    }
    read.held_after(at);
    Ok(())
}

fn reply(header: &Header, payload: &[u8], extent: Extent) -> Result<(), Malformed> {
    if header.kind == Kind::Step {
        let mut outputs = Planes::new(extent);
        let mut watched = Watched::default();
        return StepReply::read(header.flags, payload, extent, outputs.view_mut(), &mut watched).map(drop);
    }
    let mut reader = Reader::new(payload);
    Standing::read(header.flags, &mut reader)?;
    match header.kind {
        Kind::Outputs | Kind::OutputsBefore => {
            read_planes(&mut reader, Planes::new(extent).view_mut())?;
        }
        Kind::Export => {
            reader.blob("a state")?;
        }
        Kind::Directional | Kind::Slopes => reader.reals(&mut vec![0.0; extent.reals])?,
        _ => {}
    }
    reader.finish()
}
