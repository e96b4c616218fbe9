//! Attributes: numbers, triples, and names that were meant to be others.

use crate::diagnostic::{Reporter, Severity, Spanned, nearest};
use crate::xml::{self, Element};

/// A finite number that may be left out.
pub(super) fn finite(element: Element<'_>, name: &str, reporter: &mut Reporter) -> Option<Spanned<f64>> {
    let number = element.real(name, Severity::Error, reporter)?;
    if !number.value.is_finite() {
        reporter.error(
            number.span,
            format!("`{name}` of <{}> must be a finite number", element.name()),
        );
        return None;
    }
    Some(number)
}

/// A finite number that must be there.
pub(super) fn required_finite(
    element: Element<'_>,
    name: &str,
    reporter: &mut Reporter,
) -> Option<Spanned<f64>> {
    required(element, name, reporter)?;
    finite(element, name, reporter)
}

/// An attribute that must be there. If it is not, perhaps it was misspelt.
pub(super) fn required<'a>(
    element: Element<'a>,
    name: &str,
    reporter: &mut Reporter,
) -> Option<Spanned<&'a str>> {
    let found = element.attribute(name);
    if found.is_none() {
        let missing = reporter.error(
            element.span(),
            format!("<{}> has no attribute `{name}`", element.name()),
        );
        if let Some(advice) = slip(element, name) {
            missing.advice(advice);
        }
    }
    found
}

/// What an element must have, and what it may have.
fn known(element: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match element {
        "SubModel" => (
            &["Name", "StartCommand", "ModelFile"],
            &["ExactStep", "GeometryFile", "Position", "Angle321"],
        ),
        "InterfacePoint" => (
            &["Name"],
            &["Dimensions", "Causality", "Domain", "Position", "Angle321"],
        ),
        "Parameter" => (&["Name", "Value"], &[]),
        "Connection" => (
            &["From", "To", "Delay", "Zf"],
            &["Zfr", "alpha", "Compensate", "Filter", "Interpolation", "Start"],
        ),
        // `MonitorPort` is in old files; the command line says it.
        "SimulationParams" => (
            &["StartTime", "StopTime"],
            &["ManagerPort", "WriteTimeStep", "MonitorPort"],
        ),
        _ => (&[], &[]),
    }
}

/// What to do about an attribute that is missing, if one that nobody knows looks like it.
pub(super) fn slip(element: Element<'_>, name: &str) -> Option<String> {
    let (required, optional) = known(element.name());
    let written = element
        .attributes()
        .map(|(written, _)| written)
        .filter(|written| !required.contains(written) && !optional.contains(written))
        .find(|written| nearest(written, [name]).is_some())?;
    Some(format!("did you mean `{name}` where you wrote `{written}`?"))
}

/// Warns of attributes that look like one which is known and is not there. Others are ignored, as the format wants it.
pub(super) fn look_for_slips(element: Element<'_>, reporter: &mut Reporter) {
    let (required, optional) = known(element.name());
    for (written, value) in element.attributes() {
        if required.contains(&written) || optional.contains(&written) || reporter.is_full() {
            continue;
        }
        let all = required.iter().chain(optional).copied();
        let free: Vec<&str> = all.filter(|name| element.attribute(name).is_none()).collect();
        // Some languages write alfa.
        let near = nearest(written, free.iter().copied())
            .or_else(|| nearest(&written.replace('f', "ph"), free.iter().copied()));
        // What must be there is told as missing, with the same advice.
        if let Some(near) = near.filter(|near| !required.contains(near)) {
            reporter
                .warning(
                    value.span,
                    format!(
                        "`{written}` of <{}> is not known and changes nothing",
                        element.name()
                    ),
                )
                .advice(format!("did you mean `{near}`?"));
        }
    }
}

/// Three numbers with commas between them; zeros if they are left out.
pub(super) fn triple(element: Element<'_>, name: &str, reporter: &mut Reporter) -> [f64; 3] {
    let Some(written) = element.attribute(name) else {
        return [0.0; 3];
    };
    let parts: Vec<&str> = written.value.split(',').collect();
    let numbers: Vec<Option<f64>> = parts
        .iter()
        .take(3)
        .map(|part| xml::real(part).filter(|number| number.is_finite()))
        .collect();
    let [Some(x), Some(y), Some(z)] = numbers[..] else {
        reporter
            .error(
                written.span,
                format!(
                    "`{name}` of <{}> must be three numbers, found `{}`",
                    element.name(),
                    written.value
                ),
            )
            .advice("write them with commas between, such as \"0,-0.1,0\"");
        return [0.0; 3];
    };
    if parts.len() > 3 {
        reporter
            .warning(
                written.span,
                format!(
                    "`{name}` has {} elements; only the first three count",
                    parts.len()
                ),
            )
            .advice("remove the others; is one of them a decimal comma?");
    }
    [x, y, z]
}
