//! Tables of functions looked up by name.

use libloading::Library;

/// For which use of an FMU a function must be there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Need {
    /// For any.
    Always,
    /// For Co-Simulation.
    CoSimulation,
    /// For Model Exchange.
    ModelExchange,
    /// For none: whoever calls it finds out.
    Never,
}

/// A function of a binary, if it has it.
#[derive(Clone, Copy)]
pub(super) struct Entry<F> {
    pub(super) name: &'static str,
    pub(super) need: Need,
    pub(super) function: Option<F>,
}

impl<F: Copy> Entry<F> {
    /// Looks a function up by its name.
    ///
    /// # Safety
    /// If the library has a symbol of that name, it is a function of type `F`. The entry must not outlive the library.
    pub(super) unsafe fn find(library: &Library, name: &'static str, need: Need) -> Self {
        // SAFETY: the caller vouches for the type.
        let symbol = unsafe { library.get::<F>(name) };
        Entry {
            name,
            need,
            function: symbol.ok().map(|symbol| *symbol),
        }
    }
}

/// Writes a table of functions: the struct, the search for all of them, and what is missing.
macro_rules! table {
    ($(#[$meta:meta])* $table:ident { $($need:ident { $($field:ident = $symbol:literal ($($argument:ty),*) $(-> $answer:ty)?;)* })* }) => {
        $(#[$meta])*
        pub(super) struct $table {
            $($(pub(super) $field: $crate::ffi::table::Entry<unsafe extern "C" fn($($argument),*) $(-> $answer)?>,)*)*
        }

        impl $table {
            /// Looks up all functions.
            ///
            /// # Safety
            /// The library follows this version of the standard, and the table does not outlive it.
            pub(super) unsafe fn find(library: &libloading::Library) -> Self {
                use $crate::ffi::table::{Entry, Need};
                $table {
                    // SAFETY: the types are those of the standard, which the library follows as the caller promises.
                    $($($field: unsafe { Entry::find(library, $symbol, Need::$need) },)*)*
                }
            }

            /// The functions that are needed but not there.
            pub(super) fn missing(&self, needed: &[$crate::ffi::table::Need]) -> Vec<&'static str> {
                let mut missing = Vec::new();
                $($(
                    let entry = &self.$field;
                    if entry.function.is_none() && needed.contains(&entry.need) {
                        missing.push(entry.name);
                    }
                )*)*
                missing
            }
        }
    };
}

pub(super) use table;
