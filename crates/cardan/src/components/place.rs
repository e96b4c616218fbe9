//! Components that live in frames and units of their own, or have markers.

use super::Component;
use cardan_core::interface::Interface;
use cardan_core::participant::Participant;
use cardan_describe::Reporter;
use cardan_describe::spec::{ComponentSpec, MarkerSpec};
use cardan_frames::{Framed, Layout, Marker, Mistake, Part, Placement, Scales};

/// The component as the system sees it.
pub(super) fn place(made: Component, component: &ComponentSpec, reporter: &mut Reporter) -> Component {
    if component.frame.is_none() && component.scales.is_none() && component.markers.is_empty() {
        return made;
    }
    let placement = placement(component);
    let Some(own) = made.interface() else {
        return made;
    };
    warn_of_idle_keys(own, &placement, component, reporter);
    // A marker without a frame has been reported, and whatever names it is not wrong for that.
    if component.markers.iter().any(|marker| marker.frame.is_none()) {
        return Component::Unknown;
    }
    let markers = component.markers.iter().filter_map(marker).collect();
    let layout = match Layout::new(own, placement, markers) {
        Ok(layout) => layout,
        Err(mistakes) => {
            mistakes
                .iter()
                .for_each(|mistake| report(mistake, component, reporter));
            return Component::Unknown;
        }
    };
    match made {
        Component::Made(participant, settings) => {
            let framed: Box<dyn Participant> = Box::new(Framed::new(participant, layout));
            Component::Made(framed, settings)
        }
        _ => Component::Refused(layout.interface().clone()),
    }
}

/// Where a component lives.
pub(super) fn placement(component: &ComponentSpec) -> Placement {
    let frame = component.frame.as_ref();
    let position = frame.and_then(|frame| frame.position).map(|p| p.value);
    let angles = frame.and_then(|frame| frame.angles).map(|a| a.value);
    let scales = component.scales.as_ref().map_or(Scales::NONE, |scales| {
        let size = |given: &Option<cardan_describe::Spanned<f64>>| given.map_or(1.0, |given| given.value);
        let (length, mass, time) = (size(&scales.length), size(&scales.mass), size(&scales.time));
        let force = scales.force.map(|force| force.value);
        Scales {
            length,
            force: force.unwrap_or(mass * length / (time * time)),
            time,
        }
    });
    Placement::new(position.unwrap_or_default(), angles.unwrap_or_default(), scales)
}

fn marker(spec: &MarkerSpec) -> Option<Marker> {
    Some(Marker {
        name: spec.name.value.clone(),
        frame: spec.frame.as_ref()?.value.clone(),
        load: spec.load.as_ref().map(|load| load.value.clone()),
        position: spec.position.map_or([0.0; 3], |position| position.value),
        angles: spec.angles.map_or([0.0; 3], |angles| angles.value),
    })
}

fn report(mistake: &Mistake, component: &ComponentSpec, reporter: &mut Reporter) {
    let Some(marker) = component.markers.get(mistake.marker) else {
        return;
    };
    let span = match mistake.part {
        Part::Name => marker.name.span,
        Part::Frame => marker.frame.as_ref().map_or(marker.span, |frame| frame.span),
        Part::Load => marker.load.as_ref().map_or(marker.span, |load| load.span),
    };
    let message = format!(
        "the marker `{}` of `{}` cannot be: {}",
        marker.name.value, component.name.value, mistake.message
    );
    reporter.error(span, message).advice(mistake.advice.clone());
}

/// Keys that change nothing: whoever wrote them expects something.
fn warn_of_idle_keys(
    own: &Interface,
    placement: &Placement,
    component: &ComponentSpec,
    reporter: &mut Reporter,
) {
    if Layout::has_effect(own, placement) {
        return;
    }
    let keys = [
        ("frame", component.frame.as_ref().map(|frame| frame.span)),
        ("scales", component.scales.as_ref().map(|scales| scales.span)),
    ];
    for (key, span) in keys {
        let Some(span) = span else { continue };
        let name = &component.name.value;
        let message = format!("`{key}` has no effect: `{name}` has neither a frame nor a load");
        reporter
            .warning(span, message)
            .advice("single numbers are converted by their units; leave it out");
    }
}
