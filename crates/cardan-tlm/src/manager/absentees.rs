//! Start commands that ended well, but before their component came.
//!
//! A script may leave its tool to itself in the background, so that alone is no failure. It is one when nobody is left who
//! could come.

use super::component::{Component, Standing};
use super::outcome::Failure;
use super::session::{Phase, Session};
use std::time::{Duration, Instant};

/// How long after the end of a start command its last words may come, or those of its component.
const SETTLED: Duration = Duration::from_millis(150);

/// A start command has ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Absence {
    since: Instant,
    /// The user knows.
    told: bool,
    /// Since when nobody is left of what it started.
    deserted: Option<Instant>,
}

impl Absence {
    pub(super) fn begins() -> Option<Self> {
        Some(Absence {
            since: Instant::now(),
            told: false,
            deserted: None,
        })
    }
}

impl Session<'_> {
    /// Tells of start commands that have ended before their component registered, and ends a co-simulation that waits for one
    /// which nobody is left to bring.
    pub(super) fn look_for_absentees(&mut self) -> Result<(), Failure> {
        if self.phase != Phase::Starting {
            return Ok(());
        }
        let patience = self.options.last_chance;
        let (mut warnings, mut lost) = (Vec::new(), None);
        for tool in &mut self.tools.running {
            let Component { name, standing, .. } = &self.components[tool.component];
            let absence = tool.absence.as_mut().filter(|a| a.since.elapsed() > SETTLED);
            let Some(absence) = absence.filter(|_| *standing == Standing::Awaited) else {
                continue;
            };
            let has_company = tool.process.has_company();
            absence.deserted = match has_company {
                true => None,
                false => absence.deserted.or_else(|| Some(Instant::now())),
            };
            if !absence.told {
                absence.told = true;
                let what = match has_company {
                    true => format!("It left a process behind, and {name} is waited for"),
                    false => format!(
                        "It left no process behind: {name} is waited for {} s more",
                        patience.as_secs_f64()
                    ),
                };
                warnings.push(format!(
                    "The start command of {name} (`{}`) has ended with exit status 0 before {name} registered. {what}.",
                    tool.command
                ));
            }
            if absence.deserted.is_some_and(|since| since.elapsed() > patience) {
                lost = Some((tool.component, tool.command.clone()));
            }
        }
        for text in warnings {
            self.warn(text);
        }
        match lost {
            Some((component, command)) => Err(self.absent(component, &command)),
            None => Ok(()),
        }
    }

    fn absent(&mut self, component: usize, command: &str) -> Failure {
        let name = self.components[component].name.clone();
        let words = self.tools.last_words(component).unwrap_or_default();
        let patience = self.options.last_chance.as_secs_f64();
        Failure::of(
            &name,
            format!(
                "The start command of {name} (`{command}`) has ended with exit status 0, no process that it left behind \
                 lives, and {name} has not registered in {patience} s.{words}"
            ),
        )
        .advise(
            "look into the log of that tool; let the start command stay as long as its tool, or write StartCommand=\"none\" \
             if the tool is started elsewhere",
        )
    }
}
