//! An FMU at a glance. Its binary is not loaded, and nothing but its description is unpacked.

mod machine;
mod page;
mod read;
mod variables;
mod words;

use crate::console::{self, Paint};
use crate::{exit, json};
use cardan::Reporter;
use cardan_fmi::ModelDescription;
use cardan_fmi::trial::Contents;
use std::path::Path;
use std::process::ExitCode;

/// All that is known of an FMU without starting it.
struct Known<'a> {
    path: &'a Path,
    description: ModelDescription,
    contents: Contents,
}

pub(super) fn perform(path: &Path, all: bool, as_json: bool) -> anyhow::Result<ExitCode> {
    let mut reporter = Reporter::new();
    let Some(description) = read::description(path, &mut reporter) else {
        console::note(&reporter.render_all(Paint::for_errors().coloured));
        if as_json {
            json::print_mistakes(None, &reporter.finish())?;
        }
        return Ok(exit::WRONG.into());
    };
    let known = Known {
        path,
        description,
        contents: cardan_fmi::trial::contents(path),
    };
    // What cannot be used can still be looked at, but it is not all right.
    let code = if reporter.has_errors() {
        exit::WRONG.into()
    } else {
        ExitCode::SUCCESS
    };
    if !as_json {
        console::print(&page::page(&known, all, Paint::for_output()))?;
    }
    console::note(&reporter.render_all(Paint::for_errors().coloured));
    if as_json {
        json::print(&machine::machine_readable(&known, &reporter.finish()))?;
    }
    Ok(code)
}
