//! The ways in which an FMU can be used.

use super::{CoSimulation, ModelExchange, Usage, Version};
use cardan_describe::xml::Element;
use cardan_describe::{Reporter, Severity};

pub(super) fn co_simulation(
    root: Element<'_>,
    version: Version,
    reporter: &mut Reporter,
) -> Option<CoSimulation> {
    let element = root.child("CoSimulation")?;
    let usage = usage(element, version, reporter)?;
    let mut flag = |name| is_set(element, name, reporter);
    let variable_step = flag("canHandleVariableCommunicationStepSize");
    let interpolates_inputs = flag("canInterpolateInputs");
    let intermediate_update = flag("providesIntermediateUpdate");
    // On its own account, or because it was asked to in a callback.
    let returns_early = flag("mightReturnEarlyFromDoStep") | flag("canReturnEarlyAfterIntermediateUpdate");
    let event_mode = flag("hasEventMode");
    let step = element.real("fixedInternalStepSize", Severity::Warning, reporter);
    let order = element.integer("maxOutputDerivativeOrder", Severity::Warning, reporter);
    Some(CoSimulation {
        usage,
        variable_step,
        fixed_internal_step: step.map(|s| s.value).filter(|s| s.is_finite() && *s > 0.0),
        interpolates_inputs,
        output_derivative_order: order.and_then(|o| u32::try_from(o.value).ok()).unwrap_or(0),
        intermediate_update,
        returns_early,
        event_mode,
    })
}

pub(super) fn model_exchange(
    root: Element<'_>,
    version: Version,
    reporter: &mut Reporter,
) -> Option<ModelExchange> {
    let element = root.child("ModelExchange")?;
    let usage = usage(element, version, reporter)?;
    // The two versions ask the opposite question.
    let needs_completed_step = match version {
        Version::V2 => !is_set(element, "completedIntegratorStepNotNeeded", reporter),
        Version::V3 => is_set(element, "needsCompletedIntegratorStep", reporter),
    };
    Some(ModelExchange {
        usage,
        needs_completed_step,
    })
}

fn usage(element: Element<'_>, version: Version, reporter: &mut Reporter) -> Option<Usage> {
    let identifier = element.required("modelIdentifier", reporter)?;
    if !is_file_name(identifier.value) {
        reporter
            .error(
                identifier.span,
                format!("`{}` cannot be the name of a binary", identifier.value),
            )
            .label("letters, digits and `_` only, not a path");
        return None;
    }
    let mut either = |old, new| {
        let name = if version == Version::V2 { old } else { new };
        is_set(element, name, reporter)
    };
    Some(Usage {
        model_identifier: identifier.value.to_owned(),
        needs_execution_tool: either("needsExecutionTool", "needsExecutionTool"),
        once_per_process: either(
            "canBeInstantiatedOnlyOncePerProcess",
            "canBeInstantiatedOnlyOncePerProcess",
        ),
        saves_state: either("canGetAndSetFMUstate", "canGetAndSetFMUState"),
        serializes_state: either("canSerializeFMUstate", "canSerializeFMUState"),
        directional_derivatives: either("providesDirectionalDerivative", "providesDirectionalDerivatives"),
        source_files: source_files(element),
    })
}

fn source_files(element: Element<'_>) -> Vec<String> {
    let lists = element.children_named("SourceFiles");
    let files = lists.flat_map(|list| list.children_named("File").collect::<Vec<_>>());
    files
        .filter_map(|file| file.attribute("name"))
        .map(|name| name.value.to_owned())
        .collect()
}

fn is_set(element: Element<'_>, name: &str, reporter: &mut Reporter) -> bool {
    let written = element.boolean(name, Severity::Warning, reporter);
    written.is_some_and(|written| written.value)
}

/// The name goes into a path, so it must not lead anywhere else. Some tools write characters that C would not allow,
/// which does no harm.
fn is_file_name(name: &str) -> bool {
    let harmless = |c: char| !c.is_control() && !matches!(c, '/' | '\\' | ':');
    !name.is_empty() && name.len() < 250 && !name.starts_with('.') && name.chars().all(harmless)
}
