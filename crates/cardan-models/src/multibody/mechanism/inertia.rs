//! Mass, centre and inertia of a body as the moments that natural coordinates want.

use super::combination::Combination;
use super::description::{Body, Mistake, Place, Shape, Space};
use super::solid::Solid;

/// `∫ dm`, `∫ ρ dm` and `∫ ρ ρᵀ dm` in the axes of a body, with a row of ones in front: four by four.
pub(super) type Moments = [[f64; 4]; 4];

/// Inertia about the centre of mass as described, or of the shape: xx yy zz xy xz yz, in a plane only zz (kept in xx).
pub(super) fn inertia(body: &Body, space: Space) -> Option<[f64; 6]> {
    body.inertia.or_else(|| {
        let thirds = body.mass / 12.0;
        let [xx, yy, zz] = match body.shape? {
            Shape::Rod { length } => [0.0, thirds * length * length, thirds * length * length],
            Shape::Box { size: [x, y, z] } => [
                thirds * (y * y + z * z),
                thirds * (x * x + z * z),
                thirds * (x * x + y * y),
            ],
            Shape::Cylinder { radius, length } => {
                let side = thirds * (3.0 * radius * radius + length * length);
                [side, side, 0.5 * body.mass * radius * radius]
            }
            Shape::Sphere { radius } => [0.4 * body.mass * radius * radius; 3],
        };
        Some(match space {
            Space::Plane => [zz, 0.0, 0.0, 0.0, 0.0, 0.0],
            Space::Space => [xx, yy, zz, 0.0, 0.0, 0.0],
        })
    })
}

/// The moments of a body; particles have mass alone.
pub(super) fn moments(body: &Body, space: Space, oriented: bool) -> Result<Moments, Mistake> {
    let mut moments = [[0.0; 4]; 4];
    moments[0][0] = body.mass;
    if !oriented {
        return Ok(moments);
    }
    let Some([xx, yy, zz, xy, xz, yz]) = inertia(body, space) else {
        return Err(
            Mistake::at(Place::Body(body.name.clone()), "has no inertia, and turns")
                .advise("give it an inertia about its centre of mass, or a shape to compute it from"),
        );
    };
    let second = match space {
        // In a plane only the sum of both counts.
        Space::Plane => [[0.5 * xx, 0.0, 0.0], [0.0, 0.5 * xx, 0.0], [0.0; 3]],
        Space::Space => {
            let half = 0.5 * (xx + yy + zz);
            [
                [half - xx, -xy, -xz],
                [-xy, half - yy, -yz],
                [-xz, -yz, half - zz],
            ]
        }
    };
    let center = body.center;
    for i in 0..3 {
        moments[0][i + 1] = body.mass * center[i];
        moments[i + 1][0] = body.mass * center[i];
        for j in 0..3 {
            moments[i + 1][j + 1] = second[i][j] + body.mass * center[i] * center[j];
        }
    }
    Ok(moments)
}

/// Adds a body to the mass matrix, all of it, both triangles.
pub(super) fn add_mass<const D: usize>(
    moments: &Moments,
    solid: &Solid<D>,
    mut add: impl FnMut(usize, usize, f64),
) {
    let parts: Vec<&Combination<D>> = std::iter::once(&solid.origin)
        .chain(solid.axes.iter().flatten())
        .collect();
    for (i, a) in parts.iter().enumerate() {
        for (j, b) in parts.iter().enumerate() {
            if moments[i][j] != 0.0 {
                a.outer(moments[i][j], b, &mut add);
            }
        }
    }
}
