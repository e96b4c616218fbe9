//! Parameters that the meta-model has and nobody asks for.

use crate::bench::{PAIR, Running, quick};

/// The pair, ready, after m1 has asked for some parameters.
fn begins(text: &str, asked: &[&str]) -> Running {
    let running = Running::start(text, quick());
    let (mut m1, mut m2) = (running.connect(), running.connect());
    m1.register("m1", &["tlm"]);
    m2.register("m2", &["tlm"]);
    for name in asked {
        m1.send(6, -1, format!("{name}:0").as_bytes());
        assert_eq!(m1.receive().kind, 6);
    }
    m2.send(6, -1, b"mass:0");
    m2.receive();
    for client in [&mut m1, &mut m2] {
        client.send(4, -1, b"");
    }
    for client in [&mut m1, &mut m2] {
        assert_eq!(client.receive().id, 1);
    }
    running.handle.stop();
    running.outcome();
    running
}

#[test]
fn a_misspelt_parameter_is_told_with_its_place() {
    let text = PAIR.replacen("Name=\"mass\" Value=\"2.5\"", "Name=\"mas\" Value=\"2.5\"", 1);
    let warnings = begins(&text, &["mass", "name"]).warnings();
    assert_eq!(
        warnings,
        [
            "model.xml:6: m1 does not ask for the parameter `mas`, so its value changes nothing; did you mean `mass`?"
        ]
    );
}

#[test]
fn what_there_is_is_listed_where_nothing_is_near() {
    let warnings = begins(PAIR, &["mass", "colour"]).warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].starts_with("model.xml:7: m1 does not ask for the parameter `name`")
            && warnings[0].ends_with("it asks for colour, mass."),
        "{warnings:?}"
    );
    let warnings = begins(PAIR, &[]).warnings();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(
        warnings[0].ends_with("it asks for no parameters at all."),
        "{warnings:?}"
    );
}

#[test]
fn what_is_asked_for_needs_no_word() {
    assert_eq!(
        begins(PAIR, &["mass", "name", "more"]).warnings(),
        Vec::<String>::new()
    );
}
