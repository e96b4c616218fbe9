//! From a world to a diagnosis: who is probed, what of, and what is made of it.

use super::coupled::Coupled;
use super::dense::{Complex, Matrix, eigenvalues};
use super::diagnosis::{Diagnosis, Figures, GroupDiagnosis, MethodLimits, Mode, READINGS, Unmeasured};
use super::identification::Identified;
use super::limits::{Judge, Limit};
use super::macro_step::Scheme;
use super::patient::{Patient, Trouble};
use super::probe::Probe;
use super::realization::Linear;
use super::wiring::{driven, in_order, read_by, wires};
use super::{Budget, order};
use crate::error::{Call, RunError};
use crate::graph::ParticipantId;
use crate::method::Sweep;
use crate::plan::Plan;
use crate::world::World;
use std::sync::Arc;

/// Up to this part of the run, steps are looked at: beyond it nobody would see much of a run.
const LONGEST: f64 = 1.0 / 20.0;
/// Samples begin with this part of a sensible step, and become longer while that is right.
const SHORT: f64 = 0.1;
/// Without a step that somebody has chosen, samples begin with this part of the run.
const FIRST: f64 = 1e-3;
/// Of a group of more members, other orders are not tried.
const FEW: usize = 3;
/// Another order must be better by this to be worth a change.
const WORTH: f64 = 1.2;

pub(super) fn examine(
    world: &mut World,
    budget: &Budget,
    progress: &mut dyn FnMut(usize, usize, &str),
) -> Result<Diagnosis, RunError> {
    let plan = world.shared_plan();
    let total = plan.groups.iter().map(Vec::len).sum();
    let mut before = 0;
    let mut groups = Vec::with_capacity(plan.groups.len());
    for members in &plan.groups {
        let members = in_order(&plan, members);
        let mut found = Vec::with_capacity(members.len());
        for &member in &members {
            progress(before, total, &plan.seats[member.index()].name);
            before += 1;
            found.push(measure(world, &plan, &members, member, budget)?);
        }
        groups.push(conclude(&plan, members, found, budget));
    }
    Ok(Diagnosis {
        groups,
        span: span(&plan),
        one_way: one_way(world, &plan)?,
    })
}

/// Those that cannot go back.
fn one_way(world: &mut World, plan: &Plan) -> Result<Vec<ParticipantId>, RunError> {
    let mut found = Vec::new();
    for participant in (0..plan.seats.len() as u32).map(ParticipantId) {
        if !world.call(participant, Call::Save, None, |p| Ok(p.rollback().is_some()))? {
            found.push(participant);
        }
    }
    Ok(found)
}

fn span(plan: &Plan) -> f64 {
    plan.window.stop.since(plan.window.start)
}

/// The step at which all members have exchanged: the first where steps are chosen, the longest where members have steps of
/// their own.
fn present_step(plan: &Plan, members: &[ParticipantId]) -> f64 {
    let of = |member: &ParticipantId| {
        let seat = &plan.seats[member.index()];
        match plan.needs.tolerance.and(plan.needs.first_step) {
            Some(first) if !seat.has_own_grid => first,
            _ => seat.grid.step(),
        }
    };
    members.iter().map(of).fold(0.0, f64::max)
}

/// What was measured of a member: how it reacts at once, as far as it can be asked, and its model, or why there is none.
struct Measured {
    at_once: Option<Matrix>,
    model: Result<Identified, Unmeasured>,
}

/// Measures one member. A failure of the engine itself ends the examination.
fn measure(
    world: &mut World,
    plan: &Plan,
    group: &[ParticipantId],
    member: ParticipantId,
    budget: &Budget,
) -> Result<Measured, RunError> {
    let without = |why: Unmeasured| Measured {
        at_once: None,
        model: Err(why),
    };
    let seat = &plan.seats[member.index()];
    let drives: Vec<usize> = driven(seat, group).map(|(place, _)| place).collect();
    let shows = read_by(plan, group, member);
    let discrete = seat.held_wires.iter().any(|wire| group.contains(&wire.source));
    if drives.is_empty() || shows.is_empty() || discrete {
        return Ok(without(Unmeasured::NotReal));
    }
    let (can, any_step) = world.call(member, Call::Save, None, |p| {
        let free = p.interface().period.is_none() && p.takes_any_step();
        Ok((p.rollback().is_some(), free))
    })?;
    let at = world.time_of(member);
    let inputs = world.inputs_at(member, at);
    let outputs = world.history(member).latest_reals().to_vec();
    let nominal = |place: usize| {
        let known = seat
            .continuous
            .iter()
            .find(|(column, _)| *column as usize == place);
        known.map_or(1.0, |(_, nominal)| *nominal)
    };
    let or_one = |size: f64| if size > 0.0 { size } else { 1.0 };
    let drive_sizes = driven(seat, group).map(|(place, wire)| {
        let source = plan.seats[wire.source.index()].continuous.iter();
        let nominal = source.clone().find(|(column, _)| *column == wire.column);
        let nominal = nominal.map_or(1.0, |(_, nominal)| (nominal * wire.conversion.factor).abs());
        or_one(nominal.max(inputs.reals[place].abs()))
    });
    let drive_sizes = drive_sizes.collect();
    let show_sizes = shows
        .iter()
        .map(|place| or_one(nominal(*place).max(outputs[*place].abs())));
    let mut patient = Patient {
        who: member,
        drive_sizes,
        show_sizes: show_sizes.collect(),
        budget,
        longest: plan.window.stop.since(at),
        grain: (!any_step).then(|| seat.grid.step()),
        probe: Arc::new(Probe {
            at,
            inputs,
            extent: seat.output_extent,
            drives,
            shows,
        }),
        world,
    };
    // From far below: samples that are longer than half a swing show another one that is slower.
    let first = SHORT * present_step(plan, &[member]).min(FIRST * span(plan));
    let at_once = match patient.feedthrough() {
        Ok(at_once) => at_once,
        Err(trouble) => return Ok(without(reason(trouble))),
    };
    let model = match can {
        true => patient.identify(first, &at_once).map_err(reason),
        false => Err(Unmeasured::OneWay),
    };
    Ok(Measured {
        at_once: Some(at_once),
        model,
    })
}

fn reason(trouble: Trouble) -> Unmeasured {
    match trouble {
        Trouble::Late => Unmeasured::Late,
        Trouble::Unfit => Unmeasured::Unfit,
        Trouble::Failed(error) => Unmeasured::Failed(error.message().to_owned()),
    }
}

/// What follows from the models of a group.
fn conclude(
    plan: &Plan,
    members: Vec<ParticipantId>,
    found: Vec<Measured>,
    budget: &Budget,
) -> GroupDiagnosis {
    let mut diagnosis = GroupDiagnosis {
        unmeasured: Vec::new(),
        own_modes: Vec::new(),
        alpha: None,
        order: members.clone(),
        reversed: false,
        figures: None,
        members,
    };
    // Where a model is missing, how its member reacts at once may still be known.
    let known: Option<Vec<Linear>> = found
        .iter()
        .map(|measured| match (&measured.model, &measured.at_once) {
            (Ok(model), _) => Some(model.linear.clone()),
            (Err(_), at_once) => at_once.clone().map(Linear::of_gain),
        })
        .collect();
    let mut models = Vec::with_capacity(found.len());
    for (member, measured) in diagnosis.members.iter().zip(found) {
        match measured.model {
            Ok(model) => {
                diagnosis
                    .own_modes
                    .push((*member, modes(&eigenvalues(&model.linear.a))));
                models.push(model);
            }
            Err(why) => diagnosis.unmeasured.push((*member, why)),
        }
    }
    let Some(known) = known else { return diagnosis };
    let group = Coupled {
        wires: wires(plan, &diagnosis.members),
        members: known,
    };
    let present: Vec<usize> = (0..diagnosis.members.len()).collect();
    let flow = order::along_the_flow(&group, &present);
    let alpha = group.gain_at_once(&flow);
    diagnosis.alpha = Some(alpha);
    diagnosis.reversed = alpha > 1.0;
    if models.len() == diagnosis.members.len() {
        diagnosis.figures = figures(plan, &diagnosis.members, &group, &models, &flow, budget);
    }
    diagnosis.order = match &diagnosis.figures {
        _ if alpha > 0.0 => {
            let named = flow.iter().map(|k| diagnosis.members[*k]);
            if diagnosis.reversed {
                named.rev().collect()
            } else {
                named.collect()
            }
        }
        Some(figures) => best_order(&figures.limits).unwrap_or(&diagnosis.members).to_vec(),
        None => diagnosis.members.clone(),
    };
    diagnosis
}

/// Modes, the fastest first; of a pair the one that turns to the left.
fn modes(found: &[Complex]) -> Vec<Mode> {
    let mut modes: Vec<Mode> = found
        .iter()
        // Rounding leaves a little of the other part in each.
        .filter(|mode| mode.im >= -1e-12 * mode.abs())
        .map(|mode| Mode {
            growth: mode.re,
            rate: mode.im.max(0.0),
        })
        .collect();
    modes.sort_by(|a, b| b.size().total_cmp(&a.size()));
    modes
}

fn figures(
    plan: &Plan,
    members: &[ParticipantId],
    group: &Coupled,
    models: &[Identified],
    flow: &[usize],
    budget: &Budget,
) -> Option<Figures> {
    let worst = |of: fn(&Identified) -> f64| models.iter().map(of).fold(0.0, f64::max);
    let (accuracy, bend) = (worst(|m| m.accuracy), worst(|m| m.bend));
    let own = group.modes()?;
    let span = span(plan);
    let longest = plan.needs.longest_step.unwrap_or(LONGEST * span);
    let judge = Judge::new(group, &own, span, budget);
    let longest = judge.longest(longest);
    let present: Vec<usize> = (0..members.len()).collect();
    let step = present_step(plan, members);
    let scheme = Scheme {
        order: (plan.method.sweep == Sweep::GaussSeidel).then(|| present.clone()),
        reading: None,
    };
    let (spectral_radius, growth) = judge.step(&scheme, step)?;

    let named = |order: &[usize]| -> Vec<ParticipantId> { order.iter().map(|k| members[*k]).collect() };
    let limits = |order: Option<&[usize]>| MethodLimits {
        method: if order.is_some() {
            Sweep::GaussSeidel
        } else {
            Sweep::Jacobi
        },
        order: order.map(named).unwrap_or_default(),
        limits: READINGS.map(|reading| {
            let scheme = Scheme {
                order: order.map(<[usize]>::to_vec),
                reading: Some(reading),
            };
            judge.limit(&scheme, longest)
        }),
    };
    let mut all = vec![limits(None)];
    all.extend(order::all(&present, FEW).iter().map(|order| limits(Some(order))));
    Some(Figures {
        accuracy,
        bend,
        loop_gain: group.gain_over(step, flow),
        loop_gain_jacobi: group.gain_side_by_side(step),
        spectral_radius,
        growth,
        step,
        modes: modes(&own),
        longest,
        limits: all,
    })
}

/// The order of Gauss-Seidel with the largest stable step on lines; the present one unless another is clearly better.
fn best_order(limits: &[MethodLimits]) -> Option<&[ParticipantId]> {
    let mut ordered = limits.iter().filter(|l| l.method == Sweep::GaussSeidel);
    let mut best = ordered.next()?;
    let on_lines = |limits: &MethodLimits| Limit::seconds(limits.limits[1]);
    for other in ordered {
        if on_lines(other) > WORTH * on_lines(best) {
            best = other;
        }
    }
    Some(&best.order)
}
