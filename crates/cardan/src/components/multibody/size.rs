//! How large a mechanism is.

use cardan_core::participant::Settings;
use cardan_describe::spec::MechanismSpec;
use cardan_models::{Blueprint, Values};
use std::fmt;

/// How large a mechanism is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct MechanismSize {
    /// Its bodies, without the ground.
    pub bodies: usize,
    /// Its joints.
    pub joints: usize,
    /// The numbers that say where everything is.
    pub coordinates: usize,
    /// The equations that hold between them.
    pub constraints: usize,
}

impl fmt::Display for MechanismSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.bodies, "body", "bodies"),
            (self.joints, "joint", "joints"),
            (self.coordinates, "coordinate", "coordinates"),
            (self.constraints, "constraint", "constraints"),
        ];
        let words = counts.map(|(count, one, many)| match count {
            1 => format!("1 {one}"),
            _ => format!("{count} {many}"),
        });
        f.pad(&words.join(", "))
    }
}

impl MechanismSize {
    pub(super) fn of(spec: &MechanismSpec, blueprint: &Blueprint) -> Self {
        let model = Values::new(&blueprint.parameters, &Settings::default())
            .and_then(|values| (blueprint.model)(&values))
            .ok();
        let structure = model
            .as_ref()
            .and_then(|model| model.mechanical())
            .map(|m| m.structure());
        MechanismSize {
            bodies: spec.bodies.len(),
            joints: spec.joints.len(),
            coordinates: structure.map_or(0, |structure| structure.coordinates),
            constraints: structure.map_or(0, |structure| structure.constraints.len()),
        }
    }
}
