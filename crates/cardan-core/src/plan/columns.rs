//! Where the columns of a result come from.

use super::{Setup, lines};
use crate::graph::{Conversion, Endpoint, Graph, Mapping, ParticipantId};
use crate::interface::{Causality, PortId};
use crate::record::{Column, Schema};
use crate::time::Grid;
use crate::value::{Plane, Value, ValueType};
use std::collections::BTreeMap;

/// The source of one column.
#[derive(Clone, PartialEq, Debug)]
pub enum ColumnSource {
    /// An element of a participant's row. A recorded input is its source's output in other units.
    Row {
        /// Whose row.
        participant: ParticipantId,
        /// Which plane.
        plane: Plane,
        /// Which element.
        index: u32,
        /// Change of units.
        conversion: Conversion,
        /// What values become that are not reals.
        mapping: Mapping,
        /// Between two points: the earlier value? Else the chord, and nothing for a clock.
        held: bool,
    },
    /// An input with nothing connected, which the participant is not given.
    Constant(Value),
    /// One that it is given: whatever the engine writes there.
    Open {
        /// Whose input.
        participant: ParticipantId,
        /// Which plane.
        plane: Plane,
        /// Which element.
        index: u32,
    },
    /// Something of a transmission line.
    Line(LineQuantity),
}

/// What of a transmission line is recorded.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LineQuantity {
    /// The energy of the waves on their way.
    Energy {
        /// Of which line.
        line: u32,
    },
    /// What the line does to the interface at its end, in the unit of the input.
    Load {
        /// Which end of which line.
        end: u32,
        /// Which number of it.
        component: u32,
    },
}

/// What is recorded, and when.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Columns {
    /// Names, types, units.
    pub schema: Schema,
    /// Parallel to the schema's columns.
    pub sources: Vec<ColumnSource>,
    /// The grid of rows; every accepted point if none.
    pub every: Option<Grid>,
}

/// Places of outputs in rows.
pub(super) type Places = BTreeMap<(ParticipantId, PortId), u32>;

pub(super) fn columns(graph: &Graph, setup: &Setup, places: &Places) -> Columns {
    let mut columns = Columns {
        schema: Schema {
            system: setup.system.clone(),
            columns: Vec::new(),
            settings: setup.notes.clone(),
        },
        sources: Vec::new(),
        every: setup.every.map(|every| Grid::new(setup.window.start, every)),
    };
    let mut drivers = BTreeMap::new();
    for connection in &graph.connections {
        let to = connection.to;
        drivers.insert((to.participant, to.port, to.element), connection);
    }
    for &(participant, port) in &setup.record {
        let node = graph.node(participant);
        let shown = &node.interface.ports[port.index()];
        for element in 0..shown.shape.len() as u32 {
            columns.schema.columns.push(Column {
                name: format!(
                    "{}.{}{}",
                    node.name,
                    shown.name,
                    shown.element_suffix(element as usize)
                ),
                value_type: shown.value_type,
                unit: shown.element_unit(element as usize).map(str::to_owned),
                description: shown.description.clone(),
            });
            let row = |owner: Endpoint, element: u32, conversion: Conversion, mapping: Mapping| {
                let place = places.get(&(owner.participant, owner.port)).copied().unwrap_or(0);
                ColumnSource::Row {
                    participant: owner.participant,
                    plane: shown.value_type.plane(),
                    index: place + element,
                    conversion,
                    mapping,
                    held: !graph.is_continuous(owner) && shown.value_type != ValueType::Clock,
                }
            };
            let whole = Endpoint {
                participant,
                port,
                element: None,
            };
            columns.sources.push(if shown.causality != Causality::Input {
                row(whole, element, Conversion::NONE, Mapping::NONE)
            } else if let Some(c) = drivers
                .get(&(participant, port, None))
                .or_else(|| drivers.get(&(participant, port, Some(element))))
            {
                let source_element = match (c.from.element, c.to.element) {
                    (Some(from), _) => from,
                    (None, None) => element,
                    (None, Some(_)) => 0,
                };
                row(c.from, source_element, c.conversion, c.mapping.clone())
            } else if let Some((end, component)) = lines::acting_on(graph, participant, port, element) {
                ColumnSource::Line(LineQuantity::Load { end, component })
            } else if let Some(&first) = places.get(&(participant, port)) {
                ColumnSource::Open {
                    participant,
                    plane: shown.value_type.plane(),
                    index: first + element,
                }
            } else {
                ColumnSource::Constant(open_value(shown, element))
            });
        }
    }
    for &line in &setup.record_lines {
        let port = lines::energy_port();
        columns.schema.columns.push(Column {
            name: format!("{}.{}", graph.lines[line as usize].name, port.name),
            value_type: port.value_type,
            unit: port.unit.clone(),
            description: port.description.clone(),
        });
        columns
            .sources
            .push(ColumnSource::Line(LineQuantity::Energy { line }));
    }
    columns
}

/// The value of one element of an input that nothing drives.
pub(super) fn open_value(port: &crate::interface::Port, element: u32) -> Value {
    let at = element as usize;
    match &port.start {
        Some(Value::Reals(v)) => Value::real(v.get(at).copied().unwrap_or(0.0)),
        Some(Value::Integers(v)) => Value::integer(v.get(at).copied().unwrap_or(0)),
        Some(Value::Booleans(v)) => Value::boolean(v.get(at).copied().unwrap_or(false)),
        Some(Value::Strings(v)) => Value::string(v.get(at).cloned().unwrap_or_default()),
        Some(Value::Binaries(v)) => Value::Binaries(vec![v.get(at).cloned().unwrap_or_default()]),
        None => match port.value_type.plane() {
            Plane::Reals => Value::real(0.0),
            Plane::Integers => Value::integer(0),
            Plane::Booleans => Value::boolean(false),
            Plane::Bytes => Value::string(""),
        },
    }
}
