//! Saved states: what they keep of events, and how they become bytes.

use cardan_core::checkpoint::{Damage, Reader, Writer};
use cardan_core::planes::Planes;
use cardan_core::shell::Layout;
use cardan_core::time::{Grid, SimTime};

use crate::clocks::Rhythm;
use crate::discrete::Told;

pub(crate) const LAYOUT: Layout = Layout {
    mark: *b"cardFMU1",
    of: "an FMU",
};

const TOLD: &str = "values that the FMU was told";
const EVENTS: &str = "events";

/// What a saved state keeps of events.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Kept {
    /// Time stands still.
    pub(crate) inside: bool,
    /// An event waits.
    pub(crate) raised: bool,
    /// The FMU has asked for the end.
    pub(crate) terminating: bool,
    /// Its next event in time.
    pub(crate) next: Option<SimTime>,
    /// When its clocks tick.
    pub(crate) rhythms: Vec<Rhythm>,
}

/// Without new memory where there is some of the right size.
pub(crate) fn copy(from: &Planes, to: &mut Planes) {
    if same_sizes(from, to) {
        to.view_mut().copy_from(from.view());
    } else {
        *to = from.clone();
    }
}

/// Could one be a copy of the other?
pub(crate) fn same_sizes(one: &Planes, other: &Planes) -> bool {
    let sizes = |p: &Planes| (p.reals.len(), p.integers.len(), p.booleans.len(), p.bytes.len());
    sizes(one) == sizes(other)
}

impl Told {
    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.planes(&self.values);
        writer.boolean(self.any);
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Damage> {
        Ok(Told {
            values: reader.planes(TOLD)?,
            any: reader.boolean(TOLD)?,
        })
    }
}

impl Kept {
    /// Some FMUs have no events of which something could be kept.
    pub(crate) fn write(kept: Option<&Self>, writer: &mut Writer) {
        writer.boolean(kept.is_some());
        let Some(kept) = kept else {
            return;
        };
        writer.boolean(kept.inside);
        writer.boolean(kept.raised);
        writer.boolean(kept.terminating);
        write_instant(kept.next, writer);
        writer.length(kept.rhythms.len());
        kept.rhythms.iter().for_each(|rhythm| rhythm.write(writer));
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Option<Self>, Damage> {
        if !reader.boolean(EVENTS)? {
            return Ok(None);
        }
        Ok(Some(Kept {
            inside: reader.boolean(EVENTS)?,
            raised: reader.boolean(EVENTS)?,
            terminating: reader.boolean(EVENTS)?,
            next: read_instant(reader)?,
            rhythms: reader.list(8, EVENTS, Rhythm::read)?,
        }))
    }
}

impl Rhythm {
    fn write(&self, writer: &mut Writer) {
        match self {
            Rhythm::Unknown => writer.integer(0),
            Rhythm::Periodic(grid, next) => {
                writer.integer(1);
                writer.time(grid.at(0));
                writer.real(grid.step());
                writer.integer(*next);
            }
            Rhythm::Once(at) => {
                writer.integer(2);
                write_instant(*at, writer);
            }
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, Damage> {
        let nonsense = Err(Damage::Nonsense { what: EVENTS });
        match reader.integer(EVENTS)? {
            0 => Ok(Rhythm::Unknown),
            1 => {
                let (first, step) = (reader.time(EVENTS)?, reader.real(EVENTS)?);
                if !(step > 0.0 && step.is_finite()) {
                    return nonsense;
                }
                Ok(Rhythm::Periodic(Grid::new(first, step), reader.integer(EVENTS)?))
            }
            2 => read_instant(reader).map(Rhythm::Once),
            _ => nonsense,
        }
    }
}

fn write_instant(instant: Option<SimTime>, writer: &mut Writer) {
    writer.boolean(instant.is_some());
    writer.time(instant.unwrap_or_default());
}

fn read_instant(reader: &mut Reader<'_>) -> Result<Option<SimTime>, Damage> {
    let (known, at) = (reader.boolean(EVENTS)?, reader.time(EVENTS)?);
    Ok(known.then_some(at))
}
