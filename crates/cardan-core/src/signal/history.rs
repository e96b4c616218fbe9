//! The short history of a participant's outputs.

use super::reading::Point;
use super::view::Signal;
use crate::planes::{Extent, Planes, PlanesMut, PlanesRef};
use crate::time::SimTime;

/// Points that the widest reading rule looks at.
pub(super) const WIDEST_READING: usize = 3;

/// The latest published points of one participant: times, and for each time a row of all bound outputs.
///
/// Points leave at the old end once they are settled and no reading can need them, so a run keeps a handful of them and
/// allocates only while the handful still grows.
///
/// In the order of declaration, from the beginning of a cache line: what every step touches is in the first one.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct History {
    /// A ring of a power of two slots, each a time followed by the reals of the row: what is read together lies
    /// together. Point `i` is in slot `(first + i) & mask`.
    points: Vec<f64>,
    stride: usize,
    mask: usize,
    first: usize,
    len: usize,
    /// Are there just reals, without slopes?
    plain: bool,
    extent: Extent,
    /// Everything but reals, slot by slot. Rarely there, so it is kept out of the way of what is read at every step.
    discrete: Box<Planes>,
    /// Empty unless slopes are kept; NaN where one is unknown.
    slopes: Box<[f64]>,
}

impl History {
    /// An empty history for rows of that extent.
    pub fn new(extent: Extent) -> Self {
        History::with_capacity(extent, WIDEST_READING + 1)
    }

    /// `capacity` is a power of two.
    fn with_capacity(extent: Extent, capacity: usize) -> Self {
        let stride = 1 + extent.reals;
        History {
            extent,
            points: vec![0.0; capacity * stride],
            discrete: Box::new(Planes::new(Extent {
                reals: 0,
                integers: extent.integers * capacity,
                booleans: extent.booleans * capacity,
                bytes: extent.bytes * capacity,
            })),
            slopes: Box::default(),
            plain: !extent.has_discrete(),
            stride,
            mask: capacity - 1,
            first: 0,
            len: 0,
        }
    }

    /// Keeps slopes beside the values from now on.
    #[must_use]
    pub fn with_slopes(mut self) -> Self {
        self.slopes = vec![f64::NAN; (self.mask + 1) * self.extent.reals].into();
        self.plain = false;
        self
    }

    /// A history of one real signal from points, oldest first.
    pub fn of_points(points: &[(f64, f64)]) -> Self {
        let mut history = History::new(Extent {
            reals: 1,
            ..Extent::default()
        });
        for &(time, value) in points {
            history.publish(SimTime::from_seconds(time), SimTime::PAST).reals[0] = value;
        }
        history
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Is there no point yet?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The size of a row.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// The time of the latest point.
    #[inline]
    pub fn latest(&self) -> SimTime {
        match self.len {
            0 => SimTime::PAST,
            len => self.time(len - 1),
        }
    }

    /// The time of point `index`, the oldest being 0.
    #[inline]
    pub fn time(&self, index: usize) -> SimTime {
        SimTime::from_seconds(self.points[self.slot(index) * self.stride])
    }

    /// The row of point `index`.
    #[inline]
    pub fn row(&self, index: usize) -> PlanesRef<'_> {
        let slot = self.slot(index);
        let e = &self.extent;
        let reals = &self.points[slot * self.stride + 1..][..e.reals];
        if !e.has_discrete() {
            return PlanesRef {
                reals,
                ..PlanesRef::default()
            };
        }
        PlanesRef {
            reals,
            integers: &self.discrete.integers[slot * e.integers..][..e.integers],
            booleans: &self.discrete.booleans[slot * e.booleans..][..e.booleans],
            bytes: &self.discrete.bytes[slot * e.bytes..][..e.bytes],
        }
    }

    /// The latest row.
    pub fn latest_row(&self) -> PlanesRef<'_> {
        self.row(self.len.saturating_sub(1))
    }

    /// The reals of the latest row.
    #[inline]
    pub fn latest_reals(&self) -> &[f64] {
        let slot = self.slot(self.len.wrapping_sub(1));
        &self.points[slot * self.stride..][1..self.stride]
    }

    /// The time and the reals of the latest point; there must be one.
    #[inline]
    pub(crate) fn latest_point(&self) -> (SimTime, &[f64]) {
        let place = self.slot(self.len.wrapping_sub(1)) * self.stride;
        match self.points[place..place + self.stride].split_first() {
            Some((time, reals)) => (SimTime::from_seconds(*time), reals),
            None => (SimTime::PAST, &[]),
        }
    }

    /// Adds a point at `at`, later than all others, and hands out its row to be filled. A point at exactly the
    /// latest time is written anew: its outputs are evaluated again with fresher inputs. Nothing before `settled`
    /// will be read again, so points that only matter before it may go.
    #[inline(always)]
    pub fn publish(&mut self, at: SimTime, settled: SimTime) -> PlanesMut<'_> {
        let slot = self.claim(at, settled);
        if self.plain {
            return PlanesMut {
                reals: &mut self.points[slot * self.stride..][1..self.stride],
                ..PlanesMut::default()
            };
        }
        let e = self.extent;
        let reals = &mut self.points[slot * self.stride + 1..][..e.reals];
        if !e.has_discrete() {
            return PlanesMut {
                reals,
                ..PlanesMut::default()
            };
        }
        PlanesMut {
            reals,
            integers: &mut self.discrete.integers[slot * e.integers..][..e.integers],
            booleans: &mut self.discrete.booleans[slot * e.booleans..][..e.booleans],
            bytes: &mut self.discrete.bytes[slot * e.bytes..][..e.bytes],
        }
    }

    /// The slot for a point at `at`.
    #[inline(always)]
    fn claim(&mut self, at: SimTime, settled: SimTime) -> usize {
        if self.len == 0 || self.latest() != at {
            debug_assert!(self.len == 0 || at > self.latest());
            if self.len > self.mask {
                self.make_room(settled);
            }
            self.len += 1;
            let slot = self.slot(self.len - 1);
            self.points[slot * self.stride] = at.seconds();
            if !self.plain && !self.slopes.is_empty() {
                self.slopes[slot * self.extent.reals..][..self.extent.reals].fill(f64::NAN);
            }
        }
        self.slot(self.len - 1)
    }

    /// The slopes of the latest point; empty where slopes are not kept.
    pub fn latest_slopes(&self) -> &[f64] {
        if self.slopes.is_empty() || self.len == 0 {
            return &[];
        }
        let slot = self.slot(self.len - 1);
        &self.slopes[slot * self.extent.reals..][..self.extent.reals]
    }

    /// The slopes of the latest point, to be filled; empty where slopes are not kept.
    pub fn latest_slopes_mut(&mut self) -> &mut [f64] {
        if self.slopes.is_empty() || self.len == 0 {
            return &mut [];
        }
        let slot = self.slot(self.len - 1);
        &mut self.slopes[slot * self.extent.reals..][..self.extent.reals]
    }

    /// Drops the points after `time`.
    pub fn rewind(&mut self, time: SimTime) {
        while self.len > 0 && self.latest() > time {
            self.len -= 1;
        }
    }

    /// Drops all points.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The signal of one real output element.
    pub fn signal(&self, column: usize) -> Signal<'_> {
        Signal::new(self, column)
    }

    /// The index of the latest point at or before `time`, or the oldest there is.
    #[inline]
    pub fn index_at(&self, time: SimTime) -> usize {
        let mut index = self.len.saturating_sub(1);
        while index > 0 && self.time(index) > time {
            index -= 1;
        }
        index
    }

    #[inline]
    pub(super) fn slot(&self, index: usize) -> usize {
        (self.first + index) & self.mask
    }

    #[inline]
    pub(super) fn real(&self, index: usize, column: usize) -> f64 {
        self.points[self.slot(index) * self.stride + 1 + column]
    }

    pub(super) fn point(&self, index: usize, column: usize) -> Point {
        let slot = self.slot(index);
        let slope = self.slopes.get(slot * self.extent.reals + column);
        Point {
            time: self.points[slot * self.stride],
            value: self.points[slot * self.stride + 1 + column],
            slope: slope.copied().unwrap_or(f64::NAN),
        }
    }

    /// Frees the oldest slot if its point is settled and beyond the reach of all readings, else doubles the ring.
    #[inline]
    fn make_room(&mut self, settled: SimTime) {
        if self.time(WIDEST_READING) <= settled {
            self.first = self.slot(1);
            self.len -= 1;
        } else {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let mut grown = History::with_capacity(self.extent, 2 * (self.mask + 1));
        if !self.slopes.is_empty() {
            grown = grown.with_slopes();
        }
        let old = std::mem::replace(self, grown);
        for index in 0..old.len {
            self.publish(old.time(index), SimTime::PAST)
                .copy_from(old.row(index));
            if !old.slopes.is_empty() {
                let n = self.extent.reals;
                let slopes = &old.slopes[old.slot(index) * n..][..n];
                self.latest_slopes_mut().copy_from_slice(slopes);
            }
        }
    }
}
