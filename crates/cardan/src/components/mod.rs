//! Adapters: from a component of the description to a participant.

mod native;
mod solver;
mod table_file;

use cardan_core::participant::{Participant, Settings};
use cardan_describe::spec::{ComponentSource, ComponentSpec};
use cardan_describe::{Reporter, Span};
use std::path::Path;

/// A participant and the parameters it is to be initialised with.
pub(crate) struct Component {
    pub(crate) participant: Box<dyn Participant>,
    pub(crate) settings: Settings,
}

/// Creates the participant of a component; `folder` is where the description lies. None means that it cannot be made,
/// and that the reporter knows why.
pub(crate) fn create(component: &ComponentSpec, folder: &Path, reporter: &mut Reporter) -> Option<Component> {
    let source = component.source.as_ref()?;
    match source {
        ComponentSource::Model(name) => {
            warn_of_idle_keys(component, reporter);
            native::create(name, component, folder, reporter)
        }
        other => {
            reporter
                .error(
                    other.span(),
                    format!("this version cannot use a component made from `{}`", other.kind()),
                )
                .label("not available")
                .advice("use a built-in model: `cardan info --models` lists them");
            None
        }
    }
}

/// Keys that mean something to other kinds of components only.
fn warn_of_idle_keys(component: &ComponentSpec, reporter: &mut Reporter) {
    let keys: [(&str, Option<Span>); 4] = [
        ("substeps", component.substeps.as_ref().map(|k| k.span)),
        ("isolate", component.isolate.as_ref().map(|k| k.span)),
        ("parallel", component.parallel.as_ref().map(|k| k.span)),
        ("role", component.role.as_ref().map(|k| k.span)),
    ];
    for (key, span) in keys {
        if let Some(span) = span {
            reporter
                .warning(span, format!("`{key}` has no effect on a built-in model"))
                .advice("leave it out");
        }
    }
}
