//! Who waits for samples that cannot come, since somebody asked for the end too early.

use super::component::{self, Standing};
use super::outcome::Failure;
use super::session::{Phase, Session};
use crate::general::seconds;
use cardan_describe::tlm::Causality;
use std::time::Instant;

/// So many delays before the last time that it has samples for, a component may have sent its last ones: it makes steps of up
/// to a delay, and sends every half delay.
const RESERVE: f64 = 1.5;

/// Components that asked for the end early, and how long the others have been silent since.
#[derive(Debug, Default)]
pub(super) struct Starvation {
    /// In the order in which they asked.
    early: Vec<usize>,
    /// For each component: the number of its messages, and since when it is that.
    silent: Vec<(u64, Instant)>,
}

impl Session<'_> {
    /// A component has asked for the end. Is it early? Others may come to their end without it, so that is only told.
    pub(super) fn notice_early_end(&mut self, component: usize) {
        let sends = |id: usize| self.routes[id].to.is_some() && self.sends(id);
        let is_waited_for = self.model.sub_models[component].interfaces.clone().any(sends);
        if self.survey.is_some()
            || !is_waited_for
            || component::has_come_to_the_end(self.model, &self.routes, component)
        {
            return;
        }
        let counts = self.components.iter().map(|c| (c.messages, Instant::now()));
        self.starvation.silent = counts.collect();
        self.starvation.early.push(component);
        self.warn(format!("{}.", self.early_end(component)));
    }

    /// Ends a co-simulation in which somebody waits for what cannot come.
    pub(super) fn look_for_the_starving(&mut self) -> Result<(), Failure> {
        if self.starvation.early.is_empty() || self.phase != Phase::Running {
            return Ok(());
        }
        for (component, silent) in self.components.iter().zip(&mut self.starvation.silent) {
            let line = component.line.and_then(|index| self.lines[index].as_ref());
            if component.messages != silent.0 || line.is_some_and(|line| line.waiting() > 0) {
                *silent = (component.messages, Instant::now());
            }
        }
        let starving: Vec<usize> = self.starving();
        let is_lost = |c: &usize| self.starvation.silent[*c].1.elapsed() > self.options.last_chance;
        if !starving.iter().any(is_lost) {
            return Ok(());
        }
        let names: Vec<String> = starving
            .iter()
            .map(|index| match self.components[*index].time {
                Some(time) => format!("{} (at {} s)", self.components[*index].name, seconds(time)),
                None => self.components[*index].name.clone(),
            })
            .collect();
        let culprit = self.starvation.early[0];
        let verb = if names.len() == 1 { "waits" } else { "wait" };
        let name = &self.components[culprit].name;
        Err(Failure::of(
            name,
            format!(
                "{}; {} {verb} for samples that cannot come any more.",
                self.early_end(culprit),
                names.join(", ")
            ),
        )
        .at(self.components[culprit].time)
        .advise(format!(
            "let {name} run to `StopTime`, or set `StopTime` in the meta-model to where it ends"
        )))
    }

    /// Who lacks samples that come from those who have asked for the end, or from others who lack some.
    fn starving(&self) -> Vec<usize> {
        let mut starving: Vec<usize> = Vec::new();
        loop {
            let before = starving.len();
            for id in 0..self.model.interfaces.len() {
                let point = &self.model.interfaces[id];
                let (Some(line), Some(from)) = (self.model.connection_of(id), self.model.partner(id)) else {
                    continue;
                };
                let sender = self.model.interfaces[from].sub_model;
                let is_in_question = point.causality != Causality::Output
                    && self.components[point.sub_model].standing != Standing::Done
                    && !starving.contains(&point.sub_model);
                let dries_up = self.starvation.early.contains(&sender) || starving.contains(&sender);
                let reach = self.routes[from].time.unwrap_or(self.model.simulation.start) + line.delay;
                if is_in_question
                    && dries_up
                    && reach < self.model.simulation.stop
                    && self.time_of(point.sub_model) >= reach - RESERVE * line.delay
                {
                    starving.push(point.sub_model);
                }
            }
            if starving.len() == before {
                return starving;
            }
        }
    }

    fn sends(&self, id: usize) -> bool {
        self.model.interfaces[id].causality != Causality::Input
    }

    /// How far a component has come, at least as far as that can be seen: of one that sends nothing it cannot.
    fn time_of(&self, component: usize) -> f64 {
        let mut points = self.model.sub_models[component].interfaces.clone();
        if !points.any(|id| self.routes[id].to.is_some() && self.sends(id)) {
            return f64::INFINITY;
        }
        let start = self.model.simulation.start;
        self.components[component].time.unwrap_or(start)
    }

    /// A sentence without its end.
    fn early_end(&self, component: usize) -> String {
        let (name, stop) = (&self.components[component].name, self.model.simulation.stop);
        let when = match self.components[component].time {
            Some(time) => format!("after its samples at {} s", seconds(time)),
            None => "before it sent samples".to_owned(),
        };
        format!("{name} asked for the end (CLOSE_REQUEST) {when}, which is before `StopTime` ({stop} s)")
    }
}
