//! Saved states: what they keep of events, and how they become bytes.
//!
//! Numbers are in little-endian order, lists have their lengths before them.

use cardan_core::participant::{Failure, Outcome, Slot};
use cardan_core::planes::Planes;
use cardan_core::time::{Grid, SimTime};

use crate::clocks::Rhythm;
use crate::discrete::Told;

/// The first bytes, with the version of this layout.
const MARK: &[u8; 8] = b"cardFMU1";

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

/// There is nothing to go back to.
pub(crate) fn empty(slot: Slot) -> Failure {
    Failure::failed(format!("no state was saved in slot {slot}"))
}

pub(crate) struct Writer<'a>(&'a mut Vec<u8>);

impl<'a> Writer<'a> {
    pub(crate) fn begin(bytes: &'a mut Vec<u8>) -> Self {
        bytes.extend_from_slice(MARK);
        Writer(bytes)
    }

    pub(crate) fn integer(&mut self, value: i64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn real(&mut self, value: f64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn boolean(&mut self, value: bool) {
        self.0.push(u8::from(value));
    }

    pub(crate) fn bytes(&mut self, value: &[u8]) {
        self.integer(value.len() as i64);
        self.0.extend_from_slice(value);
    }

    pub(crate) fn planes(&mut self, planes: &Planes) {
        self.integer(planes.reals.len() as i64);
        planes.reals.iter().for_each(|v| self.real(*v));
        self.integer(planes.integers.len() as i64);
        planes.integers.iter().for_each(|v| self.integer(*v));
        self.integer(planes.booleans.len() as i64);
        planes.booleans.iter().for_each(|v| self.boolean(*v));
        self.integer(planes.bytes.len() as i64);
        planes.bytes.iter().for_each(|v| self.bytes(v));
    }

    pub(crate) fn told(&mut self, told: &Told) {
        self.planes(&told.values);
        self.boolean(told.any);
    }

    fn instant(&mut self, instant: Option<SimTime>) {
        self.boolean(instant.is_some());
        self.real(instant.unwrap_or_default().seconds());
    }

    pub(crate) fn events(&mut self, events: Option<&Kept>) {
        self.boolean(events.is_some());
        let Some(events) = events else {
            return;
        };
        self.boolean(events.inside);
        self.boolean(events.raised);
        self.boolean(events.terminating);
        self.instant(events.next);
        self.integer(events.rhythms.len() as i64);
        for rhythm in &events.rhythms {
            match rhythm {
                Rhythm::Unknown => self.integer(0),
                Rhythm::Periodic(grid, next) => {
                    self.integer(1);
                    self.real(grid.at(0).seconds());
                    self.real(grid.step());
                    self.integer(*next);
                }
                Rhythm::Once(at) => {
                    self.integer(2);
                    self.instant(*at);
                }
            }
        }
    }
}

pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn begin(bytes: &'a [u8]) -> Outcome<Self> {
        bytes.strip_prefix(MARK).map(Reader).ok_or_else(broken)
    }

    fn take(&mut self, count: usize) -> Outcome<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(broken)?;
        self.0 = rest;
        Ok(taken)
    }

    fn word(&mut self) -> Outcome<[u8; 8]> {
        self.take(8)?.try_into().map_err(|_| broken())
    }

    pub(crate) fn integer(&mut self) -> Outcome<i64> {
        Ok(i64::from_le_bytes(self.word()?))
    }

    pub(crate) fn real(&mut self) -> Outcome<f64> {
        Ok(f64::from_le_bytes(self.word()?))
    }

    pub(crate) fn time(&mut self) -> Outcome<SimTime> {
        Ok(SimTime::from_seconds(self.real()?))
    }

    pub(crate) fn boolean(&mut self) -> Outcome<bool> {
        Ok(self.take(1)? != [0])
    }

    pub(crate) fn bytes(&mut self) -> Outcome<&'a [u8]> {
        let count = self.count()?;
        self.take(count)
    }

    /// A length, which cannot be more than there are bytes.
    fn count(&mut self) -> Outcome<usize> {
        let count = usize::try_from(self.integer()?).map_err(|_| broken())?;
        if count > self.0.len() {
            Err(broken())
        } else {
            Ok(count)
        }
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Outcome<T>) -> Outcome<Vec<T>> {
        (0..self.count()?).map(|_| read(self)).collect()
    }

    pub(crate) fn planes(&mut self) -> Outcome<Planes> {
        Ok(Planes {
            reals: self.list(Self::real)?,
            integers: self.list(Self::integer)?,
            booleans: self.list(Self::boolean)?,
            bytes: self.list(|reader| Ok(reader.bytes()?.to_vec()))?,
        })
    }

    pub(crate) fn told(&mut self) -> Outcome<Told> {
        Ok(Told {
            values: self.planes()?,
            any: self.boolean()?,
        })
    }

    fn instant(&mut self) -> Outcome<Option<SimTime>> {
        let (known, at) = (self.boolean()?, self.time()?);
        Ok(known.then_some(at))
    }

    pub(crate) fn events(&mut self) -> Outcome<Option<Kept>> {
        if !self.boolean()? {
            return Ok(None);
        }
        Ok(Some(Kept {
            inside: self.boolean()?,
            raised: self.boolean()?,
            terminating: self.boolean()?,
            next: self.instant()?,
            rhythms: self.list(Self::rhythm)?,
        }))
    }

    fn rhythm(&mut self) -> Outcome<Rhythm> {
        Ok(match self.integer()? {
            0 => Rhythm::Unknown,
            1 => {
                let (first, step) = (self.time()?, self.real()?);
                if !(step > 0.0 && step.is_finite()) {
                    return Err(broken());
                }
                Rhythm::Periodic(Grid::new(first, step), self.integer()?)
            }
            2 => Rhythm::Once(self.instant()?),
            _ => return Err(broken()),
        })
    }

    pub(crate) fn end(self) -> Outcome<()> {
        if self.0.is_empty() { Ok(()) } else { Err(broken()) }
    }
}

fn broken() -> Failure {
    Failure::failed("the bytes are no saved state of an FMU, or of another version")
}
