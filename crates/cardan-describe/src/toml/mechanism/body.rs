//! `[bodies.NAME]`

use super::keys::{self, SHAPE, SHAPES};
use super::kinds::Kinded;
use super::names::{CENTER, GROUND, ORIGIN};
use super::{Draft, Part, Room};
use crate::diagnostic::Reporter;
use crate::spec::{BodySpec, ShapeSpec};
use crate::toml::fields::Fields;
use cardan_core::spatial::by_angles;

/// Keys of a body that count in a plane, and what stands for them in space.
const TURNING: [(&str, &str); 2] = [("angle", "angles"), ("speed", "angular_velocity")];

impl Draft<'_> {
    pub(super) fn body(&self, part: &Part<'_>, reporter: &mut Reporter) -> Option<BodySpec> {
        let (fields, room) = (&part.fields, self.room);
        if part.name.value == GROUND {
            reporter
                .error(part.name.span, "no body can be called `ground`")
                .label("this name is taken")
                .advice("the ground is always there; its points are under [ground]");
        }
        self.check_turning(fields, reporter);
        let number = |key| fields.number(key).map(|number| number.value);
        let vector = |key| fields.vector(key).map(|vector| vector.value);
        let (orientation, angular_velocity) = match room {
            Room::Plane => (
                number("angle").map(|angle| by_angles([angle, 0.0, 0.0])),
                number("speed").map(|speed| [0.0, 0.0, speed]),
            ),
            _ => (vector("angles").map(by_angles), vector("angular_velocity")),
        };
        Some(BodySpec {
            name: part.name.clone(),
            center: room.vector(fields, "center", reporter).unwrap_or_default(),
            inertia: self.inertia(fields, reporter),
            points: self.points(fields, &[ORIGIN, CENTER], reporter),
            position: room.vector(fields, "position", reporter),
            orientation,
            velocity: room.vector(fields, "velocity", reporter),
            angular_velocity,
            shape: self.shape(fields, reporter),
            mass: number("mass")?,
        })
    }

    /// Angles are one in a plane, and three in space.
    fn check_turning(&self, fields: &Fields<'_>, reporter: &mut Reporter) {
        for (plane, space) in TURNING {
            let (wrong, right, place) = match self.room {
                Room::Plane => (space, plane, "in a plane"),
                Room::Space => (plane, space, "in space"),
                Room::Unknown => continue,
            };
            if let Some(given) = fields.literal(wrong) {
                reporter
                    .error(given.span, format!("a body {place} has no `{wrong}`"))
                    .advice(format!("write `{right}`: {}", about(right)));
            }
        }
    }

    fn inertia(&self, fields: &Fields<'_>, reporter: &mut Reporter) -> Option<[f64; 6]> {
        let given = fields.numbers("inertia")?;
        let (wanted, advice) = match (self.room, given.value.as_slice()) {
            (Room::Plane | Room::Unknown, [about_z]) => return Some([*about_z, 0.0, 0.0, 0.0, 0.0, 0.0]),
            (Room::Space | Room::Unknown, [xx, yy, zz]) => return Some([*xx, *yy, *zz, 0.0, 0.0, 0.0]),
            (Room::Space | Room::Unknown, [xx, yy, zz, xy, xz, yz]) => {
                return Some([*xx, *yy, *zz, *xy, *xz, *yz]);
            }
            (Room::Plane, _) => ("one number", "in a plane bodies turn about z alone"),
            _ => ("3 or 6 numbers", "write [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]"),
        };
        let found = given.value.len();
        reporter
            .error(given.span, format!("`inertia`: expected {wanted}, found {found}"))
            .label(format!("expected {wanted}"))
            .advice(advice);
        None
    }

    fn shape(&self, fields: &Fields<'_>, reporter: &mut Reporter) -> Option<ShapeSpec> {
        let (span, entries) = fields.table("shape")?;
        let place = self.reader.place("`shape`", span);
        let fields = Fields::check(entries, SHAPE, place, reporter);
        let kinded = Kinded {
            fields: &fields,
            entries,
            keys: SHAPE,
            noun: "shape",
            place,
        };
        let sort = kinded.sort(SHAPES, reporter)?;
        let number = |key| fields.number(key).map(|number| number.value);
        Some(match sort.name {
            "rod" => ShapeSpec::Rod {
                length: number("length")?,
            },
            "box" => ShapeSpec::Box {
                size: self.size(&fields, reporter)?,
            },
            "cylinder" => ShapeSpec::Cylinder {
                radius: number("radius")?,
                length: number("length")?,
            },
            _ => ShapeSpec::Sphere {
                radius: number("radius")?,
            },
        })
    }

    /// In a plane nobody need know how thick a box is.
    fn size(&self, fields: &Fields<'_>, reporter: &mut Reporter) -> Option<[f64; 3]> {
        let given = fields.numbers("size")?;
        if let Some(length) = given.value.iter().find(|length| **length <= 0.0) {
            reporter.error(
                given.span,
                format!("`size` must be greater than 0, found {length}"),
            );
            return None;
        }
        match (self.room, given.value.as_slice()) {
            (Room::Plane, [x, y, z]) => Some([*x, *y, *z]),
            _ => self.room.vector(fields, "size", reporter),
        }
    }
}

/// What a key of a body is.
fn about(name: &str) -> &'static str {
    let known = keys::BODY.iter().find(|key| key.name == name);
    known.map_or("", |key| key.about)
}
