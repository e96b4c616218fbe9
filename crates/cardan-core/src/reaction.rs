//! A law by which inputs follow outputs inside a step.
//!
//! A code that is driven by motion and answers with forces can tell how they change with the motion. Whoever it drives then
//! needs no force of time, which is wrong as soon as the motion is not the expected one, but the force of its own motion:
//! `f(u) = f0 - K (u - u0)`, where `K` is the tangent stiffness. Between two points at which force and tangent are known, the
//! law can bend along the way from one to the other as well. What changes whatever moves, because the other code has a life of
//! its own, is a drift in time.

use crate::time::SimTime;

/// An output as it takes part in a reaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Motion {
    /// The value at that place of the bound real outputs, less the one at the origin: one number.
    Value(u32),
    /// The rotation of the quaternion that begins at that place against the one at the origin, as a vector: three numbers.
    Turn(u32),
}

/// Inputs as functions of outputs.
#[derive(PartialEq, Debug, Default)]
pub struct Reaction {
    /// Each comes from somebody else.
    pub parts: Vec<Part>,
    /// Inertia that is taken away: what an input gains with the rate of an output.
    pub inertias: Vec<Inertia>,
    /// A time in which no motion changes much, for rates that are differences; not zero where there are inertias.
    pub tick: f64,
}

/// An input that grows by `mass` times the rate of an output: a force that carries the inertia which somebody else brings
/// along, so that the participant need not.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Inertia {
    /// Place of the bound real input.
    pub input: u32,
    /// Place of the bound real output, a velocity.
    pub output: u32,
    /// How much of it.
    pub mass: f64,
}

/// Laws are taken over before every step, so room that is there is used again.
impl Clone for Reaction {
    fn clone(&self) -> Self {
        Reaction {
            parts: self.parts.clone(),
            inertias: self.inertias.clone(),
            tick: self.tick,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.parts.clone_from(&source.parts);
        self.inertias.clone_from(&source.inertias);
        self.tick = source.tick;
    }
}

/// Inputs that follow from one code that is driven by the motion.
#[derive(PartialEq, Debug, Default)]
pub struct Part {
    /// Places of the bound real inputs that react.
    pub inputs: Vec<u32>,
    /// What they react to.
    pub motions: Vec<Motion>,
    /// Bound real outputs at the origin, all of them; only those that the motions name are looked at.
    pub origin: Vec<f64>,
    /// By input: the value at the origin. Where it is empty, what the segments of the inputs say takes its place: the law comes
    /// on top of them.
    pub base: Vec<f64>,
    /// Row by row, one for each input: how it changes with each number of the motions.
    pub gains: Vec<f64>,
    /// The way on which the law bends, as motions from the origin; empty where it does not.
    pub way: Vec<f64>,
    /// Parallel to the way: the part of it that was made is the sum of the motions with these weights.
    pub weights: Vec<f64>,
    /// By input: the law along the way, `c[0] s + c[1] s² + c[2] s³`, where `s` is the part of the way that was made.
    pub bends: Vec<[f64; 3]>,
    /// When the value at the origin was computed.
    pub since: SimTime,
    /// By input: how it goes on by itself, whatever moves: `d[0] τ + d[1] τ²`, where `τ` is the time since then.
    pub drifts: Vec<[f64; 2]>,
    /// The law bends for `s` between these; beyond, it goes on along its tangent.
    pub reach: (f64, f64),
}

/// Numbers of motion that a part looks at without allocating, and at most: those of sixteen frames with their velocities.
pub const MOST: usize = 192;
/// Those of one frame.
const FEW: usize = 12;

impl Reaction {
    /// Does nothing react?
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.inertias.is_empty()
    }

    /// Does it name places that are there, and has it as many numbers as it needs?
    pub fn fits(&self, inputs: usize, outputs: usize) -> bool {
        let there = |inertia: &Inertia| {
            (inertia.input as usize) < inputs && (inertia.output as usize) < outputs && self.tick > 0.0
        };
        self.parts.iter().all(|part| part.fits(inputs, outputs)) && self.inertias.iter().all(there)
    }

    /// Sets the inputs that react at `at`, from all bound real outputs there and, where laws come on top, from the inputs
    /// as they are. Inertias are left to the caller, who knows rates. Nothing is allocated.
    pub fn apply(&self, at: SimTime, outputs: &[f64], inputs: &mut [f64]) {
        self.parts.iter().for_each(|part| part.apply(at, outputs, inputs));
    }
}

impl Clone for Part {
    fn clone(&self) -> Self {
        let mut copy = Part::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        let Part {
            inputs,
            motions,
            origin,
            base,
            gains,
            way,
            weights,
            bends,
            since,
            drifts,
            reach,
        } = source;
        self.inputs.clone_from(inputs);
        self.motions.clone_from(motions);
        self.origin.clone_from(origin);
        self.base.clone_from(base);
        self.gains.clone_from(gains);
        self.way.clone_from(way);
        self.weights.clone_from(weights);
        self.bends.clone_from(bends);
        self.drifts.clone_from(drifts);
        (self.since, self.reach) = (*since, *reach);
    }
}

impl Part {
    /// Does it name places that are there, and has it as many numbers as it needs?
    pub fn fits(&self, inputs: usize, outputs: usize) -> bool {
        let (rows, freedoms) = (self.inputs.len(), self.freedoms());
        let place = |motion: &Motion| match *motion {
            Motion::Value(place) | Motion::Turn(place) => place as usize + motion.places(),
        };
        freedoms <= MOST
            && self.inputs.iter().all(|&place| (place as usize) < inputs)
            && self.motions.iter().all(|motion| place(motion) <= outputs)
            && self.origin.len() == outputs
            && (self.base.is_empty() || self.base.len() == rows)
            && self.gains.len() == rows * freedoms
            && (self.way.is_empty() || self.way.len() == freedoms)
            && self.weights.len() == self.way.len()
            && (self.bends.is_empty() || self.bends.len() == rows)
            && (self.drifts.is_empty() || self.drifts.len() == rows)
    }

    /// Numbers that the motions make.
    pub fn freedoms(&self) -> usize {
        self.motions.iter().map(|motion| motion.freedoms()).sum()
    }

    /// Sets the inputs that react at `at`, from all bound real outputs there. Nothing is allocated.
    pub fn apply(&self, at: SimTime, outputs: &[f64], inputs: &mut [f64]) {
        // Clearing room for many takes longer than what few need it for.
        match self.freedoms() {
            few @ 0..=FEW => self.apply_in(&mut [0.0; FEW][..few], at, outputs, inputs),
            many => self.apply_in(&mut [0.0; MOST][..many.min(MOST)], at, outputs, inputs),
        }
    }

    fn apply_in(&self, moved: &mut [f64], at: SimTime, outputs: &[f64], inputs: &mut [f64]) {
        let time = at.since(self.since);
        let count = moved.len();
        moved_from(&self.origin, &self.motions, outputs, moved);
        let made: f64 = moved.iter().zip(&self.weights).map(|(m, w)| m * w).sum();
        for (m, d) in moved.iter_mut().zip(&self.way) {
            *m -= made * d;
        }
        for (row, &place) in self.inputs.iter().enumerate() {
            let input = &mut inputs[place as usize];
            let base = self.base.get(row).copied().unwrap_or(*input);
            let gains = &self.gains[row * count..][..count];
            let across: f64 = gains.iter().zip(moved.iter()).map(|(g, m)| g * m).sum();
            let along = self
                .bends
                .get(row)
                .map_or(0.0, |bend| bent(bend, made, self.reach));
            let drift = self.drifts.get(row).map_or(0.0, |[a, b]| time * (a + time * b));
            *input = base + across + along + drift;
        }
    }
}

/// Writes how far outputs have moved from an origin.
pub fn moved_from(origin: &[f64], motions: &[Motion], outputs: &[f64], moved: &mut [f64]) {
    let mut numbers = moved.iter_mut();
    for motion in motions {
        match *motion {
            Motion::Value(place) => {
                let place = place as usize;
                if let Some(number) = numbers.next() {
                    *number = outputs[place] - origin[place];
                }
            }
            Motion::Turn(place) => {
                let quaternion = |of: &[f64]| std::array::from_fn(|i| of[place as usize + i]);
                for part in turn(quaternion(origin), quaternion(outputs)) {
                    if let Some(number) = numbers.next() {
                        *number = part;
                    }
                }
            }
        }
    }
}

impl Motion {
    /// Numbers it makes.
    pub fn freedoms(self) -> usize {
        match self {
            Motion::Value(_) => 1,
            Motion::Turn(_) => 3,
        }
    }

    /// Places it takes.
    pub fn places(self) -> usize {
        match self {
            Motion::Value(_) => 1,
            Motion::Turn(_) => 4,
        }
    }
}

/// The law along the way, beyond its reach on its tangent.
fn bent([a, b, c]: &[f64; 3], s: f64, (least, most): (f64, f64)) -> f64 {
    let within = s.clamp(least, most);
    let slope = a + within * (2.0 * b + within * 3.0 * c);
    within * (a + within * (b + within * c)) + slope * (s - within)
}

/// The rotation from one orientation to another as a vector in the inertial axes: its axis times its angle, at most half
/// a turn. Quaternions have their real part first.
pub fn turn(from: [f64; 4], to: [f64; 4]) -> [f64; 3] {
    let [a, b, c, d] = from;
    let [w, x, y, z] = to;
    // to · conj(from)
    let real = w * a + x * b + y * c + z * d;
    let vector = [
        -w * b + x * a - y * d + z * c,
        -w * c + x * d + y * a - z * b,
        -w * d - x * c + y * b + z * a,
    ];
    let (real, sign) = if real < 0.0 { (-real, -1.0) } else { (real, 1.0) };
    let sine = vector.iter().map(|v| v * v).sum::<f64>().sqrt();
    // The angle over its sine goes to two.
    let scale = match sine > 1e-9 {
        true => 2.0 * sine.atan2(real) / sine,
        false => 2.0,
    };
    vector.map(|v| sign * scale * v)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cubic force of one displacement is its own Hermite polynomial.
    #[test]
    fn a_bent_law_is_a_cubic() {
        let force = |u: f64| -(2.0 * u + 3.0 * u * u * u);
        let stiffness = |u: f64| 2.0 + 9.0 * u * u;
        let (u1, u2): (f64, f64) = (0.3, 0.5);
        let d = u1 - u2;
        // From s = 0 at the origin u2 to s = 1 at u1, with slopes -K d.
        let (slope0, slope1) = (-stiffness(u2) * d, -stiffness(u1) * d);
        let rise = force(u1) - force(u2);
        let part = Part {
            inputs: vec![0],
            motions: vec![Motion::Value(0)],
            origin: vec![u2],
            base: vec![force(u2)],
            gains: vec![-stiffness(u2)],
            way: vec![d],
            weights: vec![1.0 / d],
            bends: vec![[
                slope0,
                3.0 * rise - 2.0 * slope0 - slope1,
                slope0 + slope1 - 2.0 * rise,
            ]],
            reach: (-3.0, 1.0),
            ..Part::default()
        };
        let reaction = Reaction {
            parts: vec![part],
            ..Reaction::default()
        };
        for u in [0.3, 0.42, 0.5, 0.7, 0.9] {
            let mut inputs = [0.0];
            reaction.apply(SimTime::default(), &[u], &mut inputs);
            assert!((inputs[0] - force(u)).abs() < 1e-14, "{u}");
        }
        // Beyond its reach, at u = 1.1, it goes on straight.
        let mut inputs = [0.0];
        reaction.apply(SimTime::default(), &[1.3], &mut inputs);
        let straight = force(1.1) - stiffness(1.1) * 0.2;
        assert!((inputs[0] - straight).abs() < 1e-13);
    }

    #[test]
    fn turns_add_up_to_the_quaternion() {
        let half = 0.35_f64;
        let about_y = [half.cos(), 0.0, half.sin(), 0.0];
        let turned = turn([1.0, 0.0, 0.0, 0.0], about_y);
        for (got, expected) in turned.iter().zip([0.0, 2.0 * half, 0.0]) {
            assert!((got - expected).abs() < 1e-15);
        }
        // The opposite quaternion is the same orientation.
        assert_eq!(turn([1.0, 0.0, 0.0, 0.0], about_y.map(|q| -q)), turned);
        assert_eq!(turn(about_y, about_y), [0.0; 3]);
    }
}
