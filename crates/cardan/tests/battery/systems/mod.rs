//! The systems, by families.

mod contact_fmus;
mod contacts;
mod control;
mod fmu;
mod friction;
mod heating;
mod loops;
mod mechanisms;
mod pulses;
mod python;
mod reference;
mod sampling;
mod smooth;
mod smooth_fmus;
mod sources;

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
    [
        contact_fmus::ALL,
        contacts::ALL,
        control::ALL,
        friction::ALL,
        heating::ALL,
        loops::ALL,
        mechanisms::ALL,
        pulses::ALL,
        python::ALL,
        sampling::ALL,
        smooth::ALL,
        smooth_fmus::ALL,
        sources::ALL,
    ]
    .concat()
}
