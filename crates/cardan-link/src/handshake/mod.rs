//! The first words on a connection: who is there, which protocol, does it know the secret, what does it offer.
//!
//! ```text
//! participant                       Cardan
//!     Hello (version, nonce)  ──────▶
//!             ◀──────  Challenge (nonce)      where a secret is shared
//!     Proof                   ──────▶
//!             ◀──────  Welcome (proof)        or Refuse
//!     Interface               ──────▶
//! ```

mod greet;
mod introduce;
mod secret;

pub use greet::{Greeting, greet};
pub use introduce::introduce;
pub use secret::Secret;
