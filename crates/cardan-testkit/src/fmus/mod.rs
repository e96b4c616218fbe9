//! FMUs for tests, built from the C sources in `testing/fmus`.
//!
//! ```
//! use cardan_testkit::fmus::{Fmi, build};
//!
//! let lag = build("lag", Fmi::V2);
//! assert!(lag.ends_with("lag.fmu"));
//! ```

mod compile;
mod package;
mod python;
mod store;

use std::fmt;
use std::path::{Path, PathBuf};

pub use package::{pack, pack_folder};
pub use python::{interpreter, python};

/// A version of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fmi {
    /// FMI 2.0.
    V2,
    /// FMI 3.0.
    V3,
}

impl Fmi {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::V2, Self::V3];

    /// Where an FMU keeps its library for the machine this runs on.
    pub fn platform(self) -> &'static str {
        match (self, cfg!(target_arch = "aarch64")) {
            (Self::V2, false) => "linux64",
            (Self::V2, true) => "aarch64-linux", // FMI 2 has no name for it; this is what tools use
            (Self::V3, false) => "x86_64-linux",
            (Self::V3, true) => "aarch64-linux",
        }
    }
}

impl fmt::Display for Fmi {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::V2 => "fmi2",
            Self::V3 => "fmi3",
        })
    }
}

/// The path of `<name>.fmu`, built unless it is there.
pub fn build(name: &str, version: Fmi) -> PathBuf {
    built(name, version).join(format!("{name}.fmu"))
}

/// A folder with the content of [`build`]'s FMU.
pub fn unpacked(name: &str, version: Fmi) -> PathBuf {
    built(name, version).join(name)
}

/// A folder with the same content, except that the FMU does not say that its state can be saved.
pub fn without_state(name: &str, version: Fmi) -> PathBuf {
    let whole = unpacked(name, version);
    let changed = store::once("without-state", std::slice::from_ref(&whole), &[], |into| {
        let content = into.join(name);
        package::copy_all(&whole, &content);
        let path = content.join("modelDescription.xml");
        let mut text = std::fs::read_to_string(&path).unwrap();
        let state = if version == Fmi::V2 { "state" } else { "State" };
        for ability in [
            format!("canGetAndSetFMU{state}"),
            format!("canSerializeFMU{state}"),
        ] {
            let claim = format!("{ability}=\"true\"");
            assert!(text.contains(&claim), "`{name}` does not claim {ability}");
            text = text.replace(&claim, &format!("{ability}=\"false\""));
        }
        std::fs::write(&path, text).unwrap();
    });
    changed.join(name)
}

/// Every FMU there is.
pub fn sources() -> Vec<(String, Fmi)> {
    let mut found = Vec::new();
    for folder in package::entries(&folder()) {
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for version in Fmi::ALL {
            if description(&name, version).is_file() {
                found.push((name.clone(), version));
            }
        }
    }
    found
}

/// Where the sources are.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testing/fmus")
}

fn description(name: &str, version: Fmi) -> PathBuf {
    folder().join(name).join(format!("{version}.xml"))
}

fn built(name: &str, version: Fmi) -> PathBuf {
    assert!(
        description(name, version).is_file(),
        "there is no test FMU `{name}` for {version} in {}",
        folder().display()
    );
    let recipe = compile::Recipe::new(name, version);
    let inputs = [folder().join("frame"), folder().join(name)];
    store::once(&version.to_string(), &inputs, &recipe.command, |into| {
        let content = into.join(name);
        package::copy(&description(name, version), &content.join("modelDescription.xml"));
        package::copy_all(&folder().join(name).join(version.to_string()), &content);
        recipe.run(&content);
        package::zip(&content, &into.join(format!("{name}.fmu")));
    })
}
