//! Patterns over names.

use crate::spec::RecordSpec;

/// Does `pattern` match the whole of `name`? `*` stands for any characters, `?` for one.
///
/// Never looks back further than the last star, so the worst case is the product of the two lengths.
pub fn glob(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (0, 0);
    // Where to go on when the present attempt fails: behind the last star, with one more character given to it.
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                p += 1;
                retry = Some((p, n));
            }
            Some(c) if *c == '?' || *c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match retry {
                Some((star, taken)) => {
                    retry = Some((star, taken + 1));
                    p = star;
                    n = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

impl RecordSpec {
    /// Is a variable, `component.variable`, to be kept?
    pub fn keeps(&self, name: &str) -> bool {
        match &self.variables {
            Some(patterns) => patterns.iter().any(|pattern| glob(&pattern.value, name)),
            None => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::glob;

    #[test]
    fn stars_and_question_marks() {
        assert!(glob("wheel.*", "wheel.velocity"));
        assert!(glob("*.velocity", "wheel.velocity"));
        assert!(glob("*", ""));
        assert!(glob("a*b*c", "a-b-b-c"));
        assert!(glob("wheel?.x", "wheel2.x"));
        assert!(glob("frame.x[1]", "frame.x[1]"), "brackets are plain characters");
        assert!(!glob("wheel.*", "wheels.velocity"));
        assert!(!glob("wheel", "wheel.x"));
        assert!(!glob("?", ""));
    }

    #[test]
    fn many_stars_are_quick() {
        assert!(!glob(&"*a".repeat(200), &"a".repeat(199)));
        assert!(!glob(&format!("{}b", "*a".repeat(50)), &"a".repeat(5000)));
    }
}
