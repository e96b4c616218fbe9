//! Which reading a connection gets.

use super::Scope;
use crate::diagnostic::Reporter;
use crate::spec::{ConnectionSpec, MethodKind};
use cardan_core::form::Form;
use cardan_core::graph::Endpoint;
use cardan_core::interface::{Port, Variability};
use cardan_core::signal::Reading;
use cardan_core::value::ValueType;

/// The connection's own, else what suits the output, else what is usual for it or by the method, else Hermite where steps are
/// chosen, repeated or everybody's own, else hold.
pub(super) fn choose(
    scope: &Scope<'_>,
    spec: &ConnectionSpec,
    from: Endpoint,
    source: &Port,
    reporter: &mut Reporter,
) -> Reading {
    // One element of a quaternion is just a number.
    let rotation = source.form == Form::Rotation && from.element.is_none();
    let real = source.value_type == ValueType::Real;
    let glued = scope
        .spec
        .method
        .kind
        .is_some_and(|kind| kind.value == MethodKind::Glue);
    let Some(chosen) = spec.reading else {
        let usual = spec.usual_reading;
        return match usual.or(scope.spec.method.reading.map(|reading| reading.value)) {
            _ if !real || source.variability == Variability::Discrete => Reading::Hold,
            _ if rotation => Reading::Slerp,
            // Slerp as the default of all is reported with the method.
            Some(default) if !default.turns() => default,
            _ if scope.spec.method.chooses_steps() || scope.spec.method.repeats_steps() => Reading::Hermite,
            _ if glued => Reading::Hermite,
            _ => Reading::Hold,
        };
    };
    let name = scope.name_of(from);
    if glued && source.variability == Variability::Discrete && chosen.value != Reading::Hold {
        reporter
            .warning(
                chosen.span,
                format!("`{name}` is discrete: the glue holds its values, and does not smooth them"),
            )
            .advice("leave `reading` out");
        return Reading::Hold;
    }
    match chosen.value {
        Reading::Hold => {}
        _ if !real => {
            reporter
                .error(
                    chosen.span,
                    format!("`{name}` is {}: it can only be held", source.value_type),
                )
                .advice("leave `reading` out, or choose hold");
        }
        reading if reading.turns() && !rotation => {
            reporter
                .error(
                    chosen.span,
                    format!("`{name}` is not a rotation, so it cannot be read by {reading}"),
                )
                .advice(format!("choose {}", of_numbers()));
        }
        reading if rotation && !reading.turns() => {
            reporter
                .error(
                    chosen.span,
                    format!("`{name}` is a rotation: a `{reading}` reading would leave the unit sphere"),
                )
                .advice("leave `reading` out: rotations are read by slerp, or choose hold");
        }
        _ => {}
    }
    chosen.value
}

/// The names of the readings that are not for rotations.
fn of_numbers() -> String {
    let all = Reading::NAMES.iter().copied();
    let mut names: Vec<&str> = all
        .filter(|name| name.parse().is_ok_and(|reading: Reading| !reading.turns()))
        .collect();
    let last = names.pop().unwrap_or_default();
    format!("{} or {last}", names.join(", "))
}
