//! A mechanical model as its own integrators see it: with the inputs as functions of time.

use cardan_ode::Trouble;
use cardan_ode::mechanical::{Mechanics, Structure};

use super::equations::Driven;
use crate::model::Mechanical;

/// What a model that is none would look like. Nobody is ever shown it: [`Driven::mechanics`] asks first.
static NOTHING: Structure = Structure {
    coordinates: 0,
    quadratures: 0,
    mass: Vec::new(),
    constraints: Vec::new(),
    tangent: Vec::new(),
    gradient: 0.0,
    size: 0.0,
};

impl Driven<'_> {
    fn with(&self, tell: impl FnOnce(&dyn Mechanical)) {
        if let Some(mechanical) = self.model.mechanical() {
            tell(mechanical);
        }
    }
}

impl Mechanics for Driven<'_> {
    fn structure(&self) -> &Structure {
        self.model
            .mechanical()
            .map_or(&NOTHING, |mechanical| mechanical.structure())
    }

    fn damped(&self) -> bool {
        // What reacts to outputs may react to velocities.
        let damped = self
            .model
            .mechanical()
            .is_some_and(|mechanical| mechanical.damped());
        damped || !self.reacting.is_idle()
    }

    fn constraints(&mut self, t: f64, q: &[f64], values: &mut [f64]) {
        self.with(|mechanical| mechanical.constraints(t, q, values));
    }

    fn jacobian(&mut self, t: f64, q: &[f64], entries: &mut [f64]) {
        self.with(|mechanical| mechanical.constraint_gradients(t, q, entries));
    }

    fn drives(&mut self, t: f64, q: &[f64], rates: &mut [f64]) {
        self.with(|mechanical| mechanical.drives(t, q, rates));
    }

    fn curvatures(&mut self, t: f64, q: &[f64], v: &[f64], values: &mut [f64]) {
        self.with(|mechanical| mechanical.curvatures(t, q, v, values));
    }

    fn forces(&mut self, t: f64, x: &[f64], forces: &mut [f64]) -> Result<(), Trouble> {
        let model = self.model;
        let u = self.inputs(t, x);
        if let Some(mechanical) = model.mechanical() {
            mechanical.forces(t, x, u, forces);
        }
        Ok(())
    }

    fn tangents(&mut self, t: f64, x: &[f64], stiffness: &mut [f64], damping: &mut [f64]) {
        let model = self.model;
        let u = self.inputs(t, x);
        if let Some(mechanical) = model.mechanical() {
            mechanical.tangents(t, x, u, stiffness, damping);
        }
    }

    fn quadratures(&mut self, t: f64, x: &[f64], rates: &mut [f64]) {
        self.with(|mechanical| mechanical.quadratures(t, x, rates));
    }
}

/// A mechanical model with inputs that stand still.
pub(crate) struct Held<'a> {
    pub(crate) model: &'a dyn Mechanical,
    pub(crate) u: &'a [f64],
}

impl Mechanics for Held<'_> {
    fn structure(&self) -> &Structure {
        self.model.structure()
    }

    fn damped(&self) -> bool {
        self.model.damped()
    }

    fn constraints(&mut self, t: f64, q: &[f64], values: &mut [f64]) {
        self.model.constraints(t, q, values);
    }

    fn jacobian(&mut self, t: f64, q: &[f64], entries: &mut [f64]) {
        self.model.constraint_gradients(t, q, entries);
    }

    fn drives(&mut self, t: f64, q: &[f64], rates: &mut [f64]) {
        self.model.drives(t, q, rates);
    }

    fn curvatures(&mut self, t: f64, q: &[f64], v: &[f64], values: &mut [f64]) {
        self.model.curvatures(t, q, v, values);
    }

    fn forces(&mut self, t: f64, x: &[f64], forces: &mut [f64]) -> Result<(), Trouble> {
        self.model.forces(t, x, self.u, forces);
        Ok(())
    }

    fn tangents(&mut self, t: f64, x: &[f64], stiffness: &mut [f64], damping: &mut [f64]) {
        self.model.tangents(t, x, self.u, stiffness, damping);
    }

    fn quadratures(&mut self, t: f64, x: &[f64], rates: &mut [f64]) {
        self.model.quadratures(t, x, rates);
    }
}
