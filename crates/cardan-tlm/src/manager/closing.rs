//! Ends: of a connection, of a tool, of all.

use super::absentees::Absence;
use super::component::{self, Standing};
use super::line::{Line, Role};
use super::outcome::{Ending, Failure};
use super::session::{Phase, Session};
use crate::general::seconds;
use crate::wire::{Header, Kind};
use std::io;
use std::time::{Duration, Instant};

/// How long those who were told of the end may take to leave.
const LEAVING: Duration = Duration::from_secs(5);

/// The same where something went wrong: they are told, and that is all.
const QUICK: Duration = Duration::from_millis(300);

/// How long a monitor may take nothing while there is something for it, after the end.
const MONITOR_STALL: Duration = Duration::from_secs(10);

impl Session<'_> {
    /// The other end of a line has closed it, or it broke.
    pub(super) fn ended(&mut self, index: usize, error: Option<io::Error>) -> Result<(), Failure> {
        let Some(line) = &self.lines[index] else {
            return Ok(());
        };
        let (role, peer) = (line.role, line.peer);
        let in_the_middle = !self.inboxes[index].is_empty();
        self.drop_line(index);
        match role {
            Role::Stranger | Role::NewMonitor => {
                if in_the_middle {
                    self.warn_of_stranger(format!(
                        "A connection from {peer} ended in the middle of its first message."
                    ));
                }
                Ok(())
            }
            // However it went, it was only listening.
            Role::Monitor => {
                self.note(format!("The monitor at {peer} has left."));
                Ok(())
            }
            Role::Component(component) => self.component_left(component, in_the_middle, error),
        }
    }

    fn component_left(
        &mut self,
        component: usize,
        in_the_middle: bool,
        error: Option<io::Error>,
    ) -> Result<(), Failure> {
        self.components[component].line = None;
        if self.components[component].standing == Standing::Done || self.phase == Phase::Closing {
            return Ok(());
        }
        let name = self.components[component].name.clone();
        if self.phase == Phase::Running && !in_the_middle && self.has_said_everything(component) {
            self.warn(format!(
                "{name} left at its end without asking to (no CLOSE_REQUEST)."
            ));
            self.components[component].standing = Standing::Done;
            return Ok(());
        }
        let how = match (in_the_middle, error) {
            (true, _) => "in the middle of a message".to_owned(),
            (false, Some(error)) => format!("with an error ({error})"),
            (false, None) => "without a word".to_owned(),
        };
        let time = self.components[component].time;
        let when = match (self.phase, time) {
            (Phase::Starting, _) => "before the start".to_owned(),
            (_, Some(time)) => format!("after its samples at {} s", seconds(time)),
            (_, None) => "before it sent samples".to_owned(),
        };
        let mut message = format!("{name} closed its connection {how} {when}.");
        if let Some(ending) = self.tools.ending(component) {
            message += &format!(" Its process {ending}.");
            message += &self.tools.last_words(component).unwrap_or_default();
        }
        Err(Failure::of(&name, message)
            .at(time)
            .advise("look into the log of that tool"))
    }

    fn has_said_everything(&self, component: usize) -> bool {
        match &self.survey {
            Some(survey) => survey.is_complete_for(&self.components[component].name),
            None => component::has_come_to_the_end(self.model, &self.routes, component),
        }
    }

    /// A connection said what it must not: it is closed. If it was that of a component, that is the end.
    pub(super) fn offended(&mut self, index: usize, offence: &str) -> Result<(), Failure> {
        let Some(line) = &self.lines[index] else {
            return Ok(());
        };
        let (role, peer) = (line.role, line.peer);
        self.drop_line(index);
        match role {
            Role::Component(component) => {
                self.components[component].line = None;
                let name = self.components[component].name.clone();
                let time = self.components[component].time;
                if self.components[component].standing == Standing::Done {
                    self.warn(format!("{name} is closed after its end: {offence}."));
                    return Ok(());
                }
                let when = time.map_or_else(String::new, |time| {
                    format!(" after its samples at {} s", seconds(time))
                });
                Err(Failure::of(
                    &name,
                    format!("The connection of {name} is closed{when}: {offence}."),
                )
                .at(time)
                .advise("this is a defect of that tool or of its TLM plugin"))
            }
            Role::Stranger => {
                self.warn_of_stranger(format!("A connection from {peer} is closed: {offence}."));
                Ok(())
            }
            Role::NewMonitor | Role::Monitor => {
                self.warn_of_stranger(format!("The monitor at {peer} is closed: {offence}."));
                Ok(())
            }
        }
    }

    pub(super) fn close_requested(&mut self, component: usize) -> Result<(), Failure> {
        let name = self.components[component].name.clone();
        if self.phase == Phase::Starting {
            return Err(
                Failure::of(&name, format!("{name} asked for the end before the start."))
                    .advise("look into the log of that tool"),
            );
        }
        tracing::debug!("{name} has come to its end");
        self.components[component].standing = Standing::Done;
        self.notice_early_end(component);
        Ok(())
    }

    pub(super) fn aborted(&mut self, component: usize) -> Failure {
        let Session { components, .. } = self;
        let (name, time) = (components[component].name.clone(), components[component].time);
        let when = match time {
            Some(time) => format!("after its samples at {} s", seconds(time)),
            None => "before it sent samples".to_owned(),
        };
        let mut message = format!("{name} gave up {when} (ABORT).");
        if let Some(ending) = self.tools.ending(component) {
            message += &format!(" Its process {ending}.");
            message += &self.tools.last_words(component).unwrap_or_default();
        }
        Failure::of(&name, message)
            .at(time)
            .advise("look into the log of that tool")
    }

    /// The process of a tool has ended. Its connection says the rest, if it has one.
    pub(super) fn tool_ended(&mut self, component: usize) -> Result<(), Failure> {
        self.unwatch_tool(component);
        let Some(tool) = self.tools.of(component).filter(|tool| !tool.over) else {
            return Ok(());
        };
        tool.over = true;
        tool.absence = Absence::begins();
        let command = tool.command.clone();
        let ending = tool.process.ending().unwrap_or_else(|| "ended".to_owned());
        let well = ending.ends_with("exit status 0");
        let name = self.components[component].name.clone();
        tracing::debug!("the process of {name} {ending}");
        if well || self.components[component].standing == Standing::Done || self.phase == Phase::Closing {
            if !well {
                self.warn(format!(
                    "The process of {name} {ending}, after its end in the co-simulation."
                ));
            }
            return Ok(());
        }
        // What it sent before its end tells how far it came, and perhaps why.
        if let Some(line) = self.components[component].line {
            self.drain(line)?;
        }
        if self.components[component].standing == Standing::Done {
            return Ok(());
        }
        let time = self.components[component].time;
        let when = match (self.components[component].standing, time) {
            (Standing::Awaited, _) => "before it registered".to_owned(),
            (_, Some(time)) => format!("after its samples at {} s", seconds(time)),
            (_, None) => "before it sent samples".to_owned(),
        };
        let words = self.tools.last_words(component).unwrap_or_default();
        Err(Failure::of(
            &name,
            format!("The process of {name} (`{command}`) {ending}, {when}.{words}"),
        )
        .at(time)
        .advise("verify the start command and the model file, and look into the log of that tool"))
    }

    /// Nobody may be waited for without end.
    pub(super) fn look_at_deadlines(&mut self) -> Result<(), Failure> {
        self.open_doors();
        let silence = self.options.silence;
        for index in 0..self.lines.len() {
            let Some(line) = &self.lines[index] else { continue };
            if line.role.is_new() && line.since.elapsed() > silence {
                let text = match self.inboxes[index].is_empty() {
                    true => "said nothing",
                    false => "did not finish its first message",
                };
                let text = format!(
                    "A connection from {} is closed: it {text} for {} s.",
                    line.peer,
                    silence.as_secs_f64()
                );
                self.warn_of_stranger(text);
                self.drop_line(index);
            }
        }
        if self.phase == Phase::Starting && self.since_opening() > self.options.start_timeout {
            return Err(self.not_started());
        }
        self.look_for_absentees()?;
        self.look_for_the_starving()?;
        self.look_into_the_hush();
        Ok(())
    }

    fn not_started(&self) -> Failure {
        let missing = |wanted: Standing| -> Vec<&str> {
            let all = self.awaited.iter().map(|index| &self.components[*index]);
            all.filter(|c| c.standing == wanted)
                .map(|c| c.name.as_str())
                .collect()
        };
        let mut parts = Vec::new();
        for (standing, what) in [
            (Standing::Awaited, "did not connect"),
            (Standing::Registered, "connected but did not get ready"),
        ] {
            let names = missing(standing);
            if !names.is_empty() {
                parts.push(format!("{} {what}", names.join(", ")));
            }
        }
        let late = missing(Standing::Awaited).first().copied();
        Failure {
            component: late.map(str::to_owned),
            ..Failure::new(format!(
                "Not all were ready within {} s: {}.",
                self.options.start_timeout.as_secs_f64(),
                parts.join("; ")
            ))
        }
        .advise(
            "start those whose start command is `none` yourself, or give them more time with --start-timeout",
        )
    }

    /// Tells all of the end, lets them leave, and ends the tools.
    pub(super) fn finish(&mut self, ending: &Ending) {
        let was_starting = self.phase == Phase::Starting;
        self.phase = Phase::Closing;
        let well = *ending == Ending::Completed;
        for index in 0..self.lines.len() {
            let Some(line) = &mut self.lines[index] else {
                continue;
            };
            match line.role {
                Role::Component(_) if well => line.answer(Header::new(Kind::ClosePermission, -1), &[]),
                // Whoever waits for the start hears that there will be none.
                Role::Component(component)
                    if was_starting && self.components[component].standing == Standing::Ready =>
                {
                    line.answer(Header::new(Kind::CheckModel, 0), &[]);
                }
                Role::Component(_) | Role::Monitor => {}
                Role::NewMonitor if well => {}
                Role::Stranger | Role::NewMonitor => self.drop_line(index),
            }
            self.touched.push(index);
        }
        self.leave(well);
        let grace = match well {
            true => self.options.grace,
            false => self.options.short_grace,
        };
        let stopped_before = self.is_stopped();
        let mut tools = std::mem::take(&mut self.tools);
        let late = tools.end(grace, || !stopped_before && self.is_stopped());
        if !late.is_empty() && well {
            self.warn(format!(
                "These did not end within {} s after the co-simulation and were ended: {}.",
                grace.as_secs_f64(),
                late.join(", ")
            ));
        }
    }

    /// Until all lines are closed or nobody wants to wait any longer.
    fn leave(&mut self, well: bool) {
        let patience = if well { LEAVING } else { QUICK };
        let began = Instant::now();
        let mut progress = (Instant::now(), usize::MAX);
        let mut events = Vec::with_capacity(64);
        self.flush_touched();
        if !well {
            self.lines.iter_mut().flatten().for_each(Line::hang_up);
        }
        while self.lines.iter().any(Option::is_some) && !(well && self.is_stopped()) {
            if began.elapsed() > QUICK {
                self.drop_silent_monitors();
            }
            self.feed_monitors();
            self.flush_touched();
            self.hang_up_on_monitors();
            let waiting: usize = self.lines.iter().flatten().map(Line::waiting).sum();
            if waiting != progress.1 {
                progress = (Instant::now(), waiting);
            }
            // Monitors get the time that they need, as long as they take something.
            let stalled = self.monitors.is_empty() || progress.0.elapsed() > MONITOR_STALL;
            if began.elapsed() > patience && (stalled || !well) {
                return;
            }
            if self.wait(&mut events).is_err() {
                return;
            }
            for event in events.drain(..) {
                match usize::try_from(event.data.u64())
                    .ok()
                    .filter(|index| *index < self.lines.len())
                {
                    // Whatever goes wrong now changes nothing any more.
                    Some(index) => drop(self.serve(index, event.flags)),
                    None => self.ignore(event.data.u64()),
                }
            }
        }
    }

    fn drop_silent_monitors(&mut self) {
        for index in 0..self.lines.len() {
            if self.lines[index]
                .as_ref()
                .is_some_and(|line| line.role == Role::NewMonitor)
            {
                self.drop_line(index);
            }
        }
    }

    /// Monitors that have been told of the end, and have taken everything, need not be waited for.
    fn hang_up_on_monitors(&mut self) {
        let done: Vec<usize> = self
            .monitors
            .iter()
            .filter(|monitor| monitor.permitted)
            .map(|monitor| monitor.line)
            .filter(|line| self.lines[*line].as_ref().is_none_or(|line| line.waiting() == 0))
            .collect();
        for index in done {
            if let Some(line) = &mut self.lines[index] {
                line.hang_up();
            }
            self.monitors.retain(|monitor| monitor.line != index);
        }
    }
}
