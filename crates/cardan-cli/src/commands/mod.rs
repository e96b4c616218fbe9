//! One file a command: its arguments, its help and what it does.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod example;
pub(crate) mod info;
pub(crate) mod plot;
pub(crate) mod run;
pub(crate) mod tlm;
