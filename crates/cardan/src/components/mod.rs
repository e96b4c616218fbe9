//! Adapters: from a component of the description to a participant.

mod fmu;
mod interpreter;
mod isolated;
mod link;
pub(crate) mod multibody;
mod native;
mod place;
mod process;
mod python;
mod solver;
mod table_file;

use cardan_core::interface::Interface;
use cardan_core::participant::{Participant, Settings};
use cardan_describe::spec::{ComponentSource, ComponentSpec};
use cardan_describe::{Reporter, Span, Spanned};
use cardan_link::transport::Address;
use cardan_record::scene;
use interpreter::{OCTAVE, SCILAB};
use multibody::MechanismSize;
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

/// How far a component has come.
enum Begun {
    /// It is made, or cannot be.
    Done(Component),
    /// Its participant is on its way.
    OnItsWay(link::Expected),
}

impl From<Component> for Begun {
    fn from(component: Component) -> Self {
        Begun::Done(component)
    }
}

/// Makes the components of one system.
pub(crate) struct Workshop<'a> {
    /// Where the description lies.
    folder: &'a Path,
    /// Seconds any one call to another process may take, where the component itself says nothing.
    call_limit: f64,
    fmus: fmu::Opened,
    /// Where components listen, each with the name of the component.
    ports: Vec<(Address, Spanned<String>)>,
    mechanisms: multibody::Read,
    /// How large the mechanisms are, by component.
    sizes: Vec<(String, MechanismSize)>,
    /// Mechanisms that are to be drawn.
    scenes: Vec<scene::Mechanism>,
}

impl<'a> Workshop<'a> {
    pub(crate) fn new(folder: &'a Path) -> Self {
        Workshop {
            folder,
            call_limit: f64::INFINITY,
            fmus: fmu::Opened::default(),
            ports: Vec::new(),
            mechanisms: Vec::new(),
            sizes: Vec::new(),
            scenes: Vec::new(),
        }
    }

    /// With a limit on calls to other processes.
    pub(crate) fn limiting_calls(mut self, seconds: f64) -> Self {
        self.call_limit = seconds;
        self
    }

    /// How large the mechanisms are that were made, by component, and what those look like that are to be drawn.
    pub(crate) fn mechanisms(self) -> (Vec<(String, MechanismSize)>, Vec<scene::Mechanism>) {
        (self.sizes, self.scenes)
    }

    /// Makes all components; what is wrong with them goes to the reporter.
    ///
    /// All ports are open and all processes started before the first participant is waited for: in which order they come
    /// does not matter, and they take their time side by side.
    pub(crate) fn make(&mut self, components: &[ComponentSpec], reporter: &mut Reporter) -> Vec<Component> {
        // Those in other processes come last, so that no copy of this process has a line to them.
        let mut begun: Vec<Option<Begun>> = components.iter().map(|_| None).collect();
        for elsewhere in [false, true] {
            for (component, begun) in components.iter().zip(&mut begun) {
                if is_elsewhere(component) == elsewhere {
                    *begun = Some(self.begin(component, reporter));
                }
            }
        }
        let begun = begun
            .into_iter()
            .map(|begun| begun.unwrap_or(Begun::Done(Component::Unknown)));
        let made = link::meet(begun.collect(), components, reporter);
        let placed = made.into_iter().zip(components);
        placed
            .map(|(made, component)| place::place(made, component, reporter))
            .collect()
    }

    fn begin(&mut self, component: &ComponentSpec, reporter: &mut Reporter) -> Begun {
        match &component.source {
            None => Component::Unknown.into(),
            Some(ComponentSource::Model(name)) => {
                warn_of(
                    &["substeps", "isolate", "parallel"],
                    component,
                    "a built-in model",
                    reporter,
                );
                native::create(name, component, self.folder, reporter).into()
            }
            Some(ComponentSource::MultibodyFile(file)) => {
                multibody::from_file(file, component, self, reporter).into()
            }
            Some(ComponentSource::Multibody(mechanism)) => {
                multibody::create(mechanism, component, self, reporter).into()
            }
            Some(ComponentSource::Fmu(file)) => fmu::create(file, component, self, reporter).into(),
            Some(ComponentSource::Process(process)) => process::create(process, component, self, reporter),
            Some(ComponentSource::Python(class)) => python::create(class, component, self, reporter),
            Some(ComponentSource::Connect(address)) => link::connect(address, component, self, reporter),
            Some(ComponentSource::Listen(address)) => link::listen(address, component, self, reporter),
            Some(ComponentSource::Octave(file)) => OCTAVE.create(file, component, self, reporter),
            Some(ComponentSource::Scilab(file)) => SCILAB.create(file, component, self, reporter),
        }
    }
}

/// Is its participant made by another process?
fn is_elsewhere(component: &ComponentSpec) -> bool {
    !matches!(
        component.source,
        None | Some(
            ComponentSource::Model(_)
                | ComponentSource::MultibodyFile(_)
                | ComponentSource::Multibody(_)
                | ComponentSource::Fmu(_)
        )
    )
}

/// Some keys mean something to other kinds of components only.
fn warn_of(idle: &[&str], component: &ComponentSpec, what: &str, reporter: &mut Reporter) {
    let keys: [(&str, Option<Span>); 3] = [
        ("substeps", component.substeps.as_ref().map(|k| k.span)),
        ("isolate", component.isolate.as_ref().map(|k| k.span)),
        ("parallel", component.parallel.as_ref().map(|k| k.span)),
    ];
    for (key, span) in keys.into_iter().filter(|(key, _)| idle.contains(key)) {
        if let Some(span) = span {
            reporter
                .warning(span, format!("`{key}` has no effect on {what}"))
                .advice("leave it out");
        }
    }
}
