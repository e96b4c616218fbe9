//! What the rest of the engine has to know of a method.

use crate::graph::ParticipantId;

/// What others have to know of a method. Whoever wants to know something else of it adds it here.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Needs {
    /// Whose steps end where.
    pub steps: Steps,
    /// Who goes first, and at whose points results are written.
    pub leader: Option<ParticipantId>,
    /// Is there an instant after each accepted step at which all stand?
    pub meets: bool,
    /// Are states saved and restored, so that it has to be known who can go back?
    pub rollback: bool,
    /// Do members of coupling loops repeat their steps until values fit together?
    pub repeats: bool,
    /// Do steps end at the corners of laws of time?
    pub corners: bool,
    /// Can the energy that crosses bonds be counted step by step?
    pub energy: bool,
    /// Where steps follow from errors: how large these may be against the size of a signal.
    pub tolerance: Option<f64>,
    /// Where steps are chosen: the first, the shortest and the longest.
    pub first_step: Option<f64>,
    /// No step is meant to be shorter.
    pub shortest_step: Option<f64>,
    /// No step is longer.
    pub longest_step: Option<f64>,
}

/// Whose steps end where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Steps {
    /// Steps end where those of the others do, or at points of a grid.
    Together,
    /// Each goes from point to point of its own grid, and some are ahead of others.
    Apart,
    /// Each goes at steps of its own, which nobody knows before.
    Own,
}

impl Needs {
    /// Steps of given lengths that are taken once.
    pub const PLAIN: Needs = Needs {
        steps: Steps::Together,
        leader: None,
        meets: false,
        rollback: false,
        repeats: false,
        corners: false,
        energy: true,
        tolerance: None,
        first_step: None,
        shortest_step: None,
        longest_step: None,
    };
}
