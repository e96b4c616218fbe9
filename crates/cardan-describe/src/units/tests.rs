use super::*;
use proptest::prelude::*;

fn unit(text: &str) -> Unit {
    Unit::parse(text).unwrap_or_else(|error| panic!("{text}: {error} at {}", error.position))
}

fn convert(from: &str, to: &str) -> (f64, f64) {
    let conversion = unit(from)
        .conversion_to(&unit(to))
        .unwrap_or_else(|error| panic!("{error}"));
    (conversion.factor, conversion.offset)
}

#[test]
fn exact_factors_are_exact() {
    assert_eq!(convert("m/s", "km/h"), (3.6, 0.0));
    assert_eq!(convert("km/h", "m/s"), (1.0 / 3.6, 0.0));
    assert_eq!(convert("mm", "m"), (0.001, 0.0));
    assert_eq!(convert("kN/m", "N/m"), (1000.0, 0.0));
    assert_eq!(convert("kN/mm", "N/m"), (1e6, 0.0));
    assert_eq!(convert("bar", "Pa"), (1e5, 0.0));
    assert_eq!(convert("mbar", "Pa"), (100.0, 0.0));
    assert_eq!(convert("l/min", "m3/s"), (1.0 / 60_000.0, 0.0));
    assert_eq!(convert("in", "mm"), (25.4, 0.0));
    assert_eq!(convert("mi", "ft"), (5280.0, 0.0));
    assert_eq!(convert("mph", "km/h"), (1.609344, 0.0));
    assert_eq!(convert("lb", "kg"), (0.45359237, 0.0));
    assert_eq!(convert("lbf", "N"), (4.4482216152605, 0.0));
    assert_eq!(convert("kWh", "J"), (3.6e6, 0.0));
    assert_eq!(convert("%", "1"), (0.01, 0.0));
    assert_eq!(convert("t", "kg"), (1000.0, 0.0));
    assert_eq!(convert("g", "kg"), (0.001, 0.0));
    assert!((convert("slug", "lbm").0 - 9.80665 / 0.3048).abs() < 1e-13);
    assert!((convert("psi", "Pa").0 - 6894.757293168361).abs() < 1e-9);
    assert!((convert("hp", "W").0 - 745.6998715822702).abs() < 1e-9);
}

#[test]
fn angles_are_plain_numbers() {
    use std::f64::consts::PI;
    assert_eq!(convert("deg", "rad"), (PI / 180.0, 0.0));
    assert_eq!(convert("rad", "deg"), (180.0 / PI, 0.0));
    assert_eq!(convert("rad", "1"), (1.0, 0.0));
    assert_eq!(convert("1", "deg"), (180.0 / PI, 0.0));
    assert_eq!(convert("rev", "deg"), (360.0, 0.0));
    assert_eq!(convert("rpm", "rad/s"), (PI / 30.0, 0.0));
    assert_eq!(convert("rpm", "deg/s"), (6.0, 0.0));
    assert_eq!(convert("rev/min", "rpm"), (1.0, 0.0));
    assert_eq!(convert("rad/s", "1/s"), (1.0, 0.0));
    assert_eq!(convert("N.m/rad", "N.m"), (1.0, 0.0));
}

#[test]
fn a_hertz_is_a_cycle_and_not_a_radian() {
    assert_eq!(convert("Hz", "1/s"), (1.0, 0.0));
    assert_eq!(convert("kHz", "Hz"), (1000.0, 0.0));
    let error = unit("rad/s").conversion_to(&unit("Hz")).unwrap_err();
    insta::assert_snapshot!(error, @"`rad/s` cannot be converted to `Hz`: one counts cycles, the other angles, and the factor 2π is for you to place");
}

#[test]
fn only_plain_temperatures_have_an_offset() {
    assert_eq!(convert("degC", "K"), (1.0, 273.15));
    assert_eq!(convert("K", "°C"), (1.0, -273.15));
    assert_eq!(convert("degF", "degC"), (5.0 / 9.0, -160.0 / 9.0));
    assert_eq!(convert("degC", "degF"), (1.8, 32.0));
    assert_eq!(convert("K/s", "degC/s"), (1.0, 0.0));
    assert_eq!(convert("W/(m2.degC)", "W/(m2.K)"), (1.0, 0.0));
    assert_eq!(convert("degF/min", "K/s"), (5.0 / 540.0, 0.0));
}

#[test]
fn spellings_agree() {
    for (one, other) in [
        ("kg.m/s2", "kg*m/s^2"),
        ("N", "kg m s⁻²"),
        ("N·m", "N.m"),
        ("Nm", "J"),
        ("m/s²", "m/s/s"),
        ("m.s-2", "m/s**2"),
        ("W/(m.K)", "W.m^-1.K^(-1)"),
        ("1/s", "s-1"),
        ("Ω", "V/A"),
        ("µm", "um"),
        ("-", ""),
        ("(kg.m2)/(s2)", "J"),
        ("10^3 N", "kN"),
        ("Pa.s", "N.s/m2"),
        ("m3/(s.Pa)", "m^4.s/kg"),
    ] {
        assert_eq!(convert(one, other), (1.0, 0.0), "{one} against {other}");
    }
}

#[test]
fn mistakes_are_placed() {
    let fails = |text: &str| {
        let error = Unit::parse(text).unwrap_err();
        format!("{}: {}", error.position, error.message)
    };
    insta::assert_snapshot!(fails("kg.furlong"), @"3: `furlong` is not a known unit");
    insta::assert_snapshot!(fails("m/"), @"2: a unit is missing at the end");
    insta::assert_snapshot!(fails("J/kg.K"), @"4: unclear after a division: put what is divided by in parentheses, as in J/(kg.K)");
    insta::assert_snapshot!(fails("W/(m.K"), @"6: a closing parenthesis is missing");
    insta::assert_snapshot!(fails("m^99"), @"1: a power must be a whole number between -20 and 20");
    insta::assert_snapshot!(fails("m)"), @"1: `)` is not expected here");
    insta::assert_snapshot!(fails("0 m"), @"0: `0` is not a factor of a unit");
    assert!(unit("m").conversion_to(&unit("s")).is_err());
    assert!(Unit::parse(&"(".repeat(100_000)).is_err());
    assert!(Unit::parse(&"m20.".repeat(40)).is_err());
}

proptest! {
    #[test]
    fn never_panics(text in "\\PC{0,40}") {
        let _ = Unit::parse(&text);
    }

    #[test]
    fn there_and_back(value in -1e6_f64..1e6, pair in prop::sample::select(vec![
        ("degF", "degC"), ("rpm", "rad/s"), ("psi", "bar"), ("mi/h", "m/s"), ("kN.mm", "lbf.ft"),
    ])) {
        let there = unit(pair.0).conversion_to(&unit(pair.1)).unwrap();
        let back = unit(pair.1).conversion_to(&unit(pair.0)).unwrap();
        let again = back.apply(there.apply(value));
        prop_assert!((again - value).abs() <= 1e-9 * value.abs().max(1.0), "{} {}", value, again);
    }
}
