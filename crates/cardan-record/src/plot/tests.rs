use super::*;
use cardan_core::record::{Column, ColumnData, Schema};
use cardan_core::value::ValueType;

fn table(rows: usize, columns: &[(&str, Option<&str>, f64)]) -> Table {
    let times: Vec<f64> = (0..rows).map(|i| i as f64 * 10.0 / (rows - 1) as f64).collect();
    let column = |&(name, unit, _): &(&str, Option<&str>, f64)| Column {
        name: name.into(),
        value_type: ValueType::Real,
        unit: unit.map(Into::into),
        description: String::new(),
    };
    let sine = |&(_, _, size): &(&str, Option<&str>, f64)| {
        ColumnData::Reals(times.iter().map(|t| size * (t + size.log10()).sin()).collect())
    };
    Table {
        schema: Schema {
            columns: columns.iter().map(column).collect(),
            ..Schema::default()
        },
        columns: columns.iter().map(sine).collect(),
        times: times.clone(),
    }
}

fn panels(figure: &Figure<'_>) -> Vec<Vec<String>> {
    figure.panels.iter().map(|p| p.variables.clone()).collect()
}

#[test]
fn units_make_panels() {
    let table = table(
        9,
        &[
            ("a", Some("m"), 1.0),
            ("b", Some("N"), 1.0),
            ("c", Some("m"), 1e6),
        ],
    );
    let figure = Figure::new(&table, &[]).unwrap();
    assert_eq!(panels(&figure), [vec!["a", "c"], vec!["b"]]);
}

#[test]
fn without_units_magnitudes_make_panels() {
    let table = table(9, &[("a", None, 1.0), ("b", None, 1e4), ("c", None, 3.0)]);
    assert_eq!(
        panels(&Figure::new(&table, &["*"]).unwrap()),
        [vec!["a", "c"], vec!["b"]]
    );
}

#[test]
fn too_many_variables_are_left_out_and_named() {
    let names: Vec<String> = (0..60).map(|k| format!("x{k}")).collect();
    let columns: Vec<(&str, Option<&str>, f64)> =
        names.iter().map(|n| (n.as_str(), Some("m"), 1.0)).collect();
    let table = table(9, &columns);
    let figure = Figure::new(&table, &[]).unwrap();
    assert_eq!((figure.panels.len(), figure.left_out().len()), (6, 12));
    assert!(figure.to_svg().contains("12 more variables"));
}

#[test]
fn unknown_variables_and_text_are_refused() {
    let mut table = table(2, &[("wheel.speed", None, 1.0), ("label", None, 1.0)]);
    let mut text = cardan_core::record::BytesColumn::default();
    text.push(b"a");
    text.push(b"b");
    table.columns[1] = ColumnData::Bytes(text);
    let message = |name: &str| Figure::new(&table, &[name]).unwrap_err().to_string();
    assert_eq!(
        message("speed"),
        "there is no variable `speed`; did you mean wheel.speed"
    );
    assert_eq!(message("label"), "`label` holds text, which cannot be plotted");
    assert_eq!(panels(&Figure::new(&table, &[]).unwrap()), [["wheel.speed"]]);
}

#[test]
fn svg_is_well_formed_and_small_whatever_the_names_and_the_rows() {
    let table = table(
        1_000_000,
        &[("<a> & \"b\"\u{1}", Some("m/s²"), 1.0), ("c", Some("]]>"), 2.0)],
    );
    let svg = Figure::new(&table, &[]).unwrap().title("a < b").to_svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    assert_eq!(
        document.descendants().filter(|n| n.has_tag_name("path")).count(),
        2
    );
    assert!(document.descendants().any(|n| n.text() == Some("a < b")));
    assert!(svg.len() < 200_000, "{} bytes", svg.len());
}

#[test]
fn odd_values_still_make_a_picture() {
    let mut odd = table(4, &[("x", None, 1.0)]);
    for values in [
        [f64::NAN; 4],
        [f64::INFINITY, 1.0, f64::NAN, -1.0],
        [f64::MAX, f64::MIN, 0.0, 0.0],
        [0.1; 4],
    ] {
        odd.columns[0] = ColumnData::Reals(values.to_vec());
        let figure = Figure::new(&odd, &[]).unwrap().span(5.0, 5.0);
        roxmltree::Document::parse(&figure.to_svg()).unwrap();
        assert!(!figure.to_terminal(0, 0).is_empty());
    }
    let empty = Table {
        times: vec![],
        columns: vec![ColumnData::Reals(vec![])],
        ..odd
    };
    let figure = Figure::new(&empty, &[]).unwrap();
    roxmltree::Document::parse(&figure.to_svg()).unwrap();
    assert!(figure.to_terminal(60, 10).contains("time [s]"));
}

#[test]
fn png_decodes_and_shows_curves_and_text() {
    let table = table(500, &[("wheel.velocity", Some("m/s"), 1.0)]);
    let bytes = Figure::new(&table, &[]).unwrap().size(400, 200).to_png().unwrap();
    let image = resvg::tiny_skia::Pixmap::decode_png(&bytes).unwrap();
    assert_eq!((image.width(), image.height()), (800, 400));
    let count = |wanted: (u8, u8, u8)| {
        image
            .pixels()
            .iter()
            .filter(|p| (p.red(), p.green(), p.blue()) == wanted)
            .count()
    };
    assert!(count((0x00, 0x72, 0xb2)) > 500, "the curve");
    assert!(count((0x22, 0x22, 0x22)) > 50, "the letters");
}

#[test]
fn a_second_result_is_dashed_and_both_are_in_the_key() {
    let (ours, theirs) = (
        table(100, &[("x", Some("m"), 1.0)]),
        table(50, &[("x", Some("m"), 2.0)]),
    );
    let figure = Figure::overlay(&[("cardan", &ours), ("reference", &theirs)], &["x"]).unwrap();
    let svg = figure.to_svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let dashes: Vec<bool> = document
        .descendants()
        .filter(|n| n.has_tag_name("path"))
        .map(|n| n.has_attribute("stroke-dasharray"))
        .collect();
    assert_eq!(dashes, [false, true]);
    assert!(svg.contains(">cardan<") && svg.contains(">reference<"));
}

#[test]
fn the_terminal_shows_axes_and_letters() {
    let table = table(
        200,
        &[
            ("wheel.velocity", Some("m/s"), 1.0),
            ("chassis.velocity", Some("m/s"), 0.5),
        ],
    );
    let text = Figure::new(&table, &[])
        .unwrap()
        .title("Quarter car")
        .to_terminal(64, 16);
    insta::assert_snapshot!(text, @"
          Quarter car
          [m/s]  a wheel.velocity  b chassis.velocity
     1.0 ┤      ⢀⠤⠖⠒⠤⣀                               ⡠⠴⠒⠢⢄⡀
         │    ⢀⠔⠁    ⠈⠱⡄                           ⡰⠊     ⠙⢤
         │   ⡠⠃        ⠘⢤                        ⢀⠜⠁        ⠣⡄
     0.5 ┤  ⡴⠁  ⣀⠤⠖⠒⠉⠙⠒⠢⢄⣣⡀                     ⢠⠎   ⡠⠴⠒⠊⠉⠓⠒⠤⣘⡄
         │ ⡜⠁ ⡠⠚⠁        ⠉⠳⣄                   ⢠⠃ ⢀⠔⠉        ⠈⠛⣦⡀
     0.0 ┤⡜⢁⡴⠋             ⠳⡱⢄                ⢠⠃b⠞⠁            ⠘⢎⢦⡀
         │⡴⠃                ⠱a⠑⢄             ⣰⡣⠞⠁               ⠘⢆⠈⢢
         │                   ⠹⡀ ⠑⠦⡀        ⢀⣴⠋                   ⠈⢆
    −0.5 ┤                    ⠹⡀  ⠈⠑⠢⠤⣀⣀⠤⠔⠚⡹⠁                     ⠈⢆
         │                     ⠘⢆         ⡜                        ⠈
         │                       ⠳⡀     ⡠⠋
    −1.0 ┤                        ⠈⠑⠢⠤⠒⠋
         └┬──────────┬───────────┬──────────┬───────────┬──────────┬
          0          2           4          6  time [s] 8         10
    ");
    assert!(text.lines().all(|line| line.chars().count() <= 64));
}

#[test]
fn colours_are_closed_in_every_line() {
    let table = table(50, &[("a", None, 1.0), ("b", None, 0.5)]);
    let text = Figure::new(&table, &[])
        .unwrap()
        .coloured(true)
        .to_terminal(50, 12);
    assert!(text.contains("\x1b[38;5;32m━ a\x1b[0m"));
    assert!(
        text.lines().all(|l| !l.contains('\x1b')
            || l.ends_with("\x1b[0m")
            || l.rfind("\x1b[0m") > l.rfind("\x1b[38"))
    );
}
