//! The child's side: reads the system, runs it, tells how it went.

use super::Options;
use super::channel::{FarEnd, News};
use super::prepared::Prepared;
use crate::checkpoint;
use crate::error::DEFECT;
use crate::report::{ErrorReport, Report};
use crate::simulation::{self, Simulation};
use crate::system::System;
use cardan_core::defect;
use cardan_core::record::{Outlet, RowWriter};
use cardan_core::run::Ties;
use cardan_describe::Reporter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

/// The kernel takes whoever is easiest to replace when memory runs out: let it be the run, not whoever saves its results.
const FIRST_TO_GO: &str = "500";

/// All that the child does. Returns its exit code, which says no more than its last message.
pub(super) fn work(path: &Path, options: &Options, board: (Ties, RowWriter), parent: FarEnd) -> i32 {
    defect::watch();
    let mut unstarted = Report::unknown();
    let work = || perform(path, options, board, &parent, &mut unstarted);
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(code) => code,
        Err(cause) => {
            let error = ErrorReport {
                advice: Some(defect::ADVICE.to_owned()),
                ..ErrorReport::plain(defect::described(&*cause, defect::place().as_ref()))
            };
            let report = Box::new(Report {
                error: Some(error),
                ..unstarted
            });
            let _ = parent.tell(&News::Ended {
                report,
                exit_code: DEFECT,
            });
            DEFECT.into()
        }
    }
}

/// The same, with a panic on its way. As soon as it is known, `unstarted` is what there is to say of the run.
fn perform(
    path: &Path,
    options: &Options,
    board: (Ties, RowWriter),
    parent: &FarEnd,
    unstarted: &mut Report,
) -> i32 {
    // Models that print must not spoil what this program answers with; and it is no matter if this fails.
    let _ = cardan_link::process::output_to_errors();
    let _ = std::fs::write("/proc/self/oom_score_adj", FIRST_TO_GO);
    let began = Instant::now();
    let mut reporter = Reporter::new();
    let Some(mut system) = System::load(path, &options.overrides, false, &mut reporter) else {
        let text = reporter.render_all(options.coloured);
        let _ = parent.tell(&News::Refused {
            system: System::name_of(path, &options.overrides),
            diagnostics: reporter.finish(),
            text,
        });
        return 2;
    };
    let kept = checkpoint::Prepared::of(
        &mut system,
        options.checkpoints.as_ref(),
        options.resume.as_deref(),
    );
    let kept = match kept {
        Ok(kept) => kept,
        Err(error) => {
            let (system, message) = (system.spec.name, error.to_string());
            let _ = parent.tell(&News::Unfit { system, message });
            return 2;
        }
    };
    let prepared = Prepared::of(&system, kept.resumed(), reporter, options.coloured);
    *unstarted = system.unstarted();
    if parent.tell(&News::Prepared(Box::new(prepared))).is_err() || !parent.wait() {
        return 2;
    }
    let loading = began.elapsed().as_secs_f64();
    let (ties, rows) = board;
    let options = simulation::Options {
        threads: options.threads,
        ..Default::default()
    };
    let outlet = Some(Outlet::Ring(rows));
    match Simulation::start_tied(system, options, Vec::new(), outlet, ties, kept) {
        Ok(mut simulation) => {
            let mut report = simulation.run();
            report.setup_s += loading;
            let code = report.exit_code;
            // Before anything is unloaded: a model that breaks then breaks nothing any more.
            let _ = parent.tell(&News::Ended {
                report: Box::new(report),
                exit_code: code,
            });
            drop(simulation);
            code.into()
        }
        Err(error) => {
            let exit_code = error.exit_code();
            let report = Box::new(Report {
                error: Some(match error.run_error() {
                    Some(cause) => ErrorReport::from(cause),
                    None => ErrorReport::plain(error.to_string()),
                }),
                setup_s: loading,
                ..unstarted.clone()
            });
            let _ = parent.tell(&News::Ended { report, exit_code });
            exit_code.into()
        }
    }
}
