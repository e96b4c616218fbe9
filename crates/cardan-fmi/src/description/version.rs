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
    let (major, minor) = (parts.next().unwrap_or_default(), parts.next().unwrap_or("0"));
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
    let known = if version == Version::V2 { "2.0" } else { "3.0" };
    if text.contains('-') {
        let message = format!("FMI {text} is a draft: it is read as {known}, which may differ");
        reporter.warning(written.span, message);
    } else if minor != "0" {
        reporter.warning(
            written.span,
            format!("FMI {text} is read as {known}: what is new in it is ignored"),
        );
    }
    Some((version, text.to_owned()))
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
