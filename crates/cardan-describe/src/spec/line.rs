//! `[[lines]]`

use crate::diagnostic::{Span, Spanned};
use cardan_core::line::{Compensation, Filling, Filter, Interpolation, Medium};

/// A transmission line between two interfaces, as described.
#[derive(Clone, PartialEq, Debug)]
pub struct LineSpec {
    /// For people and results; made of the two components if not given.
    pub name: Option<Spanned<String>>,
    /// One end; none where that was wrong and has been reported.
    pub from: Option<LineEndSpec>,
    /// The other end.
    pub to: Option<LineEndSpec>,
    /// What it carries; follows from the ends if not given.
    pub medium: Option<Spanned<Medium>>,
    /// Seconds from one end to the other.
    pub delay: Option<Spanned<f64>>,
    /// Load for a velocity of one.
    pub impedance: Option<Spanned<f64>>,
    /// Moment for an angular velocity of one.
    pub rotational: Option<Spanned<f64>>,
    /// Damping of waves.
    pub alpha: Option<Spanned<f64>>,
    /// From how many delays before the filter keeps a part.
    pub feedback: Option<Spanned<f64>>,
    /// What becomes of the delay where waves are damped.
    pub filter: Option<Spanned<Filter>>,
    /// How waves are read between points.
    pub interpolation: Option<Spanned<Interpolation>>,
    /// What is kept from those at the ends.
    pub compensate: Option<Spanned<Compensation>>,
    /// What is in it at the start.
    pub filling: Option<Spanned<Filling>>,
    /// What it is made of, where that gives delay and impedances.
    pub material: Option<MaterialSpec>,
    /// The edge of a cube of that material.
    pub length: Option<Spanned<f64>>,
    /// A number was given and was wrong, which has been reported: none should be called missing.
    pub incomplete: bool,
    /// Where it stands.
    pub span: Span,
}

impl LineSpec {
    /// A line of which only the place is known so far.
    pub fn new(span: Span) -> Self {
        LineSpec {
            name: None,
            from: None,
            to: None,
            medium: None,
            delay: None,
            impedance: None,
            rotational: None,
            alpha: None,
            feedback: None,
            filter: None,
            interpolation: None,
            compensate: None,
            filling: None,
            material: None,
            length: None,
            incomplete: false,
            span,
        }
    }
}

/// An elastic material.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MaterialSpec {
    /// Young's modulus in Pa; none where that was wrong and has been reported.
    pub modulus: Option<f64>,
    /// The speed of sound in m/s.
    pub speed: Option<f64>,
    /// Where it stands.
    pub span: Span,
}

/// An interface at which a line ends, as described.
#[derive(Clone, PartialEq, Debug)]
pub struct LineEndSpec {
    /// `component.point`: a frame with its load, or a terminal.
    pub point: Option<Spanned<String>>,
    /// The output that moves.
    pub flow: Option<Spanned<String>>,
    /// The input on which the line acts.
    pub effort: Option<Spanned<String>>,
    /// The output that tells where it is.
    pub position: Option<Spanned<String>>,
    /// The frame of a point in space.
    pub frame: Option<Spanned<String>>,
    /// The load there.
    pub load: Option<Spanned<String>>,
    /// The output at which a signal begins, or the input at which it arrives.
    pub value: Option<Spanned<String>>,
    /// Where it stands.
    pub span: Span,
}

impl LineEndSpec {
    /// An end of which only the place is known so far.
    pub fn new(span: Span) -> Self {
        LineEndSpec {
            point: None,
            flow: None,
            effort: None,
            position: None,
            frame: None,
            load: None,
            value: None,
            span,
        }
    }
}
