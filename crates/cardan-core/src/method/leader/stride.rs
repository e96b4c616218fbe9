//! How long a step of the leader is, where steps that were predicted badly are taken back.
//!
//! What makes a prediction bad all of a sudden is a kink: a contact that closes somewhere in the step. From there on, what
//! the follower gives and what the leader felt part steadily, at a rate that the tangents tell. So the distance at the end of
//! the step says how far back the kink is, and the next try can end just behind it.

use crate::checkpoint::{Damage, Reader, Resumable, Writer};

/// Where more of the step than this lies behind the kink, there is none: the step was too long as a whole.
const ALL: f64 = 0.95;
/// Without a kink, the error is aimed at so much of what is allowed.
const SAFETY: f64 = 0.9;
/// A step that was taken back is so much shorter the next time, at least and at most.
const SHORTER: (f64, f64) = (0.95, 0.05);
/// The same where nobody knows why it was off.
const BLINDLY: f64 = 0.1;
/// After a step that was kept, the next one is at most so much longer. Behind a kink, the steps so far are then together as long
/// as the next one: it cannot jump over a contact that has closed and opens again.
const LONGER: f64 = 2.0;

/// How far off the worst prediction was.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Off {
    pub(super) by: f64,
    pub(super) allowed: f64,
    /// By how much prediction and computation would have parted, had they parted all along as they do at the end.
    pub(super) parting: Option<f64>,
}

impl Off {
    pub(super) fn is_too_far(self) -> bool {
        self.by > self.allowed
    }
}

/// The length of the next step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stride {
    pub(super) length: f64,
    least: f64,
    most: f64,
    /// After a kink, the time in which prediction and computation part by what is allowed.
    careful: Option<f64>,
}

impl Stride {
    pub(super) fn new(least: f64, most: f64) -> Self {
        Stride {
            length: most,
            least,
            most,
            careful: None,
        }
    }

    /// A step of `tried` was too far off. False if no shorter one is allowed.
    pub(super) fn shorten(&mut self, tried: f64, off: Off) -> bool {
        // A step that is shorter by a hair is the same one where it ends at a landmark.
        if tried * SHORTER.0 <= self.least {
            return false;
        }
        let behind = off.parting.map(|parting| (off.by - 0.5 * off.allowed) / parting);
        let factor = match behind.filter(|part| *part < ALL) {
            Some(part) => 1.0 - part,
            None => (SAFETY * (off.allowed / off.by).sqrt()).max(BLINDLY),
        };
        self.careful = off.parting.map(|parting| off.allowed * tried / parting);
        self.length = (tried * factor.clamp(SHORTER.1, SHORTER.0)).max(self.least);
        true
    }

    /// A step of `taken` was kept.
    pub(super) fn lengthen(&mut self, taken: f64, off: Off) {
        // Where no follower came to compute, nothing speaks against a longer one either.
        let factor = match off.by > 0.0 {
            true => SAFETY * (off.allowed / off.by).sqrt(),
            false => LONGER,
        };
        let grown = taken * factor.clamp(1.0, LONGER);
        // A step that was cut short says nothing against longer ones.
        let grown = grown.max(self.length).min(self.most);
        self.length = match self.careful.take() {
            Some(careful) => grown.min(careful.max(self.least)),
            None => grown,
        };
    }
}

impl Resumable for Stride {
    fn keep(&self, writer: &mut Writer) {
        writer.real(self.length);
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "a step";
        let length = reader.real(WHAT)?;
        if length.is_nan() || length <= 0.0 {
            return Err(Damage::Nonsense { what: WHAT });
        }
        self.length = length.max(self.least).min(self.most);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off(by: f64, parting: Option<f64>) -> Off {
        Off {
            by,
            allowed: 1.0,
            parting,
        }
    }

    /// Where shortening does not help, tries come to an end, and each is shorter than the one before by more than what a
    /// landmark makes good.
    #[test]
    fn tries_come_to_an_end() {
        for tried in [1.0, 1.0005e-6, 1.01e-6, 3e-6] {
            let mut stride = Stride::new(1e-6, 1.0);
            let (mut tried, mut tries) = (tried, 0);
            while stride.shorten(tried, off(1e9, None)) {
                assert!(stride.length < tried / 1.01 && stride.length >= 1e-6, "{tried}");
                tried = stride.length;
                tries += 1;
            }
            // A tenth each time, of six decades.
            assert!(tries <= 7, "{tries}");
        }
    }

    /// The distance at the end says where the kink is: at six tenths of the step, if follower and law have parted by 0.4 of
    /// what they would have over the whole step. The next try ends half of what is allowed behind it.
    #[test]
    fn a_kink_is_found_at_once() {
        let mut stride = Stride::new(1e-6, 1.0);
        assert!(stride.shorten(1.0, off(40.0, Some(100.0))));
        assert!((stride.length - (0.6 + 0.5 / 100.0)).abs() < 1e-12);
        // Behind it, steps begin with the time in which they would part by what is allowed.
        stride.lengthen(stride.length, off(0.5, None));
        assert!((stride.length - 0.01).abs() < 1e-12);
    }
}
