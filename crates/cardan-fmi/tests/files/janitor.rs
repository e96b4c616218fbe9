//! Folders go away with the process, however it ends.

use super::forge::{entry, zip};
use super::{DESCRIPTION, again, folder, write};
use cardan_fmi::archive::{Limits, unpack};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const NAME: &str = "janitor::folders_go_away_however_the_process_ends";

/// In the second process: unpacks, says where, and ends.
fn end(role: &str) {
    let (way, path) = role.split_once(' ').unwrap();
    let begin = Instant::now();
    let first = unpack(Path::new(path), &Limits::default()).unwrap();
    println!("folder={} ", first.folder().display());
    println!("first={:?} ", begin.elapsed());
    let copy = Path::new(path).with_file_name("copy.fmu");
    std::fs::copy(path, &copy).unwrap();
    let begin = Instant::now();
    let second = unpack(&copy, &Limits::default()).unwrap();
    println!("second={:?} ", begin.elapsed());
    let gone = second.folder().to_owned();
    drop(second);
    assert!(!gone.exists());
    // Something that the janitor was told to forget, and that is ours now: it must stay.
    std::fs::create_dir(&gone).unwrap();
    println!("kept={} ", gone.display());
    std::mem::forget(first);
    match way {
        "abort" => std::process::abort(),
        "exit" => std::process::exit(0),
        "kill" => {
            let id = std::process::id().to_string();
            std::process::Command::new("kill")
                .args(["-9", &id])
                .status()
                .unwrap();
            std::thread::sleep(Duration::from_secs(10));
        }
        _ => unreachable!(),
    }
}

#[test]
fn folders_go_away_however_the_process_ends() {
    if let Some(role) = again::role() {
        return end(&role);
    }
    for way in ["exit", "abort", "kill"] {
        let (archives, temporary) = (folder(), folder());
        let path = write(
            archives.path(),
            "x.fmu",
            zip(&[entry("modelDescription.xml", DESCRIPTION)]),
        );
        let begin = Instant::now();
        // Ends when nobody holds the other end of the output any more.
        let output = again::run(NAME, &format!("{way} {}", path.display()), temporary.path());
        assert!(
            begin.elapsed() < Duration::from_secs(5),
            "{way}: somebody held the output open"
        );
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        println!("{way}: {text}");
        let said = |what: &str| {
            let start = text.find(what).unwrap_or_else(|| panic!("{way}: {text}")) + what.len();
            text[start..].split_whitespace().next().unwrap().to_owned()
        };
        let folder = PathBuf::from(said("folder="));
        while folder.exists() && begin.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!folder.exists(), "{way}: {} is left behind", folder.display());
        assert!(
            PathBuf::from(said("kept=")).exists(),
            "{way}: only what it was given"
        );
    }
}
