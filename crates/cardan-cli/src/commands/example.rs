//! `cardan example`: the examples of the repository, out of the binary.

use crate::console::{self, Paint};
use crate::table::Table;
use crate::text;
use anyhow::{Context, bail};
use cardan_describe::xml::Folder;
use cardan_describe::{FILE_NAME, Reporter, Source, SystemSpec, nearest, parse, ssp};
use clap::Args;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

include!(concat!(env!("OUT_DIR"), "/examples.rs"));

const EXAMPLES_OF_USE: &str = "\
Examples:
  cardan example                     what there is
  cardan example hello               writes the folder hello
  cardan example hello --into play   writes the folder play";

/// Beside a written example, so that editors complete and check its description.
const SCHEMA: &str = "system.schema.json";

/// The arguments of `cardan example`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES_OF_USE)]
pub(crate) struct Arguments {
    /// Which one; without a name they are listed
    name: Option<String>,
    /// The folder to make; by default it is called like the example
    #[arg(long, value_name = "DIR", requires = "name")]
    into: Option<PathBuf>,
}

/// A folder in the binary.
struct Example {
    name: &'static str,
    files: &'static [(&'static str, &'static [u8])],
}

pub(crate) fn perform(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.name {
        None => list()?,
        Some(name) => {
            let example = find(name)?;
            let folder = arguments.into.clone().unwrap_or_else(|| example.name.into());
            write(example, &folder)?;
            let shown = folder.display();
            console::print(&format!(
                "The example {} is in the folder {shown}. Go on with\n  cardan check {word}\n  cardan run {word}\n",
                example.name,
                word = text::word(&folder)
            ))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn list() -> anyhow::Result<()> {
    let mut table = Table::new(["example", "what it shows"]);
    for example in EXAMPLES {
        table.row([example.name.to_owned(), example.description()]);
    }
    let shown = table.render(Paint::for_output());
    console::print(&format!(
        "{shown}\n`cardan example NAME` writes one into a new folder.\n"
    ))
}

fn find(name: &str) -> anyhow::Result<&'static Example> {
    if let Some(example) = EXAMPLES.iter().find(|example| example.name == name) {
        return Ok(example);
    }
    let names: Vec<&str> = EXAMPLES.iter().map(|example| example.name).collect();
    match nearest(name, names.iter().copied()) {
        Some(near) => bail!("there is no example `{name}`; did you mean `{near}`?"),
        None => bail!("there is no example `{name}`; there are: {}", names.join(", ")),
    }
}

/// Writes into a folder that is not there yet: nothing of the user's can be lost.
fn write(example: &Example, folder: &Path) -> anyhow::Result<()> {
    if let Err(error) = fs::create_dir(folder) {
        match error.kind() {
            io::ErrorKind::AlreadyExists => {
                bail!(
                    "{} is already there; choose another folder with --into",
                    folder.display()
                )
            }
            _ => return Err(error).with_context(|| format!("cannot make the folder {}", folder.display())),
        }
    }
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        let place = path.parent().unwrap_or(folder);
        fs::create_dir_all(place).with_context(|| format!("cannot make the folder {}", place.display()))?;
        let written = fs::write(&path, bytes).and_then(|()| match bytes.starts_with(b"#!") {
            true => executable(&path),
            false => Ok(()),
        });
        written.with_context(|| format!("cannot write {}", path.display()))
    };
    for (name, bytes) in example.files {
        if name.ends_with(".toml") {
            put(name, at_home(&String::from_utf8_lossy(bytes)).as_bytes())?;
        } else {
            put(name, bytes)?;
        }
    }
    if !example.has(FILE_NAME) {
        return Ok(());
    }
    let schema = serde_json::to_string_pretty(&cardan::schema())?;
    put(SCHEMA, schema.as_bytes())
}

/// Scripts are there to be run.
fn executable(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(path)?.permissions().mode();
        // Whoever may read it may run it.
        fs::set_permissions(path, fs::Permissions::from_mode(mode | ((mode & 0o444) >> 2)))?;
    }
    Ok(())
}

/// In the repository the schema lies elsewhere than beside a written example.
fn at_home(description: &str) -> String {
    let line = |line: &str| match line.strip_prefix("#:schema ") {
        Some(_) => format!("#:schema {SCHEMA}\n"),
        None => format!("{line}\n"),
    };
    description.lines().map(line).collect()
}

impl Example {
    /// The one line that its system has for people; else the headline of its page.
    fn description(&self) -> String {
        let page = self.text("README.md");
        let headline = || page.lines().find_map(|line| line.strip_prefix("# "));
        self.spec()
            .and_then(|spec| spec.description)
            .unwrap_or_else(|| headline().unwrap_or_default().to_owned())
    }

    /// What its description says, as far as that needs no other file.
    fn spec(&self) -> Option<SystemSpec> {
        let mut reporter = Reporter::new();
        if self.has(FILE_NAME) {
            return Some(parse(Source::new(FILE_NAME, self.text(FILE_NAME)), &mut reporter));
        }
        let source = Source::new(ssp::FILE_NAME, self.text(ssp::FILE_NAME));
        ssp::parse(source, &Folder::open(Path::new("")), &mut reporter)
    }

    fn has(&self, name: &str) -> bool {
        self.files.iter().any(|(known, _)| *known == name)
    }

    /// The text of a file; nothing if it has no such file.
    fn text(&self, name: &str) -> Cow<'static, str> {
        let file = self.files.iter().find(|(known, _)| *known == name);
        file.map(|(_, bytes)| String::from_utf8_lossy(bytes))
            .unwrap_or_default()
    }
}
