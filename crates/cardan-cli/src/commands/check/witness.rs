//! Who was being called when the process of a check ended, or did not go on: components are named, not just blamed.

use anyhow::Context;
use cardan::System;
use cardan::core::flight::{Flight, Sighting};
use cardan_link::shared::{BoardMemory, Shared};
use std::io::{PipeReader, PipeWriter, Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Nobody counts as working for longer than this between two looks: the machine may have slept.
const LONGEST_LOOK: Duration = Duration::from_secs(1);
/// Ends the list of names.
const END: &[u8] = b"\n\n";
/// A pipe holds at least so many bytes; a longer list is cut, and components beyond it stay unnamed.
const ROOM: usize = 4000;

/// The parent's side.
pub(super) struct Witness {
    memory: Arc<Shared<BoardMemory>>,
    reader: PipeReader,
    /// For the child; the parent's own end is closed with it.
    writer: Option<PipeWriter>,
    /// Limit of a call in seconds and name, by participant; empty until they are needed.
    components: Vec<(f64, String)>,
    under_way: Option<(Sighting, Duration)>,
    last_look: Option<Instant>,
}

/// The child's side.
pub(super) struct Testimony {
    memory: Arc<Shared<BoardMemory>>,
    writer: PipeWriter,
}

impl Witness {
    pub(super) fn new() -> anyhow::Result<Self> {
        let (reader, writer) = std::io::pipe().context("no pipe can be opened")?;
        Ok(Witness {
            memory: Arc::new(Shared::new().context("no memory can be shared")?),
            reader,
            writer: Some(writer),
            components: Vec::new(),
            under_way: None,
            last_look: None,
        })
    }

    /// For the child to take along.
    pub(super) fn testimony(&mut self) -> anyhow::Result<Testimony> {
        Ok(Testimony {
            memory: Arc::clone(&self.memory),
            writer: self.writer.take().context("there is one witness for one check")?,
        })
    }

    fn seen(&self) -> Option<Sighting> {
        let seen = self.memory.slots[0].read();
        seen.participant.is_some().then_some(seen)
    }

    /// Who is being called, in words.
    pub(super) fn scene(&mut self) -> Option<String> {
        let seen = self.seen()?;
        self.hear();
        let (_, name) = self.components.get(seen.participant?.index())?;
        Some(format!("{name} at t = {} s in {}", seen.time, seen.call))
    }

    /// Somebody who has not returned for too long, and its limit.
    pub(super) fn look(&mut self) -> Option<(String, f64)> {
        let now = Instant::now();
        let passed = self
            .last_look
            .replace(now)
            .map_or(Duration::ZERO, |last| now - last);
        let Some(seen) = self.seen() else {
            self.under_way = None;
            return None;
        };
        let spent = match self.under_way {
            Some((known, spent)) if known == seen => spent + passed.min(LONGEST_LOOK),
            _ => Duration::ZERO,
        };
        self.under_way = Some((seen, spent));
        self.hear();
        let (limit, _) = *self.components.get(seen.participant?.index())?;
        (spent.as_secs_f64() > limit).then(|| self.scene().map(|scene| (scene, limit)))?
    }

    /// Time stood still.
    pub(super) fn rest(&mut self) {
        self.last_look = None;
    }

    /// Takes in the names, which were told before anybody was called.
    fn hear(&mut self) {
        if !self.components.is_empty() {
            return;
        }
        let mut list = Vec::new();
        let mut byte = [0];
        while !list.ends_with(END) && matches!(self.reader.read(&mut byte), Ok(1)) {
            list.push(byte[0]);
        }
        let text = String::from_utf8_lossy(&list);
        let line = |line: &str| {
            let (limit, name) = line.split_once(' ')?;
            Some((limit.parse().ok()?, name.to_owned()))
        };
        self.components = text.lines().filter_map(line).collect();
    }
}

impl Testimony {
    /// Tells who takes part, and how long a call of each may take.
    pub(super) fn introduce(&mut self, system: &System) {
        let mut list = String::new();
        for (seat, limit) in system.plan.seats.iter().zip(system.call_limits()) {
            let line = format!(
                "{} {}\n",
                limit.unwrap_or(f64::INFINITY),
                seat.name.replace('\n', " ")
            );
            if list.len() + line.len() > ROOM {
                break;
            }
            list += &line;
        }
        list += "\n";
        // Whoever does not hear it names nobody.
        let _ = self.writer.write_all(list.as_bytes());
    }

    /// Where to note down whom one calls.
    pub(super) fn flight(&self) -> Flight {
        let memory: &'static BoardMemory = Box::leak(Box::new(Arc::clone(&self.memory)));
        Flight::new(&memory.slots)
    }
}
