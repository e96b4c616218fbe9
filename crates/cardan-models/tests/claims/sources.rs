//! Sources follow their laws, at their corners and at awkward sampling periods too.

use cardan_core::interface::Variability;
use cardan_core::participant::Participant;
use cardan_core::planes::Planes;
use cardan_core::time::{Grid, SimTime};
use cardan_core::value::Value;
use cardan_models::{Column, Interpolation, table_from_columns};

use crate::bench::{Bench, at, close, plane, precise, reals};

fn read(source: &mut dyn Participant, t: f64) -> f64 {
    let mut y = [f64::NAN];
    source.outputs(at(t), &Planes::default(), plane(&mut y)).unwrap();
    y[0]
}

fn source(model: &str, values: &[(&'static str, f64)]) -> Box<dyn Participant> {
    Bench::precise(model, values).participant
}

/// The instants at which a source says that it acts, up to `end`.
fn instants(source: &mut Bench, end: f64) -> Vec<f64> {
    let mut instants = Vec::new();
    while let Some(next) = source
        .participant
        .next_instant()
        .map(SimTime::seconds)
        .filter(|t| *t <= end)
    {
        instants.push(next);
        source.hold(next, &[]);
    }
    instants
}

#[test]
fn laws_are_what_their_names_say() {
    assert_eq!(read(&mut *source("constant", &[("value", 4.5)]), 3.0), 4.5);
    let mut step = source("step", &[("time", 0.3), ("before", -1.0), ("after", 2.0)]);
    assert_eq!([0.2, 0.3, 0.4].map(|t| read(&mut *step, t)), [-1.0, 2.0, 2.0]);
    let mut ramp = source(
        "ramp",
        &[
            ("start_time", 1.0),
            ("slope", 2.0),
            ("offset", 5.0),
            ("end_time", 3.0),
        ],
    );
    assert_eq!(
        [0.0, 1.0, 2.0, 3.0, 9.0].map(|t| read(&mut *ramp, t)),
        [5.0, 5.0, 7.0, 9.0, 9.0]
    );
    let mut sine = source(
        "sine",
        &[
            ("amplitude", 2.0),
            ("frequency", 0.5),
            ("phase", 1.0),
            ("offset", 3.0),
        ],
    );
    let expected = 3.0 + 2.0 * (std::f64::consts::PI * 0.7 + 1.0).sin();
    close(read(&mut *sine, 0.7), expected, 1e-15);
}

#[test]
fn tables_hold_join_and_jump() {
    let table = |interpolation: &str| {
        let values = [
            ("times", Value::Reals(vec![1.0, 2.0, 2.0, 4.0])),
            ("values", Value::Reals(vec![10.0, 20.0, 0.0, 8.0])),
            ("interpolation", Value::string(interpolation)),
        ];
        Bench::new("table", &values, &precise()).participant
    };
    let times = [0.0, 1.0, 1.5, 2.0, 3.0, 4.0, 9.0];
    assert_eq!(
        times.map(|t| read(&mut *table("linear"), t)),
        [10.0, 10.0, 15.0, 0.0, 4.0, 8.0, 8.0]
    );
    assert_eq!(
        times.map(|t| read(&mut *table("hold"), t)),
        [10.0, 10.0, 10.0, 0.0, 0.0, 8.0, 8.0]
    );
    assert_eq!(
        table("hold").interface().ports[0].variability,
        Variability::Discrete
    );
    assert_eq!(
        table("linear").interface().ports[0].variability,
        Variability::Continuous
    );
}

#[test]
fn corners_are_announced_once_each() {
    let mut step = Bench::precise("step", &[("time", 0.3)]);
    assert_eq!(instants(&mut step, 9.0), [0.3]);
    let mut ramp = Bench::precise("ramp", &[("start_time", 1.0), ("end_time", 3.0)]);
    assert_eq!(instants(&mut ramp, 9.0), [1.0, 3.0]);
    let mut endless = Bench::precise("ramp", &[]);
    assert_eq!(instants(&mut endless, 9.0), []);
    let rows = [
        ("times", Value::Reals(vec![0.0, 0.5, 0.5, 2.0])),
        ("values", Value::Reals(vec![0.0; 4])),
    ];
    assert_eq!(
        instants(&mut Bench::new("table", &rows, &precise()), 9.0),
        [0.5, 2.0]
    );
}

#[test]
fn sampled_sources_change_at_their_samples_and_not_before() {
    for period in [0.1, 1.0 / 3.0, 1e-3] {
        for start in [0.0, 0.7] {
            let values = reals(&[
                ("period", period),
                ("slope", 1.0),
                ("start_time", -100.0),
                ("offset", -100.0),
            ]);
            let built = crate::bench::build("ramp", &values, &precise()).unwrap();
            assert_eq!(built.interface().period, Some(period));
            assert_eq!(built.interface().ports[0].variability, Variability::Discrete);
            let mut ramp = Bench::with(built, start);
            let grid = Grid::new(at(start), period);
            let mut y = [0.0];
            for k in 1..=1000 {
                let sample = grid.at(k);
                assert_eq!(ramp.participant.next_instant(), Some(sample));
                // The ramp is the time itself.
                let before = read(&mut *ramp.participant, sample.seconds() - 1e-4 * period);
                close(before, grid.at(k - 1).seconds(), 1e-13);
                ramp.hold(sample.seconds(), &[]);
                close(ramp.outputs(&[])[0], sample.seconds(), 1e-13);
            }
            let past = ramp.participant.past().unwrap();
            past.outputs_before(at(start - 0.5 * period), plane(&mut y))
                .unwrap();
            close(y[0], start - period, 1e-13);
        }
    }
}

#[test]
fn sources_know_their_past_and_others_do_not() {
    let mut y = [0.0];
    let mut sine = source("sine", &[]);
    sine.past()
        .unwrap()
        .outputs_before(at(-0.25), plane(&mut y))
        .unwrap();
    close(y[0], -1.0, 1e-15);
    assert!(Bench::precise("mass", &[]).participant.past().is_none());
    assert!(Bench::precise("gain", &[]).participant.past().is_none());
}

#[test]
fn columns_become_ports() {
    let column = |name: &str, unit: Option<&str>, values: Vec<f64>| Column {
        name: name.to_owned(),
        unit: unit.map(str::to_owned),
        values,
    };
    let columns = vec![
        column("speed", Some("m/s"), vec![0.0, 10.0]),
        column("gear", None, vec![1.0, 2.0]),
    ];
    let table = table_from_columns(vec![0.0, 4.0], columns, Interpolation::Linear, 0.0).unwrap();
    let names: Vec<&str> = table.interface().ports.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["speed", "gear"]);
    assert_eq!(table.interface().ports[0].unit.as_deref(), Some("m/s"));
    let mut table = Bench::with(table, 0.0);
    table.hold(1.0, &[]);
    assert_eq!(table.outputs(&[]), [2.5, 1.25]);
}
