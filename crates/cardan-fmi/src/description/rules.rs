//! The standard's tables: which causality goes with which variability, and how such a variable gets its first value.

use super::{Causality, Initial, Kind, Variability, Version};

/// What a variable is without a word on its variability.
pub(crate) fn default_variability(causality: Causality, kind: Kind) -> Variability {
    match causality {
        Causality::Parameter | Causality::CalculatedParameter | Causality::StructuralParameter => {
            Variability::Fixed
        }
        _ if kind.is_float() => Variability::Continuous,
        _ => Variability::Discrete,
    }
}

/// May a variable be both?
pub(crate) fn go_together(causality: Causality, variability: Variability) -> bool {
    use Variability::{Constant, Continuous, Discrete, Fixed, Tunable};
    match causality {
        Causality::Parameter | Causality::CalculatedParameter | Causality::StructuralParameter => {
            matches!(variability, Fixed | Tunable)
        }
        Causality::Input => matches!(variability, Discrete | Continuous),
        Causality::Output => matches!(variability, Constant | Discrete | Continuous),
        Causality::Local => true,
        Causality::Independent => variability == Continuous,
    }
}

/// The ways in which such a variable may get its first value, the usual one first.
pub(crate) fn initials(
    version: Version,
    causality: Causality,
    variability: Variability,
) -> &'static [Initial] {
    use Initial::{Approx, Calculated, Exact};
    match (causality, variability) {
        (Causality::Independent, _) => &[],
        (Causality::Input, _) if version == Version::V2 => &[],
        (Causality::Input, _) => &[Exact],
        (_, Variability::Constant) => &[Exact],
        (Causality::Parameter | Causality::StructuralParameter, _) => &[Exact],
        (Causality::CalculatedParameter, _) | (_, Variability::Fixed | Variability::Tunable) => {
            &[Calculated, Approx]
        }
        _ => &[Calculated, Exact, Approx],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_the_tables() {
        let first = |causality, variability| initials(Version::V2, causality, variability).first().copied();
        assert_eq!(
            first(Causality::Parameter, Variability::Tunable),
            Some(Initial::Exact)
        );
        assert_eq!(
            first(Causality::Output, Variability::Continuous),
            Some(Initial::Calculated)
        );
        assert_eq!(
            first(Causality::Local, Variability::Constant),
            Some(Initial::Exact)
        );
        assert_eq!(
            first(Causality::Local, Variability::Fixed),
            Some(Initial::Calculated)
        );
        assert_eq!(first(Causality::Input, Variability::Discrete), None);
        assert_eq!(
            default_variability(Causality::Output, Kind::Boolean),
            Variability::Discrete
        );
    }
}
