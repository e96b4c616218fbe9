//! Start commands that ended well, but before their component came.
//!
//! A script may leave its tool to itself in the background, so that alone is no failure. It is one when nobody is left who
//! could come.

use super::component::Standing;
use super::outcome::Failure;
use super::session::{Phase, Session};
use std::time::Instant;

impl Session<'_> {
    /// Tells that a start command has ended before its component registered.
    pub(super) fn notice_absence(&mut self, component: usize) {
        let patience = self.options.last_chance.as_secs_f64();
        let Some(tool) = self.tools.of(component) else {
            return;
        };
        let name = &self.components[component].name;
        let what = match tool.process.has_company() {
            true => format!("It left a process behind, and {name} is waited for"),
            false => format!("It left no process behind: {name} is waited for {patience} s more"),
        };
        let text = format!(
            "The start command of {name} (`{}`) has ended with exit status 0 before {name} registered. {what}.",
            tool.command
        );
        self.warn(text);
    }

    /// Ends a co-simulation that waits for a component which nobody is left to bring.
    pub(super) fn look_for_absentees(&mut self) -> Result<(), Failure> {
        if self.phase != Phase::Starting {
            return Ok(());
        }
        let mut lost = None;
        for tool in self.tools.running.iter_mut().filter(|tool| tool.over) {
            let is_absent = self.components[tool.component].standing == Standing::Awaited;
            if !is_absent || tool.process.has_company() {
                tool.deserted = None;
                continue;
            }
            let since = *tool.deserted.get_or_insert_with(Instant::now);
            if since.elapsed() > self.options.last_chance {
                lost = Some((tool.component, tool.command.clone()));
            }
        }
        let Some((component, command)) = lost else {
            return Ok(());
        };
        let name = self.components[component].name.clone();
        let words = self.tools.last_words(component).unwrap_or_default();
        let patience = self.options.last_chance.as_secs_f64();
        Err(Failure::of(
            &name,
            format!(
                "The start command of {name} (`{command}`) has ended with exit status 0, no process that it left behind \
                 lives, and {name} has not registered in {patience} s.{words}"
            ),
        )
        .advise(
            "look into the log of that tool; let the start command stay as long as its tool, or write StartCommand=\"none\" \
             if the tool is started elsewhere",
        ))
    }
}
