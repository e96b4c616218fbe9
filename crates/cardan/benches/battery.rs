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

#[path = "../tests/battery/mode.rs"]
mod mode;
#[path = "../tests/battery/outcome.rs"]
mod outcome;
#[path = "../tests/battery/system.rs"]
mod system;
#[path = "../tests/battery/systems/mod.rs"]
mod systems;

use outcome::Outcome;

fn main() {
    // Cargo adds `--bench`.
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    println!(
        "{:<44} {:<30} {:>12} {:>9} {:>8}",
        "system", "mode", "error / tol.", "calls", "seconds"
    );
    for (name, system) in systems::all() {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let prepared = system().prepare();
        for mode in mode::all() {
            let shown = format!("{name:<44} {:<30}", mode.name());
            match prepared.run(&mode) {
                Outcome::Finished {
                    error,
                    place,
                    calls,
                    seconds,
                    method,
                } => {
                    let mark = if error <= mode.bound() { ' ' } else { '!' };
                    let relative = error / mode.tolerance();
                    println!("{shown} {relative:>12.2e} {calls:>9} {seconds:>8.3} {mark} {place} ({method})");
                }
                Outcome::Failed { message, seconds } => {
                    println!("{shown} {:>12} {:>9} {seconds:>8.3} ! {message}", "fails", "");
                }
            }
        }
    }
}
