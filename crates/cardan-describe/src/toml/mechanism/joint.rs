//! `[joints.NAME]`

use super::keys::{DRIVE, JOINTS};
use super::kinds::Kinded;
use super::room::unit;
use super::{Draft, Part, Room};
use crate::diagnostic::{Reporter, Spanned};
use crate::spec::{DriveSpec, JointKind, JointSpec, Literal, PointName};
use crate::toml::fields::Fields;

impl Draft<'_> {
    pub(super) fn joint(&self, part: &Part<'_>, reporter: &mut Reporter) -> Option<JointSpec> {
        let fields = &part.fields;
        let kinded = Kinded {
            fields,
            entries: part.entries,
            keys: part.keys,
            noun: "joint",
            place: part.place(),
        };
        let between = self.between(fields, reporter);
        let drive = self.drive(fields, reporter);
        let sort = kinded.sort(JOINTS, reporter)?;
        let axis = |reporter: &mut Reporter| self.room.direction(fields, "axis", reporter);
        let number = |key| fields.number(key).map(|number| number.value);
        let kind = match sort.name {
            "revolute" => JointKind::Revolute {
                axis: self.turning_axis(&kinded, reporter)?,
            },
            "prismatic" => JointKind::Prismatic {
                axis: axis(reporter)?,
            },
            "spherical" => self.only_in_space(fields, JointKind::Spherical, reporter)?,
            "universal" => {
                let axes = axes(fields, reporter)?;
                self.only_in_space(fields, JointKind::Universal { axes }, reporter)?
            }
            "fixed" => JointKind::Fixed,
            "distance" => JointKind::Distance {
                length: number("length"),
            },
            _ => JointKind::PointOnLine {
                axis: axis(reporter)?,
            },
        };
        if drive.is_some() {
            warn_of_idle_keys(fields, reporter);
        }
        Some(JointSpec {
            name: part.name.clone(),
            kind,
            between: between?,
            start: number("start"),
            speed: number("speed"),
            drive,
        })
    }

    /// In a plane there is one axis only.
    fn turning_axis(&self, kinded: &Kinded<'_>, reporter: &mut Reporter) -> Option<[f64; 3]> {
        const UP: [f64; 3] = [0.0, 0.0, 1.0];
        let fields = kinded.fields;
        match (self.room, fields.literal("axis")) {
            (Room::Plane, Some(axis)) => {
                reporter
                    .error(
                        axis.span,
                        "a revolute joint in a plane has no `axis`: it turns about z",
                    )
                    .advice("leave it out");
                None
            }
            (Room::Space, None) if !fields.given("axis") => {
                kinded.lacks("axis", reporter);
                None
            }
            (_, None) => Some(UP),
            (_, Some(_)) => self.room.direction(fields, "axis", reporter),
        }
    }

    fn only_in_space(
        &self,
        fields: &Fields<'_>,
        kind: JointKind,
        reporter: &mut Reporter,
    ) -> Option<JointKind> {
        if self.room != Room::Plane {
            return Some(kind);
        }
        let name = fields.text("kind")?;
        reporter
            .error(
                name.span,
                format!(
                    "a {} joint needs space, and the mechanism is in a plane",
                    name.value
                ),
            )
            .advice("take a revolute one, or write space = \"space\"");
        None
    }

    /// The two points that a joint or a spring joins.
    pub(super) fn between(&self, fields: &Fields<'_>, reporter: &mut Reporter) -> Option<[PointName; 2]> {
        let given = fields.literal("between")?;
        let Literal::Array(items) = &given.value else {
            return None;
        };
        if items.len() != 2 {
            reporter
                .error(
                    given.span,
                    format!("`between`: expected 2 points, found {}", items.len()),
                )
                .label("expected 2 points")
                .advice("write between = [\"body.point\", \"ground.point\"]");
            return None;
        }
        let texts = fields.texts("between")?.value;
        let found: Vec<Option<PointName>> = texts
            .iter()
            .map(|text| self.names.point(text, reporter))
            .collect();
        let [Some(first), Some(second)] = found.as_slice() else {
            return None;
        };
        if first.body == second.body {
            reporter
                .error(given.span, format!("both points belong to `{}`", first.body))
                .advice("name points of two bodies, or of a body and the ground");
            return None;
        }
        Some([first.clone(), second.clone()])
    }

    fn drive(&self, fields: &Fields<'_>, reporter: &mut Reporter) -> Option<DriveSpec> {
        let (span, entries) = fields.table("drive")?;
        let fields = Fields::check(entries, DRIVE, self.reader.place("`drive`", span), reporter);
        let number = |key| fields.number(key).map_or(0.0, |number| number.value);
        Some(DriveSpec {
            offset: number("offset"),
            rate: number("rate"),
            amplitude: number("amplitude"),
            frequency: number("frequency"),
            phase: number("phase"),
        })
    }
}

/// The two axes of a universal joint.
fn axes(fields: &Fields<'_>, reporter: &mut Reporter) -> Option<[[f64; 3]; 2]> {
    let Literal::Array(items) = &fields.literal("axes")?.value else {
        return None;
    };
    let axis = |item: &Spanned<Literal>, reporter: &mut Reporter| {
        unit("axes", item.value.vector()?, item.span, reporter)
    };
    let [first, second] = items.as_slice() else {
        return None;
    };
    let (first, second) = (axis(first, reporter), axis(second, reporter));
    Some([first?, second?])
}

/// A driven joint is where its drive says.
fn warn_of_idle_keys(fields: &Fields<'_>, reporter: &mut Reporter) {
    for key in ["start", "speed", "length"] {
        if let Some(given) = fields.literal(key) {
            reporter
                .warning(
                    given.span,
                    format!("`{key}` has no effect: the joint is where its drive says"),
                )
                .advice("leave it out");
        }
    }
}
