//! Systems in SSP.

use super::loading::Folder;
use cardan_core::graph::Graph;
use cardan_core::interface::{Interface, Parameter, Port};
use cardan_core::value::{Shape, Value, ValueType};
use cardan_describe::spec::{ComponentSource, FmiKind, LogSpec, MethodKind};
use cardan_describe::{Reporter, Source, SystemSpec, interface_parameters, resolve, ssp, xml};
use insta::assert_snapshot;
use std::path::Path;

const AXLE: &str = include_str!("ssp/axle/SystemStructure.ssd");
const MISTAKES: &str = include_str!("ssp/mistakes.ssd");
const ARRAYS: &str = include_str!("ssp/arrays.ssd");

fn choices(names: &[&str]) -> Vec<(String, i64)> {
    names.iter().map(|n| (*n).to_owned()).zip(1..).collect()
}

fn optional(name: &str) -> Parameter {
    Parameter::new(name).default(Value::real(0.0))
}

/// What the models of the tests show.
pub(super) fn interface(model: &str) -> Interface {
    let mut shown = Interface::default();
    match model {
        "body" => {
            shown.port(Port::input("left").unit("N").start(Value::real(0.0)));
            shown.port(Port::input("right").unit("N").start(Value::real(0.0)));
            shown.port(Port::input("load").unit("N").start(Value::real(0.0)));
            shown.port(Port::output("speed").unit("m/s"));
            let mut mode = Port::output("mode").typed(ValueType::Enumeration);
            mode.choices = choices(&["comfort", "sport"]);
            shown.port(mode);
            shown.parameter(optional("mass").unit("kg"));
        }
        "wheel" => {
            shown.port(Port::input("speed").unit("m/s"));
            let start = Value::integer(1);
            let mut mode = Port::input("mode").typed(ValueType::Enumeration).start(start);
            mode.choices = choices(&["stiff", "soft"]);
            shown.port(mode);
            shown.port(Port::output("force").unit("N"));
            shown.port(Port::output("contact").typed(ValueType::Boolean));
            shown.parameter(optional("stiffness").unit("N/m"));
            shown.parameter(optional("pressure").unit("Pa"));
            let integer = Parameter::new("spokes").typed(ValueType::Integer);
            shown.parameter(integer.default(Value::integer(3)));
            let flag = Parameter::new("alloy").typed(ValueType::Boolean);
            shown.parameter(flag.default(Value::boolean(false)));
            let mut kind = Parameter::new("kind").typed(ValueType::Enumeration);
            kind.choices = choices(&["cross", "radial"]);
            shown.parameter(kind.default(Value::integer(1)));
            let label = Parameter::new("label").typed(ValueType::String);
            shown.parameter(label.default(Value::string("")));
        }
        "lamp" => {
            let dark = Value::boolean(false);
            shown.port(Port::input("on").typed(ValueType::Boolean).start(dark.clone()));
            shown.port(Port::input("dim").typed(ValueType::Boolean).start(dark));
        }
        "sensor" => {
            shown.port(Port::output("field").shaped(Shape::matrix(2, 3)));
            shown.port(Port::output("count").typed(ValueType::Integer));
            shown.parameter(Parameter::new("gains").any_size());
            shown.parameter(Parameter::new("key").typed(ValueType::Binary));
            shown.parameter(Parameter::new("names").typed(ValueType::String).any_size());
        }
        "display" => {
            shown.port(Port::input("value").unit("mm"));
            shown.port(Port::input("digit").typed(ValueType::Integer));
        }
        "crane" => {
            for name in ["heading_in", "roll_in", "wind", "v[1]", "v[2]"] {
                shown.port(Port::input(name).unit("deg").start(Value::real(0.0)));
            }
            for name in ["weight", "f[1]", "f[2]"] {
                shown.port(Port::output(name));
            }
            shown.parameter(optional("mass").unit("kg"));
            let joints = Parameter::new("joints").typed(ValueType::Integer);
            shown.parameter(joints.default(Value::integer(1)));
            let winch = Parameter::new("winch").typed(ValueType::Boolean);
            shown.parameter(winch.default(Value::boolean(false)));
            let label = Parameter::new("label").typed(ValueType::String);
            shown.parameter(label.default(Value::string("")));
        }
        "vessel" => {
            for name in [
                "heading",
                "roll",
                "velocity.x",
                "velocity.y",
                "wave.x",
                "wave.y",
                "ballast",
            ] {
                shown.port(Port::output(name).unit("rad"));
            }
            for name in ["load", "force.x", "force.y", "total.x", "total.y"] {
                shown.port(Port::input(name));
            }
        }
        "sum" => {
            shown.port(Port::input("u1"));
            shown.port(Port::input("u2"));
            shown.port(Port::output("y"));
            shown.parameter(Parameter::new("gains").any_size());
        }
        _ => {}
    }
    shown
}

pub(super) struct Resolved {
    pub(super) spec: SystemSpec,
    pub(super) graph: Option<Graph>,
    /// `component.parameter = value`, line by line.
    pub(super) settings: String,
}

/// Everything that is done with a system.
pub(super) fn finish(spec: SystemSpec, reporter: &mut Reporter) -> Resolved {
    spec.check_settings(reporter);
    let interfaces: Vec<Option<Interface>> = spec
        .components
        .iter()
        .map(|component| match &component.source {
            Some(ComponentSource::Model(model)) => Some(interface(&model.value)),
            Some(ComponentSource::Fmu(file)) => {
                let stem = Path::new(&file.value).file_stem().unwrap();
                Some(interface(&stem.to_string_lossy()))
            }
            _ => None,
        })
        .collect();
    let mut settings = String::new();
    for (component, interface) in spec.components.iter().zip(&interfaces) {
        let Some(interface) = interface else { continue };
        let given = interface_parameters(interface, component, reporter).unwrap_or_default();
        for (id, value) in given.0 {
            let name = &interface.parameters[id.index()].name;
            settings.push_str(&format!("{}.{name} = {value}\n", component.name.value));
        }
    }
    let borrowed: Vec<Option<&Interface>> = interfaces.iter().map(Option::as_ref).collect();
    let graph = resolve(&spec, &borrowed, reporter);
    Resolved {
        spec,
        graph,
        settings,
    }
}

fn parse(text: &str) -> (Option<SystemSpec>, Reporter) {
    let mut reporter = Reporter::new();
    let folder = xml::Folder::sealed("tests/describe/ssp/axle");
    let spec = ssp::parse(Source::new("system.ssd", text), &folder, &mut reporter);
    (spec, reporter)
}

fn run(text: &str) -> (Resolved, Reporter) {
    let (spec, mut reporter) = parse(text);
    (finish(spec.unwrap(), &mut reporter), reporter)
}

#[test]
fn nested_systems_become_one() {
    let mut reporter = Reporter::new();
    let spec = ssp::load(Path::new("tests/describe/ssp/axle"), &mut reporter).unwrap();
    let resolved = finish(spec, &mut reporter);
    assert_snapshot!(reporter.render_all(false));
    assert_snapshot!(resolved.graph.unwrap().to_string());
    assert_snapshot!(resolved.settings);
}

#[test]
fn settings_come_from_the_experiment_and_our_annotations() {
    let (spec, reporter) = parse(AXLE);
    assert!(!reporter.has_errors());
    let spec = spec.unwrap();
    assert_eq!((spec.start_time(), spec.stop.unwrap().value), (0.5, 4.0));
    assert_eq!(spec.name, "axle");
    assert_eq!(spec.description.as_deref(), Some("two wheels under a body"));
    assert_eq!(spec.method.kind.unwrap().value, MethodKind::GaussSeidel);
    assert_eq!(spec.method.step.unwrap().value, 0.001);
    assert_eq!(spec.record.every.unwrap().value, 0.01);
    assert_eq!(spec.record.variables.as_ref().unwrap().len(), 2);
    assert_eq!(spec.limits.call.unwrap().value, 30.0);
    assert_eq!(spec.limits.memory.unwrap().value, 4_000_000_000);
    let body = spec.component("body").unwrap();
    assert_eq!(body.call_limit.unwrap().value, f64::INFINITY);
    assert_eq!(body.step.unwrap().value, 0.002);
    assert_eq!(body.substeps.unwrap().value, 2);
    let solver = body.solver.as_ref().unwrap();
    assert_eq!(solver.kind.as_ref().unwrap().value, "rk4");
    assert_eq!(solver.step.unwrap().value, 1e-4);
    let LogSpec::Categories(log) = &body.log.as_ref().unwrap().value else {
        panic!("categories")
    };
    assert_eq!(log.len(), 2);
}

#[test]
fn values_of_inputs_reach_the_graph() {
    let (resolved, _) = run(AXLE);
    let graph = resolved.graph.unwrap();
    let body = graph.find("body").unwrap();
    let interface = &graph.node(body).interface;
    let load = &interface.ports[interface.find_port("load").unwrap().index()];
    assert_eq!(load.start, Some(Value::real(2000.0)), "2 kN in newtons");
    assert!(load.given);
}

#[test]
fn arrays_of_version_two() {
    let text = ARRAYS.replace(
        "</ssd:System>\n",
        "</ssd:System><ssd:DefaultExperiment stopTime=\"1\"/>\n",
    );
    let (resolved, reporter) = run(&text);
    assert_snapshot!(reporter.render_all(false));
    assert_snapshot!(resolved.graph.unwrap().to_string());
    assert_snapshot!(resolved.settings);
}

#[test]
fn fmus_lie_in_the_archive() {
    let folder = Folder::new("fmus-in-archive");
    folder.file("body.fmu", b"");
    let text = |source: &str| {
        format!(
            "<SystemStructureDescription name='x' version='1.0'><System name='r'><Elements>\
             <Component name='body' source='{source}' implementation='ModelExchange'/>\
             </Elements></System></SystemStructureDescription>"
        )
    };
    let path = folder.file("SystemStructure.ssd", text("body.fmu").as_bytes());
    for place in [path.parent().unwrap(), &path] {
        let mut reporter = Reporter::new();
        let spec = ssp::load(place, &mut reporter).unwrap();
        assert!(!reporter.has_errors(), "{}", reporter.render_all(false));
        let body = &spec.components[0];
        assert_eq!(body.fmi_kind.unwrap().value, FmiKind::ModelExchange);
        let ComponentSource::Fmu(file) = body.source.as_ref().unwrap() else {
            panic!("an FMU")
        };
        assert_eq!(file.value, "body.fmu");
    }
    for source in [
        "../body.fmu",
        "/body.fmu",
        "http://example.org/body.fmu",
        "other.fmu",
        "",
    ] {
        folder.file("SystemStructure.ssd", text(source).as_bytes());
        let mut reporter = Reporter::new();
        let spec = ssp::load(path.parent().unwrap(), &mut reporter).unwrap();
        assert!(reporter.has_errors(), "{source}");
        assert!(spec.components[0].source.is_none());
    }
}

#[test]
fn mistakes_are_all_reported_at_once() {
    let (resolved, reporter) = run(MISTAKES);
    assert!(resolved.graph.is_none());
    assert_snapshot!(
        reporter
            .render_all(false)
            .replace("tests/describe/ssp/axle", "DIR")
    );
}

#[test]
fn not_a_system_structure() {
    for text in [
        "",
        "<",
        "<a/>",
        "<SystemStructureDescription version='1.0' name='x'/>",
    ] {
        let (_, reporter) = parse(text);
        assert!(reporter.has_errors(), "{text}");
    }
    let mut reporter = Reporter::new();
    assert!(ssp::load(Path::new("tests/describe"), &mut reporter).is_none());
    assert!(reporter.has_errors());
}

/// Every value of a connector's circle would wait for another.
#[test]
fn circles_of_connectors_end() {
    let inner = "<System name='s'><Connectors><Connector name='i' kind='input'/><Connector name='o' kind='output'/>\
                 </Connectors><Connections><Connection startConnector='i' endConnector='o'/></Connections></System>";
    let text = format!(
        "<SystemStructureDescription name='x' version='1.0'><System name='r'><Elements>{inner}\
         <Component name='lamp' type='application/x-cardan-model' source='lamp'/></Elements><Connections>\
         <Connection startElement='s' startConnector='o' endElement='s' endConnector='i'/>\
         <Connection startElement='s' startConnector='o' endElement='lamp' endConnector='on'/>\
         </Connections></System></SystemStructureDescription>"
    );
    let (_, reporter) = parse(&text);
    assert!(reporter.render_all(false).contains("in a circle"));
}

#[test]
fn twenty_thousand_components() {
    let mut text =
        String::from("<SystemStructureDescription name='large' version='1.0'><System name='r'><Elements>");
    let count = 20_000;
    for i in 0..count {
        text.push_str(&format!(
            "<System name='s{i}'><Connectors><Connector name='v' kind='input'><Real unit='km/h'/></Connector>\
             <Connector name='f' kind='output'/></Connectors><Elements>\
             <Component name='wheel' type='application/x-cardan-model' source='wheel'/></Elements><Connections>\
             <Connection startConnector='v' endElement='wheel' endConnector='speed'/>\
             <Connection startElement='wheel' startConnector='force' endConnector='f'/></Connections></System>"
        ));
    }
    text.push_str("</Elements><Connections>");
    for i in 0..count {
        text.push_str(&format!(
            "<Connection startElement='s{i}' startConnector='f' endElement='s{}' endConnector='v' \
             suppressUnitConversion='true'/>",
            (i + 1) % count
        ));
    }
    text.push_str("</Connections></System><DefaultExperiment stopTime='1'/></SystemStructureDescription>");
    let begin = std::time::Instant::now();
    let (resolved, reporter) = run(&text);
    assert!(!reporter.has_errors(), "{}", reporter.render_all(false));
    assert_eq!(resolved.spec.components.len(), count);
    assert_eq!(resolved.graph.unwrap().connections.len(), count);
    assert!(begin.elapsed().as_secs() < 60, "{:?}", begin.elapsed());
    // Nothing but mistakes: the search for advice must not take over.
    let begin = std::time::Instant::now();
    let (_, reporter) = run(&text.replace("startElement='s", "startElement='t"));
    assert!(reporter.error_count() >= count);
    assert!(begin.elapsed().as_secs() < 60, "{:?}", begin.elapsed());
}

#[test]
fn values_that_no_mapping_takes_are_pointed_out() {
    let text = r#"<SystemStructureDescription version="1.0" name="s"><System name="s"><ParameterBindings>
        <ParameterBinding>
        <ParameterValues><ParameterSet version="1.0" name="p"><Parameters>
        <Parameter name="taken"><Real value="1"/></Parameter>
        <Parameter name="forgotten"><Real value="2"/></Parameter>
        </Parameters></ParameterSet></ParameterValues>
        <ParameterMapping><ParameterMapping version="1.0">
        <MappingEntry source="taken" target="a.k"/></ParameterMapping></ParameterMapping>
        </ParameterBinding></ParameterBindings>
        <Elements><Component name="a" type="application/x-cardan-model" source="gain"/></Elements>
        </System></SystemStructureDescription>"#;
    let (_, reporter) = parse(text);
    let said: Vec<&str> = reporter.sorted().iter().map(|d| d.message.as_str()).collect();
    assert_eq!(said, ["no mapping takes `forgotten`"]);
}
