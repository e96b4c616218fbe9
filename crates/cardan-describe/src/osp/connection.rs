//! `<Connections>`: of variables, of groups of them, and through functions.

use super::Structure;
use super::function::Function;
use super::signal::End;
use crate::diagnostic::{Reporter, Spanned, suggest};
use crate::spec::{ConnectionSpec, Hop, Transformation};
use crate::xml::Element;

impl Structure<'_> {
    pub(super) fn connections(&mut self, root: Element<'_>, reporter: &mut Reporter) {
        let lists: Vec<_> = root.children_named("Connections").collect();
        let mut through: Vec<(String, Spanned<String>)> = Vec::new();
        for connection in lists.iter().flat_map(|list| list.children().collect::<Vec<_>>()) {
            let mut ends = connection.children();
            let (Some(first), Some(second)) = (ends.next(), ends.next()) else {
                reporter
                    .error(connection.span(), "a connection has two ends")
                    .advice("name two of <Variable>, <VariableGroup>, <Signal>, <SignalGroup>");
                self.broken = true;
                continue;
            };
            let pair = (self.ends(first, reporter), self.ends(second, reporter));
            let (Some(a), Some(b)) = pair else {
                self.broken = true;
                continue;
            };
            if a.len() != b.len() {
                reporter
                    .error(
                        second.span(),
                        format!("a group of {} cannot be connected to one of {}", a.len(), b.len()),
                    )
                    .label(format!("{} variables", b.len()))
                    .related(first.span(), format!("{} variables", a.len()))
                    .advice("connect groups of the same size");
                self.broken = true;
                continue;
            }
            for (a, b) in a.into_iter().zip(b) {
                self.connect(a, b, connection, &mut through, reporter);
            }
        }
        self.finish_laws(through, reporter);
    }

    /// What an end stands for: one variable or signal, or those of a group in order.
    fn ends(&mut self, element: Element<'_>, reporter: &mut Reporter) -> Option<Vec<End>> {
        match element.name() {
            "Variable" | "VariableGroup" => {
                let simulator = element.required("simulator", reporter)?;
                let name = element.required("name", reporter)?;
                let known =
                    self.names.contains_key(simulator.value) && !self.functions.contains_key(simulator.value);
                if !known {
                    let names = self.components.iter().map(|c| c.name.value.as_str());
                    let advice = match reporter.is_full() {
                        true => String::new(),
                        false => suggest(simulator.value, "simulators", names),
                    };
                    reporter
                        .error(
                            simulator.span,
                            format!("there is no simulator `{}`", simulator.value),
                        )
                        .advice(advice);
                    return None;
                }
                let of = |variable: &str| {
                    let full = format!("{}.{variable}", simulator.value);
                    End::Variable(Spanned::new(full, name.span))
                };
                if element.name() == "Variable" {
                    return Some(vec![of(name.value)]);
                }
                let variables = self.groups.find(self.folder, simulator.value, name, reporter)?;
                Some(variables.iter().map(|variable| of(variable)).collect())
            }
            "Signal" | "SignalGroup" => self.signal(element, reporter),
            other => {
                reporter
                    .error(element.span(), format!("<{other}> is not an end of a connection"))
                    .advice("<Variable>, <VariableGroup>, <Signal> and <SignalGroup> are");
                None
            }
        }
    }

    fn connect(
        &mut self,
        a: End,
        b: End,
        connection: Element<'_>,
        through: &mut Vec<(String, Spanned<String>)>,
        reporter: &mut Reporter,
    ) {
        let (from, to) = match (a, b) {
            (End::Variable(a), End::Variable(b)) => {
                self.connections.push(ConnectionSpec {
                    undirected: true,
                    ..ConnectionSpec::new(Some(a), Some(b))
                });
                return;
            }
            (End::Variable(variable), End::Into(input)) | (End::Into(input), End::Variable(variable)) => {
                (variable, input)
            }
            (End::Variable(variable), End::OutOf(output)) | (End::OutOf(output), End::Variable(variable)) => {
                (output, variable)
            }
            (End::Variable(variable), End::IntoLaw(name, place))
            | (End::IntoLaw(name, place), End::Variable(variable)) => {
                self.drive_law(&name, variable, place, reporter);
                return;
            }
            (End::Variable(variable), End::OutOfLaw(name))
            | (End::OutOfLaw(name), End::Variable(variable)) => {
                through.push((name, variable));
                return;
            }
            _ => {
                reporter
                    .error(connection.span(), "functions cannot be connected to each other")
                    .advice("connect a variable of a simulator with a signal of a function");
                self.broken = true;
                return;
            }
        };
        self.connections.push(ConnectionSpec::new(Some(from), Some(to)));
    }

    fn drive_law(
        &mut self,
        name: &str,
        variable: Spanned<String>,
        place: Spanned<()>,
        reporter: &mut Reporter,
    ) {
        let Some(Function::Linear { input, .. }) = self.functions.get_mut(name) else {
            return;
        };
        match input {
            Some(first) => {
                reporter
                    .error(place.span, format!("`{name}.in` is driven twice"))
                    .label("driven again here")
                    .related(first.span, "first driven by this")
                    .advice("remove one of the two connections");
            }
            None => *input = Some(variable),
        }
    }

    /// A linear transformation works on the numbers as they are: it may well be there to convert them.
    fn finish_laws(&mut self, through: Vec<(String, Spanned<String>)>, reporter: &mut Reporter) {
        for (name, target) in through {
            let Some(Function::Linear { law, input }) = self.functions.get(&name) else {
                continue;
            };
            let Some(source) = input else {
                if self.broken {
                    continue;
                }
                reporter
                    .error(target.span, format!("nothing drives the function `{name}`"))
                    .related(law.span, "the function")
                    .advice("connect a variable to its signal `in`");
                continue;
            };
            let hop = Hop {
                keeps_number: true,
                transformation: Some(Spanned::new(Transformation::Linear(law.value), law.span)),
                ..Hop::default()
            };
            self.connections.push(ConnectionSpec {
                hops: vec![hop],
                ..ConnectionSpec::new(Some(source.clone()), Some(target))
            });
        }
    }
}
