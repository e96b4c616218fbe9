//! The systems of a description, their elements and connectors, before they are flattened.

use super::bindings::Files;
use crate::diagnostic::{Reporter, Span, Spanned};
use crate::spec::{ComponentSpec, ConnectorKind, ConnectorSpec, Hop};
use crate::xml::Folder;
use cardan_core::interface::UnitDefinition;
use cardan_core::value::ValueType;
use std::collections::HashMap;

/// Everything that was read.
pub(super) struct Tree<'f> {
    pub(super) folder: &'f Folder,
    pub(super) components: Vec<Component>,
    pub(super) systems: Vec<System>,
    pub(super) dictionaries: Vec<HashMap<String, usize>>,
    /// Connectors of systems and entries of dictionaries: places that values pass through.
    pub(super) stops: Vec<Stop>,
    pub(super) links: Vec<Link>,
    pub(super) values: Vec<Value>,
    /// How many parameter sets were bound.
    pub(super) sets: usize,
    pub(super) units: Vec<UnitDefinition>,
    /// Flattened names, and where they were given.
    pub(super) names: HashMap<String, Span>,
    /// Elements were lost to mistakes, so that nothing should be called missing.
    pub(super) broken: bool,
    /// The place of the outermost system.
    pub(super) root_span: Option<Span>,
    pub(super) files: Files,
}

/// A component and its connectors by name.
pub(super) struct Component {
    pub(super) spec: ComponentSpec,
    pub(super) connectors: HashMap<String, usize>,
}

impl Component {
    /// The kind of a connector, if the description tells.
    pub(super) fn kind(&self, name: &str) -> Option<ConnectorKind> {
        let index = *self.connectors.get(name)?;
        self.spec.connectors.get(index).map(|c| c.kind.value)
    }
}

/// A system.
pub(super) struct System {
    /// What its elements' flattened names begin with: nothing for the root, `axle.` for others.
    pub(super) prefix: String,
    pub(super) parent: Option<usize>,
    /// How deep it lies; 0 for the root.
    pub(super) level: usize,
    /// Its connectors.
    pub(super) stops: HashMap<String, usize>,
    pub(super) members: HashMap<String, Member>,
    pub(super) dictionaries: HashMap<String, usize>,
}

/// An element of a system, by its place in the tree.
#[derive(Clone, Copy)]
pub(super) enum Member {
    Component(usize),
    System(usize),
    Dictionary(usize),
}

/// A connector of a system, or an entry of a signal dictionary.
pub(super) struct Stop {
    /// With the name of its system, for people.
    pub(super) name: String,
    pub(super) kind: ConnectorKind,
    pub(super) unit: Option<Spanned<String>>,
    pub(super) value_type: Option<Spanned<ValueType>>,
}

/// One end of a connection.
#[derive(Clone)]
pub(super) enum Place {
    Port {
        component: usize,
        /// With the indices of an element.
        port: Spanned<String>,
        kind: Option<ConnectorKind>,
    },
    Stop {
        stop: usize,
        span: Span,
    },
}

impl Place {
    pub(super) fn span(&self) -> Span {
        match self {
            Place::Port { port, .. } => port.span,
            Place::Stop { span, .. } => *span,
        }
    }
}

/// A connection as written, in the direction of the data.
pub(super) struct Link {
    pub(super) from: Place,
    pub(super) to: Place,
    pub(super) hop: Hop,
    /// Neither end says which one drives.
    pub(super) undirected: bool,
    /// It hands over parameters, not signals.
    pub(super) parameter: bool,
}

/// Whom a parameter set is for.
#[derive(Clone, Copy)]
pub(super) enum Owner {
    Component(usize),
    System(usize),
}

/// A value for a parameter or an input, by its name as seen from the owner.
pub(super) struct Value {
    pub(super) owner: Owner,
    /// How deep the owner lies: values from outside count more.
    pub(super) level: usize,
    pub(super) name: Spanned<String>,
    pub(super) literal: Spanned<crate::spec::Literal>,
    /// Was it named in a mapping, so that it must be there?
    pub(super) mapped: bool,
    /// The number of its parameter set.
    pub(super) set: usize,
}

impl<'f> Tree<'f> {
    pub(super) fn new(folder: &'f Folder, units: Vec<UnitDefinition>) -> Self {
        Tree {
            folder,
            components: Vec::new(),
            systems: Vec::new(),
            dictionaries: Vec::new(),
            stops: Vec::new(),
            links: Vec::new(),
            values: Vec::new(),
            sets: 0,
            units,
            names: HashMap::new(),
            broken: false,
            root_span: None,
            files: Files::default(),
        }
    }

    /// Adds a place that values pass through.
    pub(super) fn stop(&mut self, name: String, connector: ConnectorSpec) -> usize {
        self.stops.push(Stop {
            name,
            kind: connector.kind.value,
            unit: connector.unit,
            value_type: connector.value_type,
        });
        self.stops.len() - 1
    }

    /// Notes the name of an element of a system. Says no where it is taken.
    pub(super) fn name(&mut self, system: usize, name: &Spanned<String>, reporter: &mut Reporter) -> bool {
        if name.value.is_empty() || name.value.contains(char::is_control) {
            reporter
                .error(name.span, format!("`{}` is no name", name.value.escape_debug()))
                .advice("use letters, digits, `-` and `_`");
            return false;
        }
        let full = format!("{}{}", self.systems[system].prefix, name.value);
        if let Some(first) = self.names.get(&full) {
            reporter
                .error(name.span, format!("there are two elements called `{full}`"))
                .label("again")
                .related(*first, "first here")
                .advice("give every element of a system a name of its own");
            return false;
        }
        self.names.insert(full, name.span);
        true
    }

    /// Takes over units that a file defines; the first definition of a name counts.
    pub(super) fn add_units(&mut self, units: &[UnitDefinition]) {
        for unit in units {
            if !self.units.iter().any(|known| known.name == unit.name) {
                self.units.push(unit.clone());
            }
        }
    }
}
