//! The folder of a Unix socket that a process is to come to.

use crate::error::Error;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Part of the command line of the shell below: whoever clears up processes spares it until its work is done. The one
/// that looks after unpacked FMUs has the same name.
const JANITOR: &str = "cardan-janitor";

/// Waits until the other end of its input is gone, which the kernel sees to in every case. Descriptors that we inherited
/// are closed, lest somebody waits for their end.
const SCRIPT: &str = r#"
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
trap '' HUP INT TERM QUIT
read -r nothing
rm -f -- "$1/socket"
[ ! -d "$1" ] || rmdir -- "$1"
exit 0
"#;

/// A private folder for a socket. It is gone when this is dropped, and when this process ends before, whatever it dies
/// of: somebody may not want to wait for the process that should come.
#[derive(Debug)]
pub(super) struct Doorstep {
    folder: TempDir,
    janitor: Option<Child>,
}

impl Doorstep {
    pub(super) fn new() -> Result<Self, Error> {
        let folder = tempfile::Builder::new()
            .prefix("cardan-")
            .tempdir()
            .map_err(|error| Error::system("A folder for a socket cannot be made", error))?;
        // In a group of its own, so that Ctrl-C ends us and not it.
        let janitor = Command::new("/bin/sh")
            .args(["-c", SCRIPT, JANITOR])
            .arg(std::path::absolute(folder.path()).unwrap_or_else(|_| folder.path().to_owned()))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        if let Err(error) = &janitor {
            tracing::warn!(%error, "the folder of a socket may be left behind after a crash");
        }
        Ok(Doorstep {
            folder,
            janitor: janitor.ok(),
        })
    }

    /// Where the socket goes.
    pub(super) fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }
}

impl Drop for Doorstep {
    fn drop(&mut self) {
        if let Some(janitor) = &mut self.janitor {
            // Its input ends, and so does it.
            drop(janitor.stdin.take());
            let _ = janitor.wait();
        }
    }
}
