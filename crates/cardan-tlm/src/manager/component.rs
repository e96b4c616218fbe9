//! What the manager knows of each component, and where its samples go.

use crate::wire::{InterfaceReply, Mode, rotation_of, sample_bytes};
use cardan_describe::tlm::{Causality, MetaModel};

/// How far a component has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Standing {
    /// Nobody has said that name.
    Awaited,
    /// It is here and asks for interface points and parameters.
    Registered,
    /// It has asked whether all are ready.
    Ready,
    /// It has come to its end and waits for the others.
    Done,
}

#[derive(Debug)]
pub(super) struct Component {
    pub(super) name: String,
    pub(super) standing: Standing,
    /// Its line, while it is connected.
    pub(super) line: Option<usize>,
    /// The simulated time of its last sample.
    pub(super) time: Option<f64>,
    pub(super) messages: u64,
}

/// An interface point during a run.
#[derive(Debug)]
pub(super) struct Route {
    pub(super) component: usize,
    /// The other end of the line: the number of the interface point, and of the component.
    pub(super) to: Option<(i32, usize)>,
    pub(super) sample_bytes: usize,
    pub(super) registered: bool,
    /// The simulated time of its last sample.
    pub(super) time: Option<f64>,
    /// A wrong size has been told.
    pub(super) complained: bool,
}

pub(super) fn components(model: &MetaModel) -> Vec<Component> {
    let names = model.sub_models.iter().map(|sub_model| sub_model.name.clone());
    names
        .map(|name| Component {
            name,
            standing: Standing::Awaited,
            line: None,
            time: None,
            messages: 0,
        })
        .collect()
}

pub(super) fn routes(model: &MetaModel) -> Vec<Route> {
    let points = model.interfaces.iter().enumerate();
    points
        .map(|(id, point)| Route {
            component: point.sub_model,
            to: model
                .partner(id)
                .and_then(|to| Some((i32::try_from(to).ok()?, model.interfaces[to].sub_model))),
            sample_bytes: sample_bytes(point.dimensions, point.causality),
            registered: false,
            time: None,
            complained: false,
        })
        .collect()
}

/// What a tool or a monitor is told of an interface point that is connected.
pub(super) fn reply(model: &MetaModel, id: usize) -> Option<InterfaceReply> {
    let (point, line) = (model.interfaces.get(id)?, model.connection_of(id)?);
    let sub_model = &model.sub_models[point.sub_model];
    Some(InterfaceReply {
        delay: line.delay,
        zf: line.zf,
        zfr: line.zfr,
        alpha: line.alpha,
        inertial_position: sub_model.position,
        inertial_rotation: rotation_of(sub_model.angles),
        nominal_position: point.position,
        nominal_rotation: rotation_of(point.angles),
        mode: Mode::Simulation,
    })
}

/// Times that are a sum of many steps miss their mark by less than this part of a delay.
const ROUNDING: f64 = 1e-3;

/// Has a component sent all that its lines need up to the end? What is sent less often than every half delay may lie before
/// it by that much.
pub(super) fn has_come_to_the_end(model: &MetaModel, routes: &[Route], component: usize) -> bool {
    let mut sends = false;
    for id in model.sub_models[component].interfaces.clone() {
        let Some(line) = model.connection_of(id) else {
            continue;
        };
        if model.interfaces[id].causality == Causality::Input {
            continue;
        }
        sends = true;
        if routes[id]
            .time
            .is_none_or(|time| time < model.simulation.stop - (1.0 + ROUNDING) * line.delay)
        {
            return false;
        }
    }
    sends
}
