//! Numbers and names as people read them.

use cardan::Value;
use std::path::Path;

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

/// A value of a variable, a single real with few digits.
pub(crate) fn value(value: &Value, digits: usize) -> String {
    match value.as_real() {
        Some(real) => number(real, digits),
        None => value.to_string(),
    }
}

/// A path as one word of a command line.
pub(crate) fn word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "-_./+,:@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// "1 step", "2 steps".
pub(crate) fn count(number: u64, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {what}{ending}")
}

/// Items one after the other with commas, in lines of at most `width` characters where the items allow it.
pub(crate) fn flowing(items: &[String], width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for (index, item) in items.iter().enumerate() {
        let comma = if index + 1 < items.len() { "," } else { "" };
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 0 && last + 1 + item.chars().count() + comma.len() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            let space = if line.is_empty() { "" } else { " " };
            line.push_str(&format!("{space}{item}{comma}"));
        }
    }
    lines
}

/// The first line of a text, and of that so many characters.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    if line.chars().count() <= most {
        return line.to_owned();
    }
    let start: String = line.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", start.trim_end())
}

/// Each line pushed in by two spaces.
pub(crate) fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// Names in a row, a long list in part.
pub(crate) fn listed(names: &[String]) -> String {
    const MOST: usize = 8;
    let mut shown: Vec<String> = names.iter().take(MOST).cloned().collect();
    if names.len() > MOST {
        shown.push(format!("{} more", names.len() - MOST));
    }
    shown.join(", ")
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
    fn lists_flow_into_lines() {
        let items = ["alpha", "beta", "gamma"].map(str::to_owned);
        assert_eq!(flowing(&items, 80), ["alpha, beta, gamma"]);
        assert_eq!(flowing(&items, 12), ["alpha, beta,", "gamma"]);
        assert_eq!(flowing(&items, 1), ["alpha,", "beta,", "gamma"]);
    }

    #[test]
    fn long_texts_are_shortened() {
        assert_eq!(shortened("a mass", 6), "a mass");
        assert_eq!(shortened("a mass\nand more", 6), "a mass");
        assert_eq!(shortened("größere Masse", 9), "größere…");
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
