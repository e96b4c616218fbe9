//! The `.run` file: how far the run is, for people and scripts that look at it from time to time.

use super::sheet::Span;
use crate::general::general;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A file that says how far the run is.
#[derive(Debug)]
pub struct RunFile {
    path: PathBuf,
    span: Span,
    begun: Instant,
    written: Option<Instant>,
}

/// How often it is written.
const EVERY: Duration = Duration::from_millis(200);

impl RunFile {
    /// Writes the file for the first time. Steps are counted in `WriteTimeStep`s of the model.
    pub fn begin(path: &Path, span: Span) -> io::Result<Self> {
        let mut file = RunFile {
            path: path.to_owned(),
            span,
            begun: Instant::now(),
            written: None,
        };
        file.write(span.start)?;
        Ok(file)
    }

    /// Writes it anew, if it is some time since.
    pub fn update(&mut self, time: f64) -> io::Result<()> {
        match self.written.is_some_and(|at| at.elapsed() < EVERY) {
            true => Ok(()),
            false => self.write(time),
        }
    }

    /// Says that nothing more will come. There is nobody left to tell if that cannot be written.
    pub fn fail(&mut self, time: f64) {
        let text = status(self.span, time, self.begun.elapsed());
        let text = text.replacen("Running", "Failed", 1);
        // Nothing is left to wait for.
        let known = text.split("Estimated").next().unwrap_or_default();
        let _ = self.replace(&format!("{}\n", known.trim_end_matches('\n')));
    }

    /// Writes it anew.
    pub fn write(&mut self, time: f64) -> io::Result<()> {
        let text = status(self.span, time, self.begun.elapsed());
        self.replace(&text)
    }

    /// A reader finds the old text or the new one, never a mixture.
    fn replace(&mut self, text: &str) -> io::Result<()> {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let new = self.path.with_file_name(name);
        let written = std::fs::File::create(&new)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .and_then(|()| std::fs::rename(&new, &self.path));
        if written.is_err() {
            // What could not be written is of no use half.
            let _ = std::fs::remove_file(&new);
        }
        self.written = Some(Instant::now());
        written
    }
}

/// How far a run is, in words of the public monitor.
pub fn status(span: Span, time: f64, elapsed: Duration) -> String {
    let steps = |to: f64| ((to - span.start) / span.step * (1.0 + 1e-12)) as u64;
    let (all, done) = (steps(span.stop).max(1), steps(time));
    let finished = time >= span.stop;
    let part = (done as f64 / all as f64).min(1.0);
    let left = match (time - span.start) / (span.stop - span.start) {
        made if made > 0.0 => elapsed.as_secs_f64() * (1.0 - made).max(0.0) / made,
        _ => 0.0,
    };
    let left = left.round() as u64;
    format!(
        "Status    : {}\nSim. time : {}\nStep      : {} of {all}\nProgress  : {}%\n{:12}\nEstimated time left: {}:{}:{}\n\n",
        if finished { "Done" } else { "Running" },
        general(time, 6),
        if finished { all } else { done },
        general(if finished { 100.0 } else { 100.0 * part }, 6),
        "",
        left / 3600,
        left / 60 % 60,
        left % 60,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Span = Span {
        start: 0.0,
        stop: 1.0,
        step: 0.001,
    };

    #[test]
    fn the_words_are_those_of_the_public_monitor() {
        let text = status(SPAN, 0.017, Duration::from_secs(17));
        let expected = "Status    : Running\nSim. time : 0.017\nStep      : 17 of 1000\nProgress  : 1.7%\n            \n\
                        Estimated time left: 0:16:23\n\n";
        assert_eq!(text, expected);
        assert!(
            status(SPAN, 1.0, Duration::ZERO)
                .starts_with("Status    : Done\nSim. time : 1\nStep      : 1000 of 1000")
        );
    }

    #[test]
    fn nothing_stale_trails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.run");
        std::fs::write(&path, "x".repeat(5000)).unwrap();
        let mut file = RunFile::begin(&path, SPAN).unwrap();
        file.write(0.123456789).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("Sim. time : 0.123457\n") && text.len() < 200);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        file.fail(0.25);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            text.starts_with("Status    : Failed\nSim. time : 0.25\n"),
            "{text}"
        );
        assert!(!text.contains("Estimated"), "{text}");
        let nowhere = folder.path().join("none").join("m.run");
        assert!(RunFile::begin(&nowhere, SPAN).is_err());
    }
}
