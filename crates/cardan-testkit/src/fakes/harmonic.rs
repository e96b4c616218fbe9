//! An oscillator without integration error and with every ability a participant can have.

use super::numbers::numbers;
use super::places::Places;
use crate::problems::Oscillator;
use cardan_core::interface::{Interface, Parameter, ParameterId, Port, PortId};
use cardan_core::participant::{
    Derivatives, Outcome, Participant, Portable, Rollback, RunWindow, Settings, Slopes, Slot, StepEnd,
    StepRequest, Trace, Watch,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::shell::Slots;
use cardan_core::time::SimTime;
use cardan_core::value::Value;

/// A mass on a spring and a damper: input `force`, outputs `position`, `velocity` and `acceleration`, the last with
/// feedthrough. The free motion is exact; the force is held at its value in the middle of the step, which is the mean of a
/// line. The tunable parameter `damping` may change between steps.
pub struct Harmonic {
    interface: Interface,
    places: Places,
    given: Oscillator,
    start: [f64; 2],
    oscillator: Oscillator,
    state: [f64; 2],
    saved: Slots<([f64; 2], f64)>,
    watched: Vec<SimTime>,
    /// State and force at each watched instant.
    seen: Vec<([f64; 2], f64)>,
}

impl Harmonic {
    /// The port `force`.
    pub const FORCE: PortId = PortId(0);
    /// The port `position`.
    pub const POSITION: PortId = PortId(1);
    /// The port `velocity`.
    pub const VELOCITY: PortId = PortId(2);
    /// The port `acceleration`.
    pub const ACCELERATION: PortId = PortId(3);
    /// The parameter `damping`.
    pub const DAMPING: ParameterId = ParameterId(0);

    /// Starts from `[position, velocity]`.
    pub fn new(oscillator: Oscillator, start: [f64; 2]) -> Self {
        let mut interface = Interface::default();
        interface.port(Port::input("force").unit("N").start(Value::real(0.0)));
        interface.port(Port::output("position").unit("m"));
        interface.port(Port::output("velocity").unit("m/s"));
        interface.port(Port::output("acceleration").unit("m/s2"));
        interface.feeds_through(Self::ACCELERATION, Self::FORCE);
        let damping = Parameter::new("damping")
            .unit("N.s/m")
            .default(Value::real(oscillator.damping));
        interface.parameter(damping.at_least(0.0).tunable());
        Harmonic {
            interface,
            places: Places::default(),
            given: oscillator,
            start,
            oscillator,
            state: start,
            saved: Slots::default(),
            watched: Vec::new(),
            seen: Vec::new(),
        }
    }

    fn force(&self, inputs: &Planes) -> f64 {
        self.places
            .of(Self::FORCE)
            .map_or(0.0, |place| inputs.reals[place])
    }

    fn read(&self, request: &StepRequest<'_>, at: SimTime) -> f64 {
        self.places
            .of(Self::FORCE)
            .map_or(0.0, |place| request.inputs.real(place, at))
    }

    /// Writes one number for each output that is bound.
    fn write(&self, numbers: [f64; 3], reals: &mut [f64]) {
        for (port, number) in [Self::POSITION, Self::VELOCITY, Self::ACCELERATION]
            .into_iter()
            .zip(numbers)
        {
            if let Some(place) = self.places.of(port) {
                reals[place] = number;
            }
        }
    }

    fn show(&self, state: [f64; 2], force: f64, reals: &mut [f64]) {
        self.write(
            [state[0], state[1], self.oscillator.acceleration(state, force)],
            reals,
        );
    }

    fn apply(&mut self, settings: &Settings) {
        if let Some(damping) = settings.get(Self::DAMPING).and_then(Value::as_real) {
            self.oscillator.damping = damping;
        }
    }
}

impl Participant for Harmonic {
    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        self.places = Places::bind(&self.interface, inputs, outputs)?;
        Ok(())
    }

    fn begin_initialization(&mut self, _run: &RunWindow, settings: &Settings) -> Outcome<()> {
        self.oscillator = self.given;
        self.state = self.start;
        self.apply(settings);
        Ok(())
    }

    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        let (from, to) = (request.from, request.to);
        let middle = SimTime::from_seconds(0.5 * (from.seconds() + to.seconds()));
        let (force, start) = (self.read(&request, middle), self.state);
        let after = |at: SimTime| self.oscillator.held(start, force, at.since(from));
        self.watched.clear();
        match request.watch {
            Watch::Nothing => {}
            Watch::Instants(instants) => self.watched.extend_from_slice(instants),
            Watch::InnerSteps => self.watched.push(to),
        }
        let end = after(to);
        self.seen = self
            .watched
            .iter()
            .map(|&at| (after(at), self.read(&request, at)))
            .collect();
        self.state = end;
        Ok(StepEnd::Completed)
    }

    fn outputs(&mut self, _at: SimTime, inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        self.show(self.state, self.force(inputs), values.reals);
        Ok(())
    }

    fn set_parameters(&mut self, _at: SimTime, changes: &Settings) -> Outcome<()> {
        self.apply(changes);
        Ok(())
    }

    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn rollback(&mut self) -> Option<&mut dyn Rollback> {
        Some(self)
    }

    fn derivatives(&mut self) -> Option<&mut dyn Derivatives> {
        Some(self)
    }

    fn slopes(&mut self) -> Option<&mut dyn Slopes> {
        Some(self)
    }

    fn trace(&mut self) -> Option<&mut dyn Trace> {
        Some(self)
    }
}

impl Rollback for Harmonic {
    fn save(&mut self, slot: Slot) -> Outcome<()> {
        self.saved.save(slot, &(self.state, self.oscillator.damping));
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> Outcome<()> {
        (self.state, self.oscillator.damping) = *self.saved.get(slot)?;
        Ok(())
    }

    fn portable(&mut self) -> Option<&mut dyn Portable> {
        Some(self)
    }
}

impl Portable for Harmonic {
    fn export(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Outcome<()> {
        let &([x, v], damping) = self.saved.get(slot)?;
        [x, v, damping]
            .iter()
            .for_each(|n| bytes.extend_from_slice(&n.to_le_bytes()));
        Ok(())
    }

    fn import(&mut self, slot: Slot, bytes: &[u8]) -> Outcome<()> {
        let [x, v, damping] = numbers(bytes)?;
        self.saved.save(slot, &([x, v], damping));
        Ok(())
    }
}

impl Derivatives for Harmonic {
    fn directional(
        &mut self,
        _at: SimTime,
        _inputs: &Planes,
        direction: &[f64],
        change: &mut [f64],
    ) -> Outcome<()> {
        let force = self.places.of(Self::FORCE).map_or(0.0, |place| direction[place]);
        self.write([0.0, 0.0, force / self.oscillator.mass], change);
        Ok(())
    }
}

impl Slopes for Harmonic {
    fn slopes(
        &mut self,
        _at: SimTime,
        inputs: &Planes,
        input_slopes: &[f64],
        slopes: &mut [f64],
    ) -> Outcome<()> {
        let rate = self
            .places
            .of(Self::FORCE)
            .map_or(0.0, |place| input_slopes[place]);
        let velocity = self.state[1];
        let acceleration = self.oscillator.acceleration(self.state, self.force(inputs));
        // The law of the acceleration, differentiated: velocity stands in for position, and so on.
        let jerk = self.oscillator.acceleration([velocity, acceleration], rate);
        self.write([velocity, acceleration, jerk], slopes);
        Ok(())
    }
}

impl Trace for Harmonic {
    fn instants(&self) -> &[SimTime] {
        &self.watched
    }

    fn point(&mut self, index: usize, values: PlanesMut<'_>) -> Outcome<()> {
        let (state, force) = self.seen[index];
        self.show(state, force, values.reals);
        Ok(())
    }
}
