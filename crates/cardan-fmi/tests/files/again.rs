//! Runs a test again in a process of its own, with an environment of its own.

use std::path::Path;
use std::process::{Command, Output};

/// Tells the second process that it is one.
const ROLE: &str = "CARDAN_TEST_ROLE";

/// The role of this process; none for the one that the user started.
pub(crate) fn role() -> Option<String> {
    std::env::var(ROLE).ok()
}

/// The test of that name in that role, with temporary files and cache below a folder.
pub(crate) fn run(test: &str, role: &str, folder: &Path) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads", "1"])
        .env(ROLE, role)
        .env("TMPDIR", folder)
        .env("CARDAN_CACHE", folder.join("cache"))
        .output()
        .unwrap()
}
