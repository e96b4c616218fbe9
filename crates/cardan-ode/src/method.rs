//! The methods by name.

use std::fmt;
use std::str::FromStr;

use crate::SettingsError;

/// A method of integration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// Explicit Euler: order 1, fixed step. For discrete-looking models and for comparison.
    Euler,
    /// Heun's method (explicit trapezoidal rule): order 2, fixed step.
    Heun,
    /// The classical Runge-Kutta method: order 4, fixed step.
    Rk4,
    /// Dormand-Prince 5(4): order 5, step control. The first choice for everything that is not stiff.
    #[default]
    Dopri5,
    /// Backward differentiation (NDF), orders 1 to 5, step control. For stiff equations.
    Bdf,
    /// Mechanical systems only: the trapezoidal rule, index three with an augmented Lagrangian. Order 2, fixed step, or step
    /// control where none is given.
    Trapezoidal,
    /// Mechanical systems only: generalised-alpha, the same with damping of fast oscillations. Order 2, fixed step, or step
    /// control where none is given.
    GeneralizedAlpha,
    /// Mechanical systems only: RATTLE in five stages. Order 4, fixed step, or step control where none is given. For motions
    /// without stiff forces.
    Rattle,
}

impl Method {
    /// All methods for any equations, in the order of [`NAMES`](Self::NAMES).
    pub const ALL: [Self; 5] = [Self::Euler, Self::Heun, Self::Rk4, Self::Dopri5, Self::Bdf];

    /// Their names, as descriptions spell them.
    pub const NAMES: [&'static str; 5] = ["euler", "heun", "rk4", "dopri5", "bdf"];

    /// Methods for mechanical systems, in the order of [`MECHANICAL_NAMES`](Self::MECHANICAL_NAMES).
    pub const MECHANICAL: [Self; 3] = [Self::Trapezoidal, Self::GeneralizedAlpha, Self::Rattle];

    /// Their names.
    pub const MECHANICAL_NAMES: [&'static str; 3] = ["trapezoidal", "generalized-alpha", "rattle"];

    /// The name as descriptions spell it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Euler => "euler",
            Self::Heun => "heun",
            Self::Rk4 => "rk4",
            Self::Dopri5 => "dopri5",
            Self::Bdf => "bdf",
            Self::Trapezoidal => "trapezoidal",
            Self::GeneralizedAlpha => "generalized-alpha",
            Self::Rattle => "rattle",
        }
    }

    /// Whether the method takes steps of a given size, where one is given, instead of controlling its error.
    #[must_use]
    pub fn is_fixed_step(self) -> bool {
        !matches!(self, Self::Dopri5 | Self::Bdf)
    }

    /// Whether the method is made for mechanical systems alone.
    #[must_use]
    pub fn is_mechanical(self) -> bool {
        Self::MECHANICAL.contains(&self)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = SettingsError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .chain(Self::MECHANICAL)
            .find(|method| method.name() == name)
            .ok_or_else(|| SettingsError::UnknownMethod {
                name: name.to_owned(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_their_methods_and_back() {
        let all = Method::ALL.into_iter().zip(Method::NAMES);
        for (method, name) in all.chain(Method::MECHANICAL.into_iter().zip(Method::MECHANICAL_NAMES)) {
            assert_eq!(method.to_string(), name);
            assert_eq!(name.parse(), Ok(method));
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let error = "ode45".parse::<Method>().map_err(|e| e.to_string());
        assert_eq!(
            error,
            Err(
                "there is no solver \"ode45\"; take one of euler, heun, rk4, dopri5, bdf, or for multibody models \
                 trapezoidal, generalized-alpha, rattle"
                    .to_owned()
            )
        );
    }
}
