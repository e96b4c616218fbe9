//! The manager: the process that tools meet at.
//!
//! It starts the tools of a meta-model, tells each the parameters of its lines, and hands samples on from one end of a line
//! to the other. One thread does all of it: it waits for whatever can be read or written next, takes many messages with
//! one read, and passes them on with one write. A connection that misbehaves is closed with a word to the user; the
//! co-simulation goes on unless it was that of a component.
//!
//! | file | holds |
//! | --- | --- |
//! | `options.rs`, `outcome.rs` | what it is told, what it tells |
//! | `session.rs` | the loop |
//! | `registration.rs` | the first words on a connection, and everything until all are ready |
//! | `parameters.rs` | what components ask for, and what nobody asked for |
//! | `relay.rs` | samples on their way |
//! | `closing.rs` | ends: good ones and bad ones |
//! | `starvation.rs` | who waits for samples that cannot come |
//! | `hush.rs` | who is waited for while nobody sends |
//! | `absentees.rs` | start commands that ended before their component came |
//! | `component.rs` | what is known of each component and interface point |
//! | `monitors.rs`, `history.rs` | those who listen |
//! | `line.rs`, `doors.rs` | a connection; ports, and who comes in |
//! | `tools.rs` | the processes that were started |
//! | `survey.rs` | asking tools where their interface points are |

mod absentees;
mod closing;
mod component;
mod doors;
mod history;
mod hush;
mod line;
mod monitors;
mod options;
mod outcome;
mod parameters;
mod registration;
mod relay;
mod session;
mod starvation;
mod survey;
mod tools;

pub use history::HISTORY_BYTES;
pub use options::{Options, Task};
pub use outcome::{ComponentReport, Ending, Event, Failure, Outcome};
pub use survey::{SURVEY_FILE, Survey, SurveyedInterface, SurveyedParameter};

use cardan_describe::tlm::MetaModel;
use session::Session;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs a co-simulation.
///
/// ```no_run
/// use cardan_describe::{Reporter, tlm};
/// use cardan_tlm::manager::{Ending, Manager, Options};
///
/// let mut reporter = Reporter::new();
/// let model = tlm::load("pendulum.xml".as_ref(), tlm::Extent::Whole, &mut reporter);
/// let model = model.filter(|_| !reporter.has_errors()).ok_or("the meta-model is wrong")?;
/// let outcome = Manager::new(model, Options::default()).run(&mut |event| println!("{event:?}"));
/// assert_eq!(outcome.ending, Ending::Completed);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug)]
pub struct Manager {
    model: MetaModel,
    options: Options,
    stop: Arc<AtomicBool>,
}

/// Stops a manager from elsewhere.
#[derive(Clone, Debug)]
pub struct Handle(Arc<AtomicBool>);

impl Handle {
    /// Asks for the end. The manager looks several times a second.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Manager {
    /// A manager for a meta-model that was read without mistakes.
    pub fn new(model: MetaModel, options: Options) -> Self {
        Manager {
            model,
            options,
            stop: Arc::default(),
        }
    }

    /// Listens to this flag too, such as one that a signal raises.
    pub fn stopped_by(mut self, flag: Arc<AtomicBool>) -> Self {
        self.stop = flag;
        self
    }

    /// For stopping it from elsewhere.
    pub fn handle(&self) -> Handle {
        Handle(Arc::clone(&self.stop))
    }

    /// Runs it to its end. Whatever happened, all connections are closed and all tools that were started have ended.
    pub fn run(self, tell: &mut dyn FnMut(&Event)) -> Outcome {
        Session::run(&self.model, &self.options, &self.stop, tell)
    }
}
