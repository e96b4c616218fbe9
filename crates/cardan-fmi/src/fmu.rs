//! An FMU: its files, its description, its binary.

mod binary;
mod open;

pub use binary::{BinaryError, platform};

use crate::archive::Unpacked;
use crate::description::{ModelDescription, TERMINALS_FILE};
use cardan_describe::xml;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// An FMU. All components of one file share it.
#[derive(Debug)]
pub struct Fmu {
    path: PathBuf,
    files: Arc<Unpacked>,
    description: Arc<ModelDescription>,
    /// By model identifier: found, compiled or missed once.
    binaries: Mutex<HashMap<String, Result<PathBuf, BinaryError>>>,
    names: OnceLock<HashMap<String, usize>>,
    fingerprint: OnceLock<String>,
}

impl Fmu {
    /// The archive or folder it came from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder with its files.
    pub fn folder(&self) -> &Path {
        self.files.folder()
    }

    /// The folder `resources`, which it gets at its instantiation. It need not exist.
    pub fn resources(&self) -> PathBuf {
        self.folder().join("resources")
    }

    /// What it says about itself.
    pub fn description(&self) -> &Arc<ModelDescription> {
        &self.description
    }

    /// The variable of that name, aliases included, by its index. Fast for any number of variables and questions.
    pub fn find(&self, name: &str) -> Option<usize> {
        let names = self.names.get_or_init(|| {
            let variables = || self.description.variables.iter().enumerate();
            let aliases =
                variables().flat_map(|(index, v)| v.aliases.iter().map(move |a| (a.clone(), index)));
            let own = variables().map(|(index, v)| (v.name.clone(), index));
            aliases.chain(own).collect()
        });
        names.get(name).copied()
    }

    /// The shared library of a model identifier, compiled from sources where there is none for this platform. Its path
    /// is the same for all instances of it in this process, and so tells which of them share code.
    pub fn binary(&self, model_identifier: &str) -> Result<PathBuf, BinaryError> {
        // Held while compiling: others who want the same must wait anyway.
        let mut binaries = self.binaries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = binaries.get(model_identifier) {
            return known.clone();
        }
        let found = binary::find(self.folder(), &self.description, model_identifier);
        binaries.insert(model_identifier.to_owned(), found.clone());
        found
    }

    /// A hash of the description, binaries, sources and resources: equal for equal FMUs, wherever they lie. The first
    /// question reads them all.
    pub fn fingerprint(&self) -> &str {
        self.fingerprint.get_or_init(|| {
            let mut hash = Sha256::new();
            let mut files = vec![self.folder().join(crate::description::FILE)];
            for part in ["binaries", "sources", "resources"] {
                binary::all_files(&self.folder().join(part), &mut files);
            }
            files.push(self.folder().join(TERMINALS_FILE));
            for file in files {
                let name = file.strip_prefix(self.folder()).unwrap_or(&file);
                let bytes = std::fs::read(&file).unwrap_or_default();
                hash.update(name.as_os_str().as_encoded_bytes());
                hash.update((bytes.len() as u64).to_le_bytes());
                hash.update(bytes);
            }
            hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
        })
    }
}

/// Longer descriptions are not read.
const MAX_BYTES: u64 = xml::MAX_BYTES;
