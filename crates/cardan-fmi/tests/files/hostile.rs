//! Archives that were made to do harm.

use super::forge::{Entry, deflated, entry, zip};
use super::{again, folder, write};
use cardan_fmi::archive::{ArchiveError, Limits, Refusal, unpack};
use std::path::Path;

/// Unpacks and says why not.
fn refused(bytes: &[u8], limits: &Limits) -> ArchiveError {
    let folder = folder();
    let path = write(folder.path(), "x.fmu", bytes);
    match unpack(&path, limits) {
        Ok(unpacked) => panic!("was unpacked to {}", unpacked.folder().display()),
        Err(error) => error,
    }
}

fn refusal(entries: &[Entry]) -> Refusal {
    match refused(&zip(entries), &Limits::default()) {
        ArchiveError::Entry { refusal, .. } => refusal,
        other => panic!("{other}"),
    }
}

fn named(name: &str) -> Vec<Entry> {
    vec![entry("modelDescription.xml", "<x/>"), entry(name, "harm")]
}

#[test]
fn names_that_lead_elsewhere() {
    for name in [
        "../harm",
        "a/../../harm",
        "..\\harm",
        "a\\..\\..\\harm",
        "resources/..",
        ".. /harm",
    ] {
        assert_eq!(refusal(&named(name)), Refusal::Upward, "{name}");
    }
    for name in [
        "/tmp/harm",
        "\\harm",
        "\\\\host\\harm",
        "C:\\harm",
        "c:harm",
        "//harm",
    ] {
        assert_eq!(refusal(&named(name)), Refusal::Absolute, "{name}");
    }
    for name in ["a\0b", "a\nb", "\x1b[2J"] {
        assert_eq!(refusal(&named(name)), Refusal::Control, "{name:?}");
    }
    assert_eq!(refusal(&named(&"n".repeat(256))), Refusal::LongName);
    assert_eq!(refusal(&named(&"n/".repeat(2000))), Refusal::LongName);
    assert_eq!(refusal(&named("")), Refusal::Nameless);
}

#[test]
fn names_that_collide() {
    let twice = |a: &str, b: &str| refusal(&[entry(a, "1"), entry(b, "2")]);
    assert_eq!(twice("a.txt", "a.txt"), Refusal::Twice);
    let error = refused(
        &zip(&[entry("b", ""), entry("a", ""), entry("a", "")]),
        &Limits::default(),
    );
    assert!(
        error.to_string().ends_with("the entry `a` comes twice"),
        "{error}"
    );
    assert_eq!(twice("a.txt", "./a.txt"), Refusal::Twice);
    assert_eq!(twice("a/b", "a\\b"), Refusal::Twice);
    assert_eq!(twice("a", "a/b"), Refusal::Twice, "a file is no folder");
    assert_eq!(twice("a/b", "a"), Refusal::Twice);
    assert_eq!(twice("Model.xml", "model.XML"), Refusal::Case("Model.xml".into()));
}

#[test]
fn what_is_not_a_file() {
    for (mode, expected) in [
        (0o120_777, Refusal::Link),
        (0o020_666, Refusal::Device),
        (0o060_666, Refusal::Device),
        (0o010_666, Refusal::Device),
        (0o140_666, Refusal::Device),
    ] {
        let mut link = entry("binaries", "/etc");
        link.mode = mode;
        assert_eq!(refusal(&[link, entry("binaries/x", "")]), expected, "{mode:o}");
    }
}

#[test]
fn what_cannot_be_read() {
    let with = |change: fn(&mut Entry)| {
        let mut odd = entry("x", "some data that is long enough");
        change(&mut odd);
        refusal(&[odd])
    };
    assert_eq!(with(|e| e.flags |= 1), Refusal::Encrypted);
    assert!(matches!(with(|e| e.method = 12), Refusal::Compression(_)));
    assert!(matches!(with(|e| e.method = 14), Refusal::Compression(_)));
    assert!(
        matches!(with(|e| e.method = 8), Refusal::Unreadable(_)),
        "not deflated at all"
    );
    assert!(matches!(with(|e| e.crc = Some(1)), Refusal::Unreadable(_)));
    // An honest archive says its real sizes; one that says others gives nothing.
    let lying = [
        |e: &mut Entry| e.packed = Some(u32::MAX - 1),
        |e: &mut Entry| e.packed = Some(5),
    ];
    for lie in lying {
        let mut odd = entry("x", "some data that is long enough");
        lie(&mut odd);
        refused(&zip(&[odd]), &Limits::default());
    }
}

#[test]
fn bombs() {
    let zeros = vec![0; 4 << 20];
    let bomb = deflated(&[("a", &zeros), ("b", &zeros)]);
    let small = Limits {
        total: 5 << 20,
        ..Limits::default()
    };
    let error = refused(&bomb, &small);
    assert!(
        error.is_hostile()
            && error
                .to_string()
                .contains("the entry `b` makes the content larger"),
        "{error}"
    );
    let strict = Limits {
        ratio: 100,
        ratio_from: 1 << 20,
        ..Limits::default()
    };
    assert!(refused(&bomb, &strict).to_string().contains("looks like a trap"));
    let few = Limits {
        entries: 1,
        ..Limits::default()
    };
    assert!(matches!(
        refused(&bomb, &few),
        ArchiveError::TooMany {
            count: 2,
            limit: 1,
            ..
        }
    ));

    // The header says ten bytes, the data unfolds to millions.
    let at = bomb.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    let mut lying = bomb.clone();
    lying[at + 24..at + 28].copy_from_slice(&10u32.to_le_bytes());
    let error = refused(
        &lying,
        &Limits {
            total: 1 << 20,
            ..Limits::default()
        },
    );
    assert!(
        matches!(error, ArchiveError::Entry { .. } | ArchiveError::Damaged { .. }),
        "{error}"
    );
}

#[test]
fn entries_that_overlap() {
    let first = entry("a", "x".repeat(1000));
    let mut second = entry("b", "x".repeat(1000));
    second.same_place_as = Some(0);
    let error = refused(&zip(&[first, second]), &Limits::default());
    assert!(
        error.to_string().contains("overlaps") || matches!(error, ArchiveError::Damaged { .. }),
        "{error}"
    );
}

#[test]
fn a_local_header_with_another_name_leads_nowhere_else() {
    let folder = folder();
    let mut odd = entry("good.txt", "harm");
    odd.local_name = Some(b"../bad.txt".to_vec());
    let path = write(folder.path(), "in/x.fmu", zip(&[odd]));
    if let Ok(unpacked) = unpack(&path, &Limits::default()) {
        assert!(unpacked.folder().join("good.txt").is_file());
        assert!(!unpacked.folder().join("../bad.txt").exists());
    }
}

/// After all of these, in a process of its own, the folder for temporary files is as empty as before.
#[test]
fn nothing_is_left_behind_or_written_elsewhere() {
    const NAME: &str = "hostile::nothing_is_left_behind_or_written_elsewhere";
    if let Some(folder) = again::role() {
        let names = ["../harm", "/tmp/cardan-harm", "a/../../harm", "x\\..\\..\\harm"];
        for (index, name) in names.iter().enumerate() {
            let path = write(Path::new(&folder), &format!("{index}.fmu"), zip(&named(name)));
            assert!(unpack(&path, &Limits::default()).is_err());
        }
        let bytes = zip(&[entry("modelDescription.xml", "<x/>")]);
        let path = write(Path::new(&folder), "good.fmu", bytes);
        assert!(
            unpack(&path, &Limits::default())
                .unwrap()
                .folder()
                .join("modelDescription.xml")
                .is_file()
        );
        return;
    }
    let (archives, temporary) = (folder(), folder());
    let output = again::run(NAME, archives.path().to_str().unwrap(), temporary.path());
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    let left: Vec<_> = std::fs::read_dir(temporary.path()).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(!Path::new("/tmp/cardan-harm").exists());
}
