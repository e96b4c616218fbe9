//! Sizes of arrays, which may follow from structural parameters.

use cardan_core::participant::Failure;
use cardan_core::value::{Shape, Value};

use crate::description::{Dimension, ModelDescription};

/// An array with more elements than this is a mistake in the description.
const MOST_ELEMENTS: u64 = 1 << 28;

/// The shape of each variable.
pub(super) struct Sizes(Vec<Shape>);

impl Sizes {
    pub(super) fn new(
        description: &ModelDescription,
        structural: &[(usize, Value)],
    ) -> Result<Self, Failure> {
        let mut shapes = Vec::with_capacity(description.variables.len());
        for variable in &description.variables {
            let mut sizes = Vec::with_capacity(variable.dimensions.len());
            let mut elements = 1_u64;
            for dimension in &variable.dimensions {
                let size = size(description, structural, *dimension).ok_or_else(|| {
                    Failure::failed(format!("the size of the array {} is not known", variable.name))
                        .advise("give a value to the structural parameters on which it depends")
                })?;
                elements = elements.saturating_mul(size);
                sizes.push(size as usize);
            }
            if elements > MOST_ELEMENTS {
                return Err(Failure::failed(format!(
                    "the array {} would have {elements} elements",
                    variable.name
                )));
            }
            shapes.push(Shape::of(sizes));
        }
        Ok(Sizes(shapes))
    }

    pub(super) fn shape(&self, variable: usize) -> Shape {
        self.0[variable].clone()
    }
}

fn size(description: &ModelDescription, structural: &[(usize, Value)], dimension: Dimension) -> Option<u64> {
    let index = match dimension {
        Dimension::Fixed(size) => return Some(size),
        Dimension::By(index) => index,
    };
    let given = structural
        .iter()
        .find(|(i, _)| *i == index)
        .map(|(_, value)| value);
    let value = given.or(description.variables.get(index)?.start.as_ref())?;
    u64::try_from(value.as_integer()?).ok()
}
