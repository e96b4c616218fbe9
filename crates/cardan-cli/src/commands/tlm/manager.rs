//! `cardan tlm manager`, also installed as `tlmmanager`.

mod report;
mod stand_in;

pub(crate) use stand_in::stand_in;

use crate::console::{self, Paint};
use crate::interrupt::Interrupt;
use crate::{exit, json, logging};
use anyhow::{Context, bail};
use cardan::tlm_client::{look_for_model_files, look_into_components};
use cardan_describe::tlm::{self, Extent, MetaModel, SubModel};
use cardan_describe::{Reporter, Severity};
use cardan_tlm::manager::{Ending, Event, Manager, Options, Outcome, SURVEY_FILE, Task};
use cardan_tlm::wire::Secret;
use clap::Args;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// What `-d` writes, as the reference names it.
const LOG_FILE: &str = "TLMlogfile.log";

const MORE: &str = "\
Examples:
  cardan tlm manager pendulum.xml               run it; tools on port 11111 or the next free one
  cardan tlm manager -p 11115 -m 11116 p.xml    with a port for monitors too
  cardan tlm manager -r pendulum.xml            where are the interface points?
  cardan tlm manager -r -s shaft1 pendulum.xml  the same for one sub-model

A SubModel is started by its StartCommand: a program in PATH, called in the current folder as
  StartCommand NAME START END MAXSTEP HOST:PORT MODELFILE
`none` starts nothing: start that tool yourself. `cardan` lets Cardan run the model file, which lies
beside the meta-model: an FMU, a component file, or the name of a built-in model.

With -m the start waits up to --monitor-wait for the first monitor. Monitors that join later get
what was sent before. -r writes interfaceData.xml and prints a list.

From other machines: --listen 0.0.0.0 opens the ports to them, and needs a secret, from
--secret-file or from the environment (CARDAN_TLM_SECRET). Clients on this machine never need it.

Exit codes: 0 all came to their end, 2 the meta-model or the call is wrong, 3 a tool failed or did
not come, 130 interrupted. Whatever happens, the tools that were started are ended too.";

/// The arguments of `cardan tlm manager`.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    /// The meta-model
    #[arg(value_name = "MODEL.XML")]
    model: PathBuf,
    /// Write every detail to TLMlogfile.log
    #[arg(short)]
    debug: bool,
    /// Open this port for monitors, or the next free one
    #[arg(short, value_name = "PORT")]
    monitor_port: Option<u16>,
    /// Open this port for tools instead of that of the meta-model (11111), or the next free one
    #[arg(short = 'p', value_name = "PORT")]
    server_port: Option<u16>,
    /// Ask the tools where their interface points are, and end
    #[arg(short)]
    request: bool,
    /// With -r: only this sub-model
    #[arg(short, value_name = "NAME", requires = "request")]
    sub_model: Option<String>,
    /// Listen on this address
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// The secret for clients on other machines is in this file
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
    /// Seconds until all tools must be ready
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0, value_parser = seconds)]
    start_timeout: f64,
    /// Seconds that the start waits for the first monitor, with -m
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    monitor_wait: f64,
    /// Seconds that tools have to end by themselves after the co-simulation
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    grace: f64,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e8).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds is wanted, such as 30".to_owned()),
    }
}

impl Arguments {
    /// The log that `-d` asks for; the reference writes it for `-r` too.
    pub(crate) fn log_file(&self) -> Option<&'static Path> {
        self.debug.then_some(Path::new(LOG_FILE))
    }

    fn options(&self) -> anyhow::Result<Options> {
        let secret = secret(self.secret_file.as_deref())?;
        if !self.listen.is_loopback() && secret.is_none() {
            bail!(
                "--listen {} needs a secret, since other machines can connect: name a file with --secret-file, or set {}",
                self.listen,
                Secret::VARIABLE
            );
        }
        Ok(Options {
            task: match self.request {
                true => Task::AskForInterfaces(self.sub_model.clone()),
                false => Task::Simulate,
            },
            listen: self.listen,
            port: self.server_port,
            monitor_port: self.monitor_port,
            secret,
            start_timeout: Duration::from_secs_f64(self.start_timeout),
            monitor_wait: Duration::from_secs_f64(self.monitor_wait),
            grace: Duration::from_secs_f64(self.grace),
            runner: std::env::current_exe().ok(),
            folder: self.model.parent().unwrap_or(Path::new("")).to_owned(),
            ..Options::default()
        })
    }
}

fn secret(file: Option<&Path>) -> anyhow::Result<Option<Secret>> {
    let (text, place) = match (file, std::env::var(Secret::VARIABLE)) {
        (Some(path), _) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("the secret cannot be read from {}", path.display()))?;
            (text, path.display().to_string())
        }
        (None, Ok(text)) => (text, Secret::VARIABLE.to_owned()),
        (None, Err(_)) => return Ok(None),
    };
    match Secret::new(&text) {
        Some(secret) => Ok(Some(secret)),
        None => bail!("{place} holds no secret"),
    }
}

pub(crate) fn perform(arguments: &Arguments, logging: &logging::Choice) -> anyhow::Result<ExitCode> {
    let options = arguments.options()?;
    let voice = match (logging.quiet, arguments.json) {
        (true, false) => Voice::Quiet,
        (quiet, true) => Voice::Json { quiet },
        (false, false) => Voice::Plain,
    };
    run(&arguments.model, options, voice)
}

/// Who reads what the manager says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Voice {
    /// People.
    Plain,
    /// People who want to hear of mistakes only.
    Quiet,
    /// Machines read standard output, people the rest.
    Json {
        /// Or nobody does.
        quiet: bool,
    },
}

impl Voice {
    fn is_json(self) -> bool {
        matches!(self, Voice::Json { .. })
    }

    /// What people read goes to standard output, unless that is for machines.
    fn say(self, text: &str) {
        match self {
            Voice::Quiet | Voice::Json { quiet: true } => {}
            Voice::Json { quiet: false } => console::note(text),
            // If nobody reads it any more, the co-simulation goes on.
            Voice::Plain => drop(console::print(text)),
        }
    }

    fn warn(self, text: &str) {
        if !matches!(self, Voice::Quiet | Voice::Json { quiet: true }) {
            console::warning(text);
        }
    }
}

/// Reads a meta-model and runs it.
fn run(path: &Path, options: Options, voice: Voice) -> anyhow::Result<ExitCode> {
    let Some(model) = read(path, &options.task, voice.is_json())? else {
        return Ok(exit::WRONG.into());
    };
    let name = model.name.clone();
    let begun = match &options.task {
        Task::Simulate => "All tools are ready; the co-simulation runs.\n",
        Task::AskForInterfaces(_) => {
            "All tools are ready; they are asked where their interface points are.\n"
        }
    };
    let interrupt = Interrupt::watch()?;
    let mut warnings = Vec::new();
    let manager = Manager::new(model, options).stopped_by(interrupt.flag());
    let mut addresses = None;
    let outcome = manager.run(&mut |event| match event {
        Event::Listening { components, monitors } => {
            addresses = Some((*components, *monitors));
            voice.say(&report::listening(*components, *monitors));
        }
        Event::Begun => voice.say(begun),
        Event::Progress(text) => voice.say(&format!("{text}\n")),
        Event::Warning(text) => {
            voice.warn(text);
            warnings.push(text.clone());
        }
        Event::Note(text) => tracing::info!("{text}"),
    });
    let code = finish(&outcome, voice)?;
    if voice.is_json() {
        json::print(&report::machine_readable(&name, &outcome, addresses, &warnings))?;
    }
    Ok(code.into())
}

/// Reads a meta-model; none if it is wrong, which has been shown.
fn read(path: &Path, task: &Task, as_json: bool) -> anyhow::Result<Option<MetaModel>> {
    let extent = match task {
        Task::Simulate => Extent::Whole,
        Task::AskForInterfaces(_) => Extent::SubModels,
    };
    let mut reporter = Reporter::new();
    let model = tlm::load(path, extent, &mut reporter);
    if let Some(model) = &model {
        // Who is not started needs no file.
        let started = |sub_model: &SubModel| match task {
            Task::AskForInterfaces(Some(name)) => sub_model.name == *name,
            _ => true,
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        look_for_model_files(model, folder, started, &mut reporter);
        look_into_components(model, folder, started, &mut reporter);
        tlm::warn_between_processes(model, &mut reporter);
    }
    console::note(&reporter.render_all(Paint::for_errors().coloured));
    if let Some(model) = &model
        && let Task::AskForInterfaces(Some(name)) = task
        && model.sub_model(name).is_none()
    {
        let names: Vec<&str> = model.sub_models.iter().map(|s| s.name.as_str()).collect();
        bail!("there is no sub-model `{name}`; there are {}", names.join(", "));
    }
    if reporter.has_errors() {
        let mistakes = reporter.error_count();
        if mistakes > 1 {
            console::error(&format!("{} has {mistakes} mistakes", path.display()));
        }
        if as_json {
            let name = model.as_ref().map(|model| model.name.as_str());
            let mut all = reporter.finish();
            all.sort_by_key(|mistake| mistake.severity != Severity::Error);
            json::print_mistakes(name, &all)?;
        }
        return Ok(None);
    }
    Ok(model)
}

/// Tells how it ended, and writes what was asked for.
fn finish(outcome: &Outcome, voice: Voice) -> anyhow::Result<u8> {
    match &outcome.ending {
        Ending::Completed => {}
        Ending::Interrupted => {
            console::error(&report::interrupted(outcome));
            return Ok(exit::INTERRUPTED);
        }
        Ending::Failed(failure) => {
            console::error(&failure.message);
            if let Some(advice) = &failure.advice {
                console::note(&format!("  advice: {advice}\n"));
            }
            return Ok(exit::FAILED);
        }
    }
    match &outcome.survey {
        Some(survey) => {
            voice.say(&survey.listing());
            if let Err(error) = std::fs::write(SURVEY_FILE, survey.xml()) {
                console::error(&format!("{SURVEY_FILE} cannot be written: {error}"));
                return Ok(exit::FAILED);
            }
        }
        None => voice.say(&report::completed(outcome)),
    }
    Ok(exit::DONE)
}
