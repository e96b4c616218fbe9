//! `<Connection>`: a line between two interface points.

use super::attributes::{finite, look_for_slips, required, required_finite};
use super::kinds::{Causality, Dimensions};
use super::model::{Connection, MetaModel, OwnSettings};
use crate::diagnostic::{Reporter, Spanned, suggest};
use crate::xml::Element;

pub(super) fn read_all(root: Element<'_>, model: &mut MetaModel, reporter: &mut Reporter) {
    let before = reporter.error_count();
    let mut written = 0;
    for list in root.children_named("Connections") {
        for element in list.children_named("Connection") {
            written += 1;
            if let Some(connection) = read(element, model, reporter) {
                model.connections.push(connection);
            }
        }
    }
    if reporter.error_count() > before {
        return;
    }
    if written == 0 && !model.interfaces.is_empty() {
        reporter.warning(root.span(), "nothing is connected").advice(
            "add <Connections><Connection From=\"a.x\" To=\"b.y\" Delay=\"…\" Zf=\"…\"/></Connections>",
        );
        return;
    }
    for id in 0..model.interfaces.len() {
        if model.connection_of(id).is_none() {
            reporter
                .warning(
                    model.interfaces[id].span,
                    format!("`{}` is not connected", model.interface_name(id)),
                )
                .advice("its tool is told so and goes on without it");
        }
    }
}

fn read(element: Element<'_>, model: &MetaModel, reporter: &mut Reporter) -> Option<Connection> {
    look_for_slips(element, reporter);
    let from = end(element, "From", model, reporter);
    let to = end(element, "To", model, reporter);
    let delay = delay(element, reporter);
    let alpha = alpha(element, reporter);
    let (from, to) = (from?, to?);
    if !fits(element, from, to, model, reporter) {
        return None;
    }
    let one_way = model.interfaces[from].causality != Causality::Bidirectional;
    let in_space = model.interfaces[from].dimensions == Dimensions::Six && !one_way;
    let zf = impedance(element, "Zf", !one_way, reporter);
    let zfr = impedance(element, "Zfr", false, reporter);
    Some(Connection {
        from,
        to,
        delay: delay?,
        zf: zf?,
        zfr: if in_space && element.attribute("Zfr").is_none() {
            zf?
        } else {
            zfr?
        },
        alpha: alpha?,
        own: own(element),
        span: element.span(),
    })
}

/// An end of a connection: `sub_model.interface`, split at the first dot.
fn end(element: Element<'_>, name: &str, model: &MetaModel, reporter: &mut Reporter) -> Option<usize> {
    let written = required(element, name, reporter)?;
    let Some((sub_model, interface)) = written.value.split_once('.') else {
        reporter
            .error(
                written.span,
                format!("`{}` is not the end of a connection", written.value),
            )
            .advice("write sub-model.interface, with a dot between");
        return None;
    };
    let Some(number) = model.sub_model(sub_model) else {
        // It may be the one whose name is missing, which has been told.
        if model.sub_models.iter().any(|s| s.name.is_empty()) {
            return None;
        }
        let names = model.sub_models.iter().map(|s| s.name.as_str());
        let advice = advice(reporter, || suggest(sub_model, "sub-models", names));
        let place = reporter.within(&written, 0..sub_model.len());
        reporter
            .error(place, format!("there is no sub-model `{sub_model}`"))
            .advice(advice);
        return None;
    };
    let Some(id) = model.interface(number, interface) else {
        let own = model.sub_models[number].interfaces.clone();
        if own.clone().any(|id| model.interfaces[id].name.is_empty()) {
            return None;
        }
        let names = own.map(|id| model.interfaces[id].name.as_str());
        let advice = advice(reporter, || suggest(interface, "interface points", names));
        let place = reporter.within(&written, sub_model.len() + 1..written.value.len());
        reporter
            .error(
                place,
                format!("sub-model `{sub_model}` has no interface point `{interface}`"),
            )
            .advice(advice);
        return None;
    };
    Some(id)
}

/// A search for similar names is not worth it where nobody will see the result.
fn advice(reporter: &Reporter, search: impl FnOnce() -> String) -> String {
    match reporter.is_full() {
        true => String::new(),
        false => search(),
    }
}

/// Can these two be connected?
fn fits(element: Element<'_>, from: usize, to: usize, model: &MetaModel, reporter: &mut Reporter) -> bool {
    let before = reporter.error_count();
    let (name, other) = (model.interface_name(from), model.interface_name(to));
    if from == to {
        reporter
            .error(element.span(), format!("`{name}` is connected to itself"))
            .advice("a line has two ends");
        return false;
    }
    for (id, name) in [(from, &name), (to, &other)] {
        if let Some(first) = model.connection_of(id) {
            reporter
                .error(element.span(), format!("`{name}` is connected twice"))
                .label("connected again here")
                .related(first.span, "first connected here")
                .advice("an interface point is the end of one line: remove one, or add an interface point");
        }
    }
    let (a, b) = (&model.interfaces[from], &model.interfaces[to]);
    let pair = matches!(
        (a.causality, b.causality),
        (Causality::Bidirectional, Causality::Bidirectional)
            | (Causality::Input, Causality::Output)
            | (Causality::Output, Causality::Input)
    );
    if !pair {
        reporter
            .error(
                element.span(),
                format!(
                    "`{name}` ({}) does not fit `{other}` ({})",
                    a.causality, b.causality
                ),
            )
            .related(a.span, "one end")
            .related(b.span, "the other end")
            .advice("connect an output with an input, or two that are bidirectional");
    } else if a.causality == Causality::Bidirectional && a.dimensions != b.dimensions {
        reporter
            .error(
                element.span(),
                format!(
                    "`{name}` has {} and `{other}` {} degrees of freedom",
                    a.dimensions, b.dimensions
                ),
            )
            .related(a.span, "one end")
            .related(b.span, "the other end")
            .advice("give both the same `Dimensions`; without it there are 6");
    }
    if pair && a.domain != b.domain {
        reporter
            .warning(
                element.span(),
                format!("`{name}` is {} and `{other}` is {}", a.domain, b.domain),
            )
            .related(a.span, "one end")
            .related(b.span, "the other end")
            .advice("give both the same `Domain`: hydraulic ends have another sign than all others");
    }
    reporter.error_count() == before
}

fn delay(element: Element<'_>, reporter: &mut Reporter) -> Option<f64> {
    let delay = required_finite(element, "Delay", reporter)?;
    if delay.value <= 0.0 {
        reporter
            .error(
                delay.span,
                format!("`Delay` must be above 0, found {}", delay.value),
            )
            .advice(
                "the delay is what lets both ends go their own way: a length divided by the speed of sound",
            );
        return None;
    }
    Some(delay.value)
}

fn impedance(element: Element<'_>, name: &str, needed: bool, reporter: &mut Reporter) -> Option<f64> {
    let written = match needed {
        true => required_finite(element, name, reporter)?,
        false if element.attribute(name).is_none() => return Some(0.0),
        false => finite(element, name, reporter)?,
    };
    if written.value < 0.0 || (needed && written.value == 0.0) {
        reporter
            .error(
                written.span,
                format!("`{name}` must be greater than 0, found {}", written.value),
            )
            .advice("without impedance a line carries nothing, and below 0 it feeds energy into both ends");
        return None;
    }
    Some(written.value)
}

fn alpha(element: Element<'_>, reporter: &mut Reporter) -> Option<f64> {
    if element.attribute("alpha").is_none() {
        return Some(0.0);
    }
    let alpha = finite(element, "alpha", reporter)?;
    if !(0.0..1.0).contains(&alpha.value) {
        reporter
            .error(
                alpha.span,
                format!("`alpha` must be from 0 to below 1, found {}", alpha.value),
            )
            .advice("0 is no damping; 0.2 is a usual value");
        return None;
    }
    Some(alpha.value)
}

fn own(element: Element<'_>) -> OwnSettings {
    let text = |name| -> Option<Spanned<String>> { Some(element.attribute(name)?.map(str::to_owned)) };
    OwnSettings {
        compensate: text("Compensate"),
        filter: text("Filter"),
        interpolation: text("Interpolation"),
        start: text("Start"),
    }
}

/// Warns of what a connection asks for that is done by runs in one process alone: clients of a manager bring their own
/// arithmetic, and the wire has no message for this.
pub fn warn_between_processes(model: &MetaModel, reporter: &mut Reporter) {
    for connection in &model.connections {
        let own = &connection.own;
        let settings = [
            ("Compensate", &own.compensate, "0"),
            ("Filter", &own.filter, "lengthening"),
            ("Interpolation", &own.interpolation, "linear"),
            ("Start", &own.start, "empty"),
        ];
        for (name, written, usual) in settings {
            let Some(written) = written.as_ref() else { continue };
            let word = written.value.trim().to_lowercase();
            if word == usual || (name == "Compensate" && word == "false") {
                continue;
            }
            reporter
                .warning(
                    written.span,
                    format!("`{name}` is ignored between processes, where each tool brings its own arithmetic"),
                )
                .advice(
                    "`cardan run` does it, where all sub-models are StartCommand=\"cardan\"; or remove the attribute",
                );
        }
    }
}
