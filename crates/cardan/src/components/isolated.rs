//! Components of this process that are moved into one of their own.

use super::{Workshop, link};
use cardan_core::participant::{Failure, Participant};
use cardan_describe::spec::ComponentSpec;
use cardan_link::Manner;

/// Does it run in the process of the run? One with a process of its own leaves room for others.
pub(super) fn shares_process(component: &ComponentSpec) -> bool {
    component.isolate.as_ref().is_none_or(|isolate| !isolate.value)
}

/// The participant, in a process of its own if the component wants one.
pub(super) fn settle(
    participant: Box<dyn Participant>,
    component: &ComponentSpec,
    workshop: &Workshop<'_>,
) -> Result<Box<dyn Participant>, Failure> {
    if shares_process(component) {
        return Ok(participant);
    }
    let manner = Manner {
        component: component.name.value.clone(),
        call: link::call_limit(component, workshop),
        ..Manner::default()
    };
    let remote = cardan_link::isolate(participant, &manner)?;
    Ok(Box::new(remote))
}
