//! Opens descriptions for the commands that need one, and shows what is wrong in them.

use crate::arguments::SystemArguments;
use crate::console::{self, Paint};
use crate::{exit, json};
use cardan::{Overrides, Reporter, System};
use std::path::Path;
use std::process::ExitCode;

/// A description after reading: the system, unless a mistake was in the way, and all that was noticed.
pub(crate) struct Opened {
    /// The system, if it can run.
    pub(crate) system: Option<System>,
    /// Mistakes and warnings.
    pub(crate) reporter: Reporter,
}

/// Reads a description with what the command line changes in it.
pub(crate) fn open(arguments: &SystemArguments) -> Opened {
    open_with(&arguments.path, &arguments.overrides())
}

/// Reads a description.
pub(crate) fn open_with(path: &Path, overrides: &Overrides) -> Opened {
    let mut reporter = Reporter::new();
    // Nobody looks into a run from here, so nothing needs to be evaluated but what is recorded and connected.
    let system = System::load(path, overrides, false, &mut reporter);
    Opened { system, reporter }
}

/// The name of a system whose description may be wrong otherwise.
pub(crate) fn name_of(path: &Path, overrides: &Overrides) -> Option<String> {
    System::name_of(path, overrides)
}

/// Is it an FMU, packed or unpacked?
pub(crate) fn is_fmu(path: &Path) -> bool {
    let is_named_so = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("fmu"));
    if path.is_dir() {
        path.join("modelDescription.xml").is_file()
    } else {
        is_named_so && path.exists()
    }
}

/// Shows all that was noticed, on standard error, and how many mistakes it is where they fill more than a page.
pub(crate) fn show(reporter: &Reporter, path: &Path) {
    console::note(&reporter.render_all(Paint::for_errors().coloured));
    let mistakes = reporter.error_count();
    if mistakes > 1 {
        console::error(&format!("{} has {mistakes} mistakes", path.display()));
    }
}

/// Ends a command whose description is wrong: shows every mistake, for machines too.
pub(crate) fn refuse(
    path: &Path,
    overrides: &Overrides,
    reporter: Reporter,
    as_json: bool,
) -> anyhow::Result<ExitCode> {
    show(&reporter, path);
    if as_json {
        json::print_mistakes(name_of(path, overrides).as_deref(), &reporter.finish())?;
    }
    Ok(exit::WRONG.into())
}
