//! In which order the members of a group do best.

use super::coupled::Coupled;

/// Groups of more members are taken in the order they have.
const MOST: usize = 6;

/// All orders of so many members, the given one first.
pub(super) fn all(present: &[usize], most: usize) -> Vec<Vec<usize>> {
    if present.len() > most {
        return vec![present.to_vec()];
    }
    let mut orders = vec![Vec::new()];
    for _ in present {
        orders = orders
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                let rest = present.iter().filter(|m| !order.contains(m));
                rest.map(|m| [&order[..], &[*m]].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    orders
}

/// Where members react at once in a circle: an order along the flow, in which as few as possible look back. Its last
/// member follows others without states of its own, if there is such a one: it owns what joins them. None where nobody
/// reacts in a circle.
pub(super) fn along_the_flow(group: &Coupled, present: &[usize]) -> Vec<usize> {
    let orders = all(present, MOST);
    let looks_back = |order: &[usize]| {
        let mut count = 0;
        for (place, reader) in order.iter().enumerate() {
            let later = order[place + 1..].iter();
            count += later.filter(|source| group.reacts(**source, *reader)).count();
        }
        count
    };
    let owns = |order: &[usize]| -> bool {
        let [.., before, last] = order else { return false };
        let states = |member: &usize| group.members[*member].states();
        states(last) == 0 && states(before) > 0 && group.reacts(*before, *last)
    };
    let mut ranked: Vec<(usize, bool, Vec<usize>)> = orders
        .into_iter()
        .map(|order| (looks_back(&order), !owns(&order), order))
        .collect();
    // The first of equals stays: it is nearest to the present order.
    ranked.sort_by_key(|(back, stranger, _)| (*back, *stranger));
    ranked
        .into_iter()
        .next()
        .map_or(present.to_vec(), |(_, _, order)| order)
}
