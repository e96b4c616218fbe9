//! The published schema.

use super::GOOD;
use cardan_describe::schema;
use serde_json::Value;

#[test]
fn the_published_file_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/system.schema.json");
    if std::env::var_os("CARDAN_UPDATE_SCHEMA").is_some() {
        let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
        std::fs::write(path, text).unwrap();
    }
    // As values: the order of keys is up to features of serde_json that other crates may turn on.
    let found: Option<Value> = std::fs::read(path)
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok());
    assert!(
        found == Some(schema()),
        "run the test with CARDAN_UPDATE_SCHEMA=1 to write {path}"
    );
}

#[test]
fn the_reader_and_the_schema_agree() {
    assert_eq!(both(GOOD), (true, true));
    for (good, bad) in [
        ("stop = 4", "stop = \"four\""),
        ("stop = 4", "stopp = 4"),
        ("step = 0.002", "step = -0.002"),
        ("substeps = 2", "substeps = 2.5"),
        ("substeps = 2", "substeps = 0"),
        ("isolate = true", "isolate = 1"),
        ("isolate = true", "interface = \"fmi\""),
        ("isolate = true", "log = [1]"),
        ("isolate = true", "log = \"all\""),
        ("model = \"mass-spring-damper\"", "role = \"follower\""),
        ("model = \"mass-spring-damper\"", "model = \"a\"\nfmu = \"b\""),
        ("command = [\"python3\", \"chassis.py\"], ", ""),
        ("from = \"wheel.velocity\"", ""),
        ("reading = \"linear\"", "reading = \"wavy\""),
        ("kind = \"gauss-seidel\"", "kind = \"gauss\""),
        ("order = [\"wheel\", \"chassis\"]", "order = [1, 2]"),
        ("memory = \"4 GB\"", "memory = true"),
        ("[[-0.2, 0.0], [-0.1, 0.5]]", "[[-0.2], [-0.1, 0.5]]"),
        ("[limits]", "[limit]"),
    ] {
        assert!(GOOD.contains(good), "{good}");
        assert_eq!(both(&GOOD.replace(good, bad)), (false, false), "{bad}");
    }
}

/// Do the reader and the schema accept a text?
fn both(text: &str) -> (bool, bool) {
    let (_, reporter) = super::parse(text);
    let value: Value = serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap();
    (!reporter.has_errors(), accepts(&schema(), &value))
}

/// The few keywords that our schema uses; a validator for all of them would take longer to compile than this crate.
fn accepts(schema: &Value, value: &Value) -> bool {
    schema
        .as_object()
        .unwrap()
        .iter()
        .all(|(keyword, rule)| match keyword.as_str() {
            "type" => match rule {
                Value::Array(names) => names.iter().any(|name| is(name, value)),
                name => is(name, value),
            },
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => value
                .as_f64()
                .is_none_or(|number| number >= rule.as_f64().unwrap()),
            "exclusiveMinimum" => value
                .as_f64()
                .is_none_or(|number| number > rule.as_f64().unwrap()),
            "required" => rule
                .as_array()
                .unwrap()
                .iter()
                .all(|name| value.get(name.as_str().unwrap()).is_some()),
            "oneOf" => {
                rule.as_array()
                    .unwrap()
                    .iter()
                    .filter(|option| accepts(option, value))
                    .count()
                    == 1
            }
            "properties" => {
                let known = value
                    .as_object()
                    .into_iter()
                    .flatten()
                    .filter_map(|(name, v)| Some((rule.get(name)?, v)));
                known.into_iter().all(|(rule, v)| accepts(rule, v))
            }
            "additionalProperties" => {
                let known = |name: &str| {
                    schema
                        .get("properties")
                        .is_some_and(|known| known.get(name).is_some())
                };
                let mut others = value
                    .as_object()
                    .into_iter()
                    .flatten()
                    .filter(|(name, _)| !known(name));
                others.all(|(_, v)| rule.is_object() && accepts(rule, v))
            }
            "items" => value
                .as_array()
                .into_iter()
                .flatten()
                .enumerate()
                .all(|(i, v)| match rule {
                    Value::Array(rules) => rules.get(i).is_none_or(|rule| accepts(rule, v)),
                    rule => accepts(rule, v),
                }),
            "minItems" => value
                .as_array()
                .is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value
                .as_array()
                .is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap()),
            "minProperties" => value
                .as_object()
                .is_none_or(|map| map.len() as u64 >= rule.as_u64().unwrap()),
            "$schema" | "title" | "description" | "propertyNames" => true,
            other => panic!("unknown keyword {other}"),
        })
}

fn is(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("unknown type {other}"),
    }
}
