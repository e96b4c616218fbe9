//! What a manager is told besides the meta-model.

use crate::wire::Secret;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

/// What the manager is there for.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Task {
    /// A co-simulation.
    #[default]
    Simulate,
    /// Asking the tools where their interface points are. With a name, this one sub-model alone.
    AskForInterfaces(Option<String>),
}

/// How a manager works.
#[derive(Clone, Debug)]
pub struct Options {
    /// What it is there for.
    pub task: Task,
    /// The address that it listens on.
    pub listen: IpAddr,
    /// The port for tools; 0 lets the system choose. None takes that of the meta-model.
    pub port: Option<u16>,
    /// The port for monitors; 0 lets the system choose.
    pub monitor_port: Option<u16>,
    /// What clients from other machines must know.
    pub secret: Option<Secret>,
    /// How long tools may take until all are ready.
    pub start_timeout: Duration,
    /// How long the start waits for the first monitor, where there is a port for monitors.
    pub monitor_wait: Duration,
    /// How long a new connection may be silent.
    pub silence: Duration,
    /// How long tools may take to end by themselves after a co-simulation that has come to its end.
    pub grace: Duration,
    /// The same after one that has not.
    pub short_grace: Duration,
    /// How long those are waited for who probably do not come any more: a component whose start command has ended and left
    /// nobody behind, and one that is silent while it lacks samples which nobody will send.
    pub last_chance: Duration,
    /// How long nobody may send anything until it is said who is waited for. It is said again after ten times as long, and so on.
    pub hush: Duration,
    /// The program that runs models for sub-models whose start command is `cardan`.
    pub runner: Option<PathBuf>,
    /// Where it looks for their model files first: the folder of the meta-model.
    pub folder: PathBuf,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            task: Task::Simulate,
            listen: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: None,
            monitor_port: None,
            secret: None,
            start_timeout: Duration::from_secs(600),
            monitor_wait: Duration::from_secs(10),
            silence: Duration::from_secs(10),
            grace: Duration::from_secs(60),
            short_grace: Duration::from_secs(2),
            last_chance: Duration::from_secs(5),
            hush: Duration::from_secs(5),
            runner: None,
            folder: PathBuf::new(),
        }
    }
}
