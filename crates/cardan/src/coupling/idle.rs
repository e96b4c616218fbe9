//! Keys under `[method]` that mean nothing to the method that was chosen.

use cardan_core::method::{Acceleration, Sweep};
use cardan_describe::spec::MethodSpec;
use cardan_describe::{Reporter, Span, SystemSpec};

/// The methods, as far as their keys differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Steps of a given length, taken once.
    Fixed,
    /// The same, repeated.
    Repeated,
    /// Steps that follow from a tolerance, repeated or not.
    Chosen,
    /// One leads, the others follow.
    Glue,
    /// As far ahead as lines allow.
    Lines,
}

/// The method that was chosen.
#[derive(Clone, Copy)]
pub(super) struct Chosen {
    pub(super) kind: Kind,
    pub(super) sweep: Sweep,
    /// Where steps are repeated.
    pub(super) acceleration: Option<Acceleration>,
}

/// Who uses a key.
#[derive(Clone, Copy)]
enum Users {
    /// All methods that this says yes for.
    Some(fn(Chosen) -> bool),
    /// Nobody but the glue.
    Glue,
    /// Nobody but steps that are repeated, with a certain accelerator; and how to get that.
    Repeated(fn(Acceleration) -> bool, &'static str),
}

struct Key {
    name: &'static str,
    given: fn(&MethodSpec) -> Option<Span>,
    users: Users,
}

macro_rules! key {
    ($name:ident, $users:expr) => {
        Key {
            name: stringify!($name),
            given: |method| method.$name.as_ref().map(|given| given.span),
            users: $users,
        }
    };
}

const ITERATED: &str = "kind = \"iterated\"";

/// A new key of a method gets a row here.
const KEYS: &[Key] = &[
    key!(step, Users::Some(|chosen| chosen.kind != Kind::Glue)),
    key!(tolerance, Users::Some(is_judged)),
    key!(absolute, Users::Some(is_judged)),
    key!(
        min_step,
        Users::Some(|chosen| matches!(chosen.kind, Kind::Chosen | Kind::Glue))
    ),
    key!(
        max_step,
        Users::Some(|chosen| matches!(chosen.kind, Kind::Chosen | Kind::Glue))
    ),
    key!(estimator, Users::Some(|chosen| chosen.kind == Kind::Chosen)),
    key!(scheme, Users::Some(is_judged)),
    key!(
        correction,
        Users::Some(|chosen| !matches!(chosen.kind, Kind::Glue | Kind::Lines))
    ),
    key!(
        order,
        Users::Some(|chosen| chosen.kind != Kind::Lines && chosen.sweep != Sweep::Jacobi)
    ),
    key!(tangent, Users::Glue),
    key!(ahead, Users::Glue),
    key!(force_absolute_error, Users::Glue),
    key!(force_relative_error, Users::Glue),
    key!(reject, Users::Glue),
    key!(accelerator, Users::Repeated(|_| true, ITERATED)),
    key!(max_iterations, Users::Repeated(|_| true, ITERATED)),
    key!(
        relaxation,
        Users::Repeated(
            |chosen| matches!(chosen, Acceleration::FixedPoint { .. }),
            "accelerator = \"fixed-point\""
        )
    ),
    key!(
        reuse,
        Users::Repeated(
            |chosen| matches!(chosen, Acceleration::IqnIls { .. }),
            "accelerator = \"iqn-ils\""
        )
    ),
];

fn is_judged(chosen: Chosen) -> bool {
    matches!(chosen.kind, Kind::Chosen | Kind::Repeated)
}

/// Warns of every key that was given and is not used.
pub(super) fn warn(spec: &SystemSpec, chosen: Chosen, reporter: &mut Reporter) {
    for key in KEYS {
        let Some(span) = (key.given)(&spec.method) else {
            continue;
        };
        match key.users {
            Users::Some(uses) if !uses(chosen) => {
                let (message, advice) = unused(chosen, key.name);
                reporter.warning(span, message).advice(advice);
            }
            Users::Glue if chosen.kind != Kind::Glue => only_the_glue(key.name, span, reporter),
            Users::Repeated(uses, whose) if !chosen.acceleration.is_some_and(uses) => {
                reporter
                    .warning(span, format!("`{}` has no effect here", key.name))
                    .advice(format!("it belongs to {whose}"));
            }
            Users::Some(_) | Users::Glue | Users::Repeated(..) => {}
        }
    }
    if chosen.kind != Kind::Glue {
        let roles = spec.components.iter().filter_map(|c| c.role.as_ref());
        roles.for_each(|role| only_the_glue("role", role.span, reporter));
    }
}

fn only_the_glue(key: &str, span: Span, reporter: &mut Reporter) {
    reporter
        .warning(span, format!("only the glue uses `{key}`"))
        .advice("leave it out, or take kind = \"glue\" under [method]");
}

/// What is wrong with a key that others use, and what to do.
fn unused(chosen: Chosen, key: &str) -> (String, &'static str) {
    const OWN: &str = "steps and tolerances belong to components: `step`, `solver`";
    match chosen.kind {
        Kind::Fixed | Kind::Repeated | Kind::Chosen if key == "order" => (
            "jacobi steps all components at once and does not use `order`".to_owned(),
            "leave it out, or take kind = \"gauss-seidel\"",
        ),
        Kind::Fixed => (
            format!("{} has a fixed step and does not use `{key}`", chosen.sweep),
            "choose the accuracy with `step`, or take kind = \"adaptive\"",
        ),
        Kind::Repeated => (
            format!("iterated with `step` has a fixed step and does not use `{key}`"),
            "leave `step` out, and it is chosen by the tolerance",
        ),
        Kind::Chosen => (
            format!("`{key}` has no effect where steps are chosen"),
            "leave it out",
        ),
        Kind::Glue => (
            format!("the glue does not use `{key}`: everybody goes at its own steps"),
            OWN,
        ),
        Kind::Lines => (
            format!("with lines `{key}` is not used: everybody goes at its own steps"),
            "steps belong to components: `step`, `solver`",
        ),
    }
}
