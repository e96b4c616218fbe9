//! Groups of variables, as the OSP description beside an FMU defines them.

use crate::diagnostic::{Reporter, Spanned, suggest};
use crate::xml::{Element, Folder};
use std::collections::HashMap;
use std::path::Path;

/// Deeper nests are made by machines that went wrong.
const MAX_DEPTH: usize = 50;

/// The groups of one description: their variables in order.
type Known = HashMap<String, Vec<String>>;

/// Groups by simulator, read when the first one is asked for.
#[derive(Default)]
pub(super) struct Groups {
    sources: HashMap<String, Spanned<String>>,
    read: HashMap<String, Option<Known>>,
}

impl Groups {
    /// Notes what a simulator is made from.
    pub(super) fn remember(&mut self, simulator: &str, source: Spanned<String>) {
        self.sources.insert(simulator.to_owned(), source);
    }

    /// The variables of a group.
    pub(super) fn find(
        &mut self,
        folder: &Folder,
        simulator: &str,
        name: Spanned<&str>,
        reporter: &mut Reporter,
    ) -> Option<Vec<String>> {
        let source = self.sources.get(simulator)?;
        let file = description(&source.value);
        if !self.read.contains_key(&file) {
            let place = Spanned::new(file.as_str(), name.span);
            let known = folder.read(place, reporter, |root, _| {
                let mut known = Known::new();
                collect(root, 0, &mut known);
                known
            });
            self.read.insert(file.clone(), known);
        }
        let known = self.read.get(&file)?.as_ref()?;
        let group = known.get(name.value);
        if group.is_none() {
            let mut names: Vec<&str> = known.keys().map(String::as_str).collect();
            names.sort_unstable();
            reporter
                .error(name.span, format!("`{simulator}` has no group `{}`", name.value))
                .label(format!("not in {file}"))
                .advice(suggest(name.value, "groups", names));
        }
        group.cloned()
    }
}

/// `models/crane.fmu` is described in `models/crane_OspModelDescription.xml`.
fn description(source: &str) -> String {
    let path = Path::new(source);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("{stem}_OspModelDescription.xml");
    path.with_file_name(name).to_string_lossy().into_owned()
}

/// Every element with a name and variables somewhere inside is a group, whatever it is called: a force, a port of a force
/// and a velocity, a bond. Answers with the variables inside.
fn collect(element: Element<'_>, depth: usize, known: &mut Known) -> Vec<String> {
    let mut inside = Vec::new();
    if depth > MAX_DEPTH {
        return inside;
    }
    for child in element.children() {
        let variable = child.attribute("ref").or_else(|| child.attribute("name"));
        match variable.filter(|_| child.name() == "Variable") {
            Some(variable) => inside.push(variable.value.to_owned()),
            None => inside.extend(collect(child, depth + 1, known)),
        }
    }
    if let Some(name) = element.attribute("name")
        && !inside.is_empty()
    {
        known.insert(name.value.to_owned(), inside.clone());
    }
    inside
}
