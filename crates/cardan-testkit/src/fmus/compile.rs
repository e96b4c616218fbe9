//! From C files to a library, or to a folder of sources.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Fmi, folder, package};

/// What happens to the C files of a model.
pub(super) struct Recipe {
    identifier: String,
    version: Fmi,
    sources: Vec<PathBuf>,
    as_sources: bool,
    pub(super) flags: Vec<String>,
}

impl Recipe {
    pub(super) fn new(name: &str, version: Fmi) -> Self {
        let identifier = name.replace('-', "_");
        let model = folder().join(name).join(format!("{identifier}.c"));
        let mut sources = Vec::new();
        // A model without C files is not compiled: its folder holds what it has for binaries.
        if model.is_file() {
            sources.push(model);
            sources.extend(frame(version, "c"));
        }
        let number = match version {
            Fmi::V2 => 2,
            Fmi::V3 => 3,
        };
        let mut flags: Vec<String> = "-std=c11 -O2 -shared -fPIC -fvisibility=hidden"
            .split(' ')
            .map(str::to_owned)
            .collect();
        flags.push(format!("-DFMI_VERSION={number}"));
        if name == "missing-symbol" {
            flags.push(format!("-D{version}DoStep={version}DoStepByAnotherName"));
        }
        Self {
            identifier,
            version,
            sources,
            as_sources: name == "source-only",
            flags,
        }
    }

    pub(super) fn run(&self, content: &Path) {
        if self.as_sources {
            let into = content.join("sources");
            for file in self.sources.iter().chain(&frame(self.version, "h")) {
                package::copy(file, &into.join(file.file_name().unwrap_or_default()));
            }
        } else if !self.sources.is_empty() {
            let binaries = content.join("binaries").join(self.version.platform());
            std::fs::create_dir_all(&binaries).unwrap();
            self.compile(&binaries.join(format!("{}.so", self.identifier)));
        }
    }

    fn compile(&self, library: &Path) {
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let run = Command::new(&compiler)
            .args(&self.flags)
            .arg("-I")
            .arg(folder().join("frame"))
            .args(&self.sources)
            .arg("-o")
            .arg(library)
            .arg("-lm")
            .output()
            .unwrap_or_else(|error| panic!("the C compiler `{compiler}` does not start: {error}"));
        assert!(
            run.status.success(),
            "`{compiler}` does not compile {}:\n{}",
            self.identifier,
            String::from_utf8_lossy(&run.stderr)
        );
    }
}

/// The files of the frame that a version needs.
fn frame(version: Fmi, extension: &str) -> Vec<PathBuf> {
    let other = match version {
        Fmi::V2 => "fmi3",
        Fmi::V3 => "fmi2",
    };
    let mut files = package::entries(&folder().join("frame"));
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        file.extension().is_some_and(|e| e == extension) && !name.starts_with(other)
    });
    files
}
