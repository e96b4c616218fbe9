//! Where the library of Python is.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Stdio};

/// Names the library, and nothing else is tried.
const NAMED: &str = "CARDAN_LIBPYTHON";

/// Minor versions of Python 3 to look for where no interpreter says more, newest first.
const VERSIONS: [u32; 8] = [14, 13, 12, 11, 10, 9, 8, 7];

/// What an interpreter is asked: itself, then the folder and the names of its library.
const QUESTION: &str = "import sys, sysconfig as s
print(sys.executable)
for name in 'LIBDIR', 'INSTSONAME', 'LDLIBRARY': print(s.get_config_var(name) or '')
print(sys.base_prefix + '/lib')";

/// A library of Python that could be opened.
#[derive(Debug)]
pub(super) struct Found<T> {
    pub(super) library: T,
    pub(super) name: String,
    /// The interpreter that it belongs to, if it was asked.
    pub(super) program: Option<String>,
}

/// The first library that `open` opens. The error tells all that was tried.
pub(super) fn find<T>(open: impl Fn(&OsStr) -> Result<T, String>) -> Result<Found<T>, String> {
    if let Some(named) = std::env::var_os(NAMED) {
        return match open(&named) {
            Ok(library) => Ok(found(library, &named, None)),
            Err(reason) => Err(format!("{NAMED} names a file that cannot be loaded: {reason}")),
        };
    }
    let interpreter = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let answer = ask(&interpreter);
    if answer.is_none() && std::env::var_os("PYTHONHOME").is_some() {
        // With a wrong one Python does not fail, it ends the process.
        let asked = Path::new(&interpreter).display();
        return Err(format!(
            "{asked} does not run; is PYTHONHOME, which is set, its folder?"
        ));
    }
    let own = answer.as_deref().map(candidates).unwrap_or_default();
    for name in &own {
        if let Ok(library) = open(name) {
            let program = answer.as_deref().and_then(|answer| answer.lines().next());
            return Ok(found(
                library,
                name,
                program.filter(|program| !program.is_empty()),
            ));
        }
    }
    for version in VERSIONS {
        let name = OsString::from(format!("libpython3.{version}.so.1.0"));
        if let Ok(library) = open(&name) {
            return Ok(found(library, &name, None));
        }
    }
    let asked = Path::new(&interpreter).display();
    Err(match answer {
        Some(_) if own.is_empty() => {
            format!("{asked} was built without a shared library, and the system has none either")
        }
        Some(_) => format!("neither {asked} nor the system has a library that can be loaded"),
        None => format!("{asked} does not run, and the system has no library of Python"),
    })
}

fn found<T>(library: T, name: &OsStr, program: Option<&str>) -> Found<T> {
    Found {
        library,
        name: name.to_string_lossy().into_owned(),
        program: program.map(str::to_owned),
    }
}

fn ask(interpreter: &OsStr) -> Option<String> {
    let mut command = Command::new(interpreter);
    command.args(["-c", QUESTION]).stdin(Stdio::null());
    let answer = command.output().ok().filter(|answer| answer.status.success())?;
    String::from_utf8(answer.stdout).ok()
}

/// The places that an interpreter speaks of, most exact first. Those that were built without a shared library name an
/// archive instead.
fn candidates(answer: &str) -> Vec<OsString> {
    let lines: Vec<&str> = answer.lines().map(str::trim).collect();
    let [_, folder, installed, linked, prefix] = lines.as_slice() else {
        return Vec::new();
    };
    let shared = |name: &&&str| name.contains(".so") || name.contains(".dylib");
    let mut places = Vec::new();
    for name in [installed, linked].into_iter().filter(shared) {
        for folder in [folder, prefix].into_iter().filter(|folder| !folder.is_empty()) {
            places.push(Path::new(folder).join(name).into_os_string());
        }
    }
    // Debian keeps it in a folder of the linker.
    places.extend([installed, linked].into_iter().filter(shared).map(OsString::from));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interpreter_names_its_library() {
        let debian = "/usr/bin/python3\n/usr/lib\nlibpython3.11.so.1.0\nlibpython3.11.so\n/usr/lib\n";
        let places = candidates(debian);
        assert_eq!(places[0], "/usr/lib/libpython3.11.so.1.0");
        assert!(places.contains(&"libpython3.11.so.1.0".into()));
        let without = "/opt/python3\n/opt/lib\nlibpython3.12.a\nlibpython3.12.a\n/opt/lib\n";
        assert!(candidates(without).is_empty());
        assert!(candidates("a word of somebody else").is_empty());
    }
}
