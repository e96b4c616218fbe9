//! FMUs that are written in Python.
//!
//! Their binaries, as PythonFMU makes them, name functions of Python and leave it to the process to have them. We look
//! for the library of Python when the first such FMU is loaded, and load it for all to see.
//!
//! Python is started here and never ended: an FMU that finds it running leaves it running, so one that goes does not
//! take it away from the others, and packages that can be loaded only once, such as NumPy, stay. It is started without
//! its handlers of signals, so that an interrupt is still ours.
//!
//! For the same reason neither the library of Python nor a binary that uses it is ever unloaded: threads and objects of
//! Python may still point into it. What remains is a few hundred kilobytes for each file that was loaded.

mod search;

use std::ffi::{OsStr, c_int, c_void};
use std::path::Path;
use std::sync::Mutex;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW, Symbol};

use super::environment::lock;

/// The library, once it was found.
static PYTHON: Mutex<Option<Library>> = Mutex::new(None);

/// Does the system miss a function of Python, by its words on why a binary cannot be loaded?
pub(super) fn is_missing(path: &Path, words: &str) -> bool {
    // Folders may be called anything.
    let words = words.replace(&*path.to_string_lossy(), " ");
    let is_of_python = |name: &str| {
        let name = name.trim_start_matches('_');
        let rest = name.strip_prefix("Py").and_then(|rest| rest.chars().next());
        rest.is_some_and(|first| first == '_' || first.is_ascii_uppercase())
    };
    let mut names = words.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.contains("symbol") && names.any(is_of_python)
}

/// Loads and starts Python, unless that was done. The error tells where it was looked for.
pub(super) fn provide() -> Result<(), String> {
    let mut python = lock(&PYTHON);
    if python.is_some() {
        return Ok(());
    }
    let found = search::find(open)?;
    start(&found.library, found.program.as_deref());
    tracing::debug!(library = found.name, "the library of Python was loaded");
    *python = Some(found.library);
    Ok(())
}

/// Does a binary use the Python of this process?
pub(super) fn is_used_by(path: &Path) -> bool {
    // SAFETY: the symbol is only looked for.
    let present = unsafe { Library::this().get::<*const c_void>(b"Py_IsInitialized\0") }.is_ok();
    let names: [&[u8]; 2] = [b"Py_IsInitialized\0", b"_Py_NoneStruct\0"];
    present
        && std::fs::read(path).is_ok_and(|bytes| {
            let holds = |name: &[u8]| bytes.windows(name.len()).any(|window| window == name);
            names.into_iter().any(holds)
        })
}

fn open(name: &OsStr) -> Result<Library, String> {
    // SAFETY: the initialisers of the library run here, and Python has harmless ones.
    unsafe { Library::open(Some(name), RTLD_NOW | RTLD_GLOBAL) }
        .map_err(|error| super::library::reason(&error))
}

/// Starts Python if nobody has, and lets go of it, so that any thread may call it.
fn start(library: &Library, program: Option<&str>) {
    // SAFETY: these are the types that Python gives its functions, in all versions that have them.
    let functions = unsafe {
        let started: Result<Symbol<unsafe extern "C" fn() -> c_int>, _> = library.get(b"Py_IsInitialized\0");
        let start: Result<Symbol<unsafe extern "C" fn(c_int)>, _> = library.get(b"Py_InitializeEx\0");
        let let_go: Result<Symbol<unsafe extern "C" fn() -> *mut c_void>, _> =
            library.get(b"PyEval_SaveThread\0");
        (started, start, let_go)
    };
    let (Ok(started), Ok(start), Ok(let_go)) = functions else {
        return; // no Python we know; its FMUs will say so
    };
    // SAFETY: can be asked at any time.
    if unsafe { started() } != 0 {
        return;
    }
    if let Some(program) = program {
        name(library, program);
    }
    // SAFETY: Python does not run yet, and this thread holds its lock until it lets go.
    unsafe {
        start(0);
        let_go();
    }
}

/// Tells Python by which program it would have been started: that is how it finds its packages and those of a virtual
/// environment.
fn name(library: &Library, program: &str) {
    // SAFETY: the type that Python gives this function. Newer versions may not have it any more.
    let set: Result<Symbol<unsafe extern "C" fn(*const u32)>, _> =
        unsafe { library.get(b"Py_SetProgramName\0") };
    let Ok(set) = set else {
        return;
    };
    // Wide characters are code points on Unix.
    let wide: Vec<u32> = program.chars().map(u32::from).chain([0]).collect();
    // SAFETY: the text ends with a zero and stays for ever, as Python wants it.
    unsafe { set(Vec::leak(wide).as_ptr()) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_python_are_known_by_their_names() {
        let path = Path::new("/tmp/Py_models/model.so");
        for words in [
            "/tmp/Py_models/model.so: undefined symbol: _Py_NoneStruct",
            "/tmp/Py_models/model.so: undefined symbol: PyBool_FromLong",
            "Error relocating /tmp/Py_models/model.so: Py_Initialize: symbol not found",
            "symbol not found in flat namespace '__Py_NoneStruct'",
        ] {
            assert!(is_missing(path, words), "{words}");
        }
        for words in [
            "/tmp/Py_models/model.so: undefined symbol: Pythagoras",
            "/tmp/Py_models/model.so: undefined symbol: fmi2GetReal",
            "libPy_x.so: cannot open shared object file: No such file or directory",
        ] {
            assert!(!is_missing(path, words), "{words}");
        }
    }
}
