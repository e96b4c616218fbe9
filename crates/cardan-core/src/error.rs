//! Why a run could not go on.

use crate::participant::{Failure, FailureKind};
use crate::time::SimTime;
use std::fmt;

/// A call of the participant contract, for messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Call {
    /// Not inside a participant.
    #[default]
    None,
    /// `bind`
    Bind,
    /// `begin_initialization`
    BeginInitialization,
    /// `finish_initialization`
    FinishInitialization,
    /// `step`
    Step,
    /// `outputs`
    Outputs,
    /// `set_parameters`
    SetParameters,
    /// `slopes`
    Slopes,
    /// `past`
    Past,
    /// `trace`
    Trace,
    /// `derivatives`
    Derivatives,
    /// `events`
    Events,
    /// `terminate`
    Terminate,
    /// `save`
    Save,
    /// `restore`
    Restore,
}

impl Call {
    const ALL: [Call; 15] = [
        Call::None,
        Call::Bind,
        Call::BeginInitialization,
        Call::FinishInitialization,
        Call::Step,
        Call::Outputs,
        Call::SetParameters,
        Call::Slopes,
        Call::Past,
        Call::Trace,
        Call::Derivatives,
        Call::Events,
        Call::Terminate,
        Call::Save,
        Call::Restore,
    ];

    /// The call whose discriminant is `number`; none if there is no such call.
    pub(crate) fn numbered(number: u8) -> Call {
        Call::ALL.get(usize::from(number)).copied().unwrap_or_default()
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Call::None => "none",
            Call::Bind => "bind",
            Call::BeginInitialization => "begin_initialization",
            Call::FinishInitialization => "finish_initialization",
            Call::Step => "step",
            Call::Outputs => "outputs",
            Call::SetParameters => "set_parameters",
            Call::Slopes => "slopes",
            Call::Past => "past",
            Call::Trace => "trace",
            Call::Derivatives => "derivatives",
            Call::Events => "events",
            Call::Terminate => "terminate",
            Call::Save => "save",
            Call::Restore => "restore",
        })
    }
}

/// What sort of end a run came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunErrorKind {
    /// A participant failed.
    Participant,
    /// The numbers failed: not finite, no convergence, a step that cannot be taken.
    Numbers,
    /// The results could not be written.
    Record,
    /// The engine itself broke.
    Engine,
}

/// Why a run could not go on: who, in which call, when, and what to do.
///
/// One word wide, so that the success path of a step stays cheap.
#[derive(Debug)]
pub struct RunError(Box<Report>);

#[derive(Debug)]
struct Report {
    kind: RunErrorKind,
    participant: Option<String>,
    call: Call,
    time: Option<SimTime>,
    message: String,
    advice: Option<String>,
}

impl RunError {
    /// A failure of `participant`.
    #[cold]
    pub fn participant(participant: &str, call: Call, time: Option<SimTime>, failure: Failure) -> Self {
        let (kind, participant, call) = match failure.kind {
            FailureKind::Failed => (RunErrorKind::Participant, Some(participant), call),
            FailureKind::Numbers => (RunErrorKind::Numbers, Some(participant), call),
            // Whoever was called at that moment has nothing to do with it.
            FailureKind::Engine => (RunErrorKind::Engine, None, Call::None),
        };
        RunError(Box::new(Report {
            kind,
            participant: participant.map(str::to_owned),
            call,
            time,
            message: failure.message,
            advice: failure.advice,
        }))
    }

    /// Results could not be written.
    #[cold]
    pub fn record(message: impl Into<String>, time: Option<SimTime>) -> Self {
        RunError(Box::new(Report {
            kind: RunErrorKind::Record,
            participant: None,
            call: Call::None,
            time,
            message: message.into(),
            advice: Some(
                "make room or choose another place with --out; what was there before stays as it was".into(),
            ),
        }))
    }

    /// What sort of end.
    pub fn kind(&self) -> RunErrorKind {
        self.0.kind
    }

    /// Who.
    pub fn who(&self) -> Option<&str> {
        self.0.participant.as_deref()
    }

    /// In which call.
    pub fn call(&self) -> Call {
        self.0.call
    }

    /// When.
    pub fn time(&self) -> Option<SimTime> {
        self.0.time
    }

    /// What happened.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to do.
    pub fn advice(&self) -> Option<&str> {
        self.0.advice.as_deref()
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.0.participant, self.0.time) {
            (Some(participant), Some(time)) => {
                write!(
                    f,
                    "{participant} at t = {time} s in {}: {}",
                    self.0.call, self.0.message
                )
            }
            (Some(participant), None) => write!(f, "{participant} in {}: {}", self.0.call, self.0.message),
            (None, Some(time)) => write!(f, "at t = {time} s: {}", self.0.message),
            (None, None) => f.write_str(&self.0.message),
        }
    }
}

impl std::error::Error for RunError {}
