//! For which machines an FMU has something, told by the names of its files alone. Nothing is unpacked.

use crate::archive;
use crate::fmu::platform;
use std::collections::BTreeMap;
use std::path::Path;

/// What lies in an FMU beside its description.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// Sorted by name.
    pub platforms: Vec<Platform>,
    /// How many files it has as sources.
    pub source_files: usize,
}

/// The folder of a platform.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Platform {
    /// As it is written, such as `linux64` or `x86_64-linux`.
    pub name: String,
    /// Its files, sorted.
    pub files: Vec<String>,
}

impl Platform {
    /// Its name in the words of FMI 3, which are the clearer ones.
    pub fn meaning(&self) -> &str {
        match self.name.as_str() {
            "linux64" => "x86_64-linux",
            "linux32" => "x86-linux",
            "win64" => "x86_64-windows",
            "win32" => "x86-windows",
            "darwin64" => "x86_64-darwin",
            name => name,
        }
    }

    /// Is it the platform that this program runs on?
    pub fn is_ours(&self) -> bool {
        self.meaning() == platform()
    }
}

/// Lists an archive or a folder. What cannot be read is empty: whoever reads the description finds out why.
pub fn contents(path: &Path) -> Contents {
    let names = archive::entry_names(path).unwrap_or_default();
    gathered(names.iter().map(String::as_str))
}

fn gathered<'a>(names: impl Iterator<Item = &'a str>) -> Contents {
    let mut platforms: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut source_files = 0;
    for name in names {
        let mut parts = name.split('/');
        let mut first = parts.next().unwrap_or_default();
        // Some people pack the folder instead of its content.
        if !matches!(first, "binaries" | "sources") {
            first = parts.next().unwrap_or_default();
        }
        match (first, parts.next()) {
            ("binaries", Some(platform)) => {
                let files = platforms.entry(platform).or_default();
                let rest: Vec<&str> = parts.collect();
                files.push(rest.join("/"));
            }
            ("sources", Some(_)) => source_files += 1,
            _ => {}
        }
    }
    let platforms = platforms.into_iter().map(|(name, mut files)| {
        files.sort();
        Platform {
            name: name.to_owned(),
            files,
        }
    });
    Contents {
        platforms: platforms.collect(),
        source_files,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_platforms() {
        let contents = gathered(
            [
                "modelDescription.xml",
                "binaries/win64/a.dll",
                "binaries/x86_64-linux/deeper/b.so",
                "binaries/x86_64-linux/a.so",
                "outer/binaries/linux64/a.so",
                "sources/a.c",
                "resources/binaries",
            ]
            .into_iter(),
        );
        let names: Vec<&str> = contents.platforms.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["linux64", "win64", "x86_64-linux"]);
        assert_eq!(contents.platforms[2].files, ["a.so", "deeper/b.so"]);
        assert_eq!(contents.source_files, 1);
        assert_eq!(contents.platforms[1].meaning(), "x86_64-windows");
    }
}
