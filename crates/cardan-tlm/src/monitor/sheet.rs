//! Rows of a result, made of samples as they arrive.
//!
//! A row at `T` holds what was at `T`. The public monitor writes what was two delays earlier (one for signals), calls that the
//! row's time, and misses the start; [`Style::Compatible`] does the same, so that files can be compared.

use super::columns::Watched;
use crate::general::general;
use crate::plugin::Kind;
use crate::plugin::orientation_at;
use crate::track::{Place, Reading, Track};

/// Whose rows are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Each at its own time, with digits that read back to the same bits.
    #[default]
    Right,
    /// Those of the public monitor, text for text.
    Compatible,
}

/// When rows are written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Span {
    /// The start of the run.
    pub start: f64,
    /// Its end.
    pub stop: f64,
    /// The time from row to row.
    pub step: f64,
}

/// Samples that become rows.
#[derive(Debug)]
pub struct Sheet {
    watched: Vec<Watched>,
    tracks: Vec<Track>,
    /// The first sample of each, which compatible rows ask for again.
    firsts: Vec<Option<Vec<f64>>>,
    span: Span,
    style: Style,
    rows: u64,
    /// The time of the last row, as the public monitor adds it up.
    reached: f64,
    complete: bool,
    cells: Vec<f64>,
}

/// Times that differ by this part of the span are the same.
const SAME: f64 = 1e-12;

impl Sheet {
    /// A sheet without rows.
    pub fn new(watched: Vec<Watched>, span: Span, style: Style) -> Self {
        Sheet {
            tracks: watched
                .iter()
                .map(|point| Track::new(point.kind.width() - 1))
                .collect(),
            firsts: vec![None; watched.len()],
            watched,
            span,
            style,
            rows: 0,
            reached: span.start,
            complete: false,
            cells: Vec::new(),
        }
    }

    /// The first line of the file.
    pub fn header(&self) -> String {
        let mut line = String::from("\"time\"");
        for name in self.watched.iter().flat_map(Watched::names) {
            line.push_str(",\"");
            line.push_str(&name.replace('"', "\"\""));
            line.push('"');
        }
        line.push('\n');
        line
    }

    /// Takes a sample of the point of that index. Those that go back in time are left out, and so are those that
    /// came again.
    pub fn take(&mut self, index: usize, sample: &[f64]) {
        let (Some(track), Some(first)) = (self.tracks.get_mut(index), self.firsts.get_mut(index)) else {
            return;
        };
        if track.push(sample) && first.is_none() {
            *first = Some(sample.to_vec());
        }
    }

    /// Rows so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The time of the last row.
    pub fn reached(&self) -> f64 {
        self.reached
    }

    /// Has the last row been written?
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Up to when all interface points are known.
    pub fn least_known(&self) -> f64 {
        let written = self.watched.iter().zip(&self.tracks);
        let known = written.filter(|(point, _)| point.is_written());
        known
            .map(|(_, track)| track.last_time().unwrap_or(f64::NEG_INFINITY))
            .fold(f64::INFINITY, f64::min)
    }

    /// The longest of all delays.
    pub fn longest_delay(&self) -> f64 {
        self.watched.iter().map(|point| point.delay).fold(0.0, f64::max)
    }

    /// Who has sent nothing, or not yet what the next row needs.
    pub fn awaited(&self) -> Vec<&str> {
        let next = self.next_time();
        let written = self.watched.iter().zip(&self.tracks);
        written
            .filter(|(point, track)| {
                point.is_written() && next.is_some_and(|time| !self.has(track, self.read_at(point, time)))
            })
            .map(|(point, _)| point.name.as_str())
            .collect()
    }

    fn same(&self) -> f64 {
        SAME * (self.span.stop - self.span.start)
    }

    /// The time of the next row.
    fn next_time(&self) -> Option<f64> {
        let Span { start, stop, step } = self.span;
        let next = match self.style {
            _ if self.complete => return None,
            Style::Compatible => self.reached + step,
            Style::Right => start + self.rows as f64 * step,
        };
        // Not a sliver before the end.
        let near = match self.style {
            Style::Compatible => 0.0,
            Style::Right => 1e-6 * step,
        };
        Some(if next > stop - near { stop } else { next })
    }

    /// When what a row at `time` holds left the interface point.
    fn read_at(&self, point: &Watched, time: f64) -> f64 {
        match (self.style, point.kind) {
            (Style::Right, _) => time,
            (Style::Compatible, Kind::Input | Kind::Output) => time - point.delay,
            (Style::Compatible, _) => time - point.delay - point.delay,
        }
    }

    /// In compatible rows: has nothing arrived yet, by rule?
    fn is_blank(&self, point: &Watched, time: f64) -> bool {
        self.style == Style::Compatible && time <= self.span.start + point.delay
    }

    fn has(&self, track: &Track, time: f64) -> bool {
        track.last_time().is_some_and(|last| last >= time - self.same())
    }

    /// Appends the next row, if everything it needs is there.
    pub fn next_row(&mut self, text: &mut String) -> bool {
        let Some(time) = self.next_time() else {
            return false;
        };
        let ready = |(point, track): (&Watched, &Track)| {
            !point.is_written() || self.is_blank(point, time) || self.has(track, self.read_at(point, time))
        };
        if !self.watched.iter().zip(&self.tracks).all(ready) {
            return false;
        }
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        if self.is_known(time) {
            let shown = self.gather(time, &mut cells);
            self.write(shown, &cells, text);
        }
        self.cells = cells;
        self.rows += 1;
        self.reached = time;
        self.complete = time >= self.span.stop;
        for (point, track) in self.watched.iter().zip(&mut self.tracks) {
            track.forget(time - 2.0 * point.delay, 2);
        }
        true
    }

    /// Is there something to say at `time`, or is it before the first samples?
    fn is_known(&self, time: f64) -> bool {
        let begun = |first: &Option<Vec<f64>>| first.as_ref().is_some_and(|f| f[0] <= time + self.same());
        let mut all = self.watched.iter().zip(&self.firsts);
        self.style == Style::Compatible || all.all(|(point, first)| !point.is_written() || begun(first))
    }

    /// Writes the cells of a row. The answer is the time that the row shows.
    fn gather(&self, time: f64, cells: &mut Vec<f64>) -> f64 {
        let mut shown = None;
        let compatible = self.style == Style::Compatible;
        for (index, point) in self.watched.iter().enumerate() {
            if !point.is_written() {
                continue;
            }
            let mut sample = vec![0.0; point.kind.width()];
            if self.is_blank(point, time) {
                sample[0] = self.span.start;
            } else {
                self.sample(index, self.read_at(point, time), &mut sample);
            }
            shown = shown.or(Some(sample[0].max(self.span.start)));
            point.cells(&sample, compatible, cells);
        }
        match self.style {
            Style::Right => time,
            Style::Compatible => shown.unwrap_or(time),
        }
    }

    /// What a point had at `time`.
    fn sample(&self, index: usize, time: f64, sample: &mut [f64]) {
        let track = &self.tracks[index];
        match &self.firsts[index] {
            // It counts with its own time.
            Some(first) if time <= first[0] => sample.copy_from_slice(first),
            _ => {
                track.read(time, 1, Reading::LINEAR, &mut sample[1..]);
                sample[0] = time;
                if self.watched[index].kind == Kind::Body && matches!(track.place(time), Place::Between(_)) {
                    sample[4..13].copy_from_slice(&orientation_at(track, time));
                }
            }
        }
    }

    fn write(&self, time: f64, cells: &[f64], text: &mut String) {
        let shown = |number: f64| match self.style {
            Style::Right => format!("{number:?}"),
            Style::Compatible => general(number, 6),
        };
        text.push_str(&shown(time));
        for cell in cells {
            text.push(',');
            text.push_str(&shown(*cell));
        }
        text.push('\n');
    }
}

#[cfg(test)]
mod tests;
