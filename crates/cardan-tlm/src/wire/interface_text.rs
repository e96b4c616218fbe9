//! How an interface point is registered: by its name, or `name:dimensions:causality:domain`.

use super::WireError;
use cardan_describe::tlm::{Causality, Dimensions, Domain};
use std::fmt;

/// What a tool says about an interface point when it registers it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InterfaceText {
    /// Its name; monitors say `component.interface`.
    pub name: String,
    /// Its degrees of freedom.
    pub dimensions: Dimensions,
    /// Which way things go.
    pub causality: Causality,
    /// Its physics.
    pub domain: Domain,
}

impl InterfaceText {
    /// Reads the text. What is left out is 6, bidirectional, mechanical.
    pub fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        let text =
            std::str::from_utf8(bytes).map_err(|_| WireError::Text("the name of an interface point"))?;
        // Some send the zero at the end of a text of C too.
        let text = text.trim_end_matches('\0');
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default().to_owned();
        let mut part = || parts.next().filter(|part| !part.is_empty());
        let wrong = |text: &str, what| WireError::Meaning {
            text: text.to_owned(),
            what,
        };
        let dimensions = part().map_or(Ok(Dimensions::Six), |text| {
            Dimensions::from_text(text).ok_or_else(|| wrong(text, "a number of dimensions (1 or 6)"))
        })?;
        let causality = part().map_or(Ok(Causality::Bidirectional), |text| {
            Causality::from_text(text).ok_or_else(|| wrong(text, "bidirectional, input or output"))
        })?;
        let domain = part().map_or(Domain::Mechanical, Domain::from_text);
        if name.is_empty() {
            return Err(wrong(text, "the name of an interface point"));
        }
        Ok(InterfaceText {
            name,
            dimensions,
            causality,
            domain,
        })
    }
}

impl fmt::Display for InterfaceText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InterfaceText {
            name,
            dimensions,
            causality,
            domain,
        } = self;
        write!(f, "{name}:{dimensions}:{causality}:{domain}")
    }
}
