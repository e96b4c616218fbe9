//! Damaged XML: whatever is wrong with it, reading it ends, without a panic.

use super::ssp::finish;
use cardan_describe::{Reporter, Source, SystemSpec, osp, ssp, xml};
use proptest::prelude::*;

const SOURCES: [&str; 4] = [
    include_str!("ssp/axle/SystemStructure.ssd"),
    include_str!("ssp/mistakes.ssd"),
    include_str!("ssp/arrays.ssd"),
    include_str!("osp/OspSystemStructure.xml"),
];

fn exercise(text: &str) {
    type Parse = fn(Source, &xml::Folder, &mut Reporter) -> Option<SystemSpec>;
    let readers: [(Parse, &str); 2] = [
        (ssp::parse, "tests/describe/ssp/axle"),
        (osp::parse, "tests/describe/osp"),
    ];
    for (parse, folder) in readers {
        let mut reporter = Reporter::new();
        let source = Source::new("damaged.xml", text);
        if let Some(spec) = parse(source, &xml::Folder::sealed(folder), &mut reporter) {
            let resolved = finish(spec, &mut reporter);
            assert!(
                resolved.graph.is_none() || !resolved.spec.components.is_empty() || reporter.has_errors()
            );
        }
        let rendered = reporter.render_all(false);
        assert_eq!(rendered.is_empty(), reporter.sorted().is_empty());
    }
}

/// The places of what looks like `mark…end` in a text.
fn spots(text: &str, begin: &str, end: &str) -> Vec<std::ops::Range<usize>> {
    let starts = text.match_indices(begin).map(|(at, _)| at + begin.len());
    starts
        .filter_map(|start| Some(start..start + text[start..].find(end)?))
        .collect()
}

/// One of twenty ways to spoil a text, at the `n`-th place that suits.
fn damage(text: &str, operator: usize, n: usize) -> String {
    let values = spots(text, "=\"", "\"");
    let tags = spots(text, "<", ">");
    let nth = |spots: &[std::ops::Range<usize>]| spots.get(n % spots.len().max(1)).cloned().unwrap_or(0..0);
    let with = |range: std::ops::Range<usize>, new: &str| {
        format!("{}{new}{}", &text[..range.start], &text[range.end..])
    };
    let (value, tag) = (nth(&values), nth(&tags));
    let other = nth(&values[n % 7..]);
    match operator {
        0 => with(value, ""),
        1 => with(value, "NaN"),
        2 => with(value, "-1e999"),
        3 => with(value, "input"),
        4 => with(value, "output"),
        5 => with(value, "../../etc/passwd"),
        6 => with(value, &"x".repeat(5000)),
        7 => with(value, "\u{1F600}.\u{FFFD}[1"),
        8 => with(value, "a.b.c.d.e.f"),
        9 => with(value.clone(), &text[other]),
        10 => with(tag.start - 1..tag.end + 1, ""),
        11 => {
            let copy = text[tag.start - 1..tag.end + 1].to_owned();
            with(tag.start - 1..tag.start - 1, &copy)
        }
        12 => with(tag.end..tag.end, "/"),
        13 => text[..value.end].to_owned(),
        14 => with(tag, "System name='again'"),
        15 => with(value, "&amp;&lt;"),
        16 => with(value, "&undefined;"),
        17 => text.replacen("kind=", "kin=", n % 9),
        18 => text.replace(
            text.get(value).filter(|v| !v.is_empty()).unwrap_or("\u{0}"),
            "same",
        ),
        _ => text.replace("Connector name", "Connector  nаme"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]
    #[test]
    fn of_every_sort(
        source in 0..SOURCES.len(),
        damages in prop::collection::vec((0..20_usize, 0..400_usize), 1..4),
    ) {
        let mut text = SOURCES[source].to_owned();
        for (operator, n) in damages {
            // Earlier damage may leave no place for the next.
            if text.contains("=\"") && text.matches("=\"").count() > 8 && text.contains('<') {
                text = damage(&text, operator, n);
            }
        }
        exercise(&text);
    }
}

#[test]
fn deep_nests() {
    let depth = 100_000;
    let text = format!(
        "<SystemStructureDescription name='x' version='1.0'>{}{}</SystemStructureDescription>",
        "<System name='s'><Elements>".repeat(depth),
        "</Elements></System>".repeat(depth)
    );
    exercise(&text);
}

/// Each system passes every input of its own to two of the next, and both lead to the same.
#[test]
fn values_do_not_multiply_along_the_way() {
    let mut text = String::from("<SystemStructureDescription name='x' version='1.0'>");
    let connectors = "<Connectors><Connector name='a' kind='parameter'/><Connector name='b' kind='parameter'/></Connectors>";
    let links: String = [("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")]
        .map(|(from, to)| format!("<Connection startConnector='{from}' endElement='s' endConnector='{to}'/>"))
        .concat();
    let set = "<ParameterBindings><ParameterBinding><ParameterValues><ParameterSet><Parameters><Parameter name='a'>\
               <Real value='1'/></Parameter></Parameters></ParameterSet></ParameterValues></ParameterBinding></ParameterBindings>";
    text.push_str(&format!("<System name='r'>{connectors}{set}<Elements>"));
    for _ in 0..60 {
        text.push_str(&format!("<System name='s'>{connectors}<Elements>"));
    }
    text.push_str("<Component name='s' type='application/x-cardan-model' source='lamp'/>");
    for _ in 0..60 {
        text.push_str(&format!("</Elements><Connections>{links}</Connections></System>"));
    }
    text.push_str(&format!(
        "</Elements><Connections>{links}</Connections></System></SystemStructureDescription>"
    ));
    exercise(&text);
}
