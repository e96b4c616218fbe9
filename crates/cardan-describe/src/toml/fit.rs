//! Is a value what its key wants?

use super::keys::{Key, Kind};
use super::size;
use crate::diagnostic::{Reporter, Span, Spanned, suggest_choice};
use crate::spec::Literal;

/// Is the value what the key wants? If not, says so.
pub(super) fn fits(key: &Key, value: &Spanned<Literal>, reporter: &mut Reporter) -> bool {
    let wanted = match (&key.kind, &value.value) {
        (Kind::Number, literal) if literal.number().is_some() => return is_finite(key, value, reporter),
        (Kind::Positive, literal) if literal.number().is_some() => return is_positive(key, value, reporter),
        (Kind::NotNegative, literal) if literal.number() == Some(0.0) => return true,
        (Kind::NotNegative, literal) if literal.number().is_some() => {
            return is_positive(key, value, reporter);
        }
        (Kind::Limit, Literal::Real(limit)) if *limit == f64::INFINITY => return true,
        (Kind::Limit, literal) if literal.number().is_some() => return is_positive(key, value, reporter),
        (kind @ (Kind::Count | Kind::CountOrNone), Literal::Integer(count)) => {
            let least = i64::from(matches!(kind, Kind::Count));
            if (least..=i64::from(u32::MAX)).contains(count) {
                return true;
            }
            let message = format!(
                "`{}` must be a whole number from {least}, found {count}",
                key.name
            );
            reporter.error(value.span, message);
            return false;
        }
        (Kind::Vector, Literal::Array(items)) => return are_numbers(key, value, items, (3, 3), reporter),
        (Kind::NumberOrNumbers(..), literal) if literal.number().is_some() => {
            return is_finite(key, value, reporter);
        }
        (Kind::Numbers(least, most) | Kind::NumberOrNumbers(least, most), Literal::Array(items)) => {
            return are_numbers(key, value, items, (*least, *most), reporter);
        }
        (Kind::Vectors(count), Literal::Array(items)) => {
            return are_vectors(key, value, items, *count, reporter);
        }
        (Kind::NamedNumbers(least, most), Literal::Table(items)) => {
            let before = reporter.error_count();
            for (_, item) in items {
                if let Some(numbers) = list(key, item, reporter) {
                    are_numbers(key, item, numbers, (*least, *most), reporter);
                }
            }
            return reporter.error_count() == before;
        }
        (Kind::Choice(names), Literal::String(name)) => {
            return is_one_of(key, names, name, value.span, reporter);
        }
        // What is wrong inside a list is left out of it; the rest can still be used.
        (Kind::Texts | Kind::TextOrTexts | Kind::FlagOrTexts, Literal::Array(items)) => {
            complain_unless(key, items, "a string", is_text, reporter);
            return true;
        }
        (Kind::Tables(_), Literal::Array(items)) => {
            complain_unless(key, items, "a table", is_table, reporter);
            return true;
        }
        (Kind::Named(_), Literal::Table(items)) => {
            complain_unless(
                key,
                items.iter().map(|(_, value)| value),
                "a table",
                is_table,
                reporter,
            );
            return true;
        }
        (Kind::Size, literal @ (Literal::Integer(_) | Literal::String(_))) => {
            if size::bytes(literal).is_none() {
                reporter
                    .error(value.span, format!("`{}` is not an amount of memory", key.name))
                    .advice("write it as in \"512 MB\" or \"4 GiB\"");
                return false;
            }
            return true;
        }
        (Kind::Flag | Kind::FlagOrTexts | Kind::FlagOrText, Literal::Boolean(_))
        | (Kind::Text | Kind::TextOrTexts | Kind::FlagOrText | Kind::TextOrTable(_), Literal::String(_))
        | (Kind::Table(_) | Kind::TextOrTable(_) | Kind::Values | Kind::Histories, Literal::Table(_)) => {
            return true;
        }
        (Kind::Number | Kind::Positive | Kind::NotNegative | Kind::Limit, _) => "a number",
        (Kind::Count | Kind::CountOrNone, _) => "a whole number",
        (Kind::Vector, _) => "a list of three numbers",
        (Kind::Numbers(..), _) => "a list of numbers",
        (Kind::NumberOrNumbers(..), _) => "a number or a list of numbers",
        (Kind::Vectors(_), _) => "a list of lists of three numbers",
        (Kind::Flag, _) => "true or false",
        (Kind::Text | Kind::Choice(_), _) => "a string",
        (Kind::Texts, _) => "a list of strings",
        (Kind::TextOrTexts, _) => "a string or a list of strings",
        (Kind::FlagOrTexts, _) => "true, false or a list of strings",
        (Kind::FlagOrText, _) => "true, false or a string",
        (Kind::TextOrTable(_), _) => "a string or a table",
        (Kind::Size, _) => "an amount of memory such as \"4 GB\"",
        (Kind::Tables(_), _) => "a list of tables",
        (Kind::Table(_) | Kind::Named(_) | Kind::NamedNumbers(..) | Kind::Values | Kind::Histories, _) => {
            "a table"
        }
    };
    reporter
        .error(
            value.span,
            format!("`{}`: expected {wanted}, found {}", key.name, value.value.kind()),
        )
        .label(format!("expected {wanted}"));
    false
}

fn are_vectors(
    key: &Key,
    value: &Spanned<Literal>,
    items: &[Spanned<Literal>],
    count: usize,
    reporter: &mut Reporter,
) -> bool {
    if items.len() != count {
        let message = format!("`{}`: expected {count} lists, found {}", key.name, items.len());
        reporter
            .error(value.span, message)
            .advice(format!("`{}` is {}", key.name, key.about));
        return false;
    }
    let before = reporter.error_count();
    for item in items {
        if let Some(numbers) = list(key, item, reporter) {
            are_numbers(key, item, numbers, (3, 3), reporter);
        }
    }
    reporter.error_count() == before
}

/// The items of a list of numbers; says so if it is none.
fn list<'a>(
    key: &Key,
    value: &'a Spanned<Literal>,
    reporter: &mut Reporter,
) -> Option<&'a [Spanned<Literal>]> {
    match &value.value {
        Literal::Array(items) => Some(items),
        other => {
            let message = format!(
                "`{}`: expected a list of numbers, found {}",
                key.name,
                other.kind()
            );
            reporter
                .error(value.span, message)
                .label("expected a list of numbers");
            None
        }
    }
}

fn are_numbers(
    key: &Key,
    value: &Spanned<Literal>,
    items: &[Spanned<Literal>],
    (least, most): (usize, usize),
    reporter: &mut Reporter,
) -> bool {
    if !(least..=most).contains(&items.len()) {
        let wanted = match most - least {
            0 => most.to_string(),
            _ => format!("{least} to {most}"),
        };
        let message = format!("`{}`: expected {wanted} numbers, found {}", key.name, items.len());
        reporter
            .error(value.span, message)
            .advice(format!("`{}` is {}", key.name, key.about));
        return false;
    }
    let before = reporter.error_count();
    complain_unless(
        key,
        items,
        "a number",
        |literal| literal.number().is_some(),
        reporter,
    );
    for item in items.iter().filter(|item| item.value.number().is_some()) {
        is_finite(key, item, reporter);
    }
    reporter.error_count() == before
}

fn is_finite(key: &Key, value: &Spanned<Literal>, reporter: &mut Reporter) -> bool {
    let finite = value.value.number().is_some_and(f64::is_finite);
    if !finite {
        reporter.error(value.span, format!("`{}` must be a finite number", key.name));
    }
    finite
}

fn is_positive(key: &Key, value: &Spanned<Literal>, reporter: &mut Reporter) -> bool {
    let number = value.value.number().unwrap_or_default();
    let positive = number > 0.0;
    if !positive && !number.is_nan() {
        let bound = match key.kind {
            Kind::NotNegative => "must not be below 0",
            _ => "must be greater than 0",
        };
        reporter
            .error(value.span, format!("`{}` {bound}, found {number}", key.name))
            .advice(format!("`{}` is {}", key.name, key.about));
        return false;
    }
    is_finite(key, value, reporter)
}

fn is_one_of(key: &Key, names: &[&str], name: &str, span: Span, reporter: &mut Reporter) -> bool {
    if names.contains(&name) {
        return true;
    }
    reporter
        .error(span, format!("`{}` cannot be `{name}`", key.name))
        .label("unknown choice")
        .advice(suggest_choice(name, names));
    false
}

fn complain_unless<'a>(
    key: &Key,
    items: impl IntoIterator<Item = &'a Spanned<Literal>>,
    wanted: &str,
    is: impl Fn(&Literal) -> bool,
    reporter: &mut Reporter,
) {
    for item in items.into_iter().filter(|item| !is(&item.value)) {
        reporter
            .error(
                item.span,
                format!("`{}`: expected {wanted}, found {}", key.name, item.value.kind()),
            )
            .label(format!("expected {wanted}"));
    }
}

fn is_text(literal: &Literal) -> bool {
    matches!(literal, Literal::String(_))
}

fn is_table(literal: &Literal) -> bool {
    matches!(literal, Literal::Table(_))
}
