//! The descriptors and shared memory that this process holds.

#![allow(unsafe_code)] // see the reason below

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::fd::{BorrowedFd, RawFd};

/// What a descriptor stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// A file that is only read, and how far.
    Read {
        /// How far it was read.
        position: u64,
    },
    /// A file that may be written, by its path.
    Written(String),
    /// A socket, a pipe or the like, as the kernel names it.
    Line(String),
    /// A device without a state that could be told apart, such as `/dev/null`.
    Device,
}

/// A descriptor: its number, and what the kernel calls it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Descriptor {
    pub(crate) number: RawFd,
    target: String,
}

/// All descriptors of this process.
pub(crate) fn descriptors() -> io::Result<BTreeSet<Descriptor>> {
    let entries = fs::read_dir("/proc/self/fd")?;
    let numbers: Vec<RawFd> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    // The one that the list was read from is closed by now, and has no name.
    let named = numbers.into_iter().filter_map(|number| {
        let target = fs::read_link(format!("/proc/self/fd/{number}")).ok()?;
        let target = target.to_string_lossy().into_owned();
        Some(Descriptor { number, target })
    });
    Ok(named.collect())
}

impl Descriptor {
    /// What it stands for; nothing if it was closed.
    pub(crate) fn held(&self) -> Option<Held> {
        let target = self.target.as_str();
        if !target.starts_with('/') {
            return Some(Held::Line(target.to_owned()));
        }
        if target.starts_with("/dev/") && !target.starts_with("/dev/shm/") {
            return Some(Held::Device);
        }
        let details = fs::read_to_string(format!("/proc/self/fdinfo/{}", self.number)).ok()?;
        let value = |name: &str| {
            let line = details.lines().find_map(|line| line.strip_prefix(name));
            line.map(str::trim)
        };
        let flags = i32::from_str_radix(value("flags:")?, 8).ok()?;
        if flags & libc::O_ACCMODE == libc::O_RDONLY {
            let position = value("pos:")?.parse().ok()?;
            Some(Held::Read { position })
        } else {
            Some(Held::Written(target.to_owned()))
        }
    }
}

/// Goes to a place in a file.
pub(crate) fn seek(descriptor: RawFd, position: u64) -> io::Result<()> {
    // SAFETY: it is open, as the list of descriptors said, and not closed in this call.
    let file = unsafe { BorrowedFd::borrow_raw(descriptor) };
    rustix::fs::seek(file, rustix::fs::SeekFrom::Start(position))?;
    Ok(())
}

/// The places of all memory that this process can write and others can see, as the kernel lists them.
pub(crate) fn shared_mappings() -> io::Result<BTreeSet<String>> {
    let list = fs::read_to_string("/proc/self/maps")?;
    let shared = list.lines().filter(|line| {
        let rights = line.split_whitespace().nth(1).unwrap_or_default();
        rights.contains('w') && rights.ends_with('s')
    });
    Ok(shared.map(str::to_owned).collect())
}

/// The names of the threads of this process.
pub(crate) fn threads() -> io::Result<Vec<String>> {
    let tasks = fs::read_dir("/proc/self/task")?.filter_map(Result::ok);
    let named = tasks.map(|task| {
        let name = fs::read_to_string(task.path().join("comm")).unwrap_or_default();
        name.trim().to_owned()
    });
    Ok(named.collect())
}
