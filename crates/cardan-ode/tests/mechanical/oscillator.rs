//! A mass on a spring: one coordinate, and nothing that holds it.

use cardan_ode::mechanical::{Mechanics, Structure};
use cardan_ode::{Equations, Trouble};

/// A mass of 1 kg on a spring.
pub(crate) struct Oscillator {
    structure: Structure,
    stiffness: f64,
}

impl Oscillator {
    pub(crate) fn new(stiffness: f64) -> Self {
        let structure = Structure {
            coordinates: 1,
            mass: vec![(0, 0, 1.0)],
            tangent: vec![(0, 0)],
            ..Structure::default()
        };
        Oscillator { structure, stiffness }
    }
}

impl Equations for Oscillator {
    fn states(&self) -> usize {
        2
    }

    fn derivatives(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Trouble> {
        Err(Trouble::Fatal)
    }

    fn mechanics(&mut self) -> Option<&mut dyn Mechanics> {
        Some(self)
    }
}

impl Mechanics for Oscillator {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn damped(&self) -> bool {
        false
    }

    fn constraints(&mut self, _: f64, _: &[f64], _: &mut [f64]) {}

    fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) {}

    fn drives(&mut self, _: f64, _: &[f64], _: &mut [f64]) {}

    fn curvatures(&mut self, _: f64, _: &[f64], _: &[f64], _: &mut [f64]) {}

    fn forces(&mut self, _: f64, x: &[f64], forces: &mut [f64]) -> Result<(), Trouble> {
        forces[0] = -self.stiffness * x[0];
        Ok(())
    }

    fn tangents(&mut self, _: f64, _: &[f64], stiffness: &mut [f64], damping: &mut [f64]) {
        stiffness[0] = self.stiffness;
        damping[0] = 0.0;
    }

    fn quadratures(&mut self, _: f64, _: &[f64], _: &mut [f64]) {}
}
