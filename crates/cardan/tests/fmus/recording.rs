//! What of an FMU comes into the results.

use crate::workplace::{Workplace, fmu, mistakes, reals};
use cardan::core::record::ColumnData;
use cardan::{Options, Overrides, Simulation};

#[test]
fn strings_and_bytes_are_kept_in_csv_and_parquet() {
    let place = Workplace::new();
    for name in ["count.csv", "count.parquet"] {
        let path = place.path().join(name);
        let options = Options {
            out: Some(path.clone()),
            ..Options::default()
        };
        let report = Simulation::open_with(fmu("counter-fmi3"), options).unwrap().run();
        assert_eq!(report.status, "ok", "{:?}", report.error);
        if name.ends_with("csv") {
            // CSV has no bytes: they are digits, two for each.
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(
                text.lines().any(|line| line.ends_with(",3,count 3,000102")),
                "{text}"
            );
        }
        let table = cardan::record::read(&path).unwrap();
        assert_eq!(table.rows(), 11);
        let Some(ColumnData::Bytes(texts)) = table.column("counter.text") else {
            panic!("{name}: {:?}", table.column("counter.text"));
        };
        assert_eq!(texts.get(3), b"count 3", "{name}");
        if let Some(ColumnData::Bytes(bytes)) = table.column("counter.bytes") {
            assert_eq!(bytes.get(3), [0, 1, 2], "{name}");
        } else {
            // Digits without letters look like numbers when they are read back.
            assert!(name.ends_with("csv"), "{name}");
        }
    }
}

#[test]
fn locals_and_inputs_are_recorded_by_name() {
    for version in ["fmi2", "fmi3"] {
        let place = Workplace::system(&format!(
            r#"
[system]
stop = 0.5
[components.lag]
fmu = {{@lag-{version}}}
parameters = {{ x0 = 1.0 }}
[method]
kind = "gauss-seidel"
step = 0.1
[record]
variables = ["lag.der(x)", "lag.x", "lag.u"]
"#
        ));
        let table = place.run();
        let (x, slope) = (reals(&table, "lag.x"), reals(&table, "lag.der(x)"));
        assert_eq!(x.len(), 6);
        // T = 1, u = 0.
        assert!(
            x.iter().zip(slope).all(|(x, slope)| *slope == -x),
            "{x:?} {slope:?}"
        );
        assert!(reals(&table, "lag.u").iter().all(|u| *u == 0.0));
    }
}

#[test]
fn enumeration_parameters_are_given_by_name() {
    let text = |value: &str| {
        format!(
            r#"
[system]
stop = 0.1
[components.f]
fmu = {{@feedthrough-fmi3}}
parameters = {{ enumeration_parameter = {value} }}
"#
        )
    };
    for value in ["\"reverse\"", "-1"] {
        Workplace::system(&text(value)).run();
    }
    let wrong = Workplace::system(&text("\"third\""));
    let told = mistakes(wrong.path(), Overrides::default());
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].contains("reverse") && told[0].contains("first") && told[0].contains("second"),
        "{told:?}"
    );
}
