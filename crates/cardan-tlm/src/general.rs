//! Numbers in texts: as `%g` of C prints them, and times in messages.

/// A number with so many significant digits, in the shorter of the two notations and without trailing zeros.
pub fn general(number: f64, digits: usize) -> String {
    if !number.is_finite() {
        // As the C library writes them, which is not as Rust does.
        let sign = if number.is_sign_negative() { "-" } else { "" };
        return match number.is_nan() {
            true => format!("{sign}nan"),
            false => format!("{sign}inf"),
        };
    }
    let digits = digits.max(1);
    // Rounding first: 9.9999999 has one digit more before the point than one thinks.
    let scientific = format!("{number:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs());
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    trimmed(&format!("{number:.decimals$}")).to_owned()
}

/// A simulated time as people write it: the shortest text, with at most twelve digits that count. Steps add up to times with
/// noise behind these, such as 0.035500000000000004.
pub fn seconds(time: f64) -> String {
    const DIGITS: usize = 12;
    let rounded: f64 = format!("{time:.*e}", DIGITS - 1).parse().unwrap_or(time);
    rounded.to_string()
}

fn trimmed(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_left_out() {
        assert_eq!(seconds(0.035500000000000004), "0.0355");
        assert_eq!(seconds(0.1 + 0.2), "0.3");
        assert_eq!(seconds(1.0), "1");
        assert_eq!(seconds(1.23456789012), "1.23456789012");
        assert_eq!(seconds(-0.5), "-0.5");
        assert_eq!(seconds(123456.5), "123456.5");
    }

    #[test]
    fn as_the_c_library_prints() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (1.23456789, "1.23457"),
            (123456.0, "123456"),
            (1234567.0, "1.23457e+06"),
            (999999.5, "1e+06"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (0.000099999999, "0.0001"),
            (-3.76119e-16, "-3.76119e-16"),
            (1e100, "1e+100"),
            (0.1 + 0.2, "0.3"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (number, expected) in cases {
            assert_eq!(general(number, 6), expected);
        }
        assert_eq!(general(0.1, 17), "0.10000000000000001");
    }
}
