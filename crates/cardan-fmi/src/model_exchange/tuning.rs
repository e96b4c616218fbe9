//! Parameters that change during the run.

use cardan_core::participant::{Outcome, Settings};

use super::motion::{Mode, Motion};
use crate::interface::FmuInterface;
use crate::{parameters, values};

impl Motion {
    /// Changes tunable parameters, as an event. What has its value already changes nothing.
    pub(super) fn tune(&mut self, fmu: &FmuInterface, changes: &Settings) -> Outcome<()> {
        parameters::expect_tunable(fmu, changes)?;
        for (id, value) in &changes.0 {
            let Some(variable) = fmu.parameter(*id) else {
                continue;
            };
            if values::get(&mut self.plant.instance, variable, value.len())? == *value {
                continue;
            }
            if self.mode != Mode::Initializing {
                self.stop_time()?;
                self.event.disturbed = true;
                self.rest_is_stale = true;
            }
            values::set(&mut self.plant.instance, variable, value)?;
        }
        Ok(())
    }
}
