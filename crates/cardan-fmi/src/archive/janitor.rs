//! Removes our folders when we no longer can: after a crash in a binary, an abort, a `kill -9`.
//!
//! The janitor is a shell that reads the names of folders from a pipe. Its end comes when the last holder of the other
//! end is gone, which the kernel sees to in every case; then it removes the folders it was told of and not told to
//! forget. It starts with the first folder, and holds on to nothing else of ours.

use std::path::Path;

/// Part of the janitor's command line: whoever clears up processes leaves it alone until its work is done.
pub const JANITOR: &str = "cardan-janitor";

/// Hands a folder over.
pub(super) fn watch(folder: &Path) {
    #[cfg(unix)]
    shell::tell(b'+', folder);
    #[cfg(not(unix))]
    let _ = folder;
}

/// Takes a folder back that has been removed.
pub(super) fn forget(folder: &Path) {
    #[cfg(unix)]
    shell::tell(b'-', folder);
    #[cfg(not(unix))]
    let _ = folder;
}

#[cfg(unix)]
mod shell {
    use std::collections::BTreeSet;
    use std::io::{self, Write};
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::process::CommandExt;
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio};
    use std::sync::{Mutex, PoisonError};

    /// The list is kept in the positional parameters. A line that breaks off has no end, is not read, and so can never
    /// name the parent of a folder. Descriptors that we inherited are closed, lest somebody waits for their end. Without a
    /// last word some shells would become `rm` themselves, and lose the name by which they are spared.
    const SCRIPT: &str = r#"
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
trap '' HUP INT TERM QUIT
while IFS= read -r line; do
    path=${line#?}
    case $line in
    +/*) set -- "$@" "$path" ;;
    -/*)
        count=$#
        while [ "$count" -gt 0 ]; do
            first=$1
            shift
            [ "$first" = "$path" ] || set -- "$@" "$first"
            count=$((count - 1))
        done
        ;;
    esac
done
[ "$#" -eq 0 ] || rm -rf -- "$@"
exit 0
"#;

    struct Janitor {
        shell: Option<Child>,
        /// For a second shell, should somebody end the first.
        folders: BTreeSet<PathBuf>,
        /// A process that forked from ours has no shell of its own yet.
        owner: u32,
    }

    static JANITOR: Mutex<Janitor> = Mutex::new(Janitor {
        shell: None,
        folders: BTreeSet::new(),
        owner: 0,
    });

    pub(super) fn tell(sign: u8, folder: &Path) {
        let mut janitor = JANITOR.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = janitor.tell(sign, folder) {
            tracing::warn!(%error, "folders may be left behind after a crash");
        }
    }

    impl Janitor {
        fn tell(&mut self, sign: u8, folder: &Path) -> io::Result<()> {
            // Lines name folders, so a name with a line break cannot be told.
            if !folder.is_absolute() || folder.as_os_str().as_bytes().contains(&b'\n') {
                return Ok(());
            }
            let process = std::process::id();
            if self.owner != process {
                self.owner = process;
                self.shell = None;
                self.folders.clear();
            }
            if sign == b'+' {
                self.folders.insert(folder.to_owned());
            } else {
                self.folders.remove(folder);
            }
            if self.is_at_work() {
                return self.write(sign, folder);
            }
            if self.folders.is_empty() {
                return Ok(());
            }
            self.shell = Some(start()?);
            for folder in self.folders.clone() {
                self.write(b'+', &folder)?;
            }
            Ok(())
        }

        /// Asked before writing: a pipe without a reader would end a process that does not ignore the signal.
        fn is_at_work(&mut self) -> bool {
            let shell = self.shell.as_mut();
            shell.is_some_and(|shell| matches!(shell.try_wait(), Ok(None)))
        }

        fn write(&mut self, sign: u8, folder: &Path) -> io::Result<()> {
            let pipe = self.shell.as_mut().and_then(|shell| shell.stdin.as_mut());
            let pipe = pipe.ok_or(io::ErrorKind::BrokenPipe)?;
            let line = [&[sign], folder.as_os_str().as_bytes(), b"\n"].concat();
            pipe.write_all(&line)
        }
    }

    /// In a process group of its own, so that Ctrl-C ends us and not it.
    fn start() -> io::Result<Child> {
        Command::new("/bin/sh")
            .args(["-c", SCRIPT, super::JANITOR])
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
    }
}
