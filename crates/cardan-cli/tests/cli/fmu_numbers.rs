//! Whole numbers of FMUs: what fits arrives to the last digit, what does not is an error and never another number.

use crate::bench::Bench;
use cardan_testkit::fmus::{Fmi, build};

const LARGEST: &str = "18446744073709551615";

fn with_start(name: &'static str) -> impl FnOnce(String) -> String {
    move |text| {
        let lines = text
            .lines()
            .map(|line| match line.contains(&format!("name=\"{name}\"")) {
                true => line.replace("start=\"0\"", &format!("start=\"{LARGEST}\"")),
                false => line.to_owned(),
            });
        lines.collect::<Vec<_>>().join("\n")
    }
}

#[test]
fn an_output_that_is_too_large_ends_the_run() {
    let bench = Bench::new();
    let fmu = build("careless", Fmi::V3);
    let call = ["run", fmu.to_str().unwrap(), "--out", "out.csv"];
    bench.cardan(&call).expect(0);
    assert!(bench.read("out.csv").contains(",9223372036854775807\n"));
    let call = [&call[..], &["--set", "large_at=0.55"]].concat();
    let failed = bench.cardan(&call).expect(3);
    let words =
        format!("fmi3GetUInt64 gave {LARGEST} for `large`: 64-bit unsigned values above 9223372036854775807");
    assert!(failed.err.contains(&words), "{}", failed.err);
    assert!(failed.err.contains("careless at t = 0.6 s"), "{}", failed.err);
}

#[test]
fn a_start_value_that_is_too_large_is_shown_as_written() {
    let bench = Bench::new();
    bench.changed("feedthrough", Fmi::V3, with_start("uint64_parameter"));
    let page = bench.cardan(&["info", "m"]).expect(0);
    assert!(page.out.contains(LARGEST), "{}", page.out);
    let known = bench.cardan(&["check", "m"]).expect(0);
    let words = format!("the start value of `uint64_parameter` is {LARGEST}, but");
    assert!(known.err.contains(&words), "{}", known.err);
    // The FMU has it by itself, and nobody reads it.
    bench.cardan(&["run", "m"]).expect(0);
}

#[test]
fn an_input_whose_own_value_is_too_large_wants_another() {
    let bench = Bench::new();
    bench.changed("feedthrough", Fmi::V3, with_start("uint64_in"));
    let mistake = bench.cardan(&["run", "m"]).expect(2);
    let words = format!("its own value for it, {LARGEST}, cannot be carried");
    assert!(mistake.err.contains(&words), "{}", mistake.err);
    bench
        .cardan(&["run", "m", "--set", "uint64_in=5", "--out", "out.csv"])
        .expect(0);
}

#[test]
fn a_connection_does_not_change_the_sign() {
    let bench = Bench::new();
    let fmu = build("feedthrough", Fmi::V3);
    for (from, to, words) in [
        (
            "int64",
            "uint64",
            "`uint64_in` cannot be -5, since UInt64 goes from 0 to 18446744073709551615",
        ),
        (
            "int16",
            "uint8",
            "`uint8_in` cannot be -5, since UInt8 goes from 0 to 255",
        ),
    ] {
        let text = format!(
            "[system]\nstop = 1.0\n[components.a]\nfmu = {fmu:?}\nparameters = {{ {from}_in = -5 }}\n\
             [components.b]\nfmu = {fmu:?}\n[[connections]]\nfrom = \"a.{from}_out\"\nto = \"b.{to}_in\"\n"
        );
        bench.write("s.toml", &text);
        let failed = bench.cardan(&["run", "s.toml"]).expect(3);
        assert!(failed.err.contains(words), "{}", failed.err);
        assert!(failed.err.contains("b at t = 0 s"), "{}", failed.err);
    }
}

#[test]
fn a_number_out_of_range_is_a_mistake_with_its_place() {
    let bench = Bench::new();
    let fmu = build("feedthrough", Fmi::V3);
    let run = |options: &[&str], words: &str| {
        let call = [&["run", fmu.to_str().unwrap()], options].concat();
        let answer = bench.cardan(&call).expect(2);
        assert!(answer.err.contains(words), "{words} in {}", answer.err);
        assert!(answer.err.contains("<command line>:1"), "{}", answer.err);
    };
    let range = "must be a whole number from -128 to 127, found 200";
    run(&["--set", "int8_in=200"], &format!("`int8_in` {range}"));
    run(
        &["--set", "uint8_parameter=256"],
        "`uint8_parameter` must be at most 255, found 256",
    );
    run(
        &["--set", "uint64_parameter=-1"],
        "`uint64_parameter` must be at least 0, found -1",
    );
    bench.write("in.csv", "time,int8_in\n0,1\n0.5,-129\n");
    run(
        &["--input", "in.csv"],
        "row 2 of column `int8_in` must be integer from -128 to 127, found `-129`",
    );
    bench.write("in.csv", &format!("time,uint64_in\n0,{LARGEST}\n"));
    run(&["--input", "in.csv"], &format!("found `{LARGEST}`"));
}

#[test]
fn a_table_loses_no_digit() {
    let bench = Bench::new();
    let fmu = build("feedthrough", Fmi::V3);
    let odd = "9007199254740993";
    bench.write(
        "in.csv",
        &format!("time,int64_in,uint64_in\n0,{odd},1\n0.5,-{odd},{odd}\n"),
    );
    let call = [
        "run",
        fmu.to_str().unwrap(),
        "--input",
        "in.csv",
        "--out",
        "out.csv",
    ];
    bench.cardan(&call).expect(0);
    let rows = bench.read("out.csv");
    let (first, last) = (rows.lines().nth(1).unwrap(), rows.lines().last().unwrap());
    assert!(first.contains(&format!(",{odd},1,")), "{first}");
    assert!(last.contains(&format!(",-{odd},{odd},")), "{last}");
}

#[test]
fn the_plan_names_what_is_held() {
    let bench = Bench::new();
    let fmu = build("feedthrough", Fmi::V3);
    let text = format!(
        "[system]\nstop = 1.0\n[components.a]\nfmu = {fmu:?}\n[components.b]\nfmu = {fmu:?}\n\
         [[connections]]\nfrom = \"a.string_out\"\nto = \"b.string_in\"\n"
    );
    bench.write("s.toml", &text);
    let page = bench.cardan(&["check", "s.toml"]).expect(0).out;
    let line = "    string_in ← a.string_out (hold, sees the new step)\n";
    assert!(page.contains(line), "{page}");
}
