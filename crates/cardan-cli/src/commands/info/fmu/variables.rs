//! The variables of an FMU, by what they are for.

use super::words;
use crate::console::Paint;
use crate::table::Table;
use crate::text;
use cardan_fmi::ModelDescription;
use cardan_fmi::description::{Causality, Variable};

/// So many of a group are listed without being asked for all.
const SHOWN: usize = 40;
/// Locals are the inside of a model, and often thousands: so few are listed at most.
const LOCALS_SHOWN: usize = 12;
/// So many characters are shown of them.
const START: usize = 24;
const DESCRIPTION: usize = 72;

pub(super) fn groups(description: &ModelDescription, all: bool, paint: Paint) -> String {
    let mut page = String::new();
    for (causality, title) in words::GROUPS {
        let of_group = |variable: &&Variable| variable.causality == causality;
        let members: Vec<&Variable> = description.variables.iter().filter(of_group).collect();
        if !members.is_empty() {
            page += &group(
                description,
                &members,
                title,
                limit(causality, members.len(), all),
                paint,
            );
        }
    }
    page
}

/// How many are listed. A part of the locals tells nothing, so it is all of them or none.
fn limit(causality: Causality, count: usize, all: bool) -> usize {
    match causality {
        _ if all => count,
        Causality::Local if count > LOCALS_SHOWN => 0,
        _ => count.min(SHOWN),
    }
}

fn group(
    description: &ModelDescription,
    members: &[&Variable],
    title: &str,
    limit: usize,
    paint: Paint,
) -> String {
    let count = members.len();
    let rest = match (limit, count - limit) {
        (_, 0) => String::new(),
        (0, _) => ", listed with --all".to_owned(),
        (shown, _) => format!(", the first {shown}; all with --all"),
    };
    let mut page = format!("\n{} ({count}{rest})\n", paint.bold(title));
    if limit == 0 {
        return page;
    }
    let mut table = Table::new(["name", "type", "unit", ">start", "variability", "description"]);
    for variable in &members[..limit] {
        let shape = words::dimensions(variable, &description.variables);
        let mut kind = words::kind(variable.kind, description.version);
        if !shape.is_empty() {
            kind += &format!("[{}]", shape.join(", "));
        }
        let start = variable.start.as_ref().map(|start| text::value(start, 6));
        let start = start.or_else(|| variable.large_start.clone());
        table.row([
            variable.name.clone(),
            kind,
            variable.unit.clone().unwrap_or_default(),
            text::shortened(&start.unwrap_or_default(), START),
            words::variability(variable.variability).to_owned(),
            text::shortened(&remark(variable), DESCRIPTION),
        ]);
    }
    page += &table.render(paint);
    page
}

/// What its author says of it, its choices, and when it ticks.
fn remark(variable: &Variable) -> String {
    let mut remark = variable.description.clone().unwrap_or_default();
    if let Some(clock) = &variable.clock {
        let gap = if remark.is_empty() { "" } else { "; " };
        remark += &format!("{gap}{}", words::ticks(clock));
    }
    if !variable.choices.is_empty() {
        let choices: Vec<String> = variable
            .choices
            .iter()
            .map(|(name, number)| format!("{number} = {name}"))
            .collect();
        let gap = if remark.is_empty() { "" } else { "; " };
        remark += &format!("{gap}{}", choices.join(", "));
    }
    remark
}
