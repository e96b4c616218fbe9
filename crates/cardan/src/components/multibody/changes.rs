//! Numbers of a mechanism that its component changes: the same mechanism with other values.

use cardan_describe::spec::{
    ComponentSpec, DriveSpec, ForceKind, JointKind, Literal, MechanismSpec, ShapeSpec, StopSide,
};
use cardan_describe::{Reporter, Spanned};

/// Where a number of a mechanism is kept.
enum Slot<'a> {
    Number(&'a mut f64),
    /// One that may be left out.
    Given(&'a mut Option<f64>),
    Vector(&'a mut [f64; 3]),
    GivenVector(&'a mut Option<[f64; 3]>),
}

/// The names of all numbers that can be changed.
pub(super) fn names(spec: &MechanismSpec) -> Vec<String> {
    let mut spec = spec.clone();
    slots(&mut spec).into_iter().map(|(name, _)| name).collect()
}

/// The mechanism with the values that the component gives. Names that are none of its numbers are left to others.
pub(super) fn apply(
    spec: &MechanismSpec,
    component: &ComponentSpec,
    reporter: &mut Reporter,
) -> MechanismSpec {
    let mut changed = spec.clone();
    let plane = spec.plane;
    for (name, value) in &component.parameters {
        let slot = slots(&mut changed)
            .into_iter()
            .find(|(known, _)| *known == name.value);
        if let Some((_, slot)) = slot
            && let Err(expected) = slot.put(&value.value, plane)
        {
            reporter
                .error(
                    value.span,
                    format!(
                        "`{}`: expected {expected}, found {}",
                        name.value,
                        value.value.kind()
                    ),
                )
                .label(format!("expected {expected}"));
            changed.complete = false;
        }
    }
    changed
}

impl Slot<'_> {
    /// Puts a value there, or says what is expected.
    fn put(self, value: &Literal, plane: bool) -> Result<(), &'static str> {
        let number = || {
            let finite = value.number().filter(|number| number.is_finite());
            finite.ok_or("a finite number")
        };
        let vector = || match plane {
            true => flat(value).ok_or("two numbers"),
            false => value.vector().ok_or("three numbers"),
        };
        match self {
            Slot::Number(place) => *place = number()?,
            Slot::Given(place) => *place = Some(number()?),
            Slot::Vector(place) => *place = vector()?,
            Slot::GivenVector(place) => *place = Some(vector()?),
        }
        Ok(())
    }
}

/// Two numbers, in a plane.
fn flat(value: &Literal) -> Option<[f64; 3]> {
    let Literal::Array(items) = value else { return None };
    let [x, y] = items.as_slice() else { return None };
    Some([x.value.number()?, y.value.number()?, 0.0])
}

/// All numbers of a mechanism by name, in the order of the text.
fn slots(spec: &mut MechanismSpec) -> Vec<(String, Slot<'_>)> {
    let mut slots = vec![("gravity".to_owned(), Slot::Vector(&mut spec.gravity))];
    for body in &mut spec.bodies {
        let mut part = Part::new("bodies", &body.name, &mut slots);
        part.has("mass", Slot::Number(&mut body.mass));
        part.has("position", Slot::GivenVector(&mut body.position));
        part.has("velocity", Slot::GivenVector(&mut body.velocity));
        for (key, slot) in body.shape.iter_mut().flat_map(sizes) {
            part.has(&format!("shape.{key}"), slot);
        }
    }
    for joint in &mut spec.joints {
        let mut part = Part::new("joints", &joint.name, &mut slots);
        if let Some(drive) = &mut joint.drive {
            for (key, place) in terms(drive) {
                part.has(&format!("drive.{key}"), Slot::Number(place));
            }
            continue;
        }
        match &mut joint.kind {
            JointKind::Revolute { .. } | JointKind::Prismatic { .. } => {
                part.has("start", Slot::Given(&mut joint.start));
                part.has("speed", Slot::Given(&mut joint.speed));
            }
            JointKind::Distance { length } => part.has("length", Slot::Given(length)),
            _ => {}
        }
    }
    for force in &mut spec.forces {
        let mut part = Part::new("forces", &force.name, &mut slots);
        match &mut force.kind {
            ForceKind::Constant { force, .. } => part.has("force", Slot::Vector(force)),
            ForceKind::Spring {
                stiffness,
                damping,
                length,
                ..
            } => {
                part.springs(stiffness, damping);
                part.has("length", Slot::Given(length));
            }
            ForceKind::JointSpring {
                stiffness,
                damping,
                rest,
                ..
            } => {
                part.springs(stiffness, damping);
                part.has("rest", Slot::Number(rest));
            }
            ForceKind::Stop {
                stiffness,
                damping,
                limit,
                side,
                ..
            } => {
                part.springs(stiffness, damping);
                let side = match side {
                    StopSide::Above => "above",
                    StopSide::Below => "below",
                };
                part.has(side, Slot::Number(limit));
            }
            ForceKind::Contact {
                stiffness,
                damping,
                radius,
                ..
            } => {
                part.springs(stiffness, damping);
                part.has("radius", Slot::Number(radius));
            }
        }
    }
    slots
}

/// A named part of the mechanism, and where its numbers are gathered.
struct Part<'p, 'a> {
    name: String,
    slots: &'p mut Vec<(String, Slot<'a>)>,
}

impl<'p, 'a> Part<'p, 'a> {
    fn new(of: &str, name: &Spanned<String>, slots: &'p mut Vec<(String, Slot<'a>)>) -> Self {
        let name = format!("{of}.{}", name.value);
        Part { name, slots }
    }

    fn has(&mut self, key: &str, slot: Slot<'a>) {
        self.slots.push((format!("{}.{key}", self.name), slot));
    }

    fn springs(&mut self, stiffness: &'a mut f64, damping: &'a mut f64) {
        self.has("stiffness", Slot::Number(stiffness));
        self.has("damping", Slot::Number(damping));
    }
}

fn sizes(shape: &mut ShapeSpec) -> Vec<(&'static str, Slot<'_>)> {
    match shape {
        ShapeSpec::Rod { length } => vec![("length", Slot::Number(length))],
        // In a plane nobody need know how thick it is, in space all three count.
        ShapeSpec::Box { .. } => Vec::new(),
        ShapeSpec::Cylinder { radius, length } => {
            vec![("radius", Slot::Number(radius)), ("length", Slot::Number(length))]
        }
        ShapeSpec::Sphere { radius } => vec![("radius", Slot::Number(radius))],
    }
}

fn terms(drive: &mut DriveSpec) -> [(&'static str, &mut f64); 5] {
    [
        ("offset", &mut drive.offset),
        ("rate", &mut drive.rate),
        ("amplitude", &mut drive.amplitude),
        ("frequency", &mut drive.frequency),
        ("phase", &mut drive.phase),
    ]
}
