//! Collects the examples of the repository, so that `cardan example` has them wherever the binary goes.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Larger files are results or recordings that a newcomer does not need.
const LARGEST: u64 = 200_000;

/// A folder with one of them is an example.
const DESCRIPTIONS: [&str; 3] = ["system.toml", "SystemStructure.ssd", "OspSystemStructure.xml"];

fn main() -> io::Result<()> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    println!("cargo:rerun-if-changed={}", examples.display());
    let mut list = String::from("static EXAMPLES: &[Example] = &[\n");
    for folder in sorted(&examples)? {
        if !DESCRIPTIONS.iter().any(|file| folder.join(file).is_file()) {
            continue;
        }
        list += &format!("Example {{ name: {:?}, files: &[\n", name(&folder));
        collect(&folder, "", &mut list)?;
        list += "] },\n";
    }
    list += "];\n";
    let target = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    fs::write(Path::new(&target).join("examples.rs"), list)
}

/// Lists the files of a folder and of those in it. Their names begin with `above`, and have slashes on every system.
fn collect(folder: &Path, above: &str, list: &mut String) -> io::Result<()> {
    println!("cargo:rerun-if-changed={}", folder.display());
    for path in sorted(folder)? {
        if name(&path).starts_with('.') {
            continue;
        }
        let below = format!("{above}{}", name(&path));
        let data = fs::metadata(&path)?;
        if data.is_dir() {
            collect(&path, &format!("{below}/"), list)?;
        } else if data.is_file() && data.len() <= LARGEST {
            let place = fs::canonicalize(&path)?;
            *list += &format!("({below:?}, include_bytes!({place:?})),\n");
        }
    }
    Ok(())
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// What lies in a folder; nothing if the folder is not there (a crate outside its repository).
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(Vec::new());
    };
    let mut paths = entries.map(|e| Ok(e?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
