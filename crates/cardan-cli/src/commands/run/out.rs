//! Where the results go.

use super::Arguments;
use anyhow::bail;
use cardan::record::scene;
use std::fs;
use std::path::{Path, PathBuf};

/// The file for the results: the one given, or one in this folder that is called like the system.
///
/// A file that the system reads is refused: a table `road.csv` of a system `road` would be gone otherwise. So is one where
/// the scene of a system that is `drawn` would go.
pub(super) fn choose(
    arguments: &Arguments,
    system: &str,
    reads: &[(String, PathBuf)],
    drawn: bool,
) -> anyhow::Result<PathBuf> {
    let out = arguments.out.clone().unwrap_or_else(|| default(system));
    spare(&out, "the results", arguments, reads)?;
    if drawn {
        spare(&scene::beside(&out), "the scene", arguments, reads)?;
    }
    Ok(out)
}

/// Refuses a file that is needed for something else.
fn spare(out: &Path, what: &str, arguments: &Arguments, reads: &[(String, PathBuf)]) -> anyhow::Result<()> {
    let checkpoints = [&arguments.checkpoint, &arguments.resume];
    if checkpoints.into_iter().flatten().any(|file| file == out) {
        bail!(
            "{} cannot hold both a checkpoint and {what}; choose another file with --out",
            out.display()
        );
    }
    let Ok(place) = fs::canonicalize(out) else {
        return Ok(());
    };
    let input = arguments.system.input.as_deref();
    if input.is_some_and(|input| fs::canonicalize(input).is_ok_and(|read| read == place)) {
        bail!(
            "{} is read by --input and would be overwritten by {what}; choose another file with --out",
            out.display()
        );
    }
    if let Some((component, _)) = reads.iter().find(|(_, read)| *read == place) {
        bail!(
            "{} is read by `{component}` and would be overwritten by {what}; choose another file with --out",
            out.display()
        );
    }
    Ok(())
}

/// The name of a system may be any text; a file name may not.
fn default(name: &str) -> PathBuf {
    let safe: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || "-_. ".contains(c) {
                c
            } else {
                '-'
            }
        })
        .collect();
    let safe = safe.trim_matches(['.', ' ']);
    let name = if safe.is_empty() { "results" } else { safe };
    PathBuf::from(format!("{name}.csv"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn any_name_becomes_a_file_in_this_folder() {
        assert_eq!(default("quarter-car"), Path::new("quarter-car.csv"));
        assert_eq!(default("a/../b"), Path::new("a-..-b.csv"));
        assert_eq!(default(".."), Path::new("results.csv"));
        assert_eq!(default("größe 2"), Path::new("größe 2.csv"));
    }
}
