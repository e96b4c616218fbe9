//! Compiles the logger that FMI 2 calls with a variable number of arguments, which Rust cannot receive.

fn main() {
    println!("cargo::rerun-if-changed=src/ffi/logger.c");
    cc::Build::new()
        .file("src/ffi/logger.c")
        .compile("cardan_fmi2_logger");
}
