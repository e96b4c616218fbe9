//! Which ports are bound, and where their numbers lie.

use super::points::{Element, Point};
use cardan_core::interface::{Causality, Interface, PortId};
use cardan_core::planes::Extent;
use cardan_core::value::ValueType;
use cardan_describe::spec::ComponentSpec;
use std::collections::BTreeMap;

/// Bound ports with the places of their first numbers.
#[derive(Debug, Default)]
pub(super) struct Binding {
    pub(super) inputs: Vec<PortId>,
    pub(super) outputs: Vec<PortId>,
    places: BTreeMap<u32, usize>,
    /// Real numbers of all bound inputs and outputs.
    pub(super) taken: usize,
    pub(super) given: usize,
    /// Inputs that keep a value, by place.
    pub(super) constants: Vec<(usize, f64)>,
}

impl Binding {
    /// Binds what points need, and inputs to which the description gives a value.
    pub(super) fn new(points: &[&Point], interface: &Interface, spec: &ComponentSpec) -> Self {
        let mut binding = Binding::default();
        for point in points {
            binding.inputs.extend(point.inputs());
            binding.outputs.extend(point.outputs());
        }
        let mut constants = Vec::new();
        for (name, literal) in &spec.parameters {
            let found = interface.find_port(&name.value);
            let input = found.filter(|id| {
                let port = &interface.ports[id.index()];
                port.causality == Causality::Input
                    && port.value_type == ValueType::Real
                    && port.shape.is_scalar()
            });
            if let (Some(id), Some(number)) = (input, literal.value.number())
                && !binding.inputs.contains(&id)
            {
                binding.inputs.push(id);
                constants.push((id, number));
            }
        }
        unique(&mut binding.inputs);
        unique(&mut binding.outputs);
        let mut place = |ports: &[PortId]| {
            let mut extent = Extent::default();
            for id in ports {
                let first = extent.place(&interface.ports[id.index()]);
                binding.places.insert(id.0, first);
            }
            extent.reals
        };
        let (taken, given) = (place(&binding.inputs), place(&binding.outputs));
        (binding.taken, binding.given) = (taken, given);
        binding.constants = constants
            .into_iter()
            .map(|(id, number)| (binding.place(Element { port: id, at: 0 }), number))
            .collect();
        binding
    }

    /// Where a number lies.
    pub(super) fn place(&self, element: Element) -> usize {
        self.places.get(&element.port.0).copied().unwrap_or_default() + element.at
    }

    /// An input that must be driven and is not.
    pub(super) fn idle<'a>(&self, interface: &'a Interface) -> Option<&'a str> {
        let mut inputs = interface.ports_of(Causality::Input);
        inputs
            .find(|(id, port)| port.start.is_none() && !self.inputs.contains(id))
            .map(|(_, port)| port.name.as_str())
    }
}

/// Each once, in the order of the first time.
fn unique(ports: &mut Vec<PortId>) {
    let mut seen = Vec::new();
    ports.retain(|id| {
        let new = !seen.contains(id);
        seen.push(*id);
        new
    });
}
