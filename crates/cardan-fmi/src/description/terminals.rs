//! Terminals: groups of variables that are connected together, from `terminalsAndIcons.xml`.

use super::{ModelDescription, Terminal, TerminalMember};
use cardan_describe::xml::{self, Element};
use cardan_describe::{Reporter, Source};
use std::collections::HashMap;

/// Where the file lies in an FMU.
pub const FILE: &str = "terminalsAndIcons/terminalsAndIcons.xml";

impl ModelDescription {
    /// Adds the terminals that a `terminalsAndIcons.xml` describes. Nothing in it can make an FMU unusable, so all
    /// its mistakes are warnings, but for text that is not XML.
    pub fn read_terminals(&mut self, source: Source, reporter: &mut Reporter) {
        let mut names: HashMap<&str, usize> = HashMap::new();
        for (index, variable) in self.variables.iter().enumerate() {
            names.entry(&variable.name).or_insert(index);
        }
        for (index, variable) in self.variables.iter().enumerate() {
            for alias in &variable.aliases {
                names.entry(alias).or_insert(index);
            }
        }
        let found = xml::read(source, reporter, |root, reporter| {
            let mut terminals = Vec::new();
            let outer = root.child("Terminals").unwrap_or(root);
            for element in outer.children_named("Terminal") {
                terminal(element, "", &names, &mut terminals, reporter);
            }
            terminals
        });
        self.terminals.extend(found.into_iter().flatten());
    }
}

/// One terminal and those inside it. The depth of a document is limited, so this ends.
fn terminal(
    element: Element<'_>,
    outer: &str,
    names: &HashMap<&str, usize>,
    terminals: &mut Vec<Terminal>,
    reporter: &mut Reporter,
) {
    let Some(name) = element.attribute("name") else {
        reporter.warning(element.span(), "a terminal without a name is ignored");
        return;
    };
    let text = |attribute| element.attribute(attribute).map(|text| text.value.to_owned());
    let name = if outer.is_empty() {
        name.value.to_owned()
    } else {
        format!("{outer}.{}", name.value)
    };
    let place = terminals.len();
    terminals.push(Terminal {
        name: name.clone(),
        matching_rule: text("matchingRule").unwrap_or_else(|| "plug".to_owned()),
        kind: text("terminalKind"),
        members: Vec::new(),
    });
    let mut members = Vec::new();
    for child in element.children() {
        match child.name() {
            "TerminalMemberVariable" => {
                members.extend(member(child, "variableName", "memberName", names, reporter));
            }
            "TerminalStreamMemberVariable" => {
                let pairs = [
                    ("inStreamVariableName", "inStreamMemberName"),
                    ("outStreamVariableName", "outStreamMemberName"),
                ];
                for (variable, own) in pairs {
                    members.extend(member(child, variable, own, names, reporter));
                }
            }
            "Terminal" => terminal(child, &name, names, terminals, reporter),
            _ => {}
        }
    }
    terminals[place].members = members;
}

fn member(
    element: Element<'_>,
    variable: &str,
    own: &str,
    names: &HashMap<&str, usize>,
    reporter: &mut Reporter,
) -> Option<TerminalMember> {
    let Some(name) = element.attribute(variable) else {
        let message = format!("a member without `{variable}` is ignored");
        reporter.warning(element.span(), message);
        return None;
    };
    let Some(&index) = names.get(name.value) else {
        let message = format!("there is no variable `{}`: the member is ignored", name.value);
        reporter.warning(name.span, message);
        return None;
    };
    let kind = element
        .attribute("variableKind")
        .map_or("signal", |kind| kind.value);
    Some(TerminalMember {
        variable: index,
        name: element.attribute(own).map(|name| name.value.to_owned()),
        kind: if own == "memberName" {
            kind
        } else {
            own.trim_end_matches("MemberName")
        }
        .to_owned(),
    })
}
