//! Elements that the standard knows. Others are passed over, which is told: one may be misspelt.

use crate::diagnostic::{Reporter, nearest};
use crate::xml::Element;

pub(super) const ROOT: [&str; 7] = [
    "System",
    "Enumerations",
    "Units",
    "DefaultExperiment",
    "Annotations",
    "MetaData",
    "Signature",
];
pub(super) const SYSTEM: [&str; 11] = [
    "Connectors",
    "ElementGeometry",
    "ParameterBindings",
    "Elements",
    "Connections",
    "SignalDictionaries",
    "SystemGeometry",
    "GraphicalElements",
    "Annotations",
    "MetaData",
    "Signature",
];
pub(super) const COMPONENT: [&str; 6] = [
    "Connectors",
    "ElementGeometry",
    "ParameterBindings",
    "Annotations",
    "MetaData",
    "Signature",
];

/// Tells of children that are none of those.
pub(super) fn children(element: Element<'_>, known: &[&str], reporter: &mut Reporter) {
    for child in element.children().filter(|child| !known.contains(&child.name())) {
        let (name, parent) = (child.name(), element.name());
        let near = nearest(name, known.iter().copied());
        reporter
            .warning(
                child.span(),
                format!("<{name}> means nothing in a <{parent}>: it is ignored"),
            )
            .advice_if(near.map(|near| format!("did you mean `{near}`?")));
    }
}
