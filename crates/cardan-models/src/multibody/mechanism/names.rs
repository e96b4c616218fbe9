//! From names to numbers, with every name checked.

use super::description::{Body, Mechanism, Mistake, Place, PointName};

/// The ground is body 0; the others follow in the order of their description.
pub(super) const GROUND: usize = 0;

/// A point of a body: which body, and where in its axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spot {
    pub(super) body: usize,
    pub(super) local: [f64; 3],
}

/// Finds the point of that name.
pub(super) fn spot(mechanism: &Mechanism, name: &PointName, asked: &Place) -> Result<Spot, Mistake> {
    let unknown = |what: &str, known: Vec<&str>| {
        let mistake = Mistake::at(asked.clone(), format!("there is no {what}"));
        match known.is_empty() {
            true => mistake,
            false => mistake.advise(format!("known are {}", known.join(", "))),
        }
    };
    if name.body == "ground" {
        let found = mechanism.ground.iter().find(|point| point.name == name.point);
        return match found {
            Some(point) => Ok(Spot {
                body: GROUND,
                local: point.at,
            }),
            None if name.point == "origin" => Ok(Spot {
                body: GROUND,
                local: [0.0; 3],
            }),
            None => {
                let known = mechanism
                    .ground
                    .iter()
                    .map(|point| &*point.name)
                    .chain(["origin"]);
                Err(unknown(
                    &format!("point {} of the ground", name.point),
                    known.collect(),
                ))
            }
        };
    }
    let Some(index) = mechanism.bodies.iter().position(|body| body.name == name.body) else {
        let known = mechanism.bodies.iter().map(|body| &*body.name).chain(["ground"]);
        return Err(unknown(&format!("body {}", name.body), known.collect()));
    };
    let body = &mechanism.bodies[index];
    let local = match (
        &*name.point,
        body.points.iter().find(|point| point.name == name.point),
    ) {
        (_, Some(point)) => point.at,
        ("origin", None) => [0.0; 3],
        ("center", None) => body.center,
        (_, None) => {
            let known = body
                .points
                .iter()
                .map(|point| &*point.name)
                .chain(["origin", "center"]);
            return Err(unknown(
                &format!("point {} of body {}", name.point, name.body),
                known.collect(),
            ));
        }
    };
    Ok(Spot {
        body: index + 1,
        local,
    })
}

/// The joint of that name.
pub(super) fn joint(mechanism: &Mechanism, name: &str, asked: &Place) -> Result<usize, Mistake> {
    mechanism
        .joints
        .iter()
        .position(|joint| joint.name == name)
        .ok_or_else(|| {
            let known: Vec<&str> = mechanism.joints.iter().map(|joint| &*joint.name).collect();
            let mistake = Mistake::at(asked.clone(), format!("there is no joint {name}"));
            if known.is_empty() {
                mistake
            } else {
                mistake.advise(format!("known are {}", known.join(", ")))
            }
        })
}

/// A direction of length one; `what` says whose.
pub(super) fn unit(direction: [f64; 3], what: &str, place: &Place) -> Result<[f64; 3], Mistake> {
    let length = direction.iter().map(|part| part * part).sum::<f64>().sqrt();
    if !(length > 0.0 && length.is_finite()) {
        let message = format!(
            "{what} [{}, {}, {}] has no direction",
            direction[0], direction[1], direction[2]
        );
        return Err(Mistake::at(place.clone(), message).advise("give three numbers that are not all zero"));
    }
    Ok(direction.map(|part| part / length))
}

/// Refuses what no body can be.
pub(super) fn check_bodies(mechanism: &Mechanism) -> Result<(), Mistake> {
    for (index, body) in mechanism.bodies.iter().enumerate() {
        let place = Place::Body(body.name.clone());
        if body.name == "ground"
            || mechanism.bodies[..index]
                .iter()
                .any(|other| other.name == body.name)
        {
            return Err(Mistake::at(place, "this name is taken already"));
        }
        if !(body.mass >= 0.0 && body.mass.is_finite()) {
            return Err(Mistake::at(
                place,
                format!("mass = {} is not the mass of a body", body.mass),
            ));
        }
        check_inertia(mechanism, body, &place)?;
    }
    if mechanism.bodies.is_empty() {
        return Err(Mistake::at(Place::Whole, "there is no body in it").advise("describe one under bodies"));
    }
    Ok(())
}

fn check_inertia(mechanism: &Mechanism, body: &Body, place: &Place) -> Result<(), Mistake> {
    let Some(inertia) = body.inertia else {
        return Ok(());
    };
    let [xx, yy, zz, xy, xz, yz] = inertia;
    let fine = match mechanism.space {
        super::description::Space::Plane => xx >= 0.0 && xx.is_finite(),
        super::description::Space::Space => {
            let determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
            // Principal moments are sums of squares of distances: none exceeds the sum of the others.
            let triangle =
                xx <= (yy + zz) * 1.000_001 && yy <= (xx + zz) * 1.000_001 && zz <= (xx + yy) * 1.000_001;
            xx >= 0.0 && xx * yy - xy * xy >= 0.0 && determinant >= 0.0 && triangle && determinant.is_finite()
        }
    };
    match fine {
        true => Ok(()),
        false => Err(Mistake::at(
            place.clone(),
            format!("inertia {inertia:?} is not that of a rigid body"),
        )
        .advise("moments about the centre of mass; in space none may exceed the sum of the other two")),
    }
}
