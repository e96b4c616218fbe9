//! Meta-models of TLM co-simulations.

use cardan_describe::tlm::{self, Causality, Dimensions, Domain, Extent, MetaModel, StartCommand};
use cardan_describe::{Reporter, Source};
use insta::assert_snapshot;

const BEARING: &str = include_str!("tlm/bearing.xml");

fn parse(text: &str) -> (Option<MetaModel>, Reporter) {
    let mut reporter = Reporter::new();
    let model = tlm::parse(Source::new("bearing.xml", text), Extent::Whole, &mut reporter);
    (model, reporter)
}

/// What is said about a file with one thing changed.
#[track_caller]
fn said(what: &str, with: &str) -> String {
    assert!(BEARING.contains(what), "{what}");
    let (_, reporter) = parse(&BEARING.replacen(what, with, 1));
    let said = reporter
        .sorted()
        .into_iter()
        .map(|d| format!("{}: {}", d.severity, d.message));
    said.collect::<Vec<_>>().join("\n")
}

#[test]
fn everything_is_read() {
    let (model, reporter) = parse(BEARING);
    assert_eq!(reporter.render_all(false), "");
    let model = model.unwrap();
    assert_eq!(model.name, "Bearing");
    let names: Vec<_> = model.sub_models.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["shaft", "brg", "pump"]);
    assert_eq!(
        model.sub_models[0].start_command,
        StartCommand::Program("StartShaft".into())
    );
    assert_eq!(model.sub_models[1].start_command, StartCommand::Nobody);
    assert_eq!(model.sub_models[2].start_command, StartCommand::Cardan);
    assert!(model.sub_models[1].exact_step && !model.sub_models[0].exact_step);
    assert_eq!(model.sub_models[1].angles, [1.25, 0.0, 0.0]);
    assert_eq!(model.sub_models[0].geometry_file.as_deref(), Some("shaft.wrl"));
    // Numbers go through all sub-models in the order of the file.
    let points: Vec<_> = (0..model.interfaces.len())
        .map(|id| model.interface_name(id))
        .collect();
    assert_eq!(
        points,
        [
            "shaft.tlm",
            "shaft.speed",
            "brg.bIR'cs1",
            "brg.oil",
            "pump.oil",
            "pump.speed"
        ]
    );
    assert_eq!(model.interfaces[0].dimensions, Dimensions::Six);
    assert_eq!(model.interfaces[0].position, [0.0, -0.1, 0.0]);
    assert_eq!(model.interfaces[1].causality, Causality::Output);
    assert_eq!(model.interfaces[3].domain, Domain::Hydraulic);
    assert_eq!(model.parameters[1].value, "7.5");
    assert_eq!(
        (
            model.parameter(2, "displacement"),
            model.parameter(0, "displacement")
        ),
        (Some(1), None)
    );
    let lines: Vec<_> = model.connections.iter().map(|c| (c.from, c.to)).collect();
    assert_eq!(lines, [(0, 2), (3, 4), (1, 5)]);
    let [shaft, oil, speed] = &model.connections[..] else {
        panic!()
    };
    assert_eq!(
        (shaft.zf, shaft.zfr, shaft.alpha),
        (1e4, 1e4, 0.2),
        "Zfr is Zf where it is left out"
    );
    assert_eq!((oil.zf, oil.zfr), (1e9, 0.0));
    assert_eq!((speed.zf, speed.delay), (0.0, 2e-3));
    assert_eq!(
        shaft.own.compensate.as_ref().map(|c| c.value.as_str()),
        Some("true")
    );
    assert_eq!(model.partner(5), Some(1));
    // The shortest line, halved unless steps are exact.
    assert_eq!([0, 1, 2].map(|i| model.max_step(i)), [0.5e-3, 1e-4, 0.5e-4]);
    assert_eq!(model.simulation.manager_port, 11113);
    assert_eq!(model.simulation.write_step, 1e-3);
}

#[test]
fn latin_letters_and_any_root() {
    let bytes = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><Gr\xfcn><SubModels>\
        <SubModel Name=\"k\xf6rper\" StartCommand=\"none\" ModelFile=\"\"/></SubModels>\
        <SimulationParams StartTime=\"0\" StopTime=\"1\"/></Gr\xfcn>";
    let (text, broken) = cardan_describe::xml::decode(bytes);
    assert_eq!(broken, None);
    let (model, reporter) = parse(&text);
    assert!(!reporter.has_errors(), "{}", reporter.render_all(false));
    let model = model.unwrap();
    assert_eq!(
        (model.name.as_str(), model.sub_models[0].name.as_str()),
        ("bearing", "körper")
    );
    assert_eq!(model.max_step(0), 0.5e-4);
}

#[test]
fn all_mistakes_at_once() {
    let text = BEARING
        .replace("Name=\"shaft\" ", "")
        .replace("Delay=\"1e-4\"", "Delay=\"0\"")
        .replace("To=\"brg.bIR'cs1\"", "To=\"brg.bIR'cs2\"")
        .replace("alpha=\"0.2\"", "alpha=\"1.5\"")
        .replace("Value=\"7.5\"", "")
        .replace("StopTime=\"1.0\"", "StopTime=\"-1\"")
        .replace("Position=\"0,-0.1,0\"", "Position=\"0;-0.1;0\"");
    let (_, reporter) = parse(&text);
    assert_snapshot!(reporter.render_all(false));
}

#[test]
fn whatever_is_missing_is_told() {
    for (what, with, message) in [
        ("Name=\"shaft\" ", "", "error: <SubModel> has no attribute `Name`"),
        (
            "StartCommand=\"StartShaft\"",
            "",
            "error: <SubModel> has no attribute `StartCommand`",
        ),
        (
            "ModelFile=\"shaft.mo\"",
            "",
            "error: <SubModel> has no attribute `ModelFile`",
        ),
        (
            "ModelFile=\"dgbb\"",
            "",
            "warning: <SubModel> has no attribute `ModelFile`",
        ),
        (
            "<InterfacePoint Name=\"oil\"",
            "<InterfacePoint",
            "error: <InterfacePoint> has no attribute `Name`",
        ),
        (
            "From=\"shaft.tlm\"",
            "",
            "error: <Connection> has no attribute `From`",
        ),
        ("To=\"pump.oil\"", "", "error: <Connection> has no attribute `To`"),
        (
            "Delay=\"1e-4\"",
            "",
            "error: <Connection> has no attribute `Delay`",
        ),
        ("Zf=\"1e9\"", "", "error: <Connection> has no attribute `Zf`"),
        (
            "StartTime=\"0.0\"",
            "",
            "error: <SimulationParams> has no attribute `StartTime`",
        ),
        (
            "StopTime=\"1.0\"",
            "",
            "error: <SimulationParams> has no attribute `StopTime`",
        ),
        (
            "SimulationParams",
            "Params",
            "error: the meta-model has no <SimulationParams>",
        ),
    ] {
        let said = said(what, with);
        assert!(said.contains(message), "{what}: {said}");
    }
}

#[test]
fn whatever_makes_no_sense_is_told() {
    for (what, with, message) in [
        ("Delay=\"1e-3\"", "Delay=\"-1\"", "error: `Delay` must be above 0"),
        (
            "Delay=\"1e-3\"",
            "Delay=\"INF\"",
            "error: `Delay` of <Connection> must be a finite number",
        ),
        (
            "Delay=\"1e-3\"",
            "Delay=\"soon\"",
            "error: `Delay` of <Connection> must be a number",
        ),
        (
            "Zf=\"1e4\"",
            "Zf=\"NaN\"",
            "error: `Zf` of <Connection> must be a finite number",
        ),
        ("Zf=\"1e4\"", "Zf=\"-1\"", "error: `Zf` must be greater than 0"),
        (
            "alpha=\"0.2\"",
            "alpha=\"1\"",
            "error: `alpha` must be from 0 to below 1",
        ),
        (
            "alpha=\"0.2\"",
            "Alpha=\"0.2\"",
            "warning: `Alpha` of <Connection> is not known and changes nothing",
        ),
        (
            "From=\"shaft.tlm\"",
            "From=\"shafttlm\"",
            "error: `shafttlm` is not the end of a connection",
        ),
        (
            "From=\"shaft.tlm\"",
            "From=\"shift.tlm\"",
            "error: there is no sub-model `shift`",
        ),
        (
            "From=\"shaft.tlm\"",
            "From=\"shaft.tml\"",
            "error: sub-model `shaft` has no interface point `tml`",
        ),
        (
            "From=\"shaft.tlm\"",
            "From=\"brg.bIR'cs1\"",
            "error: `brg.bIR'cs1` is connected to itself",
        ),
        (
            "To=\"pump.speed\"",
            "To=\"brg.oil\"",
            "error: `brg.oil` is connected twice",
        ),
        (
            "Causality=\"input\"",
            "Causality=\"output\"",
            "error: `shaft.speed` (output) does not fit `pump.speed` (output)",
        ),
        (
            "Causality=\"input\"",
            "Causality=\"in\"",
            "error: `in` is not a causality",
        ),
        (
            "Dimensions=\"1\" Domain=\"Hydraulic\"",
            "Domain=\"Hydraulic\"",
            "error: `brg.oil` has 6 and `pump.oil` 1 degrees",
        ),
        (
            "Domain=\"Hydraulic\"",
            "Domain=\"electric\"",
            "warning: `brg.oil` is electric and `pump.oil` is hydraulic",
        ),
        (
            "Domain=\"Hydraulic\"",
            "Domain=\"magic\"",
            "warning: the domain `magic` is not known",
        ),
        ("Causality=\"output\" ", "", "error: a signal goes one way"),
        (
            "Position=\"0,-0.1,0\"",
            "Position=\"0,1\"",
            "error: `Position` of <InterfacePoint> must be three numbers",
        ),
        (
            "Position=\"0,-0.1,0\"",
            "Position=\"0,1,2,3\"",
            "warning: `Position` has 4 elements",
        ),
        (
            "Position=\"0,-0.1,0\"",
            "Position=\"0,INF,0\"",
            "error: `Position` of <InterfacePoint> must be three numbers",
        ),
        (
            "Position=\"0,-0.1,0\"",
            "Dimensions=\"3\"",
            "warning: `Dimensions` is 3 and counts as 6",
        ),
        (
            "Position=\"0,-0.1,0\"",
            "Dimensions=\"2\"",
            "error: `Dimensions` must be 1 or 6",
        ),
        (
            "Name=\"pump\"",
            "Name=\"brg\"",
            "error: there are two sub-models `brg`",
        ),
        (
            "Name=\"pump\"",
            "Name=\"the.pump\"",
            "error: the name `the.pump` has '.' in it",
        ),
        (
            "Name=\"pump\"",
            "Name=\"\"",
            "error: the name of this <SubModel> is empty",
        ),
        (
            "Name=\"speed\" Dim",
            "Name=\"tlm\" Dim",
            "error: there are two interface points `tlm` in one sub-model",
        ),
        (
            "Name=\"speed\" Dim",
            "Name=\"a:b\" Dim",
            "error: the name `a:b` has ':' in it",
        ),
        (
            "StartCommand=\"StartShaft\"",
            "StartCommand=\" \"",
            "error: `StartCommand` names no program",
        ),
        (
            "ExactStep=\"1\"",
            "ExactStep=\"yes\"",
            "warning: `ExactStep` is `yes` and counts as 0",
        ),
        (
            "StopTime=\"1.0\"",
            "StopTime=\"0\"",
            "error: `StopTime` (0) must be after `StartTime` (0)",
        ),
        (
            "StopTime=\"1.0\"",
            "StopTime=\"INF\"",
            "error: `StopTime` of <SimulationParams> must be a finite number",
        ),
        (
            "ManagerPort=\"11113\"",
            "ManagerPort=\"70000\"",
            "error: `ManagerPort` must be from 1 to 65535",
        ),
        (
            "WriteTimeStep=\"1e-3\"",
            "WriteTimeStep=\"0\"",
            "error: `WriteTimeStep` must be above 0",
        ),
        ("SubModels", "Models", "error: the meta-model has no sub-models"),
    ] {
        let text = match what {
            "SubModels" => BEARING.replace(what, with),
            _ => String::new(),
        };
        let said = match text.is_empty() {
            true => said(what, with),
            false => parse(&text).1.render_all(false),
        };
        assert!(said.contains(message), "{what} -> {with}:\n{said}");
    }
    let long = format!("Value=\"{}\"", "9".repeat(100));
    assert!(said("Value=\"7.5\"", &long).contains("does not fit into a message"));
}

#[test]
fn nothing_connected_is_worth_a_word() {
    let start = BEARING.find("<Connections>").unwrap();
    let end = BEARING.find("</Connections>").unwrap() + "</Connections>".len();
    let (model, reporter) = parse(&(BEARING[..start].to_owned() + &BEARING[end..]));
    assert!(!reporter.has_errors());
    assert!(reporter.render_all(false).contains("nothing is connected"));
    assert_eq!(model.unwrap().connections.len(), 0);
    let (_, reporter) = parse(&BEARING.replacen(
        "<InterfacePoint Name=\"oil\"",
        "<InterfacePoint Name=\"x\"/><InterfacePoint Name=\"oil\"",
        1,
    ));
    assert!(reporter.render_all(false).contains("`brg.x` is not connected"));
}

/// To ask tools for their interface points, only they themselves are needed.
#[test]
fn sub_models_alone() {
    let mut reporter = Reporter::new();
    let text = BEARING.replace("Delay=\"1e-3\"", "").replace("Name=\"tlm\"", "");
    let model = tlm::parse(Source::new("bearing.xml", text), Extent::SubModels, &mut reporter).unwrap();
    assert_eq!(reporter.render_all(false), "");
    assert_eq!((model.sub_models.len(), model.interfaces.len()), (3, 0));
}

#[test]
fn a_file_that_is_not_there_or_not_xml() {
    let mut reporter = Reporter::new();
    assert!(tlm::load("no/such.xml".as_ref(), Extent::Whole, &mut reporter).is_none());
    assert!(
        reporter
            .render_all(false)
            .contains("the meta-model cannot be read")
    );
    let (model, reporter) = parse("<Model><SubModels>");
    assert!(model.is_none() && reporter.has_errors());
}

#[test]
fn slips_of_the_pen_are_told_and_others_ignored() {
    let right = r#"<Model><SubModels>
<SubModel Name="a" StartCommand="none" ModelFile="a" Extent="1"><InterfacePoint Name="t" Dimensions="1"/></SubModel>
<SubModel Name="b" StartCommand="none" ModelFile="b"><InterfacePoint Name="t" Dimensions="1"/></SubModel></SubModels>
<Connections><Connection From="a.t" To="b.t" Delay="1e-3" Zf="200" alpha="0.2" colour="red"/></Connections>
<SimulationParams StartTime="0" StopTime="1" WriteTimeStep="0.1" MonitorPort="12111"/></Model>"#;
    assert_eq!(parse(right).1.render_all(false), "");
    let cases = [
        (
            "alpha=",
            "alfa=",
            "`alfa` of <Connection>",
            "did you mean `alpha`?",
        ),
        (
            "Extent=",
            "ExactStp=",
            "`ExactStp` of <SubModel>",
            "did you mean `ExactStep`?",
        ),
        (
            "WriteTimeStep=",
            "WriteTimestep=",
            "`WriteTimestep` of",
            "did you mean `WriteTimeStep`?",
        ),
        (
            "Zf=",
            "zf=",
            "error: <Connection> has no attribute `Zf`",
            "did you mean `Zf` where you wrote `zf`?",
        ),
        (
            "Delay=",
            "Dealy=",
            "no attribute `Delay`",
            "where you wrote `Dealy`?",
        ),
        (
            "StopTime=",
            "Stoptime=",
            "no attribute `StopTime`",
            "where you wrote `Stoptime`?",
        ),
        (
            "ModelFile=\"a\"",
            "Modelfile=\"a\"",
            "no attribute `ModelFile`",
            "`ModelFile`",
        ),
    ];
    for (what, with, message, advice) in cases {
        assert!(right.contains(what), "{what}");
        let said = parse(&right.replacen(what, with, 1)).1.render_all(false);
        assert!(said.contains(message) && said.contains(advice), "{with}: {said}");
        assert_eq!(said.matches("= help").count(), 1, "{said}");
    }
    // One that is there is not what was meant by another that is near to it.
    let said = parse(&right.replace("Zf=\"200\"", "Zfr=\"3\""))
        .1
        .render_all(false);
    assert!(
        said.contains("no attribute `Zf`") && !said.contains("did you mean"),
        "{said}"
    );
}

#[test]
fn parameters_count_whatever_is_asked_for() {
    let mut reporter = Reporter::new();
    let model = tlm::parse(Source::new("b.xml", BEARING), Extent::SubModels, &mut reporter).unwrap();
    assert_eq!(model.parameter(2, "displacement"), Some(1));
    assert!(model.interfaces.is_empty());
}

#[test]
fn what_is_not_done_between_processes_is_told() {
    let text = BEARING.replacen(
        "Compensate=\"true\"",
        "Compensate=\"1\" Interpolation=\"linear\"",
        1,
    );
    let (model, mut reporter) = parse(&text);
    tlm::warn_between_processes(&model.unwrap(), &mut reporter);
    let said = reporter.render_all(false);
    assert!(
        said.contains("`Compensate` is ignored between processes") && said.contains("`cardan run` does it"),
        "{said}"
    );
    assert!(
        said.contains("bearing.xml:") && !said.contains("`Interpolation`"),
        "{said}"
    );
    let off = text.replace("Compensate=\"1\"", "Compensate=\"0\"");
    let (model, mut reporter) = parse(&off);
    tlm::warn_between_processes(&model.unwrap(), &mut reporter);
    assert_eq!(reporter.render_all(false), "");
}
