//! A mechanism of rigid bodies, as described. Names in it have been looked up already.

use crate::diagnostic::{Span, Spanned};

/// A mechanism as described. Vectors have three numbers, of which the third is zero in a plane.
#[derive(Clone, PartialEq, Debug)]
pub struct MechanismSpec {
    /// In a plane, or in space?
    pub plane: bool,
    /// Acceleration of gravity.
    pub gravity: [f64; 3],
    /// Points of the ground.
    pub ground: Vec<PointSpec>,
    /// In the order of the text.
    pub bodies: Vec<BodySpec>,
    /// In the order of the text.
    pub joints: Vec<JointSpec>,
    /// In the order of the text.
    pub forces: Vec<ForceSpec>,
    /// In the order of the text.
    pub ports: Vec<MechanismPortSpec>,
    /// Is the motion of every body an output, and is there a scene beside the results?
    pub scene: bool,
    /// How constraints are kept by solvers that know nothing of them.
    pub stabilization: Option<StabilizationSpec>,
    /// Is all of it here? Else there were mistakes, which have been reported.
    pub complete: bool,
    /// Where it was written.
    pub span: Span,
}

/// How constraints are kept by solvers that know nothing of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StabilizationSpec {
    /// Of violations as they die out, in rad/s.
    pub frequency: f64,
    /// Springs and dampers of this weight hold instead of constraints.
    pub penalty: Option<f64>,
}

/// A point of a body, in its axes, or of the ground.
#[derive(Clone, PartialEq, Debug)]
pub struct PointSpec {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub at: [f64; 3],
}

/// A point by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointName {
    /// The body, or `ground`.
    pub body: String,
    /// The point.
    pub point: String,
}

/// A body as described.
#[derive(Clone, PartialEq, Debug)]
pub struct BodySpec {
    /// Unique among bodies.
    pub name: Spanned<String>,
    /// In kg.
    pub mass: f64,
    /// The centre of mass in its axes.
    pub center: [f64; 3],
    /// In a plane the first alone, in space xx yy zz xy xz yz.
    pub inertia: Option<[f64; 6]>,
    /// Points of it.
    pub points: Vec<PointSpec>,
    /// Of its origin at the start.
    pub position: Option<[f64; 3]>,
    /// At the start: a quaternion from its axes to those of the ground.
    pub orientation: Option<[f64; 4]>,
    /// Of its origin at the start.
    pub velocity: Option<[f64; 3]>,
    /// At the start, in the axes of the ground.
    pub angular_velocity: Option<[f64; 3]>,
    /// What it looks like.
    pub shape: Option<ShapeSpec>,
}

/// What a body looks like.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ShapeSpec {
    /// Along x.
    Rod {
        /// Its length.
        length: f64,
    },
    /// Along the axes.
    Box {
        /// Along x, y and z.
        size: [f64; 3],
    },
    /// About z.
    Cylinder {
        /// Its radius.
        radius: f64,
        /// Along z.
        length: f64,
    },
    /// A ball.
    Sphere {
        /// Its radius.
        radius: f64,
    },
}

/// A joint as described.
#[derive(Clone, PartialEq, Debug)]
pub struct JointSpec {
    /// Unique among joints.
    pub name: Spanned<String>,
    /// What it lets move.
    pub kind: JointKind,
    /// The points it joins.
    pub between: [PointName; 2],
    /// Angle or travel at the start.
    pub start: Option<f64>,
    /// How fast that changes.
    pub speed: Option<f64>,
    /// Its motion as a function of time.
    pub drive: Option<DriveSpec>,
}

/// What a joint lets move. Axes are unit vectors.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum JointKind {
    /// Turning about an axis; z in a plane.
    Revolute {
        /// In the axes of the first body.
        axis: [f64; 3],
    },
    /// Travelling along an axis.
    Prismatic {
        /// In the axes of the first body.
        axis: [f64; 3],
    },
    /// All turning.
    Spherical,
    /// Turning about two axes.
    Universal {
        /// Of the first body and of the second, each in its own axes.
        axes: [[f64; 3]; 2],
    },
    /// Nothing.
    Fixed,
    /// Everything that keeps a distance.
    Distance {
        /// What it is at the start if left out.
        length: Option<f64>,
    },
    /// All turning, and travelling along a line.
    PointOnLine {
        /// In the axes of the first body.
        axis: [f64; 3],
    },
}

/// `offset + rate t + amplitude sin(2π frequency t + phase)`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DriveSpec {
    /// At the start, without the sine.
    pub offset: f64,
    /// Per second.
    pub rate: f64,
    /// Of the sine.
    pub amplitude: f64,
    /// In hertz.
    pub frequency: f64,
    /// In radians.
    pub phase: f64,
}

/// A force as described.
#[derive(Clone, PartialEq, Debug)]
pub struct ForceSpec {
    /// Unique among forces.
    pub name: Spanned<String>,
    /// What it is.
    pub kind: ForceKind,
}

/// The side of a limit on which a stop pushes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopSide {
    /// Where the motion is above it.
    Above,
    /// Where the motion is below it.
    Below,
}

/// What pulls.
#[derive(Clone, PartialEq, Debug)]
pub enum ForceKind {
    /// Between two points.
    Spring {
        /// Its ends.
        between: [PointName; 2],
        /// In N/m.
        stiffness: f64,
        /// In N·s/m.
        damping: f64,
        /// Where it does not pull; what it is at the start if left out.
        length: Option<f64>,
    },
    /// In the motion of a joint.
    JointSpring {
        /// The joint.
        joint: String,
        /// For a motion of one.
        stiffness: f64,
        /// For a speed of one.
        damping: f64,
        /// Where it does not pull.
        rest: f64,
    },
    /// A limit to the motion of a joint.
    Stop {
        /// The joint.
        joint: String,
        /// Where it begins.
        limit: f64,
        /// Where it pushes back.
        side: StopSide,
        /// For a motion of one.
        stiffness: f64,
        /// For a speed of one.
        damping: f64,
    },
    /// Of a ball with a plane.
    Contact {
        /// The centre of the ball.
        point: PointName,
        /// Of the ball.
        radius: f64,
        /// A point of the plane.
        plane: PointName,
        /// Away from the plane, of length one, in the axes of its body.
        normal: [f64; 3],
        /// In N/m.
        stiffness: f64,
        /// In N·s/m.
        damping: f64,
    },
    /// One that does not change.
    Constant {
        /// Where.
        at: PointName,
        /// In the axes of the ground.
        force: [f64; 3],
    },
}

/// What others see or do, as described.
#[derive(Clone, PartialEq, Debug)]
pub struct MechanismPortSpec {
    /// Unique among ports.
    pub name: Spanned<String>,
    /// What it is.
    pub kind: MechanismPort,
}

/// What others see or do.
#[derive(Clone, PartialEq, Debug)]
pub enum MechanismPort {
    /// The motion of a body at a point, and a load there.
    Frame {
        /// Where.
        at: PointName,
    },
    /// Position and velocity of a point.
    Point {
        /// Where.
        at: PointName,
    },
    /// A force at a point.
    Force {
        /// Where.
        at: PointName,
    },
    /// Angle or travel of a joint, and how fast it changes.
    Motion {
        /// The joint.
        joint: String,
    },
    /// A torque or a force in a joint.
    Effort {
        /// The joint.
        joint: String,
    },
    /// Force and moment with which a joint holds its second body.
    Reaction {
        /// The joint.
        joint: String,
    },
}
