//! Power bonds: an effort and a flow between two participants.

use super::{Conversion, Endpoint};

/// An effort (a force, a voltage) that one participant gives to another, and a flow (a velocity, a current) that the
/// other gives back. Their product is the power that crosses the border. Each of the two is an output that is connected
/// to an input of the other participant; vectors pair element by element.
#[derive(Clone, PartialEq, Debug)]
pub struct Bond {
    /// For people.
    pub name: String,
    /// The output that is the effort.
    pub effort: Endpoint,
    /// The output that is the flow.
    pub flow: Endpoint,
    /// From the unit of the effort's port to SI.
    pub effort_to_si: Conversion,
    /// From the unit of the flow's port to SI.
    pub flow_to_si: Conversion,
    /// Does a positive product flow into the participant that gives the effort? Else into the other.
    pub into_effort: bool,
}
