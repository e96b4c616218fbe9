//! Components made from a command.

use super::{Begun, Component, Workshop, link};
use cardan_describe::Reporter;
use cardan_describe::spec::{ComponentSpec, ProcessSpec, TransportKind};
use cardan_link::launch::{Launch, Way};
use cardan_link::transport::Waiting;

pub(super) fn create(
    process: &ProcessSpec,
    component: &ComponentSpec,
    workshop: &Workshop<'_>,
    reporter: &mut Reporter,
) -> Begun {
    let Some(manner) = link::manner(component, workshop, reporter) else {
        return Component::Unknown.into();
    };
    let folder = match &process.folder {
        Some(folder) => link::path(folder, workshop),
        None => workshop.folder.to_owned(),
    };
    let owned = |(name, value): &(cardan_describe::Spanned<String>, _)| {
        let value: &cardan_describe::Spanned<String> = value;
        (name.value.clone(), value.value.clone())
    };
    let order = Launch {
        command: process.command.iter().map(|word| word.value.clone()).collect(),
        folder,
        environment: process.environment.iter().map(owned).collect(),
        way: way(process, reporter),
        log: process.log.as_ref().map(|file| link::path(file, workshop)),
        grace: link::grace(component, reporter),
    };
    link::start(&order, &manner, process.span, component, reporter)
}

fn way(process: &ProcessSpec, reporter: &mut Reporter) -> Way {
    let spin = process.spin.as_ref().filter(|spin| spin.value);
    let kind = process
        .transport
        .as_ref()
        .map(|kind| kind.value)
        .unwrap_or_default();
    if let Some(spin) = spin
        && kind != TransportKind::SharedMemory
    {
        reporter
            .warning(spin.span, "`spin` has an effect on shared memory only")
            .advice("leave it out, or choose `transport = \"shared-memory\"`");
    }
    match kind {
        TransportKind::Pipe => Way::Pipe,
        TransportKind::Unix => Way::Unix,
        TransportKind::Tcp => Way::Tcp,
        TransportKind::SharedMemory => Way::SharedMemory(match spin {
            Some(_) => Waiting::Spin,
            None => Waiting::Sleep,
        }),
    }
}
