//! What must be the same in a system that goes on from a checkpoint.
//!
//! Everything that decides a bit of the results. The end of the run may be another one; where the method chooses steps, so may
//! the limits that follow from it. Threads, isolation, time limits and the file of the results decide nothing.

use crate::components::multibody::mechanism;
use crate::system::System;
use cardan_core::checkpoint::{Damage, Reader, Writer};
use cardan_core::plan::{Plan, Seat};
use cardan_describe::Spanned;
use cardan_describe::spec::{ComponentSource, ComponentSpec, Literal};
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

type Print = [u8; 16];

/// What differs, in words that follow "a system with"; in the order in which one is told rather than the next.
const PARTS: [&str; 6] = [
    "other components",
    "other parameters or start values",
    "another method, order or step (a step that follows from the stop must be given, with --step)",
    "other recorded variables, or another `every`",
    "other connections or readings",
    "other contents of the files that it reads: FMUs, mechanisms, scripts, tables",
];

/// A print of each part of a system.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fingerprint([Print; PARTS.len()]);

impl Fingerprint {
    pub(super) fn of(system: &System) -> Self {
        let plan = &system.plan;
        Fingerprint([
            print(|text| components(system, text)),
            print(|text| {
                write!(
                    text,
                    "{:?}{:?}{:?}",
                    system.settings,
                    opens(plan),
                    changes(system)
                )
            }),
            print(|text| pace(plan, text)),
            print(|text| outputs(plan, text)),
            print(|text| connections(plan, text)),
            files(&system.files_that_decide()),
        ])
    }

    /// What differs, if anything does.
    pub(super) fn difference(&self, other: &Fingerprint) -> Option<&'static str> {
        let mut prints = self.0.iter().zip(&other.0).zip(PARTS);
        prints.find(|((a, b), _)| a != b).map(|(_, words)| words)
    }

    pub(super) fn keep(&self, writer: &mut Writer) {
        self.0.iter().for_each(|print| writer.blob(print));
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Damage> {
        const WHAT: &str = "fingerprints";
        let mut prints = [Print::default(); PARTS.len()];
        for print in &mut prints {
            let found = reader.blob(WHAT)?.try_into();
            *print = found.map_err(|_| Damage::Nonsense { what: WHAT })?;
        }
        Ok(Fingerprint(prints))
    }
}

/// Text that is not kept.
struct Ink(Sha256);

impl Write for Ink {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

impl Ink {
    fn dry(self) -> Print {
        let mut print = Print::default();
        for (to, from) in print.iter_mut().zip(self.0.finalize()) {
            *to = from;
        }
        print
    }
}

fn print(describe: impl FnOnce(&mut Ink) -> fmt::Result) -> Print {
    let mut ink = Ink(Sha256::new());
    // Ink never runs out.
    let _ = describe(&mut ink);
    ink.dry()
}

fn components(system: &System, text: &mut Ink) -> fmt::Result {
    for node in &system.graph.nodes {
        write!(text, "{:?}{:?}", node.name, node.interface)?;
    }
    for component in &system.spec.components {
        let source = component.source.as_ref();
        let model = match source {
            Some(ComponentSource::Model(name)) => Some(&name.value),
            _ => None,
        };
        write!(text, "{:?}{model:?}", source.map(ComponentSource::kind))?;
        if let Some(ComponentSource::Multibody(spec)) = source {
            write!(text, "{:?}", mechanism(spec))?;
        }
        solver(component, text)?;
        let substeps = component.substeps.as_ref().map(|s| s.value);
        let kind = component.fmi_kind.as_ref().map(|k| k.value);
        write!(text, "{substeps:?}{kind:?}")?;
        place(component, text)?;
    }
    Ok(())
}

/// Numbers of mechanisms that their components change.
fn changes(system: &System) -> Vec<(&str, Vec<Option<f64>>)> {
    let components = system.spec.components.iter().filter(|component| {
        let source = component.source.as_ref();
        source.is_some_and(|s| {
            matches!(
                s,
                ComponentSource::Multibody(_) | ComponentSource::MultibodyFile(_)
            )
        })
    });
    let numbers = |value: &Literal| match value {
        Literal::Array(items) => items.iter().map(|item| item.value.number()).collect(),
        value => vec![value.number()],
    };
    components
        .flat_map(|component| &component.parameters)
        .map(|(name, value)| (name.value.as_str(), numbers(&value.value)))
        .collect()
}

/// In which frame and in which units it lives, and where it is touched.
fn place(component: &ComponentSpec, text: &mut Ink) -> fmt::Result {
    fn value<T: Copy>(given: &Option<Spanned<T>>) -> Option<T> {
        given.as_ref().map(|given| given.value)
    }
    if let Some(frame) = &component.frame {
        write!(text, "{:?}{:?}", value(&frame.position), value(&frame.angles))?;
    }
    if let Some(scales) = &component.scales {
        let sizes = [&scales.length, &scales.force, &scales.mass, &scales.time].map(value);
        write!(text, "{sizes:?}")?;
    }
    for marker in &component.markers {
        let names = [&marker.frame, &marker.load].map(|name| name.as_ref().map(|name| &name.value));
        write!(text, "{:?}{names:?}", marker.name.value)?;
        write!(text, "{:?}{:?}", value(&marker.position), value(&marker.angles))?;
    }
    Ok(())
}

fn solver(component: &ComponentSpec, text: &mut Ink) -> fmt::Result {
    let Some(solver) = &component.solver else {
        return Ok(());
    };
    let kind = solver.kind.as_ref().map(|k| &k.value);
    let numbers = [
        &solver.step,
        &solver.max_step,
        &solver.rtol,
        &solver.atol,
        &solver.tolerance,
        &solver.penalty,
        &solver.spectral_radius,
    ];
    let numbers = numbers.map(|number| number.as_ref().map(|n| n.value));
    write!(text, "{kind:?}{numbers:?}")
}

/// Values of inputs that nothing drives.
fn opens(plan: &Plan) -> Vec<&cardan_core::planes::Planes> {
    plan.seats.iter().map(|seat| &seat.open).collect()
}

fn pace(plan: &Plan, text: &mut Ink) -> fmt::Result {
    let method = &plan.method;
    write!(text, "{:?}{:?}{:?}", method.sweep, plan.start, plan.window.start)?;
    write!(text, "{:?}{:?}", plan.order, plan.waves)?;
    write!(text, "{:?}{:?}", method.solver, plan.repeats)?;
    write!(text, "{:?}{:?}{:?}", plan.correction, plan.bonds, plan.lines)?;
    write!(text, "{}", method.pacing.identity())?;
    // Where the method chooses steps, the shortest of all follows from the length of the run, and grids are for the longest only.
    let chosen = plan.needs.shortest_step.is_some();
    if !chosen {
        write!(text, "{:?}", plan.resolution)?;
    }
    for seat in &plan.seats {
        if !chosen || seat.has_own_grid {
            write!(text, "{:?}", seat.grid)?;
        }
    }
    Ok(())
}

fn outputs(plan: &Plan, text: &mut Ink) -> fmt::Result {
    for column in &plan.columns.schema.columns {
        write!(text, "{:?}{:?}", column.name, column.value_type)?;
    }
    write!(text, "{:?}{:?}", plan.columns.sources, plan.columns.every)?;
    for seat in &plan.seats {
        write!(text, "{:?}{:?}", seat.outputs, seat.output_extent)?;
    }
    Ok(())
}

fn connections(plan: &Plan, text: &mut Ink) -> fmt::Result {
    for seat in &plan.seats {
        let Seat {
            real_inputs,
            held_wires,
            ..
        } = seat;
        write!(text, "{:?}{real_inputs:?}{held_wires:?}", seat.inputs)?;
        write!(text, "{:?}{:?}", seat.wants_slopes, seat.past)?;
    }
    write!(text, "{:?}{:?}", plan.exchange, plan.initial)
}

/// What is in files. One that cannot be read has been complained about elsewhere, if it matters.
fn files(paths: &[PathBuf]) -> Print {
    let mut ink = Ink(Sha256::new());
    for path in paths {
        let read = |path: &Path| -> io::Result<Sha256> {
            let mut contents = Hashing(Sha256::new());
            io::copy(&mut File::open(path)?, &mut contents)?;
            Ok(contents.0)
        };
        match read(path) {
            Ok(contents) => ink.0.update(contents.finalize()),
            Err(_) => ink.0.update(b"unread"),
        }
    }
    ink.dry()
}

struct Hashing(Sha256);

impl io::Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
