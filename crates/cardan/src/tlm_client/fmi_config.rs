//! `fmi.config`, which the wrapper of the public framework wants beside an FMU: what is an interface point, by value references.
//!
//! ```text
//! substeps,10
//! name,tlm
//! domain,mechanical
//! dimensions,1
//! causality,bidirectional
//! position,3
//! speed,4
//! force,5
//! ```

use super::points::{Element, Orientation, Point, Ports};
use cardan_core::interface::{Causality, Interface};
use cardan_describe::line_client::LineClientSpec;
use cardan_describe::{Reporter, Source, Span, Spanned};
use cardan_fmi::Fmu;
use cardan_fmi::description::Kind;
use std::path::Path;

/// Its name.
const FILE: &str = "fmi.config";
/// It is a short text.
const LONGEST: u64 = 1 << 20;

/// An interface point as the file has it.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    name: String,
    domain: String,
    dimensions: String,
    causality: String,
    /// Names of variables, by keyword.
    variables: Vec<(String, Vec<String>)>,
}

/// Reads the substeps from the file beside an FMU, if there is one.
pub(super) fn read_substeps(fmu_path: &Path, spec: &mut LineClientSpec, reporter: &mut Reporter) {
    let path = fmu_path.with_file_name(FILE);
    let Some(text) = text_of(&path) else { return };
    let first = text.lines().find_map(|line| line.trim().strip_prefix("substeps"));
    let substeps = first.and_then(|rest| rest.trim_matches([',', ':', ' ', '\t', '=']).parse::<u32>().ok());
    let id = reporter.add(Source::new(path, text.clone()));
    let span = Span::new(id, 0..0);
    spec.component.substeps = substeps.filter(|n| *n > 1).map(|n| Spanned::new(n, span));
}

/// The interface points of the file beside an FMU; none if there is no such file.
pub(super) fn points_beside(
    model: &Path,
    fmu: &Fmu,
    interface: &Interface,
    reporter: &mut Reporter,
) -> Option<Vec<Point>> {
    let path = model.with_file_name(FILE);
    let text = text_of(&path)?;
    let id = reporter.add(Source::new(&path, text.clone()));
    let (entries, mistakes) = parse(&text, fmu);
    for (range, message) in mistakes {
        reporter
            .error(Span::new(id, range), message)
            .advice("lines are a keyword and value references, separated by commas: position,1,2,3");
    }
    let points = entries.iter().filter_map(|entry| {
        let made = point(entry, interface);
        if let Err(message) = &made {
            let message = format!("the interface point `{}` cannot be: {message}", entry.name);
            reporter.error(Span::new(id, 0..0), message);
        }
        made.ok()
    });
    Some(points.collect())
}

fn text_of(path: &Path) -> Option<String> {
    let size = std::fs::metadata(path).ok()?.len();
    (size <= LONGEST)
        .then(|| std::fs::read(path).ok())?
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

type Mistakes = Vec<(std::ops::Range<usize>, String)>;

fn parse(text: &str, fmu: &Fmu) -> (Vec<Entry>, Mistakes) {
    let (mut entries, mut mistakes) = (Vec::<Entry>::new(), Mistakes::new());
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let range = offset..offset + line.trim_end().len();
        offset += line.len();
        let mut words = line.split(',').map(str::trim).filter(|word| !word.is_empty());
        let Some(key) = words.next() else { continue };
        let values: Vec<&str> = words.collect();
        let first = values.first().copied().unwrap_or_default().to_owned();
        if key == "substeps" {
            continue;
        }
        if key == "name" {
            entries.push(Entry {
                name: first,
                domain: "mechanical".to_owned(),
                dimensions: "6".to_owned(),
                causality: "bidirectional".to_owned(),
                ..Entry::default()
            });
            continue;
        }
        let Some(entry) = entries.last_mut() else {
            mistakes.push((range, format!("`{key}` comes before the first `name`")));
            continue;
        };
        match key {
            "domain" => entry.domain = first.to_ascii_lowercase(),
            "dimensions" => entry.dimensions = first,
            "causality" => entry.causality = first.to_ascii_lowercase(),
            "position" | "orientation" | "speed" | "ang_speed" | "force" | "value" => {
                let mut names = Vec::new();
                for value in values {
                    match variable(value, fmu) {
                        Some(name) => names.push(name),
                        None => mistakes.push((
                            range.clone(),
                            format!("`{value}` is no value reference of a real variable of the FMU"),
                        )),
                    }
                }
                entry.variables.push((key.to_owned(), names));
            }
            other => mistakes.push((range, format!("`{other}` is no keyword"))),
        }
    }
    (entries, mistakes)
}

/// The name of the variable with that value reference.
fn variable(reference: &str, fmu: &Fmu) -> Option<String> {
    let reference: u32 = reference.parse().ok()?;
    let variables = &fmu.description().variables;
    let found = variables
        .iter()
        .find(|variable| variable.value_reference == reference && variable.kind == Kind::Float64);
    found.map(|variable| variable.name.clone())
}

fn point(entry: &Entry, interface: &Interface) -> Result<Point, String> {
    let ports = match (
        entry.causality.as_str(),
        entry.dimensions.trim_end_matches(['d', 'D']),
    ) {
        ("input", _) => Ports::Input(one(entry, "value", interface)?),
        ("output", _) => Ports::Output(one(entry, "value", interface)?),
        (_, "1") => Ports::Axis {
            flow: one(entry, "speed", interface)?,
            effort: one(entry, "force", interface)?,
            position: one(entry, "position", interface).ok(),
            flow_sign: 1.0,
            effort_sign: effort_sign(entry),
        },
        _ => Ports::Body {
            position: many(entry, "position", interface)?,
            orientation: Orientation::Matrix(many(entry, "orientation", interface)?),
            velocity: many(entry, "speed", interface)?,
            angular_velocity: many(entry, "ang_speed", interface)?,
            load: many(entry, "force", interface)?,
            load_sign: effort_sign(entry),
        },
    };
    Ok(Point {
        name: entry.name.clone(),
        domain: entry.domain.clone(),
        ports,
        initial: None,
        guessed: false,
    })
}

/// The public wrapper counts forces the other way, pressures not.
fn effort_sign(entry: &Entry) -> f64 {
    if entry.domain == "hydraulic" { 1.0 } else { -1.0 }
}

fn one(entry: &Entry, key: &str, interface: &Interface) -> Result<Element, String> {
    let [element] = many(entry, key, interface)?;
    Ok(element)
}

fn many<const N: usize>(entry: &Entry, key: &str, interface: &Interface) -> Result<[Element; N], String> {
    let given = entry.variables.iter().find(|(known, _)| known == key);
    let names = given.map(|(_, names)| names.as_slice()).unwrap_or_default();
    if names.len() != N {
        return Err(format!(
            "`{key}` has {} value references instead of {N}",
            names.len()
        ));
    }
    let drives = key == "force" || (key == "value" && entry.causality == "input");
    let mut elements = Vec::with_capacity(N);
    for name in names {
        let port = interface.find_port(name);
        let port = port.ok_or_else(|| format!("`{name}` can be neither set nor looked at"))?;
        let is_input = interface.ports[port.index()].causality == Causality::Input;
        if is_input != drives {
            let wanted = if drives { "an input" } else { "an output" };
            return Err(format!("`{name}` is not {wanted} of the FMU"));
        }
        elements.push(Element { port, at: 0 });
    }
    elements
        .try_into()
        .map_err(|_| format!("`{key}` is not what it should be"))
}
