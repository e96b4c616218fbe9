//! Archives and FMUs on disk: honest, odd and hostile ones.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests may fail loudly"
)]

mod again;
mod building;
mod damaged;
mod forge;
mod harmless;
mod hostile;
mod janitor;
mod opening;

use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of its own for a test.
fn folder() -> TempDir {
    tempfile::Builder::new()
        .prefix("test-of-cardan-")
        .tempdir()
        .unwrap()
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, bytes).unwrap();
    path
}

/// A small description of FMI 2.
const DESCRIPTION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="m" guid="g">
  <CoSimulation modelIdentifier="m"/>
  <ModelVariables>
    <ScalarVariable name="y" valueReference="0" causality="output"><Real/></ScalarVariable>
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="1" dependencies=""/></Outputs></ModelStructure>
</fmiModelDescription>
"#;
