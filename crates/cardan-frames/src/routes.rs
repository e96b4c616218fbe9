//! Which bound port comes from which, decided once.

use crate::inlet::{Arm, Body, Inlet, frame_in, load_in};
use crate::layout::{Layout, Point};
use crate::marker::Offset;
use crate::motion::{FRAME, LOAD, QUATERNION, part};
use crate::outlet::Outlet;
use cardan_core::form::Form;
use cardan_core::interface::{Causality, Interface, PortId};
use cardan_core::planes::Extent;
use cardan_core::spatial::Scalar;
use cardan_core::value::{Plane, Value};
use std::collections::BTreeMap;

/// The way of every bound port.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    /// What the participant is bound to.
    pub(crate) inputs: Vec<PortId>,
    pub(crate) outputs: Vec<PortId>,
    /// Sizes of its planes.
    pub(crate) taken: Extent,
    pub(crate) given: Extent,
    /// Real inputs of the participant in their order, each with its place.
    pub(crate) inlets: Vec<(usize, Inlet)>,
    /// Real outputs as the system sees them in their order, each with its place.
    pub(crate) outlets: Vec<(usize, Outlet)>,
    /// Number of reals outside.
    pub(crate) reals: usize,
}

/// Places of the real ports of a binding.
fn places(interface: &Interface, bound: &[PortId]) -> (BTreeMap<PortId, usize>, Extent) {
    let mut extent = Extent::default();
    let mut places = BTreeMap::new();
    for id in bound {
        let port = &interface.ports[id.index()];
        let place = extent.place(port);
        if port.value_type.plane() == Plane::Reals {
            places.insert(*id, place);
        }
    }
    (places, extent)
}

impl Routes {
    pub(crate) fn new(layout: &Layout, own: &Interface, inputs: &[PortId], outputs: &[PortId]) -> Routes {
        let finder = Finder {
            layout,
            own,
            outside: places(&layout.interface, inputs).0,
        };
        let mut routes = Routes {
            inputs: finder.inner_inputs(inputs, outputs),
            outputs: finder.inner_outputs(inputs, outputs),
            reals: places(&layout.interface, inputs).1.reals,
            ..Routes::default()
        };
        let (taken, given) = (places(own, &routes.inputs), places(own, &routes.outputs));
        (routes.taken, routes.given) = (taken.1, given.1);
        let body = |port: PortId| match given.0.get(&port) {
            Some(place) => Body::Published(*place),
            None => Body::Driven(taken.0.get(&port).copied().unwrap_or_default()),
        };
        for id in &routes.inputs {
            if let Some(&place) = taken.0.get(id) {
                routes.inlets.push((place, finder.inlet(*id, body)));
            }
        }
        let (seen, _) = places(&layout.interface, outputs);
        for (id, &place) in outputs.iter().filter_map(|id| Some((id, seen.get(id)?))) {
            let from = |port: PortId| given.0.get(&port).copied().unwrap_or_default();
            routes.outlets.push((place, finder.outlet(*id, body, from)));
        }
        routes
    }

    /// Are there loads whose arm turns with the body that they act on?
    pub(crate) fn swing(&self) -> bool {
        let mut arms = self.inlets.iter().flat_map(|(_, inlet)| inlet.long_arms());
        arms.any(|arm| matches!(arm.body, Body::Published(_)))
    }

    /// Does the change of what is seen depend on where things stand?
    pub(crate) fn bend(&self) -> bool {
        self.swing() || self.outlets.iter().any(|(_, outlet)| outlet.is_bent())
    }

    /// Works out what the participant takes, from what is outside and what it has given.
    pub(crate) fn take<S: Scalar>(&self, layout: &Layout, outer: &[S], given: &[S], taken: &mut [S]) {
        let placement = &layout.placement;
        // Loads come second: the bodies that they act on may be driven.
        for (place, inlet) in &self.inlets {
            let taken = &mut taken[*place..*place + inlet.count()];
            match inlet {
                Inlet::Same { from, count } => taken.copy_from_slice(&outer[*from..from + count]),
                Inlet::Frame { from, offset } => frame_in(placement, offset, &outer[*from..]).write(taken),
                Inlet::Rest { values } => taken.copy_from_slice(&values.map(S::from)),
                Inlet::Load { .. } => {}
            }
        }
        for (place, inlet) in &self.inlets {
            if let Inlet::Load { own, arms } = inlet {
                let orientation = |body| match body {
                    Body::Published(place) => part(given, place + QUATERNION),
                    Body::Driven(place) => part(taken, place + QUATERNION),
                };
                let load = load_in(placement, own, arms, outer, orientation);
                load.write(&mut taken[*place..*place + LOAD]);
            }
        }
    }

    /// Writes what the system sees.
    pub(crate) fn show<S: Scalar>(&self, layout: &Layout, given: &[S], taken: &[S], seen: &mut [S]) {
        for (place, outlet) in &self.outlets {
            let seen = &mut seen[*place..*place + outlet.count()];
            outlet.write(&layout.placement, given, taken, seen);
        }
    }
}

/// Looks for the way of one port after the other.
struct Finder<'a> {
    layout: &'a Layout,
    own: &'a Interface,
    /// Places of bound real inputs outside.
    outside: BTreeMap<PortId, usize>,
}

impl Finder<'_> {
    fn is_own(&self, port: PortId) -> bool {
        port.index() < self.layout.own
    }

    fn is_input(&self, port: PortId) -> bool {
        self.own.ports[port.index()].causality == Causality::Input
    }

    /// The points that have one of these ports.
    fn points_of<'s>(&'s self, bound: &'s [PortId]) -> impl Iterator<Item = &'s Point> {
        self.layout.points.iter().filter(move |point| {
            let load = point.loads.map(|(_, shown)| shown);
            bound.contains(&point.frame) || load.is_some_and(|load| bound.contains(&load))
        })
    }

    /// What the participant has to be bound to: its own ports in the order outside, so that whatever is no real keeps its
    /// place, then what markers need.
    fn inner_inputs(&self, inputs: &[PortId], outputs: &[PortId]) -> Vec<PortId> {
        let mut inner: Vec<PortId> = inputs.iter().copied().filter(|id| self.is_own(*id)).collect();
        for point in self.points_of(inputs).chain(self.points_of(outputs)) {
            inner.extend(self.is_input(point.base).then_some(point.base));
        }
        // A driven frame that is looked at.
        inner.extend(
            outputs
                .iter()
                .copied()
                .filter(|id| self.is_own(*id) && self.is_input(*id)),
        );
        for (load, shown) in self.layout.points.iter().filter_map(|point| point.loads) {
            inner.extend(inputs.contains(&shown).then_some(load));
        }
        once_each(inner)
    }

    fn inner_outputs(&self, inputs: &[PortId], outputs: &[PortId]) -> Vec<PortId> {
        let own = |id: &PortId| self.is_own(*id) && !self.is_input(*id);
        let mut inner: Vec<PortId> = outputs.iter().copied().filter(own).collect();
        for point in self.points_of(inputs).chain(self.points_of(outputs)) {
            inner.extend((!self.is_input(point.base)).then_some(point.base));
        }
        for (load, shown) in self.layout.points.iter().filter_map(|point| point.loads) {
            inner.extend(outputs.contains(&shown).then_some(load));
        }
        once_each(inner)
    }

    fn inlet(&self, id: PortId, body: impl Fn(PortId) -> Body) -> Inlet {
        let port = &self.own.ports[id.index()];
        let start = port.start.as_ref().and_then(Value::as_reals);
        let points = &self.layout.points;
        match port.form {
            Form::Frame => {
                let through = points.iter().find(|point| point.base == id);
                let (source, offset) = match through {
                    Some(point) => (point.frame, point.marker.offset()),
                    None => (id, Offset::NONE),
                };
                match self.outside.get(&source) {
                    Some(&from) => Inlet::Frame { from, offset },
                    None => {
                        let values = start.and_then(|start| start.try_into().ok());
                        Inlet::Rest {
                            values: values.unwrap_or(Form::AT_REST),
                        }
                    }
                }
            }
            Form::Load => {
                let rest = start.and_then(|start| start.try_into().ok());
                let arms = points.iter().filter_map(|point| {
                    let (_, shown) = point.loads.filter(|(load, _)| *load == id)?;
                    Some(Arm {
                        from: *self.outside.get(&shown)?,
                        offset: point.marker.offset(),
                        body: body(point.base),
                    })
                });
                Inlet::Load {
                    own: self.outside.get(&id).copied().ok_or(rest.unwrap_or_default()),
                    arms: arms.collect(),
                }
            }
            Form::Plain | Form::Rotation => Inlet::Same {
                from: self.outside.get(&id).copied().unwrap_or_default(),
                count: port.shape.len(),
            },
        }
    }

    fn outlet(&self, id: PortId, body: impl Fn(PortId) -> Body, from: impl Fn(PortId) -> usize) -> Outlet {
        let points = || self.layout.points.iter();
        if let Some(point) = points().find(|point| point.frame == id) {
            return Outlet::Frame {
                body: body(point.base),
                offset: point.marker.offset(),
            };
        }
        let with_load =
            points().find_map(|point| Some((point, point.loads.filter(|(_, shown)| *shown == id)?)));
        if let Some((point, (load, _))) = with_load {
            return Outlet::Load {
                from: from(load),
                arm: Some((body(point.base), point.marker.offset())),
            };
        }
        let port = &self.own.ports[id.index()];
        match port.form {
            Form::Frame => Outlet::Frame {
                body: body(id),
                offset: Offset::NONE,
            },
            Form::Load => Outlet::Load {
                from: from(id),
                arm: None,
            },
            Form::Plain | Form::Rotation => Outlet::Same {
                from: from(id),
                count: port.shape.len(),
            },
        }
    }
}

fn once_each(list: Vec<PortId>) -> Vec<PortId> {
    let mut once = Vec::with_capacity(list.len());
    for id in list {
        if !once.contains(&id) {
            once.push(id);
        }
    }
    once
}

const _: () = assert!(FRAME == Form::AT_REST.len());
