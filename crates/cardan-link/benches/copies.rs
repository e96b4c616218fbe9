//! What it costs to save and restore a state by copying its process, by the memory that the model has in use.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot be set up has failed; it prints"
)]

use cardan_core::interface::{Interface, PortId};
use cardan_core::participant::{Outcome, Participant, Rollback, RunWindow, Settings, StepEnd, StepRequest};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::time::SimTime;
use cardan_link::{Manner, isolate};
use std::time::{Duration, Instant};

const TRIPS: usize = 51;
const MEGABYTE: usize = 1 << 20;

/// A model with nothing but memory.
struct Block {
    interface: Interface,
    size: usize,
    bytes: Vec<u8>,
}

impl Participant for Block {
    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn bind(&mut self, _inputs: &[PortId], _outputs: &[PortId]) -> Outcome<()> {
        Ok(())
    }

    fn begin_initialization(&mut self, _run: &RunWindow, _settings: &Settings) -> Outcome<()> {
        self.bytes = vec![1; self.size];
        Ok(())
    }

    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn step(&mut self, _request: StepRequest<'_>) -> Outcome<StepEnd> {
        Ok(StepEnd::Completed)
    }

    fn outputs(&mut self, _at: SimTime, _inputs: &Planes, _values: PlanesMut<'_>) -> Outcome<()> {
        Ok(())
    }

    fn set_parameters(&mut self, _at: SimTime, _changes: &Settings) -> Outcome<()> {
        Ok(())
    }

    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }
}

fn main() {
    println!("saving and restoring by a copy of the process, medians of {TRIPS} calls");
    println!("{:>9} {:>9} {:>11}", "memory MB", "save µs", "restore µs");
    for size in [1, 10, 100, 1000] {
        let block = Block {
            interface: Interface::default(),
            size: size * MEGABYTE,
            bytes: Vec::new(),
        };
        let mut remote = isolate(Box::new(block), &Manner::default()).unwrap();
        let run = RunWindow {
            start: SimTime::from_seconds(0.0),
            stop: SimTime::from_seconds(1.0),
            tolerance: None,
        };
        remote.bind(&[], &[]).unwrap();
        remote.begin_initialization(&run, &Settings::default()).unwrap();
        remote.finish_initialization().unwrap();
        let rollback = remote.rollback().unwrap();
        let save = median(rollback, |rollback| rollback.save(0).unwrap());
        let restore = median(rollback, |rollback| rollback.restore(0).unwrap());
        println!(
            "{size:>9} {:>9.0} {:>11.0}",
            save.as_secs_f64() * 1e6,
            restore.as_secs_f64() * 1e6
        );
    }
}

fn median(rollback: &mut dyn Rollback, call: impl Fn(&mut dyn Rollback)) -> Duration {
    let mut times: Vec<Duration> = (0..TRIPS)
        .map(|_| {
            let begun = Instant::now();
            call(rollback);
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[TRIPS / 2]
}
