//! Python for tests, and FMUs written in it.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use super::{folder, package, store};

/// The Python of the tests, with FMPy and PythonFMU: `CARDAN_TEST_PYTHON`, or what `testing/python-env` prepares.
pub fn interpreter() -> PathBuf {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    FOUND.get_or_init(find).clone()
}

fn find() -> PathBuf {
    if let Some(python) = std::env::var_os("CARDAN_TEST_PYTHON") {
        return python.into();
    }
    let run = Command::new(folder().join("../python-env"))
        .env("CARGO_TARGET_DIR", store::target())
        .output()
        .unwrap_or_else(|error| panic!("testing/python-env does not start: {error}"));
    let printed = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success(),
        "testing/python-env fails:\n{}",
        String::from_utf8_lossy(&run.stderr)
    );
    printed.trim().into()
}

/// The path of `<name>.fmu`, made by PythonFMU (FMI 2, co-simulation) from `testing/fmus/python/<name>.py`.
pub fn python(name: &str) -> PathBuf {
    let source = folder().join("python").join(format!("{name}.py"));
    assert!(source.is_file(), "there is no {}", source.display());
    let requirements = folder().join("../requirements.txt");
    let built = store::once("python", &[source.clone(), requirements], &[], |into| {
        let run = Command::new(interpreter())
            .args(["-B", "-m", "pythonfmu", "build", "-f"])
            .arg(&source)
            .arg("-d")
            .arg(into)
            .output()
            .unwrap_or_else(|error| panic!("Python does not start: {error}"));
        assert!(
            run.status.success(),
            "PythonFMU does not build {name}:\n{}",
            String::from_utf8_lossy(&run.stderr)
        );
        // PythonFMU names the file after the class.
        let made = package::entries(into);
        assert!(made.len() == 1, "PythonFMU made {made:?}");
        std::fs::rename(&made[0], into.join(format!("{name}.fmu"))).unwrap();
    });
    built.join(format!("{name}.fmu"))
}
