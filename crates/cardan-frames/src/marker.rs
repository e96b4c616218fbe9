//! A point fixed to the body of a frame.

use crate::motion::{Load, Motion};
use cardan_core::spatial::{Scalar, after, back, by_angles, cross, minus, plus, turned};

/// A point fixed to the body of a frame, in the units of its component.
#[derive(Clone, PartialEq, Debug)]
pub struct Marker {
    /// The name of its frame; its load is called the same with `_load`.
    pub name: String,
    /// The frame port whose body it is fixed to.
    pub frame: String,
    /// The load port that acts on that body, or by which it acts.
    pub load: Option<String>,
    /// Where it lies, in the axes of the body.
    pub position: [f64; 3],
    /// How its axes are turned against those of the body: 3-2-1 angles.
    pub angles: [f64; 3],
}

impl Marker {
    /// The name of its load.
    pub fn load_name(&self) -> String {
        format!("{}_load", self.name)
    }

    pub(crate) fn offset(&self) -> Offset {
        Offset {
            arm: self.position,
            orientation: by_angles(self.angles),
        }
    }
}

/// What lies between a frame and a marker.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Offset {
    pub(crate) arm: [f64; 3],
    pub(crate) orientation: [f64; 4],
}

impl Offset {
    pub(crate) const NONE: Offset = Offset {
        arm: [0.0; 3],
        orientation: [1.0, 0.0, 0.0, 0.0],
    };

    /// Is it the same point?
    pub(crate) fn is_here(&self) -> bool {
        self.arm == [0.0; 3]
    }

    /// The arm of a body in that orientation, in inertial axes.
    fn arm<S: Scalar>(&self, body: [S; 4]) -> [S; 3] {
        turned(body, self.arm.map(S::from))
    }

    /// The motion of the marker.
    pub(crate) fn motion_of_marker<S: Scalar>(&self, body: Motion<S>) -> Motion<S> {
        let arm = self.arm(body.orientation);
        Motion {
            position: plus(body.position, arm),
            orientation: after(body.orientation, self.orientation.map(S::from)),
            velocity: plus(body.velocity, cross(body.turning, arm)),
            turning: body.turning,
        }
    }

    /// The motion of the body whose marker moves like this.
    pub(crate) fn motion_of_body<S: Scalar>(&self, marker: Motion<S>) -> Motion<S> {
        let orientation = after(marker.orientation, back(self.orientation.map(S::from)));
        let arm = self.arm(orientation);
        Motion {
            position: minus(marker.position, arm),
            orientation,
            velocity: minus(marker.velocity, cross(marker.turning, arm)),
            turning: marker.turning,
        }
    }

    /// A load at the marker as one at the frame of its body.
    pub(crate) fn load_at_body<S: Scalar>(&self, body: [S; 4], load: Load<S>) -> Load<S> {
        Load {
            force: load.force,
            moment: plus(load.moment, cross(self.arm(body), load.force)),
        }
    }

    /// A load at the frame of the body as one at the marker.
    pub(crate) fn load_at_marker<S: Scalar>(&self, body: [S; 4], load: Load<S>) -> Load<S> {
        Load {
            force: load.force,
            moment: minus(load.moment, cross(self.arm(body), load.force)),
        }
    }
}
