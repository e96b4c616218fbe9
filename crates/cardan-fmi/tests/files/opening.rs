//! FMUs: opened once, refused with a reason.

use super::forge::{deflated, entry, zip};
use super::{DESCRIPTION, folder, write};
use cardan_describe::Reporter;
use cardan_fmi::{BinaryError, Fmu};
use insta::assert_snapshot;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

fn complaints(path: &Path, folder: &Path) -> String {
    let mut reporter = Reporter::new();
    assert!(Fmu::open(path, &mut reporter).is_none());
    reporter
        .render_all(false)
        .replace(&folder.display().to_string(), "DIR")
}

#[test]
fn a_thousand_components_open_it_once() {
    let folder = folder();
    let variables: String = (0..5000)
        .map(|i| format!("<ScalarVariable name=\"x{i}\" valueReference=\"{i}\"><Real/></ScalarVariable>\n"))
        .collect();
    let text = DESCRIPTION.replace("</ModelVariables>", &format!("{variables}</ModelVariables>"));
    let path = write(
        folder.path(),
        "x.fmu",
        deflated(&[("modelDescription.xml", text.as_bytes())]),
    );
    let mut reporter = Reporter::new();
    let begin = Instant::now();
    let first = Fmu::open(&path, &mut reporter).unwrap();
    println!("first: {:?}", begin.elapsed());
    let begin = Instant::now();
    let others: Vec<_> = (0..1000)
        .map(|_| Fmu::open(&path, &mut reporter).unwrap())
        .collect();
    println!("a thousand more: {:?}", begin.elapsed());
    assert!(others.iter().all(|other| Arc::ptr_eq(&first, other)));
    assert_eq!(first.find("x4999"), first.description().find("x4999"));
    // Another reporter has not seen the text, so places in it would point nowhere.
    let mut another = Reporter::new();
    let second = Fmu::open(&path, &mut another).unwrap();
    assert!(!Arc::ptr_eq(&first, &second));
    assert_eq!(first.folder(), second.folder(), "but it is unpacked once");
    assert!(another.source(second.description().span.source).is_some());
    assert_eq!(first.fingerprint(), second.fingerprint());
    // Under another name, as inside an archive that was unpacked, it is opened once too.
    let mut inside = Reporter::new();
    inside.call(folder.path(), "system.ssp");
    let third = Fmu::open(&path, &mut inside).unwrap();
    assert!(Arc::ptr_eq(&third, &Fmu::open(&path, &mut inside).unwrap()));
}

#[test]
fn a_thousand_components_of_a_broken_one_complain_once() {
    let folder = folder();
    let text = DESCRIPTION.replace("<Real/>", "<Real start=\"one\"/>");
    let path = write(
        folder.path(),
        "x.fmu",
        zip(&[entry("modelDescription.xml", text)]),
    );
    let mut reporter = Reporter::new();
    for _ in 0..1000 {
        assert!(Fmu::open(&path, &mut reporter).is_none());
        assert!(Fmu::open(&folder.path().join("none.fmu"), &mut reporter).is_none());
    }
    assert_eq!(reporter.error_count(), 2, "{}", reporter.render_all(false));
}

#[test]
fn what_is_not_an_fmu() {
    let folder = folder();
    let file = |name: &str, bytes: &[u8]| complaints(&write(folder.path(), name, bytes), folder.path());
    assert_snapshot!(complaints(&folder.path().join("none.fmu"), folder.path()), @r#"
    error: DIR/none.fmu: No such file or directory (os error 2)
     --> DIR/none.fmu
      = help: check the path
    "#);
    assert_snapshot!(file("text.fmu", b"<html>"), @r#"
    error: DIR/text.fmu is not a zip archive: it is a web page: did a download ask for a login?
     --> DIR/text.fmu
      = help: export or copy it again
    "#);
    assert_snapshot!(file("empty.fmu", &zip(&[entry("readme.txt", "hello")])), @r#"
    error: there is no modelDescription.xml inside: this is not an FMU
     --> DIR/empty.fmu
      = help: is this the right file?
    "#);
    assert_snapshot!(file("ssp.fmu", &zip(&[entry("SystemStructure.ssd", "<x/>")])), @r#"
    error: there is no modelDescription.xml inside: this is not an FMU
     --> DIR/ssp.fmu
      = help: it is an SSP, a whole system: run it instead of naming it as an FMU
    "#);
    assert_snapshot!(file("evil.fmu", &zip(&[entry("../../x", "")])), @r#"
    error: DIR/evil.fmu: the entry `../../x` leads out of the archive
     --> DIR/evil.fmu
      = help: nothing was kept of it: ask its author for another export
    "#);
    assert_snapshot!(file("old.fmu", &zip(&[entry("modelDescription.xml", DESCRIPTION.replace("2.0", "1.0"))])), @r#"
    error: FMI 1.0 is not supported: export as 2.0 or 3.0
     --> DIR/old.fmu/modelDescription.xml:2:34
      |
    2 | <fmiModelDescription fmiVersion="1.0" modelName="m" guid="g">
      |                                  ^^^ a version from 2010
    "#);
}

/// Opens an FMU with these further files and asks for its binary.
fn binary(files: &[(&str, &[u8])]) -> Result<String, BinaryError> {
    let folder = folder();
    write(folder.path(), "modelDescription.xml", DESCRIPTION);
    for (name, bytes) in files {
        write(folder.path(), name, bytes);
    }
    let fmu = Fmu::open(folder.path(), &mut Reporter::new()).unwrap();
    let path = fmu.binary("m")?;
    Ok(path.file_name().unwrap().to_string_lossy().into_owned())
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn binaries_for_this_machine_and_others() {
    fn elf(class: u8, machine: u16) -> Vec<u8> {
        let mut bytes = vec![0x7F, b'E', b'L', b'F', class, 1, 1, 0];
        bytes.resize(18, 0);
        bytes.extend(machine.to_le_bytes());
        bytes.resize(64, 0);
        bytes
    }
    let said = |files: &[(&str, &[u8])]| binary(files).unwrap_err().to_string();
    assert_eq!(
        binary(&[("binaries/linux64/m.so", &elf(2, 62))]),
        Ok("m.so".into())
    );
    assert_eq!(
        binary(&[("binaries/x86_64-linux/m.so", &elf(2, 62))]),
        Ok("m.so".into())
    );
    assert_snapshot!(said(&[]), @"the FMU has neither a binary nor sources for `m`");
    assert_snapshot!(said(&[("binaries/win64/m.dll", b"MZ"), ("binaries/darwin64/m.dylib", b"")]), @"the FMU has no binary for x86_64-linux (linux64), only for darwin64, win64");
    assert_snapshot!(said(&[("binaries/linux32/m.so", &elf(1, 3)), ("binaries/win32/m.dll", b"MZ")]), @"the FMU has only 32-bit binaries (linux32, win32)");
    assert_snapshot!(said(&[("binaries/linux64/other.so", &elf(2, 62))]), @"there is no m.so in binaries/linux64 of the FMU, only other.so");
    let unfit = |bytes: &[u8]| {
        let text = said(&[("binaries/linux64/m.so", bytes)]);
        text.rsplit_once("m.so ").unwrap().1.to_owned()
    };
    assert_snapshot!(unfit(&elf(2, 183)), @"cannot be loaded: it is for ARM processors");
    assert_snapshot!(unfit(&elf(1, 3)), @"cannot be loaded: it is a library for 32 bits");
    assert_snapshot!(unfit(b"MZ\x90"), @"cannot be loaded: it is a library for Windows under the name of one for Linux");
    assert_snapshot!(unfit(b""), @"cannot be loaded: it is empty");
    // A table of sections at the 100th byte of 64: loading it would end the process with a bus error.
    let mut cut = elf(2, 62);
    cut[40] = 100;
    (cut[58], cut[60]) = (64, 1);
    assert_snapshot!(unfit(&cut), @"cannot be loaded: it is cut off");
}

#[test]
fn a_tool_that_must_be_installed_is_named() {
    let folder = folder();
    let text = DESCRIPTION.replace("Identifier=\"m\"", "Identifier=\"m\" needsExecutionTool=\"true\"");
    let text = text.replace("guid=\"g\"", "guid=\"g\" generationTool=\"BigTool 7\"");
    let path = write(
        folder.path(),
        "x.fmu",
        zip(&[entry("modelDescription.xml", text)]),
    );
    let mut reporter = Reporter::new();
    assert!(Fmu::open(&path, &mut reporter).is_some());
    let text = reporter.render_all(false);
    assert!(
        text.contains("the FMU needs BigTool 7 on this machine to run"),
        "{text}"
    );
}
