//! Components that are mechanisms of rigid bodies.

mod changes;
mod loops;
mod mechanism;
mod scene;
mod size;

pub(crate) use mechanism::mechanism;
pub use size::MechanismSize;

use super::{Component, Workshop, isolated, solver, warn_of};
use cardan_core::interface::{Causality, Interface};
use cardan_core::participant::{Participant, Settings};
use cardan_describe::spec::{ComponentSpec, MechanismSpec};
use cardan_describe::{Reporter, Span, Spanned, load_mechanism, nearest};
use cardan_models::multibody::{Mistake, Place};
use cardan_models::{Blueprint, Native, Values};
use std::path::PathBuf;

/// Files with mechanisms that were read: each mistake is told once, whoever uses the file.
pub(super) type Read = Vec<(PathBuf, Option<MechanismSpec>)>;

/// A component from a mechanism that has a file of its own.
pub(super) fn from_file(
    file: &Spanned<String>,
    component: &ComponentSpec,
    workshop: &mut Workshop<'_>,
    reporter: &mut Reporter,
) -> Component {
    let path = workshop.folder.join(&file.value);
    let known = workshop.mechanisms.iter().find(|(known, _)| *known == path);
    let spec = match known {
        Some((_, spec)) => spec.clone(),
        None => {
            let spec = load_mechanism(file, workshop.folder, reporter);
            // One that is not there is missed wherever it is named.
            if spec.is_some() || path.exists() {
                workshop.mechanisms.push((path, spec.clone()));
            }
            spec
        }
    };
    match spec {
        Some(spec) => create(&spec, component, workshop, reporter),
        None => Component::Unknown,
    }
}

/// A component from a mechanism.
pub(super) fn create(
    spec: &MechanismSpec,
    component: &ComponentSpec,
    workshop: &mut Workshop<'_>,
    reporter: &mut Reporter,
) -> Component {
    warn_of(&["substeps", "parallel"], component, "a mechanism", reporter);
    let settings = solver::of_mechanism(component, loops::closes(spec), reporter);
    let spec = &changes::apply(spec, component, reporter);
    if !spec.complete {
        return Component::Unknown;
    }
    let mechanism = mechanism(spec);
    let blueprint = match mechanism.blueprint(&component.name.value) {
        Ok(blueprint) => blueprint,
        Err(mistake) => {
            report(&mistake, spec, component, reporter);
            return Component::Unknown;
        }
    };
    let Some(interface) = interface(&blueprint, component, spec.span, reporter) else {
        return Component::Unknown;
    };
    let unknown = refuse_parameters(spec, &interface, component, reporter);
    let Some(settings) = settings.filter(|_| !unknown) else {
        return Component::Refused(interface);
    };
    let size = MechanismSize::of(spec, &blueprint);
    workshop.sizes.push((component.name.value.clone(), size));
    if spec.scene {
        workshop
            .scenes
            .push(scene::scene(&mechanism, component, &interface));
    }
    let made = Native::new(blueprint, &Settings::default(), &settings);
    let participant: Box<dyn Participant> = match made {
        Ok(native) => Box::new(native),
        Err(error) => {
            let span = component.solver.as_ref().map_or(spec.span, |solver| solver.span);
            return cannot(&error.to_string(), span, component, interface, reporter);
        }
    };
    match isolated::settle(participant, component, workshop) {
        Ok(participant) => Component::Made(participant, Settings::default()),
        Err(failure) => cannot(
            &failure.to_string(),
            component.name.span,
            component,
            interface,
            reporter,
        ),
    }
}

fn interface(
    blueprint: &Blueprint,
    component: &ComponentSpec,
    span: Span,
    reporter: &mut Reporter,
) -> Option<Interface> {
    let values = Values::new(&blueprint.parameters, &Settings::default());
    match values.and_then(|values| (blueprint.ports)(&values)) {
        Ok(interface) => Some(interface),
        Err(error) => {
            reporter.error(
                span,
                format!("`{}` cannot be built: {error}", component.name.value),
            );
            None
        }
    }
}

fn cannot(
    why: &str,
    span: Span,
    component: &ComponentSpec,
    interface: Interface,
    reporter: &mut Reporter,
) -> Component {
    reporter.error(span, format!("`{}` cannot be built: {why}", component.name.value));
    Component::Refused(interface)
}

/// Values may be given to inputs, and to numbers of the mechanism. Answers whether there was one for something else.
fn refuse_parameters(
    spec: &MechanismSpec,
    interface: &Interface,
    component: &ComponentSpec,
    reporter: &mut Reporter,
) -> bool {
    let before = reporter.error_count();
    let inputs: Vec<&str> = interface
        .ports_of(Causality::Input)
        .map(|(_, port)| port.name.as_str())
        .collect();
    let numbers = changes::names(spec);
    let known = || inputs.iter().copied().chain(numbers.iter().map(String::as_str));
    let unknown = component
        .parameters
        .iter()
        .filter(|(name, _)| known().all(|known| known != name.value));
    for (name, _) in unknown {
        let advice = match nearest(&name.value, known()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let inputs = match inputs.as_slice() {
                    [] => String::new(),
                    inputs => format!(
                        "; inputs that nothing drives can be given a value, too: {}",
                        inputs.join(", ")
                    ),
                };
                format!(
                    "its numbers have names such as `{}`{inputs}",
                    numbers.get(1).map_or("gravity", String::as_str)
                )
            }
        };
        let message = format!(
            "the mechanism `{}` has no parameter `{}`",
            component.name.value, name.value
        );
        reporter
            .error(name.span, message)
            .label("no such parameter")
            .advice(advice);
    }
    reporter.error_count() > before
}

/// Points at the part of the mechanism that is at fault.
fn report(mistake: &Mistake, spec: &MechanismSpec, component: &ComponentSpec, reporter: &mut Reporter) {
    let (of, name) = match &mistake.place {
        Place::Body(name) => (
            spec.bodies
                .iter()
                .map(|body| &body.name)
                .find(|n| n.value == *name),
            name,
        ),
        Place::Joint(name) => (
            spec.joints
                .iter()
                .map(|joint| &joint.name)
                .find(|n| n.value == *name),
            name,
        ),
        Place::Force(name) => (
            spec.forces
                .iter()
                .map(|force| &force.name)
                .find(|n| n.value == *name),
            name,
        ),
        Place::Port(name) => (
            spec.ports
                .iter()
                .map(|port| &port.name)
                .find(|n| n.value == *name),
            name,
        ),
        Place::Whole => (None, &component.name.value),
    };
    let span = of.map_or(spec.span, |name| name.span);
    let noun = match &mistake.place {
        Place::Body(_) => "the body",
        Place::Joint(_) => "the joint",
        Place::Force(_) => "the force",
        Place::Port(_) => "the port",
        Place::Whole => "the mechanism",
    };
    reporter
        .error(span, format!("{noun} `{name}`: {}", mistake.message))
        .advice_if(mistake.advice.clone());
}
