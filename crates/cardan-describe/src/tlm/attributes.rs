//! Numbers and triples as attributes.

use crate::diagnostic::{Reporter, Severity, Spanned};
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
    element.required(name, reporter)?;
    finite(element, name, reporter)
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
