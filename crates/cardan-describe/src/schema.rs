//! The JSON schema by which editors complete and check a `system.toml`.
//!
//! It is made from the table of keys that the reader uses. A line `#:schema URL-or-path` at the top of a
//! `system.toml` makes editors with the Taplo language server (Even Better TOML and others) use it:
//!
//! ```toml
//! #:schema ../../docs/system.schema.json
//! ```

use crate::toml::keys::{self, Key, Kind};
use serde_json::{Map, Value, json};

const USE: &str = "A line `#:schema PATH-OR-URL-OF-THIS-FILE` at the top of a system.toml makes editors complete and check it.";

/// The schema, as published in `docs/system.schema.json`.
pub fn schema() -> Value {
    let mut schema = object(keys::DOCUMENT);
    if let Value::Object(schema) = &mut schema {
        schema.insert("$schema".into(), "http://json-schema.org/draft-07/schema#".into());
        schema.insert("title".into(), "A coupled system for Cardan".into());
        schema.insert("description".into(), USE.into());
    }
    schema
}

fn object(keys: &[Key]) -> Value {
    let properties: Map<String, Value> = keys.iter().map(|key| (key.name.into(), property(key))).collect();
    let required: Vec<&str> = keys
        .iter()
        .filter(|key| key.required)
        .map(|key| key.name)
        .collect();
    let mut object = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    object
}

fn property(key: &Key) -> Value {
    let mut property = kind(&key.kind);
    property["description"] = key.about.into();
    property
}

fn kind(kind: &Kind) -> Value {
    match kind {
        Kind::Number => json!({ "type": "number" }),
        Kind::Positive | Kind::Limit => json!({ "type": "number", "exclusiveMinimum": 0 }),
        Kind::NotNegative => json!({ "type": "number", "minimum": 0 }),
        Kind::CountOrNone => json!({ "type": "integer", "minimum": 0 }),
        Kind::Count => json!({ "type": "integer", "minimum": 1 }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Text => json!({ "type": "string" }),
        Kind::Choice(names) => json!({ "type": "string", "enum": names }),
        Kind::Vector => json!({
            "type": "array", "minItems": 3, "maxItems": 3, "items": { "type": "number" }
        }),
        Kind::Numbers(least, most) => numbers(*least, *most),
        Kind::NumberOrNumbers(least, most) => {
            json!({ "anyOf": [{ "type": "number" }, numbers(*least, *most)] })
        }
        Kind::Vectors(count) => json!({
            "type": "array", "minItems": count, "maxItems": count, "items": numbers(3, 3)
        }),
        Kind::NamedNumbers(least, most) => json!({
            "type": "object",
            "propertyNames": { "pattern": keys::NAME_PATTERN },
            "additionalProperties": numbers(*least, *most),
        }),
        Kind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::TextOrTexts => json!({ "type": ["string", "array"], "items": { "type": "string" } }),
        Kind::FlagOrTexts => json!({ "type": ["boolean", "array"], "items": { "type": "string" } }),
        Kind::FlagOrText => json!({ "type": ["boolean", "string"] }),
        Kind::TextOrTable(keys) => json!({ "anyOf": [{ "type": "string" }, object(keys)] }),
        Kind::Size => json!({ "type": ["string", "integer"], "minimum": 1 }),
        Kind::Table(keys) => object(keys),
        Kind::Tables(keys) => json!({ "type": "array", "items": object(keys) }),
        Kind::Named(keys) => json!({
            "type": "object",
            "minProperties": 1,
            "propertyNames": { "pattern": keys::NAME_PATTERN },
            "additionalProperties": named(keys),
        }),
        Kind::Values => json!({
            "type": "object",
            "additionalProperties": { "type": ["number", "boolean", "string", "array"] },
        }),
        Kind::Histories => {
            let value = json!({ "type": ["number", "boolean", "string", "array"] });
            let point = json!({ "type": "array", "minItems": 2, "maxItems": 2, "items": [{ "type": "number" }, value] });
            json!({ "type": "object", "additionalProperties": { "type": "array", "items": point } })
        }
    }
}

fn numbers(least: usize, most: usize) -> Value {
    json!({ "type": "array", "minItems": least, "maxItems": most, "items": { "type": "number" } })
}

/// Something with a name. A component is made from exactly one thing.
fn named(keys: &[Key]) -> Value {
    let mut component = object(keys);
    if !keys.iter().any(|key| keys::SOURCES.contains(&key.name)) {
        return component;
    }
    let sources = keys::SOURCES.map(|source| json!({ "required": [source] }));
    component["oneOf"] = json!(sources);
    component
}
