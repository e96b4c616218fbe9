//! Names of ports that differ from interaction to interaction: `node_{node_id}_force`.

use super::super::script::{Interaction, Process};
use crate::diagnostic::{Reporter, Spanned, suggest};

/// What may stand between braces.
const WORDS: [&str; 5] = ["process", "interaction", "gforce_id", "node_id", "geometry_name"];

/// The name of a port, with gaps.
#[derive(Clone, Debug)]
pub(in crate::acsi) struct Template {
    text: Spanned<String>,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    /// One of the words.
    Gap(&'static str),
}

impl Template {
    /// A template, unless its gaps are wrong, which is reported.
    pub(super) fn read(text: Spanned<String>, reporter: &mut Reporter) -> Option<Template> {
        let mut parts = Vec::new();
        let mut rest = text.value.as_str();
        let mut sound = true;
        while let Some((before, after)) = rest.split_once('{') {
            parts.push(Part::Text(before.to_owned()));
            let at = text.value.len() - after.len();
            let Some((word, behind)) = after.split_once('}') else {
                let span = reporter.within(&text, at - 1..text.value.len());
                reporter
                    .error(span, "a `}` is missing")
                    .advice("write {interaction}, {node_id} and the like");
                return None;
            };
            match WORDS.into_iter().find(|known| *known == word) {
                Some(word) => parts.push(Part::Gap(word)),
                None => {
                    sound = false;
                    let span = reporter.within(&text, at..at + word.len());
                    reporter
                        .error(span, format!("nothing can stand for `{{{word}}}`"))
                        .advice(suggest(word, "words between braces", WORDS));
                }
            }
            rest = behind;
        }
        parts.push(Part::Text(rest.to_owned()));
        sound.then_some(Template { text, parts })
    }

    /// The name of the port at an interaction; reported if the interaction lacks what a gap asks for.
    pub(in crate::acsi) fn fill(
        &self,
        process: &Process,
        interaction: &Interaction,
        reporter: &mut Reporter,
    ) -> Option<Spanned<String>> {
        let mut name = String::new();
        for part in &self.parts {
            let word = match part {
                Part::Text(text) => {
                    name.push_str(text);
                    continue;
                }
                Part::Gap(word) => *word,
            };
            let filling = match word {
                "process" => &process.name,
                "interaction" => &interaction.name,
                "gforce_id" => &interaction.gforce_id,
                "node_id" => &interaction.node_id,
                _ => &interaction.geometry_name,
            };
            match filling {
                Some(filling) => name.push_str(&filling.value),
                None => {
                    let place = interaction.name.as_ref().map_or(process.place, |name| name.span);
                    reporter
                        .error(place, format!("this interaction has no `{word}`"))
                        .related(self.text.span, "the name of the port asks for it")
                        .advice(format!(
                            "add `{word} = …` to it, or name the port otherwise in the map"
                        ));
                    return None;
                }
            }
        }
        Some(Spanned::new(name, self.text.span))
    }

    /// Where it was written.
    pub(in crate::acsi) fn span(&self) -> crate::diagnostic::Span {
        self.text.span
    }
}
