//! What is known of a transmission line: what follows from its description, and what a run made of it.

use cardan_core::line::{Compensation, Medium, Properties};
use cardan_core::monitor::LineAccount;
use cardan_core::plan::Line;
use serde::{Deserialize, Serialize};

/// A transmission line, in SI units.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LineReport {
    /// Its name.
    pub name: String,
    /// What it carries.
    pub domain: String,
    /// Seconds from one end to the other.
    pub delay: f64,
    /// For how long its waves are on their way, and how far everybody may be ahead; less than the delay where a part of it is
    /// spent in the filter.
    pub transport: f64,
    /// Its impedance, as it was in the run.
    #[serde(rename = "Zf")]
    pub impedance: f64,
    /// The same for rotations in space.
    #[serde(rename = "Zfr", default, skip_serializing_if = "Option::is_none")]
    pub rotational: Option<f64>,
    /// Damping of waves.
    pub alpha: f64,
    /// The inertia that it brings along: kg, kg·m², or what it is in other domains.
    pub parasitic_mass: f64,
    /// The same for rotations in space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parasitic_inertia: Option<f64>,
    /// Its stiffness.
    pub stiffness: f64,
    /// The same for rotations in space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotational_stiffness: Option<f64>,
    /// The lowest frequency of waves that stand in it, in Hz.
    pub standing_wave: f64,
    /// What is to be kept from those at its ends when the run begins: `inertia`, or `all` for a rigid tie. None in a run, which
    /// knows what became of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_compensate: Option<String>,
    /// The part of its inertia that is taken away at its ends; none before a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compensated: Option<f64>,
    /// How many times it was as stiff as described; none before a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffened: Option<f64>,
    /// How far its ends were apart at most beyond what they were apart at the start, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
    /// When that was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_time: Option<f64>,
}

impl LineReport {
    /// What follows from the description.
    pub fn described(line: &Line) -> Self {
        let to_compensate = match line.properties.compensate {
            _ if line.medium == Medium::Signal => None,
            Compensation::None => None,
            Compensation::Inertia => Some("inertia".to_owned()),
            Compensation::Full => Some("all".to_owned()),
        };
        LineReport {
            to_compensate,
            ..LineReport::new(&line.name, line.medium, &line.properties)
        }
    }

    /// What a run made of it.
    pub fn of_run(line: &Line, account: &LineAccount) -> Self {
        let carries_waves = line.medium != Medium::Signal;
        LineReport {
            compensated: carries_waves.then_some(account.compensated),
            stiffened: carries_waves.then_some(account.made.impedance / line.properties.impedance),
            gap: account.gap,
            gap_time: account.gap.map(|_| account.time.seconds()),
            ..LineReport::new(&line.name, line.medium, &account.made)
        }
    }

    pub(crate) fn new(name: &str, medium: Medium, made: &Properties) -> Self {
        // The components of a line in space, translations first; a signal weighs nothing.
        let space = |number: f64| (medium == Medium::Spatial).then_some(number);
        let weight = if medium == Medium::Signal { 0.0 } else { 1.0 };
        LineReport {
            name: name.to_owned(),
            domain: medium.to_string(),
            delay: made.delay,
            transport: made.transport(),
            impedance: weight * made.impedance,
            rotational: space(made.rotational),
            alpha: made.alpha,
            parasitic_mass: weight * made.inertia_of(0),
            parasitic_inertia: space(made.inertia_of(3)),
            stiffness: weight * made.stiffness_of(0),
            rotational_stiffness: space(made.stiffness_of(3)),
            standing_wave: weight * made.standing_wave(),
            to_compensate: None,
            compensated: None,
            stiffened: None,
            gap: None,
            gap_time: None,
        }
    }

    /// In a few words, after its name.
    pub fn words(&self) -> String {
        let units = Units::of(&self.domain);
        if self.domain == "signal" {
            return format!("a signal that arrives {} s later", short(self.delay));
        }
        let inertia = match self.parasitic_inertia {
            Some(turning) => format!(
                "{} {} and {} kg·m²",
                short(self.parasitic_mass),
                units.inertia,
                short(turning)
            ),
            None => format!("{} {}", short(self.parasitic_mass), units.inertia),
        };
        let mut words = format!("delay {} s, brings {inertia} along", short(self.delay));
        match self.compensated {
            Some(part) if part >= 1.0 => words += ", taken away at its ends",
            Some(part) if part > 0.0 => words += &format!(", {} % of it taken away", short(100.0 * part)),
            _ => {}
        }
        if self.to_compensate.is_some() {
            words += ", taken away at its ends when the run begins where they can feel it";
        }
        words += &format!(", stiffness {} {}", short(self.stiffness), units.stiffness);
        if self.to_compensate.as_deref() == Some("all") {
            words += " before the run, which makes it stiffer and heavier where there is inertia to spare, and says by how much";
        }
        if let Some(factor) = self.stiffened.filter(|factor| *factor > 1.0) {
            words += &format!(" ({} times as described)", short(factor));
        }
        if let (Some(gap), Some(time)) = (self.gap, self.gap_time) {
            let unit = units.gap;
            words += &format!(
                ", ends at most {}{unit} apart beyond the start, at t = {} s",
                short(gap),
                short(time)
            );
        }
        words
    }
}

/// What inertia and stiffness are called in a domain.
struct Units {
    inertia: &'static str,
    stiffness: &'static str,
    gap: &'static str,
}

impl Units {
    fn of(domain: &str) -> Self {
        let (inertia, stiffness, gap) = match domain {
            "rotational" => ("kg·m²", "N·m/rad", " rad"),
            "hydraulic" => ("Pa·s²/m³", "Pa/m³", ""),
            "electric" => ("H", "1/F", ""),
            _ => ("kg", "N/m", " m"),
        };
        Units {
            inertia,
            stiffness,
            gap,
        }
    }
}

/// A number of a few digits.
fn short(number: f64) -> String {
    let rounded: f64 = format!("{number:.3e}").parse().unwrap_or(number);
    match rounded != 0.0 && !(1e-3..1e6).contains(&rounded.abs()) {
        true => format!("{rounded:e}"),
        false => format!("{rounded}"),
    }
}
