//! Which standard a description follows.

use super::Version;
use cardan_describe::Reporter;
use cardan_describe::xml::Element;

/// The version, and how it was written. None for versions that cannot be read, which is reported.
pub(super) fn version(root: Element<'_>, reporter: &mut Reporter) -> Option<(Version, String)> {
    let Some(written) = root.attribute("fmiVersion") else {
        return guess(root, reporter);
    };
    let text = written.value.trim();
    let mut parts = text.split(['.', '-']);
    let (major, minor) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let version = match major {
        "2" => Version::V2,
        "3" => Version::V3,
        "1" => {
            reporter
                .error(written.span, "FMI 1.0 is not supported: export as 2.0 or 3.0")
                .label("a version from 2010");
            return None;
        }
        _ => {
            reporter
                .error(
                    written.span,
                    format!("`{text}` is not a version of FMI that is supported"),
                )
                .advice("export as 2.0 or 3.0");
            return None;
        }
    };
    let is_final = is_final(text);
    if version == Version::V2 && !(is_final && minor == "0") {
        // There was no other, and there will be none.
        reporter
            .error(written.span, format!("there is no FMI {text}"))
            .advice("the versions of FMI 2 are 2.0 and 2.0.1 and so on: export the FMU anew");
        return None;
    }
    if !is_final {
        let message = format!("FMI {text} is a draft: it is read as 3.0, which may differ");
        reporter.warning(written.span, message);
    } else if minor != "0" {
        reporter.warning(
            written.span,
            format!("FMI {text} is read as 3.0: what is new in it is ignored"),
        );
    }
    Some((version, text.to_owned()))
}

/// Nothing but numbers: drafts have words in their versions.
fn is_final(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split('.').all(is_number) && text.split('.').count() <= 3
}

/// Only FMI 3 has a token, only FMI 2 a GUID.
fn guess(root: Element<'_>, reporter: &mut Reporter) -> Option<(Version, String)> {
    let (version, name) = if root.attribute("instantiationToken").is_some() {
        (Version::V3, "3.0")
    } else if root.attribute("guid").is_some() {
        (Version::V2, "2.0")
    } else {
        reporter
            .error(root.span(), "there is no `fmiVersion`")
            .advice("is this the modelDescription.xml of an FMU?");
        return None;
    };
    reporter.warning(
        root.span(),
        format!("there is no `fmiVersion`: it looks like FMI {name}"),
    );
    Some((version, name.to_owned()))
}
