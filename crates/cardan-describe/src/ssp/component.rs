//! `<Component>`

use super::tree::{Component, Member, Owner, Tree};
use super::{annotation, connector, known};
use crate::diagnostic::{Reporter, Spanned, suggest_choice};
use crate::spec::{ComponentSource, ComponentSpec, FmiKind};
use crate::xml::Element;

const FMU: &str = "application/x-fmu-sharedlibrary";
/// Our own: a built-in model.
const MODEL: &str = "application/x-cardan-model";

pub(super) fn read(
    tree: &mut Tree<'_>,
    system: usize,
    name: Spanned<String>,
    element: Element<'_>,
    reporter: &mut Reporter,
) -> Member {
    known::children(element, &known::COMPONENT, reporter);
    let full = format!("{}{}", tree.systems[system].prefix, name.value);
    let mut spec = ComponentSpec::new(Spanned::new(full, name.span));
    spec.source = source(tree, &spec.name, element, reporter);
    spec.fmi_kind = implementation(element, reporter);
    spec.shares_parameters = true;
    spec.connectors = connector::connectors(element, reporter);
    annotation::of_component(element, &mut spec, reporter);
    let names = spec.connectors.iter().map(|connector| &connector.name);
    let mut connectors = std::collections::HashMap::new();
    for (index, name) in names.enumerate() {
        if connectors.insert(name.value.clone(), index).is_some() {
            reporter
                .error(
                    name.span,
                    format!(
                        "component `{}` has two connectors called `{}`",
                        spec.name.value, name.value
                    ),
                )
                .advice("list every connector once");
        }
    }
    let id = tree.components.len();
    let level = tree.systems[system].level + 1;
    tree.components.push(Component { spec, connectors });
    tree.bindings(Owner::Component(id), level, element, reporter);
    Member::Component(id)
}

fn source(
    tree: &Tree<'_>,
    name: &Spanned<String>,
    element: Element<'_>,
    reporter: &mut Reporter,
) -> Option<ComponentSource> {
    let written = element.attribute("type");
    let kind = written.map_or(FMU, |kind| kind.value.trim());
    // What follows a semicolon are parameters of the type.
    let kind = kind.split(';').next().unwrap_or_default().trim();
    let Some(source) = element.attribute("source") else {
        reporter
            .error(
                element.span(),
                format!("component `{}` has no source", name.value),
            )
            .label("nothing to run")
            .advice("add source=\"resources/….fmu\"");
        return None;
    };
    let place = written.map_or(element.span(), |kind| kind.span);
    match kind {
        FMU => {
            let path = tree.folder.find(source, reporter)?;
            Some(ComponentSource::Fmu(Spanned::new(path, source.span)))
        }
        MODEL => Some(ComponentSource::Model(source.map(str::to_owned))),
        "application/x-ssp-package" | "application/x-ssp-definition" => {
            reporter
                .error(place, "components that are SSP systems are not supported yet")
                .advice("put the system itself here, as a <System> with its elements");
            None
        }
        other => {
            reporter
                .error(
                    place,
                    format!("components of the type `{other}` are not supported"),
                )
                .advice(format!("FMUs are: {FMU}"));
            None
        }
    }
}

fn implementation(element: Element<'_>, reporter: &mut Reporter) -> Option<Spanned<FmiKind>> {
    let written = element.attribute("implementation")?;
    let kind = match written.value.trim() {
        "any" => return None,
        "CoSimulation" => FmiKind::CoSimulation,
        "ModelExchange" => FmiKind::ModelExchange,
        "ScheduledExecution" => {
            reporter
                .error(written.span, "scheduled execution is not supported")
                .advice("choose CoSimulation or ModelExchange");
            return None;
        }
        other => {
            reporter
                .error(written.span, format!("there is no implementation `{other}`"))
                .advice(suggest_choice(other, &["any", "CoSimulation", "ModelExchange"]));
            return None;
        }
    };
    Some(Spanned::new(kind, written.span))
}
