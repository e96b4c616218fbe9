//! One FMU by itself: a system of one component, named after the file.

use cardan_describe::spec::{ComponentSource, ComponentSpec, MethodSpec};
use cardan_describe::{Reporter, Source, Span, Spanned, SystemSpec};
use cardan_fmi::Fmu;
use std::path::Path;

/// A system of that FMU alone, run as its author would.
pub(super) fn describe(path: &Path, fmu: &Fmu, reporter: &mut Reporter) -> SystemSpec {
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    let name = stem.to_string_lossy().into_owned();
    let file = path.file_name().unwrap_or(path.as_os_str());
    // Nobody wrote a description, so what is said of it points to the file.
    let text = file.to_string_lossy().into_owned();
    let source = reporter.add(Source::new(path, text.clone()));
    let span = Span::new(source, 0..text.len());
    let experiment = fmu.description().default_experiment;
    let at = |value: Option<f64>| value.map(|value| Spanned::new(value, span));
    let mut component = ComponentSpec::new(Spanned::new(name.clone(), span));
    component.source = Some(ComponentSource::Fmu(Spanned::new(text, span)));
    let offered = fmu.description().co_simulation.as_ref();
    let inner = offered.and_then(|co_simulation| co_simulation.fixed_internal_step);
    let mut spec = SystemSpec::new(name, span);
    spec.description.clone_from(&fmu.description().description);
    spec.start = at(experiment.start);
    spec.stop = at(experiment.stop);
    spec.method = MethodSpec {
        step: at(experiment
            .step
            .or(inner)
            .filter(|step| *step > 0.0 && step.is_finite())),
        ..MethodSpec::default()
    };
    spec.components.push(component);
    spec
}
