//! Mechanisms of rigid bodies in natural coordinates: points and unit vectors that bodies share.
//!
//! A [`Mechanism`] is a description; [`Mechanism::blueprint`] makes a participant's blueprint of it. On the way names become
//! numbers (`names`), bodies get places (`placement`), joints say which points and directions are one (`sharing`), bodies
//! become combinations of those (`solid`), and whatever is left of joints becomes constraints (`joints`). All constraints are
//! sums of products of combinations (`constraint`), the mass matrix never changes, and springs, stops and angles look at
//! measures (`forces`, `measure`). The start is made to fit (`start`), and the whole is a model (`system`).

mod combination;
mod constraint;
mod description;
mod element;
mod extent;
mod forces;
mod inertia;
mod joints;
mod measure;
mod motion;
mod names;
mod placement;
mod ports;
mod reaction;
mod scene;
mod sharing;
mod solid;
mod start;
mod system;

use std::cell::RefCell;
use std::collections::BTreeMap;

use cardan_core::interface::Interface;
use cardan_ode::mechanical::{Accelerations, Stabilization, Structure};

pub use description::{
    Body, Force, ForceKind, Joint, JointKind, Mechanism, Mistake, Motion, Place, Point, PointName, PortKind,
    PortOf, Shape, Space,
};
pub use scene::scene_port;

use self::joints::Built;
use self::measure::Measure;
use self::placement::Placement;
use self::ports::Ports;
use self::sharing::Sharing;
use self::solid::{Solids, cut};
use self::system::{System, Work};
use crate::blueprint::Blueprint;
use crate::model::Model;

/// Angular frequency with which violations of constraints die out where a solver knows nothing of them.
const BAUMGARTE: f64 = 50.0;

/// A mechanism that is built: its ports, and its equations as often as they are wanted.
pub(super) struct Assembled(Kind);

enum Kind {
    Plane(Box<System<2>>),
    Space(Box<System<3>>),
}

impl Assembled {
    pub(super) fn interface(&self) -> Interface {
        match &self.0 {
            Kind::Plane(system) => system.ports.interface.clone(),
            Kind::Space(system) => system.ports.interface.clone(),
        }
    }

    pub(super) fn model(&self) -> Box<dyn Model> {
        match &self.0 {
            Kind::Plane(system) => system.clone(),
            Kind::Space(system) => system.clone(),
        }
    }
}

impl Mechanism {
    /// Builds the mechanism, and what a participant needs of it.
    pub fn blueprint(&self, name: &str) -> Result<Blueprint, Mistake> {
        let assembled = self.assemble()?;
        let interface = assembled.interface();
        Ok(Blueprint {
            name: name.to_owned(),
            parameters: Vec::new(),
            ports: Box::new(move |_| Ok(interface.clone())),
            model: Box::new(move |_| Ok(assembled.model())),
        })
    }

    pub(super) fn assemble(&self) -> Result<Assembled, Mistake> {
        Ok(Assembled(match self.space {
            Space::Plane => Kind::Plane(Box::new(self.system()?)),
            Space::Space => Kind::Space(Box::new(self.system()?)),
        }))
    }

    fn system<const D: usize>(&self) -> Result<System<D>, Mistake> {
        names::check_bodies(self)?;
        let ends = joints::ends(self)?;
        let placements = placement::place(self, &ends);
        let size = extent::extent(self);
        let sharing = self.share(&ends, &placements, size)?;
        let oriented = self.oriented(&ends)?;
        let names: Vec<String> = std::iter::once("ground".to_owned())
            .chain(self.bodies.iter().map(|body| body.name.clone()))
            .collect();
        let centers: Vec<[f64; 3]> = std::iter::once([0.0; 3])
            .chain(self.bodies.iter().map(|body| body.center))
            .collect();
        let mut solids = Solids::<D>::new(&names, &oriented, &centers, &sharing, size)?;
        let mut built = Vec::new();
        for (joint, ends) in self.joints.iter().zip(&ends) {
            let places = [&placements[ends[0].body], &placements[ends[1].body]];
            built.push(joints::build(
                joint,
                *ends,
                places,
                self.asked(joint),
                &mut solids,
            )?);
        }
        let mut ports = self.ports(&solids, &built)?;
        let elements = self.elements(&solids, &built, &placements, &mut ports)?;
        let (origins, constraints): (Vec<Place>, Vec<_>) =
            std::mem::take(&mut solids.constraints).into_iter().unzip();

        let coordinates = solids.nodes.len() * D;
        let (mass, weight, level) = self.masses(&solids)?;
        let mut tangent: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let products = elements
            .iter()
            .map(|element| forces::products(element, &mut tangent))
            .collect();
        let mut places = vec![(0, 0); tangent.len()];
        for (place, index) in &tangent {
            places[*index] = *place;
        }
        let mut structure = Structure {
            coordinates,
            quadratures: ports.windings.len(),
            mass,
            constraints: constraints
                .iter()
                .map(|constraint| constraint.columns().to_vec())
                .collect(),
            tangent: places,
            gradient: 0.0,
            size,
        };
        let guess = start::guess::<D>(&solids.nodes, &placements).0;
        structure.gradient = start::gradient(&structure, &constraints, &guess);
        let one_sided = elements
            .iter()
            .filter(|element| element.depth(0.0).is_some())
            .count();
        let mut system = System {
            work: RefCell::new(Work {
                accelerations: Accelerations::new(&structure),
                gradient: vec![0.0; coordinates],
                residuals: vec![0.0; constraints.len()],
                inputs: vec![0.0; ports.inputs.iter().map(|input| input.width()).sum()],
            }),
            structure,
            constraints,
            weight,
            level,
            elements,
            products,
            ports,
            initial: Vec::new(),
            start: 0.0,
            touching: vec![false; one_sided],
            stabilization: self
                .stabilization
                .unwrap_or(Stabilization::Baumgarte { frequency: BAUMGARTE }),
        };
        self.check_masses(&system, &solids)?;
        system.initial = start::settle(self, &system, (&solids.nodes, &placements), &origins, &built)?;
        system.check_inertia(|| self.lightest())?;
        Ok(system)
    }

    fn share(
        &self,
        ends: &[[names::Spot; 2]],
        placements: &[Placement],
        size: f64,
    ) -> Result<Sharing, Mistake> {
        let mut sharing = Sharing::default();
        for (joint, ends) in self.joints.iter().zip(ends) {
            let places = [&placements[ends[0].body], &placements[ends[1].body]];
            match self.asked(joint) {
                true => ends.iter().for_each(|end| sharing.mark(*end)),
                false => joints::share(joint, *ends, places, (self.space, size), &mut sharing)?,
            }
        }
        match sharing.conflict() {
            None => Ok(sharing),
            Some(body) => {
                let place = match body.checked_sub(1).and_then(|index| self.bodies.get(index)) {
                    Some(body) => Place::Body(body.name.clone()),
                    None => Place::Whole,
                };
                Err(Mistake::at(
                    place,
                    "two different points or axes of it are joined to become one",
                )
                .advise("joints contradict each other here; take one of them away"))
            }
        }
    }

    /// A body without mass, or with no inertia about one of its axes.
    fn lightest(&self) -> Place {
        let hollow = |body: &&Body| {
            let about = match self.space {
                Space::Plane => 1,
                Space::Space => 3,
            };
            let moments = inertia::inertia(body, self.space).unwrap_or([1.0; 6]);
            body.mass == 0.0 || moments[..about].contains(&0.0)
        };
        let found = self.bodies.iter().find(hollow);
        found.map_or(Place::Whole, |body| Place::Body(body.name.clone()))
    }

    /// Does somebody look at the joint's reaction? Then it is made of constraints alone.
    fn asked(&self, joint: &Joint) -> bool {
        self.ports
            .iter()
            .any(|port| matches!(&port.kind, PortKind::Reaction { joint: name } if *name == joint.name))
    }

    /// Which bodies have an orientation; the ground has.
    fn oriented(&self, ends: &[[names::Spot; 2]]) -> Result<Vec<bool>, Mistake> {
        let mut oriented = vec![true];
        oriented.extend(
            self.bodies
                .iter()
                .map(|body| inertia::inertia(body, self.space).is_some()),
        );
        for (joint, ends) in self.joints.iter().zip(ends) {
            for (end, needed) in ends.iter().zip(joints::orienting(&joint.kind)) {
                oriented[end.body] |= needed;
            }
        }
        for port in &self.ports {
            if let PortKind::Frame { at } = &port.kind {
                oriented[names::spot(self, at, &Place::Port(port.name.clone()))?.body] = true;
            }
        }
        Ok(oriented)
    }

    /// The mass matrix, forces that never change, and their potential with all coordinates zero.
    #[expect(clippy::type_complexity)]
    fn masses<const D: usize>(
        &self,
        solids: &Solids<D>,
    ) -> Result<(Vec<(usize, usize, f64)>, Vec<f64>, f64), Mistake> {
        let mut matrix: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        let mut weight = vec![0.0; solids.nodes.len() * D];
        let mut level = 0.0;
        let mut pull = |point: &combination::Combination<D>, force: [f64; D]| {
            point.pull(force, |at, part| weight[at] += part);
            level -= constraint::dot(force, point.value(&vec![0.0; solids.nodes.len() * D]));
        };
        for (body, solid) in self.bodies.iter().zip(&solids.solids[1..]) {
            let moments = inertia::moments(body, self.space, solid.axes.is_some())?;
            inertia::add_mass(&moments, solid, |row, column, value| {
                if row >= column && value != 0.0 {
                    *matrix.entry((row, column)).or_default() += value;
                }
            });
            pull(
                &solid.point(body.center),
                cut(self.gravity.map(|part| body.mass * part)),
            );
        }
        for force in &self.forces {
            if let ForceKind::Constant { at, force: value } = &force.kind {
                let spot = names::spot(self, at, &Place::Force(force.name.clone()))?;
                pull(&solids.solids[spot.body].point(spot.local), cut(*value));
            }
        }
        let mass = matrix.into_iter().filter(|(_, value)| *value != 0.0);
        Ok((
            mass.map(|((row, column), value)| (row, column, value)).collect(),
            weight,
            level,
        ))
    }

    /// Refuses mechanisms in which something could move without inertia.
    fn check_masses<const D: usize>(&self, system: &System<D>, solids: &Solids<D>) -> Result<(), Mistake> {
        let mut heavy = vec![false; system.structure.coordinates];
        for &(row, column, value) in &system.structure.mass {
            heavy[row] |= row == column && value > 0.0;
        }
        for constraint in &system.constraints {
            // What is held by a constraint moves with others.
            constraint
                .columns()
                .iter()
                .for_each(|&column| heavy[column] = true);
        }
        match heavy.iter().position(|heavy| !heavy) {
            None => Ok(()),
            Some(coordinate) => {
                let body = &self.bodies[solids.nodes[coordinate / D].body - 1];
                Err(Mistake::at(
                    Place::Body(body.name.clone()),
                    "has no mass, and nothing holds it",
                )
                .advise("give it a mass above 0"))
            }
        }
    }

    fn ports<const D: usize>(&self, solids: &Solids<D>, built: &[Built<D>]) -> Result<Ports<D>, Mistake> {
        let mut ports = Ports::default();
        if self.ports.is_empty() {
            for (joint, built) in self.joints.iter().zip(built) {
                if let Some(measure) = &built.measure {
                    ports.motion(&joint.name, measure.clone());
                }
            }
        }
        for port in &self.ports {
            let place = Place::Port(port.name.clone());
            let at = |name: &PointName| names::spot(self, name, &place);
            match &port.kind {
                PortKind::Frame { at: name } => {
                    let spot = at(name)?;
                    let made = ports.frame(&port.name, &solids.solids[spot.body], spot.local);
                    made.ok_or_else(|| Mistake::at(place.clone(), "a particle has no frame"))?;
                }
                PortKind::Point { at: name } => {
                    let spot = at(name)?;
                    ports.point(&port.name, solids.solids[spot.body].point(spot.local));
                }
                PortKind::Force { at: name } => {
                    let spot = at(name)?;
                    ports.force(&port.name, solids.solids[spot.body].point(spot.local));
                }
                PortKind::Motion { joint } => ports.motion(&port.name, self.measure(joint, built, &place)?),
                PortKind::Effort { joint } => ports.effort(&port.name, self.measure(joint, built, &place)?),
                PortKind::Reaction { joint } => {
                    let index = names::joint(self, joint, &place)?;
                    ports.reaction(&port.name, built[index].reaction.clone());
                }
            }
        }
        if self.scene {
            scene::show(self, &solids.solids[1..], &mut ports)?;
        }
        ports.balance();
        Ok(ports)
    }

    /// What is measured at a joint.
    fn measure<const D: usize>(
        &self,
        joint: &str,
        built: &[Built<D>],
        place: &Place,
    ) -> Result<Measure<D>, Mistake> {
        let index = names::joint(self, joint, place)?;
        built[index].measure.clone().ok_or_else(|| {
            Mistake::at(
                place.clone(),
                format!("joint {joint} has no angle, travel or length"),
            )
            .advise("take a revolute or prismatic joint between bodies with inertia, or a distance")
        })
    }
}
