//! `[ports.NAME]`

use super::keys::PORTS;
use super::kinds::Kinded;
use super::{Draft, Part};
use crate::diagnostic::{Reporter, Span, Spanned};
use crate::spec::{JointKind, JointSpec, MechanismPort, MechanismPortSpec};
use std::collections::HashMap;

/// Ports that every mechanism has.
const ALWAYS: [&str; 2] = ["energy", "residual"];

/// What the ports of a scene begin with. A frame of this name would have elements that could be bodies as well.
const SCENE: &str = "scene";

impl Draft<'_> {
    pub(super) fn port(&self, part: &Part<'_>, reporter: &mut Reporter) -> Option<MechanismPortSpec> {
        let fields = &part.fields;
        let kinded = Kinded {
            fields,
            entries: part.entries,
            keys: part.keys,
            noun: "port",
            place: part.place(),
        };
        let sort = kinded.sort(PORTS, reporter)?;
        let at = |reporter: &mut Reporter| self.point(fields, "at", reporter);
        let kind = match sort.name {
            "frame" => MechanismPort::Frame { at: at(reporter)? },
            "point" => MechanismPort::Point { at: at(reporter)? },
            "force" => MechanismPort::Force { at: at(reporter)? },
            "motion" => MechanismPort::Motion {
                joint: self.joint_of(fields, reporter)?,
            },
            "effort" => MechanismPort::Effort {
                joint: self.joint_of(fields, reporter)?,
            },
            _ => MechanismPort::Reaction {
                joint: self.joint_of(fields, reporter)?,
            },
        };
        Some(MechanismPortSpec {
            name: part.name.clone(),
            kind,
        })
    }
}

/// Some entries make two ports, and some ports are always there: their names must differ from all others. `joints` are those
/// that make ports, because nothing is said about ports; `scene` is where one is asked for.
pub(super) fn check_clashes(
    ports: &[MechanismPortSpec],
    joints: Option<&[JointSpec]>,
    scene: Option<&Spanned<bool>>,
    reporter: &mut Reporter,
) {
    let mut made: HashMap<String, Span> = HashMap::new();
    let mut make = |name: String, span: Span, reporter: &mut Reporter| {
        if ALWAYS.contains(&name.as_str()) {
            reporter
                .error(span, format!("every mechanism has a port `{name}` already"))
                .label("this name is taken")
                .advice("choose another name");
        } else if let Some(scene) = scene.filter(|_| name == SCENE) {
            reporter
                .error(span, "no port can be called `scene` where there is a scene")
                .label("this name is taken")
                .related(scene.span, "the ports `scene.BODY` come from here")
                .advice("choose another name");
        } else if let Some(first) = made.insert(name.clone(), span) {
            reporter
                .error(span, format!("there would be two ports `{name}`"))
                .related(first, "the other one comes from here")
                .advice("choose another name for one of them");
        }
    };
    for port in ports {
        let name = &port.name.value;
        let second = match port.kind {
            MechanismPort::Frame { .. } => Some("load"),
            MechanismPort::Point { .. } => Some("velocity"),
            MechanismPort::Motion { .. } => Some("speed"),
            MechanismPort::Force { .. } | MechanismPort::Effort { .. } | MechanismPort::Reaction { .. } => {
                None
            }
        };
        make(name.clone(), port.name.span, reporter);
        if let Some(second) = second {
            make(format!("{name}_{second}"), port.name.span, reporter);
        }
    }
    let moving = |joint: &&JointSpec| {
        !matches!(
            joint.kind,
            JointKind::Spherical | JointKind::Universal { .. } | JointKind::Fixed
        )
    };
    for joint in joints.into_iter().flatten().filter(moving) {
        let name = &joint.name.value;
        make(name.clone(), joint.name.span, reporter);
        make(format!("{name}_speed"), joint.name.span, reporter);
    }
}
