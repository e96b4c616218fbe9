//! Inputs that react to outputs inside a step, in the axes of the participant.

use crate::framed::Framed;
use crate::inlet::{Body, Inlet};
use crate::motion::{FRAME, LOAD, Load, Motion, QUATERNION};
use crate::outlet::Outlet;
use crate::placement::Scales;
use cardan_core::participant::{Failure, Outcome, Reactive};
use cardan_core::reaction::{Inertia, Motion as Mover, Part, Reaction};
use cardan_core::spatial::{back, turned};

impl Framed {
    /// Is a law of what is seen one of the same kind inside? Arms bend it, and its drifts are told in the time of the system.
    pub(crate) fn keeps_reactions(&self) -> bool {
        self.layout.points.is_empty() && self.layout.placement.scales.time == 1.0
    }
}

/// Three numbers that turn together, outside and inside.
#[derive(Clone, Copy)]
struct Trio {
    outside: usize,
    inside: usize,
    /// One of them inside is so many outside.
    unit: f64,
}

impl Reactive for Framed {
    fn react(&mut self, reaction: &Reaction) -> Outcome<()> {
        let parts = reaction.parts.iter().map(|part| self.turned_inward(part));
        let own = Reaction {
            parts: parts.collect::<Outcome<_>>()?,
            inertias: reaction
                .inertias
                .iter()
                .map(|inertia| self.inertia_inward(inertia))
                .collect::<Outcome<_>>()?,
            tick: reaction.tick,
        };
        match self.inner.reactive() {
            Some(reactive) => reactive.react(&own),
            None => Err(Failure::failed("the participant lost an ability that it had")),
        }
    }
}

impl Framed {
    /// The same law between what the participant takes and what it gives.
    fn turned_inward(&self, reaction: &Part) -> Outcome<Part> {
        let (placement, routes) = (&self.layout.placement, &self.routes);
        let mut own = reaction.clone();
        own.origin = vec![0.0; routes.given.reals];
        for (place, outlet) in &routes.outlets {
            let seen = &reaction.origin[*place..];
            match outlet {
                Outlet::Same { from, count } => {
                    own.origin[*from..from + count].copy_from_slice(&seen[..*count])
                }
                Outlet::Frame { .. } => {
                    let inside = self.inside_of_output(*place).unwrap_or_default();
                    placement
                        .motion_in(Motion::read(seen))
                        .write(&mut own.origin[inside..inside + FRAME]);
                }
                Outlet::Load { from, .. } => placement
                    .load_in(Load::read(seen))
                    .write(&mut own.origin[*from..from + LOAD]),
            }
        }
        let freedoms = reaction.freedoms();
        self.turn_inputs(reaction, freedoms, &mut own)?;
        self.turn_motions(reaction, freedoms, &mut own)?;
        Ok(own)
    }

    /// The same inertia in other units. It is the same in all directions, so that axes do not matter.
    fn inertia_inward(&self, inertia: &Inertia) -> Outcome<Inertia> {
        let (input, output) = (inertia.input as usize, inertia.output as usize);
        let ends = (self.trio_of_input(input)?, self.trio_of_output(output)?);
        let (Some(load), Some(motion)) = ends else {
            return Ok(Inertia {
                input: self.same_input(input)? as u32,
                output: self.same_output(output)? as u32,
                mass: inertia.mass,
            });
        };
        Ok(Inertia {
            input: (load.inside + input - load.outside) as u32,
            output: (motion.inside + output - motion.outside) as u32,
            mass: inertia.mass * motion.unit / load.unit,
        })
    }

    /// A vector of the system in the axes of the participant.
    fn inward(&self, v: [f64; 3]) -> [f64; 3] {
        turned(back(self.layout.placement.orientation), v)
    }

    /// Bases, gains, drifts and bends belong to inputs.
    fn turn_inputs(&self, reaction: &Part, freedoms: usize, own: &mut Part) -> Outcome<()> {
        let mut done = vec![false; reaction.inputs.len()];
        for row in 0..reaction.inputs.len() {
            if done[row] {
                continue;
            }
            let place = reaction.inputs[row] as usize;
            let Some(trio) = self.trio_of_input(place)? else {
                own.inputs[row] = self.same_input(place)? as u32;
                continue;
            };
            let rows = find_three(trio.outside, |place| {
                reaction.inputs.iter().position(|input| *input as usize == place)
            })?;
            let inward = |v: [f64; 3]| self.inward(v).map(|part| part / trio.unit);
            for (part, row) in rows.into_iter().enumerate() {
                done[row] = true;
                own.inputs[row] = (trio.inside + part) as u32;
            }
            if !reaction.base.is_empty() {
                let base = inward(rows.map(|row| reaction.base[row]));
                for (part, row) in rows.into_iter().enumerate() {
                    own.base[row] = base[part];
                }
            }
            for column in 0..freedoms {
                let gains = inward(rows.map(|row| reaction.gains[row * freedoms + column]));
                for (part, row) in rows.into_iter().enumerate() {
                    own.gains[row * freedoms + column] = gains[part];
                }
            }
            if !reaction.drifts.is_empty() {
                for power in 0..2 {
                    let drifts = inward(rows.map(|row| reaction.drifts[row][power]));
                    for (part, row) in rows.into_iter().enumerate() {
                        own.drifts[row][power] = drifts[part];
                    }
                }
            }
            if !reaction.bends.is_empty() {
                for power in 0..3 {
                    let bends = inward(rows.map(|row| reaction.bends[row][power]));
                    for (part, row) in rows.into_iter().enumerate() {
                        own.bends[row][power] = bends[part];
                    }
                }
            }
        }
        Ok(())
    }

    /// Columns of gains, the way and what measures it belong to motions.
    fn turn_motions(&self, reaction: &Part, freedoms: usize, own: &mut Part) -> Outcome<()> {
        let mut columns = Vec::with_capacity(reaction.motions.len());
        let mut column = 0;
        for motion in &reaction.motions {
            columns.push(column);
            column += motion.freedoms();
        }
        let mut done = vec![false; reaction.motions.len()];
        for index in 0..reaction.motions.len() {
            if done[index] {
                continue;
            }
            let (three, unit) = match reaction.motions[index] {
                Mover::Turn(place) => {
                    let inside = self.inside_of_output(place as usize - QUATERNION);
                    match inside {
                        Some(inside) => {
                            own.motions[index] = Mover::Turn((inside + QUATERNION) as u32);
                            (std::array::from_fn(|part| columns[index] + part), 1.0)
                        }
                        None => {
                            own.motions[index] = Mover::Turn(self.same_output(place as usize)? as u32);
                            continue;
                        }
                    }
                }
                Mover::Value(place) => {
                    let Some(trio) = self.trio_of_output(place as usize)? else {
                        own.motions[index] = Mover::Value(self.same_output(place as usize)? as u32);
                        continue;
                    };
                    let motions = find_three(trio.outside, |place| {
                        let wanted = Mover::Value(place as u32);
                        reaction.motions.iter().position(|motion| *motion == wanted)
                    })?;
                    for (part, motion) in motions.into_iter().enumerate() {
                        done[motion] = true;
                        own.motions[motion] = Mover::Value((trio.inside + part) as u32);
                    }
                    (motions.map(|motion| columns[motion]), trio.unit)
                }
            };
            // Gains are rows, and rows turn as vectors do: g · R m = (Rᵀ g) · m.
            for row in own.gains.chunks_exact_mut(freedoms) {
                let gains = self.inward(three.map(|column: usize| unit * row[column]));
                for (part, column) in three.into_iter().enumerate() {
                    row[column] = gains[part];
                }
            }
            if !reaction.way.is_empty() {
                let way = self.inward(three.map(|column| reaction.way[column] / unit));
                let weights = self.inward(three.map(|column| reaction.weights[column] * unit));
                for (part, column) in three.into_iter().enumerate() {
                    own.way[column] = way[part];
                    own.weights[column] = weights[part];
                }
            }
        }
        Ok(())
    }

    /// Where a frame that is seen at a place lies among what the participant gives.
    fn inside_of_output(&self, place: usize) -> Option<usize> {
        let (_, outlet) = self.routes.outlets.iter().find(|(at, _)| *at == place)?;
        match outlet {
            Outlet::Frame {
                body: Body::Published(from),
                ..
            } => Some(*from),
            _ => None,
        }
    }

    fn trio_of_output(&self, place: usize) -> Outcome<Option<Trio>> {
        let found = self
            .routes
            .outlets
            .iter()
            .find(|(at, outlet)| (*at..at + outlet.count()).contains(&place));
        let Some((at, outlet)) = found else {
            return Err(unknown());
        };
        let first = match place - at {
            0..3 => 0,
            7..10 => 7,
            10..13 => 10,
            _ => 3,
        };
        let scales = &self.layout.placement.scales;
        match outlet {
            Outlet::Same { .. } => Ok(None),
            Outlet::Frame { .. } if first == 3 => Err(in_part()),
            Outlet::Frame { .. } => Ok(self.inside_of_output(*at).map(|from| Trio {
                outside: at + first,
                inside: from + first,
                unit: if first == 10 { 1.0 } else { scales.length },
            })),
            Outlet::Load { from, .. } => Ok(Some(Trio {
                outside: at + first,
                inside: from + first,
                unit: load_unit(scales, first),
            })),
        }
    }

    fn trio_of_input(&self, place: usize) -> Outcome<Option<Trio>> {
        for (inside, inlet) in &self.routes.inlets {
            match inlet {
                Inlet::Same { from, count } if (*from..from + count).contains(&place) => return Ok(None),
                Inlet::Load { own: Ok(from), .. } if (*from..from + LOAD).contains(&place) => {
                    let first = 3 * ((place - from) / 3);
                    return Ok(Some(Trio {
                        outside: from + first,
                        inside: inside + first,
                        unit: load_unit(&self.layout.placement.scales, first),
                    }));
                }
                Inlet::Frame { from, .. } if (*from..from + FRAME).contains(&place) => return Err(in_part()),
                _ => {}
            }
        }
        Err(unknown())
    }

    fn same_input(&self, place: usize) -> Outcome<usize> {
        let found = self.routes.inlets.iter().find_map(|(inside, inlet)| match inlet {
            Inlet::Same { from, count } if (*from..from + count).contains(&place) => {
                Some(inside + place - from)
            }
            _ => None,
        });
        found.ok_or_else(unknown)
    }

    fn same_output(&self, place: usize) -> Outcome<usize> {
        let found = self.routes.outlets.iter().find_map(|(at, outlet)| match outlet {
            Outlet::Same { from, count } if (*at..at + count).contains(&place) => Some(from + place - at),
            _ => None,
        });
        found.ok_or_else(unknown)
    }
}

/// A unit of force, or of moment, in those of the system.
fn load_unit(scales: &Scales, first: usize) -> f64 {
    match first {
        0 => scales.force,
        _ => scales.force * scales.length,
    }
}

/// The three places from `first` on, or why not.
fn find_three(first: usize, find: impl Fn(usize) -> Option<usize>) -> Outcome<[usize; 3]> {
    match [first, first + 1, first + 2].map(find) {
        [Some(a), Some(b), Some(c)] => Ok([a, b, c]),
        _ => Err(in_part()),
    }
}

fn in_part() -> Failure {
    Failure::failed("in a turned frame a single element of a frame or a load cannot react by itself")
        .advise("connect whole frames and loads")
}

fn unknown() -> Failure {
    Failure::failed("the reaction speaks of a place that is not bound")
}
