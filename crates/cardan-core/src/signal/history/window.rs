//! The sweep before, while a stretch of time is repeated.
//!
//! Where components are repeated over a stretch of time, each reads the others as they were in the sweep before, as far as
//! the new sweep has not come. So rewinding to the beginning of an open window does not forget its points: they become a
//! history of their own, in which readings find what they would have found then.

use super::History;
use crate::time::SimTime;

/// A stretch of time that is repeated.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// Where it begins, while it is open.
    start: Option<SimTime>,
    /// All points as they were at the end of the last sweep, those before the window included. Empty before that. It
    /// outlives the window for the room it has: rewinding exchanges two rings and makes no new ones.
    former: History,
}

impl History {
    /// A window begins at `start`: [rewinding](History::rewind) to exactly there keeps the points since then as the former
    /// sweep. None of them may be settled before the window ends.
    pub fn begin_window(&mut self, start: SimTime) {
        self.end_window();
        match &mut self.window {
            Some(window) => window.start = Some(start),
            None => {
                let former = self.empty_alike();
                let start = Some(start);
                self.window = Some(Box::new(Window { start, former }));
            }
        }
    }

    /// The window ends, and the former sweep is forgotten.
    pub fn end_window(&mut self) {
        if let Some(window) = &mut self.window {
            window.start = None;
            window.former.len = 0;
        }
    }

    /// The signals as they were in the sweep before, up to where that came. None where no window is open, and none in its
    /// first sweep.
    pub fn former(&self) -> Option<&History> {
        let window = self.window.as_ref()?;
        (!window.former.is_empty()).then_some(&window.former)
    }

    /// Lays the points aside if `time` is the beginning of the window, and ends the window if it is before that.
    #[cold]
    pub(super) fn keep_sweep(&mut self, time: SimTime) {
        let Some(mut window) = self.window.take() else {
            return;
        };
        match window.start {
            Some(start) if time == start => {
                window.former.len = 0;
                for index in 0..self.count_while(self.len(), |at| at <= start) {
                    window.former.take_over(self, index);
                }
                std::mem::swap(self, &mut window.former);
                self.window = Some(window);
            }
            Some(start) if time > start => self.window = Some(window),
            _ => {
                self.window = Some(window);
                self.end_window();
            }
        }
    }

    /// An empty history that keeps as much of its points.
    fn empty_alike(&self) -> History {
        let alike = History::with_capacity(self.extent, self.mask as usize + 1);
        match self.slopes.is_empty() {
            true => alike,
            false => alike.with_slopes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::Reading;

    fn at(seconds: f64) -> SimTime {
        SimTime::from_seconds(seconds)
    }

    /// Sweeps over the window from 1 to 3 in quarters, with a slope of its own each.
    fn sweep(history: &mut History, slope: f64) {
        for k in 1..=8 {
            let time = 1.0 + 0.25 * f64::from(k);
            history.publish(at(time), at(1.0)).reals[0] = 1.0 + slope * (time - 1.0);
        }
    }

    fn read(history: &History, time: f64) -> f64 {
        history.signal(0).read(Reading::LINE, at(time))
    }

    #[test]
    fn the_sweep_before_stays_readable() {
        let mut history = History::of_points(&[(-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)]);
        history.begin_window(at(1.0));
        assert!(history.former().is_none());
        sweep(&mut history, 2.0);
        for slope in [3.0, 4.0, 5.0] {
            history.rewind(at(1.0));
            assert_eq!((history.len(), history.latest()), (3, at(1.0)));
            assert_eq!(
                read(&history, 2.0),
                2.0,
                "extrapolated from what is before the window"
            );
            let former = history.former().unwrap();
            assert_eq!(former.latest(), at(3.0));
            // At the end of the window, inside it, and before it.
            assert_eq!(read(former, 3.0), 1.0 + 2.0 * (slope - 1.0));
            assert_eq!(read(former, 1.125), 1.0 + 0.125 * (slope - 1.0));
            assert_eq!(read(former, 0.5), 0.5);
            sweep(&mut history, slope);
            assert_eq!(read(&history, 3.0), 1.0 + 2.0 * slope);
            assert_eq!(read(history.former().unwrap(), 3.0), 1.0 + 2.0 * (slope - 1.0));
        }
        history.end_window();
        assert!(history.former().is_none());
        assert_eq!(read(&history, 3.0), 11.0);
        history.rewind(at(2.0));
        assert!(history.former().is_none(), "no window is open");
    }

    #[test]
    fn smaller_steps_back_leave_the_former_sweep_alone() {
        let mut history = History::of_points(&[(0.0, 0.0), (1.0, 1.0)]);
        history.begin_window(at(1.0));
        sweep(&mut history, 2.0);
        history.rewind(at(1.0));
        // There is nothing to go back from.
        history.rewind(at(1.0));
        sweep(&mut history, 3.0);
        history.rewind(at(2.0));
        assert_eq!(read(&history, 2.0), 4.0);
        assert_eq!(read(history.former().unwrap(), 3.0), 5.0);
        // Farther back than to its beginning there is no window any more.
        history.rewind(at(0.0));
        assert!(history.former().is_none());
        assert_eq!(history.len(), 1);
    }

    #[test]
    fn slopes_promises_and_what_is_no_real_are_kept_with_the_sweep() {
        let extent = crate::planes::Extent {
            reals: 1,
            bytes: 1,
            ..Default::default()
        };
        let mut history = History::new(extent).with_slopes();
        let publish = |history: &mut History, time: f64, letter: u8| {
            let row = history.publish(at(time), SimTime::PAST);
            row.reals[0] = time * time;
            row.bytes[0].clear();
            row.bytes[0].push(letter);
            history.tell_slopes(&[2.0 * time]);
        };
        publish(&mut history, 0.0, b'a');
        history.hold_until(at(0.5));
        history.begin_window(at(0.0));
        publish(&mut history, 1.0, b'b');
        publish(&mut history, 2.0, b'c');
        history.rewind(at(0.0));
        assert_eq!(history.promised(0), at(0.5));
        assert_eq!(history.latest_slopes(), [0.0]);
        publish(&mut history, 1.0, b'd');
        assert_eq!(history.row(1).bytes[0], b"d");
        let former = history.former().unwrap();
        assert_eq!(
            (
                former.row(1).bytes[0].as_slice(),
                former.row(2).bytes[0].as_slice()
            ),
            (&b"b"[..], &b"c"[..])
        );
        assert_eq!(former.latest_slopes(), [4.0]);
        // The cubic is the parabola itself.
        assert_eq!(former.signal(0).read(Reading::Hermite, at(1.5)), 2.25);
    }
}
