//! The systems, by families.

mod contacts;
mod heating;
mod pulses;

use crate::system::System;

/// A system by its name.
pub(crate) type Entry = (&'static str, fn() -> System);

/// Makes a test of each system of a family, and lists them.
macro_rules! family {
    ($($name:ident),+ $(,)?) => {
        /// The systems of this family.
        pub(super) const ALL: &[super::Entry] = &[$((stringify!($name), $name)),+];

        #[cfg(test)]
        mod tests {
            $(#[test]
            fn $name() {
                crate::check(stringify!($name), super::$name());
            })+
        }
    };
}
use family;

/// All systems.
#[allow(
    dead_code,
    reason = "tests go by themselves; the benchmark asks for all of them"
)]
pub(crate) fn all() -> Vec<Entry> {
    [contacts::ALL, heating::ALL, pulses::ALL].concat()
}
