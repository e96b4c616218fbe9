//! Whether what is foretold of a signal, point after point, still has to do with it.

use crate::checkpoint::{Damage, Reader, Resumable, Writer};

/// Of what a judgement rests on, so much is left after each further point.
const MEMORY: f64 = 1.0 - 1.0 / 32.0;
/// A few points that are off are blows, not a judgement.
const ENOUGH: f64 = 8.0;
/// Predictions that are off by more than this part of the values themselves, as roots of mean squares over the last
/// points, lead nowhere.
pub(crate) const ASTRAY: f64 = 0.5;

/// How far off predictions were lately.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Judgement {
    /// Squares of what was off by more than is allowed, and of the values.
    off: f64,
    size: f64,
    /// How many were off.
    count: f64,
}

impl Judgement {
    /// Takes one more point into account, by the squares of what it was off and of its value. Are predictions astray?
    pub(crate) fn enter(&mut self, off: f64, size: f64, exceeds: bool) -> bool {
        let counted = if exceeds { 1.0 } else { 0.0 };
        self.off = MEMORY * self.off + counted * off;
        self.size = MEMORY * self.size + size;
        self.count = MEMORY * self.count + counted;
        self.count >= ENOUGH && self.off > ASTRAY * ASTRAY * self.size
    }

    /// The sum of the squares of the values, as far as they are remembered.
    pub(crate) fn size(&self) -> f64 {
        self.size
    }
}

impl Resumable for Judgement {
    fn keep(&self, writer: &mut Writer) {
        for number in [self.off, self.size, self.count] {
            writer.real(number);
        }
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        for number in [&mut self.off, &mut self.size, &mut self.count] {
            *number = reader.real("predictions")?;
        }
        Ok(())
    }
}
