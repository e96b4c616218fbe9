//! Reads `buildDescription.xml`, in which FMI 3 says how its sources are compiled.

use super::BuildError;
use super::recipe::{FileSet, Recipe, inside, language};
use cardan_describe::xml::{self, Element};
use cardan_describe::{Reporter, Source};
use std::path::Path;

pub(super) fn recipe(folder: &Path, model_identifier: &str) -> Result<Recipe, BuildError> {
    let path = folder.join("buildDescription.xml");
    let bytes = match std::fs::metadata(&path) {
        Ok(data) if data.len() <= xml::MAX_BYTES => std::fs::read(&path),
        Ok(_) => return Err(BuildError::Description("the file is too long".to_owned())),
        Err(_) => return Err(BuildError::NoSources(model_identifier.to_owned())),
    };
    let bytes = bytes.map_err(|error| BuildError::io(&path, &error))?;
    let (text, _) = xml::decode(&bytes);
    let mut reporter = Reporter::new();
    let read = xml::read(Source::new(path, text), &mut reporter, |root, _| {
        configuration(root, folder, model_identifier)
    });
    read.unwrap_or_else(|| {
        let first = reporter.finish().into_iter().next();
        let message = first.map_or_else(String::new, |mistake| mistake.message);
        Err(BuildError::Description(message))
    })
}

fn configuration(root: Element<'_>, folder: &Path, model_identifier: &str) -> Result<Recipe, BuildError> {
    let text = |element: Element<'_>, name: &str| element.attribute(name).map(|a| a.value.to_owned());
    let platform = crate::fmu::platform();
    let fits = |element: &Element<'_>| {
        let identifier = text(*element, "modelIdentifier");
        let place = text(*element, "platform");
        identifier.is_none_or(|name| name == model_identifier) && place.is_none_or(|place| place == platform)
    };
    let all: Vec<Element<'_>> = root.children_named("BuildConfiguration").filter(fits).collect();
    // One for this platform is meant rather than one for any.
    let special = all.iter().find(|element| text(**element, "platform").is_some());
    let Some(chosen) = special.or(all.first()) else {
        return Err(BuildError::NoSources(model_identifier.to_owned()));
    };
    let mut recipe = Recipe {
        folder: folder.to_owned(),
        sets: Vec::new(),
        libraries: Vec::new(),
    };
    for element in chosen.children_named("SourceFileSet") {
        recipe.sets.push(file_set(element, folder)?);
    }
    for library in chosen.children_named("Library") {
        let Some(name) = text(library, "name") else {
            continue;
        };
        let harmless = |c: char| c.is_ascii_alphanumeric() || "_.+-".contains(c);
        if name.is_empty() || name.starts_with('-') || !name.chars().all(harmless) {
            return Err(BuildError::Word(name));
        }
        recipe.libraries.push(name);
    }
    Ok(recipe)
}

fn file_set(element: Element<'_>, folder: &Path) -> Result<FileSet, BuildError> {
    let text = |name: &str| element.attribute(name).map(|a| a.value.trim().to_owned());
    let mut set = FileSet {
        language: text("language"),
        ..FileSet::default()
    };
    for file in element.children_named("SourceFile") {
        let name = file.attribute("name").map_or("", |name| name.value);
        if language(name).is_some() {
            set.files.push(name.to_owned());
        }
    }
    for definition in element.children_named("PreprocessorDefinition") {
        let value = |name| definition.attribute(name).map(|a| a.value.to_owned());
        if value("optional").is_some_and(|word| xml::boolean(&word) == Some(true)) {
            continue;
        }
        let name = value("name").unwrap_or_default();
        if !is_identifier(&name) {
            return Err(BuildError::Word(name));
        }
        set.definitions.push((name, value("value")));
    }
    for include in element.children_named("IncludeDirectory") {
        let name = include.attribute("name").map_or("", |name| name.value);
        set.includes.push(inside(folder, &format!("{name}/"))?);
    }
    // Options of a compiler that we do not have mean nothing to ours.
    let compiler = text("compiler").unwrap_or_default().to_lowercase();
    if compiler.is_empty() || compiler.contains("gcc") || compiler.contains("clang") {
        let options = text("compilerOptions").unwrap_or_default();
        let words = options.split_whitespace();
        set.options = words
            .filter(|word| is_harmless(word))
            .map(str::to_owned)
            .collect();
    }
    Ok(set)
}

fn is_identifier(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Options that change the code and neither files nor programs. Others are left out: most sources do without.
fn is_harmless(option: &str) -> bool {
    const KNOWN: [&str; 8] = ["-O", "-W", "-D", "-U", "-std=", "-m", "-g", "-pthread"];
    let linker = ["-Wl,", "-Wa,", "-Wp,", "-mllvm"]
        .iter()
        .any(|start| option.starts_with(start));
    let mathematics = [
        "-ffast-math",
        "-fno-fast-math",
        "-ffp-contract",
        "-fno-strict-aliasing",
        "-fwrapv",
    ];
    (KNOWN.iter().any(|start| option.starts_with(start)) && !linker)
        || mathematics.iter().any(|start| option.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_reach_for_files_are_left_out() {
        for option in ["-O2", "-DX=1", "-std=c99", "-Wall", "-ffast-math"] {
            assert!(is_harmless(option), "{option}");
        }
        for option in [
            "-o",
            "/etc/x",
            "-I/etc",
            "-fplugin=x.so",
            "-Wl,-rpath",
            "@file",
            "-include",
            "-wrapper",
        ] {
            assert!(!is_harmless(option), "{option}");
        }
    }
}
