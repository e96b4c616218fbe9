//! The file behind a writer: data goes to a temporary file in the folder of the result, and takes its place at the end.

use cardan_core::record::RecordError;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Longer names are left out of the name of the temporary file, which must stay below the usual 255 bytes.
const LONGEST_NAME: usize = 200;

/// A file that appears under its name only when it is complete. Dropped before that, it leaves nothing behind.
#[derive(Debug)]
pub(crate) struct Target {
    /// What the user wrote, for messages.
    path: PathBuf,
    file: File,
    /// Where the data is until `commit`, and where it goes then; nothing for devices and pipes, which are written directly.
    move_to: Option<(Scratch, PathBuf)>,
    /// Is the file in its place already?
    settled: bool,
}

impl Target {
    /// Opens the file for writing, or says why `path` cannot become a result.
    pub(crate) fn create(path: &Path) -> Result<Self, RecordError> {
        let refuse = |why: &str| RecordError::new(format!("cannot write `{}`: {why}", path.display()));
        // A result behind a symbolic link is replaced where it lies; the link stays.
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        match fs::metadata(&place) {
            Ok(found) if found.is_dir() => {
                return Err(refuse("it is a folder, give the name of a file in it"));
            }
            Ok(found) if found.is_file() && found.permissions().readonly() => {
                return Err(refuse("the file is read-only; remove it or choose another name"));
            }
            Ok(found) if !found.is_file() => {
                let file = OpenOptions::new()
                    .write(true)
                    .open(&place)
                    .map_err(|e| failed(path, e))?;
                return Ok(Target {
                    path: path.to_path_buf(),
                    file,
                    move_to: None,
                    settled: false,
                });
            }
            _ => {}
        }
        if let Some(folder) = place
            .parent()
            .filter(|f| !f.as_os_str().is_empty() && !f.exists())
        {
            return Err(refuse(&format!(
                "the folder `{}` does not exist",
                folder.display()
            )));
        }
        let (scratch, file) = Scratch::beside(&place).map_err(|e| failed(path, e))?;
        Ok(Target {
            path: path.to_path_buf(),
            file,
            move_to: Some((scratch, place)),
            settled: false,
        })
    }

    /// Cuts the file to `length` bytes, so that what follows a failed write is not half a row. A device has no length,
    /// and an error here would only hide the first one.
    pub(crate) fn cut(&mut self, length: u64) {
        let _ = self.file.set_len(length);
        let _ = self.file.seek(SeekFrom::Start(length));
    }

    /// What was written so far takes its place now, and grows there: from now on it outlives this process.
    pub(crate) fn settle(&mut self) -> Result<(), RecordError> {
        let path = &self.path;
        if let Some((scratch, place)) = self.move_to.take() {
            self.file.sync_data().map_err(|e| failed(path, e))?;
            scratch.become_file(&place).map_err(|e| failed(path, e))?;
            self.settled = true;
        } else if self.settled {
            self.file.sync_data().map_err(|e| failed(path, e))?;
        }
        Ok(())
    }

    /// The complete file takes its place; what had the name before is gone from then on.
    pub(crate) fn commit(mut self) -> Result<(), RecordError> {
        self.file.flush().map_err(|e| failed(&self.path, e))?;
        match self.move_to.take() {
            Some((scratch, place)) => scratch.become_file(&place).map_err(|e| failed(&self.path, e)),
            None => Ok(()),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The error of a failed operation on the result `path`.
pub(crate) fn failed(path: &Path, why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> RecordError {
    RecordError::because(format!("cannot write `{}`", path.display()), why)
}

/// A call came in the wrong order: a mistake in the program, told rather than panicked about.
pub(crate) fn not_begun(path: &Path) -> RecordError {
    RecordError::new(format!(
        "`{}` is not open: rows belong between `begin` and `finish`",
        path.display()
    ))
}

/// A temporary file, removed when dropped.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
    kept: bool,
}

impl Scratch {
    /// A new hidden file in the folder of `place`, where a rename to `place` stays on the same disk.
    pub(crate) fn beside(place: &Path) -> io::Result<(Self, File)> {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        loop {
            let mut name = OsString::from(".");
            name.push(
                place
                    .file_name()
                    .filter(|n| n.len() <= LONGEST_NAME)
                    .unwrap_or("result".as_ref()),
            );
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            name.push(format!(".{}-{number}.tmp", std::process::id()));
            let path = place.with_file_name(name);
            match OpenOptions::new()
                .read(true)
                .write(true)
                .create_new(true)
                .open(&path)
            {
                Ok(file) => return Ok((Scratch { path, kept: false }, file)),
                // Left by a killed process that had our number; it is not ours to remove.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(e) => return Err(e),
            }
        }
    }

    fn become_file(mut self, place: &Path) -> io::Result<()> {
        fs::rename(&self.path, place)?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.kept {
            // Nobody is left to tell; a file that stays is hidden and harmless.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_file_stays_until_commit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "old").unwrap();
        let mut target = Target::create(&path).unwrap();
        target.write_all(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        let hidden = format!(".a.csv.{}-", std::process::id());
        assert!(names(folder.path())[0].starts_with(&hidden));
        target.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["a.csv"]);
    }

    #[test]
    fn a_dropped_target_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut target = Target::create(&folder.path().join("a.csv")).unwrap();
        target.write_all(b"half a result").unwrap();
        drop(target);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_settled_target_grows_in_its_place_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "old").unwrap();
        let mut target = Target::create(&path).unwrap();
        target.write_all(b"one\n").unwrap();
        target.settle().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n");
        target.write_all(b"two\n").unwrap();
        target.settle().unwrap();
        drop(target);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        assert_eq!(names(folder.path()), ["a.csv"]);
    }

    #[test]
    fn writing_goes_on_behind_a_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut target = Target::create(&path).unwrap();
        target.write_all(b"a row\nhalf a").unwrap();
        target.cut(6);
        target.write_all(b"b row\n").unwrap();
        target.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "a row\nb row\n");
    }

    #[test]
    fn reasons_are_told_with_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let message = |path: &Path| Target::create(path).unwrap_err().to_string();
        let is_folder = message(folder.path());
        assert!(is_folder.contains("it is a folder"), "{is_folder}");
        let missing = message(&folder.path().join("no/such/a.csv"));
        assert!(
            missing.contains("no/such/a.csv") && missing.contains("does not exist"),
            "{missing}"
        );
        let locked = folder.path().join("locked.csv");
        fs::write(&locked, "").unwrap();
        let mut permissions = fs::metadata(&locked).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&locked, permissions).unwrap();
        assert!(message(&locked).contains("read-only"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_keeps_pointing_at_the_result() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real.csv"), folder.path().join("link.csv"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let mut target = Target::create(&link).unwrap();
        target.write_all(b"new").unwrap();
        target.commit().unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
}
