//! Where a component lives, as described.

use crate::diagnostic::{Span, Spanned};

/// The inertial frame of a component against that of the system.
#[derive(Clone, PartialEq, Debug)]
pub struct FrameSpec {
    /// Where its origin lies.
    pub position: Option<Spanned<[f64; 3]>>,
    /// How its axes are turned: 3-2-1 angles in radians.
    pub angles: Option<Spanned<[f64; 3]>>,
    /// Its place in the text.
    pub span: Span,
}

/// The sizes of a component's units in those of the system.
#[derive(Clone, PartialEq, Debug)]
pub struct ScalesSpec {
    /// Of its length.
    pub length: Option<Spanned<f64>>,
    /// Of its force; follows from the others if not given.
    pub force: Option<Spanned<f64>>,
    /// Of its mass.
    pub mass: Option<Spanned<f64>>,
    /// Of its time.
    pub time: Option<Spanned<f64>>,
    /// Its place in the text.
    pub span: Span,
}

/// A point fixed to the body of a frame.
#[derive(Clone, PartialEq, Debug)]
pub struct MarkerSpec {
    /// Unique in its component.
    pub name: Spanned<String>,
    /// The frame port whose body it is fixed to; none where that was wrong and has been reported.
    pub frame: Option<Spanned<String>>,
    /// The load port of that body.
    pub load: Option<Spanned<String>>,
    /// Where it lies in the axes of the body.
    pub position: Option<Spanned<[f64; 3]>>,
    /// How its axes are turned against those of the body: 3-2-1 angles in radians.
    pub angles: Option<Spanned<[f64; 3]>>,
    /// Its place in the text.
    pub span: Span,
}
