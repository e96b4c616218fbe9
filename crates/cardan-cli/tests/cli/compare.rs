//! `cardan compare`.

use crate::bench::Bench;

#[test]
fn the_code_tells_whether_results_agree() {
    let bench = Bench::new();
    let hello = Bench::hello();
    bench.cardan(&["run", &hello, "-q", "--out", "a.csv"]).expect(0);
    bench
        .cardan(&["run", &hello, "-q", "--out", "b.parquet"])
        .expect(0);
    bench
        .cardan(&["run", &hello, "-q", "--step", "0.02", "--out", "coarse.csv"])
        .expect(0);

    let same = bench
        .cardan(&["compare", "a.csv", "b.parquet", "--rtol", "0", "--atol", "0"])
        .expect(0);
    assert!(same.out.contains("They agree"), "{}", same.out);

    let differ = bench.cardan(&["compare", "coarse.csv", "a.csv"]).expect(1);
    assert!(differ.out.contains("left.position"), "{}", differ.out);
    assert!(
        differ.out.contains("They differ: 2 of 2 variables"),
        "{}",
        differ.out
    );
    bench
        .cardan(&["compare", "coarse.csv", "a.csv", "--rtol", "0.01"])
        .expect(0);

    let json = bench
        .cardan(&["compare", "coarse.csv", "a.csv", "--json"])
        .expect(1)
        .json();
    assert_eq!(json["agrees"], false);
    assert_eq!(json["differences"][0]["name"], "left.position");
    assert!(json["differences"][0]["at"].is_number());
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let bench = Bench::new();
    bench.write("x.csv", "time,x\n0,1\n1,2\n");
    bench.write("y.csv", "time,y\n0,1\n1,2\n");
    bench.write("later.csv", "time,x\n5,1\n6,2\n");
    bench.write("broken.csv", "time,x\n0,1\n1,what\n2\n");
    for (other, words) in [
        ("y.csv", "no variable in common"),
        ("later.csv", "no time in common"),
        ("nowhere.csv", "nowhere.csv"),
        ("broken.csv", "line 4"),
    ] {
        let answer = bench.cardan(&["compare", "x.csv", other]).expect(2);
        assert!(answer.err.contains(words), "{words} in\n{}", answer.err);
    }
    bench
        .cardan(&["compare", "x.csv", "x.csv", "--rtol", "-1"])
        .expect(2);
    let json = bench
        .cardan(&["compare", "x.csv", "y.csv", "--json"])
        .expect(2)
        .json();
    assert_eq!(json["status"], "failed");
}
