//! `tlmmanager`: `cardan tlm manager` under the name that scripts know.

fn main() -> std::process::ExitCode {
    cardan_cli::tlmmanager()
}
