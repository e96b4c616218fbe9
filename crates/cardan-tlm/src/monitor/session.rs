//! A monitor at work: registers, receives, writes, takes leave.

use super::columns::{Domain, Watched};
use super::error::MonitorError;
use super::run_file::RunFile;
use super::sheet::{Sheet, Span, Style};
use crate::plugin::{Connection, Kind, LineReply, Message, Patience, PluginError};
use crate::wire::{self, ByteOrder, Introduction, Secret};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// An interface point of the meta-model.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// `component.interface`.
    pub name: String,
    /// 1 or 6.
    pub dimensions: i32,
    /// `bidirectional`, `input` or `output`.
    pub causality: String,
    /// `mechanical`, `rotational`, …
    pub domain: String,
    /// Does a line end there, according to the meta-model? A manager that says otherwise runs another one.
    pub connected: bool,
}

/// What to watch, and where to write it.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// `host:port` of the manager's port for monitors.
    pub address: String,
    /// All interface points of the meta-model, in its order.
    pub candidates: Vec<Candidate>,
    /// Which rows are written.
    pub rows: Span,
    /// The `WriteTimeStep` of the meta-model, in which progress is counted.
    pub write_step: f64,
    /// Whose rows are written.
    pub style: Style,
    /// Where rows go.
    pub csv: PathBuf,
    /// Where progress goes.
    pub run: PathBuf,
    /// How long to wait for what.
    pub patience: Patience,
    /// What shows a manager that listens to others than this machine that the monitor belongs to it.
    pub secret: Option<Secret>,
}

/// Is told how it goes.
pub trait Audience {
    /// Rows are there up to `time`.
    fn progress(&mut self, _time: f64) {}

    /// Something that the user should know.
    fn warning(&mut self, _text: &str) {}

    /// The manager is waited for.
    fn waiting(&mut self, _text: &str) {}

    /// Something worth a line in a log.
    fn note(&mut self, _text: &str) {}
}

/// How it went.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Rows written, those before the first samples included.
    pub rows: u64,
    /// The time of the last one.
    pub reached: f64,
    /// Interface points that sent nothing about the end of the run, if there are any: rows are missing.
    pub missing: Vec<String>,
}

/// How often rows reach the disk at least, and how long the end may be quiet.
const FLUSH: Duration = Duration::from_millis(200);
const QUIET: Duration = Duration::from_secs(1);

/// Watches a run to its end. Whatever goes wrong, rows of all that had arrived are on disk.
pub fn watch(assignment: &Assignment, audience: &mut dyn Audience) -> Result<Summary, MonitorError> {
    let patience = assignment.patience.clone();
    let mut connection = meet(&assignment.address, patience, audience)?;
    audience.note(&format!("connected to {}", assignment.address));
    let (numbers, mut sheet, early) = register(&mut connection, assignment, audience)?;
    // Opened now, so that a place where nothing can be written is told at once; older rows stay until there are new ones.
    let csv = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&assignment.csv);
    let csv = csv.map_err(|reason| MonitorError::File {
        file: assignment.csv.clone(),
        reason,
    })?;
    let progress = Span {
        step: assignment.write_step,
        ..assignment.rows
    };
    let mut desk = Desk {
        csv: BufWriter::new(csv),
        is_fresh: false,
        run: RunFile::begin(&assignment.run, progress).map_err(|reason| MonitorError::File {
            file: assignment.run.clone(),
            reason,
        })?,
        assignment,
        flushed: Instant::now(),
        text: String::new(),
    };
    if desk.csv.get_ref().metadata().is_ok_and(|file| file.len() == 0) {
        desk.begin(&sheet)?;
    }
    for message in &early {
        take(message, &numbers, &mut sheet)?;
    }
    let watched = desk.follow(&mut connection, &numbers, &mut sheet, audience);
    // A run that came to its end without rows has none.
    let begun = match &watched {
        Ok(()) => desk.begin(&sheet),
        Err(_) => Ok(()),
    };
    let stored = begun.and_then(|()| desk.finish(&mut sheet, audience));
    if watched.is_err() {
        desk.run.fail(sheet.reached());
    }
    watched.and(stored)?;
    let missing = sheet.awaited().iter().map(|name| name.to_string()).collect();
    Ok(Summary {
        rows: sheet.rows(),
        reached: sheet.reached(),
        missing,
    })
}

/// After so long without a manager it is said that one is waited for.
const SOON: Duration = Duration::from_secs(1);

/// Connects to the manager, and says so if that takes time.
fn meet(address: &str, patience: Patience, audience: &mut dyn Audience) -> Result<Connection, PluginError> {
    let begun = Instant::now();
    let soon = Patience {
        meeting: patience.meeting.min(SOON),
        ..patience.clone()
    };
    let rest = patience.meeting.saturating_sub(SOON);
    match Connection::open(address, soon, ByteOrder::NATIVE) {
        Err(PluginError::Unreachable { .. }) if !rest.is_zero() => {}
        met => return met,
    }
    audience.waiting(&format!(
        "There is no manager at {address} yet; trying for {:.0} s.",
        patience.meeting.as_secs_f64()
    ));
    let late = Patience {
        meeting: rest,
        ..patience
    };
    Connection::open(address, late, ByteOrder::NATIVE).map_err(|error| match error {
        PluginError::Unreachable { address, reason, .. } => PluginError::Unreachable {
            address,
            reason,
            seconds: begun.elapsed().as_secs_f64(),
        },
        other => other,
    })
}

/// Numbers of interface points with their places in the sheet.
type Numbers = Vec<(i32, usize, usize)>;

/// Registers everything; what is not connected is left out. Samples may come before all are registered.
fn register(
    connection: &mut Connection,
    assignment: &Assignment,
    audience: &mut dyn Audience,
) -> Result<(Numbers, Sheet, Vec<Message>), MonitorError> {
    let (mut numbers, mut watched, mut early) = (Vec::new(), Vec::new(), Vec::new());
    let mut unknown = Vec::new();
    // It belongs to the first words on a connection.
    let mut secret = assignment.secret.as_ref();
    for candidate in &assignment.candidates {
        let Candidate {
            name,
            dimensions,
            causality,
            domain,
            connected,
        } = candidate;
        let during = format!("registering `{name}`");
        let text = format!("{name}:{dimensions}:{causality}:{domain}");
        let text = Introduction::compose(&text, secret.take());
        connection.send(wire::Kind::RegisterInterface, -1, &text, &during)?;
        let answer = loop {
            let message = connection.receive(&during)?;
            if message.is(wire::Kind::RegisterInterface) {
                break message;
            }
            if !message.is(wire::Kind::TimeData) {
                return Err(strange(&message));
            }
            early.push(message);
        };
        let reply = match LineReply::read(&answer) {
            None => {
                match connected {
                    true => unknown.push(name.as_str()),
                    false => audience.note(&format!("{name} is not connected")),
                }
                continue;
            }
            Some(Ok(reply)) => reply,
            Some(Err(what)) => {
                let interface = name.clone();
                return Err(PluginError::BadLine { interface, what }.into());
            }
        };
        let kind = Kind::of(*dimensions, causality, domain);
        audience.note(&format!("{name} is interface {}", answer.header.interface));
        numbers.push((answer.header.interface, watched.len(), kind.width()));
        watched.push(Watched {
            name: name.clone(),
            kind,
            domain: Domain::of(domain),
            delay: reply.line.delay,
            zf: reply.line.zf,
            zfr: reply.line.zfr,
        });
    }
    if !watched.iter().any(Watched::is_written) {
        return Err(MonitorError::NothingToWatch);
    }
    for name in unknown {
        audience.warning(&format!(
            "the manager does not know `{name}`, or nothing is connected there; it is left out. Does the manager run another \
             meta-model?"
        ));
    }
    let sheet = Sheet::new(watched, assignment.rows, assignment.style);
    Ok((numbers, sheet, early))
}

/// Puts the samples of a message into the sheet.
fn take(message: &Message, numbers: &Numbers, sheet: &mut Sheet) -> Result<(), MonitorError> {
    let number = message.header.interface;
    let Some((_, index, width)) = numbers.iter().find(|(known, ..)| *known == number) else {
        return Err(MonitorError::BadData {
            what: format!("samples of the interface point {number}, which was never registered"),
        });
    };
    let samples = message.numbers().filter(|n| n.len().is_multiple_of(*width));
    let Some(samples) = samples else {
        return Err(MonitorError::BadData {
            what: format!(
                "{} bytes of interface point {number}, which are no whole number of samples",
                message.payload.len()
            ),
        });
    };
    for sample in samples.chunks_exact(*width) {
        sheet.take(*index, sample);
    }
    Ok(())
}

fn strange(message: &Message) -> MonitorError {
    MonitorError::BadData {
        what: format!("a message of type {} to a monitor", message.header.kind.name()),
    }
}

/// The files.
struct Desk<'a> {
    assignment: &'a Assignment,
    csv: BufWriter<File>,
    /// Nothing of an earlier run is in the file.
    is_fresh: bool,
    run: RunFile,
    flushed: Instant,
    text: String,
}

impl Desk<'_> {
    /// Takes away what an earlier run left, and writes the first line.
    fn begin(&mut self, sheet: &Sheet) -> Result<(), MonitorError> {
        if self.is_fresh {
            return Ok(());
        }
        self.is_fresh = true;
        let emptied = self.csv.get_ref().set_len(0);
        // Pipes and devices have no length and hold nothing old.
        if let Err(reason) = emptied.or_else(|reason| match reason.kind() {
            std::io::ErrorKind::InvalidInput => Ok(()),
            _ => Err(reason),
        }) {
            return Err(self.unwritable(reason));
        }
        self.append(&sheet.header())
    }

    fn append(&mut self, text: &str) -> Result<(), MonitorError> {
        let written = self.csv.write_all(text.as_bytes());
        written.map_err(|reason| self.unwritable(reason))
    }

    fn unwritable(&self, reason: std::io::Error) -> MonitorError {
        MonitorError::File {
            file: self.assignment.csv.clone(),
            reason,
        }
    }

    /// Receives until the manager has nothing more to say.
    fn follow(
        &mut self,
        connection: &mut Connection,
        numbers: &Numbers,
        sheet: &mut Sheet,
        audience: &mut dyn Audience,
    ) -> Result<(), MonitorError> {
        let during = "watching the run";
        let (mut asked, mut heard) = (false, Instant::now());
        loop {
            self.rows(sheet, audience)?;
            // Clients may hold back what they never send: near the end, silence is the end.
            let quiet = heard.elapsed() > QUIET && self.is_near_the_end(sheet);
            if !asked && (sheet.is_complete() || quiet) {
                audience.note("asking to close");
                connection.send(wire::Kind::CloseRequest, -1, &[], "taking leave of the manager")?;
                asked = true;
            }
            let message = match connection.receive_within(FLUSH, during) {
                Ok(Some(message)) => message,
                Ok(None) => continue,
                // All rows are there: how the manager ends is its affair.
                Err(_) if sheet.is_complete() => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            heard = Instant::now();
            if message.is(wire::Kind::TimeData) {
                take(&message, numbers, sheet)?;
            } else if message.is(wire::Kind::ClosePermission) {
                audience.note("the manager has closed");
                return Ok(());
            }
        }
    }

    fn is_near_the_end(&self, sheet: &Sheet) -> bool {
        let Span { start, stop, .. } = self.assignment.rows;
        sheet.least_known() >= stop - sheet.longest_delay() - 1e-9 * (stop - start)
    }

    /// Writes the rows that are complete.
    fn rows(&mut self, sheet: &mut Sheet, audience: &mut dyn Audience) -> Result<(), MonitorError> {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        while sheet.next_row(&mut text) {}
        let news = !text.is_empty();
        if news {
            self.begin(sheet)?;
            self.append(&text)?;
        }
        self.text = text;
        if self.flushed.elapsed() >= FLUSH {
            self.flush(sheet.reached(), false)?;
        }
        if news {
            audience.progress(sheet.reached());
        }
        Ok(())
    }

    fn flush(&mut self, reached: f64, last: bool) -> Result<(), MonitorError> {
        self.flushed = Instant::now();
        self.csv.flush().map_err(|reason| self.unwritable(reason))?;
        let written = match last {
            true => self.run.write(reached),
            false => self.run.update(reached),
        };
        written.map_err(|reason| MonitorError::File {
            file: self.assignment.run.clone(),
            reason,
        })
    }

    fn finish(&mut self, sheet: &mut Sheet, audience: &mut dyn Audience) -> Result<(), MonitorError> {
        self.rows(sheet, audience)?;
        self.flush(sheet.reached(), true)
    }
}
