//! What the user wants of a leader and its followers.

use super::Glued;
use crate::graph::ParticipantId;
use crate::method::{Master, Method, Needs, Pacing, Steps};
use crate::plan::Plan;
use std::fmt;
use std::sync::Arc;

/// One leads at its own steps, the others follow at theirs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Glue {
    /// Who goes first.
    pub leader: ParticipantId,
    /// How many of its own steps a follower may be ahead of the leader.
    pub ahead: u32,
    /// How the leader feels followers inside its step that tell their tangent.
    pub tangent: Tangent,
    /// How far off what was predicted for the leader may be.
    pub absolute: f64,
    /// The same as a part of the value; only what exceeds both is too far off.
    pub relative: f64,
    /// Are steps of the leader repeated where predictions were too far off?
    pub reject: bool,
    /// The leader's steps are not shorter than this, but for landing somewhere.
    pub min: f64,
    /// The leader's steps are not longer than this.
    pub max: f64,
}

/// How a leader feels its followers inside a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tangent {
    /// Not at all: what they give is a signal in time.
    None,
    /// Along the tangent, from what is read where the step begins.
    Linear,
    /// Along a law that bends, from the point at which it was computed.
    #[default]
    Curved,
}

impl fmt::Display for Tangent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Tangent::None => "none",
            Tangent::Linear => "linear",
            Tangent::Curved => "curved",
        })
    }
}

impl Pacing for Glue {
    fn name(&self, _solver: Option<&'static str>) -> Option<&'static str> {
        Some("glue")
    }

    fn words(&self, _method: &Method, _step: f64, _all_go_back: bool) -> String {
        let tangent = match self.tangent {
            Tangent::None => "what followers give as signals in time".to_owned(),
            kind => format!("{kind} tangents where followers tell them"),
        };
        let ahead = match self.ahead {
            0 => String::new(),
            steps => format!(", followers up to {steps} steps ahead"),
        };
        let reject = if self.reject { ", bad steps repeated" } else { "" };
        format!("glue, everybody at its own steps, {tangent}{ahead}{reject}")
    }

    fn needs(&self) -> Needs {
        Needs {
            steps: Steps::Own,
            leader: Some(self.leader),
            rollback: self.reject,
            corners: true,
            // What followers give inside a step follows from how they move.
            energy: false,
            shortest_step: Some(self.min),
            ..Needs::PLAIN
        }
    }

    /// Steps of their own do not follow from the length of the run; the shortest of all may.
    fn identity(&self) -> String {
        format!("{:?}", Glue { min: 0.0, ..*self })
    }

    fn master(&self, plan: &Arc<Plan>) -> Box<dyn Master> {
        Box::new(Glued::new(Arc::clone(plan), *self))
    }
}
