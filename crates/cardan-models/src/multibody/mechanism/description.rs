//! What a mechanism is made of, in the words of whoever describes it.

use cardan_ode::mechanical::Stabilization;

/// Rigid bodies, what joins them, what pulls at them, and what others see of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mechanism {
    /// In a plane or in space.
    pub space: Space,
    /// Acceleration of gravity; in a plane its third part is left alone.
    pub gravity: [f64; 3],
    /// Points of the ground.
    pub ground: Vec<Point>,
    /// The bodies.
    pub bodies: Vec<Body>,
    /// What joins them, to each other and to the ground.
    pub joints: Vec<Joint>,
    /// What pulls at them, beside gravity.
    pub forces: Vec<Force>,
    /// What others see and do. None at all stands for the motion of every joint.
    pub ports: Vec<PortOf>,
    /// Does every body give an output [`scene_port`](super::scene_port), for whoever draws the mechanism?
    pub scene: bool,
    /// How constraints are kept by solvers that know nothing of them; Baumgarte's with 50 rad/s if left out.
    pub stabilization: Option<Stabilization>,
}

/// How many directions there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Space {
    /// Two: x and y; bodies turn about z.
    Plane,
    /// Three.
    #[default]
    Space,
}

/// A point of a body, in its axes, or of the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub at: [f64; 3],
}

/// A rigid body, or a particle if it has no inertia and nothing needs its orientation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// Its mass in kilograms.
    pub mass: f64,
    /// The centre of mass, in its axes.
    pub center: [f64; 3],
    /// Inertia about the centre of mass: in a plane the first alone, in space xx yy zz xy xz yz as in the matrix. Left out:
    /// that of the shape.
    pub inertia: Option<[f64; 6]>,
    /// Its points; `origin` and `center` are always there.
    pub points: Vec<Point>,
    /// Where its origin is at the start, about.
    pub position: Option<[f64; 3]>,
    /// How it is turned at the start, about: a quaternion from its axes to those of the ground.
    pub orientation: Option<[f64; 4]>,
    /// The velocity of its origin at the start.
    pub velocity: Option<[f64; 3]>,
    /// Its angular velocity at the start, in the axes of the ground.
    pub angular_velocity: Option<[f64; 3]>,
    /// What it looks like.
    pub shape: Option<Shape>,
}

/// What a body looks like, along its axes, about its centre of mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// A thin rod along x.
    Rod {
        /// Its length.
        length: f64,
    },
    /// A box.
    Box {
        /// Lengths along x, y and z.
        size: [f64; 3],
    },
    /// A cylinder about z.
    Cylinder {
        /// Its radius.
        radius: f64,
        /// Its length along z.
        length: f64,
    },
    /// A ball.
    Sphere {
        /// Its radius.
        radius: f64,
    },
}

/// A point by the name of its body (or `ground`) and its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointName {
    /// The body, or `ground`.
    pub body: String,
    /// The point.
    pub point: String,
}

/// Something that joins two points.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// What it lets move.
    pub kind: JointKind,
    /// The points it joins.
    pub between: [PointName; 2],
    /// The angle or travel at the start, where it is to be just that.
    pub start: Option<f64>,
    /// Its speed at the start, where it is to be just that.
    pub speed: Option<f64>,
    /// Its angle, travel or length is this function of time.
    pub drive: Option<Motion>,
}

/// What a joint lets move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointKind {
    /// Turning about an axis: in space given in axes of the first body, in a plane always z.
    Revolute {
        /// The axis.
        axis: [f64; 3],
    },
    /// Travelling along an axis of the first body.
    Prismatic {
        /// The axis.
        axis: [f64; 3],
    },
    /// All turning; in space only.
    Spherical,
    /// Turning about an axis of the first body and one of the second, which stay at right angles; in space only.
    Universal {
        /// The axis of the first body, in its axes.
        first: [f64; 3],
        /// The axis of the second body, in its axes.
        second: [f64; 3],
    },
    /// Nothing.
    Fixed,
    /// Everything that keeps the distance.
    Distance {
        /// The distance; what it is at the start if left out.
        length: Option<f64>,
    },
    /// The second point stays on a line through the first one along an axis of the first body.
    PointOnLine {
        /// The axis.
        axis: [f64; 3],
    },
}

/// `offset + rate s + amplitude sin(2π frequency s + phase)`, where `s` is the time since the start of the run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motion {
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

/// Something that pulls.
#[derive(Debug, Clone, PartialEq)]
pub struct Force {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ForceKind,
}

/// What pulls.
#[derive(Debug, Clone, PartialEq)]
pub enum ForceKind {
    /// A spring with a damper between two points.
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
    /// A spring with a damper in the motion of a revolute or prismatic joint.
    JointSpring {
        /// The joint.
        joint: String,
        /// In N·m/rad or N/m.
        stiffness: f64,
        /// In N·m·s/rad or N·s/m.
        damping: f64,
        /// Where it does not pull.
        rest: f64,
    },
    /// A stop of a revolute or prismatic joint: it pushes back beyond its limit, and never pulls.
    Stop {
        /// The joint.
        joint: String,
        /// Where it begins.
        limit: f64,
        /// Does it push where the motion is above the limit, or below?
        above: bool,
        /// In N·m/rad or N/m.
        stiffness: f64,
        /// In N·m·s/rad or N·s/m.
        damping: f64,
    },
    /// A ball about a point against a plane through another one: it pushes where they overlap, and never pulls.
    Contact {
        /// The centre of the ball.
        point: PointName,
        /// The radius of the ball.
        radius: f64,
        /// A point of the plane.
        plane: PointName,
        /// Away from it, in axes of the body that the plane belongs to.
        normal: [f64; 3],
        /// In N/m.
        stiffness: f64,
        /// In N·s/m.
        damping: f64,
    },
    /// A force that does not change, at a point.
    Constant {
        /// Where.
        at: PointName,
        /// In the axes of the ground.
        force: [f64; 3],
    },
}

/// What others see or do.
#[derive(Debug, Clone, PartialEq)]
pub struct PortOf {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: PortKind,
}

/// What others see or do. One entry may make several ports.
#[derive(Debug, Clone, PartialEq)]
pub enum PortKind {
    /// The motion of a body at a point, as a frame `name`, and a load there, `name_load`.
    Frame {
        /// Where.
        at: PointName,
    },
    /// Position and velocity of a point, `name` and `name_velocity`.
    Point {
        /// Where.
        at: PointName,
    },
    /// A force at a point, in the axes of the ground.
    Force {
        /// Where.
        at: PointName,
    },
    /// Angle or travel of a joint, `name`, and its speed, `name_speed`.
    Motion {
        /// The joint.
        joint: String,
    },
    /// A torque or force in the motion of a joint, on the second body; the first one feels the opposite.
    Effort {
        /// The joint.
        joint: String,
    },
    /// Force and moment with which a joint holds its second body, at its point; the first one feels the opposite.
    Reaction {
        /// The joint.
        joint: String,
    },
}

/// Where a mistake is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A body.
    Body(String),
    /// A joint.
    Joint(String),
    /// A force.
    Force(String),
    /// A port.
    Port(String),
    /// The mechanism as a whole.
    Whole,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Body(name) => write!(f, "body {name}"),
            Place::Joint(name) => write!(f, "joint {name}"),
            Place::Force(name) => write!(f, "force {name}"),
            Place::Port(name) => write!(f, "port {name}"),
            Place::Whole => f.write_str("the mechanism"),
        }
    }
}

/// Why a mechanism cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Mistake {
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub advice: Option<String>,
}

impl Mistake {
    pub(super) fn at(place: Place, message: impl Into<String>) -> Self {
        Mistake {
            place,
            message: message.into(),
            advice: None,
        }
    }

    pub(super) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}
