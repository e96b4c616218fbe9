//! A step and how it ended.

use super::header::{Flags, Kind};
use super::malformed::Malformed;
use super::planes::{read_planes, smallest, write_planes};
use super::reader::Reader;
use super::segments::{Counts, StepInputs, has_arcs, write_inputs};
use super::standing::Standing;
use super::writer::{Message, Writer, said};
use cardan_core::participant::{StepEnd, StepRequest, Trace, Watch};
use cardan_core::planes::{Extent, Planes, PlanesMut};
use cardan_core::time::SimTime;

/// Writes a whole request to step. `accepted` is an instant before which nothing will be asked for again, if that is
/// news; `wishes` ask for the outputs at the end, or for one step of the participant's own.
pub fn write_step(
    message: &mut Message,
    sequence: u64,
    request: &StepRequest<'_>,
    accepted: Option<SimTime>,
    wishes: Flags,
) {
    let arcs = has_arcs(&request.inputs);
    let flags = wishes.with(Flags::ARCS, arcs);
    let mut writer = message.begin(Kind::Step, flags, sequence);
    let (watch, instants): (u32, &[SimTime]) = match request.watch {
        Watch::Nothing => (0, &[]),
        Watch::Instants(instants) => (1, instants),
        Watch::InnerSteps => (2, &[]),
    };
    let counts = Counts::of(&request.inputs);
    let times = [request.from, request.to, accepted.unwrap_or(SimTime::PAST)];
    let [segments, ends, held] = counts.numbers();
    let numbers = [watch, said(instants.len()), segments, ends, held];
    // One block: every step has it, and each piece of its own would ask for room.
    let mut head = [0; 3 * 8 + 5 * 4];
    let (times_at, numbers_at) = head.split_at_mut(3 * 8);
    for (place, time) in times_at.as_chunks_mut::<8>().0.iter_mut().zip(times) {
        *place = time.seconds().to_le_bytes();
    }
    for (place, number) in numbers_at.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
        *place = number.to_le_bytes();
    }
    writer.bytes(&head);
    for &instant in instants {
        writer.time(instant);
    }
    write_inputs(&request.inputs, counts, arcs, &mut writer);
}

/// What a request to step says besides the inputs.
#[derive(Debug, Default)]
pub struct StepHead {
    /// Where the participant stands.
    pub from: SimTime,
    /// Where it is to go.
    pub to: SimTime,
    /// Nothing before this will be asked for again.
    pub accepted: Option<SimTime>,
    /// Are the outputs at the end wanted?
    pub outputs: bool,
    /// Is one step of the participant's own wanted, up to there at most?
    pub own: bool,
    watch: u32,
    instants: Vec<SimTime>,
}

impl StepHead {
    /// What of the inside of the step is wanted.
    pub fn watch(&self) -> Watch<'_> {
        match self.watch {
            1 => Watch::Instants(&self.instants),
            2 => Watch::InnerSteps,
            _ => Watch::Nothing,
        }
    }

    /// Reads a request, its inputs into `inputs`.
    pub fn read(
        &mut self,
        flags: Flags,
        payload: &[u8],
        extent: Extent,
        inputs: &mut StepInputs,
    ) -> Result<(), Malformed> {
        let mut reader = Reader::new(payload);
        self.from = reader.time()?;
        self.to = reader.time()?;
        let accepted = reader.time()?;
        self.accepted = (accepted != SimTime::PAST).then_some(accepted);
        self.outputs = flags.has(Flags::OUTPUTS);
        self.own = flags.has(Flags::OWN_STEP);
        self.watch = reader.u32("what to watch")?;
        if self.watch > 2 {
            return Err(Malformed::Unknown {
                what: "way to watch a step",
                number: self.watch.into(),
            });
        }
        let count = reader.count(8, "the number of watched instants")?;
        let counts = Counts::read(&mut reader)?;
        self.instants.clear();
        for _ in 0..count {
            self.instants.push(reader.time()?);
        }
        inputs.read(extent, flags, counts, &mut reader)?;
        reader.finish()
    }
}

/// Writes how a step ended and how many watched instants follow.
pub fn write_end(end: StepEnd, watched: usize, writer: &mut Writer<'_>) {
    let (number, at, advice) = match end {
        StepEnd::Completed => (0, SimTime::PAST, None),
        StepEnd::Early { at } => (1, at, None),
        StepEnd::Rejected { reached, advice } => (2, reached, advice),
        StepEnd::Terminate { at } => (3, at, None),
    };
    writer.u32(number).count(watched).time(at);
    writer.f64(advice.unwrap_or(f64::NAN));
}

/// Reads how a step ended and how many watched instants follow.
#[inline]
pub fn read_end(reader: &mut Reader<'_>) -> Result<(StepEnd, usize), Malformed> {
    let number = reader.u32("the end of a step")?;
    let watched = reader.u32("the number of watched instants")? as usize;
    let at = reader.time()?;
    let advice = reader.f64("an advised step")?;
    let end = match number {
        0 => StepEnd::Completed,
        1 => StepEnd::Early { at },
        2 => StepEnd::Rejected {
            reached: at,
            advice: (!advice.is_nan()).then_some(advice),
        },
        3 => StepEnd::Terminate { at },
        other => {
            return Err(Malformed::Unknown {
                what: "end of a step",
                number: other.into(),
            });
        }
    };
    Ok((end, watched))
}

/// The inside of a step as it arrived.
#[derive(Debug, Default)]
pub struct Watched {
    instants: Vec<SimTime>,
    /// More of these may be kept than there are instants.
    points: Vec<Planes>,
}

impl Watched {
    /// Nothing was watched.
    pub fn clear(&mut self) {
        self.instants.clear();
    }

    /// The watched instants.
    pub fn instants(&self) -> &[SimTime] {
        &self.instants
    }

    /// The outputs at one of them.
    pub fn point(&self, index: usize) -> Option<&Planes> {
        self.points.get(..self.instants.len())?.get(index)
    }

    /// Reads `count` instants and the outputs at each.
    pub fn read(&mut self, count: usize, extent: Extent, reader: &mut Reader<'_>) -> Result<(), Malformed> {
        self.instants.clear();
        if count > reader.left() / 8 {
            return Err(Malformed::CutOff("the watched instants"));
        }
        for _ in 0..count {
            self.instants.push(reader.time()?);
        }
        for index in 0..count {
            if self.points.len() == index {
                // Values that have not arrived get no room.
                if reader.left() < smallest(extent) {
                    self.instants.clear();
                    return Err(Malformed::CutOff("the watched outputs"));
                }
                self.points.push(Planes::new(extent));
            }
            if let Some(point) = self.points.get_mut(index) {
                read_planes(reader, point.view_mut())?;
            }
        }
        Ok(())
    }

    /// Writes the instants that a participant of this process kept and the outputs at each, by way of `room`.
    pub fn write(
        trace: &mut dyn Trace,
        room: &mut Planes,
        writer: &mut Writer<'_>,
    ) -> cardan_core::participant::Outcome<()> {
        let count = trace.instants().len();
        for index in 0..count {
            if let Some(&instant) = trace.instants().get(index) {
                writer.time(instant);
            }
        }
        for index in 0..count {
            trace.point(index, room.view_mut())?;
            write_planes(room.view(), writer);
        }
        Ok(())
    }
}

/// A reply to a step, read into what the caller keeps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StepReply {
    /// How the participant stands.
    pub standing: Standing,
    /// How the step ended.
    pub end: StepEnd,
    /// Did the outputs come along?
    pub outputs: bool,
}

impl StepReply {
    /// Reads the reply: outputs, if they came along, into `outputs`, and what was watched into `watched`.
    pub fn read(
        flags: Flags,
        payload: &[u8],
        extent: Extent,
        outputs: PlanesMut<'_>,
        watched: &mut Watched,
    ) -> Result<StepReply, Malformed> {
        let mut reader = Reader::new(payload);
        let standing = Standing::read(flags, &mut reader)?;
        let (end, count) = read_end(&mut reader)?;
        let has_outputs = flags.has(Flags::OUTPUTS);
        if has_outputs {
            read_planes(&mut reader, outputs)?;
        }
        watched.read(count, extent, &mut reader)?;
        reader.finish()?;
        Ok(StepReply {
            standing,
            end,
            outputs: has_outputs,
        })
    }
}
