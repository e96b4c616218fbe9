//! Numbers as XML Schema writes them, and as tools do.

/// A number: `1.5`, `-2E3`, `INF`, `NaN`, with white space around it.
pub fn real(text: &str) -> Option<f64> {
    match text.trim() {
        "INF" | "+INF" => Some(f64::INFINITY),
        "-INF" => Some(f64::NEG_INFINITY),
        other => other.parse().ok(),
    }
}

/// A whole number, with a plus sign too; unsigned ones beyond the largest `i64` keep their bits.
pub fn integer(text: &str) -> Option<i64> {
    let text = text.trim();
    let unsigned = || text.parse::<u64>().ok().map(u64::cast_signed);
    text.parse().ok().or_else(unsigned)
}

/// A truth value in the two spellings of XML Schema, and with a capital as Python and Excel write it.
pub fn boolean(text: &str) -> Option<bool> {
    match text.trim() {
        "true" | "1" | "True" | "TRUE" => Some(true),
        "false" | "0" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_in_the_spellings_of_xml_schema() {
        assert_eq!(real(" 1.5e-3\n"), Some(1.5e-3));
        assert_eq!(real("-INF"), Some(f64::NEG_INFINITY));
        assert!(real("NaN").is_some_and(f64::is_nan));
        assert_eq!(real("1,5"), None);
        assert_eq!(integer("+7"), Some(7));
        assert_eq!(integer("18446744073709551615"), Some(-1));
        assert_eq!(integer("1.0"), None);
        assert_eq!(boolean("1"), Some(true));
        assert_eq!(boolean("yes"), None);
    }
}
