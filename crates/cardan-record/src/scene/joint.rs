//! What joins bodies.

use serde::{Deserialize, Serialize};

/// A joint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// What it lets move.
    pub kind: JointKind,
    /// The points it joins.
    pub between: [End; 2],
    /// About which or along which it moves, in the axes of the first body, if there is one such axis.
    pub axis: Option<[f64; 3]>,
    /// Of a universal joint: the axis of the second body, in its axes.
    pub second_axis: Option<[f64; 3]>,
}

/// What a joint lets move, by the names that descriptions use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JointKind {
    /// An angle about an axis.
    Revolute,
    /// A travel along an axis.
    Prismatic,
    /// All angles.
    Spherical,
    /// Two angles about two axes.
    Universal,
    /// Nothing.
    Fixed,
    /// Everything that keeps a distance.
    Distance,
    /// All angles, and a travel along a line.
    PointOnLine,
}

/// A point at which something is fixed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct End {
    /// The body, or `ground`.
    pub body: String,
    /// The point.
    pub point: String,
    /// Where it is in the axes of the body.
    pub position: [f64; 3],
}
