//! What monitors write.

use crate::stage::{Mass, Stage, assignment, client, model, xml};
use cardan_describe::tlm::MetaModel;
use cardan_tlm::manager::Ending;
use cardan_tlm::monitor::{Audience, Style, watch};
use cardan_tlm::plugin::Arithmetic;
use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use std::time::Duration;

const POINT: &str = "Name=\"tlm\" Dimensions=\"1\" Domain=\"mechanical\"";
const STOP: f64 = 0.05;
const STEP: f64 = 5e-4;

struct Nobody;
impl Audience for Nobody {}

fn two_masses() -> MetaModel {
    model(&xml(
        &[("m1", &[POINT]), ("m2", &[POINT])],
        &[("m1.tlm", "m2.tlm")],
        "Delay=\"1e-3\" Zf=\"50\"",
        STOP,
    ))
}

fn mass(name: &'static str, stiffness: f64) -> Mass {
    Mass {
        name,
        points: &["tlm"],
        mass: 1.0,
        stiffness,
        position: 0.01,
        step: STEP,
        stop: STOP,
        rest: Duration::from_millis(300),
    }
}

type Runs = [thread::JoinHandle<Vec<[f64; 3]>>; 2];

fn start(address: SocketAddr) -> Runs {
    [("m1", 1000.0), ("m2", 4000.0)].map(|(name, stiffness)| {
        thread::spawn(move || {
            let plugin = client(address, name, STOP, Arithmetic::default()).unwrap();
            mass(name, stiffness).run(plugin).unwrap()
        })
    })
}

fn table(folder: &Path) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(folder.join("model.csv")).unwrap();
    let rows = text.lines().skip(1);
    rows.map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect()
}

/// Each row is bit for bit what the clients had at that time, from the start to the end, for a monitor that was there
/// from the beginning and for one that came late.
#[test]
fn rows_hold_what_was_at_their_time() {
    let model = two_masses();
    let stage = Stage::open(model.clone(), true);
    let (components, monitors) = (stage.components, stage.monitors.unwrap());
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let jobs = folders
        .each_ref()
        .map(|folder| assignment(&model, monitors, folder.path(), STEP, Style::Right));
    let [first, late] = jobs;
    let first = thread::spawn(move || watch(&first, &mut Nobody));
    let late = thread::spawn(move || {
        thread::sleep(Duration::from_millis(150));
        watch(&late, &mut Nobody)
    });
    let states: Vec<_> = start(components)
        .into_iter()
        .map(|run| run.join().unwrap())
        .collect();
    let summary = first.join().unwrap().unwrap();
    assert_eq!(
        (summary.rows, summary.reached, summary.missing.len()),
        (101, STOP, 0)
    );
    late.join().unwrap().unwrap();
    assert_eq!(stage.outcome().ending, Ending::Completed);
    for folder in &folders {
        let rows = table(folder.path());
        assert_eq!(rows.len(), 101);
        for (k, row) in rows.iter().enumerate() {
            for (mass, state) in states.iter().enumerate() {
                let [t, x, v] = state[k];
                assert!((row[0] - t).abs() < 1e-15);
                // Times of rows are computed in another way than those of steps: the last bit may differ.
                assert!((row[1 + 3 * mass] - x).abs() < 1e-15, "row {k}");
                assert!((row[2 + 3 * mass] - v).abs() < 1e-12, "row {k}");
            }
        }
        let run = std::fs::read_to_string(folder.path().join("model.run")).unwrap();
        assert!(
            run.starts_with("Status    : Done\nSim. time : 0.05\nStep      : 1000 of 1000\n"),
            "{run}"
        );
    }
}

/// The same run as the public monitor writes it: two delays late, with six digits.
#[test]
fn compatible_rows_are_late() {
    let model = two_masses();
    let stage = Stage::open(model.clone(), true);
    let folder = tempfile::tempdir().unwrap();
    let job = assignment(
        &model,
        stage.monitors.unwrap(),
        folder.path(),
        STEP,
        Style::Compatible,
    );
    let watching = thread::spawn(move || watch(&job, &mut Nobody));
    let [first, second] = start(stage.components);
    let states = first.join().unwrap();
    second.join().unwrap();
    watching.join().unwrap().unwrap();
    assert_eq!(stage.outcome().ending, Ending::Completed);
    let rows = table(folder.path());
    // The first two rows are in the first delay, so there is nothing yet.
    assert!(rows[1][..].iter().all(|cell| *cell == 0.0));
    for row in &rows[4..99] {
        let state = states.iter().find(|[t, ..]| (t - row[0]).abs() < 1e-9).unwrap();
        // Six digits are right to half of the last one.
        assert!((row[1] - state[1]).abs() <= 5.1e-6 * state[1].abs());
    }
    assert!((rows[99][0] - (STOP - 2e-3)).abs() < 1e-9);
}

/// The manager ends in the middle: what had arrived is there, and the failure is told.
#[test]
fn rows_survive_the_manager() {
    let model = two_masses();
    let stage = Stage::open(model.clone(), true);
    let folder = tempfile::tempdir().unwrap();
    let job = assignment(&model, stage.monitors.unwrap(), folder.path(), STEP, Style::Right);
    let watching = thread::spawn(move || watch(&job, &mut Nobody));
    let address = stage.components;
    // One goes in the middle, and the other waits for it.
    let [gone, waits] = [("m1", 1000.0, 0.02), ("m2", 4000.0, STOP)].map(|(name, stiffness, stop)| {
        thread::spawn(move || {
            let plugin = client(address, name, STOP, Arithmetic::default()).unwrap();
            let mass = Mass {
                stop,
                ..mass(name, stiffness)
            };
            mass.run(plugin).is_err()
        })
    });
    thread::sleep(Duration::from_millis(800));
    stage.handle.stop();
    assert_eq!(stage.outcome().ending, Ending::Interrupted);
    let error = watching.join().unwrap().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the connection to the manager is lost"),
        "{error}"
    );
    assert!(gone.join().unwrap() && waits.join().unwrap(), "they hear of it");
    assert_eq!(table(folder.path()).len(), 41);
    let run = std::fs::read_to_string(folder.path().join("model.run")).unwrap();
    assert!(run.starts_with("Status    : Failed\nSim. time : 0.02\n"), "{run}");
}

/// Rows of an earlier run stay until there are new ones: a manager that is not there, or that ends before it says anything,
/// costs nobody their results.
#[test]
fn old_rows_stay_until_there_are_new_ones() {
    let model = two_masses();
    let folder = tempfile::tempdir().unwrap();
    let old = "\"time\",\"old\"\n0,1\n";
    std::fs::write(folder.path().join("model.csv"), old).unwrap();
    let rows = || std::fs::read_to_string(folder.path().join("model.csv")).unwrap();
    // Nobody is there.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = port.local_addr().unwrap();
    drop(port);
    let mut job = assignment(&model, nobody, folder.path(), STEP, Style::Right);
    job.patience.meeting = Duration::ZERO;
    watch(&job, &mut Nobody).unwrap_err();
    assert_eq!(rows(), old);
    // Somebody hangs up.
    let door = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let rude = door.local_addr().unwrap();
    let visit = thread::spawn(move || drop(door.accept().unwrap()));
    let job = assignment(&model, rude, folder.path(), STEP, Style::Right);
    watch(&job, &mut Nobody).unwrap_err();
    visit.join().unwrap();
    assert_eq!(rows(), old);
    // A manager whose tools never come answers, but has no samples.
    let stage = Stage::open(model.clone(), true);
    let job = assignment(&model, stage.monitors.unwrap(), folder.path(), STEP, Style::Right);
    let run = job.run.clone();
    let watching = thread::spawn(move || watch(&job, &mut Nobody));
    // The progress file is there as soon as everything is registered.
    while !run.exists() {
        thread::sleep(Duration::from_millis(5));
    }
    stage.handle.stop();
    assert_eq!(stage.outcome().ending, Ending::Interrupted);
    watching.join().unwrap().unwrap_err();
    assert_eq!(rows(), old);
    // Now there are some.
    let stage = Stage::open(model.clone(), true);
    let job = assignment(&model, stage.monitors.unwrap(), folder.path(), STEP, Style::Right);
    let watching = thread::spawn(move || watch(&job, &mut Nobody));
    for run in start(stage.components) {
        run.join().unwrap();
    }
    watching.join().unwrap().unwrap();
    assert_eq!(stage.outcome().ending, Ending::Completed);
    assert_eq!(table(folder.path()).len(), 101, "the new rows alone");
}
