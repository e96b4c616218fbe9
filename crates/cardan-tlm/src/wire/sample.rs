//! What interface points send: one sample or several, one after the other.

use super::{ByteOrder, Matrix, WireError};
use cardan_describe::tlm::{Causality, Dimensions};

/// A point in time of an interface point, as it stands in a message.
pub trait Sample: Sized {
    /// Its bytes.
    const BYTES: usize;
    /// What to call it.
    const WHAT: &'static str;
    /// Its size in words.
    const SIZE: &'static str;

    /// When it was.
    fn time(&self) -> f64;

    /// Puts its bytes behind what is in a buffer.
    fn encode(&self, order: ByteOrder, buffer: &mut Vec<u8>);

    /// Out of its numbers, of which there are enough.
    fn from_numbers(next: impl FnMut() -> f64) -> Self;
}

/// One degree of freedom: translation, rotation, flow or current.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sample1D {
    /// When it was.
    pub time: f64,
    /// Position or angle; not used for flows and currents.
    pub position: f64,
    /// Velocity, angular velocity, flow or current.
    pub velocity: f64,
    /// The wave that leaves.
    pub wave: f64,
}

/// A body in space. Everything is in the global frame.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sample3D {
    /// When it was.
    pub time: f64,
    /// Where the interface point is.
    pub position: [f64; 3],
    /// How it is turned, row by row.
    pub rotation: Matrix,
    /// Its velocity.
    pub velocity: [f64; 3],
    /// Its angular velocity.
    pub angular_velocity: [f64; 3],
    /// The wave of the force that leaves.
    pub force_wave: [f64; 3],
    /// The wave of the torque that leaves.
    pub torque_wave: [f64; 3],
}

/// A signal.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SignalSample {
    /// When it was.
    pub time: f64,
    /// Its value.
    pub value: f64,
}

fn put(order: ByteOrder, buffer: &mut Vec<u8>, numbers: &[f64]) {
    for number in numbers {
        buffer.extend_from_slice(&order.f64_bytes(*number));
    }
}

impl Sample for Sample1D {
    const BYTES: usize = 32;
    const WHAT: &'static str = "a message of samples with one degree of freedom";
    const SIZE: &'static str = "a multiple of 32";

    fn time(&self) -> f64 {
        self.time
    }

    fn encode(&self, order: ByteOrder, buffer: &mut Vec<u8>) {
        put(
            order,
            buffer,
            &[self.time, self.position, self.velocity, self.wave],
        );
    }

    fn from_numbers(mut next: impl FnMut() -> f64) -> Self {
        Sample1D {
            time: next(),
            position: next(),
            velocity: next(),
            wave: next(),
        }
    }
}

impl Sample for Sample3D {
    const BYTES: usize = 200;
    const WHAT: &'static str = "a message of samples with six degrees of freedom";
    const SIZE: &'static str = "a multiple of 200";

    fn time(&self) -> f64 {
        self.time
    }

    fn encode(&self, order: ByteOrder, buffer: &mut Vec<u8>) {
        put(order, buffer, &[self.time]);
        put(order, buffer, &self.position);
        put(order, buffer, &self.rotation);
        put(order, buffer, &self.velocity);
        put(order, buffer, &self.angular_velocity);
        put(order, buffer, &self.force_wave);
        put(order, buffer, &self.torque_wave);
    }

    fn from_numbers(mut next: impl FnMut() -> f64) -> Self {
        Sample3D {
            time: next(),
            position: std::array::from_fn(|_| next()),
            rotation: std::array::from_fn(|_| next()),
            velocity: std::array::from_fn(|_| next()),
            angular_velocity: std::array::from_fn(|_| next()),
            force_wave: std::array::from_fn(|_| next()),
            torque_wave: std::array::from_fn(|_| next()),
        }
    }
}

impl Sample for SignalSample {
    const BYTES: usize = 16;
    const WHAT: &'static str = "a message of samples of a signal";
    const SIZE: &'static str = "a multiple of 16";

    fn time(&self) -> f64 {
        self.time
    }

    fn encode(&self, order: ByteOrder, buffer: &mut Vec<u8>) {
        put(order, buffer, &[self.time, self.value]);
    }

    fn from_numbers(mut next: impl FnMut() -> f64) -> Self {
        SignalSample {
            time: next(),
            value: next(),
        }
    }
}

/// The samples of a message.
pub fn samples<S: Sample>(
    order: ByteOrder,
    payload: &[u8],
) -> Result<impl Iterator<Item = S> + '_, WireError> {
    if !payload.len().is_multiple_of(S::BYTES) {
        return Err(WireError::Size {
            what: S::WHAT,
            expected: S::SIZE,
            found: payload.len(),
        });
    }
    let each = payload.chunks_exact(S::BYTES);
    Ok(each.map(move |bytes| {
        let mut numbers = order.f64s(bytes);
        S::from_numbers(|| numbers.next().unwrap_or(0.0))
    }))
}

/// Bytes of one sample of an interface point.
pub fn sample_bytes(dimensions: Dimensions, causality: Causality) -> usize {
    match (causality, dimensions) {
        (Causality::Bidirectional, Dimensions::One) => Sample1D::BYTES,
        (Causality::Bidirectional, Dimensions::Six) => Sample3D::BYTES,
        (Causality::Input | Causality::Output, _) => SignalSample::BYTES,
    }
}

/// The time of the last sample of a message whose samples have so many bytes.
pub fn time_of(order: ByteOrder, payload: &[u8], sample: usize) -> Option<f64> {
    let last = payload.rchunks_exact(sample).next()?;
    last.first_chunk::<8>().map(|bytes| order.f64(*bytes))
}
