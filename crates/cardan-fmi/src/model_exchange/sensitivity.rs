//! How outputs react to inputs, and how fast they change.

use cardan_core::participant::{Derivatives, Outcome, Slopes};
use cardan_core::planes::Planes;
use cardan_core::time::SimTime;

use super::ModelExchange;
use super::motion::{Mode, Motion};
use crate::listed::Reacting;
use crate::loading::not_initialized;

/// How far ahead to look for a slope, as a part of the time in which something moves by its own size.
const AHEAD: f64 = 1e-4;
/// Where an event lies so close ahead, how much closer to look, and how often.
const CLOSER: f64 = 1.0 / 1024.0;
const LOOKS: u32 = 3;

impl Motion {
    /// The change of the outputs along a direction of the inputs.
    fn directional(
        &mut self,
        reacting: &mut Reacting,
        inputs: &Planes,
        direction: &[f64],
        change: &mut [f64],
    ) -> Outcome<()> {
        if reacting.is_empty() {
            change.fill(0.0);
            return Ok(());
        }
        if self.mode != Mode::Initializing {
            self.read_rest()?;
        }
        self.present(inputs)?;
        reacting.directional(&mut self.plant.instance, direction, change)
    }

    /// The slopes of the outputs by differences along the way on which states, inputs and time move.
    ///
    /// Ahead only: an FMU need not be able to go back behind its last completed step. Where an event waits, nothing that is ahead
    /// tells how it came here.
    fn slopes(&mut self, inputs: &Planes, rates: &[f64], slopes: &mut [f64]) -> Outcome<()> {
        self.expect_running()?;
        if self.mode == Mode::Continuous && (self.pending || self.crossed) {
            slopes.fill(f64::NAN);
            return Ok(());
        }
        slopes.fill(0.0);
        self.read_rest()?;
        self.present(inputs)?;
        if self.mode == Mode::Event {
            // States cannot be moved while time stands still. These inputs are the last ones, or nobody would ask.
            self.event.disturbed = true;
            while self.round()? {}
            self.resume_time()?;
        }
        if self.ended {
            return Ok(());
        }
        self.settle()?;
        let x0 = self.solver.state().to_vec();
        let mut dx = vec![0.0; x0.len()];
        self.plant.slopes(&mut dx)?;
        let quickest = quickest(&x0, &dx, &self.nominals).max(quickest(&inputs.reals, rates, &[]));
        // A power of two: neither the step nor the division by it is rounded.
        let mut step = (AHEAD / quickest.max(1.0)).log2().floor().exp2();
        let mut stays = false;
        for _ in 0..LOOKS {
            stays = self.look_ahead((&x0, &dx), (inputs, rates), step, slopes)?;
            if stays {
                break;
            }
            step *= CLOSER;
        }
        if !stays {
            slopes.fill(f64::NAN);
        }
        self.plant.drive.hold(&inputs.reals, &[], 0.0);
        self.settle()
    }

    /// Slopes by parabolas through the outputs here and at two points ahead. False if an event lies between.
    fn look_ahead(
        &mut self,
        (x0, dx): (&[f64], &[f64]),
        (inputs, rates): (&Planes, &[f64]),
        step: f64,
        slopes: &mut [f64],
    ) -> Outcome<bool> {
        slopes.fill(0.0);
        let mut row = Planes::new(self.outputs.extent);
        let (mut here, mut ahead) = std::mem::take(&mut self.indicators);
        let mut stays = true;
        for (weight, s) in [(-3.0, 0.0), (4.0, step), (-1.0, 2.0 * step)] {
            for ((x, x0), dx) in self.x.iter_mut().zip(x0).zip(dx) {
                *x = x0 + s * dx;
            }
            self.plant.drive.hold(&inputs.reals, rates, s);
            self.plant.move_to(self.time + s, &self.x)?;
            self.show(row.view_mut())?;
            for (slope, y) in slopes.iter_mut().zip(&row.reals) {
                *slope += weight * y / (2.0 * step);
            }
            if self.traits.switches {
                let seen = if s == 0.0 { &mut here } else { &mut ahead };
                self.plant.instance.get_event_indicators(seen)?;
                let sides = here.iter().zip(&ahead);
                stays &= s == 0.0
                    || sides
                        .into_iter()
                        .all(|(here, ahead)| (*here > 0.0) == (*ahead > 0.0));
            }
        }
        self.indicators = (here, ahead);
        Ok(stays)
    }
}

/// The largest rate, each against the size of what moves.
fn quickest(values: &[f64], rates: &[f64], sizes: &[f64]) -> f64 {
    let moves = values.iter().zip(rates).enumerate();
    moves
        .map(|(i, (value, rate))| rate.abs() / value.abs().max(sizes.get(i).copied().unwrap_or(1.0).abs()))
        .filter(|rate| rate.is_finite())
        .fold(0.0, f64::max)
}

impl Derivatives for ModelExchange {
    fn directional(
        &mut self,
        at: SimTime,
        inputs: &Planes,
        direction: &[f64],
        change: &mut [f64],
    ) -> Outcome<()> {
        let motion = self.motion.as_mut().ok_or_else(not_initialized)?;
        motion.expect_present(at)?;
        motion.directional(&mut self.reacting, inputs, direction, change)
    }
}

impl Slopes for ModelExchange {
    fn slopes(
        &mut self,
        at: SimTime,
        inputs: &Planes,
        input_slopes: &[f64],
        slopes: &mut [f64],
    ) -> Outcome<()> {
        let motion = self.motion()?;
        motion.expect_present(at)?;
        motion.slopes(inputs, input_slopes, slopes)
    }
}
