//! One interface point at work: what arrives becomes inputs, what the component does leaves.

use super::points::{Orientation, Ports};
use super::waves;
use cardan_core::reaction::{Motion, Part};
use cardan_core::signal::Segment;
use cardan_tlm::plugin::{Felt, Flow, InterfaceId, LineEnd, Motion3D, Plugin, PluginError};
use cardan_tlm::rotation;

/// An interface point that takes part.
#[derive(Debug)]
pub(super) struct Joint {
    pub(super) id: InterfaceId,
    pub(super) ports: Ports<usize>,
    pub(super) flow: Flow,
    /// Velocities at the last two instants, in the signs of the line: how a component that cannot react will go on.
    pub(super) past: [Option<(f64, [f64; 6])>; 2],
}

/// The arriving waves as they act on the component: in its axes and with the signs of its ports.
fn acting(ports: &Ports<usize>, end: &LineEnd, felt: &Felt) -> [f64; 6] {
    match ports {
        Ports::Axis { effort_sign, .. } => {
            let mut acting = [0.0; 6];
            acting[0] = effort_sign * felt.waves[0];
            acting
        }
        Ports::Body { load_sign, .. } => {
            let still = (0.0, 0.0);
            let load = end.line().placement.load(&felt.waves, still, [0.0; 3], [0.0; 3]);
            load.map(|part| load_sign * part)
        }
        Ports::Input(_) | Ports::Output(_) => felt.waves,
    }
}

impl Joint {
    /// Does it take anything?
    pub(super) fn listens(&self) -> bool {
        !matches!(self.ports, Ports::Output(_))
    }

    /// Places of inputs with the places of the outputs they react to, and by how much.
    pub(super) fn gains(&self, felt: &Felt) -> Vec<(usize, usize, f64)> {
        let (zf, zfr) = felt.impedance;
        match &self.ports {
            Ports::Axis {
                flow,
                effort,
                flow_sign,
                effort_sign,
                ..
            } => {
                let gain = self.flow.load(0.0, zf, 1.0) * flow_sign * effort_sign;
                vec![(*effort, *flow, gain)]
            }
            Ports::Body {
                velocity,
                angular_velocity,
                load,
                load_sign,
                ..
            } => {
                let moving = velocity.iter().chain(angular_velocity).enumerate();
                let gain = |k: usize| -load_sign * if k < 3 { zf } else { zfr };
                moving.map(|(k, place)| (load[k], *place, gain(k))).collect()
            }
            Ports::Input(_) | Ports::Output(_) => Vec::new(),
        }
    }

    /// The law by which the load follows the motion inside a step.
    pub(super) fn reaction(&self, felt: &Felt, outputs: usize) -> Option<Part> {
        let gains = self.gains(felt);
        if gains.iter().all(|(_, _, gain)| *gain == 0.0) {
            return None;
        }
        let count = gains.len();
        let mut matrix = vec![0.0; count * count];
        for (k, (_, _, gain)) in gains.iter().enumerate() {
            matrix[k * count + k] = *gain;
        }
        Some(Part {
            inputs: gains.iter().map(|(input, _, _)| *input as u32).collect(),
            motions: gains
                .iter()
                .map(|(_, output, _)| Motion::Value(*output as u32))
                .collect(),
            origin: vec![0.0; outputs],
            gains: matrix,
            ..Part::default()
        })
    }

    /// Writes the laws of the inputs from `from` to `to`. A component that cannot react gets the part of its own motion as
    /// it is expected to go on.
    pub(super) fn drive(
        &self,
        end: &LineEnd,
        (from, to): (f64, f64),
        reacts: bool,
        segments: &mut [Vec<Segment>],
    ) {
        let places: Vec<usize> = match &self.ports {
            Ports::Axis { effort, .. } => vec![*effort],
            Ports::Body { load, .. } => load.to_vec(),
            Ports::Input(value) => vec![*value],
            Ports::Output(_) => return,
        };
        let curved = end.is_curved();
        let mut start = from;
        for until in end.breaks(from, to).into_iter().chain([to]) {
            for (k, place) in places.iter().enumerate() {
                let value = |t: f64| acting(&self.ports, end, &end.felt(t))[k];
                segments[*place].push(waves::piece(start, until, curved, value));
            }
            start = until;
        }
        if reacts {
            return;
        }
        let felt = end.felt(0.5 * (from + to));
        for (k, (input, _, gain)) in self.gains(&felt).into_iter().enumerate() {
            let (at, speed, rate) = self.expected(k);
            for segment in &mut segments[input] {
                waves::add_line(segment, |t| gain * (speed + rate * (t - at)), gain * rate);
            }
        }
    }

    /// How a velocity is expected to go on: when it was last known, its value in the signs of the port, and its rate.
    fn expected(&self, k: usize) -> (f64, f64, f64) {
        match self.past {
            [Some((t0, before)), Some((t1, last))] if t1 > t0 => {
                (t1, last[k], (last[k] - before[k]) / (t1 - t0))
            }
            [_, Some((t, last))] => (t, last[k], 0.0),
            _ => (0.0, 0.0, 0.0),
        }
    }

    /// The inputs at an instant, where the component has these outputs.
    pub(super) fn load_at(&self, end: &LineEnd, t: f64, outputs: &[f64], inputs: &mut [f64]) {
        let felt = end.felt(t);
        let acting = acting(&self.ports, end, &felt);
        match &self.ports {
            Ports::Input(value) => inputs[*value] = acting[0],
            Ports::Output(_) => {}
            Ports::Axis { .. } | Ports::Body { .. } => {
                for (k, (input, output, gain)) in self.gains(&felt).into_iter().enumerate() {
                    inputs[input] = acting[k] + gain * outputs[output];
                }
            }
        }
    }

    /// Velocities in the signs of the line and in the axes of the component.
    pub(super) fn flow_of(&self, outputs: &[f64]) -> [f64; 6] {
        match &self.ports {
            Ports::Axis { flow, flow_sign, .. } => {
                let mut flows = [0.0; 6];
                flows[0] = flow_sign * outputs[*flow];
                flows
            }
            Ports::Body {
                velocity,
                angular_velocity,
                ..
            } => {
                let [a, b, c] = velocity.map(|place| outputs[place]);
                let [d, e, f] = angular_velocity.map(|place| outputs[place]);
                [a, b, c, d, e, f]
            }
            Ports::Input(_) | Ports::Output(_) => [0.0; 6],
        }
    }

    /// Hands the outputs at an instant to the line.
    pub(super) fn publish(
        &mut self,
        plugin: &mut Plugin,
        t: f64,
        outputs: &[f64],
    ) -> Result<(), PluginError> {
        match &self.ports {
            Ports::Axis {
                flow,
                position,
                flow_sign,
                ..
            } => {
                let x = position.map_or(0.0, |place| flow_sign * outputs[place]);
                plugin.set_motion_1d(self.id, t, x, flow_sign * outputs[*flow])?;
            }
            Ports::Body {
                position,
                orientation,
                velocity,
                angular_velocity,
                ..
            } => {
                let motion = Motion3D {
                    position: position.map(|place| outputs[place]),
                    orientation: match orientation {
                        Orientation::Quaternion(places) => {
                            rotation::to_body(places.map(|place| outputs[place]))
                        }
                        Orientation::Matrix(places) => places.map(|place| outputs[place]),
                    },
                    velocity: velocity.map(|place| outputs[place]),
                    angular_velocity: angular_velocity.map(|place| outputs[place]),
                };
                plugin.set_motion_3d(self.id, t, &motion)?;
            }
            Ports::Output(value) => plugin.set_value(self.id, t, outputs[*value])?,
            Ports::Input(_) => {}
        }
        let speeds = match &self.ports {
            // The law of the inputs is told in the signs of the ports.
            Ports::Axis { flow, .. } => {
                let mut speeds = [0.0; 6];
                speeds[0] = outputs[*flow];
                speeds
            }
            _ => self.flow_of(outputs),
        };
        self.past = [self.past[1], Some((t, speeds))];
        Ok(())
    }
}
