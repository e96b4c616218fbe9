//! Compiles FMUs that bring sources and no binary for this platform, once for each content.

mod cache;
mod compiler;
mod configuration;
mod error;
mod headers;
mod recipe;

pub use error::BuildError;

use crate::description::Version;
use recipe::Recipe;
use std::path::{Path, PathBuf};

/// What is to be built, of which FMU.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// The unpacked FMU.
    pub folder: &'a Path,
    /// Tells where the sources are listed.
    pub version: Version,
    /// The name of the binary.
    pub model_identifier: &'a str,
    /// The source files that FMI 2 lists.
    pub source_files: &'a [String],
}

/// The path of a shared library, from the cache if the same sources have been compiled before.
pub fn build(order: Order<'_>) -> Result<PathBuf, BuildError> {
    let recipe = Recipe::of(order)?;
    let compilers = compiler::Compilers::find(&recipe)?;
    let key = cache::key(&recipe, &compilers)?;
    let name = format!("{}{}", order.model_identifier, std::env::consts::DLL_SUFFIX);
    cache::find_or_make(&key, &name, |folder, target| {
        let headers = headers::write(folder, order.version)?;
        compiler::compile(&recipe, &compilers, &headers, folder, target)
    })
}

/// Does an FMU bring sources?
pub fn has_sources(order: Order<'_>) -> bool {
    Recipe::of(order).is_ok()
}
