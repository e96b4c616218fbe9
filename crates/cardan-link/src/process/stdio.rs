//! Standard output, kept from what is run in this process.

use std::io::{self, Write};

/// Moves standard output to standard error: whatever is printed in this process from now on ends up there, and cannot
/// spoil what another process answers with.
pub fn output_to_errors() -> io::Result<()> {
    io::stdout().flush()?;
    Ok(rustix::stdio::dup2_stdout(rustix::stdio::stderr())?)
}
