//! Descriptions that were damaged in many ways: read with a warning or refused, never a panic, never without end.

use super::{messages, parse, text};
use cardan_describe::Reporter;
use cardan_fmi::description::validate;
use std::time::{Duration, Instant};

const EXAMPLES: [&str; 12] = [
    "dymola_like",
    "openmodelica_like",
    "simulink_like",
    "catia_like",
    "amesim_like",
    "jmodelica_like",
    "simulationx_like",
    "maplesim_like",
    "pythonfmu_like",
    "v3_arrays",
    "v3_clocks",
    "v3_terminals",
];

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Replaces the value of the n-th attribute.
fn with_value(text: &str, n: usize, value: &str) -> String {
    let marks: Vec<usize> = text.match_indices("=\"").map(|(at, _)| at + 2).collect();
    let Some(&start) = marks.get(n % marks.len().max(1)) else {
        return text.to_owned();
    };
    let end = text[start..].find('"').map_or(text.len(), |at| start + at);
    format!("{}{value}{}", &text[..start], &text[end..])
}

/// Removes the n-th attribute.
fn without_attribute(text: &str, n: usize) -> String {
    let marks: Vec<usize> = text.match_indices("=\"").map(|(at, _)| at).collect();
    let Some(&sign) = marks.get(n % marks.len().max(1)) else {
        return text.to_owned();
    };
    let start = text[..sign].rfind(|c: char| c.is_whitespace()).unwrap_or(sign);
    let end = text[sign + 2..]
        .find('"')
        .map_or(text.len(), |at| sign + 2 + at + 1);
    format!("{}{}", &text[..start], &text[end..])
}

/// The lines from `n` on, a few of them, doubled or dropped.
fn with_lines(text: &str, n: usize, times: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let n = n % lines.len();
    let changed = lines.iter().enumerate().flat_map(|(i, line)| {
        let times = if i == n { times } else { 1 };
        std::iter::repeat_n(*line, times)
    });
    changed.collect::<Vec<_>>().join("\n")
}

type Operator = (&'static str, fn(&str, &mut Dice) -> String);

const OPERATORS: [Operator; 26] = [
    ("cut off", |t, d| {
        t[..t.floor_char_boundary(d.below(t.len()))].to_owned()
    }),
    ("begins late", |t, d| {
        t[t.floor_char_boundary(d.below(t.len()))..].to_owned()
    }),
    ("a line missing", |t, d| with_lines(t, d.below(1000), 0)),
    ("a line twice", |t, d| with_lines(t, d.below(1000), 2)),
    ("an attribute missing", |t, d| {
        without_attribute(t, d.below(10_000))
    }),
    ("an empty value", |t, d| with_value(t, d.below(10_000), "")),
    ("a word", |t, d| with_value(t, d.below(10_000), "banana")),
    ("a negative number", |t, d| with_value(t, d.below(10_000), "-7")),
    ("a huge number", |t, d| {
        with_value(t, d.below(10_000), "99999999999999999999999999")
    }),
    ("an overflow", |t, d| with_value(t, d.below(10_000), "1e999")),
    ("not a number", |t, d| with_value(t, d.below(10_000), "NaN")),
    ("a dangling reference", |t, d| {
        with_value(t, d.below(10_000), "4294967295")
    }),
    ("a list", |t, d| with_value(t, d.below(10_000), "1 2 3")),
    ("a NUL", |t, d| with_value(t, d.below(10_000), "a\0b")),
    ("an unknown entity", |t, d| {
        with_value(t, d.below(10_000), "&bomb;")
    }),
    ("a tag in a value", |t, d| with_value(t, d.below(10_000), "<x/>")),
    ("a long value", |t, d| {
        with_value(t, d.below(10_000), &"x".repeat(100_000))
    }),
    ("an odd prefix", |t, d| with_value(t, d.below(10_000), "{}:::µ☃")),
    ("tags swapped", |t, _| {
        t.replace("<ModelVariables>", "<ModelStructure>")
    }),
    ("other types", |t, _| {
        t.replace("<Real", "<Boolean").replace("<Float64", "<Binary")
    }),
    ("undeclared namespace", |t, _| {
        t.replacen("<CoSimulation", "<q:CoSimulation", 1)
    }),
    ("entities", |t, _| {
        let bomb = "<!DOCTYPE a [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>";
        format!(
            "{bomb}{}",
            t.trim_start_matches(|c| c != '>').trim_start_matches('>')
        )
    }),
    ("deep", |t, _| {
        t.replacen(
            "<ModelVariables>",
            &format!("<ModelVariables>{}", "<a>".repeat(100_000)),
            1,
        )
    }),
    ("many attributes", |t, _| {
        let many: String = (0..20_000).map(|i| format!(" a{i}=\"1\"")).collect();
        t.replacen("<ModelVariables", &format!("<ModelVariables{many}"), 1)
    }),
    ("an attribute twice", |t, _| {
        t.replacen(" modelName=", " modelName=\"x\" modelName=", 1)
    }),
    ("bytes swapped", |t, d| {
        let mut bytes = t.as_bytes().to_vec();
        for _ in 0..10 {
            let (a, b) = (d.below(bytes.len()), d.below(bytes.len()));
            bytes.swap(a, b);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }),
];

#[test]
fn damaged_descriptions_never_panic_and_never_hang() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let (mut readable, mut refused) = (0, 0);
    for (name, operator) in OPERATORS {
        for example in EXAMPLES {
            for _ in 0..8 {
                let damaged = operator(&text(example), &mut dice);
                let begin = Instant::now();
                let (description, mut reporter) = parse(damaged);
                if let Some(description) = &description {
                    validate(description, &mut reporter);
                }
                reporter.render_all(false);
                assert!(begin.elapsed() < Duration::from_secs(5), "{name} of {example}");
                match description {
                    Some(_) if !reporter.has_errors() => readable += 1,
                    _ => {
                        refused += 1;
                        assert!(
                            reporter.has_errors(),
                            "{name} of {example} was refused without a word"
                        );
                    }
                }
            }
        }
    }
    println!("{readable} could be used, {refused} were refused");
    assert!(readable > 500 && refused > 500);
}

/// What does no harm is read, and says so.
#[test]
fn harmless_damage_is_read_with_a_word() {
    let base = text("dymola_like");
    let cases: [(&str, String, &str); 6] = [
        (
            "no structure",
            without(&base, "<ModelStructure>", "</ModelStructure>"),
            "there is no <ModelStructure>",
        ),
        (
            "no units",
            without(&base, "<UnitDefinitions>", "</UnitDefinitions>"),
            "",
        ),
        (
            "no types",
            without(&base, "<TypeDefinitions>", "</TypeDefinitions>"),
            "the declared type is not defined",
        ),
        (
            "no version",
            base.replacen("fmiVersion=\"2.0\"", "", 1),
            "it looks like FMI 2.0",
        ),
        ("no guid", base.replacen("guid=", "gid=", 1), "there is no `guid`"),
        ("a word for a flag", base.replacen("=\"true\"", "=\"yes\"", 1), ""),
    ];
    for (name, damaged, expected) in cases {
        let (description, reporter) = parse(damaged);
        assert!(
            description.is_some() && !reporter.has_errors(),
            "{name}: {:?}",
            messages(&reporter)
        );
        let found = messages(&reporter).join("\n");
        assert!(found.contains(expected), "{name}: {found}");
    }
}

fn without(text: &str, from: &str, to: &str) -> String {
    let start = text.find(from).unwrap();
    let end = text.find(to).unwrap() + to.len();
    format!("{}{}", &text[..start], &text[end..])
}

#[test]
fn undeclared_prefixes_do_no_harm() {
    let base = text("catia_like");
    let text = base
        .replace("xmlns:fmi=", "about=")
        .replace("xmlns:xsi=", "other=");
    let (description, reporter) = parse(text);
    assert_eq!(messages(&reporter), [""; 0]);
    let description = description.unwrap();
    assert_eq!(description.variables.len(), 2);
    let source = reporter.source(description.span.source).unwrap();
    let start = description.variables[0].span.start;
    assert!(
        source.text()[start..].starts_with("<fmi:ScalarVariable name=\"TRef\""),
        "places stay"
    );
}

#[test]
fn encodings() {
    let base = text("amesim_like");
    let utf16: Vec<u8> = [0xFF, 0xFE]
        .into_iter()
        .chain(base.encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let (text, broken) = cardan_describe::xml::decode(&utf16);
    assert_eq!(broken, None);
    let mut reporter = Reporter::new();
    let source = cardan_describe::Source::new("m.xml", text);
    assert!(cardan_fmi::ModelDescription::read(source, &mut reporter).is_some());
    let (text, broken) = cardan_describe::xml::decode(&base.as_bytes()[..base.len() - 3].repeat(2));
    assert!(broken.is_none() && parse(text).1.has_errors());
}
