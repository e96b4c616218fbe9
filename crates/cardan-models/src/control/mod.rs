//! Blocks of control engineering.

pub(crate) mod gain;
pub(crate) mod pid;
pub(crate) mod state_space;
pub(crate) mod sum;
pub(crate) mod transfer_function;
