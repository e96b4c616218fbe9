//! What is needed to draw mechanisms, beside a result: shapes, points and joints, and which columns say where bodies are.
//!
//! A scene lies beside its result as `NAME.scene.json`. All vectors in it have three numbers, in a plane too; numbers read
//! back to the same bits.

mod body;
mod file;
mod force;
mod joint;

pub use body::{Axes, Body, Pose, Shape};
pub use file::{SceneFile, beside};
pub use force::{Contact, Spring};
pub use joint::{End, Joint, JointKind};

use serde::{Deserialize, Serialize};

/// The version of the format, which changes when readers must.
pub const VERSION: u32 = 1;

/// The mechanisms behind a result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Scene {
    /// The version of the format.
    pub version: u32,
    /// The name of the result file, in the same folder.
    pub results: String,
    /// The column with the times.
    pub time: String,
    /// In the order of the description.
    pub mechanisms: Vec<Mechanism>,
}

impl Scene {
    /// The scene beside a result of that name.
    pub fn new(results: impl Into<String>, mechanisms: Vec<Mechanism>) -> Self {
        Scene {
            version: VERSION,
            results: results.into(),
            time: "time".to_owned(),
            mechanisms,
        }
    }
}

/// A mechanism. Whatever is not a column is in the axes and units of its component.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Mechanism {
    /// The component.
    pub component: String,
    /// In a plane, or in space?
    pub space: Space,
    /// Where the component is.
    pub placement: Placement,
    /// Acceleration of gravity.
    pub gravity: [f64; 3],
    /// Points of the ground.
    pub ground: Vec<Point>,
    /// In the order of the description, as everything that follows.
    pub bodies: Vec<Body>,
    /// What joins them.
    pub joints: Vec<Joint>,
    /// Springs between points.
    pub springs: Vec<Spring>,
    /// Balls against planes.
    pub contacts: Vec<Contact>,
}

impl Mechanism {
    /// Leaves out the names of columns that are not in a result.
    pub fn keep_columns(&mut self, is_there: impl Fn(&str) -> bool) {
        for body in &mut self.bodies {
            body.pose.keep_columns(&is_there);
        }
    }
}

/// How many directions there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Space {
    /// Two: x and y.
    Plane,
    /// Three.
    Space,
}

/// The inertial frame of a component in that of the system: what is at `p` in the component is at
/// `position + orientation (length p)` in the system.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Placement {
    /// Where its origin lies, in lengths of the system.
    pub position: [f64; 3],
    /// How its axes are turned: a unit quaternion, real part first.
    pub orientation: [f64; 4],
    /// Its unit of length in those of the system.
    pub length: f64,
    /// Its unit of time in those of the system.
    pub time: f64,
}

/// A point of a body, in its axes, or of the ground.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub position: [f64; 3],
}
