//! Comparing values bit for bit, and saying where they differ.

use cardan_core::interface::Port;
use cardan_core::planes::{Extent, Planes};
use cardan_core::time::SimTime;
use cardan_core::value::{Plane, ValueType};

/// Outputs at the instants of a run.
pub(super) type Trail = Vec<(SimTime, Planes)>;

/// The first place where two sets of values differ in their bits, in words.
pub(super) fn difference(ports: &[Port], one: &Planes, other: &Planes) -> Option<String> {
    differing(ports, one, other)
        .into_iter()
        .next()
        .map(|(_, words)| words)
}

/// Every port of which an element differs in its bits, by index, with words on the first such element.
pub(super) fn differing(ports: &[Port], one: &Planes, other: &Planes) -> Vec<(usize, String)> {
    let mut extent = Extent::default();
    let mut found = Vec::new();
    for (index, port) in ports.iter().enumerate() {
        let first = extent.place(port);
        let element = (0..port.shape.len()).find_map(|element| {
            let (a, b) = (
                shown(port, one, first + element),
                shown(port, other, first + element),
            );
            (a != b).then(|| {
                let name = format!("{}{}", port.name, port.element_suffix(element));
                format!("`{name}` is {a} in the one and {b} in the other")
            })
        });
        found.extend(element.map(|words| (index, words)));
    }
    found
}

/// The first point where two trails differ, in words.
pub(super) fn trail_difference(ports: &[Port], one: &Trail, other: &Trail) -> Option<String> {
    for ((at, a), (other_at, b)) in one.iter().zip(other) {
        if at != other_at {
            return Some(format!("the one stands at {at:?}, the other at {other_at:?}"));
        }
        if let Some(words) = difference(ports, a, b) {
            return Some(format!("at {at:?} {words}"));
        }
    }
    let (a, b) = (one.len(), other.len());
    (a != b).then(|| format!("the one has {a} points, the other {b}"))
}

/// The first place where two sets of values differ by more than a few units in the last place, in words.
pub(super) fn distance(ports: &[Port], one: &Planes, other: &Planes) -> Option<String> {
    let mut rounded = other.clone();
    for (place, (port, _)) in real_elements(ports).enumerate() {
        let (a, b) = (one.reals[place], other.reals[place]);
        let unit = f64::EPSILON * a.abs().max(b.abs()).max(port.nominal);
        if (a - b).abs() <= 8.0 * unit {
            rounded.reals[place] = a;
        }
    }
    difference(ports, one, &rounded)
}

/// Every element on the plane of reals: its port and its name.
pub(super) fn real_elements(ports: &[Port]) -> impl Iterator<Item = (&Port, String)> {
    ports
        .iter()
        .filter(|port| port.value_type == ValueType::Real)
        .flat_map(|port| {
            let name = |element| format!("{}{}", port.name, port.element_suffix(element));
            (0..port.shape.len()).map(move |element| (port, name(element)))
        })
}

/// A value such that equal words mean equal bits.
fn shown(port: &Port, planes: &Planes, place: usize) -> String {
    match port.value_type.plane() {
        Plane::Reals => {
            let real = planes.reals[place];
            format!("{real:?} ({:#018x})", real.to_bits())
        }
        Plane::Integers => planes.integers[place].to_string(),
        Plane::Booleans => planes.booleans[place].to_string(),
        Plane::Bytes => format!("\"{}\"", planes.bytes[place].escape_ascii()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardan_core::value::Shape;

    #[test]
    fn a_difference_names_port_element_and_bits() {
        let ports = [Port::output("a"), Port::output("b").shaped(Shape::vector(2))];
        let mut one = Planes::new(Extent::of(&ports));
        assert_eq!(difference(&ports, &one, &one), None);
        let other = one.clone();
        one.reals[2] = -0.0;
        let words = difference(&ports, &one, &other).unwrap();
        assert_eq!(
            words,
            "`b[2]` is -0.0 (0x8000000000000000) in the one and 0.0 (0x0000000000000000) in the other"
        );
    }
}
