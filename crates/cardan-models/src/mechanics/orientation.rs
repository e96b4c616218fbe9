//! Orientations and diagonals as users give them.

use cardan_core::interface::Parameter;
use cardan_core::spatial::{by_angles, unit};
use cardan_core::value::Value;

use crate::declare::list;
use crate::{BuildError, Values};

/// A parameter of three numbers.
pub(super) fn vector(name: &str, unit: &str, default: [f64; 3], description: &str) -> Parameter {
    list(name, unit, description).default(Value::Reals(default.to_vec()))
}

/// The value of such a parameter.
pub(super) fn three(values: &Values, name: &str) -> Result<[f64; 3], BuildError> {
    let found = values.reals(name)?;
    <[f64; 3]>::try_from(found).map_err(|_| {
        BuildError::of(
            name,
            format!("expected 3 values (x, y, z), found {}", found.len()),
        )
    })
}

/// An orientation: 3-2-1 angles, or a quaternion.
pub(super) fn orientation(values: &Values, name: &str) -> Result<[f64; 4], BuildError> {
    match *values.reals(name)? {
        [z, y, x] => Ok(by_angles([z, y, x])),
        [w, x, y, z] if [w, x, y, z] != [0.0; 4] => Ok(unit([w, x, y, z])),
        [_, _, _, _] => Err(BuildError::of(name, "a quaternion of zeros is no orientation")),
        ref other => Err(BuildError::of(
            name,
            format!(
                "expected 3 angles in rad (about z, y, x) or 4 parts of a quaternion (w first), found {} values",
                other.len()
            ),
        )),
    }
}
