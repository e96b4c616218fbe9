//! What was watched inside the last step.

use crate::participant::{Failure, Outcome, StepRequest, Trace, Watch};
use crate::planes::{Extent, Planes, PlanesMut};
use crate::time::SimTime;

/// Instants and the bound outputs at each of them. Memory is used again and again.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    extent: Extent,
    instants: Vec<SimTime>,
    /// For each instant: was it a law of an input that ended there, and no step of the solver?
    forced: Vec<bool>,
    /// Row after row.
    rows: Planes,
}

impl Recording {
    /// Of outputs of this extent.
    pub fn new(extent: Extent) -> Self {
        Recording {
            extent,
            ..Recording::default()
        }
    }

    /// A new step begins.
    pub fn clear(&mut self) {
        self.instants.clear();
        self.forced.clear();
    }

    /// Was nothing seen yet?
    pub fn is_empty(&self) -> bool {
        self.instants.is_empty()
    }

    /// The next instant that a request wants to see of the way that led to `now`; of `now` itself only if it is `settled`, and
    /// no event is to come there.
    #[inline]
    pub fn wanted(&self, request: &StepRequest<'_>, now: f64, settled: bool) -> Option<f64> {
        match request.watch {
            Watch::Nothing => None,
            Watch::InnerSteps => {
                let last = self.instants.last().map(|t| t.seconds());
                (settled && last != Some(now)).then_some(now)
            }
            Watch::Instants(instants) => {
                let next = instants.get(self.instants.len())?.seconds();
                let ends = now == request.to.seconds();
                (next < now || (settled && (next <= now || ends))).then_some(next)
            }
        }
    }

    /// The row at `t`, where the solver may have been forced to stop, to be filled with outputs.
    pub fn push(&mut self, (t, forced): (f64, bool)) -> PlanesMut<'_> {
        let index = self.instants.len();
        self.instants.push(SimTime::from_seconds(t));
        self.forced.push(forced);
        self.row(index)
    }

    fn row(&mut self, index: usize) -> PlanesMut<'_> {
        let Recording { extent, rows, .. } = self;
        PlanesMut {
            reals: row(&mut rows.reals, index, extent.reals),
            integers: row(&mut rows.integers, index, extent.integers),
            booleans: row(&mut rows.booleans, index, extent.booleans),
            bytes: row(&mut rows.bytes, index, extent.bytes),
        }
    }
}

impl Trace for Recording {
    fn instants(&self) -> &[SimTime] {
        &self.instants
    }

    fn is_forced(&self, index: usize) -> bool {
        self.forced.get(index).is_some_and(|forced| *forced)
    }

    fn point(&mut self, index: usize, mut values: PlanesMut<'_>) -> Outcome<()> {
        if index >= self.instants.len() {
            return Err(Failure::failed(format!(
                "there is no point number {index}; {} were watched in the last step",
                self.instants.len()
            )));
        }
        values.copy_from(self.row(index).view());
        Ok(())
    }
}

/// One row of a plane, which is made longer if it ends before.
fn row<T: Clone + Default>(plane: &mut Vec<T>, index: usize, width: usize) -> &mut [T] {
    let span = index * width..(index + 1) * width;
    if plane.len() < span.end {
        plane.resize(span.end, T::default());
    }
    &mut plane[span]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::Inputs;

    fn at(seconds: f64) -> SimTime {
        SimTime::from_seconds(seconds)
    }

    /// What is seen of a way over a step with one inner step, and an event at its end.
    fn seen(watch: Watch<'_>) -> Vec<f64> {
        let request = StepRequest {
            from: at(0.0),
            to: at(2.0),
            inputs: Inputs::default(),
            watch,
        };
        let mut recording = Recording::new(Extent {
            reals: 1,
            ..Extent::default()
        });
        for (now, settled) in [(1.0, true), (1.0, true), (2.0, false), (2.0, true)] {
            while let Some(t) = recording.wanted(&request, now, settled) {
                recording.push((t, false)).reals[0] = 10.0 * t;
            }
        }
        let instants: Vec<f64> = recording.instants().iter().map(|t| t.seconds()).collect();
        for (index, t) in instants.iter().enumerate() {
            let mut row = Planes::new(recording.extent);
            recording.point(index, row.view_mut()).unwrap();
            assert_eq!(row.reals, [10.0 * t]);
        }
        instants
    }

    #[test]
    fn a_request_sees_what_it_asks_for_and_nothing_twice() {
        assert_eq!(seen(Watch::Nothing), [0.0; 0]);
        assert_eq!(seen(Watch::InnerSteps), [1.0, 2.0]);
        let instants = [0.5, 1.0, 1.5, 2.0 + f64::EPSILON].map(at);
        assert_eq!(seen(Watch::Instants(&instants)), instants.map(SimTime::seconds));
    }
}
