//! Reads a component that takes part in a TLM co-simulation by itself: the keys of a `[components.NAME]` table, and which
//! of its ports an interface point is.
//!
//! ```toml
//! model = "mass-spring-damper"
//! parameters = { mass = 1.0, stiffness = 1000.0 }
//!
//! [interfaces.tlm]
//! flow = "velocity"
//! position = "position"
//! effort = "force"
//! ```

mod keys;

use crate::diagnostic::{Reporter, Source, Spanned};
use crate::load::{MAX_BYTES, text_of};
use crate::spec::{ComponentSpec, Literal};
use crate::toml::Reader;
use crate::toml::component::{say_sourceless, sources};
use crate::toml::fields::Fields;
use std::path::Path;
use std::str::FromStr;

/// A component, and where lines end at it.
#[derive(Clone, PartialEq, Debug)]
pub struct LineClientSpec {
    /// What it is made from.
    pub component: ComponentSpec,
    /// Its interface points, in the order of the file.
    pub interfaces: Vec<InterfaceSpec>,
    /// How waves are treated.
    pub line: LineSpec,
}

/// Which ports an interface point is.
#[derive(Clone, PartialEq, Debug)]
pub struct InterfaceSpec {
    /// As in the meta-model.
    pub name: Spanned<String>,
    /// The output with the velocity.
    pub flow: Option<Spanned<String>>,
    /// The input with the force.
    pub effort: Option<Spanned<String>>,
    /// The output with the position.
    pub position: Option<Spanned<String>>,
    /// The output with the motion of a body.
    pub frame: Option<Spanned<String>>,
    /// The input with its load.
    pub load: Option<Spanned<String>>,
    /// The port with a signal.
    pub value: Option<Spanned<String>>,
    /// What flows.
    pub domain: Option<Spanned<String>>,
    /// Is the flow counted the other way?
    pub negate_flow: bool,
    /// Is the effort counted the other way?
    pub negate_effort: bool,
    /// The effort, or the value, before anything arrives.
    pub initial: Option<f64>,
}

impl InterfaceSpec {
    /// An interface point of which only the name is known.
    pub fn new(name: Spanned<String>) -> Self {
        InterfaceSpec {
            name,
            flow: None,
            effort: None,
            position: None,
            frame: None,
            load: None,
            value: None,
            domain: None,
            negate_flow: false,
            negate_effort: false,
            initial: None,
        }
    }
}

/// How waves are treated at this end.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LineSpec {
    /// What the line does before the first wave.
    pub beginning: LineBeginning,
    /// How waves are read.
    pub reading: LineReading,
    /// How far back the filter looks, in delays.
    pub feedback: Option<f64>,
}

/// What a line does before the first wave.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LineBeginning {
    /// It is there from the start.
    #[default]
    Attached,
    /// It is not felt.
    Compatible,
}

/// How waves are read between samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LineReading {
    /// Straight.
    #[default]
    Linear,
    /// By cubics.
    Cubic,
}

impl FromStr for LineBeginning {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "attached" => Ok(LineBeginning::Attached),
            "compatible" => Ok(LineBeginning::Compatible),
            _ => Err(()),
        }
    }
}

impl FromStr for LineReading {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "linear" => Ok(LineReading::Linear),
            "cubic" => Ok(LineReading::Cubic),
            _ => Err(()),
        }
    }
}

/// Reads the file of a component of that name. None if there was nothing to read; what is wrong inside is reported, and
/// the rest comes back.
pub fn load(file: &Path, name: &str, start: f64, reporter: &mut Reporter) -> Option<LineClientSpec> {
    let text = text_of(file, MAX_BYTES, reporter)?;
    Some(parse(Source::new(file, text), name, start, reporter))
}

/// Reads the text of such a file.
pub fn parse(source: Source, name: &str, start: f64, reporter: &mut Reporter) -> LineClientSpec {
    let (reader, entries) = Reader::open(source, reporter);
    let place = reader.place("the component", reader.whole);
    let fields = Fields::check(&entries, keys::CLIENT, place, reporter);
    let name = Spanned::new(name.to_owned(), reader.whole);
    if sources(&entries).next().is_none() && !reader.broken {
        say_sourceless(&name, reporter);
    }
    LineClientSpec {
        component: reader.component(&name, &entries, &fields, start, reporter),
        interfaces: interfaces(reader, &fields, reporter),
        line: line(reader, &fields, reporter),
    }
}

fn interfaces(reader: Reader, fields: &Fields<'_>, reporter: &mut Reporter) -> Vec<InterfaceSpec> {
    let Some((_, entries)) = fields.table("interfaces") else {
        return Vec::new();
    };
    let mut interfaces = Vec::with_capacity(entries.len());
    for (name, value) in entries {
        let Literal::Table(entries) = &value.value else {
            continue;
        };
        let title = format!("[interfaces.{}]", name.value);
        let place = reader.place(&title, value.span);
        let fields = Fields::check(entries, keys::INTERFACE, place, reporter);
        let is = |key: &str| fields.flag(key).is_some_and(|flag| flag.value);
        let spec = InterfaceSpec {
            flow: fields.text("flow"),
            effort: fields.text("effort"),
            position: fields.text("position"),
            frame: fields.text("frame"),
            load: fields.text("load"),
            value: fields.text("value"),
            domain: fields.text("domain"),
            negate_flow: is("negate_flow"),
            negate_effort: is("negate_effort"),
            initial: fields.number("initial_effort").map(|number| number.value),
            ..InterfaceSpec::new(name.clone())
        };
        check_whole(&spec, reader.broken, reporter);
        interfaces.push(spec);
    }
    interfaces
}

/// Ports come as flow and effort, as frame and load, or as a value.
fn check_whole(spec: &InterfaceSpec, broken: bool, reporter: &mut Reporter) {
    let axis = spec.flow.is_some() || spec.effort.is_some() || spec.position.is_some();
    let body = spec.frame.is_some() || spec.load.is_some();
    let kinds = [axis, body, spec.value.is_some()].into_iter().filter(|is| *is);
    let whole = match kinds.count() {
        1 => {
            (!axis || spec.flow.is_some() && spec.effort.is_some())
                && (!body || spec.frame.is_some() && spec.load.is_some())
        }
        _ => false,
    };
    if !whole && !broken {
        let message = format!(
            "it is not clear which ports the interface point `{}` is",
            spec.name.value
        );
        reporter
            .error(spec.name.span, message)
            .advice("give `flow` and `effort` (and `position`), or `frame` and `load`, or `value`");
    }
}

fn line(reader: Reader, fields: &Fields<'_>, reporter: &mut Reporter) -> LineSpec {
    let Some((span, entries)) = fields.table("line") else {
        return LineSpec::default();
    };
    let fields = Fields::check(entries, keys::LINE, reader.place("[line]", span), reporter);
    LineSpec {
        beginning: fields
            .choice("beginning")
            .map_or_else(Default::default, |c| c.value),
        reading: fields
            .choice("interpolation")
            .map_or_else(Default::default, |c| c.value),
        feedback: fields.number("feedback").map(|number| number.value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (LineClientSpec, Vec<String>) {
        let mut reporter = Reporter::new();
        let spec = parse(Source::new("m1.toml", text), "m1", 0.0, &mut reporter);
        let messages = reporter.sorted().iter().map(|m| m.message.clone()).collect();
        (spec, messages)
    }

    #[test]
    fn ports_and_line_are_read() {
        let (spec, messages) = read(
            "model = \"mass\"\nparameters = { mass = 2.0 }\n[interfaces.tlm]\nflow = \"v\"\neffort = \"f\"\nnegate_effort = true\n\
             [interfaces.y]\nvalue = \"signal\"\ninitial_effort = 3.0\n[line]\ninterpolation = \"cubic\"\nfeedback = 1.0\n",
        );
        assert_eq!(messages, [""; 0]);
        assert_eq!(spec.component.name.value, "m1");
        assert_eq!(spec.component.parameters.len(), 1);
        assert_eq!(spec.interfaces.len(), 2);
        assert!(spec.interfaces[0].negate_effort && !spec.interfaces[0].negate_flow);
        assert_eq!(spec.interfaces[1].initial, Some(3.0));
        assert_eq!(spec.line.reading, LineReading::Cubic);
        assert_eq!(spec.line.beginning, LineBeginning::Attached);
        assert_eq!(spec.line.feedback, Some(1.0));
    }

    #[test]
    fn mistakes_are_told() {
        let (_, messages) = read(
            "[interfaces.a]\nflow = \"v\"\n[interfaces.b]\nframe = \"p\"\nload = \"l\"\nvalue = \"y\"\n[line]\nfeedback = -1\nbegining = \"x\"\n",
        );
        assert_eq!(messages.len(), 5, "{messages:?}");
        assert!(messages[0].contains("does not say what it is made from"));
        assert!(messages[1].contains("which ports the interface point `a` is"));
        assert!(messages[2].contains("which ports the interface point `b` is"));
    }
}
