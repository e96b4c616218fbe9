use super::*;
use crate::monitor::Domain;
use crate::plugin::Flow;

fn point(name: &str, kind: Kind) -> Watched {
    Watched {
        name: name.into(),
        kind,
        domain: match kind {
            Kind::Axis(Flow::Volume) => Domain::Hydraulic,
            _ => Domain::Mechanical,
        },
        delay: 0.1,
        zf: 10.0,
        zfr: 1.0,
    }
}

fn span(step: f64) -> Span {
    Span {
        start: 0.0,
        stop: 1.0,
        step,
    }
}

fn rows(sheet: &mut Sheet) -> String {
    let mut text = String::new();
    while sheet.next_row(&mut text) {}
    text
}

/// Position t, speed 1, force 2 t.
fn ramp(t: f64) -> [f64; 4] {
    [t, t, 1.0, -2.0 * t + 10.0]
}

#[test]
fn a_row_holds_what_was_at_its_time() {
    let points = vec![
        point("a.p", Kind::Axis(Flow::Motion)),
        point("b.in", Kind::Input),
        point("b.y", Kind::Output),
    ];
    let mut sheet = Sheet::new(points, span(0.25), Style::Right);
    assert_eq!(
        sheet.header(),
        "\"time\",\"a.p.x [m]\",\"a.p.v [m/s]\",\"a.p.F [N]\",\"b.y\"\n"
    );
    sheet.take(0, &ramp(0.0));
    sheet.take(0, &ramp(0.5));
    assert_eq!(rows(&mut sheet), "", "the signal is missing");
    assert_eq!(sheet.awaited(), ["b.y"]);
    sheet.take(2, &[0.0, 7.0]);
    sheet.take(2, &[1.0, 9.0]);
    assert_eq!(
        rows(&mut sheet),
        "0.0,0.0,1.0,0.0,7.0\n0.25,0.25,1.0,0.5,7.5\n0.5,0.5,1.0,1.0,8.0\n"
    );
    sheet.take(0, &ramp(1.0));
    assert_eq!(rows(&mut sheet), "0.75,0.75,1.0,1.5,8.5\n1.0,1.0,1.0,2.0,9.0\n");
    assert!(sheet.is_complete());
}

/// Ten steps of 0.1 end at one, with no sliver of a step after them; 0.3 does not divide it.
#[test]
fn the_last_row_is_the_end() {
    for (step, expected) in [(0.1, 11), (0.3, 5), (5.0, 2)] {
        let mut sheet = Sheet::new(vec![point("y", Kind::Output)], span(step), Style::Right);
        sheet.take(0, &[0.0, 0.0]);
        sheet.take(0, &[1.0, 1.0]);
        let text = rows(&mut sheet);
        assert_eq!(text.lines().count(), expected, "{text}");
        assert_eq!(text.lines().last(), Some("1.0,1.0"));
    }
}

/// Whoever does not send at the start has no row there.
#[test]
fn nothing_is_made_up_before_the_first_sample() {
    let mut sheet = Sheet::new(vec![point("y", Kind::Output)], span(0.25), Style::Right);
    sheet.take(0, &[0.3, 3.0]);
    sheet.take(0, &[1.0, 10.0]);
    let text = rows(&mut sheet);
    assert_eq!(text.lines().next(), Some("0.5,5.0"));
}

/// By hand, from the description of the public monitor's files: rows from the first step on, data two delays back,
/// the first sample with its own time, six digits, and pressure with the wrong sign.
#[test]
fn compatible_rows_are_those_of_the_public_monitor() {
    let points = vec![
        point("a.p", Kind::Axis(Flow::Motion)),
        point("h.p", Kind::Axis(Flow::Volume)),
        point("b.y", Kind::Output),
    ];
    let mut sheet = Sheet::new(points, span(0.1), Style::Compatible);
    for k in 1..=20 {
        let t = 0.05 * f64::from(k);
        sheet.take(0, &ramp(t));
        sheet.take(1, &[t, 0.0, 2.0, 5.0]);
        sheet.take(2, &[t, 1.0 / 3.0]);
    }
    let text = rows(&mut sheet);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "0,0,0,0,0,0,0");
    assert_eq!(lines[1], "0.05,0.05,1,0.1,2,25,0.333333");
    assert_eq!(lines[4], "0.3,0.3,1,0.6,2,25,0.333333");
    // 0.1 ten times is a bit less than 1: an extra row.
    assert_eq!(lines.len(), 11);
    assert_eq!(lines[9..], [lines[10], lines[10]]);
}
