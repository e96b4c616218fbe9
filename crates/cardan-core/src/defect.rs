//! Panics: defects of the engine, or of a participant that is written in Rust.
//!
//! What is caught of a panic does not say where it happened, and that decides whose it is. So a hook notes the place
//! down before the hook of the program hears of it.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::panic::{set_hook, take_hook};
use std::sync::Once;

/// What to do about a defect of the engine.
pub const ADVICE: &str = "no component is to blame; please report it, with the description of the system";

/// Parts of the paths of this crate's own files, as compilers write them.
const OWN: [&str; 2] = ["cardan-core/src/", "cardan-core\\src\\"];
/// The same for releases, whose folders have a version in their names.
const RELEASED: &str = "cardan-core-";

thread_local! {
    static LAST: RefCell<Option<Place>> = const { RefCell::new(None) };
}

/// Where a panic happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    file: String,
    line: u32,
}

impl Place {
    /// Is it in the engine itself?
    pub fn is_engine(&self) -> bool {
        let released = self.file.contains(RELEASED) && !self.file.contains("tests");
        OWN.iter().any(|own| self.file.contains(own)) || released
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Notes down from now on where panics happen. The hook that there is hears of them all the same.
pub fn watch() {
    static WATCHED: Once = Once::new();
    // A hook cannot be changed by a thread that panics; its place stays unknown then.
    if std::thread::panicking() {
        return;
    }
    WATCHED.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            let place = panic.location().map(|location| Place {
                file: location.file().to_owned(),
                line: location.line(),
            });
            // A thread that is about to end has nobody who asks.
            let _ = LAST.try_with(|last| last.replace(place));
            before(panic);
        }));
    });
}

/// Where the panic happened that this thread has just caught, if anybody watched.
pub fn place() -> Option<Place> {
    LAST.with(RefCell::take)
}

/// What a panic said.
pub fn words(cause: &(dyn Any + Send)) -> String {
    cause
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| cause.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".into())
}

/// A defect of the program that is nobody else's, in words.
pub fn described(cause: &(dyn Any + Send), place: Option<&Place>) -> String {
    let words = words(cause);
    match place {
        Some(place) => format!("cardan has a defect at {place}: {words}"),
        None => format!("cardan has a defect: {words}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn a_panic_of_ours_has_a_place_and_is_ours() {
        watch();
        let none: [f64; 0] = [];
        let mut one = [0.0];
        let cause = catch_unwind(move || one.copy_from_slice(&none)).unwrap_err();
        let place = place().unwrap();
        assert!(place.is_engine(), "{place}");
        let told = described(&*cause, Some(&place));
        assert!(told.contains("defect.rs:") && told.contains("length"), "{told}");
        assert_eq!(super::place(), None, "it is asked for once");
    }

    #[test]
    fn places_elsewhere_are_not_ours() {
        let at = |file: &str| Place {
            file: file.to_owned(),
            line: 1,
        };
        for ours in [
            "crates/cardan-core/src/run.rs",
            "/home/me/.cargo/registry/src/index/cardan-core-0.1.0/src/run.rs",
        ] {
            assert!(at(ours).is_engine(), "{ours}");
        }
        for other in [
            "crates/cardan-core/tests/support/mod.rs",
            "crates/cardan-models/src/model.rs",
            "src/main.rs",
        ] {
            assert!(!at(other).is_engine(), "{other}");
        }
    }
}
