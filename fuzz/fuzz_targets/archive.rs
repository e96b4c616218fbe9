//! Any bytes as an archive: unpacked within its limits and its folder, or refused.
#![no_main]

use cardan_fmi::archive::{Limits, read_entry, unpack};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(folder) = tempfile::tempdir() else {
        return;
    };
    let path = folder.path().join("x.fmu");
    if std::fs::write(&path, bytes).is_err() {
        return;
    }
    let limits = Limits {
        total: 4 << 20,
        entries: 100,
        ..Limits::default()
    };
    let _ = read_entry(&path, "modelDescription.xml", 1 << 20);
    let _ = unpack(&path, &limits);
    let left = std::fs::read_dir(folder.path()).map_or(0, Iterator::count);
    assert_eq!(left, 1, "something was written beside the archive");
});
