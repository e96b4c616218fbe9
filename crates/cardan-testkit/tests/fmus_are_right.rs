//! FMPy, an importer of other people, finds the test FMUs valid and their results right.

use std::process::Command;

use cardan_testkit::fmus::{self, Fmi};

#[test]
fn fmpy_agrees() {
    let mut verify = Command::new(fmus::interpreter());
    verify.arg("-B").arg(fmus::folder().join("verify.py"));
    for (name, version) in fmus::sources() {
        let number = if version == Fmi::V2 { 2 } else { 3 };
        verify.arg(format!(
            "{name}:{number}={}",
            fmus::build(&name, version).display()
        ));
    }
    verify.arg(format!("decay:2={}", fmus::python("decay").display()));
    let run = verify.output().expect("Python starts");
    assert!(
        run.status.success(),
        "{}{}",
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&run.stderr)
    );
}
