//! Where the bound ports of a fake lie on their planes.

use cardan_core::interface::{Causality, Interface, PortId};
use cardan_core::participant::{Failure, Outcome};
use cardan_core::planes::Extent;

/// For each port of an interface its first element on its plane, if it is bound.
#[derive(Clone, Debug, Default)]
pub(super) struct Places(Vec<Option<usize>>);

impl Places {
    /// The places after a binding.
    pub(super) fn bind(interface: &Interface, inputs: &[PortId], outputs: &[PortId]) -> Outcome<Self> {
        let mut places = Places(vec![None; interface.ports.len()]);
        for (ports, driven) in [(inputs, true), (outputs, false)] {
            let mut extent = Extent::default();
            for &id in ports {
                let port = interface
                    .ports
                    .get(id.index())
                    .filter(|p| (p.causality == Causality::Input) == driven);
                let Some(port) = port else {
                    return Err(Failure::failed(format!("There is no such port to bind: {id:?}.")));
                };
                if places.0[id.index()].replace(extent.place(port)).is_some() {
                    return Err(Failure::failed(format!("Port `{}` is bound twice.", port.name)));
                }
            }
        }
        Ok(places)
    }

    /// The first element of that port, if it is bound.
    #[inline]
    pub(super) fn of(&self, port: PortId) -> Option<usize> {
        self.0.get(port.index()).copied().flatten()
    }
}
