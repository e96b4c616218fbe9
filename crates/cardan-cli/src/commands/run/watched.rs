//! The run in a process of its own, watched over by this one.

use super::{Arguments, Finished, Outline, explained, out, progress_style, refuse};
use crate::console::{self, Paint};
use crate::interrupt::{self, Interrupt};
use crate::progress::Screen;
use crate::{json, logging};
use cardan::supervised::{self, Audience, Destination, Moment, Options, Prepared, Wish};
use cardan::{Diagnostic, Error, Severity};
use std::ops::ControlFlow;
use std::process::ExitCode;

pub(super) fn run(
    arguments: &Arguments,
    logging: &logging::Choice,
) -> anyhow::Result<ControlFlow<ExitCode, Finished>> {
    let mut onlooker = Onlooker {
        arguments,
        quiet: logging.quiet,
        interrupt: Interrupt::watch_each()?,
        screen: Screen::new(progress_style(logging)),
        asked: 0,
        prepared: None,
    };
    let options = Options {
        overrides: arguments.system.overrides(),
        threads: arguments.threads.unwrap_or(0),
        coloured: Paint::for_errors().coloured,
        keep_house: true,
        checkpoints: arguments.checkpoints(),
        resume: arguments.resume.clone(),
    };
    let report = match supervised::run(&arguments.system.path, &options, &mut onlooker) {
        Ok(report) => report,
        Err(error) => return refused(&error, &onlooker, arguments).map(ControlFlow::Break),
    };
    let prepared = onlooker.prepared;
    let outline = prepared.as_ref().map(|prepared| Outline {
        window: prepared.window,
        pace: prepared.pace.clone(),
        reason: prepared.reason.clone(),
        schema: prepared.schema(),
    });
    Ok(ControlFlow::Continue(Finished {
        report,
        outline,
        diagnostics: prepared.map_or_else(Vec::new, |prepared| prepared.diagnostics),
    }))
}

/// Ends a run that cannot even begin.
fn refused(error: &Error, onlooker: &Onlooker<'_>, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let diagnostics = error.diagnostics();
    if diagnostics.is_empty() {
        let prepared = onlooker
            .prepared
            .as_ref()
            .map(|prepared| prepared.system.as_str());
        let name = prepared.or(error.system()).unwrap_or_default();
        return refuse(name, &explained(error), arguments.json);
    }
    console::note(&error.to_string());
    let path = &arguments.system.path;
    let is_mistake = |d: &&Diagnostic| d.severity == Severity::Error;
    let mistakes = diagnostics.iter().filter(is_mistake).count();
    if mistakes > 1 {
        console::error(&format!("{} has {mistakes} mistakes", path.display()));
    }
    if arguments.json {
        json::print_mistakes(error.system(), diagnostics)?;
    }
    Ok(crate::exit::WRONG.into())
}

/// Looks on for the user.
struct Onlooker<'a> {
    arguments: &'a Arguments,
    quiet: bool,
    interrupt: Interrupt,
    screen: Screen,
    /// How often the end was asked for.
    asked: u32,
    prepared: Option<Prepared>,
}

impl Audience for Onlooker<'_> {
    fn prepared(&mut self, prepared: &Prepared) -> Result<Destination, String> {
        if !self.quiet {
            console::note(&prepared.notices);
        }
        self.prepared = Some(prepared.clone());
        let drawn = !prepared.scenes.is_empty();
        let out = out::choose(self.arguments, &prepared.system, &prepared.reads, drawn);
        out.map(Destination::File).map_err(|error| format!("{error:#}"))
    }

    fn look(&mut self, now: &Moment) -> Wish {
        if self.interrupt.is_paused() {
            return Wish::Pause;
        }
        if self.interrupt.is_heard() {
            self.asked += 1;
            match self.asked {
                1 if self.prepared.is_some() => self.screen.stopping(),
                // Nothing runs yet: it ends at once.
                1 => {}
                _ => self.interrupt.insist(),
            }
        }
        if let Some(window) = now.window {
            self.screen.show(window, now.time, now.passed);
        }
        match self.asked {
            0 => Wish::GoOn,
            1 => Wish::Stop,
            _ => Wish::Kill,
        }
    }

    fn pause(&mut self) {
        self.screen.clear();
        interrupt::stand_still();
    }

    fn finished(&mut self) {
        self.screen.clear();
    }
}
