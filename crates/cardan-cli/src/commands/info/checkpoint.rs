//! A checkpoint at a glance.

use crate::console::{self, Paint};
use crate::{json, text};
use cardan::CheckpointHeader;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

pub(super) fn perform(path: &Path, as_json: bool) -> anyhow::Result<ExitCode> {
    let header = CheckpointHeader::read(path)?;
    let size = fs::metadata(path)?.len();
    if as_json {
        json::print(&json!({
            "kind": "checkpoint",
            "file": path.display().to_string(),
            "system": header.system,
            "time": header.time,
            "start": header.window.0,
            "stop": header.window.1,
            "steps": header.steps,
            "method": header.method,
            "components": header.components,
            "version": header.version,
            "bytes": size,
        }))?;
    } else {
        console::print(&page(path, &header, size, Paint::for_output()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn page(path: &Path, header: &CheckpointHeader, size: u64, paint: Paint) -> String {
    let file = path.display().to_string();
    let mut page = format!("{}, a checkpoint of {}\n", paint.bold(&file), header.system);
    let mut line = |what: &str, content: String| {
        page += &format!("  {} {content}\n", paint.dim(&format!("{what:<10}")));
    };
    let steps = text::count(header.steps, "step");
    let (start, stop) = header.window;
    line("stands at", format!("{} s, after {steps}", header.time));
    line("run", format!("from {start} s to {stop} s, {}", header.method));
    line("components", text::listed(&header.components));
    line("written by", format!("cardan {}, {size} bytes", header.version));
    page
}
