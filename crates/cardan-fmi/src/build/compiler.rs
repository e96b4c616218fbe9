//! Runs the compilers.

use super::BuildError;
use super::recipe::{FileSet, Language, Recipe, inside, language};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Lines of messages that are shown: the first error says most.
const SHOWN_LINES: usize = 20;
const SHOWN_COLUMNS: usize = 300;

/// The commands, and what they say of themselves.
#[derive(Debug)]
pub(super) struct Compilers {
    c: Option<Compiler>,
    cpp: Option<Compiler>,
}

#[derive(Debug)]
struct Compiler {
    /// With arguments in front, as in `CC="ccache gcc"`.
    words: Vec<String>,
    version: String,
}

impl Compilers {
    /// Those that the recipe needs: `$CC` or `cc`, `$CXX` or `c++`.
    pub(super) fn find(recipe: &Recipe) -> Result<Self, BuildError> {
        let mut files = recipe.sets.iter().flat_map(|set| &set.files);
        let has_cpp = files.clone().any(|file| language(file) == Some(Language::Cpp));
        let has_c = files.any(|file| language(file) == Some(Language::C));
        let find =
            |needed: bool, variable, usual| needed.then(|| Compiler::find(variable, usual)).transpose();
        Ok(Compilers {
            c: find(has_c, "CC", "cc")?,
            cpp: find(has_cpp, "CXX", "c++")?,
        })
    }

    /// What makes two compilers the same.
    pub(super) fn identity(&self) -> impl Iterator<Item = String> + '_ {
        let both = [&self.c, &self.cpp].into_iter().flatten();
        both.map(|compiler| format!("{}\n{}", compiler.words.join(" "), compiler.version))
    }

    fn of(&self, language: Language) -> Result<&Compiler, BuildError> {
        let compiler = match language {
            Language::C => self.c.as_ref(),
            Language::Cpp => self.cpp.as_ref(),
        };
        compiler.ok_or_else(|| BuildError::NoCompiler {
            command: format!("{language:?}"),
            message: "there is none for this language".to_owned(),
        })
    }
}

impl Compiler {
    fn find(variable: &str, usual: &str) -> Result<Self, BuildError> {
        let written = std::env::var(variable).unwrap_or_default();
        let mut words: Vec<String> = written.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            words.push(usual.to_owned());
        }
        let mut compiler = Compiler {
            words,
            version: String::new(),
        };
        let output = compiler.command().arg("--version").output();
        let output = output.map_err(|error| BuildError::NoCompiler {
            command: compiler.words.join(" "),
            message: format!("{error}. Install a C compiler, or name one in {variable}"),
        })?;
        compiler.version = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(compiler)
    }

    fn command(&self) -> Command {
        let mut words = self.words.iter();
        let mut command = Command::new(words.next().map_or("cc", String::as_str));
        command.args(words).stdin(Stdio::null()).env("LC_ALL", "C");
        command
    }

    fn run(&self, folder: &Path, arguments: &[OsString], file: &str) -> Result<(), BuildError> {
        let output = self.command().args(arguments).current_dir(folder).output();
        let output = output.map_err(|error| BuildError::NoCompiler {
            command: self.words.join(" "),
            message: error.to_string(),
        })?;
        if output.status.success() {
            return Ok(());
        }
        Err(BuildError::Failed {
            command: self.words.join(" "),
            file: file.to_owned(),
            messages: shortened(&String::from_utf8_lossy(&output.stderr)),
        })
    }
}

/// Compiles every file and joins them into a shared library.
pub(super) fn compile(
    recipe: &Recipe,
    compilers: &Compilers,
    headers: &Path,
    work: &Path,
    target: &Path,
) -> Result<(), BuildError> {
    let mut objects = Vec::new();
    for set in &recipe.sets {
        for file in &set.files {
            let Some(language) = language(file) else {
                continue;
            };
            let object = work.join(format!("{}.o", objects.len()));
            let arguments = arguments(recipe, set, file, headers, &object)?;
            compilers.of(language)?.run(&recipe.folder, &arguments, file)?;
            objects.push(object);
        }
    }
    let linker = compilers.cpp.as_ref().map_or(Language::C, |_| Language::Cpp);
    let arguments = link(recipe, &objects, target);
    compilers
        .of(linker)?
        .run(work, &arguments, "the last step, linking")
}

fn arguments(
    recipe: &Recipe,
    set: &FileSet,
    file: &str,
    headers: &Path,
    object: &Path,
) -> Result<Vec<OsString>, BuildError> {
    let mut all: Vec<OsString> = ["-c", "-fPIC", "-O2", "-w"].map(OsString::from).into();
    // A shared library has plain names, whatever prefix its sources ask for.
    all.extend(
        [
            "-DFMI2_OVERRIDE_FUNCTION_PREFIX",
            "-DFMI3_OVERRIDE_FUNCTION_PREFIX",
        ]
        .map(OsString::from),
    );
    all.extend(standard(set.language.as_deref(), language(file)));
    all.extend(set.options.iter().map(OsString::from));
    for (name, value) in &set.definitions {
        let value = value.as_ref().map_or(String::new(), |value| format!("={value}"));
        all.push(format!("-D{name}{value}").into());
    }
    let folder = |path: &Path| [OsString::from("-I"), path.into()];
    all.extend(folder(&recipe.folder));
    for include in &set.includes {
        all.extend(folder(include));
    }
    // Behind all others: the FMU's own headers come first.
    all.extend(["-idirafter".into(), OsString::from(headers)]);
    all.push(inside(&recipe.folder, file)?.into());
    all.extend(["-o".into(), OsString::from(object)]);
    Ok(all)
}

/// `C99` as the option of compilers, which with `gnu` knows `M_PI` and the like too.
fn standard(written: Option<&str>, language: Option<Language>) -> Option<OsString> {
    let written = written?.to_lowercase();
    let (digits, start) = match (written.strip_prefix("c++"), written.strip_prefix('c')) {
        (Some(digits), _) => (digits, "gnu++"),
        (None, Some(digits)) => (digits, "gnu"),
        _ => return None,
    };
    let fits = (start == "gnu++") == (language == Some(Language::Cpp));
    let known = digits.len() == 2 && digits.chars().all(|c| c.is_ascii_digit());
    (fits && known).then(|| format!("-std={start}{digits}").into())
}

fn link(recipe: &Recipe, objects: &[PathBuf], target: &Path) -> Vec<OsString> {
    let mut all = vec![OsString::from("-shared")];
    all.extend(objects.iter().map(OsString::from));
    all.extend(["-o".into(), OsString::from(target)]);
    all.extend(recipe.libraries.iter().map(|name| format!("-l{name}").into()));
    if cfg!(unix) {
        all.push("-lm".into());
    }
    all
}

fn shortened(messages: &str) -> String {
    let lines = messages.lines().take(SHOWN_LINES);
    let lines = lines.map(|line| {
        line.get(..line.floor_char_boundary(SHOWN_COLUMNS))
            .unwrap_or_default()
    });
    let mut text = lines.collect::<Vec<_>>().join("\n");
    let more = messages.lines().count().saturating_sub(SHOWN_LINES);
    if more > 0 {
        text.push_str(&format!("\n… and {more} more lines"));
    }
    text
}
