//! Variables of a call about sensitivities, and where their values lie.

use cardan_core::interface::PortId;
use cardan_core::planes::Extent;

use crate::interface::FmuInterface;

/// Variables and the places of their elements among the bound reals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listed {
    pub(crate) references: Vec<u32>,
    places: Vec<usize>,
    /// Their values side by side, as the FMU takes and gives them.
    pub(crate) room: Vec<f64>,
}

impl Listed {
    /// Those of the bound ports that are wanted.
    pub(crate) fn new(fmu: &FmuInterface, bound: &[PortId], wanted: impl Fn(PortId) -> bool) -> Self {
        let mut listed = Listed::default();
        let mut extent = Extent::default();
        for &id in bound {
            let (Some(port), Some(variable)) = (fmu.interface().ports.get(id.index()), fmu.port(id)) else {
                continue;
            };
            let first = extent.place(port);
            if variable.kind.is_float() && wanted(id) {
                listed.references.push(variable.value_reference);
                listed.places.extend(first..first + port.shape.len());
            }
        }
        listed.room = vec![0.0; listed.places.len()];
        listed
    }

    /// Takes their values from a plane.
    pub(crate) fn gather(&mut self, plane: &[f64]) {
        for (to, &from) in self.room.iter_mut().zip(&self.places) {
            *to = plane.get(from).copied().unwrap_or(0.0);
        }
    }

    /// Puts their values on a plane; all others are zero.
    pub(crate) fn scatter(&self, plane: &mut [f64]) {
        plane.fill(0.0);
        for (from, &to) in self.room.iter().zip(&self.places) {
            plane[to] = *from;
        }
    }
}
