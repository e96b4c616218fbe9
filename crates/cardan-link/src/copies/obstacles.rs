//! What of a process a copy would not have for itself: threads, and whatever lies outside of its memory.

use super::unknown;
use crate::process::{Descriptor, Held, descriptors, seek, shared_mappings, threads};
use cardan_core::participant::{Failure, Outcome};
use std::collections::BTreeSet;
use std::io;
use std::os::fd::RawFd;

/// What a process holds before the model has begun.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    descriptors: BTreeSet<Descriptor>,
    mappings: BTreeSet<String>,
}

/// The files that the model reads, and how far it had read them. All copies share that, as they share the open file.
#[derive(Debug)]
pub(super) struct Files(Vec<(RawFd, u64)>);

impl Surroundings {
    pub(super) fn now() -> io::Result<Self> {
        Ok(Surroundings {
            descriptors: descriptors()?,
            mappings: shared_mappings()?,
        })
    }

    /// Fails, naming the cause, if a copy of this process would not be a copy of the model's state.
    pub(super) fn files(&self) -> Outcome<Files> {
        let threads = threads().map_err(|error| unknown(&error))?;
        if threads.len() > 1 {
            return refuse(&format!(
                "the model runs {} threads ({})",
                threads.len(),
                threads.join(", ")
            ));
        }
        let mut files = Vec::new();
        let now = descriptors().map_err(|error| unknown(&error))?;
        for descriptor in now.difference(&self.descriptors) {
            match descriptor.held() {
                None | Some(Held::Device) => {}
                Some(Held::Read { position }) => files.push((descriptor.number, position)),
                Some(Held::Written(path)) => {
                    return refuse(&format!("the model has opened {path} for writing"));
                }
                Some(Held::Line(name)) => return refuse(&format!("the model holds a {}", plainly(&name))),
            }
        }
        let mappings = shared_mappings().map_err(|error| unknown(&error))?;
        match mappings.difference(&self.mappings).next() {
            Some(_) => refuse("the model shares memory with other processes"),
            None => Ok(Files(files)),
        }
    }
}

impl Files {
    /// As they were when the state was saved.
    pub(super) fn rewind(&self) {
        for &(descriptor, position) in &self.0 {
            // A pipe or a folder cannot be sought in, and need not.
            let _ = seek(descriptor, position);
        }
    }
}

/// What the kernel calls `socket:[4711]` or `anon_inode:[eventpoll]`.
fn plainly(name: &str) -> String {
    match name.split_once(':') {
        Some(("anon_inode", kind)) => format!("descriptor of its own ({})", kind.trim_matches(['[', ']'])),
        Some((kind, _)) => format!("{kind} of its own"),
        None => name.to_owned(),
    }
}

fn refuse<T>(cause: &str) -> Outcome<T> {
    Err(Failure::failed(format!(
        "It does not save its state, and its process cannot be copied instead: {cause}."
    ))
    .advise(
        "choose a method that does not repeat steps, or export the model with state saving; without `isolate` methods \
         know that it cannot go back",
    ))
}
