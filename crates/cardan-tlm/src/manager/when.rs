//! Simulated times in messages.

/// Digits that count. Steps add up to times with noise behind these, such as 0.035500000000000004.
const DIGITS: usize = 12;

/// A time as people write it: the shortest text, with at most twelve digits that count.
pub fn seconds(time: f64) -> String {
    let rounded: f64 = format!("{time:.*e}", DIGITS - 1).parse().unwrap_or(time);
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn noise_is_left_out() {
        assert_eq!(seconds(0.035500000000000004), "0.0355");
        assert_eq!(seconds(0.1 + 0.2), "0.3");
        assert_eq!(seconds(1.0), "1");
        assert_eq!(seconds(1.23456789012), "1.23456789012");
        assert_eq!(seconds(-0.5), "-0.5");
        assert_eq!(seconds(123456.5), "123456.5");
    }
}
