//! Whatever is written, reading it ends without a panic.

use super::{GOOD, complaints};
use cardan_core::interface::{Interface, Port};
use cardan_describe::{Overrides, resolve};
use proptest::prelude::*;

/// Everything that is done with a description.
fn exercise(text: &str) {
    let (mut spec, mut reporter) = super::parse(text);
    let overrides = Overrides {
        set: vec!["wheel.mass=1".into(), text.chars().take(30).collect()],
        ..Overrides::default()
    };
    spec.apply(&overrides, &mut reporter);
    spec.check_settings(&mut reporter);
    let mut interface = Interface::default();
    interface.port(Port::output("velocity"));
    interface.port(Port::input("force"));
    let interfaces: Vec<Option<&Interface>> = spec.components.iter().map(|_| Some(&interface)).collect();
    let _ = resolve(&spec, &interfaces, &mut reporter);
    let rendered = reporter.render_all(true);
    assert_eq!(rendered.is_empty(), reporter.sorted().is_empty());
}

proptest! {
    #[test]
    fn arbitrary_text(text in "\\PC{0,200}") {
        exercise(&text);
    }

    #[test]
    fn arbitrary_tokens(tokens in prop::collection::vec(prop::sample::select(vec![
        "[", "]", "[[", "]]", "{", "}", "=", "\n", ".", ",", "\"", "'", "system", "components", "stop", "1.0", "-1",
        "a", "model", "method", "kind", "true", "connections", "from", "µ", "\t", "#", "history", "[[-1, 2]]",
    ]), 0..60)) {
        exercise(&tokens.concat());
    }

    #[test]
    fn a_good_description_damaged(at in 0..GOOD.len(), cut in 0..20_usize, put in "\\PC{0,5}") {
        let start = GOOD.floor_char_boundary(at);
        let end = GOOD.floor_char_boundary((at + cut).min(GOOD.len())).max(start);
        exercise(&format!("{}{put}{}", &GOOD[..start], &GOOD[end..]));
    }
}

#[test]
fn deep_nesting() {
    for (open, close) in [("[", "]"), ("{a=", "}")] {
        let text = format!("x = {}1{}", open.repeat(5000), close.repeat(5000));
        assert!(!complaints(&text).is_empty());
    }
    for (open, close) in [("", "b = 1"), ("[", "b]"), ("[[", "b]]"), ("x = {", "b = 1}")] {
        let text = format!("{open}{}{close}", "a.".repeat(300_000));
        assert!(!complaints(&text).is_empty());
    }
}

#[test]
fn names_of_any_length() {
    let long = "long ".repeat(100_000);
    let text =
        format!("[system]\nstop = 1\n[components.\"{long}\"]\nmodel = 1\n[method]\nkind = \"{long}\"\n");
    let said = complaints(&text);
    assert!(said.len() < 10_000, "{} bytes", said.len());
}
