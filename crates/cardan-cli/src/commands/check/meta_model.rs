//! A meta-model of tools that come over the network: what it says by itself.

use crate::console::{self, Paint};
use crate::{description, exit, json, text};
use cardan::{Diagnostic, LineReport, Reporter};
use cardan_describe::tlm::{MetaModel, StartCommand};
use serde::Serialize;
use std::path::Path;

/// Shows a meta-model that has been read: the code that goes with what was found.
pub(super) fn perform(
    path: &Path,
    model: &MetaModel,
    reporter: Reporter,
    as_json: bool,
) -> anyhow::Result<u8> {
    description::show(&reporter, path);
    let wrong = reporter.has_errors();
    let code = if wrong { exit::WRONG } else { exit::DONE };
    let lines = cardan::lines_of_tools(model);
    if as_json {
        json::print(&Answer {
            system: &model.name,
            status: if wrong { "failed" } else { "ok" },
            diagnostics: &reporter.finish(),
            lines: &lines,
        })?;
    } else if !wrong {
        console::print(&page(path, model, &lines, Paint::for_output()))?;
    }
    Ok(code)
}

fn page(path: &Path, model: &MetaModel, lines: &[LineReport], paint: Paint) -> String {
    let mut page = format!(
        "{}: no mistakes; {}, {}\n",
        paint.bold(&model.name),
        text::count(model.sub_models.len() as u64, "sub-model"),
        text::count(lines.len() as u64, "line")
    );
    let mut section = |title: &str, content: &str| {
        page += &format!("\n{}\n{}", paint.bold(title), text::indented(content));
    };
    let tools: Vec<String> = model
        .sub_models
        .iter()
        .enumerate()
        .map(|(index, sub_model)| {
            let how = match &sub_model.start_command {
                StartCommand::Nobody => "started by somebody else".to_owned(),
                StartCommand::Cardan => format!("Cardan runs {}", sub_model.model_file),
                StartCommand::Program(program) => format!("{program} runs {}", sub_model.model_file),
            };
            let step = text::number(model.max_step(index), 6);
            format!("{}: {how}, steps up to {step} s", sub_model.name)
        })
        .collect();
    section("Sub-models", &tools.join("\n"));
    let described: Vec<String> = lines
        .iter()
        .map(|line| format!("{}: {}", line.name, line.words()))
        .collect();
    section(
        "Transmission lines, as the public TLM plugin filters their waves",
        &described.join("\n"),
    );
    section("Run it", &format!("cardan tlm manager {}", text::word(path)));
    page
}

/// The answer for machines.
#[derive(Serialize)]
struct Answer<'a> {
    system: &'a str,
    status: &'static str,
    diagnostics: &'a [Diagnostic],
    lines: &'a [LineReport],
}
