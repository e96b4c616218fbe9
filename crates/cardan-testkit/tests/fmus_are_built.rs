//! The builder of test FMUs: every one is built, whole, once, and exports what the standard asks for.

#![allow(clippy::expect_used, reason = "a test reports by panicking")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::{fs, thread};

use cardan_testkit::fmus::{self, Fmi};

/// The functions of FMI a library exports.
fn exported(library: &Path) -> BTreeSet<String> {
    let listing = Command::new("nm")
        .arg("-D")
        .arg(library)
        .output()
        .expect("nm runs");
    assert!(listing.status.success(), "nm fails on {}", library.display());
    let mut found = BTreeSet::new();
    for line in String::from_utf8_lossy(&listing.stdout).lines() {
        if let Some((_, name)) = line.split_once(" T ") {
            found.insert(name.to_owned());
        }
    }
    found
}

fn standard(version: Fmi) -> BTreeSet<String> {
    let list = match version {
        Fmi::V2 => include_str!("fmi2-functions.txt"),
        Fmi::V3 => include_str!("fmi3-functions.txt"),
    };
    list.split_whitespace()
        .map(|name| format!("{version}{name}"))
        .collect()
}

#[test]
fn the_lists_of_functions_are_complete() {
    assert_eq!(standard(Fmi::V2).len(), 44);
    assert_eq!(standard(Fmi::V3).len(), 75);
}

#[test]
fn every_fmu_exports_the_functions_of_its_standard_and_nothing_else() {
    for (name, version) in fmus::sources() {
        let folder = fmus::unpacked(&name, version);
        let library = folder
            .join("binaries")
            .join(version.platform())
            .join(format!("{}.so", name.replace('-', "_")));
        match name.as_str() {
            "foreign" | "source-only" => assert!(!library.exists(), "{name} has a library for this machine"),
            "missing-symbol" => assert!(!exported(&library).contains(&format!("{version}DoStep"))),
            _ => assert_eq!(exported(&library), standard(version), "{name} for {version}"),
        }
        assert!(folder.join("modelDescription.xml").is_file());
    }
}

#[test]
fn there_are_fmus_of_both_versions() {
    let sources = fmus::sources();
    for version in Fmi::ALL {
        assert!(sources.contains(&("lag".to_owned(), version)));
        assert!(sources.iter().filter(|(_, v)| *v == version).count() > 20);
    }
}

#[test]
fn many_may_build_at_the_same_time() {
    let paths: Vec<_> = thread::scope(|scope| {
        let builders: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| fmus::build("gain", Fmi::V3)))
            .collect();
        builders
            .into_iter()
            .map(|builder| builder.join().expect("builds"))
            .collect()
    });
    let first = &paths[0];
    assert!(first.ends_with("gain.fmu") && paths.iter().all(|path| path == first));
    assert_eq!(&fs::read(first).expect("is there")[..2], b"PK");
}

#[test]
fn an_fmu_with_extra_files_has_them() {
    let folder = fmus::unpacked("driven-mass", Fmi::V3);
    assert!(folder.join("terminalsAndIcons/terminalsAndIcons.xml").is_file());
    let sources = fmus::unpacked("source-only", Fmi::V3).join("sources");
    assert!(sources.join("buildDescription.xml").is_file() && sources.join("source_only.c").is_file());
}

#[test]
#[should_panic(expected = "there is no test FMU `nonsense`")]
fn an_unknown_name_is_refused() {
    fmus::build("nonsense", Fmi::V2);
}
