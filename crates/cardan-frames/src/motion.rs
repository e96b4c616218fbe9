//! The numbers of a frame and of a load by what they are.

use cardan_core::spatial::Scalar;

/// How many numbers a frame has.
pub(crate) const FRAME: usize = 13;

/// How many numbers a load has.
pub(crate) const LOAD: usize = 6;

/// Where the quaternion of a frame begins.
pub(crate) const QUATERNION: usize = 3;

/// The motion of a body at a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion<S> {
    pub(crate) position: [S; 3],
    pub(crate) orientation: [S; 4],
    pub(crate) velocity: [S; 3],
    pub(crate) turning: [S; 3],
}

impl<S: Scalar> Motion<S> {
    pub(crate) fn read(numbers: &[S]) -> Self {
        Motion {
            position: part(numbers, 0),
            orientation: part(numbers, QUATERNION),
            velocity: part(numbers, 7),
            turning: part(numbers, 10),
        }
    }

    pub(crate) fn write(&self, numbers: &mut [S]) {
        numbers[..3].copy_from_slice(&self.position);
        numbers[3..7].copy_from_slice(&self.orientation);
        numbers[7..10].copy_from_slice(&self.velocity);
        numbers[10..FRAME].copy_from_slice(&self.turning);
    }
}

/// What acts on a body at a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load<S> {
    pub(crate) force: [S; 3],
    pub(crate) moment: [S; 3],
}

impl<S: Scalar> Load<S> {
    pub(crate) fn read(numbers: &[S]) -> Self {
        Load {
            force: part(numbers, 0),
            moment: part(numbers, 3),
        }
    }

    pub(crate) fn write(&self, numbers: &mut [S]) {
        numbers[..3].copy_from_slice(&self.force);
        numbers[3..LOAD].copy_from_slice(&self.moment);
    }
}

/// Some of the numbers.
pub(crate) fn part<S: Copy, const N: usize>(numbers: &[S], first: usize) -> [S; N] {
    std::array::from_fn(|i| numbers[first + i])
}
