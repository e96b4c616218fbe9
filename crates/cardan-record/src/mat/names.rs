//! Names that MATLAB accepts.

use std::collections::HashSet;

/// MATLAB cuts longer names.
const LONGEST: usize = 63;

/// Gives out names of letters, digits and underscores, each once.
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// With the names that are spoken for.
    pub(super) fn without(reserved: &[&str]) -> Self {
        Names {
            taken: reserved.iter().map(|&r| r.to_owned()).collect(),
        }
    }

    /// `original` with `_` for every other character, an `x` before a first one that is no letter, and a number
    /// behind if that name is taken.
    pub(super) fn allow(&mut self, original: &str) -> String {
        let mut name: String = original
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            name.insert(0, 'x');
        }
        name.truncate(LONGEST);
        let mut unique = name.clone();
        let mut number = 2_u32;
        while !self.taken.insert(unique.clone()) {
            let suffix = format!("_{number}");
            unique.clone_from(&name);
            unique.truncate(LONGEST - suffix.len());
            unique.push_str(&suffix);
            number += 1;
        }
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_unique() {
        let mut names = Names::without(&["time"]);
        assert_eq!(names.allow("wheel.velocity[1,2]"), "wheel_velocity_1_2_");
        assert_eq!(names.allow("wheel_velocity[1.2]"), "wheel_velocity_1_2__2");
        assert_eq!(names.allow("time"), "time_2");
        assert_eq!(names.allow("2nd"), "x2nd");
        assert_eq!(names.allow("größe"), "gr__e");
        let long = "a".repeat(80);
        assert_eq!(names.allow(&long), "a".repeat(63));
        assert_eq!(names.allow(&long), format!("{}_2", "a".repeat(61)));
    }
}
