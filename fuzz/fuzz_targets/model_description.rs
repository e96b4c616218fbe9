//! Any bytes as a model description: read or refused with a word, never a panic.
#![no_main]

use cardan_describe::{Reporter, Source, xml};
use cardan_fmi::ModelDescription;
use cardan_fmi::description::validate;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (text, _) = xml::decode(bytes);
    let mut reporter = Reporter::new();
    let source = Source::new("modelDescription.xml", text.clone());
    match ModelDescription::read(source, &mut reporter) {
        Some(mut description) => {
            description.read_terminals(Source::new("terminalsAndIcons.xml", text), &mut reporter);
            validate(&description, &mut reporter);
        }
        None => assert!(reporter.has_errors()),
    }
    reporter.render_all(false);
});
