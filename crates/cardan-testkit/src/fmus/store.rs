//! Things built once for each content, by however many processes ask for them.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use super::package;

/// The folder with what `make` puts into it. Its name says what it was made from, so changed inputs make a new one.
pub(super) fn once(kind: &str, inputs: &[PathBuf], flags: &[String], make: impl FnOnce(&Path)) -> PathBuf {
    let store = target().join("test-fmus");
    let finished = store
        .join(kind)
        .join(format!("{:016x}", fingerprint(inputs, flags)));
    if finished.is_dir() {
        return finished;
    }
    // Made under a name of its own and then renamed: nobody ever sees half of it.
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let making = store.join(format!("making-{}-{number}", process::id()));
    fs::create_dir_all(&making).unwrap();
    fs::create_dir_all(finished.parent().unwrap()).unwrap();
    make(&making);
    if let Err(error) = fs::rename(&making, &finished) {
        // Another process was faster, with the same content.
        assert!(finished.is_dir(), "cannot create {}: {error}", finished.display());
        fs::remove_dir_all(&making).unwrap();
    }
    finished
}

fn fingerprint(inputs: &[PathBuf], flags: &[String]) -> u64 {
    let mut hash = DefaultHasher::new();
    flags.hash(&mut hash);
    for input in inputs {
        let files = if input.is_dir() {
            package::files(input)
        } else {
            vec![input.clone()]
        };
        for file in files {
            file.file_name().hash(&mut hash);
            fs::read(&file).unwrap().hash(&mut hash);
        }
    }
    hash.finish()
}

/// Cargo's target folder: the one the running test or benchmark lies in.
pub(super) fn target() -> PathBuf {
    let running = std::env::current_exe().unwrap_or_default();
    let marked = running
        .ancestors()
        .find(|folder| folder.join("CACHEDIR.TAG").is_file())
        .map(Path::to_path_buf);
    // The programs of documentation tests lie elsewhere.
    let found = marked
        .or_else(|| std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from))
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"));
    std::path::absolute(found).unwrap()
}
