//! From what a participant gives to what the system sees.

use crate::inlet::Body;
use crate::marker::Offset;
use crate::motion::{FRAME, LOAD, Load, Motion, QUATERNION, part};
use crate::placement::Placement;
use cardan_core::spatial::Scalar;

/// How a bound real output comes about. Places are those of the participant's planes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Outlet {
    /// As it is.
    Same { from: usize, count: usize },
    /// A frame, or a marker on it.
    Frame { body: Body, offset: Offset },
    /// A load, or the same at a marker on a body.
    Load {
        from: usize,
        arm: Option<(Body, Offset)>,
    },
}

impl Outlet {
    pub(crate) fn count(&self) -> usize {
        match self {
            Outlet::Same { count, .. } => *count,
            Outlet::Frame { .. } => FRAME,
            Outlet::Load { .. } => LOAD,
        }
    }

    /// Does its change depend on where things stand?
    pub(crate) fn is_bent(&self) -> bool {
        match self {
            Outlet::Same { .. } => false,
            Outlet::Frame { offset, .. } => !offset.is_here(),
            Outlet::Load { arm, .. } => arm.is_some_and(|(_, offset)| !offset.is_here()),
        }
    }

    /// Writes its value.
    pub(crate) fn write<S: Scalar>(&self, placement: &Placement, given: &[S], taken: &[S], seen: &mut [S]) {
        let frame = |body: Body| match body {
            Body::Published(place) => &given[place..place + FRAME],
            Body::Driven(place) => &taken[place..place + FRAME],
        };
        match self {
            Outlet::Same { from, count } => seen.copy_from_slice(&given[*from..from + count]),
            Outlet::Frame { body, offset } => {
                let motion = offset.motion_of_marker(Motion::read(frame(*body)));
                placement.motion_out(motion).write(seen);
            }
            Outlet::Load { from, arm } => {
                let mut load = Load::read(&given[*from..]);
                if let Some((body, offset)) = arm {
                    load = offset.load_at_marker(part(frame(*body), QUATERNION), load);
                }
                placement.load_out(load).write(seen);
            }
        }
    }
}
