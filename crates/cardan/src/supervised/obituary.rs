//! What to say of a run whose process has ended: who, which call, when, why, and what to do.

use super::Verdict;
use super::limits::Excess;
use super::prepared::Prepared;
use crate::report::{ErrorReport, Report, WarningReport};
use cardan_core::flight::Sighting;
use cardan_link::process::End;

const FAILED: u8 = 3;
const INTERRUPTED: u8 = 130;

/// What was found where the process ended.
pub(super) struct Scene<'a> {
    pub(super) end: End,
    /// Why it was ended, if we did it.
    pub(super) verdict: Option<Verdict>,
    /// What it was doing.
    pub(super) seen: Option<Sighting>,
    /// None if it had not even read the system.
    pub(super) prepared: Option<&'a Prepared>,
    /// Did the kernel kill some process for lack of memory meanwhile?
    pub(super) kernel_killed: bool,
}

impl Scene<'_> {
    /// The failure, and the exit code that goes with it.
    pub(super) fn describe(&self) -> (ErrorReport, u8) {
        let seen = match self.verdict {
            Some(Verdict::Excess(Excess::Call { seen, .. })) => Some(seen),
            _ => self.seen,
        };
        let participant = seen.and_then(|seen| {
            let names = &self.prepared?.participants;
            names.get(seen.participant?.index()).cloned()
        });
        let (message, advice) = self.words(participant.is_some());
        let error = ErrorReport {
            call: seen
                .map(|seen| seen.call.to_string())
                .filter(|_| participant.is_some()),
            time: seen
                .map(|seen| seen.time.seconds())
                .filter(|_| participant.is_some()),
            participant,
            message,
            advice: Some(advice),
        };
        let interrupted = matches!(self.verdict, Some(Verdict::Impatience));
        (error, if interrupted { INTERRUPTED } else { FAILED })
    }

    fn words(&self, in_a_call: bool) -> (String, String) {
        const KEPT: &str = "the results up to the last accepted point are kept";
        match self.verdict {
            Some(Verdict::Impatience) if in_a_call => (
                "interrupted: it did not return, so its process was ended".into(),
                KEPT.into(),
            ),
            Some(Verdict::Impatience) => ("interrupted: the process of the run was ended".into(), KEPT.into()),
            Some(Verdict::Excess(Excess::Call { limit, .. })) => (
                format!("it did not return within {limit} s, so its process was ended"),
                format!(
                    "if its calls may take longer, raise the limit: `call` in [limits], or `limits = {{ call = … }}` \
                     for this component alone (now {limit}); {KEPT}"
                ),
            ),
            Some(Verdict::Excess(Excess::Memory { limit })) => (
                format!("the run used more than {} of memory, so its process was ended", size(limit)),
                format!("raise `memory` in [limits] if that is too little; {KEPT}"),
            ),
            None if self.kernel_killed => (
                "the kernel killed the process of the run, because the machine had no memory left (SIGKILL)".into(),
                format!("record fewer variables, or run it where there is more memory; {KEPT}"),
            ),
            None if self.end.is_kill() && in_a_call => (
                format!("the process of the run ended in this call: {}", self.end),
                format!("somebody ended it, or the component ends processes, its own among them; {KEPT}"),
            ),
            None if in_a_call => (
                format!("took the process of the run down: {}", self.end),
                format!(
                    "this is a defect of the component: `cardan check` on it may tell more, and `--no-supervisor` lets \
                     you run it in a debugger; {KEPT}"
                ),
            ),
            None if self.prepared.is_none() => (
                format!("the process that reads the system ended: {}", self.end),
                "this is a defect of cardan, or of a library it was started with; please report it, with the \
                 description"
                    .into(),
            ),
            None => (
                format!("the process of the run ended between two calls: {}", self.end),
                format!("something that a component left behind may have done it: a thread, or damaged memory; {KEPT}"),
            ),
        }
    }

    /// What there is to say of an end after the run was over.
    pub(super) fn after_the_run(&self, report: &Report) -> Option<WarningReport> {
        let message = match (self.verdict, self.end) {
            (Some(_), _) => "its models did not unload in time, so its process was ended".to_owned(),
            (None, End::Exited(_)) => return None,
            (None, end) => format!("its process ended badly while models were unloaded: {end}"),
        };
        Some(WarningReport {
            kind: "unloading".into(),
            place: "the run".into(),
            time: report.time,
            message: format!("{message}; the results are complete"),
            count: 1,
        })
    }
}

/// How many processes the kernel has killed for lack of memory since the machine was started, where it tells.
pub(super) fn kernel_kills() -> Option<u64> {
    let counters = std::fs::read_to_string("/proc/vmstat").ok()?;
    let count = counters.lines().find_map(|line| line.strip_prefix("oom_kill "))?;
    count.trim().parse().ok()
}

fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")];
    let unit = UNITS.into_iter().find(|(unit, _)| bytes >= *unit);
    unit.map_or(format!("{bytes} B"), |(unit, name)| {
        format!("{} {name}", bytes as f64 / unit as f64)
    })
}
