//! How many directions there are, and vectors that have as many numbers.

use super::Fields;
use super::keys::SPACES;
use crate::diagnostic::{Reporter, Span, Spanned};
use crate::spec::Literal;

/// Where a mechanism moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Room {
    Plane,
    Space,
    /// What was written is wrong, and has been reported.
    Unknown,
}

/// Axes may be written with a few digits: nobody wants to hear of the rest.
const UNIT: f64 = 1e-3;

/// One that is right to the last digits stays as it was written.
const ROUNDING: f64 = 1e-15;

impl Room {
    pub(super) fn of(fields: &Fields<'_>) -> Self {
        match fields.text("space") {
            Some(space) if SPACES.first().is_some_and(|plane| *plane == space.value) => Room::Plane,
            None if fields.given("space") => Room::Unknown,
            _ => Room::Space,
        }
    }

    /// Where nothing is said about gravity.
    pub(super) fn gravity(self) -> [f64; 3] {
        match self {
            Room::Plane => [0.0, -9.81, 0.0],
            Room::Space | Room::Unknown => [0.0, 0.0, -9.81],
        }
    }

    /// A vector behind a key.
    pub(super) fn vector(self, fields: &Fields<'_>, key: &str, reporter: &mut Reporter) -> Option<[f64; 3]> {
        let numbers = fields.numbers(key)?;
        self.sized(key, &numbers, reporter)
    }

    /// A vector by itself, of numbers that were checked.
    pub(super) fn vector_of(
        self,
        key: &str,
        value: &Spanned<Literal>,
        reporter: &mut Reporter,
    ) -> Option<[f64; 3]> {
        let Literal::Array(items) = &value.value else {
            return None;
        };
        let numbers: Option<Vec<f64>> = items.iter().map(|item| item.value.number()).collect();
        self.sized(key, &Spanned::new(numbers?, value.span), reporter)
    }

    fn sized(self, key: &str, numbers: &Spanned<Vec<f64>>, reporter: &mut Reporter) -> Option<[f64; 3]> {
        let (wanted, advice) = match (self, numbers.value.as_slice()) {
            (Room::Plane | Room::Unknown, [x, y]) => return Some([*x, *y, 0.0]),
            (Room::Space | Room::Unknown, [x, y, z]) => return Some([*x, *y, *z]),
            (Room::Plane, _) => (2, "the mechanism is in a plane, where vectors have two numbers"),
            (Room::Space, _) => (
                3,
                "the mechanism is in space, where vectors have three numbers; for one in a plane write space = \"plane\"",
            ),
            (Room::Unknown, _) => return None,
        };
        let found = numbers.value.len();
        reporter
            .error(
                numbers.span,
                format!("`{key}`: expected {wanted} numbers, found {found}"),
            )
            .label(format!("expected {wanted} numbers"))
            .advice(advice);
        None
    }

    /// A direction behind a key, of length one.
    pub(super) fn direction(
        self,
        fields: &Fields<'_>,
        key: &str,
        reporter: &mut Reporter,
    ) -> Option<[f64; 3]> {
        let span = fields.literal(key)?.span;
        let vector = self.vector(fields, key, reporter)?;
        unit(key, vector, span, reporter)
    }
}

/// The direction of a vector. Says so if it has none, or if it is not of length one.
pub(super) fn unit(key: &str, vector: [f64; 3], span: Span, reporter: &mut Reporter) -> Option<[f64; 3]> {
    // By its largest part first: squares of numbers that are very large or very small are none.
    let largest = vector
        .iter()
        .fold(0.0_f64, |largest, part| largest.max(part.abs()));
    if largest == 0.0 {
        reporter
            .error(span, format!("`{key}` has no direction: all its numbers are 0"))
            .advice("give it one, such as 1 in one place and 0 in the others");
        return None;
    }
    let scaled = vector.map(|part| part / largest);
    let length = scaled.iter().map(|part| part * part).sum::<f64>().sqrt();
    let off = (length * largest - 1.0).abs();
    if off > UNIT {
        reporter
            .warning(span, format!("`{key}` is not of length one, and is made so"))
            .advice("only its direction counts");
    }
    Some(match off < ROUNDING {
        true => vector,
        false => scaled.map(|part| part / length),
    })
}
