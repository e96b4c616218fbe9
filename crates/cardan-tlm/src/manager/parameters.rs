//! Parameters: what components ask for, and what is written for them that nobody asks for.

use super::outcome::Failure;
use super::session::Session;
use super::survey::SurveyedParameter;
use crate::wire::{Header, Kind, parameter_reply, parameter_request};
use cardan_describe::nearest;
use std::collections::HashSet;

/// Names that are remembered. Who asks for more asks for nothing that people write by hand.
const MOST: usize = 10_000;

/// The names of the parameters that components have asked for.
#[derive(Debug, Default)]
pub(super) struct Questions {
    names: HashSet<(usize, String)>,
    /// There were more.
    full: bool,
}

impl Questions {
    fn note(&mut self, component: usize, name: &str) {
        self.full |= self.names.len() >= MOST;
        if !self.full {
            self.names.insert((component, name.to_owned()));
        }
    }

    /// Those of one component, in order.
    fn of(&self, component: usize) -> Vec<&str> {
        let own = self.names.iter().filter(|(asker, _)| *asker == component);
        let mut names: Vec<&str> = own.map(|(_, name)| name.as_str()).collect();
        names.sort_unstable();
        names
    }
}

impl Session<'_> {
    pub(super) fn register_parameter(
        &mut self,
        index: usize,
        component: usize,
        header: Header,
        payload: &[u8],
    ) -> Result<(), Failure> {
        let (name, default) = match parameter_request(payload) {
            Ok(request) => request,
            Err(error) => return self.offended(index, &format!("it asks for a parameter, but {error}")),
        };
        let answer = |parameter: usize| Header {
            parameter: i32::try_from(parameter).unwrap_or(-1),
            ..Header::new(Kind::RegisterParameter, header.interface)
        };
        if let Some(survey) = &mut self.survey {
            let answer = answer(survey.parameters.len());
            survey.parameters.push(SurveyedParameter {
                component: self.components[component].name.clone(),
                name: name.to_owned(),
                default: default.to_owned(),
            });
            // Where an interface point is may depend on the value that a run would have.
            let written = self.model.parameter(component, name);
            let value = written.map_or(default, |id| self.model.parameters[id].value.as_str());
            self.answer(index, answer, &parameter_reply(value));
            self.questions.note(component, name);
            return Ok(());
        }
        match self.model.parameter(component, name) {
            Some(id) => {
                let value = parameter_reply(&self.model.parameters[id].value);
                self.answer(index, answer(id), &value);
            }
            // It keeps its own value.
            None => self.answer(index, Header::new(Kind::RegisterParameter, header.interface), &[]),
        }
        self.questions.note(component, name);
        Ok(())
    }

    /// Values that nobody has asked for act on nothing: a misspelt name, most likely. All have registered by now.
    pub(super) fn tell_of_unasked_parameters(&mut self) {
        if self.questions.full {
            return;
        }
        let mut warnings = Vec::new();
        for (index, sub_model) in self.model.sub_models.iter().enumerate() {
            let written = &self.model.parameters[sub_model.parameters.clone()];
            let asked = match written.is_empty() {
                true => continue,
                false => self.questions.of(index),
            };
            let unasked = written
                .iter()
                .filter(|p| asked.binary_search(&p.name.as_str()).is_err());
            for parameter in unasked {
                let advice = match nearest(&parameter.name, asked.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if asked.is_empty() => "it asks for no parameters at all.".to_owned(),
                    None => format!("it asks for {}.", listed(&asked)),
                };
                warnings.push(format!(
                    "{}: {} does not ask for the parameter `{}`, so its value changes nothing; {advice}",
                    parameter.place, sub_model.name, parameter.name
                ));
            }
        }
        for text in warnings {
            self.warn(text);
        }
    }
}

/// Names in a row, cut where it gets long.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 15;
    match names.get(..SHOWN) {
        Some(first) if names.len() > SHOWN => format!("{}, … ({} in all)", first.join(", "), names.len()),
        _ => names.join(", "),
    }
}
