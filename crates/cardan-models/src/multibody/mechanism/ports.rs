//! What others do to a mechanism, and what they see of it.

use cardan_core::interface::{Causality, Interface, Port, PortId};
use cardan_core::spatial::{cross, dot, unit};
use cardan_core::value::{Shape, Value};

use super::combination::Combination;
use super::measure::Measure;
use super::reaction::Reaction;
use super::solid::Solid;

/// An input: who feels it. Inputs follow each other as the ports do.
#[derive(Debug, Clone)]
pub(super) enum Input<const D: usize> {
    /// A force at a point.
    Force(Combination<D>),
    /// A force and a moment at a point of a body, three parts each.
    Load {
        point: Combination<D>,
        axes: [Combination<D>; D],
    },
    /// A force in a measure.
    Effort(Measure<D>),
}

/// An output: what is seen.
#[derive(Debug, Clone)]
pub(super) enum Output<const D: usize> {
    /// A whole frame.
    Frame {
        point: Combination<D>,
        axes: [Combination<D>; D],
    },
    /// Where a point is.
    Position(Combination<D>),
    /// How fast it goes.
    Velocity(Combination<D>),
    /// A length, travel or angle, the latter with the quadrature that counts its turns.
    Motion {
        measure: Measure<D>,
        winding: Option<usize>,
    },
    /// How fast that changes.
    Speed(Measure<D>),
    /// Force and moment in a joint.
    Reaction(Reaction<D>),
    /// Kinetic and potential energy.
    Energy,
    /// The largest violation of a constraint.
    Residual,
}

impl<const D: usize> Output<D> {
    /// How many numbers it has.
    pub(super) fn width(&self) -> usize {
        match self {
            Output::Frame { .. } => 13,
            Output::Reaction(_) => 6,
            Output::Position(_) | Output::Velocity(_) => D,
            _ => 1,
        }
    }
}

/// The ports of a mechanism, and what stands behind each.
#[derive(Debug, Clone, Default)]
pub(super) struct Ports<const D: usize> {
    pub(super) interface: Interface,
    pub(super) inputs: Vec<Input<D>>,
    pub(super) outputs: Vec<Output<D>>,
    /// Angles whose turns are counted, one quadrature each.
    pub(super) windings: Vec<Measure<D>>,
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl<const D: usize> Ports<D> {
    fn takes(&mut self, port: Port, input: Input<D>) {
        self.interface.port(port);
        self.inputs.push(input);
    }

    fn gives(&mut self, port: Port, output: Output<D>) {
        self.interface.port(port);
        self.outputs.push(output);
    }

    pub(super) fn frame(&mut self, name: &str, solid: &Solid<D>, local: [f64; 3]) -> Option<()> {
        let (point, axes) = (solid.point(local), solid.axes.clone()?);
        let load =
            Port::input(format!("{name}_load")).described("force and moment at the point, on the body");
        let input = Input::Load {
            point: point.clone(),
            axes: axes.clone(),
        };
        self.takes(load.load().start(Value::Reals(vec![0.0; 6])), input);
        let frame = Port::output(name)
            .described("motion of the body at the point")
            .frame();
        self.gives(frame, Output::Frame { point, axes });
        Some(())
    }

    pub(super) fn point(&mut self, name: &str, point: Combination<D>) {
        self.position(name, "where the point is", point.clone());
        let velocity = Port::output(format!("{name}_velocity")).described("how fast it goes");
        let velocity = velocity.shaped(Shape::vector(D)).unit("m/s");
        self.gives(velocity, Output::Velocity(point));
    }

    /// A body to be looked at and no more: its frame, or where it is if it has no orientation.
    pub(super) fn body(&mut self, name: &str, solid: &Solid<D>) {
        let point = solid.point([0.0; 3]);
        match solid.axes.clone() {
            Some(axes) => {
                let frame = Port::output(name).described("motion of the body").frame();
                self.gives(frame, Output::Frame { point, axes });
            }
            None => self.position(name, "where the particle is", point),
        }
    }

    fn position(&mut self, name: &str, words: &str, point: Combination<D>) {
        let port = Port::output(name)
            .described(format!("{words}: {}", AXES[..D].join(", ")))
            .shaped(Shape::vector(D))
            .unit("m");
        self.gives(port, Output::Position(point));
    }

    pub(super) fn force(&mut self, name: &str, point: Combination<D>) {
        let port = Port::input(name)
            .described("force at the point, on the body")
            .shaped(Shape::vector(D))
            .unit("N");
        self.takes(port.start(Value::Reals(vec![0.0; D])), Input::Force(point));
    }

    pub(super) fn effort(&mut self, name: &str, measure: Measure<D>) {
        let (unit, words) = match measure.winds() {
            true => ("N.m", "torque in the joint, on its second body"),
            false => ("N", "force along the joint, on its second body"),
        };
        let port = Port::input(name)
            .described(words)
            .unit(unit)
            .start(Value::real(0.0));
        self.takes(port, Input::Effort(measure));
    }

    pub(super) fn motion(&mut self, name: &str, measure: Measure<D>) {
        let (units, words) = match measure.winds() {
            true => (["rad", "rad/s"], "angle of the joint, turns counted"),
            false => (["m", "m/s"], "how far the joint is apart"),
        };
        let winding = self.wind(&measure);
        let port = Port::output(name).described(words).unit(units[0]);
        self.gives(
            port,
            Output::Motion {
                measure: measure.clone(),
                winding,
            },
        );
        let port = Port::output(format!("{name}_speed"))
            .described("how fast that changes")
            .unit(units[1]);
        self.gives(port, Output::Speed(measure));
    }

    pub(super) fn reaction(&mut self, name: &str, reaction: Reaction<D>) {
        let load = Port::output(name)
            .described("force and moment with which the joint holds its second body, at its point");
        self.gives(load.load(), Output::Reaction(reaction));
    }

    /// Reactions change with loads at once.
    fn feed_reactions(&mut self) {
        let ports = || self.interface.ports_of(Causality::Output);
        let reactions: Vec<PortId> = ports()
            .zip(&self.outputs)
            .filter(|(_, output)| matches!(output, Output::Reaction(_)))
            .map(|((port, _), _)| port)
            .collect();
        let inputs: Vec<PortId> = self
            .interface
            .ports_of(Causality::Input)
            .map(|(port, _)| port)
            .collect();
        for (&reaction, &input) in reactions.iter().flat_map(|r| inputs.iter().map(move |i| (r, i))) {
            self.interface.feeds_through(reaction, input);
        }
    }

    /// Does somebody look at reactions?
    pub(super) fn tells_reactions(&self) -> bool {
        self.outputs
            .iter()
            .any(|output| matches!(output, Output::Reaction(_)))
    }

    pub(super) fn balance(&mut self) {
        self.feed_reactions();
        let energy =
            Port::output("energy").described("kinetic energy, and potential energy of gravity and springs");
        self.gives(energy.unit("J"), Output::Energy);
        // Nobody is to be driven by what is little more than rounding.
        let residual = Port::local("residual")
            .described("the largest violation of a constraint")
            .discrete();
        self.gives(residual, Output::Residual);
    }

    /// The quadrature that counts the turns of an angle.
    pub(super) fn wind(&mut self, measure: &Measure<D>) -> Option<usize> {
        measure.winds().then(|| {
            self.windings.push(measure.clone());
            self.windings.len() - 1
        })
    }
}

pub(super) fn three<const D: usize>(x: [f64; D]) -> [f64; 3] {
    std::array::from_fn(|i| if i < D { x[i] } else { 0.0 })
}

impl<const D: usize> Input<D> {
    /// How many numbers it takes.
    pub(super) fn width(&self) -> usize {
        match self {
            Input::Force(_) => D,
            Input::Load { .. } => 6,
            Input::Effort(_) => 1,
        }
    }

    /// Adds what it does to the forces.
    pub(super) fn act(&self, q: &[f64], u: &[f64], forces: &mut [f64]) {
        match self {
            Input::Force(point) => point.pull(std::array::from_fn(|i| u[i]), |at, part| forces[at] += part),
            Input::Effort(measure) => {
                if u[0] != 0.0 {
                    measure.gradient(q, |at, part| forces[at] += u[0] * part);
                }
            }
            Input::Load { point, axes } => {
                point.pull(std::array::from_fn(|i| u[i]), |at, part| forces[at] += part);
                let moment = [u[3], u[4], u[5]];
                if D == 2 {
                    // The power is moment times how fast the first axis turns.
                    let [x, y, _] = three(axes[0].value(q));
                    let turned = [-moment[2] * y, moment[2] * x, 0.0];
                    return axes[0].pull(std::array::from_fn(|i| turned[i]), |at, part| forces[at] += part);
                }
                // The angular velocity is half the sum of each axis times its rate.
                for axis in axes {
                    let push = cross(moment, three(axis.value(q)));
                    axis.pull(std::array::from_fn(|i| 0.5 * push[i]), |at, part| {
                        forces[at] += part
                    });
                }
            }
        }
    }
}

/// A frame from a point and axes, which need not be quite at right angles.
pub(super) fn frame<const D: usize>(
    point: &Combination<D>,
    axes: &[Combination<D>; D],
    (q, v): (&[f64], &[f64]),
    y: &mut [f64],
) {
    y[..3].copy_from_slice(&three(point.value(q)));
    y[7..10].copy_from_slice(&three(point.rate(v)));
    let values: [[f64; 3]; D] = std::array::from_fn(|i| three(axes[i].value(q)));
    let rates: [[f64; 3]; D] = std::array::from_fn(|i| three(axes[i].rate(v)));
    if D == 2 {
        let half = 0.5 * f64::atan2(values[0][1], values[0][0]);
        y[3..7].copy_from_slice(&[half.cos(), 0.0, 0.0, half.sin()]);
        let square = dot(values[0], values[0]);
        y[10..13].copy_from_slice(&[0.0, 0.0, cross(values[0], rates[0])[2] / square]);
        return;
    }
    y[3..7].copy_from_slice(&quaternion([values[0], values[1], values[2]]));
    let mut turning = [0.0; 3];
    for (value, rate) in values.into_iter().zip(rates) {
        let part = cross(value, rate);
        for i in 0..3 {
            turning[i] += 0.5 * part[i];
        }
    }
    y[10..13].copy_from_slice(&turning);
}

/// The quaternion of axes given as columns, with a real part that is not negative.
fn quaternion([x, y, z]: [[f64; 3]; 3]) -> [f64; 4] {
    // Four times the square of each part; the largest is safe to divide by.
    let squares = [
        1.0 + x[0] + y[1] + z[2],
        1.0 + x[0] - y[1] - z[2],
        1.0 - x[0] + y[1] - z[2],
        1.0 - x[0] - y[1] + z[2],
    ];
    let largest = (0..4)
        .max_by(|&a, &b| squares[a].total_cmp(&squares[b]))
        .unwrap_or(0);
    let parts = match largest {
        0 => [squares[0], y[2] - z[1], z[0] - x[2], x[1] - y[0]],
        1 => [y[2] - z[1], squares[1], x[1] + y[0], z[0] + x[2]],
        2 => [z[0] - x[2], x[1] + y[0], squares[2], y[2] + z[1]],
        _ => [x[1] - y[0], z[0] + x[2], y[2] + z[1], squares[3]],
    };
    let parts = unit(parts);
    if parts[0] < 0.0 {
        parts.map(|part| -part)
    } else {
        parts
    }
}
