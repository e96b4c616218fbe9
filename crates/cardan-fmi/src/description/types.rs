//! Types that variables refer to by name. What a variable does not say itself, its type says.

use super::Version;
use cardan_describe::xml::Element;
use cardan_describe::{Reporter, Severity};
use std::collections::HashMap;

/// A declared type: the element with its attributes, and the items of an enumeration.
pub(super) struct DeclaredType<'a> {
    /// Carries `unit`, `min` and so on.
    pub(super) element: Element<'a>,
    pub(super) choices: Vec<(String, i64)>,
}

/// Types by name.
pub(super) type Types<'a> = HashMap<&'a str, DeclaredType<'a>>;

pub(super) fn types<'a>(root: Element<'a>, version: Version, reporter: &mut Reporter) -> Types<'a> {
    let mut types = Types::new();
    let list = root.child("TypeDefinitions");
    for outer in list.iter().flat_map(Element::children) {
        let inner = match version {
            Version::V2 if outer.name() == "SimpleType" => outer
                .children()
                .find(|child| super::Kind::of_v2(child.name()).is_some()),
            Version::V3 if outer.name().ends_with("Type") => Some(outer),
            _ => continue,
        };
        let (Some(name), Some(inner)) = (outer.attribute("name"), inner) else {
            reporter.warning(outer.span(), "a type without a name or a content is ignored");
            continue;
        };
        let declared = DeclaredType {
            element: inner,
            choices: choices(inner, reporter),
        };
        if types.contains_key(name.value) {
            let message = format!("the type `{}` is defined twice: the first counts", name.value);
            reporter.warning(name.span, message);
        } else {
            types.insert(name.value, declared);
        }
    }
    types
}

/// The items of an enumeration.
pub(super) fn choices(element: Element<'_>, reporter: &mut Reporter) -> Vec<(String, i64)> {
    let mut choices = Vec::new();
    for (index, item) in element.children_named("Item").enumerate() {
        let Some(name) = item.attribute("name") else {
            reporter.warning(item.span(), "an item without a name is ignored");
            continue;
        };
        let value = item.integer("value", Severity::Warning, reporter);
        // Items were numbered by their order before they had values.
        let value = value.map_or(index as i64 + 1, |value| value.value);
        choices.push((name.value.to_owned(), value));
    }
    choices
}
