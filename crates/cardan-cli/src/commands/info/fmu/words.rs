//! The standard's notions in words for people.

use cardan_fmi::description::{
    Causality, ClockInterval, ClockProperties, CoSimulation, Dimension, Initial, Kind, ModelExchange, Usage,
    Variability, Variable, Version,
};

/// The groups in which variables are shown, in this order.
pub(super) const GROUPS: [(Causality, &str); 7] = [
    (Causality::Input, "Inputs"),
    (Causality::Output, "Outputs"),
    (Causality::Parameter, "Parameters"),
    (Causality::StructuralParameter, "Structural parameters"),
    (Causality::CalculatedParameter, "Calculated parameters"),
    (Causality::Independent, "Independent"),
    (Causality::Local, "Locals"),
];

/// As the standard writes it.
pub(super) fn causality(causality: Causality) -> &'static str {
    match causality {
        Causality::Input => "input",
        Causality::Output => "output",
        Causality::Parameter => "parameter",
        Causality::StructuralParameter => "structuralParameter",
        Causality::CalculatedParameter => "calculatedParameter",
        Causality::Independent => "independent",
        Causality::Local => "local",
    }
}

/// As the standard writes it.
pub(super) fn variability(variability: Variability) -> &'static str {
    match variability {
        Variability::Constant => "constant",
        Variability::Fixed => "fixed",
        Variability::Tunable => "tunable",
        Variability::Discrete => "discrete",
        Variability::Continuous => "continuous",
    }
}

/// As the standard writes it.
pub(super) fn initial(initial: Initial) -> &'static str {
    match initial {
        Initial::Exact => "exact",
        Initial::Approx => "approx",
        Initial::Calculated => "calculated",
    }
}

/// A type by its name in that version of the standard.
pub(super) fn kind(kind: Kind, version: Version) -> String {
    match (version, kind) {
        (Version::V2, Kind::Float64) => "Real".to_owned(),
        (Version::V2, Kind::Int32) => "Integer".to_owned(),
        (_, kind) => format!("{kind:?}"),
    }
}

/// The sizes of an array; those that a parameter gives, by its name.
pub(super) fn dimensions(variable: &Variable, variables: &[Variable]) -> Vec<String> {
    let sizes = variable.dimensions.iter();
    sizes
        .map(|dimension| match dimension {
            Dimension::Fixed(size) => size.to_string(),
            Dimension::By(index) => variables.get(*index).map_or("?", |v| &v.name).to_owned(),
        })
        .collect()
}

/// What can be done with it in co-simulation.
pub(super) fn of_co_simulation(offer: &CoSimulation) -> Vec<String> {
    let mut words = vec![match offer.variable_step {
        true => "steps of any size".to_owned(),
        false => "steps of one size only".to_owned(),
    }];
    if let Some(step) = offer.fixed_internal_step {
        words.push(format!("its own solver steps by {step} s"));
    }
    let order = offer.output_derivative_order;
    let flags = [
        (offer.interpolates_inputs, "takes derivatives of inputs"),
        (order == 1, "gives derivatives of outputs"),
        (offer.event_mode, "has an event mode"),
        (offer.returns_early, "may end a step early"),
        (
            offer.intermediate_update,
            "shows its inner steps and takes inputs there",
        ),
    ];
    words.extend(said(&flags));
    if order > 1 {
        words.push(format!("gives derivatives of outputs up to order {order}"));
    }
    words.extend(of_usage(&offer.usage));
    words
}

/// What can be done with it in model exchange.
pub(super) fn of_model_exchange(offer: &ModelExchange) -> Vec<String> {
    let completed = offer.needs_completed_step;
    let mut words = said(&[(completed, "wants to be told of completed steps")]);
    words.extend(of_usage(&offer.usage));
    words
}

fn of_usage(usage: &Usage) -> Vec<String> {
    let bytes = usage.saves_state && usage.serializes_state;
    said(&[
        (usage.saves_state && !bytes, "goes back to saved states"),
        (bytes, "goes back to saved states (as bytes too)"),
        (!usage.saves_state, "cannot go back"),
        (usage.directional_derivatives, "gives directional derivatives"),
        (usage.once_per_process, "one instance in a process only"),
        (usage.needs_execution_tool, "needs the tool that made it"),
    ])
}

fn said(flags: &[(bool, &str)]) -> Vec<String> {
    let set = flags.iter().filter(|(set, _)| *set);
    set.map(|(_, words)| (*words).to_owned()).collect()
}

/// When a clock ticks.
pub(super) fn ticks(clock: &ClockProperties) -> String {
    let kind = format!("{:?}", clock.interval_variability).to_lowercase();
    let mut words = vec![match clock.interval_variability {
        ClockInterval::Triggered => "ticks when it is triggered".to_owned(),
        ClockInterval::Countdown => "ticks once, after a countdown".to_owned(),
        _ => format!("{kind} interval"),
    }];
    if let Some(interval) = clock.interval {
        words.push(format!("every {interval} s"));
    }
    if clock.shift != 0.0 {
        words.push(format!("first after {} s", clock.shift));
    }
    words.join(", ")
}
