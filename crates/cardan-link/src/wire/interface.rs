//! What a participant shows to the outside.

use super::MOST_ELEMENTS;
use super::malformed::Malformed;
use super::ports::{read_parameter, read_port, write_parameter, write_port};
use super::reader::Reader;
use super::writer::Writer;
use cardan_core::interface::{Causality, Interface, PortId, Terminal, UnitDefinition};
use cardan_core::participant::Participant;
use std::collections::HashSet;

/// What a participant can do beyond stepping, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Abilities(pub u32);

impl Abilities {
    /// It saves and restores states.
    pub const ROLLBACK: Abilities = Abilities(1);
    /// Saved states can leave the process.
    pub const PORTABLE: Abilities = Abilities(1 << 1);
    /// It knows directional derivatives.
    pub const DIRECTIONAL: Abilities = Abilities(1 << 2);
    /// It knows all derivatives at once: a tangent stiffness.
    pub const TANGENT: Abilities = Abilities(1 << 3);
    /// It knows how fast its outputs change.
    pub const SLOPES: Abilities = Abilities(1 << 4);
    /// It shows what happens inside a step.
    pub const TRACE: Abilities = Abilities(1 << 5);
    /// It acts while time stands still.
    pub const EVENTS: Abilities = Abilities(1 << 6);
    /// It knows its outputs before the start.
    pub const PAST: Abilities = Abilities(1 << 7);
    /// It has steps of its own, which can be asked for one by one.
    pub const OWN_STEPS: Abilities = Abilities(1 << 8);

    const ALL: u32 = 0x1ff;

    /// Are the bits of `other` set?
    pub fn has(self, other: Abilities) -> bool {
        self.0 & other.0 == other.0
    }

    /// With the bits of `other`.
    #[must_use]
    pub fn and(self, other: Abilities) -> Abilities {
        Abilities(self.0 | other.0)
    }

    /// What a participant of this process can do.
    pub fn of(participant: &mut dyn Participant) -> Abilities {
        let portable = participant.rollback().map(|r| r.portable().is_some());
        let found = [
            (portable.is_some(), Self::ROLLBACK),
            (portable == Some(true), Self::PORTABLE),
            (participant.derivatives().is_some(), Self::DIRECTIONAL),
            (participant.slopes().is_some(), Self::SLOPES),
            (participant.trace().is_some(), Self::TRACE),
            (participant.events().is_some(), Self::EVENTS),
            (participant.past().is_some(), Self::PAST),
            (participant.own_steps().is_some(), Self::OWN_STEPS),
        ];
        let mut abilities = Abilities::default();
        // Whoever knows one direction can be asked for all of them in one message.
        if participant.derivatives().is_some() {
            abilities = abilities.and(Self::TANGENT);
        }
        for (_, ability) in found.into_iter().filter(|(offered, _)| *offered) {
            abilities = abilities.and(ability);
        }
        abilities
    }
}

/// Writes abilities and interface.
pub fn write_interface(abilities: Abilities, interface: &Interface, writer: &mut Writer<'_>) {
    writer.u32(abilities.0);
    writer.optional(interface.period, |writer, period| {
        writer.f64(period);
    });
    writer.u8(interface.foretold.into());
    writer.count(interface.ports.len());
    for port in &interface.ports {
        write_port(port, writer);
    }
    writer.count(interface.parameters.len());
    for parameter in &interface.parameters {
        write_parameter(parameter, writer);
    }
    write_pairs(&interface.feedthrough, writer);
    writer.optional(interface.initial_feedthrough.as_ref(), |writer, pairs| {
        write_pairs(pairs, writer);
    });
    writer.count(interface.terminals.len());
    for terminal in &interface.terminals {
        writer.text(&terminal.name).count(terminal.members.len());
        for (name, port) in &terminal.members {
            writer.text(name).u32(port.0);
        }
    }
    writer.count(interface.units.len());
    for unit in &interface.units {
        writer.text(&unit.name);
        for exponent in unit.exponents {
            writer.i32(exponent);
        }
        writer.f64(unit.factor).f64(unit.offset);
    }
}

/// Reads abilities and interface, and checks that the parts agree with each other.
pub fn read_interface(payload: &[u8]) -> Result<(Abilities, Interface), Malformed> {
    let mut reader = Reader::new(payload);
    let bits = reader.u32("the abilities")?;
    if bits & !Abilities::ALL != 0 {
        return Err(Malformed::Unknown {
            what: "set of abilities",
            number: bits.into(),
        });
    }
    let period = reader.optional(|reader| reader.f64("the period"))?;
    if period.is_some_and(|period| !(period > 0.0 && period.is_finite())) {
        return contradiction("the period is not positive and finite");
    }
    let mut interface = Interface {
        period,
        foretold: reader.flag("the mark of a foretold participant")?,
        ..Interface::default()
    };
    let count = reader.count(32, "the number of ports")?;
    let mut elements = 0_usize;
    for _ in 0..count {
        let port = read_port(&mut reader)?;
        elements = elements.saturating_add(port.shape.len());
        interface.ports.push(port);
    }
    if elements > MOST_ELEMENTS {
        return Err(Malformed::TooMuch {
            what: "the size of all ports",
            found: elements as u64,
            most: MOST_ELEMENTS as u64,
        });
    }
    let count = reader.count(22, "the number of parameters")?;
    for _ in 0..count {
        interface.parameters.push(read_parameter(&mut reader)?);
    }
    distinct("ports", interface.ports.iter().map(|port| port.name.as_str()))?;
    distinct("parameters", interface.parameters.iter().map(|p| p.name.as_str()))?;
    interface.feedthrough = read_pairs(&interface, &mut reader)?;
    interface.initial_feedthrough = reader.optional(|reader| read_pairs(&interface, reader))?;
    let count = reader.count(8, "the number of terminals")?;
    for _ in 0..count {
        let name = reader.text("the name of a terminal")?.to_owned();
        let members = reader.count(8, "the number of members")?;
        let member = |reader: &mut Reader<'_>| {
            let name = reader.text("the name of a member")?.to_owned();
            Ok((name, known_port(&interface, reader.u32("a port")?)?))
        };
        let members = (0..members)
            .map(|_| member(&mut reader))
            .collect::<Result<_, Malformed>>()?;
        interface.terminals.push(Terminal { name, members });
    }
    let count = reader.count(52, "the number of units")?;
    for _ in 0..count {
        interface.units.push(read_unit_definition(&mut reader)?);
    }
    reader.finish()?;
    Ok((Abilities(bits), interface))
}

fn read_unit_definition(reader: &mut Reader<'_>) -> Result<UnitDefinition, Malformed> {
    let name = reader.text("the name of a unit")?.to_owned();
    let mut exponents = [0; 8];
    for exponent in &mut exponents {
        *exponent = reader.i32("an exponent")?;
    }
    Ok(UnitDefinition {
        name,
        exponents,
        factor: reader.f64("a factor")?,
        offset: reader.f64("an offset")?,
    })
}

fn write_pairs(pairs: &[(PortId, PortId)], writer: &mut Writer<'_>) {
    writer.count(pairs.len());
    for (output, input) in pairs {
        writer.u32(output.0).u32(input.0);
    }
}

fn read_pairs(interface: &Interface, reader: &mut Reader<'_>) -> Result<Vec<(PortId, PortId)>, Malformed> {
    let count = reader.count(8, "the number of pairs of feedthrough")?;
    let mut pairs = Vec::with_capacity(count);
    let mut seen = HashSet::with_capacity(count);
    for _ in 0..count {
        let output = known_port(interface, reader.u32("an output")?)?;
        let input = known_port(interface, reader.u32("an input")?)?;
        let is_input = |id: PortId| interface.ports[id.index()].causality == Causality::Input;
        if is_input(output) || !is_input(input) {
            return contradiction("feedthrough does not lead from an input to an output");
        }
        if seen.insert((output, input)) {
            pairs.push((output, input));
        }
    }
    Ok(pairs)
}

fn known_port(interface: &Interface, number: u32) -> Result<PortId, Malformed> {
    if (number as usize) < interface.ports.len() {
        Ok(PortId(number))
    } else {
        Err(Malformed::Unknown {
            what: "port",
            number: number.into(),
        })
    }
}

fn distinct<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<(), Malformed> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return contradiction(format!("two {what} are named `{name}`"));
        }
    }
    Ok(())
}

fn contradiction<T>(words: impl Into<String>) -> Result<T, Malformed> {
    Err(Malformed::Contradiction(words.into()))
}
