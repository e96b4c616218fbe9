//! Bodies: what they look like, and which columns say where they are.

use super::Point;
use serde::{Deserialize, Serialize};

/// A body.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// Its mass.
    pub mass: f64,
    /// Is it a particle, a point without orientation? Then everything of it lies at its origin.
    pub particle: bool,
    /// The centre of mass, in its axes.
    pub center: [f64; 3],
    /// What it looks like, where that is described.
    pub shape: Option<Shape>,
    /// Its points, without `origin` and `center`.
    pub points: Vec<Point>,
    /// Where it is.
    pub pose: Pose,
}

/// What a body looks like, along its axes, about its centre of mass.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Shape {
    /// A thin rod along x.
    Rod {
        /// Its length.
        length: f64,
    },
    /// A box.
    Box {
        /// Along x, y and z; in a plane z is 0 where nobody said how thick it is.
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

/// The columns that say where a body is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Pose {
    /// Whose axes and units they are in.
    pub axes: Axes,
    /// Of its origin: x, y and z, those of a particle in a plane without z. None if they are not in the result.
    pub position: Option<Vec<String>>,
    /// The quaternion from its axes, real part first. None for a particle, and if it is not in the result.
    pub orientation: Option<[String; 4]>,
}

impl Pose {
    pub(super) fn keep_columns(&mut self, is_there: impl Fn(&str) -> bool) {
        let whole = |names: &[String]| names.iter().all(|name| is_there(name));
        self.position = self.position.take().filter(|names| whole(names));
        self.orientation = self.orientation.take().filter(|names| whole(names));
    }
}

/// Whose axes and units of length columns are in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Axes {
    /// Those of the system, as frames are.
    System,
    /// Those of the component, as plain vectors are.
    Component,
}
