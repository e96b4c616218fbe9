//! From what the system gives to what a participant takes.

use crate::laws::{blend, next_break, nodes, through};
use crate::marker::Offset;
use crate::motion::{FRAME, LOAD, Load, Motion, QUATERNION, part};
use crate::placement::Placement;
use cardan_core::inputs::Inputs;
use cardan_core::signal::Segment;
use cardan_core::spatial::{Scalar, plus};
use cardan_core::time::SimTime;

/// How a bound real input of the participant comes about. Places are those of the planes outside.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Inlet {
    /// As it is.
    Same { from: usize, count: usize },
    /// A frame, or one that is driven through a marker.
    Frame { from: usize, offset: Offset },
    /// A frame that nothing drives but a marker needs: what it is then.
    Rest { values: [f64; FRAME] },
    /// The sum of a load and of those at markers.
    Load {
        /// The load at the frame itself: from outside, or what it is where nothing is connected.
        own: Result<usize, [f64; LOAD]>,
        arms: Vec<Arm>,
    },
}

/// A load at a marker.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Arm {
    pub(crate) from: usize,
    pub(crate) offset: Offset,
    pub(crate) body: Body,
}

/// Where the orientation of a body is found, as the place of its frame.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Body {
    /// Among the outputs of the participant.
    Published(usize),
    /// Among its inputs.
    Driven(usize),
}

impl Inlet {
    pub(crate) fn count(&self) -> usize {
        match self {
            Inlet::Same { count, .. } => *count,
            Inlet::Frame { .. } | Inlet::Rest { .. } => FRAME,
            Inlet::Load { .. } => LOAD,
        }
    }

    /// The loads at markers whose arm is not nothing.
    pub(crate) fn long_arms(&self) -> impl Iterator<Item = &Arm> {
        let arms = match self {
            Inlet::Load { arms, .. } => &arms[..],
            _ => &[],
        };
        arms.iter().filter(|arm| !arm.offset.is_here())
    }
}

/// The frame of the body whose marker, or frame, moves like that.
pub(crate) fn frame_in<S: Scalar>(placement: &Placement, offset: &Offset, outer: &[S]) -> Motion<S> {
    offset.motion_of_body(placement.motion_in(Motion::read(outer)))
}

/// All loads on a body as one at its frame.
pub(crate) fn load_in<S: Scalar>(
    placement: &Placement,
    own: &Result<usize, [f64; LOAD]>,
    arms: &[Arm],
    outer: &[S],
    orientation: impl Fn(Body) -> [S; 4],
) -> Load<S> {
    let inward = |from: usize| placement.load_in(Load::read(&outer[from..]));
    let mut total = match own {
        Ok(from) => inward(*from),
        Err(constant) => Load::read(&constant.map(S::from)),
    };
    for arm in arms {
        let load = arm.offset.load_at_body(orientation(arm.body), inward(arm.from));
        total.force = plus(total.force, load.force);
        total.moment = plus(total.moment, load.moment);
    }
    total
}

/// The matrix of a linear map.
fn matrix<const N: usize>(map: impl Fn([f64; N]) -> [f64; N]) -> [[f64; N]; N] {
    let columns: [[f64; N]; N] = std::array::from_fn(|column| {
        let mut one = [0.0; N];
        one[column] = 1.0;
        map(one)
    });
    std::array::from_fn(|row| std::array::from_fn(|column| columns[column][row]))
}

/// The laws of all inputs of a participant over a step, made from those outside.
pub(crate) struct Lawyer<'a> {
    pub(crate) placement: &'a Placement,
    pub(crate) outer: Inputs<'a>,
    pub(crate) span: (SimTime, SimTime),
    pub(crate) segments: &'a mut Vec<Segment>,
    pub(crate) ends: &'a mut Vec<u32>,
    /// Room for all real inputs outside.
    pub(crate) values: &'a mut [f64],
    /// Room for three laws that are made together.
    pub(crate) trio: &'a mut [Vec<Segment>; 3],
}

impl<'a> Lawyer<'a> {
    /// Appends the laws of an inlet. `turned` tells the orientation of a body at an instant.
    pub(crate) fn append(&mut self, inlet: &Inlet, turned: impl Fn(Body, SimTime, &[f64]) -> [f64; 4]) {
        let placement = *self.placement;
        match inlet {
            Inlet::Same { from, count } => {
                for place in *from..from + count {
                    self.segments.extend_from_slice(self.outer.segments(place));
                    self.close();
                }
            }
            Inlet::Rest { values } => {
                for value in values {
                    self.segments.push(Segment::constant(*value, self.span.1));
                    self.close();
                }
            }
            Inlet::Frame { from, offset } => self.frame(*from, offset),
            Inlet::Load { own, arms } => {
                let nothing = [0.0; 3];
                let rest = own.as_ref().err().copied().unwrap_or_default();
                let sources = || own.iter().copied().chain(arms.iter().map(|arm| arm.from));
                let force = |force| {
                    let load = Load {
                        force,
                        moment: nothing,
                    };
                    placement.load_in(load).force
                };
                self.summed(part(&rest, 0), 0, sources(), force);
                if inlet.long_arms().next().is_none() {
                    let moment = |moment| {
                        let load = Load {
                            force: nothing,
                            moment,
                        };
                        placement.load_in(load).moment
                    };
                    self.summed(part(&rest, 3), 3, sources(), moment);
                    return;
                }
                let places = 0..self.values.len();
                self.sampled(places, |numbers, time| {
                    load_in(&placement, own, arms, numbers, |body| turned(body, time, numbers)).moment
                });
            }
        }
    }

    fn close(&mut self) {
        self.ends.push(self.segments.len() as u32);
    }

    /// The laws of a frame whose numbers begin at a place.
    fn frame(&mut self, from: usize, offset: &Offset) {
        let (placement, offset) = (*self.placement, *offset);
        let (centred, nothing) = (
            Placement {
                position: [0.0; 3],
                ..placement
            },
            [0.0; FRAME],
        );
        // Each part by itself, of a frame that has nothing else.
        let only = |first: usize, numbers: &[f64]| {
            let mut frame = nothing;
            frame[first..first + numbers.len()].copy_from_slice(numbers);
            frame_in(
                &centred,
                &Offset {
                    arm: [0.0; 3],
                    ..offset
                },
                &frame,
            )
        };
        let places = from..from + FRAME;
        let inward = |numbers: &[f64]| frame_in(&placement, &offset, &numbers[from..]);
        if offset.is_here() {
            let origin = placement.motion_in(Motion::read(&nothing)).position;
            self.linear(origin, from, |v| only(0, &v).position);
        } else {
            self.sampled(places.clone(), |numbers, _| inward(numbers).position);
        }
        self.linear([0.0; 4], from + QUATERNION, |q| only(QUATERNION, &q).orientation);
        if offset.is_here() {
            self.linear([0.0; 3], from + 7, |v| only(7, &v).velocity);
        } else {
            self.sampled(places, |numbers, _| inward(numbers).velocity);
        }
        self.linear([0.0; 3], from + 10, |v| only(10, &v).turning);
    }

    /// The laws of a constant and a linear map of inputs that begin at a place.
    fn linear<const N: usize>(&mut self, rest: [f64; N], from: usize, map: impl Fn([f64; N]) -> [f64; N]) {
        let outer = self.outer;
        for (row, rest) in matrix(map).iter().zip(rest) {
            let term = |i: usize| (row[i], outer.segments(from + i));
            blend(rest, N, term, self.span, self.segments);
            self.close();
        }
    }

    /// The laws of a constant and the sum of a linear map of several inputs, which lie `first` behind their sources.
    fn summed(
        &mut self,
        rest: [f64; 3],
        first: usize,
        sources: impl Iterator<Item = usize> + Clone,
        map: impl Fn([f64; 3]) -> [f64; 3],
    ) {
        let outer = self.outer;
        let count = 3 * sources.clone().count();
        for (row, rest) in matrix(map).iter().zip(rest) {
            let term = |i: usize| {
                let source = sources.clone().nth(i / 3).unwrap_or_default();
                (row[i % 3], outer.segments(source + first + i % 3))
            };
            blend(rest, count, term, self.span, self.segments);
            self.close();
        }
    }

    /// Cubics through samples of what some inputs make together.
    fn sampled(&mut self, places: std::ops::Range<usize>, sample: impl Fn(&[f64], SimTime) -> [f64; 3]) {
        let (from, to) = self.span;
        let outer = self.outer;
        let lists = || places.clone().map(|place| outer.segments(place));
        self.trio.iter_mut().for_each(Vec::clear);
        let mut here = from;
        loop {
            let next = next_break(lists(), here).filter(|next| *next < to);
            let end = next.unwrap_or(to);
            let samples = nodes(here, end).map(|time| {
                for place in places.clone() {
                    let law = outer.segment_after(place, here);
                    self.values[place] = law.map_or(0.0, |law| law.at(time));
                }
                sample(self.values, time)
            });
            for (part, list) in self.trio.iter_mut().enumerate() {
                list.push(through(samples.map(|sample| sample[part]), here, end));
            }
            let Some(next) = next else { break };
            here = next;
        }
        for part in 0..3 {
            self.segments.extend_from_slice(&self.trio[part]);
            self.close();
        }
    }
}
