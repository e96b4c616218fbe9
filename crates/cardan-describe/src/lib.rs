//! Reads descriptions of coupled systems and reports every mistake at once.
//!
//! ```text
//! load, ssp::load, osp::load, acsi::load ──► SystemSpec ── apply(overrides) ── check_settings
//!                                  │
//!                                  ├─ parameters(…), interface_parameters(…) per component ──► Settings for its adapter
//!                                  └─ resolve(…) against the participants' interfaces ──► Graph
//! ```
//!
//! Every step takes a [`Reporter`] and goes on after a mistake:
//!
//! ```
//! use cardan_describe::{Reporter, Source, parse};
//!
//! let text = "[system]\nstop = \"ten\"\n[components.wheel]\nmodle = \"mass\"\n";
//! let mut reporter = Reporter::new();
//! let spec = parse(Source::new("system.toml", text), &mut reporter);
//! assert_eq!(spec.components[0].name.value, "wheel");
//! let lines: Vec<_> = reporter.sorted().iter().map(|mistake| mistake.line).collect();
//! assert_eq!(lines, [Some(2), Some(3), Some(4)]);
//! ```

pub mod acsi;
pub mod diagnostic;
mod glob;
pub mod line_client;
mod load;
pub mod osp;
mod overrides;
mod parameters;
mod resolve;
mod schema;
mod settings;
pub mod spec;
pub mod ssp;
pub mod tlm;
mod toml;
pub mod units;
mod value;
pub mod xml;

pub use diagnostic::{Diagnostic, Reporter, Severity, Source, Span, Spanned, nearest};
pub use glob::glob;
pub use load::{FILE_NAME, MAX_BYTES, load};
pub use overrides::Overrides;
pub use parameters::{interface_parameters, parameter_value, parameters};
pub use resolve::resolve;
pub use schema::schema;
pub use spec::SystemSpec;
pub use toml::mechanism::load_mechanism;
pub use toml::parse;
