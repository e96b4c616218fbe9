//! `cardan plot`.

use crate::bench::Bench;
use std::fs;

fn with_results() -> Bench {
    let bench = Bench::new();
    bench.cardan(&["run", &Bench::hello(), "-q"]).expect(0);
    bench
}

#[test]
fn a_plot_in_the_terminal_fits_it() {
    let bench = with_results();
    let picture = bench
        .cardan(&["plot", "hello.csv", "--title", "Two masses"])
        .expect(0)
        .out;
    assert!(
        picture.contains("Two masses") && picture.contains("left.position"),
        "{picture}"
    );
    assert!(picture.lines().count() <= 24, "{picture}");
    assert!(
        picture.lines().all(|line| line.chars().count() <= 80),
        "{picture}"
    );
    assert!(!picture.contains('\x1b'), "no colours into a pipe");
    let small = bench
        .cardan(&["plot", "hello.csv", "--size", "50x12"])
        .expect(0)
        .out;
    assert!(small.lines().count() <= 12, "{small}");
}

#[test]
fn pictures_are_written() {
    let bench = with_results();
    bench
        .cardan(&[
            "plot",
            "hello.csv",
            "l*.position",
            "-o",
            "a.svg",
            "--size",
            "600x300",
        ])
        .expect(0);
    let svg = bench.read("a.svg");
    assert!(svg.starts_with("<svg") && svg.contains("left.position") && !svg.contains("right.position"));
    bench.cardan(&["plot", "hello.csv", "-o", "a.png"]).expect(0);
    assert!(fs::read(bench.path("a.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn two_results_lie_over_each_other() {
    let bench = with_results();
    let hello = Bench::hello();
    bench
        .cardan(&["run", &hello, "--step", "0.1", "--out", "coarse.csv", "-q"])
        .expect(0);
    let call = [
        "plot",
        "hello.csv",
        "left.*",
        "--with",
        "coarse.csv",
        "--from",
        "2",
        "--to",
        "4",
        "-o",
        "a.svg",
    ];
    bench.cardan(&call).expect(0);
    let svg = bench.read("a.svg");
    assert!(svg.contains("hello.csv") && svg.contains("coarse.csv"));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let bench = with_results();
    for (arguments, words) in [
        (&["left.positon"][..], "did you mean `left.position`"),
        (&["-o", "a.gif"], ".svg or .png"),
        (&["-o", "nowhere/a.svg"], "cannot write"),
        (&["--from", "20"], "10 s"),
        (&["--from", "4", "--to", "2"], "nothing from 4 s to 2 s"),
        (&["--size", "large"], "900x500"),
        (&["--with", "nowhere.csv"], "nowhere.csv"),
    ] {
        let mut call = vec!["plot", "hello.csv"];
        call.extend(arguments);
        let answer = bench.cardan(&call).expect(2);
        assert!(answer.err.contains(words), "{words} in\n{}", answer.err);
    }
    assert_eq!(bench.files(), ["hello.csv"]);
}
