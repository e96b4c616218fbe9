//! Forces that can be seen.

use super::End;
use serde::{Deserialize, Serialize};

/// A spring between two points.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Spring {
    /// Its name.
    pub name: String,
    /// Its ends.
    pub between: [End; 2],
}

/// A ball against a plane.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contact {
    /// Its name.
    pub name: String,
    /// The centre of the ball.
    pub point: End,
    /// The radius of the ball.
    pub radius: f64,
    /// A point of the plane.
    pub plane: End,
    /// Away from the plane, in the axes of its body.
    pub normal: [f64; 3],
}
