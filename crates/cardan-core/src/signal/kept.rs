//! Signals as bytes, for checkpoints.

use super::{Curve, History, Segment};
use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use crate::time::SimTime;

/// A window is not among it: checkpoints are of accepted points, where no stretch is going to be repeated.
impl Resumable for History {
    fn keep(&self, writer: &mut Writer) {
        let extent = self.extent();
        writer.length(self.len());
        for index in 0..self.len() {
            writer.time(self.time(index));
            writer.planes(&self.row(index).to_planes());
            for column in 0..extent.reals {
                // Not a number where slopes are not kept.
                writer.real(self.point(index, column).slope);
            }
            writer.time(self.promised(index));
        }
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "points of signals";
        let extent = self.extent();
        let mut row = crate::planes::Planes::new(extent);
        let mut before = SimTime::PAST;
        self.clear();
        for _ in 0..reader.length(48, WHAT)? {
            let at = reader.time(WHAT)?;
            if at <= before {
                return Err(Damage::Nonsense { what: WHAT });
            }
            before = at;
            reader.replace(&mut row, WHAT)?;
            self.publish(at, SimTime::PAST).copy_from(row.view());
            let kept = self.latest_slopes_mut().len();
            for column in 0..extent.reals {
                let slope = reader.real(WHAT)?;
                if column < kept {
                    self.latest_slopes_mut()[column] = slope;
                }
            }
            self.hold_until(reader.time(WHAT)?);
        }
        Ok(())
    }
}

impl Segment {
    /// Writes the law down.
    pub(crate) fn keep(&self, writer: &mut Writer) {
        writer.time(self.until);
        writer.time(self.origin);
        let (is_arc, numbers) = match self.curve {
            Curve::Polynomial(coefficients) => (false, coefficients),
            Curve::Arc { cosine, sine, rate } => (true, [cosine, sine, rate, 0.0]),
        };
        writer.boolean(is_arc);
        numbers.iter().for_each(|number| writer.real(*number));
    }

    /// The law that was written down.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Damage> {
        const WHAT: &str = "pieces of signals";
        let (until, origin) = (reader.time(WHAT)?, reader.time(WHAT)?);
        let is_arc = reader.boolean(WHAT)?;
        let mut numbers = [0.0; 4];
        for number in &mut numbers {
            *number = reader.real(WHAT)?;
        }
        let curve = match (is_arc, numbers) {
            (false, coefficients) => Curve::Polynomial(coefficients),
            (true, [cosine, sine, rate, _]) => Curve::Arc { cosine, sine, rate },
        };
        Ok(Segment { until, origin, curve })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planes::Extent;
    use crate::signal::Reading;

    fn through_bytes(history: &History, into: &mut History) {
        let mut writer = Writer::new();
        history.keep(&mut writer);
        let bytes = writer.into_bytes();
        let mut reader = Reader::new(&bytes);
        into.resume(&mut reader).unwrap();
        reader.end().unwrap();
    }

    #[test]
    fn points_slopes_promises_and_texts_come_back() {
        let extent = Extent {
            reals: 1,
            bytes: 1,
            ..Extent::default()
        };
        let mut history = History::new(extent).with_slopes();
        for k in 0..9 {
            let at = SimTime::from_seconds(f64::from(k));
            let row = history.publish(at, SimTime::PAST);
            row.reals[0] = f64::from(k * k);
            row.bytes[0].extend_from_slice(&[k as u8]);
            history.latest_slopes_mut()[0] = f64::from(2 * k);
            if k == 4 || k == 8 {
                history.hold_until(SimTime::from_seconds(f64::from(k) + 0.75));
            }
        }
        let mut again = History::new(extent).with_slopes();
        // What it held before is forgotten.
        again.publish(SimTime::from_seconds(77.0), SimTime::PAST).reals[0] = 1.0;
        through_bytes(&history, &mut again);
        assert_eq!(again.len(), 9);
        assert_eq!(again.row(4).bytes[0], [4]);
        for index in 0..9 {
            assert_eq!(again.promised(index), history.promised(index));
        }
        for t in [3.25, 8.5] {
            let read = |h: &History| h.signal(0).read(Reading::Hermite, SimTime::from_seconds(t));
            assert_eq!(read(&again).to_bits(), read(&history).to_bits());
        }
    }

    #[test]
    fn points_out_of_order_are_refused() {
        let mut writer = Writer::new();
        writer.length(2);
        for _ in 0..2 {
            writer.time(SimTime::from_seconds(1.0));
            writer.planes(&crate::planes::Planes {
                reals: vec![0.0],
                ..Default::default()
            });
            writer.real(f64::NAN);
            writer.time(SimTime::PAST);
        }
        let bytes = writer.into_bytes();
        let mut history = History::of_points(&[]);
        let refused = history.resume(&mut Reader::new(&bytes));
        assert_eq!(
            refused,
            Err(Damage::Nonsense {
                what: "points of signals"
            })
        );
    }

    #[test]
    fn laws_come_back() {
        let laws = [
            Segment::polynomial([1.0, 2.0, 3.0, 4.0], SimTime::PAST, SimTime::FUTURE),
            Segment {
                curve: Curve::Arc {
                    cosine: 0.5,
                    sine: 0.25,
                    rate: 3.0,
                },
                ..Segment::constant(0.0, SimTime::default())
            },
        ];
        for law in laws {
            let mut writer = Writer::new();
            law.keep(&mut writer);
            assert_eq!(Segment::read(&mut Reader::new(&writer.into_bytes())), Ok(law));
        }
    }
}
