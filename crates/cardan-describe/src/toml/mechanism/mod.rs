//! A mechanism of rigid bodies: `[components.NAME.multibody]`, or a file of its own.
//!
//! All names in it are looked up here. What can only be known when the mechanism is built, such as joints that contradict each
//! other, is found out by whoever builds it; the spec keeps the places of bodies, joints, forces and ports for that.

mod body;
mod file;
mod force;
mod joint;
mod kinds;
mod names;
mod port;
mod room;
mod stabilization;

pub use file::load_mechanism;

use super::component::check_name;
use super::fields::{Entry, Fields, Place};
use super::keys::Key;
use super::{Reader, keys};
use crate::diagnostic::{Reporter, Span, Spanned};
use crate::spec::{ComponentSource, Literal, MechanismSpec, PointSpec};
use names::Names;
use room::Room;

/// What all parts of a mechanism need to know of the whole.
struct Draft<'a> {
    reader: Reader,
    room: Room,
    names: Names<'a>,
}

/// A named part of a mechanism, its keys checked.
struct Part<'a> {
    name: &'a Spanned<String>,
    entries: &'a [Entry],
    fields: Fields<'a>,
    keys: &'static [Key],
    /// What it is for people, such as "the joint `foot`".
    title: String,
    span: Span,
    broken: bool,
}

impl Part<'_> {
    fn place(&self) -> Place<'_> {
        Place {
            title: &self.title,
            span: self.span,
            broken: self.broken,
        }
    }
}

impl Reader {
    /// The mechanism of a component, here or elsewhere.
    pub(super) fn multibody(self, fields: &Fields<'_>, reporter: &mut Reporter) -> Option<ComponentSource> {
        if let Some(file) = fields.text("multibody") {
            return Some(ComponentSource::MultibodyFile(file));
        }
        let (span, entries) = fields.table("multibody")?;
        let mechanism = self.mechanism(entries, span, reporter);
        Some(ComponentSource::Multibody(Box::new(mechanism)))
    }

    fn mechanism(self, entries: &[Entry], span: Span, reporter: &mut Reporter) -> MechanismSpec {
        let before = reporter.error_count();
        let own = without_files(entries, reporter);
        let fields = Fields::check(&own, keys::MECHANISM, self.place("the mechanism", span), reporter);
        let room = Room::of(&fields);
        let draft = Draft {
            reader: self,
            room,
            names: Names::of(&own, self.broken),
        };
        let gravity = room.vector(&fields, "gravity", reporter);
        let ground = draft.ground(&fields, reporter);
        let bodies = draft.each(&fields, ("bodies", "body"), keys::BODY, reporter, Draft::body);
        let joints = draft.each(&fields, ("joints", "joint"), keys::JOINT, reporter, Draft::joint);
        let forces = draft.each(&fields, ("forces", "force"), keys::FORCE, reporter, Draft::force);
        let ports = draft.each(
            &fields,
            ("ports", "port"),
            keys::MECHANISM_PORT,
            reporter,
            Draft::port,
        );
        let silent = fields.table("ports").is_none_or(|(_, ports)| ports.is_empty());
        let moving = silent && !fields.rejected("ports");
        let scene = fields.flag("scene").filter(|scene| scene.value);
        let moving = moving.then_some(joints.as_slice());
        port::check_clashes(&ports, moving, scene.as_ref(), reporter);
        MechanismSpec {
            plane: matches!(room, Room::Plane),
            gravity: gravity.unwrap_or(room.gravity()),
            ground,
            bodies,
            joints,
            forces,
            ports,
            scene: scene.is_some(),
            stabilization: draft.stabilization(&fields, reporter),
            complete: reporter.error_count() == before && !self.broken,
            span,
        }
    }
}

/// The entries without one that names another file: files that include each other would be hard to follow.
fn without_files(entries: &[Entry], reporter: &mut Reporter) -> Vec<Entry> {
    let (files, own): (Vec<_>, Vec<_>) = entries
        .iter()
        .cloned()
        .partition(|(key, _)| key.value == "multibody");
    for (key, _) in files {
        reporter
            .error(key.span, "a mechanism cannot be made from another one")
            .label("no file is included here")
            .advice(
                "write its bodies and joints here, or make it a component of its own and connect the two",
            );
    }
    own
}

impl<'a> Draft<'a> {
    /// Everything in a table of names, as far as it can be understood.
    fn each<'f, T>(
        &self,
        fields: &Fields<'f>,
        (key, noun): (&str, &str),
        keys: &'static [Key],
        reporter: &mut Reporter,
        read: impl Fn(&Self, &Part<'f>, &mut Reporter) -> Option<T>,
    ) -> Vec<T> {
        let Some((_, entries)) = fields.table(key) else {
            return Vec::new();
        };
        let mut parts = Vec::with_capacity(entries.len());
        for (name, value) in entries {
            check_name(noun, name, reporter);
            let Literal::Table(entries) = &value.value else {
                continue;
            };
            let title = format!("the {noun} `{}`", name.value);
            let place = self.reader.place(&title, name.span);
            let fields = Fields::check(entries, keys, place, reporter);
            let part = Part {
                name,
                entries,
                fields,
                keys,
                title,
                span: name.span,
                broken: self.reader.broken,
            };
            parts.extend(read(self, &part, reporter));
        }
        parts
    }

    fn ground(&self, fields: &Fields<'_>, reporter: &mut Reporter) -> Vec<PointSpec> {
        let Some((span, entries)) = fields.table("ground") else {
            return Vec::new();
        };
        let place = self.reader.place("`ground`", span);
        let fields = Fields::check(entries, keys::GROUND, place, reporter);
        self.points(&fields, &["origin"], reporter)
    }

    /// Points by name; some names are taken by points that are always there.
    fn points(&self, fields: &Fields<'_>, taken: &[&str], reporter: &mut Reporter) -> Vec<PointSpec> {
        let Some((_, entries)) = fields.table("points") else {
            return Vec::new();
        };
        let mut points = Vec::with_capacity(entries.len());
        for (name, value) in entries {
            check_name("point", name, reporter);
            if taken.contains(&name.value.as_str()) {
                reporter
                    .error(name.span, format!("the point `{}` is always there", name.value))
                    .label("this name is taken")
                    .advice("choose another name, or leave it out");
            }
            if let Some(at) = self.room.vector_of(&name.value, value, reporter) {
                points.push(PointSpec {
                    name: name.value.clone(),
                    at,
                });
            }
        }
        points
    }
}
