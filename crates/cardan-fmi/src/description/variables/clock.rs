//! What is special about clocks.

use super::super::types::DeclaredType;
use super::super::words::word;
use super::super::{ClockInterval, ClockProperties};
use cardan_describe::Reporter;
use cardan_describe::xml::{self, Element};

pub(super) fn properties(
    element: Element<'_>,
    declared: Option<&DeclaredType<'_>>,
    name: &str,
    reporter: &mut Reporter,
) -> ClockProperties {
    let own = word(element, "intervalVariability", reporter);
    let inherited = || word(declared?.element, "intervalVariability", reporter);
    let variability = own.or_else(inherited);
    let interval_variability = variability.unwrap_or_else(|| {
        let message = format!("the clock `{name}` does not say when it ticks: it is taken for triggered");
        reporter.warning(element.span(), message);
        ClockInterval::Triggered
    });
    let mut number = |attribute: &str| {
        let own = element.attribute(attribute);
        let written = own.or_else(|| declared?.element.attribute(attribute))?;
        let value = xml::real(written.value).filter(|value| value.is_finite() && *value >= 0.0);
        if value.is_none() {
            let message = format!("`{attribute}` of `{name}` must be a number of at least 0");
            reporter.error(written.span, message);
        }
        value
    };
    // Exact where the counters are: a tick at 3/1000 s is not one at 0.003 s times something.
    let resolution = number("resolution").filter(|resolution| *resolution > 0.0);
    let mut seconds = |decimal, counter| {
        let fraction = |counter: f64| resolution.map(|resolution| counter / resolution);
        number(counter).and_then(fraction).or_else(|| number(decimal))
    };
    let interval = seconds("intervalDecimal", "intervalCounter");
    let shift = seconds("shiftDecimal", "shiftCounter").unwrap_or(0.0);
    let given = interval.filter(|interval| *interval > 0.0);
    if given.is_none() && interval_variability == ClockInterval::Constant {
        let message = format!("the clock `{name}` ticks at a constant interval, but does not say which");
        reporter
            .warning(element.span(), message)
            .advice("the FMU will be asked for it");
    }
    ClockProperties {
        interval_variability,
        interval: given,
        shift,
    }
}
