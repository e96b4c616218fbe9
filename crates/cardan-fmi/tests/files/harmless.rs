//! Archives that are odd, and read all the same; and files that are no archives.

use super::forge::{deflated, entry, zip};
use super::{DESCRIPTION, folder, write};
use cardan_fmi::archive::{Limits, entry_names, read_entry, unpack};
use std::sync::Arc;

#[test]
fn an_honest_archive() {
    let folder = folder();
    let bytes = deflated(&[
        ("modelDescription.xml", DESCRIPTION.as_bytes()),
        ("resources/a/b.txt", b"text"),
    ]);
    let path = write(folder.path(), "x.fmu", bytes);
    let unpacked = unpack(&path, &Limits::default()).unwrap();
    assert!(unpacked.warnings().is_empty());
    let text = std::fs::read_to_string(unpacked.folder().join("resources/a/b.txt")).unwrap();
    assert_eq!(text, "text");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(unpacked.folder()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "nobody else may look");
    }
    let again = unpack(&path, &Limits::default()).unwrap();
    assert!(Arc::ptr_eq(&unpacked, &again), "unpacked once");
    let place = unpacked.folder().to_owned();
    drop((unpacked, again));
    assert!(!place.exists(), "gone with its last user");
    let third = unpack(&path, &Limits::default()).unwrap();
    assert!(third.folder() != place && third.folder().exists());
}

#[test]
fn a_changed_file_is_another() {
    let folder = folder();
    let path = write(folder.path(), "x.fmu", deflated(&[("a", b"1")]));
    let first = unpack(&path, &Limits::default()).unwrap();
    write(folder.path(), "x.fmu", deflated(&[("a", b"12")]));
    let second = unpack(&path, &Limits::default()).unwrap();
    assert!(!Arc::ptr_eq(&first, &second));
    assert_eq!(std::fs::read(second.folder().join("a")).unwrap(), b"12");
}

#[test]
fn backslashes_and_a_folder_in_front() {
    let folder = folder();
    let bytes = zip(&[
        entry("modelDescription.xml", DESCRIPTION),
        entry("binaries\\win64\\m.dll", "MZ"),
    ]);
    let path = write(folder.path(), "windows.fmu", bytes);
    let unpacked = unpack(&path, &Limits::default()).unwrap();
    assert!(unpacked.folder().join("binaries/win64/m.dll").is_file());
    assert_eq!(
        unpacked.warnings(),
        ["`binaries\\win64\\m.dll`: backslashes are read as separators of folders"]
    );

    let bytes = zip(&[
        entry("model/", ""),
        entry("model/modelDescription.xml", DESCRIPTION),
        entry("model/resources/x", "1"),
    ]);
    let path = write(folder.path(), "inner.fmu", bytes);
    let unpacked = unpack(&path, &Limits::default()).unwrap();
    assert!(unpacked.folder().join("resources/x").is_file());
    assert_eq!(
        unpacked.warnings(),
        ["the archive holds a folder `model` instead of its content"]
    );
    let entry = read_entry(&path, "modelDescription.xml", 1 << 20)
        .unwrap()
        .unwrap();
    assert_eq!(entry, DESCRIPTION.as_bytes());
}

#[test]
fn a_folder_is_used_as_it_lies() {
    let folder = folder();
    write(folder.path(), "modelDescription.xml", DESCRIPTION);
    let unpacked = unpack(folder.path(), &Limits::default()).unwrap();
    assert_eq!(unpacked.folder(), folder.path().canonicalize().unwrap());
    drop(unpacked);
    assert!(
        folder.path().join("modelDescription.xml").is_file(),
        "nothing is removed"
    );
}

#[test]
fn one_entry_without_the_rest() {
    let folder = folder();
    let path = write(
        folder.path(),
        "x.fmu",
        deflated(&[("modelDescription.xml", b"<x/>"), ("big", &[0; 100])]),
    );
    assert_eq!(
        read_entry(&path, "modelDescription.xml", 100).unwrap().unwrap(),
        b"<x/>"
    );
    assert!(read_entry(&path, "none.xml", 100).unwrap().is_none());
    assert!(read_entry(&path, "big", 99).is_err());
    assert!(read_entry(&folder.path().join("none.fmu"), "x", 99).is_err());
}

#[test]
fn names_without_unpacking() {
    let folder = folder();
    let bytes = zip(&[
        entry("sources/", ""),
        entry("sources\\a.c", ""),
        entry("modelDescription.xml", DESCRIPTION),
        entry("../outside", ""),
    ]);
    let path = write(folder.path(), "x.fmu", bytes);
    let listed = entry_names(&path).unwrap();
    assert_eq!(listed, ["modelDescription.xml", "sources/a.c"]);
    let unpacked = folder.path().join("unpacked");
    std::fs::create_dir_all(unpacked.join("sources")).unwrap();
    write(&unpacked, "modelDescription.xml", DESCRIPTION);
    write(&unpacked.join("sources"), "a.c", "");
    assert_eq!(entry_names(&unpacked).unwrap(), listed);
    assert!(entry_names(&folder.path().join("none.fmu")).is_err());
}

#[test]
fn what_is_not_an_archive_is_named() {
    let folder = folder();
    let tar: Vec<u8> = [&[b'x'; 257][..], b"ustar\0", &[0; 300][..]].concat();
    let cases: [(&[u8], &str); 9] = [
        (b"", "it is empty"),
        (
            b"<?xml version='1.0'?><fmiModelDescription/>",
            "it is an XML file",
        ),
        (b"\n<!DOCTYPE html><html>", "it is a web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid x", "Git LFS"),
        (b"\x7FELF\x02\x01", "a program or library for Linux"),
        (b"\x1F\x8B\x08", "compressed with gzip"),
        (&[0; 1000], "nothing but zeros"),
        (b"hello", "its first bytes are not those of a zip file"),
        (&tar, "it is a tar archive"),
    ];
    for (bytes, expected) in cases {
        let path = write(folder.path(), "x.fmu", bytes);
        let error = unpack(&path, &Limits::default()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let whole = zip(&[entry("a", "x".repeat(1000))]);
    let path = write(folder.path(), "x.fmu", &whole[..800]);
    let error = unpack(&path, &Limits::default()).unwrap_err().to_string();
    assert!(error.contains("is it cut off?"), "{error}");
}
