//! The battery of basic coupled systems as a table: how wrong each way to run each system is, and what it costs.
//!
//! `cargo bench -p cardan --bench battery` runs all of them, `-- NAME` those with NAME in their name. The column of errors
//! is the largest error as a part of the range of its signal, divided by the tolerance; `!` marks what is above the bound.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a program that measures may stop and print"
)]

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
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    println!("system, mode, largest error by the tolerance, calls of step, seconds, where the error is");
    for (name, system) in systems::all() {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let prepared = system().prepare();
        for mode in mode::all() {
            let outcome = prepared.run(&mode);
            let mark = if outcome.is_right(&mode) { ' ' } else { '!' };
            println!("{name:<42} {:<28} {mark} {}", mode.name(), outcome.told(&mode));
        }
    }
}
