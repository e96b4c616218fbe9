//! Bodies, points and joints by name.

use crate::diagnostic::{Reporter, Spanned, suggest};
use crate::spec::{Literal, PointName};
use crate::toml::fields::Entry;

/// What does not move.
pub(super) const GROUND: &str = "ground";
/// A point that everything has.
pub(super) const ORIGIN: &str = "origin";
/// A point that bodies have.
pub(super) const CENTER: &str = "center";

/// The names that are there. None where something was wrong, so that no name is called missing for that.
pub(super) struct Names<'a> {
    bodies: Option<Vec<Owner<'a>>>,
    joints: Option<Vec<&'a str>>,
}

/// Something with points.
struct Owner<'a> {
    name: &'a str,
    points: Option<Vec<&'a str>>,
}

impl<'a> Names<'a> {
    /// In a text that could not be read as a whole, anything may be missing.
    pub(super) fn of(entries: &'a [Entry], broken: bool) -> Self {
        if broken {
            return Names {
                bodies: None,
                joints: None,
            };
        }
        let ground = Owner {
            name: GROUND,
            points: match entry(entries, GROUND).map(|value| &value.value) {
                None => Some(vec![ORIGIN]),
                Some(Literal::Table(entries)) => points(entries, &[ORIGIN]),
                Some(_) => None,
            },
        };
        let owner = |(name, value): &'a Entry| Owner {
            name: &name.value,
            points: match &value.value {
                Literal::Table(entries) => points(entries, &[ORIGIN, CENTER]),
                _ => None,
            },
        };
        let bodies = named(entries, "bodies").map(|bodies| {
            let bodies = bodies.iter().map(owner);
            std::iter::once(ground).chain(bodies).collect()
        });
        let joints = named(entries, "joints");
        Names {
            bodies,
            joints: joints.map(|joints| joints.iter().map(|(name, _)| name.value.as_str()).collect()),
        }
    }

    /// The point of that name: `body.point`, or a body alone for its origin.
    pub(super) fn point(&self, text: &Spanned<String>, reporter: &mut Reporter) -> Option<PointName> {
        let (body, point) = text.value.split_once('.').unwrap_or((&text.value, ORIGIN));
        let name = PointName {
            body: body.to_owned(),
            point: point.to_owned(),
        };
        let Some(owners) = &self.bodies else {
            return Some(name);
        };
        let Some(owner) = owners.iter().find(|owner| owner.name == body) else {
            let span = reporter.within(text, 0..body.len());
            reporter
                .error(span, format!("there is no body `{body}`"))
                .label("no such body")
                .advice(suggest(body, "bodies", owners.iter().map(|owner| owner.name)));
            return None;
        };
        match &owner.points {
            Some(points) if !points.contains(&point) => {
                let whose = match body {
                    GROUND => "the ground".to_owned(),
                    _ => format!("the body `{body}`"),
                };
                let begin = text.value.len() - point.len();
                let span = reporter.within(text, begin..text.value.len());
                reporter
                    .error(span, format!("{whose} has no point `{point}`"))
                    .label("no such point")
                    .advice(suggest(point, "points of it", points.iter().copied()));
                None
            }
            _ => Some(name),
        }
    }

    /// The joint of that name.
    pub(super) fn joint(&self, text: &Spanned<String>, reporter: &mut Reporter) -> Option<String> {
        match &self.joints {
            Some(joints) if !joints.contains(&text.value.as_str()) => {
                reporter
                    .error(text.span, format!("there is no joint `{}`", text.value))
                    .label("no such joint")
                    .advice(suggest(&text.value, "joints", joints.iter().copied()));
                None
            }
            _ => Some(text.value.clone()),
        }
    }
}

fn entry<'a>(entries: &'a [Entry], key: &str) -> Option<&'a Spanned<Literal>> {
    entries
        .iter()
        .find(|(name, _)| name.value == key)
        .map(|(_, value)| value)
}

/// The entries of a table of names; none where there is something else.
fn named<'a>(entries: &'a [Entry], key: &str) -> Option<&'a [Entry]> {
    match entry(entries, key).map(|value| &value.value) {
        None => Some(&[]),
        Some(Literal::Table(entries)) => Some(entries),
        Some(_) => None,
    }
}

fn points<'a>(entries: &'a [Entry], always: &[&'static str]) -> Option<Vec<&'a str>> {
    let points = named(entries, "points")?;
    let names = points.iter().map(|(name, _)| name.value.as_str());
    Some(names.chain(always.iter().copied()).collect())
}
