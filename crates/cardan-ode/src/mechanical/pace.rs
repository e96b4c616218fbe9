//! How long steps are: all the same, or as long as their errors allow.

use super::Structure;
use super::judged::Judged;
use crate::landing::Limit;
use crate::memory::{Reader, Writer};
use crate::plan::Plan;
use crate::{SolveError, SolverSettings};

/// The lengths of steps.
#[derive(Debug)]
pub(crate) enum Pace {
    /// Equal ones to each limit, not longer than this.
    Even { step: f64, plan: Plan },
    /// As long as errors allow.
    Judged(Judged),
}

impl Pace {
    /// For a method whose estimates go with the power `order` of the step.
    pub(crate) fn new(settings: &SolverSettings, structure: &Structure, order: f64) -> Self {
        match settings.step {
            Some(step) => Pace::Even {
                step,
                plan: Plan::default(),
            },
            None => Pace::Judged(Judged::new(settings, structure, order)),
        }
    }

    /// Are errors wanted?
    pub(super) fn judges(&self) -> bool {
        matches!(self, Pace::Judged(_))
    }

    /// A new motion begins.
    pub(super) fn restart(&mut self) {
        match self {
            Pace::Even { plan, .. } => *plan = Plan::default(),
            Pace::Judged(judged) => judged.restart(),
        }
    }

    /// The motion goes on from somewhere inside the last step.
    pub(super) fn stray(&mut self) {
        if let Pace::Even { plan, .. } = self {
            *plan = Plan::default();
        }
    }

    /// The end of the next step from `t`.
    pub(super) fn next(&mut self, t: f64, limit: Limit) -> Result<f64, SolveError> {
        match self {
            Pace::Even { step, plan } => {
                if !plan.leads(t, limit.time()) {
                    *plan = Plan::new(t, limit.time(), Some(*step));
                }
                Ok(plan.next())
            }
            Pace::Judged(judged) => judged.next(t, limit),
        }
    }

    /// The step to `to` counts.
    pub(super) fn accept(&mut self, to: f64) {
        if let Pace::Even { plan, .. } = self
            && to == plan.next()
        {
            plan.take();
        }
    }

    pub(super) fn save(&self, memory: &mut Writer<'_>) {
        match self {
            Pace::Even { plan, .. } => plan.save(memory),
            Pace::Judged(judged) => judged.save(memory),
        }
    }

    pub(super) fn restore(&mut self, memory: &mut Reader<'_>) {
        match self {
            Pace::Even { plan, .. } => plan.restore(memory),
            Pace::Judged(judged) => judged.restore(memory),
        }
    }
}
