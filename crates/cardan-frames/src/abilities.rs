//! What the participant can do besides, in the frame and the units of the system.

use crate::dual::Dual;
use crate::framed::Framed;
use crate::inlet::Body;
use crate::motion::{QUATERNION, part};
use crate::outlet::Outlet;
use cardan_core::participant::{
    Derivatives, EventMode, Failure, Outcome, OwnSteps, Past, Slopes, StepEnd, StepRequest, Trace,
};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::spatial::turning;
use cardan_core::time::SimTime;

/// An ability that was there when asked for.
fn there<T>(ability: Option<T>) -> Outcome<T> {
    ability.ok_or_else(|| Failure::failed("the participant lost an ability that it had"))
}

/// What may change besides the inputs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bodies {
    /// Nothing: bodies stay where they are.
    Rest,
    /// Bodies turn as they do.
    Turn,
}

impl Framed {
    /// The change of what is seen while inputs change along a direction: the chain rule through both transformations, with
    /// `inner` for what lies between. `pace` is by how much faster things change inside than outside.
    fn chain(
        &mut self,
        at: SimTime,
        inputs: &Planes,
        (direction, pace): (&[f64], f64),
        bodies: Bodies,
        change: &mut [f64],
        inner: impl FnOnce(&mut Self, SimTime) -> Outcome<()>,
    ) -> Outcome<()> {
        self.take(at, inputs)?;
        if self.routes.bend() {
            self.ask(at)?;
        }
        let (routes, layout, room) = (&self.routes, &self.layout, &mut self.room);
        let pairs = inputs.reals.iter().zip(direction);
        fill(&mut room.outer_dual, pairs.map(|(u, d)| Dual::new(*u, pace * d)));
        fill(&mut room.given_dual, room.given.iter().map(|y| Dual::from(*y)));
        if bodies == Bodies::Turn {
            let arms = routes.inlets.iter().flat_map(|(_, inlet)| inlet.long_arms());
            for arm in arms {
                let Body::Published(place) = arm.body else {
                    continue;
                };
                let rates = turning(
                    part(&room.given, place + QUATERNION),
                    part(&room.given, place + 10),
                );
                for (i, rate) in rates.into_iter().enumerate() {
                    room.given_dual[place + QUATERNION + i].change = rate;
                }
            }
        }
        fill(
            &mut room.taken_dual,
            room.taken.reals.iter().map(|u| Dual::from(*u)),
        );
        routes.take(layout, &room.outer_dual, &room.given_dual, &mut room.taken_dual);
        fill(&mut room.direction, room.taken_dual.iter().map(|u| u.change));
        fill(&mut room.change, room.given.iter().map(|_| 0.0));
        inner(self, self.clock.inward(at))?;
        let (routes, layout, room) = (&self.routes, &self.layout, &mut self.room);
        let pairs = room.given.iter().zip(&room.change);
        fill(&mut room.given_dual, pairs.map(|(y, d)| Dual::new(*y, *d)));
        fill(&mut room.seen_dual, change.iter().map(|_| Dual::default()));
        routes.show(layout, &room.given_dual, &room.taken_dual, &mut room.seen_dual);
        for (change, seen) in change.iter_mut().zip(&room.seen_dual) {
            *change = seen.change / pace;
        }
        Ok(())
    }

    /// Writes what is seen while the participant has given what is in the room and taken what its laws say at `at`.
    fn show_at(&mut self, at: Option<SimTime>, values: &mut [f64]) {
        let driven = self.routes.outlets.iter().any(|(_, outlet)| match outlet {
            Outlet::Frame { body, .. } => matches!(body, Body::Driven(_)),
            Outlet::Load { arm, .. } => matches!(arm, Some((Body::Driven(_), _))),
            Outlet::Same { .. } => false,
        });
        if let (Some(at), true) = (at, driven) {
            let inputs = self.step.reals();
            for (place, value) in self.room.taken.reals.iter_mut().enumerate() {
                *value = inputs.real(place, at);
            }
        }
        self.routes
            .show(&self.layout, &self.room.given, &self.room.taken.reals, values);
    }
}

/// Replaces a list by other numbers, in the same memory.
fn fill<T>(list: &mut Vec<T>, numbers: impl Iterator<Item = T>) {
    list.clear();
    list.extend(numbers);
}

impl Derivatives for Framed {
    fn directional(
        &mut self,
        at: SimTime,
        inputs: &Planes,
        direction: &[f64],
        change: &mut [f64],
    ) -> Outcome<()> {
        self.chain(
            at,
            inputs,
            (direction, 1.0),
            Bodies::Rest,
            change,
            |framed, at| {
                let room = &mut framed.room;
                there(framed.inner.derivatives())?.directional(
                    at,
                    &room.taken,
                    &room.direction,
                    &mut room.change,
                )
            },
        )
    }
}

impl Slopes for Framed {
    fn slopes(
        &mut self,
        at: SimTime,
        inputs: &Planes,
        input_slopes: &[f64],
        slopes: &mut [f64],
    ) -> Outcome<()> {
        let pace = self.clock.second();
        self.chain(
            at,
            inputs,
            (input_slopes, pace),
            Bodies::Turn,
            slopes,
            |framed, at| {
                let room = &mut framed.room;
                there(framed.inner.slopes())?.slopes(at, &room.taken, &room.direction, &mut room.change)
            },
        )
    }
}

impl Trace for Framed {
    fn instants(&self) -> &[SimTime] {
        &self.step.instants
    }

    fn point(&mut self, index: usize, values: PlanesMut<'_>) -> Outcome<()> {
        let given = PlanesMut {
            reals: &mut self.room.given,
            integers: values.integers,
            booleans: values.booleans,
            bytes: values.bytes,
        };
        let trace = there(self.inner.trace())?;
        let at = trace.instants().get(index).copied();
        trace.point(index, given)?;
        self.show_at(at, values.reals);
        Ok(())
    }
}

impl Past for Framed {
    fn outputs_before(&mut self, at: SimTime, values: PlanesMut<'_>) -> Outcome<()> {
        let given = PlanesMut {
            reals: &mut self.room.given,
            integers: values.integers,
            booleans: values.booleans,
            bytes: values.bytes,
        };
        there(self.inner.past())?.outputs_before(self.clock.inward(at), given)?;
        self.show_at(None, values.reals);
        Ok(())
    }
}

impl OwnSteps for Framed {
    fn step_once(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        self.travel(request, |inner, request| {
            there(inner.own_steps())?.step_once(request)
        })
    }
}

impl Framed {
    /// Lets the participant act while time stands still, and looks whether something is still to be done.
    fn act<T>(
        &mut self,
        at: SimTime,
        act: impl FnOnce(&mut dyn EventMode, SimTime) -> Outcome<T>,
    ) -> Outcome<T> {
        let events = there(self.inner.events())?;
        let answer = act(events, self.clock.inward(at))?;
        self.pending = events.pending();
        Ok(answer)
    }
}

impl EventMode for Framed {
    fn pending(&self) -> bool {
        self.pending
    }

    fn enter(&mut self, at: SimTime) -> Outcome<()> {
        self.act(at, |events, at| events.enter(at))
    }

    fn update(&mut self, at: SimTime) -> Outcome<bool> {
        self.act(at, |events, at| events.update(at))
    }

    fn leave(&mut self, at: SimTime) -> Outcome<()> {
        self.act(at, |events, at| events.leave(at))
    }
}
