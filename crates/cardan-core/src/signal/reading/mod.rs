//! Rules for reading a signal between and beyond its points.
//!
//! All that is to be known of a rule stands here, in one entry of [`Reading::facts`]; the law that it makes of points is
//! in `law.rs`. Whoever depends on a rule asks for one of its facts, and nobody else lists the rules.

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
    /// The degree of the polynomials that it goes on with beyond the last point, where no slopes are known.
    degree: u32,
    /// The polynomial it goes on with is the one through so many of the last points; 0 if it is another one.
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

/// The points that the polynomial beyond the last point goes through.
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

    /// Those that users can choose, by their names. What holding the new value is for, the engine finds out by itself.
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
        // Most rules look at three points, have the one at the beginning of a step on them, need no slopes, and stay what
        // they are.
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
                // What was held is on its chord.
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

    /// The degree of the polynomials that it goes on with.
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

    /// Is what it goes on with the polynomial through its last points?
    pub const fn interpolates(self) -> bool {
        match self.facts().without_slopes {
            Some(plain) => plain.facts().through > 0,
            None => self.facts().through > 0,
        }
    }

    /// The points that what it goes on with goes through, `sloped` saying whether slopes are known there. None where it
    /// goes through no points, or not by being the polynomial through them.
    pub(crate) fn support(self, sloped: impl Fn() -> bool) -> Option<Support> {
        let slopes = self.wants_slopes() && sloped();
        let rule = if slopes { self } else { self.without_slopes() };
        let points = rule.facts().through;
        (points > 0).then_some(Support { points, slopes })
    }

    /// What it is to one that steps after a continuous source: to hold means to hold the new value.
    #[must_use]
    pub const fn after_source(self) -> Reading {
        match self {
            Reading::Hold => Reading::HoldNew,
            other => other,
        }
    }

    /// What it was before somebody stepped after its source.
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
