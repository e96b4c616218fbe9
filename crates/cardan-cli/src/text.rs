//! Numbers as people read them.

use std::time::Duration;

/// A number with at most `digits` significant digits and without trailing zeros.
pub(crate) fn number(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let magnitude = value.abs().log10().floor();
    if !(-4.0..9.0).contains(&magnitude) {
        let text = format!("{value:.*e}", digits.saturating_sub(1));
        return match text.split_once('e') {
            Some((mantissa, exponent)) => format!("{}e{exponent}", trimmed(mantissa)),
            None => text,
        };
    }
    let decimals = (digits as f64 - 1.0 - magnitude).max(0.0) as usize;
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

/// Seconds of waiting, in the unit that suits them.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{} µs", number(s * 1e6, 3)),
        s if s < 1.0 => format!("{} ms", number(s * 1e3, 3)),
        s if s < 100.0 => format!("{} s", number(s, 3)),
        s if s < 7200.0 => format!("{} min {:02} s", (s / 60.0) as u64, s as u64 % 60),
        s => format!("{} h {:02} min", (s / 3600.0) as u64, s as u64 / 60 % 60),
    }
}

/// The same for a clock's answer.
pub(crate) fn elapsed(time: Duration) -> String {
    duration(time.as_secs_f64())
}

/// "1 step", "2 steps".
pub(crate) fn count(number: u64, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {what}{ending}")
}

/// Each line pushed in by two spaces.
pub(crate) fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_few_digits_and_no_idle_zeros() {
        assert_eq!(number(0.0, 3), "0");
        assert_eq!(number(10.0, 3), "10");
        assert_eq!(number(1234.5, 3), "1234");
        assert_eq!(number(-0.012345, 3), "-0.0123");
        assert_eq!(number(1.5e-7, 3), "1.5e-7");
        assert_eq!(number(2e12, 4), "2e12");
        assert_eq!(number(f64::NAN, 3), "NaN");
        assert_eq!(number(0.9996, 3), "1");
    }

    #[test]
    fn durations_choose_their_unit() {
        assert_eq!(duration(0.000_012_3), "12.3 µs");
        assert_eq!(duration(0.25), "250 ms");
        assert_eq!(duration(12.34), "12.3 s");
        assert_eq!(duration(125.0), "2 min 05 s");
        assert_eq!(duration(7260.0), "2 h 01 min");
    }
}
