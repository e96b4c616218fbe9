//! The tools that the manager starts.

use super::absentees::Absence;
use super::options::Options;
use super::outcome::Failure;
use crate::wire::Secret;
use cardan_describe::tlm::{MetaModel, StartCommand};
use cardan_link::launch::Process;
use cardan_link::process::Groups;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Between the polite signal and the other one.
const POLITE: Duration = Duration::from_millis(1000);

/// From the last word of a tool to the end of its process.
const PARTING: Duration = Duration::from_millis(500);

/// A tool that runs.
#[derive(Debug)]
pub(super) struct Tool {
    /// The number of its component.
    pub(super) component: usize,
    pub(super) command: String,
    pub(super) process: Process,
    /// Its end has been noticed.
    pub(super) over: bool,
    /// What is known of its component since then, if that has not come.
    pub(super) absence: Option<Absence>,
}

/// All that were started.
#[derive(Debug, Default)]
pub(super) struct Tools {
    pub(super) running: Vec<Tool>,
    groups: Option<Groups>,
}

impl Tools {
    /// Starts the tool of a component, if there is one to start.
    pub(super) fn start(
        &mut self,
        model: &MetaModel,
        component: usize,
        server: SocketAddr,
        options: &Options,
    ) -> Result<(), Failure> {
        let sub_model = &model.sub_models[component];
        let name = &sub_model.name;
        // Tools know best what their files are; for Cardan they lie beside the meta-model.
        let beside = options.folder.join(&sub_model.model_file);
        let model_file = match sub_model.start_command == StartCommand::Cardan && beside.exists() {
            true => beside,
            false => PathBuf::from(&sub_model.model_file),
        };
        let (mut command, shown) = match &sub_model.start_command {
            StartCommand::Nobody => return Ok(()),
            StartCommand::Program(program) => (Command::new(program), program.clone()),
            StartCommand::Cardan => {
                let runner = match &options.runner {
                    Some(runner) => runner.clone(),
                    None => std::env::current_exe().map_err(|error| {
                        Failure::of(name, format!("Cardan does not find itself: {error}."))
                    })?,
                };
                let mut command = Command::new(runner);
                command.args(["tlm", "client"]);
                (command, "cardan tlm client".to_owned())
            }
        };
        command
            .arg(name)
            .arg(model.simulation.start.to_string())
            .arg(model.simulation.stop.to_string())
            .arg(model.max_step(component).to_string())
            .arg(server.to_string())
            .arg(model_file);
        if let Some(secret) = &options.secret {
            command.env(
                Secret::VARIABLE,
                String::from_utf8_lossy(secret.reveal()).as_ref(),
            );
        }
        let cannot =
            |error: io::Error| Failure::of(name, format!("`{shown}` of {name} cannot be started: {error}."));
        let said = wire_streams(&mut command).map_err(cannot)?;
        if self.groups.is_none() {
            self.groups = Some(Groups::watch().map_err(cannot)?);
        }
        let process = Process::start(command, said, name, None, options.grace).map_err(|error| {
            let failure = Failure::of(
                name,
                format!("The start command of {name} failed. {}", error.message()),
            );
            match error.advice() {
                // Components of a system are looked for beside its description; start commands are not.
                Some(advice) => {
                    failure.advise(advice.replace("the folder of the description", "the current folder"))
                }
                None => failure.advise("verify `StartCommand` in the meta-model"),
            }
        })?;
        if let Some(groups) = &mut self.groups {
            groups.entrust(process.id()).map_err(cannot)?;
        }
        tracing::debug!("{name} is started by `{shown}` as process {}", process.id());
        self.running.push(Tool {
            component,
            command: shown,
            process,
            over: false,
            absence: None,
        });
        Ok(())
    }

    /// The tool of a component.
    pub(super) fn of(&mut self, component: usize) -> Option<&mut Tool> {
        self.running.iter_mut().find(|tool| tool.component == component)
    }

    /// How the tool of a component ended, in words that follow "its process"; none if it has none or lives on. One that has just
    /// said goodbye is about to.
    pub(super) fn ending(&self, component: usize) -> Option<String> {
        let tool = self.running.iter().find(|tool| tool.component == component)?;
        let deadline = Instant::now() + PARTING;
        while tool.process.ending().is_none() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        tool.process.ending()
    }

    /// The last words of the tool of a component, which is ended for it.
    pub(super) fn last_words(&mut self, component: usize) -> Option<String> {
        let index = self.running.iter().position(|tool| tool.component == component)?;
        let tool = self.running.swap_remove(index);
        self.release(&tool);
        Some(tool.process.finish()).filter(|words| !words.is_empty())
    }

    fn release(&mut self, tool: &Tool) {
        if let Some(groups) = &mut self.groups {
            let _ = groups.take_back(tool.process.id());
        }
    }

    /// Waits for the end of all, then asks, then insists. Returns the names of commands that had to be ended.
    pub(super) fn end(&mut self, grace: Duration, hurry: impl Fn() -> bool) -> Vec<String> {
        let alive = |tools: &[Tool]| tools.iter().any(|tool| !tool.process.peer().is_gone());
        let deadline = Instant::now() + grace;
        while alive(&self.running) && Instant::now() < deadline && !hurry() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let late: Vec<String> = self
            .running
            .iter()
            .filter(|tool| !tool.process.peer().is_gone())
            .map(|tool| tool.command.clone())
            .collect();
        if !late.is_empty() {
            for tool in &self.running {
                let leader = i32::try_from(tool.process.id()).ok().and_then(Pid::from_raw);
                if let Some(leader) = leader {
                    let _ = kill_process_group(leader, Signal::TERM);
                }
            }
            let deadline = Instant::now() + POLITE;
            while alive(&self.running) && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        for tool in std::mem::take(&mut self.running) {
            self.release(&tool);
            tool.process.finish();
        }
        late
    }
}

impl Drop for Tools {
    fn drop(&mut self) {
        self.end(Duration::ZERO, || true);
    }
}

/// What a tool says, on either stream, goes to the log line by line: it cannot break what the manager prints.
fn wire_streams(command: &mut Command) -> io::Result<OwnedFd> {
    let (read, write) = io::pipe()?;
    command
        .stdin(Stdio::null())
        .stdout(write.try_clone()?)
        .stderr(write);
    Ok(read.into())
}
