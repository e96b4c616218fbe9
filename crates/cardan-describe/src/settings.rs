//! Checks that need the whole of the settings, made when the command line has had its say.

use crate::diagnostic::{Reporter, Source, Spanned};
use crate::spec::SystemSpec;
use std::ffi::OsStr;
use std::path::Path;

/// A step that exceeds the run by rounding only is no mistake.
const SLACK: f64 = 1.0 + 1e-9;

impl SystemSpec {
    /// Reports what does not fit together: a missing or early stop, steps longer than the run.
    pub fn check_settings(&self, reporter: &mut Reporter) {
        let Some(stop) = self.stop else {
            if !self.broken && !self.stop_rejected {
                let source = reporter.source(self.span.source).map(Source::path);
                let advice = match source.and_then(Path::extension).and_then(OsStr::to_str) {
                    Some("ssd") => "add `stopTime` to <DefaultExperiment>, or give --stop",
                    Some("xml") => "add <EndTime> (seconds), or give --stop",
                    _ => "add `stop = …` (seconds) to [system], or give --stop",
                };
                reporter
                    .error(self.span, "it is not said when to stop")
                    .advice(advice);
            }
            return;
        };
        let start = self.start_time();
        if stop.value <= start {
            let message = format!(
                "the stop ({} s) must come after the start ({start} s)",
                stop.value
            );
            let diagnostic = reporter.error(stop.span, message);
            diagnostic.advice(format!("give a stop greater than {start}"));
            if let Some(start) = self.start {
                diagnostic.related(start.span, "the start");
            }
            return;
        }
        let run = stop.value - start;
        let step = |step: Option<Spanned<f64>>, reporter: &mut Reporter| {
            if let Some(step) = step.filter(|step| step.value > run * SLACK) {
                reporter
                    .error(
                        step.span,
                        format!("the step ({} s) is longer than the run ({run} s)", step.value),
                    )
                    .advice(format!("give a step of at most {run}"));
            }
        };
        step(self.method.step, reporter);
        for component in &self.components {
            step(component.step, reporter);
        }
        if let Some(every) = self.record.every.filter(|every| every.value > run * SLACK) {
            reporter
                .warning(
                    every.span,
                    format!("rows every {} s: only the start is kept", every.value),
                )
                .advice(format!("the run lasts {run} s"));
        }
    }
}
