//! Components made from Octave functions.

use super::{Component, Workshop, link};
use cardan_describe::spec::ComponentSpec;
use cardan_describe::{Reporter, Spanned};
use cardan_link::launch::{Launch, Way, launch};

/// The client for Octave, inside of this binary.
const CLIENT: &str = include_str!("../../../../bindings/octave/cardan_serve.m");

const PROGRAM: &str = "octave-cli";

/// The shell puts the protocol on descriptors 3 and 4 and standard error in the place of standard output, so that
/// whatever a script prints harms nothing.
const BOOT: &str = "exec octave-cli --quiet --no-init-file --no-history --eval \
     'eval (getenv (\"CARDAN_CLIENT\")); cardan_serve (getenv (\"CARDAN_SCRIPT\"))' \
     3>&1 1>&2 4<&0 </dev/null";

pub(super) fn create(
    file: &Spanned<String>,
    component: &ComponentSpec,
    workshop: &Workshop<'_>,
    reporter: &mut Reporter,
) -> Component {
    if !workshop.folder.join(&file.value).is_file() || !file.value.ends_with(".m") {
        reporter
            .error(file.span, format!("there is no Octave file `{}`", file.value))
            .label("not found")
            .advice("name a file that ends in .m; paths are relative to the folder of the description");
        return Component::Unknown;
    }
    if !is_installed() {
        reporter
            .error(
                file.span,
                format!("Octave is not there: no program `{PROGRAM}` is found"),
            )
            .advice("install it (Debian: apt install octave), or put it into PATH");
        return Component::Unknown;
    }
    let Some(manner) = link::manner(component, workshop, reporter) else {
        return Component::Unknown;
    };
    let order = Launch {
        command: ["sh", "-c", BOOT].map(str::to_owned).to_vec(),
        folder: workshop.folder.to_owned(),
        environment: vec![
            ("CARDAN_CLIENT".to_owned(), CLIENT.to_owned()),
            ("CARDAN_SCRIPT".to_owned(), file.value.clone()),
        ],
        way: Way::Pipe,
        log: None,
        grace: link::grace(component, reporter),
    };
    link::made(launch(&order, &manner), file.span, component, reporter)
}

fn is_installed() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(PROGRAM).is_file())
}
