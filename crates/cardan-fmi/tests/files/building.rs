//! FMUs that bring sources.

use super::{DESCRIPTION, again, folder, write};
use cardan_describe::Reporter;
use cardan_fmi::{BinaryError, Fmu};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const V2: &str = r#"
#define FMI2_FUNCTION_PREFIX m_
#include "fmi2Functions.h"
#include "part.h"
const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean n) { return part(t) > 0 ? fmi2OK : fmi2Error; }
"#;

const V3: &str = r#"
#include "fmi3Functions.h"
#include "inner.h"
#ifndef NEEDED
#error not defined
#endif
const char* fmi3GetVersion(void) { return fmi3Version; }
fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) { return NEEDED == 7 && INNER ? fmi3OK : fmi3Error; }
"#;

const BUILD: &str = r#"<fmiBuildDescription fmiVersion="3.0">
  <BuildConfiguration modelIdentifier="other"><SourceFileSet><SourceFile name="none.c"/></SourceFileSet></BuildConfiguration>
  <BuildConfiguration modelIdentifier="m">
    <SourceFileSet language="C99" compilerOptions="-Wall -o /tmp/cardan-harm">
      <SourceFile name="model.c"/>
      <PreprocessorDefinition name="NEEDED" value="7"/>
      <IncludeDirectory name="include"/>
    </SourceFileSet>
    <SourceFileSet><SourceFile name="extra.cpp"/></SourceFileSet>
    <Library name="m"/>
  </BuildConfiguration>
</fmiBuildDescription>"#;

fn listing(files: &[&str]) -> String {
    let files: String = files
        .iter()
        .map(|name| format!("<File name=\"{name}\"/>"))
        .collect();
    DESCRIPTION.replace(
        "<CoSimulation modelIdentifier=\"m\"/>",
        &format!("<CoSimulation modelIdentifier=\"m\"><SourceFiles>{files}</SourceFiles></CoSimulation>"),
    )
}

fn open(folder: &Path) -> Result<PathBuf, BinaryError> {
    let mut reporter = Reporter::new();
    let fmu = Fmu::open(folder, &mut reporter).unwrap_or_else(|| panic!("{}", reporter.render_all(false)));
    fmu.binary("m")
}

/// Names of the functions that a library offers.
fn exported(library: &Path) -> String {
    let output = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(library)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the rest of a test in a process with a cache of its own.
fn alone(name: &str) -> bool {
    if again::role().is_some() {
        return true;
    }
    let temporary = folder();
    let output = again::run(name, "alone", temporary.path());
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}");
    assert!(output.status.success());
    false
}

#[test]
fn sources_of_fmi_2_are_compiled_once() {
    if !alone("building::sources_of_fmi_2_are_compiled_once") {
        return;
    }
    let folder = folder();
    write(
        folder.path(),
        "modelDescription.xml",
        listing(&["model.c", "part.c", "part.h"]),
    );
    write(folder.path(), "sources/model.c", V2);
    write(folder.path(), "sources/part.h", "double part(double);\n");
    write(
        folder.path(),
        "sources/part.c",
        "#include <math.h>\ndouble part(double x) { return exp(x); }\n",
    );
    let begin = Instant::now();
    let library = open(folder.path()).unwrap();
    println!("compiled in {:?}", begin.elapsed());
    let names = exported(&library);
    assert!(
        names.contains(" fmi2DoStep\n"),
        "no prefix in a shared library: {names}"
    );
    let begin = Instant::now();
    assert_eq!(open(folder.path()).unwrap(), library);
    println!("found again in {:?}", begin.elapsed());
    // Another content is another library.
    write(
        folder.path(),
        "sources/part.h",
        "double part(double); /* changed */\n",
    );
    assert_ne!(open(folder.path()).unwrap(), library);
}

#[test]
fn sources_of_fmi_3_follow_their_description() {
    if !alone("building::sources_of_fmi_3_follow_their_description") {
        return;
    }
    let folder = folder();
    let text = DESCRIPTION
        .replace("fmiVersion=\"2.0\"", "fmiVersion=\"3.0\"")
        .replace("guid", "instantiationToken");
    let start = text.find("<ModelVariables>").unwrap();
    let text = format!(
        "{}<ModelVariables/><ModelStructure/></fmiModelDescription>",
        &text[..start]
    );
    write(folder.path(), "modelDescription.xml", text);
    write(folder.path(), "sources/buildDescription.xml", BUILD);
    write(folder.path(), "sources/model.c", V3);
    write(folder.path(), "sources/include/inner.h", "#define INNER 1\n");
    write(
        folder.path(),
        "sources/extra.cpp",
        "#include <string>\nstd::string extra() { return \"x\"; }\n",
    );
    let library = open(folder.path()).unwrap();
    assert!(exported(&library).contains(" fmi3SetTime\n"));
    assert!(!Path::new("/tmp/cardan-harm").exists());
}

#[test]
fn many_at_once_do_not_disturb_each_other() {
    if !alone("building::many_at_once_do_not_disturb_each_other") {
        return;
    }
    let folder = folder();
    write(folder.path(), "modelDescription.xml", listing(&["a.c"]));
    write(folder.path(), "sources/a.c", "int a(void) { return 1; }\n");
    let libraries: Vec<PathBuf> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| open(folder.path()).unwrap()))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(
        libraries
            .iter()
            .all(|library| *library == libraries[0] && library.is_file())
    );
    let left = std::fs::read_dir(libraries[0].parent().unwrap()).unwrap().count();
    assert_eq!(left, 1, "no half-made ones");
}

#[test]
fn what_cannot_be_compiled_is_explained() {
    if !alone("building::what_cannot_be_compiled_is_explained") {
        return;
    }
    let folder = folder();
    let said = |files: &[&str], source: &str| {
        write(folder.path(), "modelDescription.xml", listing(files));
        write(folder.path(), "sources/a.c", source);
        open(folder.path()).unwrap_err().to_string()
    };
    let text = said(&["a.c"], "int a(void) { return oops; }\n");
    assert!(
        text.contains("`cc` failed on a.c") && text.contains("oops"),
        "{text}"
    );
    assert!(text.lines().count() < 25);
    let text = said(&["a.c", "b.c"], "int a;\n");
    assert!(
        text.contains("the source file `b.c` is listed but not there"),
        "{text}"
    );
    let text = said(&["../../../etc/x.c"], "int a;\n");
    assert!(text.contains("leads out of the archive"), "{text}");
    let text = said(
        &["a.c"],
        "#include \"fmi2Functions.h\"\nfmi2Real fmi2DoStep(void) { return 1; }\n",
    );
    assert!(
        text.contains("conflicting types"),
        "our headers know the right type: {text}"
    );
}
