//! One component of a TLM co-simulation, run by Cardan: an FMU, a built-in model, a Python class, any process.
//!
//! The manager of a TLM co-simulation starts each SubModel as a client of its own. Here the client is Cardan, and what it runs is
//! whatever can be a component of a system. Waves that arrive become input segments of each step; the part of the load that
//! follows the component's own motion, `- Z v`, it feels at once if it can react inside its steps, and otherwise as its motion
//! is expected to go on.

mod binding;
mod drive;
mod error;
mod fmi_config;
mod inspection;
mod joint;
mod model_files;
mod parameters;
mod points;
mod source;
mod waves;

pub use error::ClientError;
pub use inspection::look_into_components;
pub(crate) use model_files::is_known;
pub use model_files::look_for_model_files;
pub(crate) use source::describe;

use crate::Error;
use crate::components::{Component, Workshop};
use binding::Binding;
use cardan_core::interface::Interface;
use cardan_core::participant::{Participant, Settings};
use cardan_describe::Reporter;
use cardan_describe::line_client::{LineBeginning, LineReading, LineSpec};
use cardan_tlm::plugin::{self, Arithmetic, Beginning, Patience, Plugin};
use cardan_tlm::track::Interpolation;
use cardan_tlm::wire::{ByteOrder, Secret};
use drive::{Drive, Pace};
use joint::Joint;
use points::Point;
use source::Described;
use std::path::Path;
use std::time::Duration;

/// Seconds that a call to a component in another process may take where nobody says otherwise.
const CALL_LIMIT: f64 = 60.0;

/// What a manager tells the command that starts a SubModel.
#[derive(Clone, Debug)]
pub struct ClientCall {
    /// The name of the SubModel.
    pub name: String,
    /// The start of the run.
    pub start: f64,
    /// Its end.
    pub stop: f64,
    /// The longest step; none or zero leaves it to the delays of the lines.
    pub max_step: f64,
    /// `host:port` of the manager.
    pub address: String,
    /// An FMU, the file of a component, or the name of a built-in model.
    pub model: String,
    /// How long to wait for what.
    pub patience: Patience,
    /// In which order bytes are sent.
    pub order: ByteOrder,
    /// What shows a manager that listens to others than this machine that the client belongs to it.
    pub secret: Option<Secret>,
}

/// How it went.
#[derive(Clone, PartialEq, Debug)]
pub struct ClientReport {
    /// Steps taken; none where the manager only asked for interface points.
    pub steps: u64,
    /// Warnings about the description, in words.
    pub warnings: String,
}

/// Runs a component as a client, from meeting the manager to its leave. Whatever goes wrong, the manager is told.
pub fn run(call: &ClientCall) -> Result<ClientReport, ClientError> {
    check(call)?;
    let prepared = prepare(call);
    if prepared.is_err() {
        give_notice(call);
    }
    let Prepared {
        described,
        participant,
        settings,
        points,
        warnings,
    } = prepared?;
    let steps = take_part(call, &described, participant, settings, points)?;
    Ok(ClientReport { steps, warnings })
}

/// A component that is ready to meet the manager.
struct Prepared {
    described: Described,
    participant: Box<dyn Participant>,
    settings: Settings,
    points: Vec<Point>,
    warnings: String,
}

/// Reads and makes the component.
fn prepare(call: &ClientCall) -> Result<Prepared, ClientError> {
    let mut reporter = Reporter::new();
    let described = describe(&call.model, &call.name, call.start, &mut reporter);
    let Some(described) = described.filter(|_| !reporter.has_errors()) else {
        return Err(Error::description(reporter).into());
    };
    let Some((participant, settings)) = make(&described, &mut reporter) else {
        return Err(Error::description(reporter).into());
    };
    let points = find_points(&call.model, &described, participant.interface(), &mut reporter);
    if reporter.has_errors() {
        return Err(Error::description(reporter).into());
    }
    Ok(Prepared {
        warnings: reporter.render_all(false),
        described,
        participant,
        settings,
        points,
    })
}

/// Tells a manager that is there that this component will not come, so that nobody waits for it.
fn give_notice(call: &ClientCall) {
    let patience = Patience {
        meeting: Duration::ZERO,
        message: Some(Duration::from_secs(1)),
        ..call.patience.clone()
    };
    let mut settings = plugin_settings(call, Arithmetic::default());
    settings.patience = patience;
    if let Ok(plugin) = Plugin::connect(settings) {
        plugin.abort();
    }
}

fn plugin_settings(call: &ClientCall, arithmetic: Arithmetic) -> plugin::Settings {
    plugin::Settings {
        name: call.name.clone(),
        start: call.start,
        stop: call.stop,
        address: call.address.clone(),
        arithmetic,
        patience: call.patience.clone(),
        order: call.order,
        secret: call.secret.clone(),
    }
}

fn check(call: &ClientCall) -> Result<(), ClientError> {
    let times = [call.start, call.stop, call.max_step];
    if times.iter().any(|t| !t.is_finite()) || call.stop <= call.start || call.max_step < 0.0 {
        return Err(Error::usage(format!(
            "a run from {} s to {} s with steps of at most {} s makes no sense",
            call.start, call.stop, call.max_step
        ))
        .into());
    }
    Ok(())
}

/// Makes the component.
fn make(described: &Described, reporter: &mut Reporter) -> Option<(Box<dyn Participant>, Settings)> {
    let components = std::slice::from_ref(&described.spec.component);
    let mut workshop = Workshop::new(&described.folder).limiting_calls(CALL_LIMIT);
    let made = workshop.make(components, reporter).into_iter().next();
    match made {
        Some(Component::Made(participant, settings)) if !reporter.has_errors() => {
            Some((participant, settings))
        }
        _ => None,
    }
}

/// The interface points that the component might have.
fn find_points(
    model: &str,
    described: &Described,
    interface: &Interface,
    reporter: &mut Reporter,
) -> Vec<Point> {
    if !described.spec.interfaces.is_empty() {
        let specs = described.spec.interfaces.iter();
        return specs
            .filter_map(|spec| points::described(spec, interface, reporter))
            .collect();
    }
    let configured = described
        .fmu
        .as_ref()
        .and_then(|fmu| fmi_config::points_beside(Path::new(model), fmu, interface, reporter));
    configured.unwrap_or_else(|| points::guessed(interface))
}

fn take_part(
    call: &ClientCall,
    described: &Described,
    participant: Box<dyn Participant>,
    mut settings: Settings,
    points: Vec<Point>,
) -> Result<u64, ClientError> {
    let mut plugin = Plugin::connect(plugin_settings(call, arithmetic(described.spec.line)))?;
    let interface = participant.interface().clone();
    parameters::take_over(&mut plugin, &interface, &mut settings)?;
    let mut taken = Vec::new();
    for point in &points {
        // A port that is a part of a point already is not a signal of its own.
        let used = point.guessed
            && taken
                .iter()
                .any(|(other, _): &(&Point, _)| overlaps(point, other));
        if used {
            continue;
        }
        let id = plugin.register_interface(&point.name, point.interface_type())?;
        match id {
            Some(id) => taken.push((point, id)),
            None => tracing::debug!("`{}` is not connected in the meta-model", point.name),
        }
    }
    if taken.is_empty() {
        let names: Vec<&str> = points.iter().map(|point| point.name.as_str()).collect();
        return Err(Error::usage(format!(
            "no interface point of `{}` in the meta-model was found; tried: {}. Say in the file of the component which ports \
             they are, [interfaces.NAME]; {}",
            call.name,
            names.join(", "),
            points::listed(&interface)
        ))
        .into());
    }
    let flows: Vec<_> = taken.iter().flat_map(|(point, _)| point.flows()).collect();
    let bound: Vec<&Point> = taken.iter().map(|(point, _)| *point).collect();
    let binding = Binding::new(&bound, &interface, &described.spec.component);
    if let Some(idle) = binding.idle(&interface) {
        return Err(Error::usage(format!(
            "the input `{idle}` of `{}` is driven by nothing and has no value of its own; give it one under `parameters`",
            call.name
        ))
        .into());
    }
    let mut joints = Vec::new();
    for (point, id) in &taken {
        let mut force = [0.0; 6];
        force[0] = point.initial.unwrap_or(0.0);
        plugin.set_initial_force(*id, force);
        joints.push(Joint {
            id: *id,
            ports: point
                .ports
                .placed(|element| binding.place(element), |element| binding.place(element)),
            flow: point.flow(),
            past: [None, None],
        });
    }
    let pace = pace(call, described, &plugin, &joints);
    let asks = plugin.asks_for_interfaces();
    let interrupt = call.patience.interrupt.clone();
    let mut drive = Drive::new(
        call.name.clone(),
        (participant, plugin),
        (joints, binding),
        &flows,
        interrupt,
    );
    drive.begin(pace, &settings)?;
    let steps = match asks {
        true => {
            drive.show(call.start)?;
            0
        }
        false => drive.run(pace)?,
    };
    drive.plugin.close()?;
    Ok(steps)
}

fn overlaps(point: &Point, other: &Point) -> bool {
    let shared = |own: Vec<_>, others: Vec<_>| own.iter().any(|port| others.contains(port));
    point.name == other.name
        || shared(point.inputs(), other.inputs())
        || shared(point.outputs(), other.outputs())
}

/// How far in one step: as the manager says, as the component wants, and never further than waves allow.
fn pace(call: &ClientCall, described: &Described, plugin: &Plugin, joints: &[Joint]) -> Pace {
    let component = &described.spec.component;
    let delays = joints.iter().map(|joint| plugin.line(joint.id).delay);
    let shortest = delays.fold(f64::INFINITY, f64::min);
    let allowed = match call.max_step {
        // Managers that print six decimals make nothing of a microsecond.
        0.0 => 0.5 * shortest,
        step if step > shortest * (1.0 + 1e-9) => {
            tracing::warn!(
                "steps of {step} s are longer than the delay of {shortest} s; half of it is taken"
            );
            0.5 * shortest
        }
        // A cubic waits for a sample more than a line does, and two that do may not wait for each other.
        step if described.spec.line.reading == LineReading::Cubic => step.min(0.5 * shortest),
        step => step,
    };
    let wanted = component
        .step
        .as_ref()
        .map_or(allowed, |step| step.value.min(allowed));
    let parts = component.substeps.as_ref().map_or(1, |parts| parts.value.max(1));
    Pace {
        start: call.start,
        stop: call.stop,
        step: wanted / f64::from(parts),
    }
}

fn arithmetic(line: LineSpec) -> Arithmetic {
    Arithmetic {
        interpolation: match line.reading {
            LineReading::Linear => Interpolation::Linear,
            LineReading::Cubic => Interpolation::Cubic,
        },
        feedback: line.feedback.unwrap_or(1.5),
        beginning: match line.beginning {
            LineBeginning::Attached => Beginning::Attached,
            LineBeginning::Compatible => Beginning::Compatible,
        },
    }
}
