//! `<SubModel>` with its interface points and parameters.

use super::Extent;
use super::attributes::{look_for_slips, required, slip, triple};
use super::kinds::{Causality, Dimensions, Domain};
use super::model::{InterfacePoint, MetaModel, Parameter, StartCommand, SubModel};
use crate::diagnostic::{Reporter, Span, Spanned, suggest_choice};
use crate::xml::Element;

/// What a reply on the wire can hold, besides the zero at its end.
const LONGEST_VALUE: usize = 99;

pub(super) fn read(element: Element<'_>, extent: Extent, model: &mut MetaModel, reporter: &mut Reporter) {
    look_for_slips(element, reporter);
    let name = name(element, ".:", reporter);
    let start_command = start_command(element, reporter);
    let (model_file, model_file_span) = model_file(element, &start_command, reporter);
    let exact_step = element.attribute("ExactStep").is_some_and(|step| {
        let known = ["0", "1"].contains(&step.value.trim());
        if !known {
            reporter
                .warning(
                    step.span,
                    format!("`ExactStep` is `{}` and counts as 0", step.value),
                )
                .advice("only \"1\" asks for exact steps");
        }
        step.value.trim() == "1"
    });
    // A sub-model without a name keeps its place, so that the numbers of the others stay what they are.
    let place = name.map_or(element.span(), |name| name.span);
    let name = name.map(|name| name.value.to_owned()).unwrap_or_default();
    if let Some(first) = model
        .sub_models
        .iter()
        .find(|s| s.name == name && !name.is_empty())
    {
        reporter
            .error(place, format!("there are two sub-models `{name}`"))
            .related(first.span, "the first one")
            .advice("give every sub-model a name of its own: tools are told apart by it");
    }
    let (interfaces, parameters) = (model.interfaces.len(), model.parameters.len());
    let number = model.sub_models.len();
    if extent == Extent::Whole {
        for point in element.children_named("InterfacePoint") {
            interface_point(point, number, &mut model.interfaces, interfaces, reporter);
        }
    }
    // Interface points may lie elsewhere with other values, so these count whatever is asked for.
    for parameter in element.children_named("Parameter") {
        read_parameter(parameter, number, &mut model.parameters, parameters, reporter);
    }
    model.sub_models.push(SubModel {
        name,
        start_command,
        model_file,
        model_file_span,
        exact_step,
        geometry_file: element
            .attribute("GeometryFile")
            .map(|file| file.value.to_owned())
            .filter(|file| !file.is_empty()),
        position: triple(element, "Position", reporter),
        angles: triple(element, "Angle321", reporter),
        interfaces: interfaces..model.interfaces.len(),
        parameters: parameters..model.parameters.len(),
        span: place,
    });
}

/// A name that can be said on the wire and in a connection.
fn name<'a>(element: Element<'a>, forbidden: &str, reporter: &mut Reporter) -> Option<Spanned<&'a str>> {
    let name = required(element, "Name", reporter)?;
    if name.value.is_empty() {
        reporter.error(
            name.span,
            format!("the name of this <{}> is empty", element.name()),
        );
    }
    let unfit = |c: &char| forbidden.contains(*c) || c.is_control();
    if let Some(unfit) = name.value.chars().find(unfit) {
        reporter
            .error(
                name.span,
                format!("the name `{}` has {unfit:?} in it", name.value),
            )
            .advice("choose another name: ends of connections are split at the first dot, registrations at colons");
    }
    Some(name)
}

fn start_command(element: Element<'_>, reporter: &mut Reporter) -> StartCommand {
    let Some(command) = required(element, "StartCommand", reporter) else {
        return StartCommand::Nobody;
    };
    let text = command.value.trim();
    if text.is_empty() || text.contains('\0') {
        reporter
            .error(command.span, "`StartCommand` names no program")
            .advice("name a program in PATH, `cardan` to let Cardan run the model file, or `none` if you start it yourself");
    }
    match text.to_lowercase().as_str() {
        "none" => StartCommand::Nobody,
        "cardan" => StartCommand::Cardan,
        _ => StartCommand::Program(text.to_owned()),
    }
}

fn model_file(element: Element<'_>, start: &StartCommand, reporter: &mut Reporter) -> (String, Span) {
    match (element.attribute("ModelFile"), start) {
        (Some(file), _) => return (file.value.to_owned(), file.span),
        (None, StartCommand::Nobody) => {
            reporter
                .warning(element.span(), "<SubModel> has no attribute `ModelFile`")
                .advice("nothing is started here, so it is not needed; other managers fail without it");
        }
        (None, _) => {
            let advice = slip(element, "ModelFile")
                .unwrap_or_else(|| "the start command is told this file as its last argument".to_owned());
            reporter
                .error(element.span(), "<SubModel> has no attribute `ModelFile`")
                .advice(advice);
        }
    }
    (String::new(), element.span())
}

fn interface_point(
    element: Element<'_>,
    sub_model: usize,
    all: &mut Vec<InterfacePoint>,
    own: usize,
    reporter: &mut Reporter,
) {
    look_for_slips(element, reporter);
    let name = name(element, ":", reporter);
    let span = name.map_or(element.span(), |name| name.span);
    let name = name.map(|name| name.value.to_owned()).unwrap_or_default();
    if let Some(first) = all[own..].iter().find(|p| p.name == name && !name.is_empty()) {
        reporter
            .error(
                span,
                format!("there are two interface points `{name}` in one sub-model"),
            )
            .related(first.span, "the first one")
            .advice("remove one, or give it another name");
    }
    let causality = causality(element, reporter);
    let domain = domain(element, causality, span, reporter);
    all.push(InterfacePoint {
        sub_model,
        name,
        dimensions: dimensions(element, reporter),
        causality,
        domain,
        position: triple(element, "Position", reporter),
        angles: triple(element, "Angle321", reporter),
        span,
    });
}

fn dimensions(element: Element<'_>, reporter: &mut Reporter) -> Dimensions {
    let Some(written) = element.attribute("Dimensions") else {
        return Dimensions::default();
    };
    match Dimensions::from_text(written.value) {
        Some(dimensions) => dimensions,
        None if written.value.trim() == "3" => {
            reporter
                .warning(written.span, "`Dimensions` is 3 and counts as 6")
                .advice("write 6: in space there are six degrees of freedom");
            Dimensions::Six
        }
        None => {
            reporter
                .error(
                    written.span,
                    format!("`Dimensions` must be 1 or 6, found `{}`", written.value),
                )
                .advice("1 is one degree of freedom or a signal, 6 a body in space");
            Dimensions::default()
        }
    }
}

fn causality(element: Element<'_>, reporter: &mut Reporter) -> Causality {
    let Some(written) = element.attribute("Causality") else {
        return Causality::default();
    };
    Causality::from_text(written.value).unwrap_or_else(|| {
        reporter
            .error(written.span, format!("`{}` is not a causality", written.value))
            .advice(suggest_choice(
                written.value,
                &["bidirectional", "input", "output"],
            ));
        Causality::default()
    })
}

fn domain(element: Element<'_>, causality: Causality, place: Span, reporter: &mut Reporter) -> Domain {
    let written = element.attribute("Domain");
    let domain = written.map_or_else(Domain::default, |written| Domain::from_text(written.value));
    let place = written.map_or(place, |written| written.span);
    if let Domain::Other(word) = &domain {
        let known = ["mechanical", "rotational", "hydraulic", "electric", "signal"];
        reporter
            .warning(place, format!("the domain `{word}` is not known"))
            .advice(format!(
                "it is treated as mechanical; {}",
                suggest_choice(word, &known)
            ));
    }
    if domain == Domain::Signal && causality == Causality::Bidirectional {
        reporter
            .error(place, "a signal goes one way")
            .advice("add Causality=\"input\" or Causality=\"output\"");
    }
    domain
}

fn read_parameter(
    element: Element<'_>,
    sub_model: usize,
    all: &mut Vec<Parameter>,
    own: usize,
    reporter: &mut Reporter,
) {
    look_for_slips(element, reporter);
    let (name, value) = (name(element, ":", reporter), required(element, "Value", reporter));
    let (Some(name), Some(value)) = (name, value) else {
        return;
    };
    if value.value.len() > LONGEST_VALUE || value.value.contains('\0') {
        reporter
            .error(
                value.span,
                format!("the value of `{}` does not fit into a message", name.value),
            )
            .advice(format!(
                "{LONGEST_VALUE} bytes fit; put longer texts into a file and give its name"
            ));
    }
    if let Some(first) = all[own..].iter().find(|p| p.name == name.value) {
        reporter
            .error(
                name.span,
                format!("there are two parameters `{}` in one sub-model", name.value),
            )
            .related(first.span, "the first one");
    }
    all.push(Parameter {
        sub_model,
        name: name.value.to_owned(),
        value: value.value.to_owned(),
        span: name.span,
        place: reporter.place(name.span),
    });
}
