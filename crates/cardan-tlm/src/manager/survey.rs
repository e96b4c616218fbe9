//! What tools say of themselves when they are asked for their interface points.

use crate::wire::{ByteOrder, InterfaceText, Matrix, Sample1D, Sample3D, angles_of, samples};
use cardan_describe::tlm::{Causality, Dimensions};
use std::fmt::Write;

/// An interface point as its tool describes it.
#[derive(Clone, PartialEq, Debug)]
pub struct SurveyedInterface {
    /// The component.
    pub component: String,
    /// What it said when it registered the interface point.
    pub text: InterfaceText,
    /// Where it is, in the frame of the component.
    pub position: [f64; 3],
    /// How it is turned there.
    pub angles: [f64; 3],
    /// Has it said where it is? Inputs do not.
    pub located: bool,
}

/// A parameter as its tool describes it.
#[derive(Clone, PartialEq, Debug)]
pub struct SurveyedParameter {
    /// The component.
    pub component: String,
    /// Its name.
    pub name: String,
    /// Its value, unless somebody gives another one.
    pub default: String,
}

/// What tools say of themselves.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Survey {
    /// Their interface points, in the order in which they came.
    pub interfaces: Vec<SurveyedInterface>,
    /// Their parameters.
    pub parameters: Vec<SurveyedParameter>,
}

/// The file that a survey is written to.
pub const SURVEY_FILE: &str = "interfaceData.xml";

impl Survey {
    /// The content of [`SURVEY_FILE`].
    pub fn xml(&self) -> String {
        let mut text =
            String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ModelData>\n  <Interfaces>\n");
        for interface in &self.interfaces {
            let InterfaceText {
                name,
                dimensions,
                causality,
                domain,
            } = &interface.text;
            let [x, y, z] = interface.position;
            let [a, b, c] = interface.angles;
            let _ = writeln!(
                text,
                "    <Interface model=\"{}\" Name=\"{}\" Dimensions=\"{dimensions}\" Causality=\"{causality}\" \
                 Domain=\"{}\" Position=\"{x},{y},{z}\" Angle321=\"{a},{b},{c}\"/>",
                escaped(&interface.component),
                escaped(name),
                escaped(domain.text()),
            );
        }
        text.push_str("  </Interfaces>\n  <Parameters>\n");
        for parameter in &self.parameters {
            let _ = writeln!(
                text,
                "    <Parameter model=\"{}\" Name=\"{}\" DefaultValue=\"{}\"/>",
                escaped(&parameter.component),
                escaped(&parameter.name),
                escaped(&parameter.default),
            );
        }
        text.push_str("  </Parameters>\n</ModelData>\n");
        text
    }

    /// The listing for people.
    pub fn listing(&self) -> String {
        let mut text = String::from("Positions and orientations:\n");
        for interface in &self.interfaces {
            let [x, y, z] = interface.position;
            let [a, b, c] = interface.angles;
            let _ = write!(
                text,
                "{}.{}:\nR  : ( {x} {y} {z} )\nphi: ( {a} {b} {c} )\n",
                interface.component, interface.text.name,
            );
        }
        text
    }

    /// Has a component said where all its interface points are?
    pub(super) fn is_complete_for(&self, component: &str) -> bool {
        let mut own = self.interfaces.iter().filter(|i| i.component == component);
        own.all(|interface| interface.located || interface.text.causality != Causality::Bidirectional)
    }

    /// Takes the first samples of an interface point.
    pub(super) fn locate(&mut self, interface: usize, order: ByteOrder, payload: &[u8]) {
        let Some(interface) = self.interfaces.get_mut(interface) else {
            return;
        };
        if interface.located || interface.text.causality != Causality::Bidirectional {
            return;
        }
        // The bare form of registration says 6 for all: what came tells how many there are.
        let in_space = payload.len().is_multiple_of(200);
        if interface.text.dimensions == Dimensions::Six && in_space {
            let sample = samples::<Sample3D>(order, payload)
                .ok()
                .and_then(|mut all| all.next());
            if let Some(sample) = sample {
                interface.position = sample.position;
                interface.angles = tidy(angles_of(&sample.rotation));
                interface.located = true;
            }
        } else if let Some(sample) = samples::<Sample1D>(order, payload)
            .ok()
            .and_then(|mut all| all.next())
        {
            interface.text.dimensions = Dimensions::One;
            interface.position = [sample.position, 0.0, 0.0];
            interface.located = true;
        }
    }
}

/// Minus zero says nothing that zero does not.
fn tidy(angles: [f64; 3]) -> [f64; 3] {
    angles.map(|angle| angle + 0.0)
}

pub(super) const IDENTITY: Matrix = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\t' | '\n' | '\r' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            // XML has no way to write the others.
            c if c.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}
