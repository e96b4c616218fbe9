//! `cardan tlm client`: one SubModel of a TLM co-simulation, run by Cardan.

use crate::console;
use crate::interrupt::Interrupt;
use cardan::tlm::plugin::Patience;
use cardan::tlm::wire::ByteOrder;
use cardan::tlm_client::{self, ClientCall};
use clap::Args;
use std::process::ExitCode;
use std::time::Duration;

const EXAMPLES: &str = "\
The manager starts this by itself where a SubModel's ModelFile is an FMU, a built-in model or the TOML file of a component.
By hand:
  cardan tlm client shaft1 0 1 5e-4 127.0.0.1:11111 shaft1.fmu
  cardan tlm client m1 0 1 1e-4 127.0.0.1:11111 m1.toml

The file of a component has the keys of a [components.NAME] table, and [interfaces.NAME] tables that say which ports an
interface point is: flow, effort, position; or frame, load; or value.";

/// The arguments of `cardan tlm client`, in the order in which managers give them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The name of the SubModel
    name: String,
    /// The start of the run (seconds)
    #[arg(allow_negative_numbers = true)]
    start: f64,
    /// Its end (seconds)
    #[arg(allow_negative_numbers = true)]
    end: f64,
    /// The longest step (seconds); 0 leaves it to the delays of the lines
    #[arg(value_name = "MAXSTEP", allow_negative_numbers = true)]
    max_step: f64,
    /// The manager
    #[arg(value_name = "HOST:PORT")]
    server: String,
    /// An FMU, the TOML file of a component, or the name of a built-in model
    #[arg(value_name = "MODELFILE")]
    model: String,
    /// How long to wait for the manager to be there (seconds)
    #[arg(long, value_name = "S", default_value = "30")]
    wait: f64,
}

pub(crate) fn perform(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        (0.0..1e6).contains(&arguments.wait),
        "--wait takes a number of seconds, not {}",
        arguments.wait
    );
    let interrupt = Interrupt::watch()?;
    let call = ClientCall {
        name: arguments.name.clone(),
        start: arguments.start,
        stop: arguments.end,
        max_step: arguments.max_step,
        address: arguments.server.clone(),
        model: arguments.model.clone(),
        patience: Patience {
            meeting: Duration::from_secs_f64(arguments.wait),
            message: None,
            interrupt: interrupt.flag(),
        },
        order: ByteOrder::NATIVE,
        secret: super::secret(),
    };
    match tlm_client::run(&call) {
        Ok(report) => {
            console::note(&report.warnings);
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let advice = error
                .advice()
                .map(|advice| format!("; {advice}"))
                .unwrap_or_default();
            match &error {
                // These come with their own frame.
                tlm_client::ClientError::Description(text) if !text.diagnostics().is_empty() => {
                    console::note(&text.to_string());
                }
                _ => console::error(&format!("{error}{advice}")),
            }
            Ok(error.exit_code().into())
        }
    }
}
