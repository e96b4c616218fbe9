//! The plan as text for people and for snapshot tests.

use super::{Plan, RealInput};
use crate::method::Steps;
use std::fmt;

impl Plan {
    /// How connections begin. Lines have a start of their own.
    fn start_of_connections(&self) -> String {
        let is_wire = |input: &RealInput| !matches!(input, RealInput::Open(_) | RealInput::Line { .. });
        let wires = || self.seats.iter().any(|seat| seat.real_inputs.iter().any(is_wire));
        match self.lines.is_empty() {
            true => format!(", {} start", self.start),
            false if wires() => format!(", {} start of the connections beside the lines", self.start),
            false => String::new(),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, stop) = (self.window.start, self.window.stop);
        writeln!(
            f,
            "{} from {start} s to {stop} s{}",
            self.method,
            self.start_of_connections()
        )?;
        let names = |list: &[crate::graph::ParticipantId]| -> String {
            let names: Vec<&str> = list.iter().map(|p| self.seats[p.index()].name.as_str()).collect();
            names.join(", ")
        };
        let waves: Vec<String> = self
            .waves
            .iter()
            .zip(&self.repeats)
            .map(|(wave, repeats)| match repeats {
                false => names(&self.order[wave.clone()]),
                true => format!("({}) until they agree", names(&self.order[wave.clone()])),
            })
            .collect();
        writeln!(f, "step: {}", waves.join(" → "))?;
        if let Some(leader) = self.needs.leader {
            writeln!(f, "leader: {}", self.seats[leader.index()].name)?;
        }
        writeln!(f, "evaluate: {}", names(&self.exchange.feedthrough.sequence))?;
        for circle in &self.exchange.loops {
            writeln!(f, "solve: {}", circle.names.join(", "))?;
        }
        if self.initial.loops != self.exchange.loops {
            for circle in &self.initial.loops {
                writeln!(f, "solve at the start: {}", circle.names.join(", "))?;
            }
        }
        for seat in &self.seats {
            match self.needs.tolerance {
                _ if !seat.has_own_grid && self.needs.steps == Steps::Own => {
                    writeln!(f, "{}: at its own steps", seat.name)?
                }
                Some(_) if !seat.has_own_grid => writeln!(f, "{}:", seat.name)?,
                _ => writeln!(f, "{}: every {} s", seat.name, seat.grid.step())?,
            }
            for (input_name, input) in seat.input_names.iter().zip(&seat.real_inputs) {
                match input {
                    RealInput::Open(value) => writeln!(f, "  {input_name} = {value}")?,
                    RealInput::Line { end, .. } => {
                        let line = &self.lines[*end as usize / 2];
                        writeln!(f, "  {input_name} ⇄ line {}", line.name)?;
                    }
                    RealInput::Wire(w) | RealInput::Rotation(w) | RealInput::RotationRest(w) => {
                        let source = &self.seats[w.source.index()];
                        let name = &source.real_names[w.column as usize];
                        write!(f, "  {input_name} ← {}.{name} ({}", source.name, w.reading)?;
                        write!(
                            f,
                            "{}",
                            if w.leads && self.needs.steps != Steps::Own {
                                ", sees the new step"
                            } else {
                                ""
                            }
                        )?;
                        let c = w.conversion;
                        if c.factor != 1.0 {
                            write!(f, ", × {}", c.factor)?;
                        }
                        if c.offset != 0.0 {
                            write!(f, ", + {}", c.offset)?;
                        }
                        writeln!(f, ")")?;
                    }
                }
            }
            for (wire, (input, output)) in seat.held_wires.iter().zip(&seat.held_names) {
                let source = &self.seats[wire.source.index()].name;
                let new = if wire.leads && self.needs.steps != Steps::Own {
                    ", sees the new step"
                } else {
                    ""
                };
                writeln!(f, "  {input} ← {source}.{output} (hold{new})")?;
            }
        }
        for line in &self.lines {
            let properties = &line.properties;
            writeln!(
                f,
                "line {}: {}, {} s on the way, impedance {}",
                line.name,
                line.medium,
                properties.transport(),
                properties.impedance
            )?;
        }
        for name in &self.bonds.names {
            writeln!(f, "bond: {name}")?;
        }
        let columns: Vec<&str> = self
            .columns
            .schema
            .columns
            .iter()
            .map(|c| c.name.as_str())
            .collect();
        match self.columns.every {
            Some(grid) => writeln!(f, "record every {} s: {}", grid.step(), columns.join(", ")),
            None => writeln!(f, "record every accepted point: {}", columns.join(", ")),
        }
    }
}
