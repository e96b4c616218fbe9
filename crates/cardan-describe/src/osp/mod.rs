//! Reads the system structures of the Open Simulation Platform (`OspSystemStructure.xml`).

mod connection;
mod function;
mod groups;
mod signal;
mod simulator;

use crate::diagnostic::{Reporter, Source, Span, Spanned};
use crate::spec::{
    ComponentSpec, ConnectionSpec, LimitsSpec, MethodKind, MethodSpec, RecordSpec, SystemSpec,
};
use crate::xml::{self, Element, Folder};
use function::Function;
use groups::Groups;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The name of the description in a folder.
pub const FILE_NAME: &str = "OspSystemStructure.xml";

/// Reads a system from an `OspSystemStructure.xml`, or from a folder that has one. None if there was nothing to read;
/// what is wrong inside is reported, and the rest comes back. Sources of components stay relative to the folder.
pub fn load(path: &Path, reporter: &mut Reporter) -> Option<SystemSpec> {
    let file = if path.is_dir() {
        path.join(FILE_NAME)
    } else {
        path.to_owned()
    };
    let folder = Folder::open(file.parent().unwrap_or(Path::new("")));
    match xml::text_of(&file) {
        Ok(text) => parse(Source::new(file, text), &folder, reporter),
        Err(error) => {
            reporter
                .file_error(file, format!("the system structure cannot be read: {error}"))
                .advice(format!("name the file, or a folder with a `{FILE_NAME}` in it"));
            None
        }
    }
}

/// Reads a system structure from a text; what it refers to lies in `folder`.
pub fn parse(source: Source, folder: &Folder, reporter: &mut Reporter) -> Option<SystemSpec> {
    let name = name_from(source.path());
    xml::read(source, reporter, |root, reporter| {
        if root.name() != "OspSystemStructure" {
            reporter
                .error(
                    root.span(),
                    format!("expected <OspSystemStructure>, found <{}>", root.name()),
                )
                .advice("is this a system structure of the Open Simulation Platform?");
            return None;
        }
        let mut structure = Structure::new(folder);
        structure.simulators(root, reporter);
        structure.functions(root, reporter);
        structure.connections(root, reporter);
        Some(structure.finish(root, name, reporter))
    })?
}

/// `crane/OspSystemStructure.xml` describes the system "crane".
fn name_from(path: &Path) -> String {
    let folder = path.parent().and_then(Path::file_name);
    let name = folder.or_else(|| path.file_stem()).unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// What was read so far.
struct Structure<'f> {
    folder: &'f Folder,
    components: Vec<ComponentSpec>,
    connections: Vec<ConnectionSpec>,
    functions: HashMap<String, Function>,
    names: HashMap<String, Span>,
    groups: Groups,
    /// Functions that were written wrong, which has been reported.
    lost: HashSet<String>,
    /// Parts were lost to mistakes, so that nothing should be called missing.
    broken: bool,
}

impl<'f> Structure<'f> {
    fn new(folder: &'f Folder) -> Self {
        Structure {
            folder,
            components: Vec::new(),
            connections: Vec::new(),
            functions: HashMap::new(),
            names: HashMap::new(),
            groups: Groups::default(),
            lost: HashSet::new(),
            broken: false,
        }
    }

    /// The name of a simulator or function; none where it is missing or taken.
    fn name(&mut self, element: Element<'_>, reporter: &mut Reporter) -> Option<Spanned<String>> {
        let name = element.required("name", reporter);
        let first = name.and_then(|name| self.names.get(name.value));
        match (name, first) {
            (Some(name), None) => {
                self.names.insert(name.value.to_owned(), name.span);
                return Some(name.map(str::to_owned));
            }
            (Some(name), Some(first)) => {
                reporter
                    .error(name.span, format!("the name `{}` is taken", name.value))
                    .related(*first, "by this one")
                    .advice("give every simulator and function a name of its own");
            }
            (None, _) => {}
        }
        self.broken = true;
        None
    }

    fn finish(self, root: Element<'_>, name: String, reporter: &mut Reporter) -> SystemSpec {
        let description = root.child("Description").map(|text| text.inner_text().to_owned());
        if self.components.is_empty() && !self.broken {
            reporter
                .error(root.span(), "there is no simulator")
                .advice("add one: <Simulators><Simulator name=\"…\" source=\"….fmu\"/></Simulators>");
        }
        SystemSpec {
            name,
            description,
            start: number(root, "StartTime", false, reporter),
            stop: number(root, "EndTime", false, reporter),
            stop_rejected: false,
            components: self.components,
            connections: self.connections,
            bonds: Vec::new(),
            lines: Vec::new(),
            method: method(root, reporter),
            limits: LimitsSpec::default(),
            record: RecordSpec::default(),
            units: Vec::new(),
            span: root.span(),
            broken: self.broken,
        }
    }
}

/// The one algorithm there is steps all simulators side by side.
fn method(root: Element<'_>, reporter: &mut Reporter) -> MethodSpec {
    let algorithm = root.child("Algorithm");
    if let Some(algorithm) = algorithm.filter(|a| a.inner_text() != "fixedStep") {
        reporter
            .warning(
                algorithm.span(),
                format!("the algorithm `{}` is not known here", algorithm.inner_text()),
            )
            .advice("it is taken for fixedStep: all simulators step side by side");
    }
    let span = algorithm.map_or(root.span(), |algorithm| algorithm.span());
    MethodSpec {
        kind: Some(Spanned::new(MethodKind::Jacobi, span)),
        step: number(root, "BaseStepSize", true, reporter),
        ..MethodSpec::default()
    }
}

/// The number in an element such as `<StartTime>0.0</StartTime>`.
fn number(root: Element<'_>, name: &str, positive: bool, reporter: &mut Reporter) -> Option<Spanned<f64>> {
    let element = root.child(name)?;
    let text = element.inner_text();
    let number = xml::real(text).filter(|number| number.is_finite());
    let number = number.filter(|number| !positive || *number > 0.0);
    if number.is_none() {
        let wanted = if positive { "a number above 0" } else { "a number" };
        reporter.error(
            element.span(),
            format!("<{name}> must hold {wanted}, found `{text}`"),
        );
    }
    number.map(|number| Spanned::new(number, element.span()))
}
