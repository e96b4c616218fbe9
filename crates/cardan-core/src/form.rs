//! What the elements of a real port are together.

/// What the elements of a port are together, where they are more than a list of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Form {
    /// Numbers, each for itself.
    #[default]
    Plain,
    /// A unit quaternion (w, x, y, z), read by slerp.
    Rotation,
    /// The motion of a body at a point: position, orientation as a quaternion from body to inertial axes, velocity and
    /// angular velocity, all in inertial axes.
    Frame,
    /// The force and the moment that act at such a point, in inertial axes.
    Load,
}

/// Names and units of the elements of a frame.
const FRAME: [(&str, &str); 13] = [
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("qw", ""),
    ("qx", ""),
    ("qy", ""),
    ("qz", ""),
    ("vx", "m/s"),
    ("vy", "m/s"),
    ("vz", "m/s"),
    ("wx", "rad/s"),
    ("wy", "rad/s"),
    ("wz", "rad/s"),
];

/// The same of a load.
const LOAD: [(&str, &str); 6] = [
    ("fx", "N"),
    ("fy", "N"),
    ("fz", "N"),
    ("mx", "N.m"),
    ("my", "N.m"),
    ("mz", "N.m"),
];

impl Form {
    /// A frame that stands still in the origin of the inertial frame.
    pub const AT_REST: [f64; 13] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

    /// How many elements a port of this form has; plain ones have any number.
    pub fn width(self) -> Option<usize> {
        match self {
            Form::Plain => None,
            Form::Rotation => Some(4),
            Form::Frame => Some(FRAME.len()),
            Form::Load => Some(LOAD.len()),
        }
    }

    /// Does a port of this form have named elements?
    pub fn is_named(self) -> bool {
        !self.parts().is_empty()
    }

    /// The names of the elements, where they have names.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.parts().iter().map(|(name, _)| *name)
    }

    /// The unit of an element, where the form knows it.
    pub fn unit(self, element: usize) -> Option<&'static str> {
        let (_, unit) = self.parts().get(element)?;
        (!unit.is_empty()).then_some(*unit)
    }

    /// Where the four elements of a quaternion begin, if there is one.
    pub fn quaternion(self) -> Option<usize> {
        match self {
            Form::Rotation => Some(0),
            Form::Frame => Some(3),
            Form::Plain | Form::Load => None,
        }
    }

    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Form::Plain => "plain",
            Form::Rotation => "rotation",
            Form::Frame => "frame",
            Form::Load => "load",
        }
    }

    /// In words, with an article.
    pub fn described(self) -> &'static str {
        match self {
            Form::Plain => "numbers",
            Form::Rotation => "a rotation",
            Form::Frame => "a frame",
            Form::Load => "a load",
        }
    }

    fn parts(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Form::Plain | Form::Rotation => &[],
            Form::Frame => &FRAME,
            Form::Load => &LOAD,
        }
    }
}
