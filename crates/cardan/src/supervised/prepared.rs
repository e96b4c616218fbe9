//! What is known of a run before its first step.

use crate::checkpoint::Resumed;
use crate::report::Report;
use crate::system::System;
use cardan_core::record::{Column, Schema};
use cardan_core::value::ValueType;
use cardan_describe::{Diagnostic, Reporter};
use cardan_record::scene;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What is known of a run before its first step.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Prepared {
    /// The name of the system.
    pub system: String,
    /// The method, in words.
    pub method: String,
    /// The first and the last instant.
    pub window: (f64, f64),
    /// The communication step; the longest where steps are chosen.
    pub step: f64,
    /// Method and steps, in words.
    pub pace: String,
    /// Why the method was chosen, where the user left it open.
    pub reason: Option<String>,
    /// The participants, in the order of the description.
    pub participants: Vec<String>,
    /// What was noticed in the description.
    pub diagnostics: Vec<Diagnostic>,
    /// The same, drawn for people.
    pub notices: String,
    /// Files that components read, with the component's name: results must not go there.
    pub reads: Vec<(String, PathBuf)>,
    /// Where the run goes on, if not at its start.
    pub resumed: Option<Resumed>,
    /// Mechanisms that are to be drawn; a file beside the results tells of them.
    pub scenes: Vec<scene::Mechanism>,
    pub(super) call_limits: Vec<Option<f64>>,
    pub(super) memory_limit: Option<u64>,
    columns: Vec<(String, u8, Option<String>, String)>,
    settings: Vec<(String, String)>,
}

impl Prepared {
    pub(super) fn of(system: &System, resumed: Option<Resumed>, reporter: Reporter, coloured: bool) -> Self {
        let schema = &system.plan.columns.schema;
        let columns = schema.columns.iter().map(|column| {
            (
                column.name.clone(),
                column.value_type.number(),
                column.unit.clone(),
                column.description.clone(),
            )
        });
        let window = &system.plan.window;
        Prepared {
            system: system.spec.name.clone(),
            method: system.plan.method.name(),
            window: (window.start.seconds(), window.stop.seconds()),
            step: system.setup.step,
            pace: system.setup.pace(),
            reason: system.reason.clone(),
            participants: system.plan.seats.iter().map(|seat| seat.name.clone()).collect(),
            notices: reporter.render_all(coloured),
            diagnostics: reporter.finish(),
            reads: system.files_read(),
            resumed,
            scenes: system.scenes.clone(),
            call_limits: system.call_limits(),
            memory_limit: system.spec.limits.memory.as_ref().map(|limit| limit.value),
            columns: columns.collect(),
            settings: schema.settings.clone(),
        }
    }

    /// The columns of the results.
    pub fn schema(&self) -> Schema {
        let columns = self
            .columns
            .iter()
            .map(|(name, value_type, unit, description)| Column {
                name: name.clone(),
                value_type: ValueType::numbered(*value_type).unwrap_or(ValueType::Real),
                unit: unit.clone(),
                description: description.clone(),
            });
        Schema {
            system: self.system.clone(),
            columns: columns.collect(),
            settings: self.settings.clone(),
        }
    }

    /// The instant from which the run goes.
    pub fn begin(&self) -> f64 {
        self.resumed.map_or(self.window.0, |resumed| resumed.time)
    }

    /// The report of a run that came to nothing.
    pub(super) fn report(&self) -> Report {
        Report {
            system: self.system.clone(),
            method: self.method.clone(),
            time: self.begin(),
            resumed_from: self.resumed.map(|resumed| resumed.time),
            components: self
                .participants
                .iter()
                .map(|name| (name.clone(), Default::default()))
                .collect(),
            ..Report::unknown()
        }
    }
}
