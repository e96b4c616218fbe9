//! The command `cardan` as users call it: the real binary, in a folder of its own.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test may give up as the test itself may"
)]

mod acsi;
mod bench;
mod check;
mod checkpoint;
mod compare;
mod doctor;
mod example;
mod failures;
mod fault_matrix;
mod fmu_check;
mod fmu_failures;
mod fmu_info;
mod fmu_numbers;
mod fmu_run;
mod info;
mod interrupt;
mod mistakes;
mod multibody;
mod plot;
mod processes;
mod run;
mod scene;
mod ssp;
mod supervised;
mod tlm_endings;
mod tlm_faults;
mod tlm_manager;
mod tlm_memory;
mod tlm_mistakes;
mod tlm_raw;
mod tlm_words;
mod usage;
