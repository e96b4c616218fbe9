//! A client of a manager: registration, the questions of a solver, and the end.

use super::connection::{Connection, Message, Patience};
use super::error::PluginError;
use super::law::Motion3D;
use super::line_end::{Arithmetic, Felt, Kind, Line, LineEnd, Readiness};
use super::line_reply::LineReply;
use crate::wire::{self, ByteOrder, Introduction, Secret};
use std::time::Duration;

/// Who takes part, when and where.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of the SubModel.
    pub name: String,
    /// The start of the run.
    pub start: f64,
    /// Its end.
    pub stop: f64,
    /// `host:port` of the manager.
    pub address: String,
    /// How waves are treated.
    pub arithmetic: Arithmetic,
    /// How long to wait for what.
    pub patience: Patience,
    /// In which order bytes are sent.
    pub order: ByteOrder,
    /// What shows a manager that listens to others than this machine that the client belongs to it.
    pub secret: Option<Secret>,
}

/// An interface point of this client.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InterfaceId(usize);

/// What an interface point is, in words of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InterfaceType<'a> {
    /// 1 or 6.
    pub dimensions: i32,
    /// `bidirectional`, `input` or `output`.
    pub causality: &'a str,
    /// `mechanical`, `rotational`, `hydraulic`, `electric`, `signal`.
    pub domain: &'a str,
}

/// A point that takes part.
#[derive(Debug)]
struct Point {
    name: String,
    /// As the manager numbers it.
    number: i32,
    end: LineEnd,
    warned: bool,
}

/// A client of a manager.
///
/// Whoever drops one without [closing](Plugin::close) it aborts the run of all: the others should not wait for somebody
/// who has failed.
#[derive(Debug)]
pub struct Plugin {
    connection: Connection,
    settings: Settings,
    points: Vec<Point>,
    checked: bool,
    asks: bool,
    closed: bool,
    numbers: Vec<f64>,
}

/// How long a manager may take to let a client go that ends early.
const FAREWELL: Duration = Duration::from_millis(500);

impl Plugin {
    /// Meets the manager and introduces the component.
    pub fn connect(settings: Settings) -> Result<Self, PluginError> {
        let connection = Connection::open(&settings.address, settings.patience.clone(), settings.order)?;
        let mut plugin = Plugin {
            connection,
            settings,
            points: Vec::new(),
            checked: false,
            asks: false,
            closed: false,
            numbers: Vec::new(),
        };
        let name = plugin.settings.name.clone();
        plugin.ask(
            wire::Kind::RegisterComponent,
            &Introduction::compose(&name, plugin.settings.secret.clone().as_ref()),
            &format!("registering the component `{name}`"),
        )?;
        Ok(plugin)
    }

    /// Sends a request and waits for its answer.
    fn ask(&mut self, kind: wire::Kind, payload: &[u8], during: &str) -> Result<Message, PluginError> {
        self.connection.send(kind, -1, payload, during)?;
        loop {
            let answer = self.connection.receive(during)?;
            if answer.is(kind) {
                return Ok(answer);
            }
            // Others may have been told earlier that all are there.
            if !answer.is(wire::Kind::TimeData) {
                return Err(unexpected(&answer, during));
            }
            self.deliver(&answer, during)?;
        }
    }

    /// Registers an interface point. None if the meta-model does not have it or does not connect it.
    pub fn register_interface(
        &mut self,
        name: &str,
        is: InterfaceType<'_>,
    ) -> Result<Option<InterfaceId>, PluginError> {
        let InterfaceType {
            dimensions,
            causality,
            domain,
        } = is;
        let text = format!("{name}:{dimensions}:{causality}:{domain}");
        let during = format!("registering the interface point `{name}`");
        let answer = self.ask(wire::Kind::RegisterInterface, text.as_bytes(), &during)?;
        let reply = match LineReply::read(&answer) {
            None => return Ok(None),
            Some(Ok(reply)) => reply,
            Some(Err(what)) => {
                return Err(PluginError::BadLine {
                    interface: name.to_owned(),
                    what,
                });
            }
        };
        let span = (self.settings.start, self.settings.stop);
        let kind = Kind::of(dimensions, causality, domain);
        let mut end = LineEnd::new(kind, reply.line, self.settings.arithmetic, span);
        if reply.asks {
            self.asks = true;
            end.be_eager();
        }
        self.points.push(Point {
            name: name.to_owned(),
            number: answer.header.interface,
            end,
            warned: false,
        });
        Ok(Some(InterfaceId(self.points.len() - 1)))
    }

    /// Registers a parameter. The answer is the value that the meta-model gives it, if it does.
    pub fn register_parameter(&mut self, name: &str, default: &str) -> Result<Option<String>, PluginError> {
        let during = format!("registering the parameter `{name}`");
        let text = format!("{name}:{default}");
        let answer = self.ask(wire::Kind::RegisterParameter, text.as_bytes(), &during)?;
        let value = answer.payload.split(|byte| *byte == 0).next().unwrap_or_default();
        let given = !answer.payload.is_empty();
        Ok(given.then(|| String::from_utf8_lossy(value).into_owned()))
    }

    /// Waits until everybody is there and the manager is content. Asked once; later calls do nothing.
    pub fn check_model(&mut self) -> Result<(), PluginError> {
        if self.checked {
            return Ok(());
        }
        let during = "waiting for the other components to be ready";
        let answer = self.ask(wire::Kind::CheckModel, &[], during)?;
        self.checked = answer.header.interface == 1;
        match self.checked {
            true => Ok(()),
            false => Err(PluginError::CheckFailed),
        }
    }

    /// Does the manager only ask where the interface points are? Then one motion of each is all it wants.
    pub fn asks_for_interfaces(&self) -> bool {
        self.asks
    }

    /// The line at an interface point.
    pub fn line(&self, id: InterfaceId) -> &Line {
        self.points[id.0].end.line()
    }

    /// One end of a line, with all it knows.
    pub fn end(&self, id: InterfaceId) -> &LineEnd {
        &self.points[id.0].end
    }

    /// The load before anything arrives, in component axes: the first number of one degree of freedom, or of a signal.
    pub fn set_initial_force(&mut self, id: InterfaceId, force: [f64; 6]) {
        self.points[id.0].end.set_initial_force(force);
    }

    /// The flow that belongs to it.
    pub fn set_initial_flow(&mut self, id: InterfaceId, flow: [f64; 6]) {
        self.points[id.0].end.set_initial_flow(flow);
    }

    /// Waits until a question about `t` can be answered.
    pub fn wait(&mut self, id: InterfaceId, t: f64) -> Result<(), PluginError> {
        self.wait_for(id, t, LineEnd::readiness)
    }

    /// Waits until questions about all instants up to `t` can be answered, for those who look at a whole step.
    pub fn wait_up_to(&mut self, id: InterfaceId, t: f64) -> Result<(), PluginError> {
        self.wait_for(id, t, LineEnd::readiness_up_to)
    }

    fn wait_for(
        &mut self,
        id: InterfaceId,
        t: f64,
        readiness: fn(&LineEnd, f64) -> Readiness,
    ) -> Result<(), PluginError> {
        self.check_model()?;
        loop {
            match readiness(&self.points[id.0].end, t) {
                Readiness::Ready => return Ok(()),
                Readiness::Waiting => self.receive(id, t)?,
                Readiness::Ahead => {
                    let point = &mut self.points[id.0];
                    if !std::mem::replace(&mut point.warned, true) {
                        tracing::warn!(
                            "`{}` is asked about {t} s, more than its delay of {} s after the last motion that was sent; \
                             what it knows latest is taken",
                            point.name,
                            point.end.line().delay
                        );
                    }
                    return Ok(());
                }
            }
        }
    }

    fn receive(&mut self, id: InterfaceId, t: f64) -> Result<(), PluginError> {
        let during = format!("waiting for waves at `{}` for {t} s", self.points[id.0].name);
        let message = self.connection.receive(&during)?;
        if message.is(wire::Kind::TimeData) {
            return self.deliver(&message, &during);
        }
        if message.is(wire::Kind::ClosePermission) {
            // Everybody else has gone: nothing more will come.
            self.points.iter_mut().for_each(|point| point.end.end());
            return Ok(());
        }
        Err(unexpected(&message, &during))
    }

    /// Hands samples to the end they are for.
    fn deliver(&mut self, message: &Message, during: &str) -> Result<(), PluginError> {
        let number = message.header.interface;
        let Some(point) = self.points.iter_mut().find(|point| point.number == number) else {
            return Err(PluginError::Unexpected {
                what: format!("waves for the interface point {number}, which is none of this component"),
                during: during.to_owned(),
            });
        };
        let width = point.end.kind().width();
        let numbers = message.numbers().filter(|n| n.len().is_multiple_of(width));
        let Some(numbers) = numbers else {
            return Err(PluginError::BadData {
                interface: point.name.clone(),
                what: format!(
                    "{} bytes, which are no whole number of samples of {} bytes",
                    message.payload.len(),
                    8 * width
                ),
            });
        };
        for sample in numbers.chunks_exact(width) {
            let taken = point.end.take(sample);
            taken.map_err(|objection| PluginError::of(objection, &point.name, sample))?;
        }
        Ok(())
    }

    /// What arrives at `t`: waves in global axes, and the impedances by which the load follows the motion.
    pub fn felt(&mut self, id: InterfaceId, t: f64) -> Result<Felt, PluginError> {
        self.wait(id, t)?;
        Ok(self.points[id.0].end.felt(t))
    }

    /// The load on the component at `t`, where it moves with `velocity`.
    pub fn force_1d(&mut self, id: InterfaceId, t: f64, velocity: f64) -> Result<f64, PluginError> {
        self.wait(id, t)?;
        Ok(self.points[id.0].end.force_1d(t, velocity))
    }

    /// Force and moment at `t`, in component axes.
    pub fn force_3d(
        &mut self,
        id: InterfaceId,
        t: f64,
        velocity: [f64; 3],
        angular_velocity: [f64; 3],
    ) -> Result<[f64; 6], PluginError> {
        self.wait(id, t)?;
        Ok(self.points[id.0].end.force_3d(t, velocity, angular_velocity))
    }

    /// A signal at `t`.
    pub fn value(&mut self, id: InterfaceId, t: f64) -> Result<f64, PluginError> {
        self.wait(id, t)?;
        Ok(self.points[id.0].end.value(t))
    }

    /// What left the other end at `t - T`: a sample of time, motion and filtered waves. None in the beginning.
    pub fn time_data(&mut self, id: InterfaceId, t: f64) -> Result<Option<Vec<f64>>, PluginError> {
        self.wait(id, t)?;
        Ok(self.points[id.0].end.time_data(t))
    }

    /// Sets the motion of one degree of freedom at the end of a step.
    pub fn set_motion_1d(
        &mut self,
        id: InterfaceId,
        t: f64,
        position: f64,
        velocity: f64,
    ) -> Result<(), PluginError> {
        self.finite(id, t, &[position, velocity])?;
        self.wait(id, t)?;
        self.points[id.0].end.set_motion_1d(t, position, velocity);
        self.send_due(id)
    }

    /// The same of a point of a body.
    pub fn set_motion_3d(&mut self, id: InterfaceId, t: f64, motion: &Motion3D) -> Result<(), PluginError> {
        let Motion3D {
            position,
            orientation,
            velocity,
            angular_velocity,
        } = motion;
        for numbers in [&position[..], orientation, velocity, angular_velocity] {
            self.finite(id, t, numbers)?;
        }
        self.wait(id, t)?;
        self.points[id.0].end.set_motion_3d(t, motion);
        self.send_due(id)
    }

    /// Sets a signal.
    pub fn set_value(&mut self, id: InterfaceId, t: f64, value: f64) -> Result<(), PluginError> {
        self.finite(id, t, &[value])?;
        self.check_model()?;
        self.points[id.0].end.set_value(t, value);
        self.send_due(id)
    }

    fn finite(&self, id: InterfaceId, time: f64, numbers: &[f64]) -> Result<(), PluginError> {
        match numbers.iter().all(|number| number.is_finite()) && time.is_finite() {
            true => Ok(()),
            false => Err(PluginError::NotFinite {
                interface: self.points[id.0].name.clone(),
                time,
            }),
        }
    }

    fn send_due(&mut self, id: InterfaceId) -> Result<(), PluginError> {
        match self.points[id.0].end.is_due() {
            true => self.flush(id.0),
            false => Ok(()),
        }
    }

    fn flush(&mut self, index: usize) -> Result<(), PluginError> {
        let point = &mut self.points[index];
        point.end.drain(&mut self.numbers);
        if self.numbers.is_empty() {
            return Ok(());
        }
        let during = format!("sending waves from `{}`", point.name);
        self.connection.send_numbers(point.number, &self.numbers, &during)
    }

    /// Sends what is left, and takes leave: waits until all have asked for the end.
    pub fn close(mut self) -> Result<(), PluginError> {
        for index in 0..self.points.len() {
            self.flush(index)?;
        }
        let during = "taking leave of the manager";
        self.connection.send(wire::Kind::CloseRequest, -1, &[], during)?;
        // Who has asked for the end is done; if the manager goes without a word, that is its affair.
        self.closed = true;
        loop {
            match self.connection.receive(during) {
                Ok(message) if message.is(wire::Kind::ClosePermission) => return Ok(()),
                Ok(_) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Tells the manager that this component has failed.
    pub fn abort(mut self) {
        self.say_abort();
    }

    fn say_abort(&mut self) {
        if std::mem::replace(&mut self.closed, true) {
            return;
        }
        let during = "giving up";
        if self.connection.send(wire::Kind::Abort, -1, &[], during).is_err() {
            return;
        }
        // A connection that is closed with data unread is reset, and the message may be lost with it.
        self.connection.be_deaf();
        let begun = std::time::Instant::now();
        while let Some(left) = FAREWELL.checked_sub(begun.elapsed())
            && let Ok(Some(_)) = self.connection.receive_within(left, during)
        {}
        self.connection.hang_up();
    }
}

impl Drop for Plugin {
    fn drop(&mut self) {
        self.say_abort();
    }
}

fn unexpected(message: &Message, during: &str) -> PluginError {
    PluginError::Unexpected {
        what: format!(
            "a message of type {} with {} bytes",
            message.header.kind.name(),
            message.payload.len()
        ),
        during: during.to_owned(),
    }
}
