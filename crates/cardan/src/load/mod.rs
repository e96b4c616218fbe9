//! Finds out what a path is, and reads it into a description.

mod meta_model;
mod single;

pub use meta_model::{lines_of_tools, meta_model_of_tools};

use cardan_describe::{Reporter, SystemSpec, acsi, osp, ssp};
use cardan_fmi::Fmu;
use cardan_fmi::archive::{self, Limits, Unpacked};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A description, and where it lies.
pub(crate) struct Loaded {
    pub(crate) spec: SystemSpec,
    /// What the description names lies relative to here.
    pub(crate) folder: PathBuf,
    /// The files of an archive, which go when nobody holds them any more.
    pub(crate) files: Option<Arc<Unpacked>>,
    /// An FMU by itself, held so that it is not read again for its component.
    pub(crate) fmu: Option<Arc<Fmu>>,
}

/// The formats of descriptions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Toml,
    Fmu,
    SspArchive,
    Ssd,
    Osp,
    MetaModel,
    Script,
}

/// Files that say what a folder is.
const SIGNS: [(&str, Kind); 4] = [
    (cardan_describe::FILE_NAME, Kind::Toml),
    (ssp::FILE_NAME, Kind::Ssd),
    (osp::FILE_NAME, Kind::Osp),
    (cardan_fmi::description::FILE, Kind::Fmu),
];

/// What a path is, if it is a description at all.
fn kind(path: &Path) -> Option<Kind> {
    if path.is_dir() {
        let sign = SIGNS.iter().find(|(name, _)| path.join(name).is_file());
        return sign.map(|(_, kind)| *kind);
    }
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str() {
        Some("toml") => Some(Kind::Toml),
        Some("fmu") => Some(Kind::Fmu),
        Some("ssp") => Some(Kind::SspArchive),
        Some("ssd") => Some(Kind::Ssd),
        Some("xml") if meta_model::is_one(path) => Some(Kind::MetaModel),
        Some("xml") => Some(Kind::Osp),
        _ => acsi::is_script(path).then_some(Kind::Script),
    }
}

/// Is there a description of a system at that path, going by its name and how it begins?
pub(crate) fn is_description(path: &Path) -> bool {
    path.exists() && kind(path).is_some()
}

/// Reads the description at a path: a `system.toml` or its folder, an `.ssp` or `.ssd`, an OSP structure, a TLM
/// meta-model, a co-simulation script with its map, one FMU. None if there was nothing to read; what is wrong inside is reported, and the rest comes back.
pub(crate) fn load(path: &Path, map: Option<&Path>, reporter: &mut Reporter) -> Option<Loaded> {
    let here = || {
        if path.is_dir() {
            path.to_owned()
        } else {
            path.parent().unwrap_or(Path::new("")).to_owned()
        }
    };
    let mut fmu = None;
    let kind = kind(path).unwrap_or(Kind::Toml);
    if let Some(map) = map.filter(|_| kind != Kind::Script) {
        reporter
            .file_error(
                path,
                format!(
                    "--map {} has no place here: this is no co-simulation script",
                    map.display()
                ),
            )
            .advice("leave it out; scripts end in .cosim, or begin with `cosim_ip` or `process {`");
    }
    let (spec, folder, files) = match kind {
        Kind::Toml => (cardan_describe::load(path, reporter)?, here(), None),
        Kind::Ssd => (ssp::load(path, reporter)?, here(), None),
        Kind::Osp => (osp::load(path, reporter)?, here(), None),
        Kind::MetaModel => (meta_model::load(path, reporter)?, here(), None),
        Kind::Script => {
            let map = map.map_or_else(|| acsi::map_beside(path), Path::to_owned);
            let folder = map.parent().unwrap_or(Path::new("")).to_owned();
            (acsi::load(path, &map, reporter)?, folder, None)
        }
        Kind::Fmu => {
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            let opened = fmu.insert(Fmu::open(path, reporter)?);
            (single::describe(path, opened, reporter), folder, None)
        }
        Kind::SspArchive => {
            let files = match archive::unpack(path, &Limits::default()) {
                Ok(files) => files,
                Err(error) => {
                    reporter
                        .file_error(path, error.to_string())
                        .advice(error.advice());
                    return None;
                }
            };
            reporter.call(files.folder(), path);
            let spec = ssp::load(files.folder(), reporter)?;
            (spec, files.folder().to_owned(), Some(files))
        }
    };
    Some(Loaded {
        spec,
        folder,
        files,
        fmu,
    })
}
