//! Events at one instant: clocks tick exactly, call in those they drive, and come to rest.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use cardan_core::interface::{Interface, Port, PortId};
use cardan_core::method::Sweep;
use cardan_core::participant::{EventMode, Outcome, Participant, RunWindow, Settings, StepEnd, StepRequest};
use cardan_core::planes::{Planes, PlanesMut};
use cardan_core::record::ColumnData;
use cardan_core::signal::Reading;
use cardan_core::time::{Grid, SimTime};
use cardan_core::value::{Value, ValueType};
use std::sync::{Arc, Mutex};
use support::{Bench, Rows};

/// What happened: the instants of ticks.
type Journal = Arc<Mutex<Vec<f64>>>;

/// Ticks by itself every `grid` step, or when its input clock does; passes every `divisor`-th tick on.
struct Clockwork {
    interface: Interface,
    grid: Option<Grid>,
    divisor: u64,
    ticks: u64,
    inside: bool,
    fresh: bool,
    ticking: bool,
    restless: bool,
    journal: Journal,
}

impl Clockwork {
    fn new(interval: Option<f64>, divisor: u64) -> Self {
        let mut interface = Interface::default();
        let clock = |port: Port| port.typed(ValueType::Clock);
        let tick = interface.port(clock(Port::input("tick")).start(Value::boolean(false)));
        let pass = interface.port(clock(Port::output("pass")));
        interface.port(Port::output("count").typed(ValueType::Integer));
        interface.feeds_through(pass, tick);
        Clockwork {
            interface,
            grid: interval.map(|step| Grid::new(SimTime::default(), step)),
            divisor,
            ticks: 0,
            inside: false,
            fresh: false,
            ticking: false,
            restless: false,
            journal: Journal::default(),
        }
    }

    fn due(&self) -> Option<SimTime> {
        self.grid.map(|grid| grid.at(self.ticks as i64))
    }
}

/// Where the participant stands, for those that ask whether something is pending there.
static STANDS: Mutex<f64> = Mutex::new(0.0);

impl Participant for Clockwork {
    fn interface(&self) -> &Interface {
        &self.interface
    }
    fn bind(&mut self, inputs: &[PortId], outputs: &[PortId]) -> Outcome<()> {
        assert!(inputs.len() <= 1 && outputs.len() == 2);
        Ok(())
    }
    fn begin_initialization(&mut self, run: &RunWindow, _settings: &Settings) -> Outcome<()> {
        *STANDS.lock().unwrap() = run.start.seconds();
        Ok(())
    }
    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn step(&mut self, request: StepRequest<'_>) -> Outcome<StepEnd> {
        *STANDS.lock().unwrap() = request.to.seconds();
        if let Some(due) = self.due() {
            assert!(request.to <= due, "stepped over a tick");
        }
        let held = request.inputs.held_after(request.from);
        assert!(
            !held.booleans.contains(&true),
            "ticks are over when a step begins"
        );
        Ok(StepEnd::Completed)
    }
    fn outputs(&mut self, _at: SimTime, inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        let driven = inputs.booleans.first().copied().unwrap_or(false);
        self.ticking = self.inside && (self.fresh || driven);
        values.booleans[0] = self.ticking && (self.ticks + 1).is_multiple_of(self.divisor);
        values.integers[0] = self.ticks as i64;
        Ok(())
    }
    fn set_parameters(&mut self, _at: SimTime, _changes: &Settings) -> Outcome<()> {
        Ok(())
    }
    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }
    fn next_instant(&self) -> Option<SimTime> {
        self.due()
    }
    fn events(&mut self) -> Option<&mut dyn EventMode> {
        Some(self)
    }
}

impl EventMode for Clockwork {
    fn pending(&self) -> bool {
        self.due()
            .is_some_and(|due| due.seconds() <= *STANDS.lock().unwrap())
    }
    fn enter(&mut self, _at: SimTime) -> Outcome<()> {
        assert!(!self.inside);
        self.inside = true;
        self.fresh = self.pending();
        Ok(())
    }
    fn update(&mut self, at: SimTime) -> Outcome<bool> {
        self.fresh = false;
        if std::mem::take(&mut self.ticking) {
            self.ticks += 1;
            self.journal.lock().unwrap().push(at.seconds());
        }
        Ok(self.restless)
    }
    fn leave(&mut self, _at: SimTime) -> Outcome<()> {
        self.inside = false;
        Ok(())
    }
}

fn column(rows: &Rows, name: &str) -> Vec<bool> {
    let (schema, blocks) = rows.blocks();
    let column = schema.columns.iter().position(|c| c.name == name).unwrap();
    let values = |block: &cardan_core::record::Block| match &block.columns[column] {
        ColumnData::Booleans(values) => values.clone(),
        other => panic!("{other:?}"),
    };
    blocks.iter().flat_map(values).collect()
}

/// A clock of 0.1 s and one that follows every third of its ticks, with a step that fits neither.
fn third(method: Sweep, step: f64, own: Option<f64>) -> (Vec<f64>, Vec<f64>, Rows) {
    let (first, second) = (Clockwork::new(Some(0.1), 3), Clockwork::new(None, 1));
    let journals = [Arc::clone(&first.journal), Arc::clone(&second.journal)];
    let mut bench = Bench::new(method, step, 1.0)
        .add("second", second)
        .add("first", first);
    if let Some(own) = own {
        bench = bench.step(own);
    }
    let (_, rows, result) = bench
        .wire("first.pass", "second.tick", Reading::Hold)
        .record_all()
        .run(1);
    result.unwrap();
    let [first, second] = journals.map(|j| j.lock().unwrap().clone());
    (first, second, rows)
}

#[test]
fn clocks_tick_exactly_and_drive_others_at_the_same_instant() {
    let tenths: Vec<f64> = (0..=10).map(|k| f64::from(k) / 10.0).collect();
    for (method, step, own) in [
        (Sweep::Jacobi, 0.07, None),
        (Sweep::GaussSeidel, 0.07, None),
        (Sweep::Jacobi, 0.07, Some(0.04)),
        (Sweep::GaussSeidel, 0.07, Some(0.04)),
        (Sweep::Jacobi, 0.1, None),
    ] {
        let (first, second, rows) = third(method, step, own);
        assert_eq!(first, tenths, "{method} {step}");
        assert_eq!(second, [0.2, 0.5, 0.8], "{method} {step}");
        let ticks: Vec<f64> = column(&rows, "first.pass")
            .into_iter()
            .zip(rows.times())
            .filter_map(|(ticks, t)| ticks.then_some(t))
            .collect();
        assert_eq!(ticks, [0.2, 0.5, 0.8]);
    }
}

#[test]
fn chattering_ends_with_a_word_on_it() {
    let mut clock = Clockwork::new(Some(0.1), 1);
    clock.restless = true;
    let bench = Bench::new(Sweep::Jacobi, 0.1, 1.0)
        .add("clock", clock)
        .record_all();
    let plan = Arc::new(bench.plan());
    let mut clock = Clockwork::new(Some(0.1), 1);
    clock.restless = true;
    let mut run = cardan_core::run::Run::new(plan, vec![Box::new(clock)], 1, None).unwrap();
    let error = run.initialize(vec![Settings::default()]).unwrap_err();
    assert!(error.message().contains("do not come to rest"), "{error}");
    assert_eq!(error.who(), Some("clock"));
}
