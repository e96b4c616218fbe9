//! The battery of basic coupled systems as a table: how wrong each way to run each system is, and what it costs.
//!
//! `cargo bench -p cardan --bench battery` runs all of them, `-- NAME` those with NAME in their name. The column of errors
//! is the largest error as a part of the range of its signal, divided by the tolerance; `!` marks what is above the bound.
//! `-- --write FOLDER [NAME]` runs nothing: it writes the descriptions, each in a folder of its own, to be run by hand.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a program that measures may stop and print"
)]

use std::path::PathBuf;

#[path = "../tests/battery/attended.rs"]
mod attended;
#[path = "../tests/battery/mode.rs"]
mod mode;
#[path = "../tests/battery/outcome.rs"]
mod outcome;
#[path = "../tests/battery/system.rs"]
mod system;
#[path = "../tests/battery/systems/mod.rs"]
mod systems;

fn main() {
    // Cargo adds `--bench`.
    let mut arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let folder = match arguments.first().map(String::as_str) {
        Some("--write") => {
            arguments.remove(0);
            Some(PathBuf::from(arguments.remove(0)))
        }
        _ => None,
    };
    let systems = systems::all().into_iter().filter(|(name, _)| {
        arguments.is_empty() || arguments.iter().any(|part| name.contains(part.as_str()))
    });
    if let Some(folder) = folder {
        systems.for_each(|(name, system)| drop(system().write(&folder.join(name))));
        return;
    }
    println!("system, mode, largest error by the tolerance, calls of step, seconds, where the error is");
    for (name, system) in systems {
        let prepared = system().prepare();
        for mode in mode::all() {
            let outcome = prepared.run(&mode);
            let mark = if outcome.is_right(&mode) { ' ' } else { '!' };
            println!("{name:<42} {:<28} {mark} {}", mode.name(), outcome.told(&mode));
        }
    }
}
