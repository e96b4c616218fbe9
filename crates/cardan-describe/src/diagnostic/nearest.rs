//! "Did you mean …?"

/// The candidate most like `name`, if one is like enough: about one slip in three characters, where a slip is a
/// missing, extra or wrong character or two neighbours in the wrong order. Case, `-` and `_` do not count. Before all
/// comes the same name in another system: `inner.a` for `a`.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(name);
    let allowed = (folded.len().max(3) / 3).min(6);
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let inside = |candidate: &&str| {
        let outer = candidate.strip_suffix(name).filter(|_| !name.is_empty());
        outer.is_some_and(|outer| outer.ends_with('.'))
    };
    if let Some(inner) = candidates.iter().copied().find(inside) {
        return Some(inner);
    }
    candidates
        .into_iter()
        .map(|candidate| (distance(&folded, &fold(candidate), allowed), candidate))
        .filter(|(slips, _)| *slips <= allowed)
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, candidate)| candidate)
}

/// Advice for a name that is not there: the nearest one, else all that are, as in "outputs: a, b, c".
pub(crate) fn suggest<'a>(name: &str, what: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => listed(what, known),
    }
}

/// Advice for a name that is not among a few choices.
pub(crate) fn suggest_choice(name: &str, choices: &[&str]) -> String {
    let all = format!("choose one of {}", choices.join(", "));
    match nearest(name, choices.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? Otherwise {all}"),
        None => all,
    }
}

/// "outputs: a, b, c", cut where it gets long.
pub(crate) fn listed<'a>(what: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 15;
    let names: Vec<&str> = names.into_iter().collect();
    match names.get(..SHOWN) {
        Some(first) if names.len() > SHOWN => {
            format!("{what}: {}, … ({} in all)", first.join(", "), names.len())
        }
        _ if names.is_empty() => format!("there are no {what}"),
        _ => format!("{what}: {}", names.join(", ")),
    }
}

fn fold(name: &str) -> Vec<char> {
    let lower = name.chars().flat_map(char::to_lowercase);
    lower.map(|c| if c == '-' { '_' } else { c }).collect()
}

/// The optimal string alignment distance, row by row; anything above `limit` comes out as some number above it, so
/// that a very long name costs nothing.
fn distance(a: &[char], b: &[char], limit: usize) -> usize {
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, &ca) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, &cb) in b.iter().enumerate() {
            let replaced = above[j] + usize::from(ca != cb);
            let mut best = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && ca == b[j - 1] && a[i - 1] == cb {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        if row.iter().all(|&slips| slips > limit) {
            return limit + 1;
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_and_leaves_strangers_alone() {
        let names = ["velocity", "position", "force", "gauss-seidel"];
        assert_eq!(nearest("velocty", names), Some("velocity"));
        assert_eq!(
            nearest("vleocity", names),
            Some("velocity"),
            "two neighbours swapped"
        );
        assert_eq!(nearest("Position", names), Some("position"));
        assert_eq!(nearest("gauss_seidel", names), Some("gauss-seidel"));
        assert_eq!(nearest("temperature", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest("x", ["y"]), Some("y"), "one character is one slip");
    }

    #[test]
    fn a_swap_is_one_slip() {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&chars("ab"), &chars("ba"), 5), 1);
        assert_eq!(distance(&chars("kitten"), &chars("sitting"), 5), 3);
        assert_eq!(distance(&chars(""), &chars("abc"), 5), 3);
    }
}
