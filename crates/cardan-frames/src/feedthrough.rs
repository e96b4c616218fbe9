//! What reacts at once to what, markers included.

use crate::layout::Point;
use cardan_core::interface::{Causality, Interface, PortId};

/// The pairs of a participant as pairs of what it shows.
pub(crate) fn spread(own: &Interface, points: &[Point], pairs: &[(PortId, PortId)]) -> Vec<(PortId, PortId)> {
    let is_input = |port: PortId| own.ports[port.index()].causality == Causality::Input;
    let driven = |port: PortId| points.iter().find(|point| point.base == port && is_input(port));
    // The inputs of the system by which an input of the participant moves.
    let causes = |input: PortId| -> Vec<PortId> {
        let mut causes = vec![driven(input).map_or(input, |point| point.frame)];
        for point in points {
            if let Some((_, shown)) = point.loads.filter(|(load, _)| *load == input) {
                causes.push(shown);
                // Where the body of the marker is driven, the arm moves with it.
                causes.extend(is_input(point.base).then_some(point.frame));
            }
        }
        causes
    };
    // What the system sees of an output of the participant.
    let effects = |output: PortId| -> Vec<PortId> {
        let mut effects = vec![output];
        effects.extend(points.iter().filter(|p| p.base == output).map(|p| p.frame));
        let loads = points.iter().filter_map(|point| point.loads);
        effects.extend(loads.filter(|(load, _)| *load == output).map(|(_, shown)| shown));
        effects
    };
    let mut spread = Vec::with_capacity(pairs.len());
    let mut add = |pair: (PortId, PortId)| {
        if !spread.contains(&pair) {
            spread.push(pair);
        }
    };
    for &(output, input) in pairs {
        for effect in effects(output) {
            causes(input).into_iter().for_each(|cause| add((effect, cause)));
        }
    }
    for point in points {
        if is_input(point.base) {
            add((point.base, point.frame));
        }
        let Some((_, shown)) = point.loads.filter(|(load, _)| !is_input(*load)) else {
            continue;
        };
        // A load at a marker has the arm of the body in it.
        match is_input(point.base) {
            true => add((shown, point.frame)),
            false => {
                let on_body = pairs.iter().filter(|(output, _)| *output == point.base);
                on_body
                    .flat_map(|(_, input)| causes(*input))
                    .for_each(|cause| add((shown, cause)));
            }
        }
    }
    spread
}

#[cfg(test)]
mod tests {
    use crate::layout::Layout;
    use crate::marker::Marker;
    use crate::placement::Placement;
    use cardan_core::interface::{Interface, Port};

    fn marker(name: &str, frame: &str, load: &str) -> Marker {
        Marker {
            name: name.into(),
            frame: frame.into(),
            load: Some(load.into()),
            position: [1.0, 0.0, 0.0],
            angles: [0.0; 3],
        }
    }

    /// The pairs of a layout by name.
    fn pairs(own: &Interface, marker: Marker) -> Vec<(String, String)> {
        let layout = Layout::new(own, Placement::NONE, vec![marker]).unwrap_or_else(|_| unreachable!());
        let interface = layout.interface();
        let name = |id: cardan_core::interface::PortId| interface.ports[id.index()].name.clone();
        let pairs = interface.feedthrough.iter();
        pairs
            .map(|(output, input)| (name(*output), name(*input)))
            .collect()
    }

    fn named(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect()
    }

    /// A load that does not react at once has a moment at a marker that does, because the arm moves.
    #[test]
    fn the_arm_of_a_driven_body_counts() {
        let mut own = Interface::default();
        own.port(Port::input("frame").frame());
        own.port(Port::output("load").load());
        let found = pairs(&own, marker("end", "frame", "load"));
        assert_eq!(found, named(&[("frame", "end"), ("end_load", "end")]));
    }

    /// What reacts to the load of a body reacts to the load at its marker.
    #[test]
    fn a_load_at_a_marker_is_a_load() {
        let mut own = Interface::default();
        own.port(Port::output("frame").frame());
        let load = own.port(Port::input("load").load());
        let felt = own.port(Port::output("felt"));
        own.feeds_through(felt, load);
        let found = pairs(&own, marker("end", "frame", "load"));
        assert_eq!(found, named(&[("felt", "load"), ("felt", "end_load")]));
    }
}
