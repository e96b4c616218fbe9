//! Whether waves grow because an end is told its load, and told wrongly.
//!
//! Whoever does not feel a line is told a load with its own velocity as it goes on from its last points. With steps that are too
//! long for the impedance, what is told drives what it is foretold from: each point is further off than the one before, and
//! the line, which can only hand on what it is given, carries more and more.
//!
//! Growth alone is no sign, since something may well be set in motion, and being off alone is none either: blows are not foretold. But a wave
//! that grows at points of which none was foretold, doubling time and again, was made by the telling: motion that comes
//! from elsewhere is either foretold well at most of its points or does not go on growing.

use crate::astray::{ASTRAY, Judgement};
use crate::checkpoint::{Damage, Reader, Resumable, Writer};

/// So often does a runaway double. A blow into a line at rest counts once, however large it is, and makes the sum of squares
/// rise by the 32 points that are remembered: twice more. Noise that has no largest value goes a little further.
const DOUBLINGS: u32 = 8;

/// What is known of one end.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Runaway {
    judgement: Judgement,
    /// The largest sum of squares so far at which a doubling was counted, or which was foretold.
    level: f64,
    doublings: u32,
}

impl Runaway {
    /// Takes one more point into account: by how much the told load was off and how large the waves are, as squares. Do they run away?
    pub(crate) fn enter(&mut self, off: f64, size: f64) -> bool {
        let astray = self.judgement.enter(off, size, off > ASTRAY * ASTRAY * size);
        if self.judgement.size() <= 4.0 * self.level {
            return false;
        }
        self.level = self.judgement.size();
        self.doublings = if astray {
            self.doublings.saturating_add(1)
        } else {
            0
        };
        self.doublings >= DOUBLINGS
    }
}

impl Resumable for Runaway {
    fn keep(&self, writer: &mut Writer) {
        self.judgement.keep(writer);
        writer.real(self.level);
        writer.count(u64::from(self.doublings));
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "what lines were told";
        self.judgement.resume(reader)?;
        self.level = reader.real(WHAT)?;
        self.doublings = u32::try_from(reader.count(WHAT)?).map_err(|_| Damage::Nonsense { what: WHAT })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does a motion run away that is foretold by parabolas through its last three points?
    fn runs_away(points: impl Iterator<Item = f64>) -> bool {
        let mut runaway = Runaway::default();
        let points: Vec<f64> = points.collect();
        points.windows(4).fold(false, |found, w| {
            let foretold = w[0] - 3.0 * w[1] + 3.0 * w[2];
            runaway.enter((foretold - w[3]).powi(2), w[3].powi(2)) || found
        })
    }

    #[test]
    fn what_grows_and_swings_from_point_to_point_runs_away_however_slowly() {
        for factor in [1.01_f64, 1.1, 2.0, 10.0, 1e4] {
            let points = (256.0_f64.ln() / factor.ln()).ceil() as i32 + 80;
            assert!(
                runs_away((0..points.min(70_000)).map(|k| (-factor).powi(k) * 1e-9)),
                "{factor}"
            );
        }
    }

    #[test]
    fn what_is_resolved_may_grow() {
        // Sixteen points a period.
        assert!(!runs_away(
            (0..2000).map(|k| (1.01_f64).powi(k) * (f64::from(k) * 0.39).sin())
        ));
        assert!(!runs_away((0..2000).map(|k| (1.05_f64).powi(k))));
    }

    #[test]
    fn what_is_not_foretold_may_go_on() {
        // Swings at every point, without growing.
        assert!(!runs_away((0..100_000).map(|k| if k % 2 == 0 {
            1.0
        } else {
            -1.0
        })));
        // Noise at rest, then a blow that is a billion billion times as large, and noise of that size from then on.
        let mut seed = 1_u64;
        let mut noise = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let points: Vec<f64> = (0..100_000)
            .map(|k| if k < 1000 { 1e-18 * noise() } else { noise() })
            .collect();
        assert!(!runs_away(points.into_iter()));
    }
}
