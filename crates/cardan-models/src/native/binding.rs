//! Which elements of the model's inputs and outputs travel on the planes.

use cardan_core::interface::{Causality, Interface, Port, PortId};
use cardan_core::participant::{Failure, Outcome};

/// For each bound real, its place among all inputs or all outputs of the model.
#[derive(Default)]
pub(super) struct Binding {
    /// The bound ports of the inputs, to name them.
    pub(super) input_ports: Vec<PortId>,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
}

impl Binding {
    pub(super) fn new(interface: &Interface, inputs: &[PortId], outputs: &[PortId]) -> Outcome<Self> {
        Ok(Binding {
            input_ports: inputs.to_vec(),
            inputs: places(interface, inputs, is_input)?,
            outputs: places(interface, outputs, |port| !is_input(port))?,
        })
    }

    /// The places of the bound inputs.
    pub(super) fn inputs(&self) -> &[usize] {
        &self.inputs
    }

    /// For each bound input the size that its port calls usual.
    pub(super) fn nominals(&self, interface: &Interface) -> Vec<f64> {
        let ports = interface.ports.iter().filter(|port| is_input(port));
        let all: Vec<f64> = ports
            .flat_map(|port| vec![port.nominal; port.shape.len()])
            .collect();
        self.inputs.iter().map(|&place| all[place]).collect()
    }

    /// Number of bound reals among the outputs.
    pub(super) fn width(&self) -> usize {
        self.outputs.len()
    }

    /// From the plane to the model's inputs; those not bound keep what they have.
    pub(super) fn scatter(&self, plane: &[f64], u: &mut [f64]) {
        for (&place, value) in self.inputs.iter().zip(plane) {
            u[place] = *value;
        }
    }

    /// From the model's outputs to the plane.
    pub(super) fn gather(&self, y: &[f64], plane: &mut [f64]) {
        for (value, &place) in plane.iter_mut().zip(&self.outputs) {
            *value = y[place];
        }
    }
}

fn is_input(port: &Port) -> bool {
    port.causality == Causality::Input
}

/// The places of the elements of the wanted ports among all ports that fit.
fn places(interface: &Interface, wanted: &[PortId], fits: fn(&Port) -> bool) -> Outcome<Vec<usize>> {
    let mut places = Vec::new();
    for id in wanted {
        let Some(port) = interface.ports.get(id.index()).filter(|port| fits(port)) else {
            return Err(Failure::failed(format!(
                "port number {} does not exist or has the other direction",
                id.0
            )));
        };
        let before = interface.ports[..id.index()].iter().filter(|port| fits(port));
        let first: usize = before.map(|port| port.shape.len()).sum();
        places.extend(first..first + port.shape.len());
    }
    Ok(places)
}
