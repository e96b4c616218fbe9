//! Springs, stops and contacts of a description as elements that push, and their places in the tangent.

use std::collections::BTreeMap;

use super::description::{ForceKind, Mechanism, Mistake, Place, PointName};
use super::element::{Element, Law};
use super::joints::Built;
use super::measure::Measure;
use super::names;
use super::placement::Placement;
use super::ports::Ports;
use super::solid::Solids;
use super::system::Products;

impl Mechanism {
    /// All that pushes, in the order of the description. Forces that never change are weight.
    pub(super) fn elements<const D: usize>(
        &self,
        solids: &Solids<D>,
        built: &[Built<D>],
        placements: &[Placement],
        ports: &mut Ports<D>,
    ) -> Result<Vec<Element<D>>, Mistake> {
        let mut elements = Vec::new();
        for force in &self.forces {
            let place = Place::Force(force.name.clone());
            let at = |name: &PointName| names::spot(self, name, &place);
            let (measure, stiffness, damping, law) = match &force.kind {
                ForceKind::Constant { .. } => continue,
                ForceKind::Spring {
                    between: [a, b],
                    stiffness,
                    damping,
                    length,
                } => {
                    let (a, b) = (at(a)?, at(b)?);
                    let [pa, pb] = [a, b].map(|end| placements[end.body].point(end.local));
                    let apart = || {
                        pa.iter()
                            .zip(pb)
                            .map(|(a, b)| (a - b) * (a - b))
                            .sum::<f64>()
                            .sqrt()
                    };
                    let gap = solids.solids[b.body]
                        .point(b.local)
                        .minus(&solids.solids[a.body].point(a.local));
                    (
                        Measure::Length(gap),
                        *stiffness,
                        *damping,
                        Law::Spring {
                            rest: length.unwrap_or_else(apart),
                        },
                    )
                }
                ForceKind::JointSpring {
                    joint,
                    stiffness,
                    damping,
                    rest,
                } => (
                    self.measure(joint, built, &place)?,
                    *stiffness,
                    *damping,
                    Law::Spring { rest: *rest },
                ),
                ForceKind::Stop {
                    joint,
                    limit,
                    above,
                    stiffness,
                    damping,
                } => {
                    let law = Law::OneSided {
                        limit: *limit,
                        above: *above,
                    };
                    (self.measure(joint, built, &place)?, *stiffness, *damping, law)
                }
                ForceKind::Contact {
                    point,
                    radius,
                    plane,
                    normal,
                    stiffness,
                    damping,
                } => {
                    let (point, plane) = (at(point)?, at(plane)?);
                    let normal = names::unit(*normal, "normal", &place)?;
                    let vector = solids.solids[point.body].point(point.local);
                    let against = &solids.solids[plane.body];
                    let measure = Measure::Along {
                        vector: vector.minus(&against.point(plane.local)),
                        direction: against.direction(normal),
                        offset: *radius,
                    };
                    (
                        measure,
                        *stiffness,
                        *damping,
                        Law::OneSided {
                            limit: 0.0,
                            above: false,
                        },
                    )
                }
            };
            if !(stiffness >= 0.0 && damping >= 0.0 && stiffness.is_finite() && damping.is_finite()) {
                let message = format!("stiffness = {stiffness} and damping = {damping} must not be negative");
                return Err(Mistake::at(place, message));
            }
            if measure.coordinates().is_empty() {
                return Err(Mistake::at(place, "acts between things that do not move"));
            }
            let winding = ports.wind(&measure);
            elements.push(Element {
                measure,
                stiffness,
                damping,
                law,
                winding,
            });
        }
        Ok(elements)
    }
}

/// Where the tangent of an element goes, in a pattern that grows with it.
pub(super) fn products<const D: usize>(
    element: &Element<D>,
    tangent: &mut BTreeMap<(usize, usize), usize>,
) -> Products {
    let coordinates = element.measure.coordinates();
    let mut places = Vec::new();
    for (i, &row) in coordinates.iter().enumerate() {
        for &column in &coordinates[..=i] {
            let next = tangent.len();
            places.push(*tangent.entry((row, column)).or_insert(next));
        }
    }
    Products { coordinates, places }
}
