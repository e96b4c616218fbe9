//! Components made from Python classes.

use super::{Begun, Component, Workshop, link};
use cardan_describe::spec::ComponentSpec;
use cardan_describe::{Reporter, Spanned};
use cardan_link::launch::{Launch, Way};

/// The client for Python, inside of this binary: a class needs nothing else to take part.
const CLIENT: &str = include_str!("../../../../bindings/python/cardan/__init__.py");

/// Makes a module of the client, which comes in a variable so that nothing is left on disk, and lets it serve.
const BOOT: &str = "\
import os, sys, types
sys.dont_write_bytecode = True
client = sys.modules['cardan'] = types.ModuleType('cardan')
exec(compile(os.environ.pop('CARDAN_CLIENT'), 'cardan/__init__.py', 'exec'), client.__dict__)
client.main(sys.argv[1])
";

pub(super) fn create(
    text: &Spanned<String>,
    component: &ComponentSpec,
    workshop: &Workshop<'_>,
    reporter: &mut Reporter,
) -> Begun {
    let Some((file, _class)) = text.value.rsplit_once(':').filter(|(file, class)| {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        file.ends_with(".py") && !class.is_empty() && class.chars().all(word)
    }) else {
        reporter
            .error(
                text.span,
                format!("`{}` names no class in a Python file", text.value),
            )
            .advice("write `file.py:Class`");
        return Component::Unknown.into();
    };
    if !workshop.folder.join(file).is_file() {
        reporter
            .error(text.span, format!("there is no file `{file}`"))
            .label("not found")
            .advice("paths are relative to the folder of the description");
        return Component::Unknown.into();
    }
    let Some(manner) = link::manner(component, workshop, reporter) else {
        return Component::Unknown.into();
    };
    let order = Launch {
        command: ["python3", "-c", BOOT, &text.value].map(str::to_owned).to_vec(),
        folder: workshop.folder.to_owned(),
        environment: vec![("CARDAN_CLIENT".to_owned(), CLIENT.to_owned())],
        way: Way::Pipe,
        log: None,
        grace: link::grace(component, reporter),
    };
    link::start(&order, &manner, text.span, component, reporter)
}
