//! Tools of other people that tests couple, as `./test --tools` has installed them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The examples that couple a tool, with its name: their tests are ignored unless `./test --tools` runs them.
pub const EXAMPLES: &[(&str, &str)] = &[
    ("mujoco-fe", "mujoco"),
    ("ngspice-heater", "ngspice"),
    ("octave-controller", "octave"),
    ("scilab-observer", "scilab"),
];

/// The tool that an example needs, if it needs one.
pub fn of_example(name: &str) -> Option<&'static str> {
    let found = EXAMPLES.iter().find(|(example, _)| *example == name);
    found.map(|(_, tool)| *tool)
}

/// Whether a tool can be had here. `./test --tools` lists those in `CARDAN_TEST_TOOLS`; without it every tool is
/// expected to be there, since tests that need one are run only when asked for.
///
/// A test that needs `octave` begins with `if !tools::has("octave") { return; }` and is marked
/// `#[ignore = "needs Octave: ./test --tools"]`.
#[allow(clippy::print_stdout, reason = "nextest shows it with the test")]
pub fn has(tool: &str) -> bool {
    let Ok(list) = std::env::var("CARDAN_TEST_TOOLS") else {
        return true;
    };
    let found = list.split_whitespace().any(|name| name == tool);
    if !found {
        println!("skipped: {tool} cannot be had here");
    }
    found
}

/// The folder with the Python that has the coupled tools installed, prepared when first asked for.
pub fn python_folder() -> PathBuf {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testing/python-env");
    let answer = Command::new(script).arg("tools").output().unwrap();
    assert!(
        answer.status.success(),
        "{}",
        String::from_utf8_lossy(&answer.stderr)
    );
    let python = PathBuf::from(String::from_utf8(answer.stdout).unwrap().trim());
    python.parent().unwrap().to_owned()
}

/// A `PATH` on which `python3` is the one of [`python_folder`].
pub fn path() -> OsString {
    let usual = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(python_folder()).chain(std::env::split_paths(&usual));
    std::env::join_paths(folders).unwrap()
}

/// Runs `body`, the whole of the test called `test`, where `python3` is the one of [`python_folder`]. If this process
/// finds another one, the test is run by a process that has the right [`path`]: a process cannot safely change its own.
#[allow(
    clippy::print_stdout,
    reason = "the words of the other process belong to this test"
)]
pub fn with_python(test: &str, body: impl FnOnce()) {
    let first = std::env::var_os("PATH").and_then(|path| std::env::split_paths(&path).next());
    if first == Some(python_folder()) {
        return body();
    }
    let answer = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--include-ignored", "--nocapture"])
        .env("PATH", path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&answer.stdout);
    println!("{said}{}", String::from_utf8_lossy(&answer.stderr));
    // A name that no test has would run none of them, and succeed.
    assert!(said.contains("running 1 test"), "there is no test {test}");
    assert!(answer.status.success(), "{test} failed in its own process");
}
