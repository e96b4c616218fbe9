//! Starting participants, waiting for them, calling them.
//!
//! A process that is [launched](launch()) finds in its environment where to connect, and ends with its participant: it is
//! asked to, then killed with all its children, and it dies with Cardan whatever happens to Cardan.
//!
//! | file | holds |
//! | --- | --- |
//! | `nursery.rs` | the thread that starts processes; everything `unsafe` |
//! | `process.rs` | a process from its start to its end |
//! | `words.rs` | what it says on its standard streams |
//! | `rendezvous.rs` | the three ways to meet: launch, listen, connect |
//! | `doorstep.rs` | the folder of a socket, which nobody leaves behind |

mod doorstep;
mod nursery;
mod process;
mod rendezvous;
mod words;

pub(crate) use nursery::in_nursery;
pub use process::Process;
pub use rendezvous::{Appointment, Launch, Way, call, launch, wait_for};

/// The variable that says where to connect: `stdio:`, `unix:/path`, `tcp://127.0.0.1:port`, `tls://host:port` or
/// `shm:/path`.
pub const CONNECT: &str = "CARDAN_CONNECT";

/// The variable with the secret, where one is shared.
pub const SECRET: &str = "CARDAN_SECRET";

/// The variable with the file of a certificate to trust, for participants that are started by other means.
pub const CERTIFICATE: &str = "CARDAN_CERTIFICATE";
