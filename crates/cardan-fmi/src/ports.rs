//! What is bound, sorted by when it may be set and read.

use std::ops::Range;

use cardan_core::interface::{Causality, Port, PortId, Variability};
use cardan_core::participant::{Failure, Outcome};
use cardan_core::planes::Extent;

use crate::binding::Groups;
use crate::description::{Kind, Variable};
use crate::interface::FmuInterface;

/// The bound inputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoundInputs {
    pub(crate) extent: Extent,
    /// Reals that may be set before every step.
    pub(crate) steady: Groups,
    /// Those of them that the FMU lets change inside a step.
    pub(crate) intermediate: Groups,
    /// All else, but for what belongs to clocks.
    pub(crate) discrete: Groups,
    /// Inputs that may be set while one of these clocks ticks.
    pub(crate) clocked: Vec<(Vec<Gate>, Groups)>,
    /// Triggered clocks.
    pub(crate) clocks: Groups,
    /// For each real on the plane: does it move smoothly?
    pub(crate) smooth: Vec<bool>,
}

/// A clock that lets inputs be set.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Gate {
    /// One of the FMU's own, by its number.
    Own(usize),
    /// One that is bound, by its place on the plane of booleans.
    Bound(usize),
}

/// The bound outputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoundOutputs {
    pub(crate) extent: Extent,
    /// Read whenever they are asked for.
    pub(crate) direct: Groups,
    /// Read once where the FMU came to rest, because inputs that are set later must not show in them.
    pub(crate) resting: Groups,
    /// Clocks, which can be read in event mode alone.
    pub(crate) clocks: Groups,
    /// Does a bound output react at once to a bound input?
    pub(crate) reacts: bool,
    /// Are they reals that react to nothing, and is there no event mode?
    pub(crate) plain: bool,
}

impl BoundInputs {
    pub(crate) fn new(fmu: &FmuInterface, ids: &[PortId], event_mode: bool) -> Outcome<Self> {
        let mut bound = BoundInputs::default();
        let mut spans: Vec<(PortId, Range<usize>)> = Vec::new();
        for &id in ids {
            let (port, _) = find(fmu, id, true)?;
            let first = bound.extent.place(port);
            spans.push((id, first..first + port.shape.len()));
        }
        bound.smooth = vec![false; bound.extent.reals];
        for (id, span) in &spans {
            let (port, variable) = find(fmu, *id, true)?;
            let span = span.clone();
            let smooth = port.variability == Variability::Continuous;
            if smooth {
                bound.smooth[span.clone()].fill(true);
            }
            if variable.kind == Kind::Clock {
                bound.clocks.push(variable, span);
            } else if variable.kind.is_float() && (smooth || !event_mode) {
                if smooth && variable.intermediate_update && variable.kind == Kind::Float64 {
                    bound.intermediate.push(variable, span.clone());
                }
                bound.steady.push(variable, span);
            } else if event_mode && !variable.clocks.is_empty() {
                let gates = gates(fmu, variable, &spans);
                let place = bound.clocked.iter().position(|(known, _)| *known == gates);
                match place {
                    Some(place) => bound.clocked[place].1.push(variable, span),
                    None => {
                        let mut groups = Groups::default();
                        groups.push(variable, span);
                        bound.clocked.push((gates, groups));
                    }
                }
            } else {
                bound.discrete.push(variable, span);
            }
        }
        Ok(bound)
    }

    /// Is there anything that is set when it changes?
    pub(crate) fn has_discrete(&self) -> bool {
        !self.discrete.is_empty() || !self.clocked.is_empty() || !self.clocks.is_empty()
    }
}

impl BoundOutputs {
    pub(crate) fn new(
        fmu: &FmuInterface,
        inputs: &[PortId],
        ids: &[PortId],
        event_mode: bool,
    ) -> Outcome<Self> {
        let mut bound = BoundOutputs {
            reacts: fmu.feedthrough_among(inputs, ids).next().is_some(),
            ..BoundOutputs::default()
        };
        for &id in ids {
            let (port, variable) = find(fmu, id, false)?;
            let first = bound.extent.place(port);
            let span = first..first + port.shape.len();
            let groups = if variable.kind == Kind::Clock {
                &mut bound.clocks
            } else if bound.reacts && port.causality == Causality::Local {
                &mut bound.resting
            } else {
                &mut bound.direct
            };
            groups.push(variable, span);
        }
        bound.plain = !(event_mode || bound.reacts || bound.extent.has_discrete());
        Ok(bound)
    }
}

fn find(fmu: &FmuInterface, id: PortId, input: bool) -> Outcome<(&Port, &Variable)> {
    let port = fmu.interface().ports.get(id.index());
    let port = port.filter(|port| (port.causality == Causality::Input) == input);
    port.zip(fmu.port(id)).ok_or_else(|| {
        Failure::failed(format!(
            "port number {} does not exist or has the other direction",
            id.0
        ))
    })
}

/// Where the clocks of a variable are. One that is not bound never ticks.
fn gates(fmu: &FmuInterface, variable: &Variable, spans: &[(PortId, Range<usize>)]) -> Vec<Gate> {
    let gate = |clock: &usize| {
        if let Some(own) = fmu.clocks().iter().position(|index| index == clock) {
            return Some(Gate::Own(own));
        }
        let port = fmu.port_of(*clock)?;
        let (_, span) = spans.iter().find(|(id, _)| *id == port)?;
        Some(Gate::Bound(span.start))
    };
    variable.clocks.iter().filter_map(gate).collect()
}
