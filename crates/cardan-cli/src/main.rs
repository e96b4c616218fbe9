//! `cardan`.

fn main() -> std::process::ExitCode {
    cardan_cli::cardan()
}
