//! Transmission lines: what couples two interfaces by a delay that is physics and not numerics.
//!
//! A line is an elastic bar, a pipe, a cable. At each end it answers the motion `v` of the interface with the load
//! `f = d - Z v`, where `d` is the wave that arrives there; what leaves is the wave `s = Z v - f`, and it arrives at the
//! other end after the delay. Nobody can know earlier what happened at the other end, so nobody has to wait for it
//! within the delay.
//!
//! | file | holds |
//! | --- | --- |
//! | `mod.rs` | what a line is made of, and what follows from that |
//! | `runaway.rs` | whether waves grow because an end is told its load wrongly |
//! | `wave.rs` | a wave on its way: points, and what lies between them |
//!
//! The lines of a run, their waves and their loads, live in the world (`world/lines.rs`).

mod runaway;
mod wave;

pub(crate) use runaway::Runaway;
pub use wave::Wave;

use std::fmt;
use std::str::FromStr;

/// How a wave is read between its points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Interpolation {
    /// The earlier value, up to the next point: signals that change in jumps.
    Hold,
    /// Along the chord, as the TLM plugins of other tools do.
    Linear,
    /// The cubic through four points.
    #[default]
    Cubic,
}

impl FromStr for Interpolation {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        match name {
            "linear" => Ok(Interpolation::Linear),
            "cubic" => Ok(Interpolation::Cubic),
            _ => Err(()),
        }
    }
}

/// What becomes of the delay of a line whose waves are damped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Filter {
    /// The filter comes on top of the delay: at low frequencies the line is longer, softer and heavier than it says.
    #[default]
    Lengthening,
    /// Delay and filter together take the time that the line says. A part of it is spent in the filter, so waves
    /// are on their way for less.
    Unit,
}

impl FromStr for Filter {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        match name {
            "lengthening" => Ok(Filter::Lengthening),
            "unit" => Ok(Filter::Unit),
            _ => Err(()),
        }
    }
}

/// What is in a line when the run begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Filling {
    /// No load: the line moves along with its ends.
    #[default]
    Empty,
    /// Waves that carry the loads with which both ends move as one.
    Consistent,
}

impl FromStr for Filling {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        match name {
            "empty" => Ok(Filling::Empty),
            "consistent" => Ok(Filling::Consistent),
            _ => Err(()),
        }
    }
}

/// What of a line is kept from those at its ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Compensation {
    /// Nothing: they feel its inertia and its elasticity.
    #[default]
    None,
    /// Its inertia is taken away from what it ends at. Its elasticity is meant.
    Inertia,
    /// The line stands for a rigid tie: its inertia is taken away, and where there is inertia enough to take from, it is made
    /// stiffer, which costs nothing then.
    Full,
}

/// What a line is made of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Properties {
    /// Seconds from one end to the other.
    pub delay: f64,
    /// Load for a velocity of one: force, torque or pressure per velocity, angular velocity or flow.
    pub impedance: f64,
    /// The same for rotations of a line in space: moment per angular velocity.
    pub rotational: f64,
    /// Damping of waves: the part of a wave that is kept from before, below one.
    pub alpha: f64,
    /// From how many delays before that part is taken.
    pub feedback: f64,
    /// What becomes of the delay where waves are damped.
    pub filter: Filter,
    /// How waves are read between their points.
    pub interpolation: Interpolation,
    /// What of it is kept from those at its ends.
    pub compensate: Compensation,
    /// What is in it when the run begins.
    pub filling: Filling,
}

impl Properties {
    /// A line without damping.
    pub fn new(delay: f64, impedance: f64) -> Self {
        Properties {
            delay,
            impedance,
            rotational: impedance,
            alpha: 0.0,
            feedback: 1.0,
            filter: Filter::default(),
            interpolation: Interpolation::default(),
            compensate: Compensation::None,
            filling: Filling::default(),
        }
    }

    /// A cube of a material with that edge: Young's modulus times the edge is its stiffness, the edge over the speed of sound
    /// its delay, and rotation is felt at half the edge.
    pub fn of_material(modulus: f64, speed: f64, edge: f64) -> Self {
        let delay = edge / speed;
        let impedance = modulus * edge * delay;
        Properties {
            rotational: 0.25 * impedance * edge * edge,
            ..Properties::new(delay, impedance)
        }
    }

    /// For how long a wave is on its way; so far may everybody be ahead.
    pub fn transport(&self) -> f64 {
        match self.filter {
            Filter::Lengthening => self.delay,
            // More than half of the delay is not given to the filter: everybody could be ahead by less and less.
            Filter::Unit => self.delay * (1.0 - self.alpha).max(0.5),
        }
    }

    /// How old the part of a wave is that is kept.
    pub fn memory(&self) -> f64 {
        match self.filter {
            Filter::Lengthening => self.feedback * self.delay,
            Filter::Unit if self.alpha > 0.0 => {
                (1.0 - self.alpha) * (self.delay - self.transport()) / self.alpha
            }
            Filter::Unit => self.delay,
        }
    }

    /// The delay of slow changes: a filter holds back what it keeps.
    pub fn slow_delay(&self) -> f64 {
        self.transport() + self.memory() * self.alpha / (1.0 - self.alpha)
    }

    /// How waves are read between points, which may be as far apart as [`widest`](Self::widest).
    pub fn rule(&self) -> Interpolation {
        match self.filter {
            // What such a filter looks back at lies between points, and a cubic there could be larger than both its
            // neighbours, again and again.
            Filter::Unit if self.alpha > 0.0 => Interpolation::Linear,
            _ => self.interpolation,
        }
    }

    /// Points further apart than this are joined by chords: a cubic would look beyond the newest one.
    pub fn widest(&self) -> f64 {
        0.51 * self.transport()
    }

    /// The same line, so many times as stiff and as heavy.
    #[must_use]
    pub fn times(mut self, factor: f64) -> Self {
        self.impedance *= factor;
        self.rotational *= factor;
        self
    }

    /// The impedance of a component: of six the last three are rotations.
    pub fn impedance_of(&self, component: usize) -> f64 {
        match component {
            0..3 => self.impedance,
            _ => self.rotational,
        }
    }

    /// The inertia that the line brings along in a component.
    pub fn inertia_of(&self, component: usize) -> f64 {
        self.impedance_of(component) * self.slow_delay()
    }

    /// The stiffness of the line in a component.
    pub fn stiffness_of(&self, component: usize) -> f64 {
        self.impedance_of(component) / self.slow_delay()
    }

    /// The lowest frequency of a wave that stands in the line between two heavy ends, in Hz.
    pub fn standing_wave(&self) -> f64 {
        0.5 / self.delay
    }
}

/// What a line carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Medium {
    /// Velocities along one axis for both ends, and the forces on them, which are opposite to each other.
    Translational,
    /// The same about an axis.
    Rotational,
    /// Currents in one direction, and voltages as mechanics has forces.
    Electric,
    /// Flows into the line at each end, and pressures, which are equal.
    Hydraulic,
    /// Motion in space: three translations and three rotations.
    Spatial,
    /// A value that arrives later.
    Signal,
}

impl Medium {
    /// The names by which users choose one.
    pub const NAMES: [&'static str; 6] = [
        "translational",
        "rotational",
        "electric",
        "hydraulic",
        "spatial",
        "signal",
    ];

    /// One where a load acts against the flow, minus one where it is that of a flow into the line.
    pub fn sense(self) -> f64 {
        match self {
            Medium::Hydraulic => -1.0,
            _ => 1.0,
        }
    }
}

impl FromStr for Medium {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        match name {
            "translational" | "mechanical" => Ok(Medium::Translational),
            "rotational" => Ok(Medium::Rotational),
            "electric" => Ok(Medium::Electric),
            "hydraulic" => Ok(Medium::Hydraulic),
            "spatial" => Ok(Medium::Spatial),
            "signal" => Ok(Medium::Signal),
            _ => Err(()),
        }
    }
}

impl fmt::Display for Medium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Medium::Translational => "translational",
            Medium::Rotational => "rotational",
            Medium::Electric => "electric",
            Medium::Hydraulic => "hydraulic",
            Medium::Spatial => "spatial",
            Medium::Signal => "signal",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube of steel with an edge of 0.1 m, and one of 0.04 m, to the digits that can be worked out by hand.
    #[test]
    fn a_cube_of_steel() {
        let line = Properties::of_material(210e9, 5180.0, 0.1);
        assert!((line.delay - 1.930_501_93e-5).abs() < 1e-13);
        assert!((line.impedance - 405_405.4).abs() < 0.1);
        assert!((line.rotational - 1_013.513_5).abs() < 1e-3);
        // The line weighs as much as the cube: E / c² is the density.
        let cube = 210e9 / 5180.0_f64.powi(2) * 1e-3;
        assert!((line.inertia_of(0) - cube).abs() < 1e-12 * cube);
    }

    #[test]
    fn a_filter_lengthens_a_line_unless_it_takes_its_time_from_the_delay() {
        let plain = Properties {
            alpha: 0.9,
            ..Properties::new(2e-4, 2000.0)
        };
        assert!((plain.inertia_of(0) - 4.0).abs() < 1e-12);
        let late = Properties {
            feedback: 1.5,
            ..plain
        };
        // Z T (1 + 1.5 · 0.9 / 0.1)
        assert!((late.inertia_of(0) - 5.8).abs() < 1e-12);
        for alpha in [0.0, 0.2, 0.5, 0.9, 0.99] {
            let unit = Properties {
                alpha,
                filter: Filter::Unit,
                ..plain
            };
            assert!((unit.inertia_of(0) - 0.4).abs() < 1e-12, "{alpha}");
            assert!(unit.transport() >= 0.5 * unit.delay && unit.memory() > 0.0);
        }
    }
}
