//! Going back by sleeping copies of a process: real processes with threads, sockets and files, and real deaths.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up has failed"
)]

use cardan_core::inputs::Inputs;
use cardan_core::interface::{Interface, Port, PortId};
use cardan_core::participant::{
    Effort, Failure, Outcome, Participant, RunWindow, Settings, StepEnd, StepRequest, Watch,
};
use cardan_core::planes::{Extent, Planes, PlanesMut};
use cardan_core::time::SimTime;
use cardan_link::process::Child;
use cardan_link::{Manner, Remote, isolate};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// What a model does besides counting.
#[derive(Clone, Debug)]
enum Habit {
    None,
    RunsAThread,
    HoldsASocket,
    HoldsAPipe,
    Writes(PathBuf),
    SharesMemory(PathBuf),
    Reads(PathBuf),
    /// Counts from the number of threads that a library would use.
    AsksForThreads,
    /// Dies in the step to that count.
    Crashes(u64),
}

/// Counts its steps in memory, or reads a number from a file in each. It cannot save its state.
struct Counter {
    interface: Interface,
    habit: Habit,
    count: u64,
    file: Option<BufReader<File>>,
    /// Held and never used.
    things: Vec<Box<dyn Send>>,
}

impl Counter {
    fn new(habit: Habit) -> Box<Self> {
        let mut interface = Interface::default();
        interface.port(Port::output("count"));
        Box::new(Counter {
            interface,
            habit,
            count: 0,
            file: None,
            things: Vec::new(),
        })
    }
}

impl Participant for Counter {
    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn bind(&mut self, _inputs: &[PortId], _outputs: &[PortId]) -> Outcome<()> {
        Ok(())
    }

    fn begin_initialization(&mut self, _run: &RunWindow, _settings: &Settings) -> Outcome<()> {
        match &self.habit {
            Habit::None | Habit::Crashes(_) => {}
            Habit::RunsAThread => {
                let builder = std::thread::Builder::new().name("busy".into());
                builder
                    .spawn(|| std::thread::sleep(Duration::from_secs(60)))
                    .unwrap();
            }
            Habit::HoldsASocket => self.things.push(Box::new(UnixStream::pair().unwrap())),
            Habit::HoldsAPipe => self.things.push(Box::new(std::io::pipe().unwrap())),
            Habit::Writes(path) => self.things.push(Box::new(File::create(path).unwrap())),
            Habit::SharesMemory(path) => {
                std::fs::write(path, [0; 4096]).unwrap();
                let mut options = File::options();
                let file = options.read(true).write(true).open(path).unwrap();
                self.things.push(Box::new(shared(&file)));
            }
            Habit::AsksForThreads => {
                let said = std::env::var("OPENBLAS_NUM_THREADS").unwrap_or_default();
                self.count = said.parse().unwrap_or(0);
            }
            // Without room to read ahead, so that the place in the file is the state.
            Habit::Reads(path) => self.file = Some(BufReader::with_capacity(1, File::open(path).unwrap())),
        }
        Ok(())
    }

    fn finish_initialization(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn step(&mut self, _request: StepRequest<'_>) -> Outcome<StepEnd> {
        self.count += 1;
        if let Some(file) = &mut self.file {
            let mut line = String::new();
            file.read_line(&mut line).unwrap();
            self.count = line.trim().parse().unwrap();
        }
        if matches!(self.habit, Habit::Crashes(at) if at == self.count) {
            std::process::abort();
        }
        Ok(StepEnd::Completed)
    }

    fn outputs(&mut self, _at: SimTime, _inputs: &Planes, values: PlanesMut<'_>) -> Outcome<()> {
        values.reals[0] = self.count as f64;
        Ok(())
    }

    fn set_parameters(&mut self, _at: SimTime, _changes: &Settings) -> Outcome<()> {
        Ok(())
    }

    fn terminate(&mut self) -> Outcome<()> {
        Ok(())
    }

    fn effort(&self) -> Effort {
        Effort {
            inner_steps: self.count,
            evaluations: 3 * self.count,
            ..Effort::default()
        }
    }
}

#[allow(unsafe_code, reason = "shared memory is what the test is about")]
fn shared(file: &File) -> memmap2::MmapMut {
    // SAFETY: nobody reads or writes it.
    unsafe { memmap2::MmapMut::map_mut(file) }.unwrap()
}

/// A counter in a process of its own, ready to step.
struct Isolated(Remote);

impl Isolated {
    fn new(habit: Habit) -> Self {
        let manner = Manner {
            call: Some(Duration::from_secs(20)),
            ..Manner::default()
        };
        let mut remote = isolate(Counter::new(habit), &manner).unwrap();
        let run = RunWindow {
            start: SimTime::from_seconds(0.0),
            stop: SimTime::from_seconds(1.0),
            tolerance: None,
        };
        remote.bind(&[], &[PortId(0)]).unwrap();
        remote.begin_initialization(&run, &Settings::default()).unwrap();
        remote.finish_initialization().unwrap();
        Isolated(remote)
    }

    fn step(&mut self) -> Outcome<()> {
        let request = StepRequest {
            from: SimTime::from_seconds(0.0),
            to: SimTime::from_seconds(0.1),
            inputs: Inputs::default(),
            watch: Watch::Nothing,
        };
        self.0.step(request).map(|_| ())
    }

    fn count(&mut self) -> u64 {
        let mut values = Planes::new(Extent {
            reals: 1,
            ..Extent::default()
        });
        let at = SimTime::from_seconds(0.2);
        self.0.outputs(at, &Planes::default(), values.view_mut()).unwrap();
        values.reals[0] as u64
    }

    fn save(&mut self, slot: usize) -> Outcome<()> {
        self.0.rollback().unwrap().save(slot)
    }

    fn restore(&mut self, slot: usize) -> Outcome<()> {
        self.0.rollback().unwrap().restore(slot)
    }

    /// The process that is the first of the family, and whose group all the others belong to.
    fn warden(&self) -> u32 {
        self.0.process_id().unwrap()
    }

    /// All others, those that are ending included.
    fn family(&self) -> Vec<u32> {
        let mut family = members(self.warden());
        family.retain(|process| *process != self.warden());
        family
    }
}

/// The processes of a group, but for those that have ended and were not reaped.
fn members(group: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap();
    let numbers = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let belongs = |process: &u32| {
        let stat = stat(*process);
        stat.len() > 2 && stat[0] != "Z" && stat[2] == group.to_string()
    };
    numbers.filter(belongs).collect()
}

/// State, parent and group of a process, and more; nothing if it is gone.
fn stat(process: u32) -> Vec<String> {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // After the name, which may contain anything.
    let fields = line.rsplit(')').next().unwrap().split_whitespace();
    fields.map(str::to_owned).collect()
}

fn kill(process: u32) {
    let killed = Command::new("kill")
        .args(["-KILL", &process.to_string()])
        .status();
    assert!(killed.unwrap().success());
}

/// Waits until something is so, not for long.
fn eventually(what: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !what() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
    what()
}

fn refusal(habit: Habit) -> Failure {
    let mut isolated = Isolated::new(habit);
    let failure = isolated.save(0).unwrap_err();
    // It is no state that is lost, and the run can go on.
    isolated.step().unwrap();
    assert_eq!(isolated.count(), 1);
    failure
}

/// Against a plain array of numbers, in an order that nobody would think of.
#[test]
fn slots_behave_like_an_array() {
    let mut isolated = Isolated::new(Habit::None);
    let mut slots = [None; 4];
    let (mut count, mut spent, mut random) = (0, 0, 12345_u32);
    for _ in 0..300 {
        random = random.wrapping_mul(1_103_515_245).wrapping_add(12345);
        let slot = (random >> 18) as usize % slots.len();
        match (random >> 24) % 3 {
            0 => {
                isolated.step().unwrap();
                count += 1;
                spent += 1;
            }
            1 => {
                isolated.save(slot).unwrap();
                slots[slot] = Some(count);
            }
            _ => match (isolated.restore(slot), slots[slot]) {
                (Ok(()), Some(saved)) => count = saved,
                (Err(failure), None) => {
                    assert_eq!(failure.message, format!("Nothing was saved in slot {slot}."));
                }
                (outcome, saved) => panic!("{outcome:?} from a slot with {saved:?}"),
            },
        }
        assert_eq!(isolated.count(), count);
        // Work counts even if its result is thrown away.
        let effort = isolated.0.effort();
        assert_eq!((effort.inner_steps, effort.evaluations), (spent, 3 * spent));
    }
    // One that is awake, and no more copies than slots.
    let kept = slots.iter().flatten().count();
    assert!(kept > 2 && eventually(|| isolated.family().len() == 1 + kept));
    let warden = isolated.warden();
    isolated.0.terminate().unwrap();
    assert_eq!(members(warden), [] as [u32; 0]);
}

#[test]
fn there_are_no_more_slots_than_can_be_kept() {
    let mut isolated = Isolated::new(Habit::None);
    let message = isolated.save(16).unwrap_err().message;
    assert_eq!(
        message,
        "There is no slot 16: at most 16 copies of a process are kept."
    );
    isolated.save(15).unwrap();
}

#[test]
fn what_a_copy_would_not_have_for_itself_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log");
    let words = file.display().to_string();
    for (habit, cause) in [
        (Habit::RunsAThread, "the model runs 2 threads"),
        (Habit::HoldsASocket, "the model holds a socket of its own"),
        (Habit::HoldsAPipe, "the model holds a pipe of its own"),
        (
            Habit::Writes(file.clone()),
            &*format!("the model has opened {words} for writing"),
        ),
        (
            Habit::SharesMemory(folder.path().join("memory")),
            "the model shares memory with other processes",
        ),
    ] {
        let failure = refusal(habit);
        let message = failure.message;
        assert!(
            message.starts_with("It does not save its state, and its process cannot be copied instead: "),
            "{message}"
        );
        assert!(message.contains(cause), "{message}");
        assert!(failure.advice.unwrap().contains("method"));
    }
}

/// All copies share the place in a file, so it is set again when one of them wakes up.
#[test]
fn files_that_are_read_are_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("numbers");
    std::fs::write(&file, "10\n20\n30\n40\n50\n").unwrap();
    let mut isolated = Isolated::new(Habit::Reads(file));
    isolated.step().unwrap();
    isolated.save(0).unwrap();
    for _ in 0..3 {
        for expected in [20, 30, 40] {
            isolated.step().unwrap();
            assert_eq!(isolated.count(), expected);
        }
        isolated.restore(0).unwrap();
        assert_eq!(isolated.count(), 10);
    }
}

#[test]
fn a_crash_after_going_back_is_told_as_it_was() {
    let mut isolated = Isolated::new(Habit::Crashes(3));
    isolated.step().unwrap();
    isolated.save(0).unwrap();
    isolated.step().unwrap();
    isolated.save(1).unwrap();
    isolated.restore(0).unwrap();
    isolated.step().unwrap();
    let warden = isolated.warden();
    let begun = Instant::now();
    let message = isolated.step().unwrap_err().message;
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(message.contains("signal 6 (SIGABRT)"), "{message}");
    assert_eq!(members(warden), [] as [u32; 0]);
}

#[test]
fn whoever_is_killed_is_missed() {
    // The one that is awake, after it took over from another.
    let mut isolated = Isolated::new(Habit::None);
    let first = isolated.family();
    isolated.save(0).unwrap();
    isolated.restore(0).unwrap();
    assert!(eventually(|| isolated.family().len() == 2));
    let now = isolated.family();
    assert!(!now.contains(&first[0]), "another one is awake now");
    let warden = isolated.warden();
    // The one that sleeps was made by the one that is awake.
    let awake = now
        .into_iter()
        .find(|process| stat(*process)[1] == warden.to_string());
    kill(awake.unwrap());
    let message = isolated.step().unwrap_err().message;
    assert!(message.contains("SIGKILL"), "{message}");
    assert_eq!(members(warden), [] as [u32; 0]);

    // One that sleeps.
    let mut isolated = Isolated::new(Habit::None);
    let awake = isolated.family();
    isolated.save(0).unwrap();
    let sleeping = isolated
        .family()
        .into_iter()
        .find(|p| !awake.contains(p))
        .unwrap();
    kill(sleeping);
    assert!(eventually(|| isolated.family() == awake));
    isolated.step().unwrap();
    let message = isolated.restore(0).unwrap_err().message;
    assert_eq!(
        message,
        "The state in slot 0 is lost: the process that kept it was ended."
    );
    isolated.step().unwrap();
    assert_eq!(isolated.count(), 2);
}

/// Whatever this program dies of, nobody goes on sleeping.
#[test]
fn copies_end_with_the_program() {
    let (mut here, there) = std::io::pipe().unwrap();
    let mut program = Child::start(|| {
        let mut isolated = Isolated::new(Habit::None);
        for slot in 0..3 {
            isolated.save(slot).unwrap();
        }
        isolated.restore(1).unwrap();
        let mut there = there;
        std::io::Write::write_all(&mut there, &isolated.warden().to_le_bytes()).unwrap();
        std::thread::sleep(Duration::from_secs(60));
        0
    })
    .unwrap();
    let mut number = [0; 4];
    std::io::Read::read_exact(&mut here, &mut number).unwrap();
    let warden = u32::from_le_bytes(number);
    assert!(eventually(|| members(warden).len() == 5));
    program.kill();
    program.wait().unwrap();
    assert!(eventually(|| members(warden).is_empty()));
}

/// The threads of numerical libraries would not be in a copy.
#[test]
fn libraries_are_told_to_use_one_thread() {
    assert_eq!(Isolated::new(Habit::AsksForThreads).count(), 1);
}

/// The system ties processes to the thread that started them, and simulations move between threads.
#[test]
fn a_worker_outlives_the_thread_that_made_it() {
    let mut isolated = std::thread::spawn(|| Isolated::new(Habit::None)).join().unwrap();
    std::thread::sleep(Duration::from_millis(50));
    isolated.step().unwrap();
    isolated.save(0).unwrap();
    isolated.restore(0).unwrap();
    assert_eq!(isolated.count(), 1);
}
