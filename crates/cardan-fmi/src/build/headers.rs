//! The headers of the standard, for FMUs that bring none.

use super::BuildError;
use crate::description::Version;
use std::path::{Path, PathBuf};

const V2: [(&str, &str); 3] = [
    ("fmi2Functions.h", include_str!("../../headers/fmi2Functions.h")),
    (
        "fmi2FunctionTypes.h",
        include_str!("../../headers/fmi2FunctionTypes.h"),
    ),
    (
        "fmi2TypesPlatform.h",
        include_str!("../../headers/fmi2TypesPlatform.h"),
    ),
];

const V3: [(&str, &str); 3] = [
    ("fmi3Functions.h", include_str!("../../headers/fmi3Functions.h")),
    (
        "fmi3FunctionTypes.h",
        include_str!("../../headers/fmi3FunctionTypes.h"),
    ),
    (
        "fmi3PlatformTypes.h",
        include_str!("../../headers/fmi3PlatformTypes.h"),
    ),
];

/// Names and texts.
pub(super) fn of(version: Version) -> &'static [(&'static str, &'static str)] {
    match version {
        Version::V2 => &V2,
        Version::V3 => &V3,
    }
}

/// Writes them into a folder of their own.
pub(super) fn write(folder: &Path, version: Version) -> Result<PathBuf, BuildError> {
    let headers = folder.join("headers");
    let done = std::fs::create_dir(&headers).and_then(|()| {
        of(version)
            .iter()
            .try_for_each(|(name, text)| std::fs::write(headers.join(name), text))
    });
    done.map_err(|error| BuildError::io(&headers, &error))?;
    Ok(headers)
}
