//! Reads configuration scripts of the Adams Co-Simulation Interface, with a map that says what their processes are made
//! from.

mod group;
mod keywords;
mod map;
mod pairs;
mod pieces;
mod reading;
mod script;
mod system;

use crate::diagnostic::{Reporter, Source, Span};
use crate::load::{beginning_of, text_of};
use crate::spec::SystemSpec;
use keywords::Level;
use map::Map;
use pieces::{Piece, Pieces};
use script::Script;
use std::path::{Path, PathBuf};

/// How the names of scripts end.
pub const EXTENSION: &str = "cosim";

/// No script is longer; what is, is likely something else.
pub const MAX_BYTES: u64 = 1 << 20;

/// So much is looked at to tell whether a file is a script.
const GLANCE: u64 = 4096;

const EXAMPLE: &str = "\
write one, or name it with --map; such as
[system]
stop = 1.0
[codes.adams]
model = \"mass-spring-damper\"
motion = \"position\"
force = \"force\"";

/// Is the file a script? Its name ends so, or it begins like one.
pub fn is_script(path: &Path) -> bool {
    let named = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION));
    named || beginning_of(path, GLANCE).is_some_and(|text| begins_like_one(&text))
}

/// Does a text begin like a script: with a process, or a keyword of the script as a whole?
fn begins_like_one(text: &str) -> bool {
    let known = |word: &str| Level::Script.keyword(&word.to_ascii_lowercase()).is_some();
    match Pieces::of(text).next() {
        Some(Piece::Word(word)) => text[word].eq_ignore_ascii_case("process"),
        Some(Piece::Entry(entry)) => known(&text[entry.keyword]),
        _ => false,
    }
}

/// The map that belongs to a script where nobody names another: `brake.map.toml` beside `brake.cosim`.
pub fn map_beside(script: &Path) -> PathBuf {
    script.with_extension("map.toml")
}

/// Reads a system from a script and a map. None if there was no script to read; what is wrong inside is reported, and the
/// rest comes back. Sources of components stay relative to the folder of the map.
pub fn load(script: &Path, map: &Path, reporter: &mut Reporter) -> Option<SystemSpec> {
    let text = text_of(script, MAX_BYTES, reporter)?;
    let map = match map.exists() {
        true => text_of(map, crate::load::MAX_BYTES, reporter).map(|text| Source::new(map, text)),
        false => {
            reporter
                .file_error(
                    map,
                    "there is no such file, which would say what the processes are made from",
                )
                .advice(EXAMPLE);
            None
        }
    };
    Some(parse(Source::new(script, text), map, reporter))
}

/// Reads a system from the text of a script and that of a map. Without a map the script is checked for itself.
pub fn parse(script: Source, map: Option<Source>, reporter: &mut Reporter) -> SystemSpec {
    let name = script.path().file_stem().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    let id = reporter.add(script);
    let whole = Span::new(id, 0..0);
    let mistakes = reporter.error_count();
    let (group, complete) = group::read(id, reporter);
    let script = Script::of(&group, complete, reporter);
    let map = map.map(|source| Map::read(source, name.clone(), reporter));
    let mut system = system::system(&script, map.as_ref(), name, whole, reporter);
    // What is missing after a mistake is missing because of it.
    system.broken |= reporter.error_count() > mistakes;
    system
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_told_by_how_they_begin() {
        for script in [
            "cosim_ip = 127.0.0.1",
            "$ a\n\n# b = c\n Process\n{\n",
            "process{id=1}",
            "interpolation_order_u=2",
        ] {
            assert!(begins_like_one(script), "{script}");
        }
        for other in [
            "",
            "# comment",
            "[system]\nstop = 1",
            "name = 3",
            "<xml/>",
            "time,x\n0,1",
        ] {
            assert!(!begins_like_one(other), "{other}");
        }
    }

    #[test]
    fn the_map_lies_beside_the_script() {
        assert_eq!(
            map_beside(Path::new("a/brake.cosim")),
            Path::new("a/brake.map.toml")
        );
        assert_eq!(map_beside(Path::new("brake")), Path::new("brake.map.toml"));
    }
}
