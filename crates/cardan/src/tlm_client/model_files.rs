//! Are the model files of a meta-model there, before anybody is started?

use cardan_describe::tlm::{MetaModel, StartCommand, SubModel};
use cardan_describe::{Reporter, nearest};
use std::path::Path;

/// Reports model files that are not there. What Cardan runs itself needs them; the tools of others may mean something else by
/// the name, so there it is only a warning, where the name looks like that of a file.
pub fn look_for_model_files(
    model: &MetaModel,
    folder: &Path,
    started: impl Fn(&SubModel) -> bool,
    reporter: &mut Reporter,
) {
    for sub_model in model.sub_models.iter().filter(|sub_model| started(sub_model)) {
        let (name, file) = (&sub_model.name, sub_model.model_file.as_str());
        // That it is missing in the meta-model has been told.
        if file.is_empty() {
            continue;
        }
        match &sub_model.start_command {
            StartCommand::Cardan if !is_known(file, folder) => {
                let advice = advice(file, folder);
                reporter
                    .error(
                        sub_model.model_file_span,
                        format!("the model file `{file}` of `{name}` is not there"),
                    )
                    .advice(advice);
            }
            StartCommand::Program(program) if !is_there(file, folder) && looks_like_a_file(file) => {
                reporter
                    .warning(
                        sub_model.model_file_span,
                        format!("the model file `{file}` of `{name}` is neither here nor beside the meta-model"),
                    )
                    .advice(format!(
                        "`{program}` is told this name as it is, in the current folder; all is well if it looks elsewhere"
                    ));
            }
            _ => {}
        }
    }
}

/// Does Cardan find what a sub-model of its own names?
pub(crate) fn is_known(file: &str, folder: &Path) -> bool {
    is_there(file, folder) || cardan_models::find(file).is_some()
}

fn is_there(file: &str, folder: &Path) -> bool {
    folder.join(file).exists() || Path::new(file).exists()
}

fn advice(file: &str, folder: &Path) -> String {
    let models = cardan_models::catalogue().iter().map(|model| model.name);
    if let Some(near) = nearest(file, models) {
        return format!("did you mean the built-in model `{near}`?");
    }
    let names: Vec<String> = std::fs::read_dir(match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    })
    .into_iter()
    .flatten()
    .flatten()
    .map(|entry| entry.file_name().to_string_lossy().into_owned())
    .collect();
    match nearest(file, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "put it beside the meta-model: an FMU, the TOML file of a component, or name a built-in model, which \
                 `cardan info --models` lists"
            .to_owned(),
    }
}

/// Names of models often have dots in them too, but such names begin with a capital behind the dot.
fn looks_like_a_file(name: &str) -> bool {
    let extension = Path::new(name).extension().unwrap_or_default().to_string_lossy();
    let is_usual = (1..=5).contains(&extension.len()) && extension.bytes().all(|b| b.is_ascii_lowercase());
    is_usual || name.contains('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_and_others() {
        for name in ["m1.mo", "models/m1", "shaft.fmu", "pump.v2.toml"] {
            assert!(looks_like_a_file(name), "{name}");
        }
        for name in ["dgbb", "Machines.Pump", "die 0.05", "x.", "a b"] {
            assert!(!looks_like_a_file(name), "{name}");
        }
    }
}
