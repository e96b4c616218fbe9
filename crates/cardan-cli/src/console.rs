//! The only place that prints. Standard output is for what was asked for, standard error for everything else.

use anyhow::Context;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

/// The size of a page where there is no terminal to ask.
const PAGE: (usize, usize) = (80, 24);

/// What was standard output when the process began, once it is [ours alone](keep_output).
static OUTPUT: OnceLock<File> = OnceLock::new();

/// Keeps standard output for our answer: whatever else writes there from now on, such as a model that prints, or the
/// buffers of C when the process ends, writes to standard error.
pub(crate) fn keep_output() -> anyhow::Result<()> {
    if OUTPUT.get().is_some() {
        return Ok(());
    }
    let moved = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3).and_then(|own| {
        rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
        Ok(own)
    });
    let own = moved.context("standard output cannot be kept apart from that of models")?;
    // There is one caller, and it was not here before.
    let _ = OUTPUT.set(File::from(own));
    Ok(())
}

/// Puts text on standard output.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let written = match OUTPUT.get() {
        Some(mut own) => own.write_all(text.as_bytes()),
        None => {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        }
    };
    match written {
        // Whoever reads, `head` for example, has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write to standard output"),
    }
}

/// Puts text on standard error. There is no other place to complain if that fails.
pub(crate) fn note(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Says on standard error what is wrong, as one sentence.
pub(crate) fn error(message: &str) {
    note(&format!("{}: {message}\n", Paint::for_errors().red("error")));
}

/// Says on standard error what was noticed.
pub(crate) fn warning(message: &str) {
    note(&format!("{}: {message}\n", Paint::for_errors().yellow("warning")));
}

/// Does a person read standard output?
pub(crate) fn is_terminal() -> bool {
    match OUTPUT.get() {
        Some(own) => own.is_terminal(),
        None => io::stdout().is_terminal(),
    }
}

/// Does a person read standard error?
pub(crate) fn errors_on_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Columns and rows of the terminal.
pub(crate) fn size() -> (usize, usize) {
    let own = OUTPUT.get().and_then(terminal_size::terminal_size_of);
    let size = own.or_else(terminal_size::terminal_size);
    size.map_or(PAGE, |(columns, rows)| (columns.0.into(), rows.0.into()))
}

/// Colours, or none: not into a file, not where `NO_COLOR` is set (<https://no-color.org>), not on a dumb terminal.
#[derive(Clone, Copy)]
pub(crate) struct Paint {
    pub(crate) coloured: bool,
}

impl Paint {
    /// For standard output.
    pub(crate) fn for_output() -> Self {
        Paint {
            coloured: is_terminal() && wanted(),
        }
    }

    /// For standard error.
    pub(crate) fn for_errors() -> Self {
        Paint {
            coloured: errors_on_terminal() && wanted(),
        }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.with("1;31", text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.with("1;32", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.with("1;33", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.coloured {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

fn wanted() -> bool {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    set("NO_COLOR").is_none() && set("TERM").is_none_or(|term| term != "dumb")
}
