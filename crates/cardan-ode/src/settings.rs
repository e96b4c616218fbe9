//! Settings, and the solver made from them.

use crate::bdf::Bdf;
use crate::dopri5::Dopri5;
use crate::fixed::{FixedStep, tableau};
use crate::mechanical::{Augmented, MechanicalSettings, Newmark, Pace, Rattle, Structure, Walk};
use crate::stepper::Stepper;
use crate::tracker::Tracker;
use crate::{Method, SettingsError, Solver};

/// What a user may choose.
#[derive(Debug, Clone, PartialEq)]
pub struct SolverSettings {
    /// The method. Default: [`Method::Dopri5`].
    pub method: Method,
    /// Fixed-step methods: the largest step; every way to a limit is split into equal steps not longer than this,
    /// one single step where none is given. Methods for mechanical systems: the same, but where none is given they keep to the
    /// tolerances. Adaptive methods: a guess of the first step. Default: none.
    pub step: Option<f64>,
    /// Relative tolerance of the adaptive methods. Default: 1e-6.
    pub rtol: f64,
    /// Absolute tolerance of the adaptive methods, in units of each state (or of its nominal value). Default: 1e-9,
    /// so that states of size one are held to six digits until they fall below a thousandth.
    pub atol: f64,
    /// The largest step of an adaptive method; also the widest interval in which a root is looked for, where a pair
    /// of roots closer than this may stay unseen. Default: none.
    pub max_step: Option<f64>,
    /// The smallest step of an adaptive method after a failure; a step shorter than this is an error unless a limit
    /// asks for it. Default: none, which means a few units in the last place of time.
    pub min_step: Option<f64>,
    /// The size of each state, where known; the absolute tolerance of a state is `atol` times its nominal value.
    pub nominal: Option<Vec<f64>>,
    /// What only the methods for mechanical systems look at.
    pub mechanical: MechanicalSettings,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self {
            method: Method::default(),
            step: None,
            rtol: 1e-6,
            atol: 1e-9,
            max_step: None,
            min_step: None,
            nominal: None,
            mechanical: MechanicalSettings::default(),
        }
    }
}

impl SolverSettings {
    /// The default settings of one method.
    #[must_use]
    pub fn of(method: Method) -> Self {
        Self {
            method,
            ..Self::default()
        }
    }

    /// Checks what can be checked without knowing the number of states.
    pub fn validate(&self) -> Result<(), SettingsError> {
        if !(1e-14..=1.0).contains(&self.rtol) {
            return Err(SettingsError::RelativeTolerance { value: self.rtol });
        }
        positive("atol", self.atol)?;
        self.mechanical.validate()?;
        let steps = [
            ("step", self.step),
            ("max_step", self.max_step),
            ("min_step", self.min_step),
        ];
        for (name, value) in steps {
            value.map_or(Ok(()), |value| positive(name, value))?;
        }
        if let (Some(min), Some(max)) = (self.min_step, self.max_step)
            && min > max
        {
            return Err(SettingsError::EmptyStepRange { min, max });
        }
        self.nominal
            .iter()
            .flatten()
            .try_for_each(|&value| positive("nominal", value.abs()))
    }
}

pub(crate) fn positive(name: &'static str, value: f64) -> Result<(), SettingsError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(SettingsError::NotPositive { name, value })
    }
}

/// Builds a solver for so many states and root functions. All its memory is allocated here.
///
/// It stands at time zero with all states zero until [`Solver::restart`] is called.
pub fn build(
    settings: &SolverSettings,
    states: usize,
    roots: usize,
) -> Result<Box<dyn Solver>, SettingsError> {
    settings.validate()?;
    if let Some(nominal) = &settings.nominal
        && nominal.len() != states
    {
        return Err(SettingsError::NominalCount {
            states,
            found: nominal.len(),
        });
    }
    let method = settings.method;
    let fixed = |tableau, step| track(method, FixedStep::new(tableau, step, states), roots);
    if states == 0 && !method.is_mechanical() {
        // Nothing to integrate: walk to the limits, no faster than roots in time want to be sampled.
        let own = settings.step.filter(|_| method.is_fixed_step());
        return Ok(fixed(&tableau::EULER, own.or(settings.max_step)));
    }
    Ok(match method {
        Method::Euler => fixed(&tableau::EULER, settings.step),
        Method::Heun => fixed(&tableau::HEUN, settings.step),
        Method::Rk4 => fixed(&tableau::RK4, settings.step),
        Method::Dopri5 => track(method, Dopri5::new(settings, states), roots),
        Method::Bdf => track(method, Bdf::new(settings, states), roots),
        Method::Trapezoidal | Method::GeneralizedAlpha | Method::Rattle => {
            return Err(SettingsError::NotMechanical { method });
        }
    })
}

/// The same for a mechanical system, which may be integrated by its own methods as well.
pub fn build_mechanical(
    settings: &SolverSettings,
    structure: &Structure,
    roots: usize,
) -> Result<Box<dyn Solver>, SettingsError> {
    let (method, mechanical) = (settings.method, settings.mechanical);
    let newmark = match method {
        Method::Trapezoidal => Newmark::TRAPEZOIDAL,
        Method::GeneralizedAlpha => Newmark::generalized_alpha(mechanical.spectral_radius),
        Method::Rattle => {
            settings.validate()?;
            let pace = Pace::new(settings, structure, Rattle::ERROR_ORDER);
            let walk = Walk::new(Rattle::new(structure), structure, pace);
            return Ok(track(method, walk, roots));
        }
        _ => return build(settings, structure.states(), roots),
    };
    settings.validate()?;
    let pace = Pace::new(settings, structure, Augmented::ERROR_ORDER);
    let augmented = Augmented::new(newmark, structure, mechanical);
    Ok(track(method, Walk::new(augmented, structure, pace), roots))
}

fn track<S: Stepper + 'static>(method: Method, stepper: S, roots: usize) -> Box<dyn Solver> {
    Box::new(Tracker::new(method, stepper, roots))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_valid() {
        assert_eq!(SolverSettings::default().validate(), Ok(()));
    }

    #[test]
    fn nonsense_is_named() {
        let spoiled: [fn(&mut SolverSettings); 7] = [
            |s| s.rtol = 0.0,
            |s| s.rtol = f64::NAN,
            |s| s.atol = -1.0,
            |s| s.step = Some(0.0),
            |s| s.max_step = Some(f64::INFINITY),
            |s| (s.min_step, s.max_step) = (Some(1.0), Some(0.1)),
            |s| s.nominal = Some(vec![1.0, 0.0]),
        ];
        for spoil in spoiled {
            let mut settings = SolverSettings::default();
            spoil(&mut settings);
            assert!(settings.validate().is_err(), "{settings:?}");
        }
    }

    #[test]
    fn nominal_values_must_match_the_states() {
        let settings = SolverSettings {
            nominal: Some(vec![1.0]),
            ..SolverSettings::default()
        };
        let error = build(&settings, 2, 0).err();
        assert_eq!(error, Some(SettingsError::NominalCount { states: 2, found: 1 }));
    }
}
