//! Which version of the standard a binary says that it follows.

use std::ffi::CStr;
use std::path::Path;

use super::error::LoadError;
use super::library::Functions;

/// How a version fits the one of the description.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fit {
    Same,
    /// A later minor version, which can be used as if it were the one we know.
    Later,
    Other,
}

/// Refuses a binary of another version than its description. One without these functions lacks others too, and is
/// refused for that with all their names.
pub(super) fn check(path: &Path, functions: &Functions) -> Result<(), LoadError> {
    let (expected, get_version) = match functions {
        Functions::V2(functions) => ("2.0", functions.get_version.function),
        Functions::V3(functions) => ("3.0", functions.get_version.function),
    };
    if let Some(get_version) = get_version {
        // SAFETY: the function takes nothing and answers with a text that stays.
        let found = unsafe { text(get_version()) };
        match fit(&found, expected) {
            Fit::Same => {}
            Fit::Later => {
                tracing::warn!(binary = %path.display(), "follows FMI {found}, and is used as {expected}");
            }
            Fit::Other => {
                return Err(LoadError::Version {
                    path: path.to_path_buf(),
                    expected,
                    found,
                });
            }
        }
    }
    if let Functions::V2(functions) = functions
        && let Some(get_types_platform) = functions.get_types_platform.function
    {
        // SAFETY: as above.
        let found = unsafe { text(get_types_platform()) };
        if found != "default" {
            return Err(LoadError::Platform {
                path: path.to_path_buf(),
                found,
            });
        }
    }
    Ok(())
}

/// FMI 2 has no minor versions, only 2.0 with or without a number of its patch. Those of FMI 3 are compatible.
fn fit(found: &str, expected: &str) -> Fit {
    let Some((major, rest)) = found.split_once('.') else {
        return Fit::Other;
    };
    let (minor, patch) = match rest.split_once('.') {
        Some((minor, patch)) => (minor, Some(patch)),
        None => (rest, None),
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !expected.starts_with(major) || !is_number(major) {
        return Fit::Other;
    }
    match (major, minor) {
        (_, "0") if patch.is_none_or(is_number) => Fit::Same,
        ("3", _) => Fit::Later,
        _ => Fit::Other,
    }
}

/// # Safety
/// The text is null or ends with a zero byte.
unsafe fn text(text: *const std::ffi::c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_fit_by_their_numbers() {
        for (found, expected) in [
            ("2.0", "2.0"),
            ("2.0.4", "2.0"),
            ("3.0", "3.0"),
            ("3.0.12", "3.0"),
        ] {
            assert_eq!(fit(found, expected), Fit::Same, "{found}");
        }
        for found in ["3.1", "3.2.1", "3.0-beta.5", "3.0.1-rc"] {
            assert_eq!(fit(found, "3.0"), Fit::Later, "{found}");
        }
        for found in [
            "2.7-odd", "2.1", "2.0-odd", "2.0odd", "2", "", "20.0", "1.0", "3.0", "2.0.",
        ] {
            assert_eq!(fit(found, "2.0"), Fit::Other, "{found}");
        }
        for found in ["2.0", "30.0", "", "3"] {
            assert_eq!(fit(found, "3.0"), Fit::Other, "{found}");
        }
    }
}
