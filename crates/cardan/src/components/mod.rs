//! Adapters: from a component of the description to a participant.

mod fmu;
mod interpreter;
mod link;
mod native;
mod process;
mod python;
mod solver;
mod table_file;

use cardan_core::interface::Interface;
use cardan_core::participant::{Participant, Settings};
use cardan_describe::spec::{ComponentSource, ComponentSpec};
use cardan_describe::{Reporter, Span};
use interpreter::{OCTAVE, SCILAB};
use std::path::Path;

/// What became of a component.
pub(crate) enum Component {
    /// A participant, and the parameters it is to be initialised with.
    Made(Box<dyn Participant>, Settings),
    /// A mistake prevents it, which the reporter knows, but its ports are known: connections to it can be checked.
    Refused(Interface),
    /// Nothing is known of it; the reporter knows why.
    Unknown,
}

impl Component {
    /// Its ports, if they are known.
    pub(crate) fn interface(&self) -> Option<&Interface> {
        match self {
            Component::Made(participant, _) => Some(participant.interface()),
            Component::Refused(interface) => Some(interface),
            Component::Unknown => None,
        }
    }
}

/// Makes the components of one system.
pub(crate) struct Workshop<'a> {
    /// Where the description lies.
    folder: &'a Path,
    /// Seconds any one call to another process may take, where the component itself says nothing.
    call_limit: f64,
    fmus: fmu::Opened,
}

impl<'a> Workshop<'a> {
    pub(crate) fn new(folder: &'a Path) -> Self {
        Workshop {
            folder,
            call_limit: f64::INFINITY,
            fmus: fmu::Opened::default(),
        }
    }

    /// With a limit on calls to other processes.
    pub(crate) fn limiting_calls(mut self, seconds: f64) -> Self {
        self.call_limit = seconds;
        self
    }

    /// Makes a component; what is wrong with it goes to the reporter.
    pub(crate) fn make(&mut self, component: &ComponentSpec, reporter: &mut Reporter) -> Component {
        match &component.source {
            None => Component::Unknown,
            Some(ComponentSource::Model(name)) => {
                warn_of_idle_keys(component, reporter);
                native::create(name, component, self.folder, reporter)
            }
            Some(ComponentSource::Fmu(file)) => {
                warn_of_keys_to_come(component, reporter);
                fmu::create(file, component, self, reporter)
            }
            Some(ComponentSource::Process(process)) => process::create(process, component, self, reporter),
            Some(ComponentSource::Python(class)) => python::create(class, component, self, reporter),
            Some(ComponentSource::Connect(address)) => link::connect(address, component, self, reporter),
            Some(ComponentSource::Listen(address)) => link::listen(address, component, self, reporter),
            Some(ComponentSource::Octave(file)) => OCTAVE.create(file, component, self, reporter),
            Some(ComponentSource::Scilab(file)) => SCILAB.create(file, component, self, reporter),
        }
    }
}

/// Keys that mean something to other kinds of components only.
fn warn_of_idle_keys(component: &ComponentSpec, reporter: &mut Reporter) {
    let keys: [(&str, Option<Span>); 4] = [
        ("substeps", component.substeps.as_ref().map(|k| k.span)),
        ("isolate", component.isolate.as_ref().map(|k| k.span)),
        ("parallel", component.parallel.as_ref().map(|k| k.span)),
        ("role", component.role.as_ref().map(|k| k.span)),
    ];
    for (key, span) in keys {
        if let Some(span) = span {
            reporter
                .warning(span, format!("`{key}` has no effect on a built-in model"))
                .advice("leave it out");
        }
    }
}

/// Keys that this version does not heed: whoever relies on them must know.
fn warn_of_keys_to_come(component: &ComponentSpec, reporter: &mut Reporter) {
    if let Some(role) = &component.role {
        reporter
            .warning(role.span, "no method of this version uses `role`")
            .advice("leave it out");
    }
}
