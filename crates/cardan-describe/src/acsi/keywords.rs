//! The keywords of a script, and what may stand behind each.

use crate::diagnostic::{Reporter, Spanned};
use std::net::IpAddr;

/// A keyword and what may stand behind it.
pub(super) struct Keyword {
    pub(super) name: &'static str,
    /// Another spelling that is in use.
    pub(super) also: Option<&'static str>,
    pub(super) kind: Kind,
}

/// What may stand behind a keyword.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    Text,
    /// A whole number from zero.
    Number,
    /// One of the rules for reading signals, by its number.
    Order,
    /// Any number but infinity.
    Weight,
    /// A number from zero.
    Error,
    /// A host, with or without a port.
    Host,
}

/// A value that is what its keyword wants.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    Text(String),
    Real(f64),
    Order(i64),
}

const fn keyword(name: &'static str, kind: Kind) -> Keyword {
    Keyword {
        name,
        also: None,
        kind,
    }
}

const fn order(name: &'static str, also: &'static str) -> Keyword {
    Keyword {
        name,
        also: Some(also),
        kind: Kind::Order,
    }
}

static SCRIPT: &[Keyword] = &[
    keyword("cosim_ip", Kind::Host),
    order("interpolate_order_u", "interpolation_order_u"),
    order("interpolate_order_f", "interpolation_order_f"),
    keyword("linear_weight_u", Kind::Weight),
    keyword("linear_weight_f", Kind::Weight),
    keyword("force_absolute_error", Kind::Error),
    keyword("force_relative_error", Kind::Error),
];

static PROCESS: &[Keyword] = &[
    keyword("id", Kind::Number),
    keyword("name", Kind::Text),
    keyword("code", Kind::Text),
    keyword("ip_address", Kind::Host),
];

static INTERACTION: &[Keyword] = &[
    keyword("name", Kind::Text),
    keyword("connection", Kind::Text),
    keyword("gforce_id", Kind::Number),
    keyword("node_id", Kind::Number),
    keyword("geometry_name", Kind::Text),
];

/// How deep in the script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    Script,
    Process,
    Interaction,
}

impl Level {
    pub(super) const ALL: [Level; 3] = [Level::Script, Level::Process, Level::Interaction];

    /// The group of that name.
    pub(super) fn named(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == Some(name))
    }

    /// The name of the group; the script as a whole has none.
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Level::Script => None,
            Level::Process => Some("process"),
            Level::Interaction => Some("interaction"),
        }
    }

    /// The same for people.
    pub(super) fn title(self) -> &'static str {
        match self {
            Level::Script => "the script, outside of groups",
            Level::Process => "a `process`",
            Level::Interaction => "an `interaction`",
        }
    }

    pub(super) fn keywords(self) -> &'static [Keyword] {
        match self {
            Level::Script => SCRIPT,
            Level::Process => PROCESS,
            Level::Interaction => INTERACTION,
        }
    }

    /// The keyword of that name, in either spelling.
    pub(super) fn keyword(self, name: &str) -> Option<&'static Keyword> {
        let mut keywords = self.keywords().iter();
        keywords.find(|keyword| keyword.name == name || keyword.also == Some(name))
    }
}

impl Kind {
    /// The value that a text stands for; what it should be, if it is none.
    pub(super) fn read(self, text: &str) -> Result<Value, &'static str> {
        let real = || text.parse::<f64>().ok().filter(|number| number.is_finite());
        let value = match self {
            Kind::Text => Some(Value::Text(text.to_owned())),
            Kind::Number => {
                // 007 and 7 are the same number, and must be found as such.
                let number = text.parse::<u32>().ok();
                number.map(|number| Value::Text(number.to_string()))
            }
            Kind::Order => {
                let number = text.parse().ok().filter(|order| (-2..=2).contains(order));
                number.map(Value::Order)
            }
            Kind::Weight => real().map(Value::Real),
            Kind::Error => real().filter(|number| *number >= 0.0).map(Value::Real),
            Kind::Host => host(text).map(|_| Value::Text(text.to_owned())),
        };
        value.ok_or(match self {
            Kind::Text => "a name",
            Kind::Number => "a whole number from 0",
            Kind::Order => "2, 1, 0, -1 or -2",
            Kind::Weight => "a finite number",
            Kind::Error => "a finite number from 0",
            Kind::Host => "a host such as 127.0.0.1 or localhost, with or without a port",
        })
    }

    fn advice(self) -> Option<&'static str> {
        (self == Kind::Order).then_some(
            "2 is quadratic, 1 linear with a weight, 0 holds the last value, -1 is the line nearest to three points, -2 \
             their mean",
        )
    }
}

impl Keyword {
    /// The value, or a word on what is wrong with it.
    pub(super) fn read(&self, text: Spanned<&str>, reporter: &mut Reporter) -> Option<Spanned<Value>> {
        match self.kind.read(text.value) {
            Ok(value) => Some(Spanned::new(value, text.span)),
            Err(wanted) => {
                reporter
                    .error(
                        text.span,
                        format!("`{}` must be {wanted}, found `{}`", self.name, text.value),
                    )
                    .label(format!("expected {wanted}"))
                    .advice_if(self.kind.advice());
                None
            }
        }
    }
}

/// The host in `host` or `host:port`, if that is what it is.
pub(super) fn host(text: &str) -> Option<&str> {
    if text.parse::<IpAddr>().is_ok() {
        return Some(text);
    }
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (text, None),
    };
    let host = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .filter(|host| host.parse::<IpAddr>().is_ok())
        .unwrap_or(host);
    let named = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let is_host = host.parse::<IpAddr>().is_ok() || (!host.is_empty() && host.chars().all(named));
    let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0));
    (is_host && is_port).then_some(host)
}

/// Is it this machine?
pub(super) fn is_here(text: &str) -> bool {
    let host = host(text).unwrap_or(text);
    let address = host.parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_held_against_their_kinds() {
        assert_eq!(Kind::Number.read("099"), Ok(Value::Text("99".to_owned())));
        for wrong in ["-1", "1.5", "one", "4294967296"] {
            assert!(Kind::Number.read(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Kind::Order.read("-2"), Ok(Value::Order(-2)));
        for wrong in ["3", "-3", "1.0", "linear"] {
            assert!(Kind::Order.read(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Kind::Weight.read("-0.5"), Ok(Value::Real(-0.5)));
        for wrong in ["inf", "NaN", "1e999", "0,5"] {
            assert!(Kind::Weight.read(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Kind::Error.read("0"), Ok(Value::Real(0.0)));
        assert!(Kind::Error.read("-0.5").is_err());
    }

    #[test]
    fn hosts_and_who_is_here() {
        for here in [
            "127.0.0.1",
            "localhost:4000",
            "LocalHost",
            "::1",
            "[::1]:4000",
            "127.1.2.3:1",
        ] {
            assert!(host(here).is_some() && is_here(here), "{here}");
        }
        for elsewhere in ["10.0.0.2", "node7.cluster:5000", "192.168.1.4:99", "[fe80::1]:80"] {
            assert!(host(elsewhere).is_some() && !is_here(elsewhere), "{elsewhere}");
        }
        for wrong in [
            "",
            "a b",
            "host:",
            "host:0",
            "host:65536",
            "http://host",
            ":80",
            "[x]:80",
        ] {
            assert_eq!(host(wrong), None, "{wrong}");
        }
    }
}
