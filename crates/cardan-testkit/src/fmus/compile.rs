//! From C files to a library, or to a folder of sources.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Fmi, folder, package, store};

/// What happens to the C files of a model.
pub(super) struct Recipe {
    identifier: String,
    version: Fmi,
    model: PathBuf,
    as_sources: bool,
    /// The compiler and its flags.
    pub(super) command: Vec<String>,
}

impl Recipe {
    pub(super) fn new(name: &str, version: Fmi) -> Self {
        let identifier = name.replace('-', "_");
        let model = folder().join(name).join(format!("{identifier}.c"));
        let number = match version {
            Fmi::V2 => 2,
            Fmi::V3 => 3,
        };
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let mut command = vec![compiler];
        command.extend(
            "-std=c11 -O2 -fPIC -fvisibility=hidden"
                .split(' ')
                .map(str::to_owned),
        );
        command.push(format!("-DFMI_VERSION={number}"));
        if name == "missing-symbol" {
            command.push(format!("-D{version}DoStep={version}DoStepByAnotherName"));
        }
        Self {
            identifier,
            version,
            model,
            as_sources: name == "source-only",
            command,
        }
    }

    pub(super) fn run(&self, content: &Path) {
        if self.as_sources {
            let into = content.join("sources");
            package::copy(
                &self.model,
                &into.join(self.model.file_name().unwrap_or_default()),
            );
            for file in frame(self.version, "c").iter().chain(&frame(self.version, "h")) {
                package::copy(file, &into.join(file.file_name().unwrap_or_default()));
            }
        } else if self.model.is_file() {
            let binaries = content.join("binaries").join(self.version.platform());
            std::fs::create_dir_all(&binaries).unwrap();
            self.compile(&binaries.join(format!("{}.so", self.identifier)));
        }
        // A model without a C file is not compiled: its folder holds what it has for binaries.
    }

    fn compile(&self, library: &Path) {
        // The frame is the same for all models: its objects are made once.
        let objects = store::once("objects", &[folder().join("frame")], &self.command, |into| {
            self.cc(into, &[Path::new("-c")], &frame(self.version, "c"));
        });
        let mut inputs = vec![self.model.clone()];
        inputs.extend(package::entries(&objects));
        self.cc(
            &objects,
            &[Path::new("-shared"), Path::new("-o"), library],
            &inputs,
        );
    }

    fn cc(&self, within: &Path, flags: &[&Path], inputs: &[PathBuf]) {
        let compiler = &self.command[0];
        let run = Command::new(compiler)
            .args(&self.command[1..])
            .args(flags)
            .arg("-I")
            .arg(folder().join("frame"))
            .args(inputs)
            .arg("-lm")
            .current_dir(within)
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
