//! The answer to the registration of an interface point: its line and its frames, in 29 numbers.

use super::{ByteOrder, Matrix, WireError};

/// Bytes of the answer.
pub const INTERFACE_REPLY_BYTES: usize = 29 * 8;

/// What the manager wants of a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// To simulate.
    #[default]
    Simulation,
    /// To say where its interface points are, and to end.
    InterfaceRequest,
}

/// The line that ends at an interface point, and its frames.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InterfaceReply {
    /// How long a wave takes.
    pub delay: f64,
    /// The impedance.
    pub zf: f64,
    /// The impedance of rotations.
    pub zfr: f64,
    /// The damping.
    pub alpha: f64,
    /// Where the inertial frame of the component stands in the global one.
    pub inertial_position: [f64; 3],
    /// Turns vectors of the global frame into the frame of the component, row by row.
    pub inertial_rotation: Matrix,
    /// The nominal position of the interface point in the frame of the component.
    pub nominal_position: [f64; 3],
    /// Its nominal orientation: turns vectors of the component into those of the interface point.
    pub nominal_rotation: Matrix,
    /// What the manager wants.
    pub mode: Mode,
}

impl InterfaceReply {
    /// Its 29 numbers, in order.
    pub fn numbers(&self) -> [f64; 29] {
        let mut numbers = [0.0; 29];
        numbers[..4].copy_from_slice(&[self.delay, self.zf, self.zfr, self.alpha]);
        numbers[4..7].copy_from_slice(&self.inertial_position);
        numbers[7..16].copy_from_slice(&self.inertial_rotation);
        numbers[16..19].copy_from_slice(&self.nominal_position);
        numbers[19..28].copy_from_slice(&self.nominal_rotation);
        numbers[28] = match self.mode {
            Mode::Simulation => 0.0,
            Mode::InterfaceRequest => 1.0,
        };
        numbers
    }

    /// Its bytes.
    pub fn encode(&self, order: ByteOrder) -> [u8; INTERFACE_REPLY_BYTES] {
        let mut bytes = [0; INTERFACE_REPLY_BYTES];
        for (place, number) in bytes.chunks_exact_mut(8).zip(self.numbers()) {
            place.copy_from_slice(&order.f64_bytes(number));
        }
        bytes
    }

    /// Reads it.
    pub fn decode(order: ByteOrder, bytes: &[u8]) -> Result<Self, WireError> {
        if bytes.len() != INTERFACE_REPLY_BYTES {
            return Err(WireError::Size {
                what: "the answer to the registration of an interface point",
                expected: "232",
                found: bytes.len(),
            });
        }
        let mut numbers = order.f64s(bytes);
        let mut next = || numbers.next().unwrap_or(0.0);
        Ok(InterfaceReply {
            delay: next(),
            zf: next(),
            zfr: next(),
            alpha: next(),
            inertial_position: std::array::from_fn(|_| next()),
            inertial_rotation: std::array::from_fn(|_| next()),
            nominal_position: std::array::from_fn(|_| next()),
            nominal_rotation: std::array::from_fn(|_| next()),
            mode: match next() {
                mode if mode > 0.0 => Mode::InterfaceRequest,
                _ => Mode::Simulation,
            },
        })
    }
}
