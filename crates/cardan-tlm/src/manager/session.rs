//! The loop: whatever can be read or written next.

use super::component::{self, Component, Route, Standing};
use super::doors;
use super::history::History;
use super::hush::Hush;
use super::line::{FULL, Line, Role};
use super::monitors::Monitor;
use super::options::{Options, Task};
use super::outcome::{ComponentReport, Ending, Event, Failure, Outcome};
use super::parameters::Questions;
use super::starvation::Starvation;
use super::survey::Survey;
use super::tools::Tools;
use crate::wire::{Header, Inbox, Kind, WireError};
use cardan_describe::tlm::MetaModel;
use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often deadlines and the wish to stop are looked at.
const LOOK: Duration = Duration::from_millis(100);

/// Warnings about strangers that the user gets to read.
const TOLD: u32 = 100;

/// What the loop waits for besides lines, whose tokens are their numbers.
pub(super) const COMPONENT_DOOR: u64 = u64::MAX;
pub(super) const MONITOR_DOOR: u64 = u64::MAX - 1;
const FIRST_TOOL: u64 = 1 << 32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Tools register.
    Starting,
    /// Samples flow.
    Running,
    /// All have come to their end and are leaving.
    Closing,
}

pub(super) struct Session<'a> {
    pub(super) model: &'a MetaModel,
    pub(super) options: &'a Options,
    stop: &'a AtomicBool,
    tell: &'a mut dyn FnMut(&Event),
    pub(super) epoll: OwnedFd,
    pub(super) door: TcpListener,
    pub(super) monitor_door: Option<TcpListener>,
    /// Lines and their inboxes have the same numbers.
    pub(super) lines: Vec<Option<Line>>,
    pub(super) inboxes: Vec<Inbox>,
    /// Lines that something was put on.
    pub(super) touched: Vec<usize>,
    pub(super) components: Vec<Component>,
    /// Which components take part: all, or the one that was asked for.
    pub(super) awaited: Vec<usize>,
    pub(super) routes: Vec<Route>,
    pub(super) monitors: Vec<Monitor>,
    pub(super) histories: Vec<History>,
    pub(super) survey: Option<Survey>,
    pub(super) tools: Tools,
    pub(super) questions: Questions,
    pub(super) starvation: Starvation,
    pub(super) hush: Hush,
    /// It has been said that the start waits for a monitor.
    pub(super) waits_for_monitor: bool,
    pub(super) phase: Phase,
    payload: Vec<u8>,
    /// No newcomers for now.
    pub(super) doors_closed: bool,
    /// Warnings about strangers so far.
    told: u32,
    opened: Instant,
    begun: Option<Instant>,
}

impl<'a> Session<'a> {
    pub(super) fn run(
        model: &'a MetaModel,
        options: &'a Options,
        stop: &'a AtomicBool,
        tell: &'a mut dyn FnMut(&Event),
    ) -> Outcome {
        let opened = Instant::now();
        match Session::open(model, options, stop, tell) {
            Ok(mut session) => {
                let ending = session.work();
                session.finish(&ending);
                session.outcome(ending)
            }
            Err(failure) => Outcome {
                ending: Ending::Failed(failure),
                components: Vec::new(),
                setup: opened.elapsed(),
                run: Duration::ZERO,
                survey: None,
            },
        }
    }

    fn open(
        model: &'a MetaModel,
        options: &'a Options,
        stop: &'a AtomicBool,
        tell: &'a mut dyn FnMut(&Event),
    ) -> Result<Self, Failure> {
        if !options.listen.is_loopback() && options.secret.is_none() {
            return Err(Failure::new(format!(
                "Listening on {} needs a secret, since other machines can connect.",
                options.listen
            ))
            .advise("give one in a file or in the environment, or listen on 127.0.0.1 alone"));
        }
        let system = |error: Errno| Failure::new(format!("The system gives no event queue: {error}."));
        let opened = Instant::now();
        let port = options.port.unwrap_or(model.simulation.manager_port);
        let door = doors::open(options.listen, port)?;
        let monitor = options.monitor_port.map(|port| doors::open(options.listen, port));
        let monitor = monitor.transpose()?;
        let remarks = [
            door.remark("tools"),
            monitor.as_ref().and_then(|monitor| monitor.remark("monitors")),
        ];
        for text in remarks.into_iter().flatten() {
            tell(&Event::Warning(text));
        }
        let (door, address) = (door.listener, door.address);
        let monitor = monitor.map(|monitor| (monitor.listener, monitor.address));
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(system)?;
        epoll::add(&epoll, &door, EventData::new_u64(COMPONENT_DOOR), EventFlags::IN).map_err(system)?;
        if let Some((door, _)) = &monitor {
            epoll::add(&epoll, door, EventData::new_u64(MONITOR_DOOR), EventFlags::IN).map_err(system)?;
        }
        tell(&Event::Listening {
            components: address,
            monitors: monitor.as_ref().map(|(_, address)| *address),
        });
        let awaited = match &options.task {
            Task::AskForInterfaces(Some(name)) => vec![model.sub_model(name).ok_or_else(|| {
                Failure::new(format!("The meta-model has no sub-model `{name}`."))
                    .advise("name one of its sub-models after -s")
            })?],
            _ => (0..model.sub_models.len()).collect(),
        };
        let interfaces = model.interfaces.len();
        let mut session = Session {
            model,
            options,
            stop,
            tell,
            epoll,
            door,
            histories: match &monitor {
                Some(_) => (0..interfaces).map(|_| History::shared_by(interfaces)).collect(),
                None => Vec::new(),
            },
            monitor_door: monitor.map(|(door, _)| door),
            lines: Vec::new(),
            inboxes: Vec::new(),
            touched: Vec::new(),
            components: component::components(model),
            awaited,
            routes: component::routes(model),
            monitors: Vec::new(),
            survey: (options.task != Task::Simulate).then(Survey::default),
            tools: Tools::default(),
            questions: Questions::default(),
            starvation: Starvation::default(),
            hush: Hush::default(),
            waits_for_monitor: false,
            phase: Phase::Starting,
            payload: Vec::new(),
            doors_closed: false,
            told: 0,
            opened,
            begun: None,
        };
        session.start_tools(address)?;
        Ok(session)
    }

    fn start_tools(&mut self, address: SocketAddr) -> Result<(), Failure> {
        let mut server = address;
        if server.ip().is_unspecified() {
            server.set_ip(match server.ip() {
                IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        for index in self.awaited.clone() {
            self.tools.start(self.model, index, server, self.options)?;
        }
        for tool in &self.tools.running {
            let token = EventData::new_u64(FIRST_TOOL + tool.component as u64);
            epoll::add(&self.epoll, tool.process.peer(), token, EventFlags::IN)
                .map_err(|error| Failure::new(format!("A process cannot be watched: {error}.")))?;
        }
        Ok(())
    }

    /// Until the end, whatever it is.
    fn work(&mut self) -> Ending {
        let mut events = Vec::with_capacity(64);
        let mut looked = Instant::now();
        loop {
            match self.turn(&mut events, &mut looked) {
                Ok(false) => {}
                Ok(true) => return Ending::Completed,
                Err(failure) => return Ending::Failed(failure),
            }
            if self.is_stopped() {
                return Ending::Interrupted;
            }
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// One round of the loop; true when all have come to their end.
    fn turn(&mut self, events: &mut Vec<epoll::Event>, looked: &mut Instant) -> Result<bool, Failure> {
        self.wait(events)?;
        for event in events.drain(..) {
            match event.data.u64() {
                COMPONENT_DOOR => self.accept(Role::Stranger),
                MONITOR_DOOR => self.accept(Role::NewMonitor),
                token if token >= FIRST_TOOL => self.tool_ended((token - FIRST_TOOL) as usize)?,
                token => self.serve(token as usize, event.flags)?,
            }
        }
        self.feed_monitors();
        self.flush_touched();
        if looked.elapsed() >= LOOK {
            *looked = Instant::now();
            self.look_at_deadlines()?;
        }
        match self.phase {
            Phase::Starting => self.begin_if_ready().map(|()| false),
            Phase::Running => {
                let done = |index: &usize| self.components[*index].standing == Standing::Done;
                Ok(self.awaited.iter().all(done))
            }
            Phase::Closing => Ok(false),
        }
    }

    /// Waits for events, not longer than deadlines may wait.
    pub(super) fn wait(&mut self, events: &mut Vec<epoll::Event>) -> Result<(), Failure> {
        let timeout = rustix::event::Timespec::try_from(LOOK).unwrap_or_default();
        match epoll::wait(&self.epoll, spare_capacity(events), Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(Failure::new(format!("The event queue fails: {error}."))),
        }
    }

    /// Reads and writes a line as far as it goes.
    pub(super) fn serve(&mut self, index: usize, flags: EventFlags) -> Result<(), Failure> {
        if flags.contains(EventFlags::OUT) {
            self.touched.push(index);
        }
        if flags.intersects(EventFlags::IN | EventFlags::HUP | EventFlags::ERR) {
            self.read(index)?;
        }
        Ok(())
    }

    fn read(&mut self, index: usize) -> Result<(), Failure> {
        let Some(line) = self.lines.get_mut(index).and_then(Option::as_mut) else {
            return Ok(());
        };
        match self.inboxes[index].fill(&mut line.stream) {
            Ok(0) => return self.ended(index, None),
            Ok(_) => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                return Ok(());
            }
            Err(error) => return self.ended(index, Some(error)),
        }
        loop {
            match self.next(index) {
                Next::Relayed => {}
                Next::Nothing => return Ok(()),
                Next::Wrong(error) => return self.offended(index, &error.to_string()),
                Next::Refused(offence) => return self.offended(index, &offence),
                Next::Message(header) => {
                    let payload = std::mem::take(&mut self.payload);
                    let handled = self.handle(index, header, &payload);
                    self.payload = payload;
                    handled?;
                }
            }
            if self.lines[index].is_none() {
                return Ok(());
            }
        }
    }

    /// Takes the next message of a line. Samples on their way are handed on at once.
    fn next(&mut self, index: usize) -> Next {
        let Session { inboxes, lines, .. } = self;
        let message = match inboxes[index].take() {
            Ok(Some(message)) => message,
            Ok(None) => return Next::Nothing,
            Err(error) => return Next::Wrong(error),
        };
        let role = lines[index].as_ref().map(|line| line.role);
        match (role, message.header.kind, self.phase) {
            (Some(Role::Component(component)), Kind::TimeData, Phase::Running) if self.survey.is_none() => {
                let mut relay = super::relay::Relay {
                    model: self.model,
                    lines,
                    touched: &mut self.touched,
                    components: &mut self.components,
                    routes: &mut self.routes,
                    histories: &mut self.histories,
                    tell: &mut *self.tell,
                };
                match relay.hand_on(component, message) {
                    Ok(()) => Next::Relayed,
                    Err(offence) => Next::Refused(offence),
                }
            }
            _ => {
                self.payload.clear();
                self.payload.extend_from_slice(message.payload());
                Next::Message(message.header)
            }
        }
    }

    fn handle(&mut self, index: usize, header: Header, payload: &[u8]) -> Result<(), Failure> {
        let Some(line) = &mut self.lines[index] else {
            return Ok(());
        };
        line.order = header.order;
        match line.role {
            // Whatever tools say after the end changes nothing any more.
            Role::Stranger | Role::Component(_) if self.phase == Phase::Closing => Ok(()),
            Role::Stranger => self.introduce_component(index, header, payload),
            Role::NewMonitor | Role::Monitor => self.hear_monitor(index, header, payload),
            Role::Component(component) => self.hear_component(index, component, header, payload),
        }
    }

    /// Reads a line to its end, or until nothing more has arrived.
    pub(super) fn drain(&mut self, index: usize) -> Result<(), Failure> {
        // As much as the system may hold for it.
        for _ in 0..256 {
            let Some(line) = &self.lines[index] else {
                return Ok(());
            };
            let mut byte = [0];
            if line.stream.peek(&mut byte).is_err() {
                return Ok(());
            }
            self.read(index)?;
        }
        Ok(())
    }

    /// A process that has ended is not watched any more.
    pub(super) fn unwatch_tool(&mut self, component: usize) {
        if let Some(tool) = self.tools.of(component) {
            let _ = epoll::delete(&self.epoll, tool.process.peer());
        }
    }

    /// What is not a line is not looked at any more.
    pub(super) fn ignore(&mut self, token: u64) {
        match token {
            COMPONENT_DOOR => drop(epoll::delete(&self.epoll, &self.door)),
            MONITOR_DOOR => {
                if let Some(door) = &self.monitor_door {
                    let _ = epoll::delete(&self.epoll, door);
                }
            }
            tool => self.unwatch_tool((tool - FIRST_TOOL) as usize),
        }
    }

    /// Puts an answer on a line.
    pub(super) fn answer(&mut self, index: usize, header: Header, payload: &[u8]) {
        if let Some(line) = &mut self.lines[index] {
            line.answer(header, payload);
            self.touched.push(index);
        }
    }

    /// Takes a line away.
    pub(super) fn drop_line(&mut self, index: usize) {
        if let Some(mut line) = self.lines[index].take() {
            line.flush();
            // Closing it takes it out of the queue as well, since nobody else has it.
        }
        self.monitors.retain(|monitor| monitor.line != index);
        for line in self.lines.iter_mut().flatten() {
            if line.held_by == Some(index) {
                line.held_by = None;
                update(&self.epoll, line);
            }
        }
    }

    pub(super) fn feed_monitors(&mut self) {
        let mut lost = None;
        for monitor in &mut self.monitors {
            let Some(line) = &mut self.lines[monitor.line] else {
                continue;
            };
            let fed = monitor.feed(&self.histories, line);
            if self.phase == Phase::Closing && fed.is_complete && monitor.is_through() {
                monitor.permitted = true;
                line.answer(Header::new(Kind::ClosePermission, -1), &[]);
            }
            if line.waiting() > 0 {
                self.touched.push(monitor.line);
            }
            if fed.has_lost {
                lost = Some(line.peer);
            }
        }
        if let Some(peer) = lost {
            self.warn(format!(
                "The monitor at {peer} is so slow that the oldest samples it has not taken are gone."
            ));
        }
    }

    /// Sends what was put on lines, and lets those go on who waited for them.
    pub(super) fn flush_touched(&mut self) {
        for index in &self.touched {
            if let Some(line) = self.lines.get_mut(*index).and_then(Option::as_mut) {
                line.flush();
                update(&self.epoll, line);
            }
        }
        self.touched.clear();
        for index in 0..self.lines.len() {
            let Some(by) = self.lines[index].as_ref().and_then(|line| line.held_by) else {
                continue;
            };
            let waiting = self.lines[by].as_ref().map_or(0, Line::waiting);
            if let Some(line) = &mut self.lines[index] {
                line.held_by = line.held_by.filter(|_| waiting > FULL / 2);
                update(&self.epoll, line);
            }
        }
    }

    pub(super) fn warn(&mut self, text: String) {
        tracing::debug!("{text}");
        (self.tell)(&Event::Warning(text));
    }

    /// What strangers do is told, but they cannot fill the screen with it.
    pub(super) fn warn_of_stranger(&mut self, text: String) {
        self.told += 1;
        match self.told {
            ..TOLD => self.warn(text),
            TOLD => self.warn(format!("{text} More of this kind is only in the log.")),
            _ => tracing::debug!("{text}"),
        }
    }

    pub(super) fn note(&mut self, text: String) {
        tracing::debug!("{text}");
        (self.tell)(&Event::Note(text));
    }

    /// How it goes, for whoever watches.
    pub(super) fn progress(&mut self, text: String) {
        tracing::debug!("{text}");
        (self.tell)(&Event::Progress(text));
    }

    pub(super) fn begin(&mut self) {
        self.phase = Phase::Running;
        self.begun = Some(Instant::now());
        tracing::debug!("all are ready");
        (self.tell)(&Event::Begun);
    }

    pub(super) fn since_opening(&self) -> Duration {
        self.opened.elapsed()
    }

    fn outcome(self, ending: Ending) -> Outcome {
        let end = Instant::now();
        let begun = self.begun.unwrap_or(end);
        Outcome {
            ending,
            components: self
                .components
                .into_iter()
                .map(|component| ComponentReport {
                    name: component.name,
                    time: component.time,
                    messages: component.messages,
                })
                .collect(),
            setup: begun.saturating_duration_since(self.opened),
            run: end.saturating_duration_since(begun),
            survey: self.survey,
        }
    }
}

enum Next {
    Relayed,
    Nothing,
    Message(Header),
    Wrong(WireError),
    Refused(String),
}

/// Tells the queue what a line waits for, if that has changed.
fn update(epoll: &OwnedFd, line: &mut Line) {
    let wanted = line.wanted();
    if wanted != line.interest {
        line.interest = wanted;
        // A line that cannot be watched any more is one whose end has been read.
        let _ = epoll::modify(epoll, &line.stream, EventData::new_u64(line.token), wanted);
    }
}
