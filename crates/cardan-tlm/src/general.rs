//! Numbers as `%g` of C prints them.

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
