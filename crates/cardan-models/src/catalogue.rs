//! The list of built-in models.

use cardan_core::interface::{Interface, Parameter};
use cardan_core::participant::{Participant, Settings};
use cardan_ode::SolverSettings;

use crate::blueprint::Blueprint;
use crate::error::BuildError;
use crate::model::Model;
use crate::native::Native;
use crate::values::Values;
use crate::{control, hydraulics, mechanics, multibody, sources, vehicle};

/// A built-in model.
#[derive(Clone, Copy, Debug)]
pub struct ModelInfo {
    /// Where it belongs: `control`, `hydraulics`, `mechanics`, `multibody`, `sources`, `vehicle`.
    pub domain: &'static str,
    /// Its name in a description.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Its parameters; a [`ParameterId`](cardan_core::interface::ParameterId) is an index into them.
    pub parameters: fn() -> Vec<Parameter>,
    pub(crate) ports: fn(&Values) -> Result<Interface, BuildError>,
    pub(crate) model: fn(&Values) -> Result<Box<dyn Model>, BuildError>,
}

static CATALOGUE: [ModelInfo; 32] = [
    control::gain::INFO,
    control::pid::INFO,
    control::state_space::INFO,
    control::sum::INFO,
    control::transfer_function::INFO,
    hydraulics::cylinder::INFO,
    hydraulics::pipe::INFO,
    hydraulics::volume::INFO,
    mechanics::bushing::INFO,
    mechanics::contact_spring::INFO,
    mechanics::coupled_mass::INFO,
    mechanics::mass::INFO,
    mechanics::mass_spring_damper::INFO,
    mechanics::moved_mass::INFO,
    mechanics::nonlinear_spring::INFO,
    mechanics::rigid_body::INFO,
    mechanics::spring_damper::INFO,
    multibody::double_pendulum::INFO,
    multibody::four_bar::INFO,
    multibody::four_bar_linkage::INFO,
    multibody::pendulum_lower::INFO,
    multibody::pendulum_upper::INFO,
    multibody::planar_chain::INFO,
    sources::constant::INFO,
    sources::ramp::INFO,
    sources::sine::INFO,
    sources::step::INFO,
    sources::table::INFO,
    vehicle::mean_value_engine::INFO,
    vehicle::quarter_car_chassis::INFO,
    vehicle::quarter_car_wheel::INFO,
    vehicle::spark_ignition_engine::INFO,
];

/// All built-in models, by domain, then by name.
pub fn catalogue() -> &'static [ModelInfo] {
    &CATALOGUE
}

/// The built-in model of that name.
pub fn find(name: &str) -> Option<&'static ModelInfo> {
    CATALOGUE.iter().find(|info| info.name == name)
}

impl ModelInfo {
    /// Is it a mechanism, with [integrators](multibody::usual_solver) of its own?
    #[must_use]
    pub fn is_mechanism(&self) -> bool {
        [
            multibody::double_pendulum::INFO.name,
            multibody::four_bar::INFO.name,
        ]
        .contains(&self.name)
    }

    /// Is it a mechanism whose joints close loops, so that it may have dead points?
    #[must_use]
    pub fn closes_loops(&self) -> bool {
        self.name == multibody::four_bar::INFO.name
    }

    /// Builds a participant; what `settings` leaves out has its default.
    pub fn build(
        &self,
        settings: &Settings,
        solver: &SolverSettings,
    ) -> Result<Box<dyn Participant>, BuildError> {
        Ok(Box::new(Native::new(self.blueprint(), settings, solver)?))
    }

    /// Ports and parameters as they are when no parameter is set; none where a parameter must be.
    pub fn interface(&self) -> Option<Interface> {
        let blueprint = self.blueprint();
        let values = Values::new(&blueprint.parameters, &Settings::default()).ok()?;
        blueprint.interface(&values).ok()
    }

    fn blueprint(&self) -> Blueprint {
        Blueprint {
            name: self.name.to_owned(),
            parameters: (self.parameters)(),
            ports: Box::new(self.ports),
            model: Box::new(self.model),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_sorted_by_domain_and_name() {
        assert!(CATALOGUE.is_sorted_by(|a, b| (a.domain, a.name) < (b.domain, b.name)));
        assert!(CATALOGUE.iter().all(|info| find(info.name).is_some()));
        assert!(find("perpetuum-mobile").is_none());
    }

    #[test]
    fn every_parameter_is_described_and_accepts_its_own_default() {
        for info in catalogue() {
            for parameter in (info.parameters)() {
                assert!(
                    !parameter.description.is_empty(),
                    "{}.{}",
                    info.name,
                    parameter.name
                );
                if let Some(default) = &parameter.default {
                    assert_eq!(
                        parameter.objection(default),
                        None,
                        "{}.{}",
                        info.name,
                        parameter.name
                    );
                }
            }
        }
    }

    #[test]
    fn a_built_model_shows_the_interface_it_was_announced_with() {
        let mut announced = 0;
        for info in catalogue() {
            let Some(interface) = info.interface() else {
                continue;
            };
            announced += 1;
            let built = info
                .build(&Settings::default(), &SolverSettings::default())
                .unwrap();
            assert_eq!(built.interface(), &interface);
            assert_eq!(interface.parameters, (info.parameters)());
            assert!(interface.ports.iter().all(|port| !port.description.is_empty()));
        }
        // A table and a state-space model have no sensible default.
        assert_eq!(announced, CATALOGUE.len() - 2);
    }
}
