//! Amounts of memory.

use crate::spec::Literal;

/// The bytes that `4000000` or `"4 GB"` mean, if that is an amount of memory at all.
pub(super) fn bytes(literal: &Literal) -> Option<u64> {
    match literal {
        Literal::Integer(bytes) => u64::try_from(*bytes).ok().filter(|b| *b > 0),
        Literal::String(text) => {
            let text = text.trim();
            let digits = text
                .find(|c: char| c != '.' && !c.is_ascii_digit())
                .unwrap_or(text.len());
            let amount: f64 = text.get(..digits)?.parse().ok()?;
            let bytes = amount * factor(text.get(digits..)?.trim())?;
            (bytes >= 1.0 && bytes < u64::MAX as f64).then_some(bytes as u64)
        }
        _ => None,
    }
}

fn factor(unit: &str) -> Option<f64> {
    let (letter, base) = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => return Some(1.0),
        "kb" | "k" => (1, 1000.0_f64),
        "mb" | "m" => (2, 1000.0),
        "gb" | "g" => (3, 1000.0),
        "tb" | "t" => (4, 1000.0),
        "kib" => (1, 1024.0),
        "mib" => (2, 1024.0),
        "gib" => (3, 1024.0),
        "tib" => (4, 1024.0),
        _ => return None,
    };
    Some(base.powi(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts() {
        let of = |text: &str| bytes(&Literal::String(text.into()));
        assert_eq!(of("4 GB"), Some(4_000_000_000));
        assert_eq!(of("1.5GiB"), Some(1_610_612_736));
        assert_eq!(of("512"), Some(512));
        assert_eq!(of("0 GB"), None);
        assert_eq!(of("4 GHz"), None);
        assert_eq!(of("much"), None);
        assert_eq!(bytes(&Literal::Integer(-1)), None);
    }
}
