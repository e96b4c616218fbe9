//! `[forces.NAME]`

use super::keys::FORCES;
use super::kinds::Kinded;
use super::{Draft, Part};
use crate::diagnostic::Reporter;
use crate::spec::{ForceKind, ForceSpec, PointName, StopSide};
use crate::toml::fields::Fields;

impl Draft<'_> {
    pub(super) fn force(&self, part: &Part<'_>, reporter: &mut Reporter) -> Option<ForceSpec> {
        let fields = &part.fields;
        let kinded = Kinded {
            fields,
            entries: part.entries,
            keys: part.keys,
            noun: "force",
            place: part.place(),
        };
        let sort = kinded.sort(FORCES, reporter)?;
        let number = |key| fields.number(key).map(|number| number.value);
        let stiffness = number("stiffness");
        let damping = number("damping").unwrap_or_default();
        let kind = match sort.name {
            "spring" => ForceKind::Spring {
                between: self.between(fields, reporter)?,
                stiffness: stiffness?,
                damping,
                length: number("length"),
            },
            "joint-spring" => ForceKind::JointSpring {
                joint: self.joint_of(fields, reporter)?,
                stiffness: stiffness?,
                damping,
                rest: number("rest").unwrap_or_default(),
            },
            "stop" => {
                let joint = self.joint_of(fields, reporter);
                let (limit, side) = limit(part, reporter)?;
                ForceKind::Stop {
                    joint: joint?,
                    limit,
                    side,
                    stiffness: stiffness?,
                    damping,
                }
            }
            "contact" => {
                let point = self.point(fields, "point", reporter);
                let plane = self.point(fields, "plane", reporter);
                let normal = self.room.direction(fields, "normal", reporter);
                let radius = number("radius").unwrap_or_default();
                ForceKind::Contact {
                    point: point?,
                    radius,
                    plane: plane?,
                    normal: normal?,
                    stiffness: stiffness?,
                    damping,
                }
            }
            _ => {
                let at = self.point(fields, "at", reporter);
                let force = self.room.vector(fields, "force", reporter);
                ForceKind::Constant {
                    at: at?,
                    force: force?,
                }
            }
        };
        Some(ForceSpec {
            name: part.name.clone(),
            kind,
        })
    }

    /// The point behind a key.
    pub(super) fn point(&self, fields: &Fields<'_>, key: &str, reporter: &mut Reporter) -> Option<PointName> {
        let text = fields.text(key)?;
        self.names.point(&text, reporter)
    }

    /// The joint behind the key `joint`.
    pub(super) fn joint_of(&self, fields: &Fields<'_>, reporter: &mut Reporter) -> Option<String> {
        let text = fields.text("joint")?;
        self.names.joint(&text, reporter)
    }
}

/// Where a stop begins, and on which side it pushes back: exactly one of the two is given.
fn limit(part: &Part<'_>, reporter: &mut Reporter) -> Option<(f64, StopSide)> {
    let fields = &part.fields;
    match (fields.number("above"), fields.number("below")) {
        (Some(above), None) if !fields.given("below") => Some((above.value, StopSide::Above)),
        (None, Some(below)) if !fields.given("above") => Some((below.value, StopSide::Below)),
        (Some(above), Some(below)) => {
            reporter
                .error(below.span, format!("{} has two limits", part.title))
                .related(above.span, "the other one")
                .advice("make two stops of it");
            None
        }
        (None, None) if !fields.given("above") && !fields.given("below") && !part.broken => {
            reporter
                .error(part.span, format!("{} lacks `above` or `below`", part.title))
                .advice("say where it pushes back: above = 0.5");
            None
        }
        // One of them was wrong, which has been reported.
        _ => None,
    }
}
