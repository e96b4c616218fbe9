//! Who is waited for while nobody sends. A tool may be slow, so nothing follows from it; but people want to know.

use super::component::Standing;
use super::session::{Phase, Session};
use crate::general::seconds;
use cardan_describe::tlm::Causality;
use std::time::{Duration, Instant};

/// It is said again after so many times the silence before.
const RARELY: u32 = 10;

/// How long nobody has sent anything.
#[derive(Debug, Default)]
pub(super) struct Hush {
    /// Messages so far, and since when it is that many.
    heard: Option<(u64, Instant)>,
    /// The silence after which something is said next.
    next: Duration,
}

impl Session<'_> {
    /// Says who is waited for when nobody has sent anything for some time.
    pub(super) fn look_into_the_hush(&mut self) {
        if self.phase != Phase::Running {
            return;
        }
        let messages = self.components.iter().map(|c| c.messages).sum();
        let since = match self.hush.heard {
            Some((heard, since)) if heard == messages => since,
            _ => {
                self.hush = Hush {
                    heard: Some((messages, Instant::now())),
                    next: self.options.hush,
                };
                return;
            }
        };
        if since.elapsed() < self.hush.next {
            return;
        }
        self.hush.next = self.hush.next.saturating_mul(RARELY);
        let names: Vec<String> = self.waited_for().into_iter().map(|c| self.words_on(c)).collect();
        if !names.is_empty() {
            self.progress(format!(
                "Nothing has come for {:.0} s; waiting for {}.",
                since.elapsed().as_secs_f64(),
                names.join(", and for ")
            ));
        }
    }

    /// Those who have come least far: the others wait for their samples, or will.
    fn waited_for(&self) -> Vec<usize> {
        let awaited = self.awaited.iter().copied();
        let busy: Vec<usize> = awaited
            .filter(|c| self.components[*c].standing != Standing::Done)
            .collect();
        let reach = |c: &usize| self.components[*c].time.unwrap_or(f64::NEG_INFINITY);
        // Who sends nothing cannot be seen; it is named where nobody else is left.
        let seen: Vec<usize> = busy.iter().copied().filter(|c| self.speaks(*c)).collect();
        let Some(least) = seen.iter().map(reach).min_by(f64::total_cmp) else {
            return busy;
        };
        // Those within a step of each other may be waiting for one another's tool; both are named.
        let near = |c: &usize| reach(c) <= least + self.model.max_step(*c) * 0.5;
        seen.into_iter().filter(near).collect()
    }

    fn speaks(&self, component: usize) -> bool {
        let mut points = self.model.sub_models[component].interfaces.clone();
        self.survey.is_some()
            || points.any(|id| {
                self.model.partner(id).is_some() && self.model.interfaces[id].causality != Causality::Input
            })
    }

    fn words_on(&self, component: usize) -> String {
        let name = &self.components[component].name;
        match self.components[component].time {
            Some(time) => format!("{name}, whose last sample is at {} s", seconds(time)),
            None => format!("{name}, which has sent nothing yet"),
        }
    }
}
