//! Directional derivatives.

use super::error::Called;
use super::instance::{Instance, call};
use super::library::Functions;

impl Instance {
    /// How `unknowns` change when `knowns` change along `seed`. With FMI 3 an array has several elements.
    pub fn directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        change: &mut [f64],
    ) -> Called<()> {
        let (unknown, unknown_count) = (unknowns.as_ptr(), unknowns.len());
        let (known, known_count) = (knowns.as_ptr(), knowns.len());
        match &self.library.functions {
            Functions::V2(f) => {
                let name = f.get_directional_derivative.name;
                if seed.len() != known_count {
                    return Err(self.uneven(name, known_count, seed.len()));
                }
                if change.len() != unknown_count {
                    return Err(self.uneven(name, unknown_count, change.len()));
                }
                call!(
                    self,
                    f.get_directional_derivative(
                        unknown,
                        unknown_count,
                        known,
                        known_count,
                        seed.as_ptr(),
                        change.as_mut_ptr(),
                    )
                )
            }
            Functions::V3(f) => call!(
                self,
                f.get_directional_derivative(
                    unknown,
                    unknown_count,
                    known,
                    known_count,
                    seed.as_ptr(),
                    seed.len(),
                    change.as_mut_ptr(),
                    change.len(),
                )
            ),
        }
    }
}
