//! The table of units.

use super::{Base, Dimension, Fraction, Measure, Scale};

/// A unit of the table: so many SI units.
struct Symbol {
    names: &'static [&'static str],
    dimension: Dimension,
    ratio: (f64, f64),
    pi: i32,
    /// Zero in SI, as a fraction.
    zero: (f64, f64),
    prefixes: bool,
}

const fn unit(names: &'static [&'static str], base: Base, numerator: f64, denominator: f64) -> Symbol {
    Symbol {
        names,
        dimension: Dimension {
            base,
            angle: 0,
            cycles: 0,
        },
        ratio: (numerator, denominator),
        pi: 0,
        zero: (0.0, 1.0),
        prefixes: false,
    }
}

const fn si(names: &'static [&'static str], base: Base) -> Symbol {
    let mut symbol = unit(names, base, 1.0, 1.0);
    symbol.prefixes = true;
    symbol
}

const fn prefixed(names: &'static [&'static str], base: Base, numerator: f64, denominator: f64) -> Symbol {
    let mut symbol = unit(names, base, numerator, denominator);
    symbol.prefixes = true;
    symbol
}

const fn angle(
    names: &'static [&'static str],
    base: Base,
    numerator: f64,
    denominator: f64,
    pi: i32,
) -> Symbol {
    let mut symbol = unit(names, base, numerator, denominator);
    symbol.dimension.angle = 1;
    symbol.pi = pi;
    symbol
}

const fn temperature(names: &'static [&'static str], ratio: (f64, f64), zero: (f64, f64)) -> Symbol {
    let mut symbol = unit(names, KELVIN, ratio.0, ratio.1);
    symbol.zero = zero;
    symbol
}

const fn cycles(names: &'static [&'static str]) -> Symbol {
    let mut symbol = si(names, PER_SECOND);
    symbol.dimension.cycles = 1;
    symbol
}

const fn with_prefixes(mut symbol: Symbol) -> Symbol {
    symbol.prefixes = true;
    symbol
}

const NONE: Base = [0, 0, 0, 0, 0, 0, 0];
const METRE: Base = [1, 0, 0, 0, 0, 0, 0];
const KILOGRAM: Base = [0, 1, 0, 0, 0, 0, 0];
const SECOND: Base = [0, 0, 1, 0, 0, 0, 0];
const AMPERE: Base = [0, 0, 0, 1, 0, 0, 0];
const KELVIN: Base = [0, 0, 0, 0, 1, 0, 0];
const MOLE: Base = [0, 0, 0, 0, 0, 1, 0];
const CANDELA: Base = [0, 0, 0, 0, 0, 0, 1];
const SQUARE_METRE: Base = [2, 0, 0, 0, 0, 0, 0];
const CUBIC_METRE: Base = [3, 0, 0, 0, 0, 0, 0];
const SPEED: Base = [1, 0, -1, 0, 0, 0, 0];
const ACCELERATION: Base = [1, 0, -2, 0, 0, 0, 0];
const PER_SECOND: Base = [0, 0, -1, 0, 0, 0, 0];
const FORCE: Base = [1, 1, -2, 0, 0, 0, 0];
const PRESSURE: Base = [-1, 1, -2, 0, 0, 0, 0];
const ENERGY: Base = [2, 1, -2, 0, 0, 0, 0];
const POWER: Base = [2, 1, -3, 0, 0, 0, 0];
const CHARGE: Base = [0, 0, 1, 1, 0, 0, 0];
const VOLTAGE: Base = [2, 1, -3, -1, 0, 0, 0];
const RESISTANCE: Base = [2, 1, -3, -2, 0, 0, 0];
const CONDUCTANCE: Base = [-2, -1, 3, 2, 0, 0, 0];
const CAPACITANCE: Base = [-2, -1, 4, 2, 0, 0, 0];
const FLUX: Base = [2, 1, -2, -1, 0, 0, 0];
const FLUX_DENSITY: Base = [0, 1, -2, -1, 0, 0, 0];
const INDUCTANCE: Base = [2, 1, -2, -2, 0, 0, 0];
const VISCOSITY: Base = [-1, 1, -1, 0, 0, 0, 0];
const DOSE: Base = [2, 0, -2, 0, 0, 0, 0];
const CATALYSIS: Base = [0, 0, -1, 0, 0, 1, 0];
const ILLUMINANCE: Base = [-2, 0, 0, 0, 0, 0, 1];

/// The pound-force in newtons: 0.45359237 kg × 9.80665 m/s², whole numbers over a power of ten.
const POUND_FORCE: (f64, f64) = (44_482_216_152_605.0, 1e13);
/// The same over a square inch, 0.0254² m² = 64516e-8 m².
const PSI: (f64, f64) = (44_482_216_152_605.0, 6_451_600_000.0);

/// Whole names come before prefixes, so `min` is a minute, `cd` a candela and `ft` a foot.
static SYMBOLS: &[Symbol] = &[
    // base units
    si(&["m"], METRE),
    prefixed(&["g"], KILOGRAM, 1.0, 1000.0),
    si(&["s", "sec"], SECOND),
    si(&["A"], AMPERE),
    si(&["K"], KELVIN),
    si(&["mol"], MOLE),
    si(&["cd"], CANDELA),
    // derived units
    cycles(&["Hz"]),
    si(&["N"], FORCE),
    si(&["Nm"], ENERGY),
    si(&["Pa"], PRESSURE),
    si(&["J"], ENERGY),
    si(&["W", "VA", "var"], POWER),
    si(&["C"], CHARGE),
    si(&["V"], VOLTAGE),
    si(&["Ohm", "ohm", "\u{3a9}", "\u{2126}"], RESISTANCE),
    si(&["S"], CONDUCTANCE),
    si(&["F"], CAPACITANCE),
    si(&["Wb"], FLUX),
    si(&["T"], FLUX_DENSITY),
    si(&["H"], INDUCTANCE),
    si(&["lm"], CANDELA),
    si(&["lx"], ILLUMINANCE),
    si(&["Bq"], PER_SECOND),
    si(&["Gy", "Sv"], DOSE),
    si(&["kat"], CATALYSIS),
    // numbers
    unit(&["%"], NONE, 1.0, 100.0),
    unit(&["ppm"], NONE, 1.0, 1e6),
    // angles
    with_prefixes(angle(&["rad"], NONE, 1.0, 1.0, 0)),
    unit(&["sr"], NONE, 1.0, 1.0),
    angle(&["deg", "°"], NONE, 1.0, 180.0, 1),
    angle(&["arcmin"], NONE, 1.0, 10_800.0, 1),
    angle(&["arcsec"], NONE, 1.0, 648_000.0, 1),
    angle(&["gon"], NONE, 1.0, 200.0, 1),
    angle(&["rev", "turn"], NONE, 2.0, 1.0, 1),
    angle(&["rpm"], PER_SECOND, 1.0, 30.0, 1),
    angle(&["rps"], PER_SECOND, 2.0, 1.0, 1),
    // time
    unit(&["min"], SECOND, 60.0, 1.0),
    unit(&["h", "hr"], SECOND, 3600.0, 1.0),
    unit(&["d", "day"], SECOND, 86_400.0, 1.0),
    // temperature
    temperature(&["degC", "°C", "℃", "Celsius"], (1.0, 1.0), (27_315.0, 100.0)),
    temperature(&["degF", "°F", "℉", "Fahrenheit"], (5.0, 9.0), (229_835.0, 900.0)),
    temperature(&["degR", "°R"], (5.0, 9.0), (0.0, 1.0)),
    // length, area, volume, speed
    unit(&["in", "inch"], METRE, 254.0, 10_000.0),
    unit(&["ft", "foot"], METRE, 3048.0, 10_000.0),
    unit(&["yd"], METRE, 9144.0, 10_000.0),
    unit(&["mi", "mile"], METRE, 1_609_344.0, 1000.0),
    unit(&["nmi"], METRE, 1852.0, 1.0),
    unit(&["\u{c5}", "angstrom"], METRE, 1.0, 1e10),
    unit(&["ha"], SQUARE_METRE, 10_000.0, 1.0),
    prefixed(&["l", "L"], CUBIC_METRE, 1.0, 1000.0),
    unit(&["mph"], SPEED, 1_609_344.0, 3_600_000.0),
    unit(&["kn", "knot"], SPEED, 1852.0, 3600.0),
    unit(&["g_n", "gn", "g0"], ACCELERATION, 980_665.0, 100_000.0),
    // mass and force
    prefixed(&["t"], KILOGRAM, 1000.0, 1.0),
    unit(&["lb", "lbm"], KILOGRAM, 45_359_237.0, 1e8),
    unit(&["oz"], KILOGRAM, 45_359_237.0, 16e8),
    unit(&["slug"], KILOGRAM, POUND_FORCE.0, 3048e9),
    unit(&["lbf"], FORCE, POUND_FORCE.0, POUND_FORCE.1),
    unit(&["kgf", "kp"], FORCE, 980_665.0, 100_000.0),
    unit(&["dyn"], FORCE, 1.0, 100_000.0),
    // pressure
    prefixed(&["bar"], PRESSURE, 100_000.0, 1.0),
    unit(&["atm"], PRESSURE, 101_325.0, 1.0),
    unit(&["psi"], PRESSURE, PSI.0, PSI.1),
    unit(&["ksi"], PRESSURE, PSI.0 * 1000.0, PSI.1),
    unit(&["Torr"], PRESSURE, 101_325.0, 760.0),
    unit(&["mmHg"], PRESSURE, 133_322_387_415.0, 1e9),
    // energy and power
    prefixed(&["Wh"], ENERGY, 3600.0, 1.0),
    si(&["Ws"], ENERGY),
    prefixed(&["cal"], ENERGY, 4184.0, 1000.0),
    prefixed(&["eV"], ENERGY, 1_602_176_634.0, 1e28),
    unit(
        &["hp"],
        POWER,
        POUND_FORCE.0 * 550.0 * 3048.0,
        POUND_FORCE.1 * 10_000.0,
    ),
    unit(&["PS"], POWER, 73_549_875.0, 100_000.0),
    // electricity and viscosity
    prefixed(&["Ah"], CHARGE, 3600.0, 1.0),
    prefixed(&["P"], VISCOSITY, 1.0, 10.0),
];

/// Powers of ten. Micro, like the ohm above, has two characters that look the same.
static PREFIXES: &[(&str, i32)] = &[
    ("da", 1),
    ("Q", 30),
    ("R", 27),
    ("Y", 24),
    ("Z", 21),
    ("E", 18),
    ("P", 15),
    ("T", 12),
    ("G", 9),
    ("M", 6),
    ("k", 3),
    ("h", 2),
    ("d", -1),
    ("c", -2),
    ("m", -3),
    ("u", -6),
    ("\u{b5}", -6),
    ("\u{3bc}", -6),
    ("n", -9),
    ("p", -12),
    ("f", -15),
    ("a", -18),
    ("z", -21),
    ("y", -24),
    ("r", -27),
    ("q", -30),
];

/// The unit of that name, with or without a prefix.
pub(super) fn find(name: &str) -> Option<Measure> {
    if let Some(symbol) = SYMBOLS.iter().find(|s| s.names.contains(&name)) {
        return Some(symbol.measure());
    }
    PREFIXES.iter().find_map(|(prefix, power)| {
        let rest = name.strip_prefix(prefix)?;
        let symbol = SYMBOLS.iter().find(|s| s.prefixes && s.names.contains(&rest))?;
        let mut measure = symbol.measure();
        let ten = 10.0_f64.powi(power.abs());
        let ratio = &mut measure.scale.ratio;
        let part = if *power > 0 {
            &mut ratio.numerator
        } else {
            &mut ratio.denominator
        };
        *part *= ten;
        Some(measure)
    })
}

/// All names, for suggestions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    SYMBOLS.iter().flat_map(|symbol| symbol.names.iter().copied())
}

impl Symbol {
    fn measure(&self) -> Measure {
        let fraction = |(numerator, denominator)| Fraction {
            numerator,
            denominator,
        };
        Measure {
            dimension: self.dimension,
            scale: Scale {
                ratio: fraction(self.ratio),
                pi: self.pi,
            },
            zero: fraction(self.zero),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique() {
        let mut seen = HashSet::new();
        for name in names() {
            assert!(seen.insert(name), "{name} twice");
        }
    }
}
