//! A participant in another process, as the engine sees it.
//!
//! | file | holds |
//! | --- | --- |
//! | `channel.rs` | one request, one reply; what is said in between; how a broken line is told |
//! | `participant.rs` | the contract |
//! | `abilities.rs` | what it can do beyond |

mod abilities;
mod channel;
mod participant;

use crate::error::Error;
use crate::handshake::{Greeting, Secret, greet};
use crate::launch::Process;
use crate::transport::{Deadline, Transport};
use crate::wire::{Abilities, Standing, Watched};
use cardan_core::interface::{Interface, PortId};
use cardan_core::participant::Participant;
use cardan_core::planes::{Extent, Planes};
use cardan_core::time::SimTime;
use channel::Channel;
pub(crate) use channel::told_before_the_run;
use std::fmt;
use std::time::Duration;

/// How to treat a participant in another process.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// The name of the component.
    pub component: String,
    /// What both sides know.
    pub secret: Option<Secret>,
    /// How long it may take until it has introduced itself.
    pub start: Option<Duration>,
    /// How long any one call may take.
    pub call: Option<Duration>,
}

/// A participant in another process.
#[derive(Debug)]
pub struct Remote {
    channel: Channel,
    interface: Interface,
    abilities: Abilities,
    inputs: Extent,
    outputs: Extent,
    standing: Standing,
    /// No bound output reacts at once to a bound input: the outputs at the end of a step come with its reply.
    outputs_along: bool,
    /// The outputs that came along, and when they hold.
    known: Planes,
    known_at: Option<SimTime>,
    /// News for the next step.
    accepted: Option<SimTime>,
    watched: Watched,
    tangent: Tangent,
    /// What it stands for, if that was once a participant of this process.
    original: Original,
}

/// A participant that is kept and never called.
#[derive(Default)]
struct Original(Option<Box<dyn Participant>>);

impl fmt::Debug for Original {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Original" } else { "None" })
    }
}

/// The derivatives of all outputs by all inputs, kept while nothing changes.
#[derive(Debug, Default)]
struct Tangent {
    matrix: Vec<f64>,
    holds: bool,
    at: SimTime,
    inputs: Planes,
}

impl Remote {
    /// Greets whoever is at the other end. A process that was started for this ends with the participant.
    pub fn meet(
        transport: Box<dyn Transport>,
        process: Option<Process>,
        manner: &Manner,
    ) -> Result<Self, Error> {
        Remote::meet_by(transport, process, manner, &Deadline::from_now(manner.start))
    }

    /// The same where the time for it has begun already.
    pub(crate) fn meet_by(
        mut transport: Box<dyn Transport>,
        process: Option<Process>,
        manner: &Manner,
        deadline: &Deadline,
    ) -> Result<Self, Error> {
        let secret = manner.secret.as_ref();
        match greet(transport.as_mut(), &manner.component, secret, deadline) {
            Ok(greeting) => Ok(Remote::new(transport, process, manner, greeting)),
            Err(error) => Err(channel::told_at_start(error, transport, process, manner.start)),
        }
    }

    fn new(
        transport: Box<dyn Transport>,
        process: Option<Process>,
        manner: &Manner,
        greeting: Greeting,
    ) -> Self {
        tracing::debug!(
            component = manner.component,
            name = greeting.name,
            tool = greeting.tool,
            "a participant in another process has introduced itself"
        );
        Remote {
            channel: Channel::new(transport, process, manner),
            interface: greeting.interface,
            abilities: greeting.abilities,
            inputs: Extent::default(),
            outputs: Extent::default(),
            standing: Standing::default(),
            outputs_along: false,
            known: Planes::default(),
            known_at: None,
            accepted: None,
            watched: Watched::default(),
            tangent: Tangent::default(),
            original: Original::default(),
        }
    }

    /// Keeps what it stands for.
    pub(crate) fn in_place_of(mut self, original: Option<Box<dyn Participant>>) -> Self {
        self.original = Original(original);
        self
    }

    /// Together with the process that was started for it.
    pub(crate) fn with(mut self, process: Option<Process>) -> Self {
        self.channel.accompany(process);
        self
    }

    /// What it can do beyond stepping.
    pub fn abilities(&self) -> Abilities {
        self.abilities
    }

    /// The number of its process, if it was started for this.
    pub fn process_id(&self) -> Option<u32> {
        self.channel.process_id()
    }

    /// Extents and the question of feedthrough, from a binding that was checked.
    fn bound(&mut self, inputs: &[PortId], outputs: &[PortId]) {
        let of = |ids: &[PortId]| {
            let ports = ids.iter().filter_map(|id| self.interface.ports.get(id.index()));
            Extent::of(ports)
        };
        (self.inputs, self.outputs) = (of(inputs), of(outputs));
        self.known = Planes::new(self.outputs);
        let mut pairs = self.interface.feedthrough.iter();
        self.outputs_along = !pairs.any(|(output, input)| outputs.contains(output) && inputs.contains(input));
    }

    /// What was known about the state holds no more.
    fn forget(&mut self) {
        self.known_at = None;
        self.tangent.holds = false;
    }
}
