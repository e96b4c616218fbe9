//! The command `cardan`: runs, checks, shows and compares coupled simulations.
//!
//! One file a command under `commands`. Whatever is printed goes through [`console`]; logs go through `tracing` to
//! standard error, so that `--json` keeps standard output for its one object.

mod arguments;
mod commands;
mod console;
mod description;
mod exit;
mod interrupt;
mod json;
mod logging;
mod messages;
mod progress;
mod table;
mod text;

use arguments::{Arguments, Command};
use cardan::core::defect;
use clap::Parser;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// The program `cardan`.
pub fn cardan() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let log_file = arguments.command.log_file();
    if let Err(error) = logging::start(&arguments.logging, log_file) {
        console::error(&format!("{error:#}"));
        return exit::WRONG.into();
    }
    guarded(|| perform(arguments.command, &arguments.logging))
}

/// The program `tlmmanager`: `cardan tlm manager` with the command line and the first words of the one it stands in for.
pub fn tlmmanager() -> ExitCode {
    guarded(commands::tlm::manager::stand_in)
}

/// The program `tlmmonitor`: `cardan tlm monitor` with the command line of the one it stands in for.
pub fn tlmmonitor() -> ExitCode {
    guarded(commands::tlm::monitor::stand_in)
}

/// The hook keeps quiet about panics, since those of participants are caught and told by the engine. A panic that
/// arrives here is our own.
fn guarded(work: impl FnOnce() -> ExitCode) -> ExitCode {
    defect::watch();
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(code) => code,
        Err(cause) => {
            let words = defect::described(&*cause, defect::place().as_ref());
            console::error(&format!("{words}; please report it, with what -v prints"));
            exit::DEFECT.into()
        }
    }
}

fn perform(command: Command, logging: &logging::Choice) -> ExitCode {
    let wants_json = command.wants_json();
    let done = match command {
        Command::Run(arguments) => commands::run::perform(arguments, logging),
        Command::Check(arguments) => commands::check::perform(&arguments),
        Command::Info(arguments) => commands::info::perform(&arguments),
        Command::Plot(arguments) => commands::plot::perform(&arguments),
        Command::Compare(arguments) => commands::compare::perform(&arguments),
        Command::Example(arguments) => commands::example::perform(&arguments),
        Command::Tlm(arguments) => commands::tlm::perform(arguments, logging),
        Command::Completions(arguments) => commands::completions::perform(&arguments),
    };
    done.unwrap_or_else(|error| {
        let message = format!("{error:#}");
        console::error(&message);
        if wants_json {
            json::print_failure(&message);
        }
        exit::WRONG.into()
    })
}

/// Answers a command line that asks for help, or that does not make sense.
fn usage(error: &clap::Error) -> ExitCode {
    // Help goes to standard output, mistakes to standard error; clap knows. There is nobody to tell if that fails.
    let _ = error.print();
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    if std::env::args_os().any(|argument| argument == "--json") {
        let text = error.render().to_string();
        // The first paragraph says what is wrong; usage and hints follow.
        let words: Vec<&str> = text
            .lines()
            .take_while(|line| !line.is_empty())
            .map(str::trim)
            .collect();
        json::print_failure(words.join(" ").trim_start_matches("error: "));
    }
    exit::WRONG.into()
}
