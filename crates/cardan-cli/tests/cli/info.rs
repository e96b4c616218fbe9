//! `cardan info`.

use crate::bench::Bench;

#[test]
fn a_system_shows_its_parts() {
    let bench = Bench::new();
    let answer = bench.cardan(&["info", &Bench::hello()]).expect(0);
    for words in [
        "hello",
        "coupled-mass",
        "right.other_position",
        "gauss-seidel",
        "10 s",
    ] {
        assert!(answer.out.contains(words), "{words} in\n{}", answer.out);
    }
    let info = bench
        .cardan(&["info", &Bench::hello(), "--json"])
        .expect(0)
        .json();
    assert_eq!(info["components"][1]["source"], "coupled-mass");
    assert_eq!(info["connections"].as_array().unwrap().len(), 3);
}

#[test]
fn a_result_shows_its_columns() {
    let bench = Bench::new();
    bench
        .cardan(&["run", &Bench::hello(), "--out", "a.parquet"])
        .expect(0);
    let answer = bench.cardan(&["info", "a.parquet"]).expect(0);
    for words in [
        "1001 rows",
        "left.position",
        "from 0 s to 10 s",
        "0.0969495",
        "m ",
    ] {
        assert!(answer.out.contains(words), "{words} in\n{}", answer.out);
    }
    let info = bench.cardan(&["info", "a.parquet", "--json"]).expect(0).json();
    assert_eq!(info["rows"], 1001);
    assert_eq!(info["columns"][0]["unit"], "m");
    assert_eq!(info["columns"][0]["first"], 0.1);
}

#[test]
fn models_show_ports_and_parameters() {
    let bench = Bench::new();
    let all = bench.cardan(&["info", "--models"]).expect(0).out;
    for words in [
        "mechanics",
        "mass-spring-damper",
        "force [N]",
        "stiffness = 1 [N/m]",
        "state-space",
    ] {
        assert!(all.contains(words), "{words} in\n{all}");
    }
    let domain = bench.cardan(&["info", "--models", "sources"]).expect(0).out;
    assert!(domain.contains("sine") && !domain.contains("pid"), "{domain}");
    let one = bench.cardan(&["info", "--models", "mass"]).expect(0).out;
    for words in [
        "input",
        "output",
        "must be",
        "> 0",
        "yes",
        "position at the start",
    ] {
        assert!(one.contains(words), "{words} in\n{one}");
    }
    let json = bench
        .cardan(&["info", "--models", "mass", "--json"])
        .expect(0)
        .json();
    assert_eq!(json["models"][0]["parameters"][0]["name"], "mass");
    assert_eq!(json["models"][0]["parameters"][0]["default"], 1.0);
    assert_eq!(json["models"][0]["ports"][0]["direction"], "input");
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let bench = Bench::new();
    bench.write("notes.txt", "hello");
    bench.write("bad.csv", "x,y\n1,2\n");
    for (arguments, words) in [
        (&["info", "notes.txt"][..], "neither"),
        (&["info", "nowhere.fmu"], "there is no nowhere.fmu"),
        (&["info", "nowhere.csv"], "nowhere.csv"),
        (&["info", "bad.csv"], "time"),
        (&["info", "--models", "masss"], "did you mean `mass`"),
        (&["info"], "required"),
    ] {
        let answer = bench.cardan(arguments).expect(2);
        assert!(answer.err.contains(words), "{words} in\n{}", answer.err);
    }
}
