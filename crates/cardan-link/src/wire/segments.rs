//! The inputs over a step, read into memory that is used again and again.

use super::header::Flags;
use super::malformed::Malformed;
use super::planes::{read_planes, smallest, write_planes};
use super::reader::Reader;
use super::writer::{Writer, said};
use cardan_core::inputs::{HeldInputs, Inputs};
use cardan_core::planes::{Extent, Planes};
use cardan_core::signal::{Curve, Segment};
use cardan_core::time::SimTime;

/// Bytes of a segment.
const SEGMENT: usize = 48;

/// How many segments, ends and held values follow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    segments: usize,
    ends: usize,
    held: usize,
}

impl Counts {
    pub(super) fn of(inputs: &Inputs<'_>) -> Self {
        if let Some(segments) = inputs.one_each() {
            return Counts {
                segments: segments.len(),
                ends: 0,
                held: 0,
            };
        }
        let segments = (0..inputs.reals())
            .map(|index| inputs.segments(index).len())
            .sum();
        Counts {
            segments,
            // One each is the usual case and needs no list.
            ends: if segments == inputs.reals() {
                0
            } else {
                inputs.reals()
            },
            held: inputs.held().len(),
        }
    }

    /// As they are written.
    pub(super) fn numbers(&self) -> [u32; 3] {
        [self.segments, self.ends, self.held].map(said)
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Counts {
            segments: reader.count(SEGMENT, "the number of segments")?,
            ends: reader.count(4, "the number of inputs with several segments")?,
            held: reader.count(8, "the number of held inputs")?,
        })
    }
}

/// Does any input turn on an arc?
pub(super) fn has_arcs(inputs: &Inputs<'_>) -> bool {
    match inputs.one_each() {
        Some(segments) => segments.iter().any(is_arc),
        None => (0..inputs.reals())
            .flat_map(|index| inputs.segments(index))
            .any(is_arc),
    }
}

fn is_arc(segment: &Segment) -> bool {
    matches!(segment.curve, Curve::Arc { .. })
}

/// One block for each segment: the usual step is made of little else.
#[inline]
fn block(segment: &Segment) -> [u8; SEGMENT] {
    let [a, b, c, d] = match segment.curve {
        Curve::Polynomial(coefficients) => coefficients,
        Curve::Arc { cosine, sine, rate } => [cosine, sine, rate, 0.0],
    };
    let numbers = [segment.until.seconds(), segment.origin.seconds(), a, b, c, d];
    let mut block = [0; SEGMENT];
    for (place, number) in block.as_chunks_mut::<8>().0.iter_mut().zip(numbers) {
        *place = number.to_le_bytes();
    }
    block
}

pub(super) fn write_inputs(inputs: &Inputs<'_>, counts: Counts, arcs: bool, writer: &mut Writer<'_>) {
    if let Some(segments) = inputs.one_each() {
        let places = writer.room(SEGMENT * segments.len()).as_chunks_mut::<SEGMENT>().0;
        for (place, segment) in places.iter_mut().zip(segments) {
            *place = block(segment);
        }
        if arcs {
            for segment in segments {
                writer.u8(is_arc(segment).into());
            }
        }
        return;
    }
    if counts.ends > 0 {
        let mut end = 0;
        for index in 0..counts.ends {
            end += inputs.segments(index).len();
            writer.count(end);
        }
    }
    let all = || (0..inputs.reals()).flat_map(|index| inputs.segments(index));
    all().for_each(|segment| {
        writer.bytes(&block(segment));
    });
    if arcs {
        for segment in all() {
            writer.u8(is_arc(segment).into());
        }
    }
    for held in inputs.held() {
        writer.time(held.until);
        write_planes(held.values.view(), writer);
    }
}

/// The inputs of a step as they arrived.
#[derive(Debug, Default)]
pub struct StepInputs {
    segments: Vec<Segment>,
    ends: Vec<u32>,
    /// More of these may be kept than the present step needs.
    held: Vec<HeldInputs>,
    changes: usize,
}

impl StepInputs {
    /// To sample.
    pub fn inputs(&self) -> Inputs<'_> {
        let held = self.held.get(..self.changes).unwrap_or(&[]);
        Inputs::new(&self.segments, &self.ends, held)
    }

    /// Reads the inputs of a participant that is bound to inputs of this `extent`.
    pub(super) fn read(
        &mut self,
        extent: Extent,
        flags: Flags,
        counts: Counts,
        reader: &mut Reader<'_>,
    ) -> Result<(), Malformed> {
        self.changes = 0;
        self.read_ends(extent.reals, counts, reader)?;
        self.read_segments(flags, counts, reader)?;
        if (counts.held > 0) != extent.has_discrete() {
            return contradiction("held inputs are there though none is bound, or the other way round");
        }
        let discrete = Extent { reals: 0, ..extent };
        for index in 0..counts.held {
            let until = reader.time()?;
            if reader.left() < smallest(discrete) {
                return Err(Malformed::CutOff("held inputs"));
            }
            if self.held.len() == index {
                let values = Planes::new(discrete);
                self.held.push(HeldInputs { until, values });
            }
            if let Some(held) = self.held.get_mut(index) {
                held.until = until;
                read_planes(reader, held.values.view_mut())?;
            }
        }
        self.changes = counts.held;
        Ok(())
    }

    fn read_ends(&mut self, reals: usize, counts: Counts, reader: &mut Reader<'_>) -> Result<(), Malformed> {
        self.ends.clear();
        if counts.ends == 0 {
            return match counts.segments == reals {
                true => Ok(()),
                false => contradiction("there are not as many segments as inputs"),
            };
        }
        let mut last = 0;
        for _ in 0..counts.ends {
            let end = reader.u32("the end of a list of segments")?;
            if end <= last {
                return contradiction("an input has no segment");
            }
            last = end;
            self.ends.push(end);
        }
        match counts.ends == reals && last as usize == counts.segments {
            true => Ok(()),
            false => contradiction("the lists of segments do not match the inputs"),
        }
    }

    fn read_segments(
        &mut self,
        flags: Flags,
        counts: Counts,
        reader: &mut Reader<'_>,
    ) -> Result<(), Malformed> {
        self.segments.clear();
        let bytes = reader.bytes(SEGMENT * counts.segments, "a segment")?;
        let arcs = match flags.has(Flags::ARCS) {
            true => Some(reader.bytes(counts.segments, "the kind of a segment")?),
            false => None,
        };
        for (index, bytes) in bytes.as_chunks::<SEGMENT>().0.iter().enumerate() {
            let mut numbers = [0.0; 6];
            Reader::new(bytes).reals(&mut numbers)?;
            let [until, origin, a, b, c, d] = numbers;
            if until.is_nan() || origin.is_nan() {
                return Err(Malformed::Time);
            }
            let curve = match arcs.and_then(|kinds| kinds.get(index)) {
                None | Some(0) => Curve::Polynomial([a, b, c, d]),
                Some(_) => Curve::Arc {
                    cosine: a,
                    sine: b,
                    rate: c,
                },
            };
            self.segments.push(Segment {
                until: SimTime::from_seconds(until),
                origin: SimTime::from_seconds(origin),
                curve,
            });
        }
        Ok(())
    }
}

fn contradiction<T>(words: &str) -> Result<T, Malformed> {
    Err(Malformed::Contradiction(words.to_owned()))
}
