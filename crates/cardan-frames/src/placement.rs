//! Where the inertial frame of a component lies, and in which units it counts.

use crate::motion::{Load, Motion};
use cardan_core::spatial::{Scalar, after, back, by_angles, minus, plus, times, turned};

/// The sizes of a component's units in those of the system.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scales {
    /// Of its length: 0.001 for millimetres.
    pub length: f64,
    /// Of its force.
    pub force: f64,
    /// Of its time: 0.001 for milliseconds.
    pub time: f64,
}

impl Scales {
    /// The units of the system.
    pub const NONE: Scales = Scales {
        length: 1.0,
        force: 1.0,
        time: 1.0,
    };
}

/// The inertial frame of a component in that of the system.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Placement {
    /// Where its origin lies, in lengths of the system.
    pub position: [f64; 3],
    /// How its axes are turned: a unit quaternion.
    pub orientation: [f64; 4],
    /// Its units.
    pub scales: Scales,
}

impl Placement {
    /// The frame of the system itself.
    pub const NONE: Placement = Placement {
        position: [0.0; 3],
        orientation: [1.0, 0.0, 0.0, 0.0],
        scales: Scales::NONE,
    };

    /// A frame at a position, turned by 3-2-1 angles.
    pub fn new(position: [f64; 3], angles: [f64; 3], scales: Scales) -> Self {
        Placement {
            position,
            orientation: by_angles(angles),
            scales,
        }
    }

    fn axes<S: Scalar>(&self) -> [S; 4] {
        self.orientation.map(S::from)
    }

    /// Size of a velocity.
    fn speed(&self) -> f64 {
        self.scales.length / self.scales.time
    }

    /// From the component to the system.
    pub(crate) fn motion_out<S: Scalar>(&self, motion: Motion<S>) -> Motion<S> {
        let axes = self.axes();
        let out = |scale: f64, v| turned(axes, times(S::from(scale), v));
        Motion {
            position: plus(
                self.position.map(S::from),
                out(self.scales.length, motion.position),
            ),
            orientation: after(axes, motion.orientation),
            velocity: out(self.speed(), motion.velocity),
            turning: out(1.0 / self.scales.time, motion.turning),
        }
    }

    /// From the system to the component.
    pub(crate) fn motion_in<S: Scalar>(&self, motion: Motion<S>) -> Motion<S> {
        let axes = back(self.axes());
        let inward = |scale: f64, v| times(S::from(1.0 / scale), turned(axes, v));
        Motion {
            position: inward(
                self.scales.length,
                minus(motion.position, self.position.map(S::from)),
            ),
            orientation: after(axes, motion.orientation),
            velocity: inward(self.speed(), motion.velocity),
            turning: inward(1.0 / self.scales.time, motion.turning),
        }
    }

    /// From the component to the system.
    pub(crate) fn load_out<S: Scalar>(&self, load: Load<S>) -> Load<S> {
        let out = |scale: f64, v| turned(self.axes(), times(S::from(scale), v));
        Load {
            force: out(self.scales.force, load.force),
            moment: out(self.scales.force * self.scales.length, load.moment),
        }
    }

    /// From the system to the component.
    pub(crate) fn load_in<S: Scalar>(&self, load: Load<S>) -> Load<S> {
        let inward = |scale: f64, v| times(S::from(1.0 / scale), turned(back(self.axes()), v));
        Load {
            force: inward(self.scales.force, load.force),
            moment: inward(self.scales.force * self.scales.length, load.moment),
        }
    }
}
