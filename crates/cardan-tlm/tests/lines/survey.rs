//! A manager that only asks where interface points are.

use crate::stage::{Stage, axis, client, model, xml};
use cardan_tlm::manager::{Ending, Task};
use cardan_tlm::plugin::Arithmetic;

#[test]
fn one_motion_is_all_it_wants() {
    let text = xml(&[("m1", &[])], &[], "", 1.0);
    let stage = Stage::open_for(model(&text), false, Task::AskForInterfaces(None));
    let mut plugin = client(stage.components, "m1", 1.0, Arithmetic::default()).unwrap();
    let value = plugin.register_parameter("mass", "2.5").unwrap();
    assert!(value.is_none_or(|value| value == "2.5"));
    let id = axis(&mut plugin, "tlm", "mechanical");
    assert!(plugin.asks_for_interfaces());
    plugin.check_model().unwrap();
    plugin.set_motion_1d(id, 0.0, 0.25, 0.0).unwrap();
    plugin.close().unwrap();
    let outcome = stage.outcome();
    assert_eq!(outcome.ending, Ending::Completed);
    let survey = outcome.survey.unwrap().xml();
    assert!(
        survey.contains("Name=\"tlm\"") && survey.contains("0.25"),
        "{survey}"
    );
}
