//! A TLM meta-model all of whose sub-models Cardan runs itself: a system with lines, in one process.

use crate::line_report::LineReport;
use crate::tlm_client::{describe, is_known, look_for_model_files, look_into_components};
use cardan_core::line::{Compensation, Medium, Properties};
use cardan_describe::line_client::{InterfaceSpec, LineClientSpec};
use cardan_describe::spec::{
    ComponentSource, ComponentSpec, FrameSpec, LineEndSpec, LineSpec, Literal, RecordSpec,
};
use cardan_describe::tlm::{
    self, Causality, Connection, Dimensions, Domain, InterfacePoint, MetaModel, StartCommand, SubModel,
};
use cardan_describe::{Reporter, Span, Spanned, SystemSpec};
use std::path::Path;
use std::str::FromStr;

/// Does a file look like a meta-model, rather than like another XML format?
pub(super) fn is_one(path: &Path) -> bool {
    /// Comments may come first.
    const HEAD: usize = 64 * 1024;
    let head = std::fs::read(path).unwrap_or_default();
    let head = String::from_utf8_lossy(&head[..head.len().min(HEAD)]);
    head.contains("<SubModels") || head.contains("<SubModel ")
}

/// Reads a meta-model as a system.
pub(super) fn load(path: &Path, reporter: &mut Reporter) -> Option<SystemSpec> {
    let model = tlm::load(path, tlm::Extent::Whole, reporter)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut spec = SystemSpec::new(model.name.clone(), model.span);
    let at = |value: f64| Some(Spanned::new(value, model.simulation.span));
    spec.start = at(model.simulation.start);
    spec.stop = at(model.simulation.stop);
    spec.record = RecordSpec {
        every: at(model.simulation.write_step).filter(|every| every.value > 0.0),
        variables: None,
    };
    look_for_model_files(
        &model,
        folder,
        |s| s.start_command == StartCommand::Cardan,
        reporter,
    );
    let mut clients = Vec::with_capacity(model.sub_models.len());
    for index in 0..model.sub_models.len() {
        let client = component(path, folder, &model, index, reporter);
        spec.components
            .extend(client.as_ref().map(|client| client.component.clone()));
        clients.push(client);
    }
    // Components that are missing have been reported; nothing that follows from that is.
    spec.broken = clients.iter().any(Option::is_none);
    for connection in &model.connections {
        spec.lines.extend(line(&model, connection, &clients, reporter));
    }
    Some(spec)
}

/// A sub-model as a component.
fn component(
    path: &Path,
    folder: &Path,
    model: &MetaModel,
    index: usize,
    reporter: &mut Reporter,
) -> Option<LineClientSpec> {
    let sub_model = &model.sub_models[index];
    if sub_model.start_command != StartCommand::Cardan {
        let how = match &sub_model.start_command {
            StartCommand::Program(program) => format!("is started by `{program}`"),
            _ => "is started by somebody else".to_owned(),
        };
        reporter
            .error(
                sub_model.span,
                format!("`{}` {how}, so it runs in a process of its own", sub_model.name),
            )
            .advice(format!(
                "`cardan tlm manager {}` couples tools that come over the network; here all are StartCommand=\"cardan\"",
                path.display()
            ));
        return None;
    }
    // That has been told.
    if !is_known(&sub_model.model_file, folder) {
        return None;
    }
    let file = folder.join(&sub_model.model_file);
    let named = match file.exists() {
        true => file.to_string_lossy().into_owned(),
        false => sub_model.model_file.clone(),
    };
    let start = model.simulation.start;
    let described = describe(&named, &sub_model.name, start, reporter)?;
    let mut client = described.spec;
    relocate(
        &mut client.component,
        &described.folder,
        folder,
        sub_model,
        reporter,
    )?;
    let component = &mut client.component;
    component.name = Spanned::new(sub_model.name.clone(), sub_model.span);
    if sub_model.exact_step && component.step.is_none() {
        component.step = Some(Spanned::new(model.max_step(index), sub_model.span));
    }
    place(component, sub_model);
    for parameter in &model.parameters[sub_model.parameters.clone()] {
        let name = Spanned::new(parameter.name.clone(), parameter.span);
        let value = Spanned::new(literal(&parameter.value), parameter.span);
        component
            .parameters
            .retain(|(known, _)| known.value != name.value);
        component.parameters.push((name, value));
    }
    Some(client)
}

/// Files that a component names lie beside its own file; here they are looked for beside the meta-model.
fn relocate(
    component: &mut ComponentSpec,
    own: &Path,
    folder: &Path,
    sub_model: &SubModel,
    reporter: &mut Reporter,
) -> Option<()> {
    let beside = own.as_os_str().is_empty() || own == folder;
    match &mut component.source {
        Some(ComponentSource::Fmu(file) | ComponentSource::MultibodyFile(file)) if !beside => {
            let moved = own.strip_prefix(folder).unwrap_or(own).join(&file.value);
            file.value = moved.to_string_lossy().into_owned();
            Some(())
        }
        Some(ComponentSource::Model(_) | ComponentSource::Multibody(_)) | None => Some(()),
        Some(_) if beside => Some(()),
        Some(_) => {
            reporter
                .error(
                    sub_model.span,
                    format!(
                        "the file of `{}` lies in another folder than the meta-model",
                        sub_model.name
                    ),
                )
                .advice("put both into one folder, or use `cardan tlm manager`");
            None
        }
    }
}

/// The inertial frame of a sub-model. Its angles are about x, y and z; ours are told in the order z, y, x.
fn place(component: &mut ComponentSpec, sub_model: &SubModel) {
    let [x, y, z] = sub_model.angles;
    if sub_model.position == [0.0; 3] && [x, y, z] == [0.0; 3] {
        return;
    }
    let span = sub_model.span;
    component.frame = Some(FrameSpec {
        position: Some(Spanned::new(sub_model.position, span)),
        angles: Some(Spanned::new([z, y, x], span)),
        span,
    });
}

/// A value as somebody would have meant it.
fn literal(text: &str) -> Literal {
    let trimmed = text.trim();
    if let Ok(whole) = trimmed.parse() {
        return Literal::Integer(whole);
    }
    match (trimmed.parse(), trimmed) {
        (Ok(number), _) => Literal::Real(number),
        (_, "true") => Literal::Boolean(true),
        (_, "false") => Literal::Boolean(false),
        _ => Literal::String(text.to_owned()),
    }
}

fn line(
    model: &MetaModel,
    connection: &Connection,
    clients: &[Option<LineClientSpec>],
    reporter: &mut Reporter,
) -> Option<LineSpec> {
    let span = connection.span;
    let number = |value: f64| Some(Spanned::new(value, span));
    let point = &model.interfaces[connection.from];
    let medium = medium(point);
    // A signal begins at its output, whichever end is written first.
    let (from, to) = match point.causality {
        Causality::Input => (connection.to, connection.from),
        _ => (connection.from, connection.to),
    };
    let (from, to) = (
        end(model, from, medium, clients, reporter),
        end(model, to, medium, clients, reporter),
    );
    let own = &connection.own;
    let feedback = clients.iter().flatten().find_map(|client| client.line.feedback);
    Some(LineSpec {
        from: Some(from?),
        to: Some(to?),
        medium: Some(Spanned::new(medium, span)),
        delay: number(connection.delay),
        impedance: number(connection.zf).filter(|_| medium != Medium::Signal),
        rotational: number(connection.zfr).filter(|_| medium == Medium::Spatial),
        alpha: number(connection.alpha).filter(|_| medium != Medium::Signal),
        feedback: feedback.map(|factor| Spanned::new(factor, span)),
        filter: word("Filter", &own.filter, &["lengthening", "unit"], reporter),
        interpolation: word(
            "Interpolation",
            &own.interpolation,
            &["linear", "cubic"],
            reporter,
        ),
        compensate: compensation(&own.compensate, reporter),
        filling: word("Start", &own.start, &["empty", "consistent"], reporter),
        ..LineSpec::new(span)
    })
}

/// What a line carries that ends at an interface point.
fn medium(point: &InterfacePoint) -> Medium {
    match (point.causality, point.dimensions, &point.domain) {
        (Causality::Input | Causality::Output, ..) | (.., Domain::Signal) => Medium::Signal,
        (_, Dimensions::Six, _) => Medium::Spatial,
        (.., Domain::Rotational) => Medium::Rotational,
        (.., Domain::Hydraulic) => Medium::Hydraulic,
        (.., Domain::Electric) => Medium::Electric,
        _ => Medium::Translational,
    }
}

/// A meta-model whose sub-models are tools that come over the network, read for what it says by itself.
pub fn meta_model_of_tools(path: &Path, reporter: &mut Reporter) -> Option<MetaModel> {
    let named = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("xml"));
    if !(named && is_one(path)) {
        return None;
    }
    let model = tlm::load(path, tlm::Extent::Whole, reporter)?;
    let foreign = |sub_model: &SubModel| sub_model.start_command != StartCommand::Cardan;
    let is_foreign = model.sub_models.iter().any(foreign);
    if is_foreign {
        let folder = path.parent().unwrap_or(Path::new(""));
        look_for_model_files(&model, folder, |_| true, reporter);
        look_into_components(&model, folder, |_| true, reporter);
        tlm::warn_between_processes(&model, reporter);
    }
    is_foreign.then_some(model)
}

/// What the lines of a meta-model do to the system, as the plugins of other tools filter waves.
pub fn lines_of_tools(model: &MetaModel) -> Vec<LineReport> {
    /// In delays: how far back the filter of the public plugin looks.
    const FEEDBACK: f64 = 1.5;
    let report = |connection: &Connection| {
        let made = Properties {
            rotational: connection.zfr,
            alpha: connection.alpha,
            feedback: FEEDBACK,
            ..Properties::new(connection.delay, connection.zf)
        };
        let [from, to] = [connection.from, connection.to].map(|end| model.interface_name(end));
        LineReport::new(
            &format!("{from} ⇄ {to}"),
            medium(&model.interfaces[connection.from]),
            &made,
        )
    };
    model.connections.iter().map(report).collect()
}

/// An interface point: the ports that its component's file names, or what has its name.
fn end(
    model: &MetaModel,
    id: usize,
    medium: Medium,
    clients: &[Option<LineClientSpec>],
    reporter: &mut Reporter,
) -> Option<LineEndSpec> {
    let point = &model.interfaces[id];
    let client = clients.get(point.sub_model)?.as_ref()?;
    let name = &model.sub_models[point.sub_model].name;
    let of = |port: &Spanned<String>| Some(Spanned::new(format!("{name}.{}", port.value), port.span));
    let plain = |text: String| Some(Spanned::new(text, point.span));
    let Some(interface) = client.interfaces.iter().find(|i| i.name.value == point.name) else {
        let full = plain(format!("{name}.{}", point.name));
        return Some(match medium {
            Medium::Signal => LineEndSpec {
                value: full,
                ..LineEndSpec::new(point.span)
            },
            _ => LineEndSpec {
                point: full,
                ..LineEndSpec::new(point.span)
            },
        });
    };
    if interface.negate_flow || interface.negate_effort {
        say_negated(interface, reporter);
        return None;
    }
    let port = |port: &Option<Spanned<String>>| port.as_ref().and_then(of);
    Some(LineEndSpec {
        flow: port(&interface.flow),
        effort: port(&interface.effort),
        position: port(&interface.position),
        frame: port(&interface.frame),
        load: port(&interface.load),
        value: port(&interface.value),
        ..LineEndSpec::new(point.span)
    })
}

fn say_negated(interface: &InterfaceSpec, reporter: &mut Reporter) {
    reporter
        .error(
            interface.name.span,
            format!(
                "the signs of `{}` are turned, which only clients of a manager do",
                interface.name.value
            ),
        )
        .advice("use `cardan tlm manager`, or choose ports with the signs of the line");
}

/// One of a few words.
fn word<T: FromStr>(
    attribute: &str,
    text: &Option<Spanned<String>>,
    words: &[&str],
    reporter: &mut Reporter,
) -> Option<Spanned<T>> {
    let text = text.as_ref()?;
    match text.value.to_lowercase().parse() {
        Ok(value) => Some(Spanned::new(value, text.span)),
        Err(_) => {
            unknown(attribute, &text.value, text.span, words, reporter);
            None
        }
    }
}

fn compensation(text: &Option<Spanned<String>>, reporter: &mut Reporter) -> Option<Spanned<Compensation>> {
    let text = text.as_ref()?;
    let chosen = match text.value.to_lowercase().as_str() {
        "1" | "true" => Compensation::Full,
        "0" | "false" => Compensation::None,
        "inertia" => Compensation::Inertia,
        other => {
            unknown("Compensate", other, text.span, &["1", "0", "inertia"], reporter);
            return None;
        }
    };
    Some(Spanned::new(chosen, text.span))
}

fn unknown(attribute: &str, found: &str, span: Span, words: &[&str], reporter: &mut Reporter) {
    reporter
        .error(span, format!("{attribute} cannot be `{found}`"))
        .advice(format!("choose one of {}", words.join(", ")));
}
