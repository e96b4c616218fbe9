//! The energy that the coupling makes, against what is allowed.
//!
//! Energy-conservation-based step control (ECCO: S. Sadjina, L. T. Kyllingstad, S. Skjong, E. Pedersen, *Energy
//! conservation and power bonds in co-simulations*, 2017) needs nothing but a step and its inputs: no repeats, no states.

use crate::method::StepControl;
use crate::method::gauge::Gauged;
use crate::plan::Plan;
use crate::world::World;

/// The largest residual of a bond in the step under way, as a multiple of what is allowed: so many joules, or else the
/// tolerance times the energy that the largest power so far would carry across within the longest step. That does not
/// grow as a run goes on, and is known from the first step.
pub(super) fn residuals(plan: &Plan, control: StepControl, world: &World) -> Gauged {
    let mut gauged = Gauged::default();
    for (bond, account) in world.bonds().iter().enumerate() {
        let balance = world.balance(bond);
        let most = account.power.max(balance.power) * control.max;
        let allowed = control.energy.unwrap_or(control.relative * most);
        let error = match balance.residual.abs() {
            0.0 => 0.0,
            residual => residual / allowed,
        };
        let tie = plan.bonds.ties.iter().find(|tie| tie.bond as usize == bond);
        if let Some(tie) = tie {
            gauged.consider(error, tie.effort.participant, tie.effort.column);
        }
    }
    gauged
}
