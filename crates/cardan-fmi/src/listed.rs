//! Variables of calls about sensitivities, and where their values lie.

use std::collections::BTreeSet;

use cardan_core::interface::PortId;
use cardan_core::participant::Outcome;
use cardan_core::planes::Extent;

use crate::description::Kind;
use crate::ffi::Instance;
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

/// Outputs that react at once to inputs, and these inputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reacting {
    /// Are all of them in double precision, and so known to directional derivatives?
    pub(crate) complete: bool,
    outputs: Listed,
    inputs: Listed,
}

impl Reacting {
    /// Among those that are bound.
    pub(crate) fn new(fmu: &FmuInterface, inputs: &[PortId], outputs: &[PortId]) -> Self {
        let kind = |id: PortId| fmu.port(id).map(|variable| variable.kind);
        let both = |pair: &(PortId, PortId), fits: fn(Kind) -> bool| {
            kind(pair.0).is_some_and(fits) && kind(pair.1).is_some_and(fits)
        };
        let pairs = fmu.feedthrough_among(inputs, outputs);
        let pairs: Vec<(PortId, PortId)> = pairs.filter(|pair| both(pair, Kind::is_float)).collect();
        let reacting: BTreeSet<PortId> = pairs.iter().map(|(output, _)| *output).collect();
        let acting: BTreeSet<PortId> = pairs.iter().map(|(_, input)| *input).collect();
        Reacting {
            complete: pairs.iter().all(|pair| both(pair, |kind| kind == Kind::Float64)),
            outputs: Listed::new(fmu, outputs, |id| reacting.contains(&id)),
            inputs: Listed::new(fmu, inputs, |id| acting.contains(&id)),
        }
    }

    /// Does no output react?
    pub(crate) fn is_empty(&self) -> bool {
        self.outputs.references.is_empty()
    }

    /// The change of the outputs along a direction of the inputs, where the FMU stands.
    pub(crate) fn directional(
        &mut self,
        instance: &mut Instance,
        direction: &[f64],
        change: &mut [f64],
    ) -> Outcome<()> {
        let Reacting { outputs, inputs, .. } = self;
        inputs.gather(direction);
        instance.directional_derivative(
            &outputs.references,
            &inputs.references,
            &inputs.room,
            &mut outputs.room,
        )?;
        outputs.scatter(change);
        Ok(())
    }
}
