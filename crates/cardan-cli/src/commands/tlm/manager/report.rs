//! What the manager tells, for people and for machines.

use crate::text;
use cardan_tlm::general::seconds;
use cardan_tlm::manager::{Ending, Outcome};
use serde_json::{Map, Value, json};
use std::net::SocketAddr;

pub(super) fn listening(components: SocketAddr, monitors: Option<SocketAddr>) -> String {
    match monitors {
        Some(monitors) => format!("Tools connect to {components}, monitors to {monitors}.\n"),
        None => format!("Tools connect to {components}.\n"),
    }
}

pub(super) fn completed(outcome: &Outcome) -> String {
    let time = outcome.time().map_or_else(String::new, |time| {
        format!(", the last samples at {} s", seconds(time))
    });
    format!(
        "All tools came to their end: {} handed on in {}{time}.\n",
        text::count(outcome.messages(), "message"),
        text::duration(outcome.run.as_secs_f64()),
    )
}

pub(super) fn interrupted(outcome: &Outcome) -> String {
    match outcome.time() {
        Some(time) => format!("interrupted; all tools had come to {} s", seconds(time)),
        None => "interrupted before tools sent samples".to_owned(),
    }
}

pub(super) fn machine_readable(
    name: &str,
    outcome: &Outcome,
    addresses: Option<(SocketAddr, Option<SocketAddr>)>,
    warnings: &[String],
) -> Value {
    let components: Map<String, Value> = outcome
        .components
        .iter()
        .map(|c| (c.name.clone(), json!({ "time": c.time, "messages": c.messages })))
        .collect();
    let warnings: Vec<Value> = warnings
        .iter()
        .map(|message| json!({ "kind": "tlm", "where": null, "time": null, "message": message }))
        .collect();
    let mut object = json!({
        "system": name,
        "status": if outcome.ending == Ending::Completed { "ok" } else { "failed" },
        "method": "tlm",
        "time": outcome.time(),
        "messages": outcome.messages(),
        "setup_s": outcome.setup.as_secs_f64(),
        "run_s": outcome.run.as_secs_f64(),
        "port": addresses.map(|(components, _)| components.port()),
        "monitor_port": addresses.and_then(|(_, monitors)| monitors).map(|monitors| monitors.port()),
        "components": components,
        "warnings": warnings,
    });
    let error = match &outcome.ending {
        Ending::Completed => None,
        Ending::Interrupted => Some(json!({
            "participant": null, "call": null, "time": outcome.time(), "message": interrupted(outcome), "advice": null,
        })),
        Ending::Failed(failure) => Some(json!({
            "participant": failure.component, "call": null, "time": failure.time, "message": failure.message,
            "advice": failure.advice,
        })),
    };
    if let Some(error) = error {
        object["error"] = error;
    }
    if let Some(survey) = &outcome.survey {
        let interfaces = survey.interfaces.iter().map(|i| {
            json!({
                "component": i.component, "name": i.text.name, "dimensions": i.text.dimensions.number(),
                "causality": i.text.causality.text(), "domain": i.text.domain.text(), "position": i.position,
                "angles": i.angles,
            })
        });
        object["interfaces"] = interfaces.collect();
        let parameters = survey
            .parameters
            .iter()
            .map(|p| json!({ "component": p.component, "name": p.name, "default": p.default }));
        object["parameters"] = parameters.collect();
    }
    object
}
