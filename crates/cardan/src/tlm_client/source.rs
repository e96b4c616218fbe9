//! What the model file of a SubModel is: an FMU, a built-in model, or the file of a component.

use super::fmi_config;
use cardan_describe::line_client::{self, LineClientSpec, LineSpec};
use cardan_describe::spec::{ComponentSource, ComponentSpec};
use cardan_describe::{Reporter, Source, Span, Spanned};
use cardan_fmi::Fmu;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A component as described, and where its files lie.
pub(crate) struct Described {
    pub(crate) spec: LineClientSpec,
    pub(crate) folder: PathBuf,
    /// Held so that it is not read again for its component.
    pub(super) fmu: Option<Arc<Fmu>>,
}

/// Reads what `model` names. What is wrong goes to the reporter.
pub(crate) fn describe(model: &str, name: &str, start: f64, reporter: &mut Reporter) -> Option<Described> {
    let path = Path::new(model);
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    if extension == "fmu" || path.join(cardan_fmi::description::FILE).is_file() {
        let fmu = Fmu::open(path, reporter)?;
        let file = path.file_name().unwrap_or(path.as_os_str());
        let text = file.to_string_lossy().into_owned();
        let mut spec = bare(name, ComponentSource::Fmu, path, &text, reporter);
        fmi_config::read_substeps(path, &mut spec, reporter);
        return Some(Described {
            spec,
            folder,
            fmu: Some(fmu),
        });
    }
    if cardan_models::find(model).is_some() {
        let spec = bare(
            name,
            ComponentSource::Model,
            Path::new("<model file>"),
            model,
            reporter,
        );
        return Some(Described {
            spec,
            folder: PathBuf::new(),
            fmu: None,
        });
    }
    if !path.exists() && extension != "toml" {
        reporter
            .file_error(path, "this is neither a file nor a built-in model")
            .advice("name an FMU, the TOML file of a component, or a built-in model, which `cardan info --models` lists");
        return None;
    }
    let spec = line_client::load(path, name, start, reporter)?;
    Some(Described {
        spec,
        folder,
        fmu: None,
    })
}

/// A component of which only the source is known. What is said of it points to the file.
fn bare(
    name: &str,
    source: impl FnOnce(Spanned<String>) -> ComponentSource,
    path: &Path,
    text: &str,
    reporter: &mut Reporter,
) -> LineClientSpec {
    let id = reporter.add(Source::new(path, text.to_owned()));
    let span = Span::new(id, 0..text.len());
    let mut component = ComponentSpec::new(Spanned::new(name.to_owned(), span));
    component.source = Some(source(Spanned::new(text.to_owned(), span)));
    LineClientSpec {
        component,
        interfaces: Vec::new(),
        line: LineSpec::default(),
    }
}
