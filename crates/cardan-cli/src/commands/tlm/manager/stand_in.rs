//! `tlmmanager`: exactly the options that scripts know.

use super::LOG_FILE;
use crate::{console, exit, logging};
use cardan_tlm::manager::{Options, Task};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
Usage: tlmmanager [-d] [-m <monitor-port>] [-p <server-port>] [-r] [-s <submodel>] <metamodel>
  -d                 debug mode: write every detail to TLMlogfile.log
  -m <monitor-port>  open this port for monitors, or the next free one
  -p <server-port>   open this port for tools instead of that of the meta-model (11111), or the next free one
  -r                 interface request mode: ask the tools where their interface points are; writes
                     interfaceData.xml
  -s <submodel>      with -r: only this sub-model
  --version          show the version
  <metamodel>        the XML file of the meta-model

This is `cardan tlm manager` under another name; `cardan tlm manager --help` shows more.
";

#[derive(Debug, Default, PartialEq)]
struct Call {
    debug: bool,
    monitor_port: Option<u16>,
    server_port: Option<u16>,
    request: bool,
    sub_model: Option<String>,
    model: PathBuf,
}

/// The program `tlmmanager`.
pub(crate) fn stand_in() -> ExitCode {
    let words: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if words.iter().any(|word| word == "-h" || word == "--help") {
        return match console::print(USAGE) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => exit::USAGE.into(),
        };
    }
    if words.iter().any(|word| word == "--version") {
        return match console::print(concat!("tlmmanager ", env!("CARGO_PKG_VERSION"), "\n")) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => exit::USAGE.into(),
        };
    }
    let call = match parse(&words) {
        Ok(call) => call,
        Err(mistake) => {
            console::error(&mistake);
            console::note(USAGE);
            return exit::USAGE.into();
        }
    };
    let log_file = call.debug.then_some(Path::new(LOG_FILE));
    let started = logging::start(&logging::Choice::default(), log_file);
    let done = started
        .and_then(|()| {
            console::print(&format!(
                "singleModel = {}\n",
                call.sub_model.as_deref().unwrap_or("")
            ))
        })
        .and_then(|()| {
            if !call.request && call.sub_model.is_some() {
                console::warning("-s is ignored: it counts with -r only, and all sub-models run");
            }
            let options = Options {
                task: match call.request {
                    true => Task::AskForInterfaces(call.sub_model.clone()),
                    false => Task::Simulate,
                },
                port: call.server_port,
                monitor_port: call.monitor_port,
                runner: Some(runner()),
                ..Options::default()
            };
            super::run(&call.model, options, super::Voice::Plain)
        });
    done.unwrap_or_else(|error| {
        console::error(&format!("{error:#}"));
        exit::WRONG.into()
    })
}

/// The program beside this one, which runs models; else the one in `PATH`.
fn runner() -> PathBuf {
    let here = std::env::current_exe().ok();
    let beside = here.and_then(|here| Some(here.parent()?.join("cardan")));
    beside
        .filter(|path| path.exists())
        .unwrap_or_else(|| "cardan".into())
}

/// Options as `getopt` takes them: `-d -p 11113`, `-dp11113`.
fn parse(words: &[String]) -> Result<Call, String> {
    let mut call = Call::default();
    let mut files = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            files.extend(words.by_ref());
            break;
        }
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
            files.push(word);
            continue;
        };
        let mut rest = letters.chars();
        while let Some(letter) = rest.next() {
            match letter {
                'd' => call.debug = true,
                'r' => call.request = true,
                'm' | 'p' | 's' => {
                    let attached = rest.as_str();
                    let value = match attached.is_empty() {
                        true => words
                            .next()
                            .ok_or_else(|| format!("-{letter} needs a value"))?
                            .as_str(),
                        false => attached,
                    };
                    match letter {
                        'm' => call.monitor_port = Some(port(value)?),
                        'p' => call.server_port = Some(port(value)?),
                        _ => call.sub_model = Some(value.to_owned()),
                    }
                    break;
                }
                other => return Err(format!("there is no option -{other}")),
            }
        }
    }
    match files[..] {
        [file] => call.model = PathBuf::from(file),
        [] => return Err("name the XML file of a meta-model".to_owned()),
        _ => return Err("name one meta-model".to_owned()),
    }
    Ok(call)
}

fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| format!("`{text}` is not a port"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(line: &str) -> Result<Call, String> {
        parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_come_in_the_forms_of_getopt() {
        let expected = Call {
            debug: true,
            monitor_port: Some(11116),
            server_port: Some(11115),
            request: false,
            sub_model: None,
            model: "p.xml".into(),
        };
        for line in [
            "-d -p 11115 -m 11116 p.xml",
            "-dp11115 p.xml -m11116",
            "-p 11115 -dm 11116 -- p.xml",
        ] {
            assert_eq!(call(line).as_ref(), Ok(&expected), "{line}");
        }
        for wrong in [
            "",
            "-x p.xml",
            "-p",
            "-p many p.xml",
            "a.xml b.xml",
            "-p 70000 a.xml",
        ] {
            assert!(call(wrong).is_err(), "{wrong}");
        }
    }
}
