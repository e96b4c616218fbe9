//! Do the joints of a mechanism close loops?

use cardan_describe::spec::MechanismSpec;

/// Is there a joint between bodies that are joined already? The ground is one of them.
pub(super) fn closes(spec: &MechanismSpec) -> bool {
    let place = |body: &str| spec.bodies.iter().position(|known| known.name.value == body);
    // Bodies of one group are joined; each is in one of its own at first, the ground in the last.
    let ground = spec.bodies.len();
    let mut groups: Vec<usize> = (0..=ground).collect();
    for joint in &spec.joints {
        let [a, b] = joint
            .between
            .each_ref()
            .map(|end| place(&end.body).unwrap_or(ground));
        let (from, to) = (groups[a], groups[b]);
        if from == to {
            return true;
        }
        for group in groups.iter_mut().filter(|group| **group == from) {
            *group = to;
        }
    }
    false
}
