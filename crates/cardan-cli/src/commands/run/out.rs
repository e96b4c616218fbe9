//! Where the results go.

use super::Arguments;
use anyhow::bail;
use std::fs;
use std::path::PathBuf;

/// The file for the results: the one given, or one in this folder that is called like the system.
///
/// A file that the system reads is refused: a table `road.csv` of a system `road` would be gone otherwise.
pub(super) fn choose(
    arguments: &Arguments,
    system: &str,
    reads: &[(String, PathBuf)],
) -> anyhow::Result<PathBuf> {
    let input = arguments.system.input.as_deref();
    let out = arguments.out.clone().unwrap_or_else(|| default(system));
    if [&arguments.checkpoint, &arguments.resume].contains(&&Some(out.clone())) {
        bail!(
            "{} cannot hold both a checkpoint and the results; choose another file with --out",
            out.display()
        );
    }
    let Ok(place) = fs::canonicalize(&out) else {
        return Ok(out);
    };
    if input.is_some_and(|input| fs::canonicalize(input).is_ok_and(|read| read == place)) {
        bail!(
            "{} is read by --input and would be overwritten by the results; choose another file with --out",
            out.display()
        );
    }
    if let Some((component, _)) = reads.iter().find(|(_, read)| *read == place) {
        bail!(
            "{} is read by `{component}` and would be overwritten by the results; choose another file with --out",
            out.display()
        );
    }
    Ok(out)
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
