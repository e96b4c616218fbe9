//! `cardan example`.

use crate::bench::Bench;
use cardan_testkit::tools;

#[test]
fn examples_are_listed_written_and_run() {
    let bench = Bench::new();
    let list = bench.cardan(&["example"]).expect(0).out;
    assert!(
        list.contains("hello") && list.contains("two masses on springs"),
        "{list}"
    );

    bench.cardan(&["example", "hello"]).expect(0);
    assert!(
        bench
            .read("hello/system.toml")
            .starts_with("#:schema system.schema.json\n")
    );
    assert!(bench.read("hello/README.md").contains("hello.svg"));
    let schema: serde_json::Value = serde_json::from_str(&bench.read("hello/system.schema.json")).unwrap();
    assert!(schema["properties"]["system"].is_object());
    bench.cardan(&["run", "hello"]).expect(0);

    bench.cardan(&["example", "hello", "--into", "play"]).expect(0);
    bench.cardan(&["check", "play"]).expect(0);
}

#[test]
fn examples_with_fmus_come_with_their_folders() {
    let bench = Bench::new();
    let list = bench.cardan(&["example"]).expect(0).out;
    for name in ["two-fmus", "bouncing-ball", "quarter-car-fmu", "clocks"] {
        assert!(list.contains(name), "{list}");
        bench.cardan(&["example", name]).expect(0);
        bench.cardan(&["check", name]).expect(0);
        bench.cardan(&["run", name]).expect(0);
    }
    assert!(list.contains("a heater and a room"), "{list}");
    assert!(
        bench
            .read("quarter-car-fmu/resources/wheel.fmu/sources/wheel.c")
            .contains("fmi2DoStep")
    );
    bench
        .cardan(&[
            "run",
            "quarter-car-fmu/OspSystemStructure.xml",
            "--out",
            "osp.csv",
        ])
        .expect(0);
}

#[test]
#[ignore = "needs Octave: ./test --tools"]
fn octave_tells_what_its_page_says() {
    example_tells_what_its_page_says("octave-controller", "octave");
}

#[test]
#[ignore = "needs Scilab: ./test --tools"]
fn scilab_tells_what_its_page_says() {
    example_tells_what_its_page_says("scilab-observer", "scilab");
}

/// What commands find out after the run is told, and nothing is left in the folder of the example.
fn example_tells_what_its_page_says(name: &str, tool: &str) {
    if !tools::has(tool) {
        return;
    }
    let bench = Bench::new();
    bench.cardan(&["example", name]).expect(0);
    let page = bench.read(&format!("{name}/README.md"));
    let (_, told) = page.split_once("```text\n").unwrap();
    let (told, _) = told.split_once("\n```").unwrap();
    let count = || std::fs::read_dir(bench.path(name)).unwrap().count();
    let files = count();
    let answer = bench.cardan(&["run", name, "-v"]).expect(0);
    assert!(answer.err.contains(told), "{}", answer.err);
    assert_eq!(count(), files);
}

#[test]
fn scripts_of_examples_can_be_run() {
    let bench = Bench::new();
    bench.cardan(&["example", "c-over-tcp"]).expect(0);
    bench.cardan(&["run", "c-over-tcp"]).expect(0);
}

#[test]
fn nothing_is_overwritten() {
    let bench = Bench::new();
    bench.write("hello", "precious");
    let answer = bench.cardan(&["example", "hello"]).expect(2);
    assert!(answer.err.contains("already there"), "{}", answer.err);
    assert_eq!(bench.read("hello"), "precious");
    let answer = bench.cardan(&["example", "helo"]).expect(2);
    assert!(answer.err.contains("did you mean `hello`"), "{}", answer.err);
}
