//! First words, and everything until all are ready.

use super::component::{self, Standing};
use super::line::Role;
use super::monitors::Monitor;
use super::outcome::Failure;
use super::session::{Phase, Session};
use super::survey::{IDENTITY, SurveyedInterface};
use crate::wire::{Header, InterfaceReply, InterfaceText, Introduction, Kind, Mode};
use std::time::Duration;

impl Session<'_> {
    /// Is whoever says this allowed to? On this machine everybody is.
    fn may_enter(&self, index: usize, introduction: &Introduction<'_>) -> bool {
        let from_here = self.lines[index]
            .as_ref()
            .is_some_and(|line| line.peer.ip().to_canonical().is_loopback());
        let secret = self.options.secret.as_ref();
        from_here || secret.is_some_and(|secret| introduction.knows(secret))
    }

    /// The first message of a connection on the port for tools.
    pub(super) fn introduce_component(
        &mut self,
        index: usize,
        header: Header,
        payload: &[u8],
    ) -> Result<(), Failure> {
        if header.kind != Kind::RegisterComponent {
            let offence = format!(
                "its first message is {} instead of REG_COMPONENT",
                header.kind.name()
            );
            return self.offended(index, &offence);
        }
        let introduction = Introduction::parse(payload);
        if !self.may_enter(index, &introduction) {
            return self.offended(index, "it does not know the secret");
        }
        let name = String::from_utf8_lossy(introduction.name).into_owned();
        let known = self.model.sub_model(&name);
        let Some(component) = known.filter(|known| self.awaited.contains(known)) else {
            return self.offended(
                index,
                &format!("it says it is `{name}`, which the meta-model does not have"),
            );
        };
        if self.components[component].standing != Standing::Awaited {
            return self.offended(index, &format!("it says it is {name}, which is here already"));
        }
        tracing::debug!("{name} is here");
        self.components[component].standing = Standing::Registered;
        self.components[component].line = Some(index);
        if let Some(line) = &mut self.lines[index] {
            line.role = Role::Component(component);
        }
        let number = i32::try_from(component).unwrap_or(-1);
        self.answer(index, Header::new(Kind::RegisterComponent, number), &[]);
        Ok(())
    }

    /// A message of a component that is not samples on their way.
    pub(super) fn hear_component(
        &mut self,
        index: usize,
        component: usize,
        header: Header,
        payload: &[u8],
    ) -> Result<(), Failure> {
        let standing = self.components[component].standing;
        match (header.kind, standing) {
            (Kind::RegisterInterface, Standing::Registered) => {
                self.register_interface(index, component, payload)
            }
            (Kind::RegisterParameter, Standing::Registered) => {
                self.register_parameter(index, component, header, payload)
            }
            (Kind::CheckModel, Standing::Registered) => {
                tracing::debug!("{} is ready", self.components[component].name);
                self.components[component].standing = Standing::Ready;
                Ok(())
            }
            (Kind::TimeData, _) if self.survey.is_some() && self.phase == Phase::Running => {
                self.locate(index, component, header, payload)
            }
            // Whatever still comes from those who have asked for the end does not matter.
            (_, Standing::Done) => Ok(()),
            (Kind::CloseRequest, _) => self.close_requested(component),
            (Kind::Abort, _) => Err(self.aborted(component)),
            (kind, _) => {
                let when = match self.phase {
                    Phase::Starting => "before the start",
                    Phase::Running | Phase::Closing => "during the co-simulation",
                };
                self.offended(index, &format!("it sent {} {when}", kind.name()))
            }
        }
    }

    fn register_interface(&mut self, index: usize, component: usize, payload: &[u8]) -> Result<(), Failure> {
        let text = match InterfaceText::parse(payload) {
            Ok(text) => text,
            Err(error) => {
                return self.offended(index, &format!("it registers an interface point, but {error}"));
            }
        };
        if let Some(survey) = &mut self.survey {
            let id = i32::try_from(survey.interfaces.len()).unwrap_or(-1);
            survey.interfaces.push(SurveyedInterface {
                component: self.components[component].name.clone(),
                text,
                position: [0.0; 3],
                angles: [0.0; 3],
                located: false,
            });
            let reply = asking();
            return self.reply_interface(index, id, Some(reply));
        }
        let Some(id) = self.model.interface(component, &text.name) else {
            let name = &self.components[component].name;
            let text = format!(
                "{name} registers the interface point `{}`, which the meta-model does not have; it goes on without it.",
                text.name
            );
            self.warn(text);
            return self.reply_interface(index, -1, None);
        };
        self.routes[id].registered = true;
        let point = &self.model.interfaces[id];
        // The bare form says nothing about these.
        let is_full = payload.contains(&b':');
        if is_full && (point.dimensions, point.causality) != (text.dimensions, text.causality) {
            let text = format!(
                "{} registers {} as {} {}, the meta-model says {} {}; the meta-model counts.",
                self.components[component].name,
                self.model.interface_name(id),
                text.dimensions,
                text.causality,
                point.dimensions,
                point.causality
            );
            self.warn(text);
        }
        let reply = component::reply(self.model, id);
        let number = reply.and_then(|_| i32::try_from(id).ok()).unwrap_or(-1);
        self.reply_interface(index, number, reply)
    }

    fn reply_interface(
        &mut self,
        index: usize,
        number: i32,
        reply: Option<InterfaceReply>,
    ) -> Result<(), Failure> {
        let order = self.lines[index].as_ref().map(|line| line.order);
        let header = Header::new(Kind::RegisterInterface, number);
        match (reply, order) {
            (Some(reply), Some(order)) => self.answer(index, header, &reply.encode(order)),
            _ => self.answer(index, header, &[]),
        }
        Ok(())
    }

    /// A message on the port for monitors.
    pub(super) fn hear_monitor(
        &mut self,
        index: usize,
        header: Header,
        payload: &[u8],
    ) -> Result<(), Failure> {
        let is_new = self.lines[index]
            .as_ref()
            .is_some_and(|line| line.role == Role::NewMonitor);
        if is_new && !self.may_enter(index, &Introduction::parse(payload)) {
            return self.offended(index, "it does not know the secret");
        }
        if let Some(monitor) = self.monitors.iter_mut().find(|monitor| monitor.line == index) {
            monitor.is_heard();
        }
        match header.kind {
            Kind::RegisterInterface => {
                let introduction = Introduction::parse(payload);
                let text = match InterfaceText::parse(introduction.name) {
                    Ok(text) => text,
                    Err(error) => {
                        return self.offended(index, &format!("it asks for an interface point, but {error}"));
                    }
                };
                self.welcome_monitor(index);
                let id = text.name.split_once('.').and_then(|(component, interface)| {
                    let component = self.model.sub_model(component)?;
                    self.model.interface(component, interface)
                });
                let reply = id.and_then(|id| component::reply(self.model, id));
                let number = reply.and(id).and_then(|id| i32::try_from(id).ok()).unwrap_or(-1);
                self.reply_interface(index, number, reply)?;
                if let Some(id) = reply.and(id) {
                    let monitor = self.monitors.iter_mut().find(|monitor| monitor.line == index);
                    if let Some(monitor) = monitor {
                        monitor.subscribe(id);
                    }
                }
            }
            Kind::CheckModel => {
                self.welcome_monitor(index);
                self.answer(index, Header::new(Kind::CheckModel, 1), &[]);
            }
            Kind::CloseRequest => {
                self.welcome_monitor(index);
                let monitor = self.monitors.iter_mut().find(|monitor| monitor.line == index);
                if let Some(monitor) = monitor {
                    monitor.asked_to_close = true;
                }
            }
            kind => return self.offended(index, &format!("it sent {}, which monitors do not", kind.name())),
        }
        Ok(())
    }

    fn welcome_monitor(&mut self, index: usize) {
        let Some(line) = &mut self.lines[index] else {
            return;
        };
        if line.role == Role::NewMonitor {
            line.role = Role::Monitor;
            let peer = line.peer;
            self.monitors.push(Monitor::new(index));
            tracing::debug!("a monitor at {peer} listens");
        }
    }

    /// Says once that all but a monitor is there.
    fn wait_for_monitor(&mut self, rest: Duration) {
        if !self.waits_for_monitor {
            self.waits_for_monitor = true;
            let seconds = rest.as_secs_f64().ceil();
            self.progress(format!(
                "All tools are ready; the start waits up to {seconds} s for a monitor."
            ));
        }
    }

    fn tell_of_no_monitor(&mut self) {
        if !self.options.monitor_wait.is_zero() {
            self.progress(
                "No monitor has come; the co-simulation begins, and one that comes later gets what was sent before."
                    .to_owned(),
            );
        }
    }

    /// Lets all begin when all are ready, or fails if something is missing then.
    pub(super) fn begin_if_ready(&mut self) -> Result<(), Failure> {
        let ready = |index: &usize| self.components[*index].standing >= Standing::Ready;
        if !self.awaited.iter().all(ready) {
            return Ok(());
        }
        if let Some(id) = self.routes.iter().position(|r| !r.registered && r.to.is_some())
            && self.survey.is_none()
        {
            let owner = &self.components[self.routes[id].component].name;
            return Err(Failure::of(
                owner,
                format!("{owner} is ready, but has not registered its interface point {}.", self.model.interface_name(id)),
            )
            .advise("compare the names in its model with those in the meta-model, or remove the interface point there"));
        }
        let wants_monitor = self.options.monitor_port.is_some() && self.survey.is_none();
        if wants_monitor && self.monitors.is_empty() {
            let rest = self.options.monitor_wait.saturating_sub(self.since_opening());
            if !rest.is_zero() {
                self.wait_for_monitor(rest);
                return Ok(());
            }
            self.tell_of_no_monitor();
        }
        self.tell_of_unasked_parameters();
        // In the order of the reference: the last one first.
        for index in self.awaited.clone().into_iter().rev() {
            if let Some(line) = self.components[index].line {
                self.answer(line, Header::new(Kind::CheckModel, 1), &[]);
            }
        }
        self.flush_touched();
        self.begin();
        Ok(())
    }

    /// Samples in answer to the question where an interface point is.
    fn locate(
        &mut self,
        index: usize,
        component: usize,
        header: Header,
        payload: &[u8],
    ) -> Result<(), Failure> {
        let name = &self.components[component].name;
        let Some(survey) = &mut self.survey else {
            return Ok(());
        };
        let id = usize::try_from(header.interface).ok();
        let own = id.filter(|id| survey.interfaces.get(*id).is_some_and(|i| i.component == *name));
        let Some(id) = own else {
            let offence = format!(
                "it sent samples for the interface point {}, which is not its own",
                header.interface
            );
            return self.offended(index, &offence);
        };
        survey.locate(id, header.order, payload);
        self.components[component].messages += 1;
        Ok(())
    }
}

/// What tools are told that are only to say where their interface points are.
fn asking() -> InterfaceReply {
    InterfaceReply {
        delay: 0.1,
        zf: 0.0,
        zfr: 0.0,
        alpha: 0.0,
        inertial_position: [0.0; 3],
        inertial_rotation: IDENTITY,
        nominal_position: [0.0; 3],
        nominal_rotation: IDENTITY,
        mode: Mode::InterfaceRequest,
    }
}
