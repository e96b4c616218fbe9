//! `<SimulationParams>`.

use super::attributes::{finite, look_for_slips, required_finite};
use super::model::{MetaModel, Simulation};
use crate::diagnostic::{Reporter, Severity};
use crate::xml::Element;

/// Where tools reach a manager whose meta-model names no port.
pub const DEFAULT_PORT: u16 = 11111;

/// Rows that a monitor writes where the meta-model does not say how far apart they are.
const ROWS: f64 = 1000.0;

pub(super) fn read(root: Element<'_>, model: &mut MetaModel, reporter: &mut Reporter) {
    let Some(element) = root.child("SimulationParams") else {
        reporter
            .error(root.span(), "the meta-model has no <SimulationParams>")
            .advice("add <SimulationParams StartTime=\"0\" StopTime=\"1\"/>");
        return;
    };
    look_for_slips(element, reporter);
    let start = required_finite(element, "StartTime", reporter);
    let stop = required_finite(element, "StopTime", reporter);
    if let (Some(start), Some(stop)) = (start, stop)
        && stop.value <= start.value
    {
        reporter
            .error(
                stop.span,
                format!(
                    "`StopTime` ({}) must be after `StartTime` ({})",
                    stop.value, start.value
                ),
            )
            .related(start.span, "the start");
    }
    let (start, stop) = (start.map_or(0.0, |s| s.value), stop.map_or(0.0, |s| s.value));
    let write_step = finite(element, "WriteTimeStep", reporter);
    if let Some(wrong) = write_step.filter(|step| step.value <= 0.0) {
        reporter.error(
            wrong.span,
            format!("`WriteTimeStep` must be above 0, found {}", wrong.value),
        );
    }
    model.simulation = Simulation {
        start,
        stop,
        manager_port: port(element, reporter),
        write_step: write_step.map_or((stop - start) / ROWS, |step| step.value),
        span: element.span(),
    };
}

fn port(element: Element<'_>, reporter: &mut Reporter) -> u16 {
    let Some(written) = element.integer("ManagerPort", Severity::Error, reporter) else {
        return DEFAULT_PORT;
    };
    match u16::try_from(written.value) {
        Ok(port) if port > 0 => port,
        _ => {
            reporter
                .error(
                    written.span,
                    format!("`ManagerPort` must be from 1 to 65535, found {}", written.value),
                )
                .advice(format!("leave it out for {DEFAULT_PORT}"));
            DEFAULT_PORT
        }
    }
}
