//! Which columns an interface point has.

use crate::plugin::{Flow, Kind};
use crate::rotation::{self, Matrix, Vector};

/// An interface point that is looked at.
#[derive(Clone, PartialEq, Debug)]
pub struct Watched {
    /// `component.interface`.
    pub name: String,
    /// What its samples are.
    pub kind: Kind,
    /// What the one degree of freedom is.
    pub domain: Domain,
    /// The delay of its line.
    pub delay: f64,
    /// Impedance of translation, or of the one degree of freedom.
    pub zf: f64,
    /// Impedance of rotation.
    pub zfr: f64,
}

/// What one degree of freedom is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Domain {
    /// Position, speed, force.
    #[default]
    Mechanical,
    /// Angle, angular speed, torque.
    Rotational,
    /// Volume flow and pressure.
    Hydraulic,
    /// Current and voltage.
    Electric,
}

impl Domain {
    /// By its name in a meta-model; others have the columns of mechanics.
    pub fn of(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "rotational" => Domain::Rotational,
            "hydraulic" => Domain::Hydraulic,
            "electric" => Domain::Electric,
            _ => Domain::Mechanical,
        }
    }

    fn columns(self) -> &'static [&'static str] {
        match self {
            Domain::Mechanical => &["x [m]", "v [m/s]", "F [N]"],
            Domain::Rotational => &["phi [rad]", "w [rad/s]", "T [Nm]"],
            Domain::Hydraulic => &["q [m^3/s]", "p [Pa]"],
            Domain::Electric => &["I [A]", "U [V]"],
        }
    }

    /// Has it a position worth writing?
    fn has_position(self) -> bool {
        matches!(self, Domain::Mechanical | Domain::Rotational)
    }
}

/// Columns of a body's point: what stands before the index, and after it.
const BODY: [(&str, &str); 7] = [
    ("R[cG][cG]", "m"),
    ("phi[cG]", "rad"),
    ("A", "-"),
    ("vR[cG][cG,cG]", "m/s"),
    ("Omega[cG][cG]", "rad/s"),
    ("F_tie[cG]", "N"),
    ("M_tie[cG][cG]", "Nm"),
];

impl Watched {
    /// Are there columns for it? A signal is written where it comes from.
    pub fn is_written(&self) -> bool {
        self.kind != Kind::Input
    }

    /// The names of its columns.
    pub fn names(&self) -> Vec<String> {
        let own = |column: &str| format!("{}.{column}", self.name);
        match self.kind {
            Kind::Input => Vec::new(),
            Kind::Output => vec![self.name.clone()],
            Kind::Axis(_) => self.domain.columns().iter().map(|column| own(column)).collect(),
            Kind::Body => {
                let mut names = Vec::with_capacity(27);
                for (name, unit) in BODY {
                    for at in 0..if name == "A" { 9 } else { 3 } {
                        let index = match name {
                            "A" => format!("{},{}", at / 3 + 1, at % 3 + 1),
                            _ => (at + 1).to_string(),
                        };
                        names.push(own(&format!("{name}({index}) [{unit}]")));
                    }
                }
                names
            }
        }
    }

    /// The cells of a sample: motion, and the load on the component, which the wave that left tells.
    pub fn cells(&self, sample: &[f64], compatible: bool, cells: &mut Vec<f64>) {
        match self.kind {
            Kind::Input => {}
            Kind::Output => cells.push(sample[1]),
            Kind::Axis(flow) => {
                let (velocity, wave) = (sample[2], sample[3]);
                let load = match flow {
                    // The public monitor has this sign wrong: p + 2 Z q.
                    Flow::Volume if compatible => wave + self.zf * velocity,
                    flow => flow.load_of_leaving(wave, self.zf, velocity),
                };
                if self.domain.has_position() {
                    cells.push(sample[1]);
                }
                cells.extend([velocity, load]);
            }
            Kind::Body => {
                cells.extend(&sample[1..4]);
                let mut orientation = rotation::IDENTITY;
                orientation.copy_from_slice(&sample[4..13]);
                cells.extend(match compatible {
                    true => compatible_angles(&orientation),
                    // No negative zeros: people read this.
                    false => rotation::angles(&orientation).map(|angle| angle + 0.0),
                });
                cells.extend(&sample[4..19]);
                for k in 0..6 {
                    let z = if k < 3 { self.zf } else { self.zfr };
                    cells.push(Flow::Motion.load_of_leaving(sample[19 + k], z, sample[13 + k]));
                }
            }
        }
    }
}

/// Angles as the public monitor computes them, which differ where the second is a right angle.
fn compatible_angles(a: &Matrix) -> Vector {
    let y = match a[2] == 0.0 {
        true => 0.0,
        false => (-a[2]).clamp(-1.0, 1.0).asin(),
    };
    let cosine = y.cos() + 1e-50;
    [
        (a[5] / cosine).atan2(a[8] / cosine),
        y,
        (a[1] / cosine).atan2(a[0] / cosine),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched(kind: Kind, domain: Domain) -> Watched {
        Watched {
            name: "m1.tlm".into(),
            kind,
            domain,
            delay: 0.1,
            zf: 10.0,
            zfr: 2.0,
        }
    }

    #[test]
    fn names_are_those_of_the_public_monitor() {
        let axis = |domain| watched(Kind::Axis(Flow::Motion), domain).names();
        assert_eq!(
            axis(Domain::Mechanical),
            ["m1.tlm.x [m]", "m1.tlm.v [m/s]", "m1.tlm.F [N]"]
        );
        assert_eq!(axis(Domain::Hydraulic), ["m1.tlm.q [m^3/s]", "m1.tlm.p [Pa]"]);
        assert_eq!(axis(Domain::of("Electric")), ["m1.tlm.I [A]", "m1.tlm.U [V]"]);
        let body = watched(Kind::Body, Domain::Mechanical).names();
        assert_eq!(body.len(), 27);
        assert_eq!(body[0], "m1.tlm.R[cG][cG](1) [m]");
        assert_eq!(body[7], "m1.tlm.A(1,2) [-]");
        assert_eq!(body[15], "m1.tlm.vR[cG][cG,cG](1) [m/s]");
        assert_eq!(body[26], "m1.tlm.M_tie[cG][cG](3) [Nm]");
        assert_eq!(watched(Kind::Output, Domain::Mechanical).names(), ["m1.tlm"]);
        assert!(watched(Kind::Input, Domain::Mechanical).names().is_empty());
    }

    #[test]
    fn loads_come_from_the_waves_that_left() {
        let mut cells = Vec::new();
        let mechanical = watched(Kind::Axis(Flow::Motion), Domain::Mechanical);
        // F = 3, v = 0.5: w = -3 + 10 · 0.5.
        mechanical.cells(&[0.0, 1.5, 0.5, 2.0], false, &mut cells);
        assert_eq!(cells, [1.5, 0.5, 3.0]);
        let hydraulic = watched(Kind::Axis(Flow::Volume), Domain::Hydraulic);
        cells.clear();
        // p = 7, q = 0.5: w = 7 + 10 · 0.5.
        hydraulic.cells(&[0.0, 0.0, 0.5, 12.0], false, &mut cells);
        hydraulic.cells(&[0.0, 0.0, 0.5, 12.0], true, &mut cells);
        assert_eq!(cells, [0.5, 7.0, 0.5, 7.0 + 2.0 * 10.0 * 0.5]);
        let mut sample = vec![0.0; 25];
        sample[4..13].copy_from_slice(&rotation::from_angles([0.1, 0.2, 0.3]));
        (sample[16], sample[22]) = (0.5, 2.0);
        cells.clear();
        watched(Kind::Body, Domain::Mechanical).cells(&sample, false, &mut cells);
        assert_eq!(cells.len(), 27);
        assert!((cells[4] - 0.2).abs() < 1e-14);
        assert_eq!((cells[18], cells[24]), (0.5, -2.0 + 2.0 * 0.5));
    }
}
