//! `tlmmonitor`: `cardan tlm monitor` under the name that scripts know.

fn main() -> std::process::ExitCode {
    cardan_cli::tlmmonitor()
}
