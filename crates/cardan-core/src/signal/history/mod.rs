//! The short history of a participant's outputs.
//!
//! | file | holds |
//! | --- | --- |
//! | `mod.rs` | points: published, looked at, dropped |
//! | `find.rs` | which points lie where in time |
//! | `promises.rs` | values of which the source says that they stay |
//! | `window.rs` | the sweep before, while a stretch of time is repeated |

mod find;
mod promises;
mod window;

use super::reading::Point;
use super::view::Signal;
use crate::planes::{Extent, Planes, PlanesMut, PlanesRef};
use crate::time::SimTime;
use std::ops::{Deref, DerefMut};
use window::Window;

/// Points that the widest reading rule looks at.
pub(super) const WIDEST_READING: usize = 3;

/// The latest published points of one participant: times, and for each time a row of all bound outputs.
///
/// Points leave at the old end once they are settled and no reading can need them, so a run keeps a handful of them and
/// allocates only while the handful still grows.
///
/// In the order of declaration, from the beginning of a cache line: what every step touches lies together there.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct History {
    stride: u32,
    mask: u32,
    first: u32,
    len: u32,
    /// Are there just reals, without slopes?
    plain: bool,
    /// A ring of a power of two slots, each a time followed by the reals of the row: what is read together lies
    /// together. Point `i` is in slot `(first + i) & mask`.
    points: Points,
    extent: Extent,
    /// Everything but reals, slot by slot. Rarely there, so it is kept out of the way of what is read at every step.
    discrete: Box<Planes>,
    /// Empty unless slopes are kept; NaN where one is unknown.
    slopes: Box<[f64]>,
    /// Up to when each row stays as it is, slot by slot. Empty as long as nothing was promised.
    promises: Box<[f64]>,
    window: Option<Box<Window>>,
}

/// Room for points: that of short rows lies in the history itself, so that finding it costs no second look at memory.
#[derive(Clone, Debug)]
enum Points {
    Near([f64; NEAR]),
    Far(Box<[f64]>),
}

/// Room for four points of up to three reals.
const NEAR: usize = 16;

impl Points {
    fn new(size: usize) -> Self {
        if size <= NEAR {
            Points::Near([0.0; NEAR])
        } else {
            Points::Far(vec![0.0; size].into())
        }
    }
}

impl Deref for Points {
    type Target = [f64];

    #[inline(always)]
    fn deref(&self) -> &[f64] {
        match self {
            Points::Near(points) => points,
            Points::Far(points) => points,
        }
    }
}

impl DerefMut for Points {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f64] {
        match self {
            Points::Near(points) => points,
            Points::Far(points) => points,
        }
    }
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
            points: Points::new(capacity * stride),
            discrete: Box::new(Planes::new(Extent {
                reals: 0,
                integers: extent.integers * capacity,
                booleans: extent.booleans * capacity,
                bytes: extent.bytes * capacity,
            })),
            slopes: Box::default(),
            promises: Box::default(),
            window: None,
            plain: !extent.has_discrete(),
            stride: stride as u32,
            mask: capacity as u32 - 1,
            first: 0,
            len: 0,
        }
    }

    /// Keeps slopes beside the values from now on.
    #[must_use]
    pub fn with_slopes(mut self) -> Self {
        self.slopes = vec![f64::NAN; (self.mask as usize + 1) * self.extent.reals].into();
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
        self.len as usize
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
            _ => SimTime::from_seconds(self.points[self.place(self.newest())]),
        }
    }

    /// The time of point `index`, the oldest being 0.
    #[inline]
    pub fn time(&self, index: usize) -> SimTime {
        SimTime::from_seconds(self.points[self.place(self.slot(index))])
    }

    /// The row of point `index`.
    #[inline]
    pub fn row(&self, index: usize) -> PlanesRef<'_> {
        let slot = self.slot(index);
        let e = &self.extent;
        let reals = &self.points[self.place(slot) + 1..][..e.reals];
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
        self.row(self.len().saturating_sub(1))
    }

    /// The reals of the latest row.
    #[inline]
    pub fn latest_reals(&self) -> &[f64] {
        &self.points[self.place(self.newest())..][1..self.stride as usize]
    }

    /// The time and the reals of the latest point; there must be one.
    #[inline]
    pub(crate) fn latest_point(&self) -> (SimTime, &[f64]) {
        let place = self.place(self.newest());
        match self.points[place..place + self.stride as usize].split_first() {
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
            let (place, stride) = (self.place(slot), self.stride as usize);
            return PlanesMut {
                reals: &mut self.points[place..place + stride][1..],
                ..PlanesMut::default()
            };
        }
        let e = self.extent;
        let place = self.place(slot);
        let reals = &mut self.points[place + 1..][..e.reals];
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
        let newest = self.newest();
        let (mask, stride) = (self.mask, self.stride as usize);
        let points: &mut [f64] = &mut self.points;
        if self.len > 0 && points[newest * stride] == at.seconds() {
            return newest;
        }
        if self.len > mask {
            // The oldest point goes if it is settled and beyond the reach of all readings.
            let reach = (self.first.wrapping_add(WIDEST_READING as u32) & mask) as usize;
            if points[reach * stride] > settled.seconds() {
                self.grow();
                return self.claim_fresh(at);
            }
            self.first = self.first.wrapping_add(1) & mask;
            self.len -= 1;
        }
        self.claim_fresh(at)
    }

    /// The slot for a point that is later than all others; there must be room.
    #[inline(always)]
    fn claim_fresh(&mut self, at: SimTime) -> usize {
        debug_assert!(self.len == 0 || at > self.latest());
        self.len += 1;
        let slot = self.newest();
        let place = self.place(slot);
        self.points[place] = at.seconds();
        if !self.plain {
            self.forget_slot(slot);
        }
        slot
    }

    /// Nothing is known yet of a fresh point but its time.
    fn forget_slot(&mut self, slot: usize) {
        if !self.slopes.is_empty() {
            self.slopes[slot * self.extent.reals..][..self.extent.reals].fill(f64::NAN);
        }
        self.promise(slot, SimTime::PAST);
    }

    /// The slopes of the latest point; empty where slopes are not kept.
    pub fn latest_slopes(&self) -> &[f64] {
        if self.slopes.is_empty() || self.len == 0 {
            return &[];
        }
        let slot = self.newest();
        &self.slopes[slot * self.extent.reals..][..self.extent.reals]
    }

    /// The slopes of the latest point, to be filled; empty where slopes are not kept.
    pub fn latest_slopes_mut(&mut self) -> &mut [f64] {
        if self.slopes.is_empty() || self.len == 0 {
            return &mut [];
        }
        let slot = self.newest();
        &mut self.slopes[slot * self.extent.reals..][..self.extent.reals]
    }

    /// Takes over the slopes of the latest point, where slopes are kept. One that is not told is unknown.
    pub fn tell_slopes(&mut self, slopes: &[f64]) {
        let told = slopes.iter().copied().chain(std::iter::repeat(f64::NAN));
        for (kept, slope) in self.latest_slopes_mut().iter_mut().zip(told) {
            *kept = slope;
        }
    }

    /// Drops the points after `time`. If a window is open and begins there, they stay readable as the
    /// [former sweep](History::former).
    pub fn rewind(&mut self, time: SimTime) {
        if self.latest() <= time {
            return;
        }
        if self.window.is_some() {
            self.keep_sweep(time);
        }
        self.len = self.count_while(self.len(), |at| at <= time) as u32;
    }

    /// Drops all points but the latest.
    pub fn forget_past(&mut self) {
        while self.len > 1 {
            self.first = self.first.wrapping_add(1) & self.mask;
            self.len -= 1;
        }
    }

    /// Drops the point before the latest, if there is one before it or the latest has slopes: two that nearly coincide tell
    /// less than one.
    pub fn thin(&mut self) {
        if self.len < 3 {
            if !self.slopes.is_empty() && self.latest_slopes().iter().all(|slope| slope.is_finite()) {
                self.forget_past();
            }
            return;
        }
        let (last, before) = (self.slot(self.len() - 1), self.slot(self.len() - 2));
        let stride = self.stride as usize;
        self.points
            .copy_within(last * stride..(last + 1) * stride, before * stride);
        let e = self.extent;
        if !self.slopes.is_empty() {
            self.slopes
                .copy_within(last * e.reals..(last + 1) * e.reals, before * e.reals);
        }
        self.promise(before, self.promised_in(last));
        let discrete = &mut self.discrete;
        for column in 0..e.integers {
            discrete.integers[before * e.integers + column] = discrete.integers[last * e.integers + column];
        }
        for column in 0..e.booleans {
            discrete.booleans[before * e.booleans + column] = discrete.booleans[last * e.booleans + column];
        }
        for column in 0..e.bytes {
            discrete
                .bytes
                .swap(before * e.bytes + column, last * e.bytes + column);
        }
        self.len -= 1;
    }

    /// The reals of the latest point, to be changed; there must be one.
    pub(crate) fn latest_reals_mut(&mut self) -> &mut [f64] {
        let place = self.place(self.newest());
        &mut self.points[place..place + self.stride as usize][1..]
    }

    /// Drops all points, and ends the window.
    pub fn clear(&mut self) {
        self.len = 0;
        self.end_window();
    }

    /// The signal of one real output element.
    pub fn signal(&self, column: usize) -> Signal<'_> {
        Signal::new(self, column)
    }

    #[inline]
    pub(super) fn slot(&self, index: usize) -> usize {
        (self.first.wrapping_add(index as u32) & self.mask) as usize
    }

    /// Where the newest point lies; there must be one.
    #[inline(always)]
    fn newest(&self) -> usize {
        (self.first.wrapping_add(self.len).wrapping_sub(1) & self.mask) as usize
    }

    /// Where the numbers of a slot begin.
    #[inline(always)]
    fn place(&self, slot: usize) -> usize {
        slot * self.stride as usize
    }

    #[inline]
    pub(super) fn real(&self, index: usize, column: usize) -> f64 {
        self.points[self.place(self.slot(index)) + 1 + column]
    }

    pub(super) fn point(&self, index: usize, column: usize) -> Point {
        let slot = self.slot(index);
        let slope = self.slopes.get(slot * self.extent.reals + column);
        Point {
            time: self.points[self.place(slot)],
            value: self.points[self.place(slot) + 1 + column],
            slope: slope.copied().unwrap_or(f64::NAN),
        }
    }

    /// Doubles the ring.
    #[cold]
    fn grow(&mut self) {
        let mut grown = History::with_capacity(self.extent, 2 * (self.mask as usize + 1));
        if !self.slopes.is_empty() {
            grown = grown.with_slopes();
        }
        let mut old = std::mem::replace(self, grown);
        self.window = old.window.take();
        for index in 0..old.len() {
            self.take_over(&old, index);
        }
    }

    /// Publishes a point of another history for rows of the same extent, with all that is known of it.
    fn take_over(&mut self, other: &History, index: usize) {
        self.publish(other.time(index), SimTime::PAST)
            .copy_from(other.row(index));
        if !other.slopes.is_empty() {
            let n = self.extent.reals;
            let slopes = &other.slopes[other.slot(index) * n..][..n];
            self.latest_slopes_mut().copy_from_slice(slopes);
        }
        self.hold_until(other.promised(index));
    }
}
