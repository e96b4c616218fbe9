//! Mistakes as text and as data.

use cardan_describe::{Reporter, Source, Span};
use insta::assert_snapshot;

fn report(text: &str, spot: &str) -> (Reporter, Span) {
    let mut reporter = Reporter::new();
    let start = text.find(spot).unwrap();
    let id = reporter.add(Source::new("system.toml", text));
    (reporter, Span::new(id, start..start + spot.len()))
}

#[test]
fn tabs_and_wide_characters_keep_the_caret_in_place() {
    let (mut reporter, span) = report("\tname = \"汽车 Straße\", x = 5", "x");
    reporter.error(span, "wrong").label("here");
    assert_snapshot!(reporter.render_all(false), @r#"
    error: wrong
     --> system.toml:1:22
      |
    1 |     name = "汽车 Straße", x = 5
      |                           ^ here
    "#);
}

#[test]
fn long_lines_are_cut_around_the_spot() {
    let text = format!("table = [{} bad, {}]", "1.0, ".repeat(100), "2.0, ".repeat(100));
    let (mut reporter, span) = report(&text, "bad");
    reporter
        .error(span, "not a number")
        .label("expected a number")
        .advice("write a number");
    assert_snapshot!(reporter.render_all(false), @r#"
    error: not a number
     --> system.toml:1:511
      |
    1 | ….0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0,  bad, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0,…
      |                                          ^^^ expected a number
      = help: write a number
    "#);
}

#[test]
fn several_places_and_lines() {
    let (mut reporter, second) = report("a = 1\n\n\nb = 2\nc = 3\nd = \"\"\"\nmany\nlines\"\"\"\n", "b");
    let at = |start: usize, end: usize| Span::new(second.source, start..end);
    let other = reporter.add(Source::new("<command line>", "--set a.b=3"));
    reporter
        .error(second, "given twice")
        .label("again")
        .related(at(0, 1), "first here")
        .related(at(14, 15), "and this")
        .related(at(20, 40), "and that")
        .related(Span::new(other, 6..9), "asked for here")
        .advice("first line\nsecond line");
    assert_snapshot!(reporter.render_all(false), @r#"
    error: given twice
     --> system.toml:4:1
      |
    1 | a = 1
      | - first here
    ...
    4 | b = 2
      | ^ again
    5 | c = 3
      | - and this
    6 | d = """
      | ------- and that
     ::: <command line>:1:7
      |
    1 | --set a.b=3
      |       --- asked for here
      = help: first line
              second line
    "#);
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let (mut reporter, span) = report("name = \"\u{1b}[31mred\"", "red");
    reporter.warning(span, "odd \u{7} name").label("\u{1b}");
    let text = reporter.render_all(false);
    assert!(!text.contains(['\u{1b}', '\u{7}']), "{text}");
}

#[test]
fn colours_are_asked_for() {
    let (mut reporter, span) = report("a = 1", "1");
    reporter.warning(span, "odd");
    assert_snapshot!(reporter.render_all(true).replace('\u{1b}', "ESC"), @r#"
    ESC[1;33mwarningESC[0mESC[1m: oddESC[0m
    ESC[1;34m -->ESC[0m system.toml:1:5
    ESC[1;34m  |ESC[0m
    ESC[1;34m1 |ESC[0m a = 1
    ESC[1;34m  |ESC[0m     ESC[1;33m^ESC[0m
    "#);
}

#[test]
fn as_data() {
    let (mut reporter, span) = report("a = 1\nb = 2", "2");
    reporter.file_error("other.fmu", "there is no such file");
    reporter
        .error(span, "wrong")
        .label("unseen")
        .advice("do that")
        .related(span, "unseen");
    let data = serde_json::to_string_pretty(&reporter.finish()).unwrap();
    assert_snapshot!(data, @r#"
    [
      {
        "file": "other.fmu",
        "line": null,
        "column": null,
        "severity": "error",
        "message": "there is no such file",
        "advice": null
      },
      {
        "file": "system.toml",
        "line": 2,
        "column": 5,
        "severity": "error",
        "message": "wrong",
        "advice": "do that"
      }
    ]
    "#);
}
