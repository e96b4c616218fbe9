//! What users choose by name.

use crate::toml::keys;
use std::fmt;
use std::str::FromStr;

/// A coupling method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MethodKind {
    /// All at once.
    Jacobi,
    /// One after the other.
    GaussSeidel,
    /// With error control.
    Adaptive,
    /// Each step repeated until it agrees.
    Iterated,
    /// Asynchronous, each at its own step.
    Glue,
    /// Through transmission lines.
    Tlm,
    /// Chosen by looking at the system.
    #[default]
    Auto,
}

/// Who sees what of whom during a step, where the method leaves that open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scheme {
    /// All step at once and see each other's past.
    Jacobi,
    /// One after the other: later ones see what earlier ones just did.
    #[default]
    GaussSeidel,
}

/// How the error of a step is found out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EstimatorKind {
    /// Once as a whole, once in two halves.
    #[default]
    Richardson,
    /// What readings foretold against what came.
    Embedded,
    /// What repeating a step made of it.
    Corrected,
    /// The energy that bonds gain or lose.
    Energy,
}

/// How the values of the next round of a step follow from those before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum AcceleratorKind {
    /// Directions that were learnt, in steps before too.
    #[default]
    IqnIls,
    /// What came out goes in again.
    FixedPoint,
    /// The same with a factor that follows the residuals.
    Aitken,
    /// A matrix that learns.
    Broyden,
    /// A matrix that is measured.
    Newton,
}

/// How a leader feels the tangents of its followers inside its step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TangentKind {
    /// Not at all: forces are read as signals in time.
    None,
    /// Along the tangent, from the force that is read where the step begins.
    Linear,
    /// Along a law that bends, from the point at which the force was computed.
    #[default]
    Curved,
}

/// How signals begin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StartRule {
    /// Outputs and inputs agree at the start.
    #[default]
    Consistent,
    /// Earlier points equal the initial value.
    Flat,
    /// No earlier points: hold, then a line, then a parabola.
    Cold,
}

/// An interface of an FMU.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FmiKind {
    /// It brings its own solver.
    CoSimulation,
    /// It gives equations, Cardan solves them.
    ModelExchange,
}

/// A way to talk to a process that Cardan starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TransportKind {
    /// Its standard input and output.
    #[default]
    Pipe,
    /// A Unix socket.
    Unix,
    /// TCP on this host.
    Tcp,
    /// Shared memory.
    SharedMemory,
}

/// Gives an enum without payload its names, in the order of its variants in the key table.
macro_rules! named {
    ($type:ident, $names:path, [$($variant:ident),+]) => {
        impl $type {
            /// The names by which users choose one.
            pub const NAMES: &[&str] = $names;
            const ALL: &[$type] = &[$($type::$variant),+];
        }

        impl FromStr for $type {
            type Err = ();

            fn from_str(name: &str) -> Result<Self, ()> {
                let index = Self::NAMES.iter().position(|n| *n == name).ok_or(())?;
                Self::ALL.get(index).copied().ok_or(())
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let index = Self::ALL.iter().position(|k| k == self).unwrap_or_default();
                f.pad(Self::NAMES.get(index).copied().unwrap_or_default())
            }
        }
    };
}

named!(
    MethodKind,
    keys::METHODS,
    [Jacobi, GaussSeidel, Adaptive, Iterated, Glue, Tlm, Auto]
);
named!(Scheme, keys::SCHEMES, [Jacobi, GaussSeidel]);
named!(
    EstimatorKind,
    keys::ESTIMATORS,
    [Richardson, Embedded, Corrected, Energy]
);
named!(
    AcceleratorKind,
    keys::ACCELERATORS,
    [IqnIls, FixedPoint, Aitken, Broyden, Newton]
);
named!(TangentKind, keys::TANGENTS, [None, Linear, Curved]);
named!(StartRule, keys::STARTS, [Consistent, Flat, Cold]);
named!(FmiKind, keys::INTERFACES, [CoSimulation, ModelExchange]);
named!(TransportKind, keys::TRANSPORTS, [Pipe, Unix, Tcp, SharedMemory]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_variants_agree() {
        assert_eq!(MethodKind::NAMES.len(), MethodKind::ALL.len());
        assert_eq!(Scheme::NAMES.len(), Scheme::ALL.len());
        assert_eq!(EstimatorKind::NAMES.len(), EstimatorKind::ALL.len());
        assert_eq!(AcceleratorKind::NAMES.len(), AcceleratorKind::ALL.len());
        assert_eq!(TangentKind::NAMES.len(), TangentKind::ALL.len());
        assert_eq!(StartRule::NAMES.len(), StartRule::ALL.len());
        assert_eq!(FmiKind::NAMES.len(), FmiKind::ALL.len());
        assert_eq!(TransportKind::NAMES.len(), TransportKind::ALL.len());
        assert_eq!("gauss-seidel".parse(), Ok(MethodKind::GaussSeidel));
        assert_eq!(MethodKind::GaussSeidel.to_string(), "gauss-seidel");
        assert_eq!("cold".parse(), Ok(StartRule::Cold));
        assert_eq!("warm".parse::<StartRule>(), Err(()));
    }
}
