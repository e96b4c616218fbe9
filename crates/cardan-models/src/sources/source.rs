//! What all sources have in common: an output, a period, a known past.

use cardan_core::interface::{Interface, Parameter, Port, Variability};

use super::clock::Clock;
use crate::declare::{output, real};
use crate::{BuildError, Model, Values};

/// A law of time, for one output or several.
pub(crate) trait Law: Send + 'static {
    fn values(&self, t: f64, y: &mut [f64]);

    /// The time derivatives just after `t`.
    fn rates(&self, t: f64, dy: &mut [f64]);

    /// The first instant after `t` at which the law jumps or bends.
    fn next_corner(&self, t: f64) -> Option<f64> {
        let _ = t;
        None
    }
}

/// The parameters of a law and those of every source.
pub(super) fn parameters(mut own: Vec<Parameter>) -> Vec<Parameter> {
    own.push(
        real(
            "period",
            "s",
            0.0,
            "sampling period of the output; continuous if zero",
        )
        .at_least(0.0),
    );
    own
}

/// The single output of most sources.
pub(super) fn ports(values: &Values, law: Variability) -> Result<Interface, BuildError> {
    let y = output("y", "", "the value of the source");
    Ok(interface(vec![y], law, values.real("period")?))
}

/// The outputs of a source: discrete where a clock or the law itself makes them move in jumps only.
pub(super) fn interface(mut outputs: Vec<Port>, law: Variability, period: f64) -> Interface {
    let sampled = period > 0.0;
    for port in &mut outputs {
        port.variability = if sampled { Variability::Discrete } else { law };
    }
    Interface {
        ports: outputs,
        period: sampled.then_some(period),
        ..Interface::default()
    }
}

/// The model of a source.
pub(super) fn model(values: &Values, law: impl Law) -> Result<Box<dyn Model>, BuildError> {
    Ok(Box::new(Source::new(law, values.real("period")?)))
}

/// A law, read continuously or at the ticks of a clock.
pub(super) struct Source<L> {
    law: L,
    clock: Option<Clock>,
    period: f64,
}

impl<L: Law> Source<L> {
    pub(super) fn new(law: L, period: f64) -> Self {
        let mut source = Source {
            law,
            clock: None,
            period,
        };
        source.begin(0.0);
        source
    }
}

impl<L: Law> Model for Source<L> {
    fn begin(&mut self, start: f64) {
        self.clock = (self.period > 0.0).then(|| Clock::new(start, self.period));
    }

    fn outputs(&self, t: f64, _x: &[f64], _u: &[f64], y: &mut [f64]) {
        let t = self.clock.map_or(t, |clock| clock.last(t));
        self.law.values(t, y);
    }

    fn rates(&self, t: f64, dy: &mut [f64]) -> bool {
        match self.clock {
            Some(_) => dy.fill(0.0),
            None => self.law.rates(t, dy),
        }
        true
    }

    fn next_instant(&self, t: f64) -> Option<f64> {
        match self.clock {
            Some(clock) => Some(clock.next(t)),
            None => self.law.next_corner(t),
        }
    }

    fn knows_its_past(&self) -> bool {
        true
    }
}
