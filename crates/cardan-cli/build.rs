//! Collects the examples of the repository, so that `cardan example` has them wherever the binary goes.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Larger files are results or recordings that a newcomer does not need.
const LARGEST: u64 = 200_000;

fn main() -> io::Result<()> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    println!("cargo:rerun-if-changed={}", examples.display());
    let mut list = String::from("static EXAMPLES: &[Example] = &[\n");
    for folder in sorted(&examples)? {
        if !folder.join("system.toml").is_file() {
            continue;
        }
        println!("cargo:rerun-if-changed={}", folder.display());
        list += &format!("Example {{ name: {:?}, files: &[\n", name(&folder));
        for file in sorted(&folder)? {
            let data = fs::metadata(&file)?;
            if data.is_file() && data.len() <= LARGEST && !name(&file).starts_with('.') {
                let place = fs::canonicalize(&file)?;
                list += &format!("({:?}, include_bytes!({place:?})),\n", name(&file));
            }
        }
        list += "] },\n";
    }
    list += "];\n";
    let target = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    fs::write(Path::new(&target).join("examples.rs"), list)
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
