//! How outputs react to inputs, and how fast they change.

use cardan_core::interface::Causality;
use cardan_core::participant::{Derivatives, Outcome, Slopes};
use cardan_core::planes::Planes;
use cardan_core::time::SimTime;

use super::Native;

impl Derivatives for Native {
    fn directional(
        &mut self,
        at: SimTime,
        inputs: &Planes,
        direction: &[f64],
        change: &mut [f64],
    ) -> Outcome<()> {
        let t = self.expect_present(at)?;
        self.place_inputs(&inputs.reals, direction);
        self.look_at_sides(t);
        let quickest = self.quickest_input();
        if quickest == 0.0 {
            change.fill(0.0);
            return Ok(());
        }
        let (model, x) = (&*self.model, self.solver.state());
        let differences = &mut self.scratch.differences;
        if !model.sensitivity(t, x, &self.scratch.u, &differences.du, &mut differences.dy) {
            differences.dx.fill(0.0);
            differences.slope(x, &self.scratch.u, 1.0 / quickest, |_, x, u, y| {
                model.outputs(t, x, u, y)
            });
        }
        self.binding.gather(&differences.dy, change);
        Ok(())
    }
}

impl Slopes for Native {
    fn slopes(
        &mut self,
        at: SimTime,
        inputs: &Planes,
        input_slopes: &[f64],
        slopes: &mut [f64],
    ) -> Outcome<()> {
        let t = self.expect_present(at)?;
        self.place_inputs(&inputs.reals, input_slopes);
        self.look_at_sides(t);
        let inputs_move = self.quickest_input();
        let model = &*self.model;
        let differences = &mut self.scratch.differences;
        let inputs_alone = model.states() == 0
            && model.sensitivity(t, &[], &self.scratch.u, &differences.du, &mut differences.dy);
        if !inputs_alone && !model.rates(t, &mut differences.dy) {
            let (x, u) = (self.solver.state(), &self.scratch.u);
            model.derivatives(t, x, u, &mut differences.dx);
            let states = x.iter().zip(&differences.dx);
            let states_move = states
                .map(|(x, dx)| dx.abs() / x.abs().max(1.0))
                .fold(0.0, f64::max);
            // Time itself may appear in the equations, on a scale nobody knows: begin with a second at most.
            let reach = 1.0 / inputs_move.max(states_move).max(1.0);
            differences.slope(x, u, reach, |s, x, u, y| model.outputs(t + s, x, u, y));
        }
        self.binding.gather(&differences.dy, slopes);
        Ok(())
    }
}

impl Native {
    /// Puts the bound inputs and their rates among all inputs of the model; what is not bound rests.
    fn place_inputs(&mut self, inputs: &[f64], rates: &[f64]) {
        let scratch = &mut self.scratch;
        scratch.u.copy_from_slice(self.drive.starts());
        self.binding.scatter(inputs, &mut scratch.u);
        scratch.differences.du.fill(0.0);
        self.binding.scatter(rates, &mut scratch.differences.du);
    }

    /// The largest rate among the inputs, each against its own size.
    fn quickest_input(&self) -> f64 {
        let mut quickest = 0.0_f64;
        let mut place = 0;
        for (_, port) in self.interface.ports_of(Causality::Input) {
            for element in place..place + port.shape.len() {
                let size = self.scratch.u[element].abs().max(port.nominal.abs());
                quickest = quickest.max(self.scratch.differences.du[element].abs() / size);
            }
            place += port.shape.len();
        }
        quickest
    }
}
