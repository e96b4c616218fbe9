//! Rules for reading a signal between and beyond its points.
//!
//! | file | holds |
//! | --- | --- |
//! | `mod.rs` | the rules, and what is to be known of each: one entry of [`Reading::facts`] |
//! | `law.rs` | the polynomial that a rule makes of points |
//! | `coefficients.rs` | the same as a table, for points that are equally far apart |
//!
//! Other modules ask for facts and do not list the rules: a new one is an entry here and a law.

mod coefficients;
mod law;

pub(crate) use coefficients::Coefficients;
pub(crate) use law::{Point, law};

use std::fmt;
use std::str::FromStr;

/// How a signal is read where it has no point.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Reading {
    /// The latest value.
    #[default]
    Hold,
    /// The value that is coming: between two points the later one. Beyond the last point the same as `Hold`. This is
    /// what holding means to a participant that steps after its source.
    HoldNew,
    /// Between two points their chord. Beyond the last, a line from it whose slope is `weight` times the latest slope
    /// plus `1 - weight` times the one before.
    Linear {
        /// Share of the latest slope; 1 is the plain line through the last two points.
        weight: f64,
    },
    /// The parabola through three points.
    Quadratic,
    /// The line nearest to three points.
    LeastSquares,
    /// The mean of three points.
    Mean,
    /// The cubic through two points with their slopes; the parabola where a slope is missing.
    Hermite,
    /// For rotations: a steady turn on the shorter arc.
    Slerp,
}

/// What is to be known of a rule beside its law.
#[derive(Clone, Copy)]
struct Facts {
    /// The name by which users choose it.
    name: &'static str,
    /// How many points, counted from the newest, it looks at.
    points: usize,
    /// How many points the law of a stretch between two points is made from.
    between: usize,
    /// The degree of the polynomial by which it extrapolates where no slopes are known.
    degree: u32,
    /// It extrapolates the polynomial through so many of the last points; 0 if it is another one.
    through: usize,
    /// Does a step that is read by it begin with the value of the point at its beginning?
    begins_on_point: bool,
    /// Is it for rotations?
    turns: bool,
    /// What stands in for it where slopes are missing; none if it needs no slopes.
    without_slopes: Option<Reading>,
    /// What it becomes once the source has come to the end of the step as well.
    in_hindsight: Reading,
}

/// The points through which the extrapolated polynomial goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Support {
    /// How many of the last points there are.
    pub(crate) points: usize,
    /// Does it have their slopes as well?
    pub(crate) slopes: bool,
}

impl Reading {
    /// The line through two points.
    pub const LINE: Reading = Reading::Linear { weight: 1.0 };

    /// Those that users can choose. Where the new value is to be held, the engine finds out by itself.
    const CHOICES: [Reading; 7] = [
        Reading::Hold,
        Reading::LINE,
        Reading::Quadratic,
        Reading::LeastSquares,
        Reading::Mean,
        Reading::Hermite,
        Reading::Slerp,
    ];

    /// The names by which users choose a reading.
    pub const NAMES: [&'static str; Reading::CHOICES.len()] = {
        let mut names = [""; Reading::CHOICES.len()];
        let mut i = 0;
        while i < names.len() {
            names[i] = Reading::CHOICES[i].facts().name;
            i += 1;
        }
        names
    };

    /// One entry a rule.
    #[inline]
    const fn facts(self) -> Facts {
        // Most rules look at three points, begin a step with the value there, need no slopes, and stay what they are.
        let usual = Facts {
            name: "",
            points: 3,
            between: 2,
            degree: 1,
            through: 0,
            begins_on_point: true,
            turns: false,
            without_slopes: None,
            in_hindsight: self,
        };
        match self {
            Reading::Hold => Facts {
                name: "hold",
                points: 1,
                degree: 0,
                through: 1,
                // What was held had been on its way to the next point.
                in_hindsight: Reading::LINE,
                ..usual
            },
            Reading::HoldNew => Facts {
                name: "hold the new value",
                points: 1,
                degree: 0,
                begins_on_point: false,
                in_hindsight: Reading::LINE,
                ..usual
            },
            Reading::Linear { weight } => Facts {
                name: "linear",
                through: if weight == 1.0 { 2 } else { 0 },
                ..usual
            },
            Reading::Quadratic => Facts {
                name: "quadratic",
                between: 3,
                degree: 2,
                through: 3,
                ..usual
            },
            Reading::LeastSquares => Facts {
                name: "least-squares",
                between: 3,
                begins_on_point: false,
                in_hindsight: Reading::LINE,
                ..usual
            },
            Reading::Mean => Facts {
                name: "mean",
                between: 3,
                degree: 0,
                begins_on_point: false,
                in_hindsight: Reading::LINE,
                ..usual
            },
            Reading::Hermite => Facts {
                name: "hermite",
                degree: 2,
                through: 2,
                without_slopes: Some(Reading::Quadratic),
                ..usual
            },
            Reading::Slerp => Facts {
                name: "slerp",
                points: 2,
                turns: true,
                ..usual
            },
        }
    }

    /// How many points, counted from the newest, the rule looks at.
    #[inline]
    pub const fn points(self) -> usize {
        self.facts().points
    }

    /// How many points the law of a stretch between two points is made from.
    #[inline]
    pub(super) const fn points_between(self) -> usize {
        self.facts().between
    }

    /// The degree of the polynomial by which it extrapolates.
    pub const fn degree(self) -> u32 {
        self.facts().degree
    }

    /// Is it the same value all along a step, the latest or the one that is coming?
    #[inline(always)]
    pub const fn holds(self) -> bool {
        matches!(self, Reading::Hold | Reading::HoldNew)
    }

    /// Does it need the slopes of its source?
    pub const fn wants_slopes(self) -> bool {
        self.facts().without_slopes.is_some()
    }

    /// What it is where slopes are missing.
    #[inline]
    pub(super) fn without_slopes(self) -> Reading {
        self.facts().without_slopes.unwrap_or(self)
    }

    /// Is it for rotations, and nothing else?
    pub const fn turns(self) -> bool {
        self.facts().turns
    }

    /// Does a step that is read by it begin with the value of the point at its beginning?
    pub const fn begins_on_point(self) -> bool {
        self.facts().begins_on_point
    }

    /// Does it extrapolate the polynomial through the last points?
    pub const fn interpolates(self) -> bool {
        match self.facts().without_slopes {
            Some(plain) => plain.facts().through > 0,
            None => self.facts().through > 0,
        }
    }

    /// The points through which the extrapolated polynomial goes, `sloped` saying whether slopes are known there. None
    /// where it is not the polynomial through points.
    pub(crate) fn support(self, sloped: impl Fn() -> bool) -> Option<Support> {
        let slopes = self.wants_slopes() && sloped();
        let rule = if slopes { self } else { self.without_slopes() };
        let points = rule.facts().through;
        (points > 0).then_some(Support { points, slopes })
    }

    /// What it is to a reader that steps after its continuous source: to hold means to hold the new value.
    #[must_use]
    pub const fn after_source(self) -> Reading {
        match self {
            Reading::Hold => Reading::HoldNew,
            other => other,
        }
    }

    /// What it was before the plan knew that the reader steps after its source.
    #[must_use]
    pub const fn as_chosen(self) -> Reading {
        match self {
            Reading::HoldNew => Reading::Hold,
            other => other,
        }
    }

    /// What it becomes once a continuous source has come to the end of the step as well.
    #[must_use]
    pub const fn in_hindsight(self) -> Reading {
        self.facts().in_hindsight
    }

    /// The same rule with a weight; none if it has no place for one.
    #[must_use]
    pub const fn weighted(self, weight: f64) -> Option<Reading> {
        match self {
            Reading::Linear { .. } => Some(Reading::Linear { weight }),
            _ => None,
        }
    }
}

impl FromStr for Reading {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let mut choices = Reading::CHOICES.into_iter();
        choices.find(|reading| reading.facts().name == name).ok_or(())
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reading::Linear { weight } if *weight != 1.0 => write!(f, "linear (weight {weight})"),
            other => f.pad(other.facts().name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::SimTime;

    /// Points at unequal distances, without slopes.
    fn points(values: [f64; 3]) -> [Point; 3] {
        std::array::from_fn(|i| Point {
            time: [-1.5, 0.0, 1.0][i],
            value: values[i],
            slope: f64::NAN,
        })
    }

    fn value(reading: Reading, points: &[Point], inside: bool, time: f64) -> f64 {
        law(reading, points, inside, SimTime::FUTURE).at(SimTime::from_seconds(time))
    }

    fn all() -> impl Iterator<Item = Reading> {
        Reading::CHOICES
            .into_iter()
            .chain([Reading::HoldNew, Reading::Linear { weight: 0.3 }])
    }

    #[test]
    fn names_lead_to_their_rules_and_back() {
        for (name, reading) in Reading::NAMES.into_iter().zip(Reading::CHOICES) {
            assert_eq!(name.parse(), Ok(reading));
            assert_eq!(reading.to_string(), name);
        }
        assert_eq!("steady".parse::<Reading>(), Err(()));
    }

    /// Polynomials of its degree are extrapolated exactly.
    #[test]
    fn degrees_are_those_of_the_laws() {
        for reading in all() {
            let of = |t: f64| 2.0 - t.powi(reading.degree() as i32);
            let found = value(reading, &points([-1.5, 0.0, 1.0].map(of)), false, 2.5);
            assert!((found - of(2.5)).abs() < 1e-14, "{reading}: {found}");
        }
    }

    #[test]
    fn laws_pass_through_the_points_they_say() {
        let given = points([0.7, -1.3, 2.1]);
        for reading in all() {
            let support = reading.support(|| false);
            assert_eq!(support.is_some(), reading.interpolates(), "{reading}");
            for point in given
                .iter()
                .rev()
                .take(support.map_or(0, |support| support.points))
            {
                let found = value(reading, &given, false, point.time);
                assert!((found - point.value).abs() < 1e-14, "{reading}");
            }
            let degree = support.map(|support| support.points as u32 - 1);
            assert!(
                degree.is_none_or(|degree| degree == reading.degree()),
                "{reading}"
            );
            let begin = value(reading, &given, true, given[1].time);
            let on_point = (begin - given[1].value).abs() < 1e-14;
            assert_eq!(on_point, reading.begins_on_point(), "{reading}");
        }
    }

    #[test]
    fn laws_look_at_no_more_points_than_they_say() {
        for reading in all() {
            let (given, mut others) = (points([0.7, -1.3, 2.1]), points([0.7, -1.3, 2.1]));
            for point in others.iter_mut().rev().skip(reading.points()) {
                point.value = 99.0;
            }
            let read = |points| value(reading, points, false, 1.7);
            assert_eq!(read(&given), read(&others), "{reading}");
            // Between two points those that are not counted are not missed.
            let plain = reading.without_slopes();
            let between = |points| value(plain, points, true, 0.4);
            let counted = &given[3 - plain.points_between()..];
            assert_eq!(between(&given), between(counted), "{reading}");
        }
    }
}
