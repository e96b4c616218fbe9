//! What the process tells the shell at its end. Runs bring the codes for failures (3, 4, 130) with their reports.

/// All is well.
pub(crate) const DONE: u8 = 0;
/// `compare` found a difference.
pub(crate) const DIFFERENT: u8 = 1;
/// A call of `tlmmanager` or `tlmmonitor` makes no sense, told as scripts know it.
pub(crate) const USAGE: u8 = 1;
/// The description or the call is wrong; nothing was run.
pub(crate) const WRONG: u8 = 2;
/// Something outside the numbers failed, here: what was asked for could not be written.
pub(crate) const FAILED: u8 = 3;
/// The numbers failed.
pub(crate) const NUMBERS: u8 = 4;
/// Interrupted by Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;
/// Our own mistake, with the code that Rust programs have for it.
pub(crate) const DEFECT: u8 = 101;
