//! From a script and its map to a system: processes become components, each pair of interactions a motion one way and a
//! force the other.

use super::keywords::is_here;
use super::map::{Kind, Map};
use super::pairs::{self, End};
use super::reading;
use super::script::{Interaction, Options, Process, Script};
use crate::diagnostic::{Reporter, Span, Spanned};
use crate::spec::{ComponentSource, ComponentSpec, ConnectionSpec, MethodKind, MethodSpec, SystemSpec};
use cardan_core::signal::Reading;
use std::collections::{HashMap, HashSet};

/// Where an interaction is, as far as it is known: the part that it plays.
struct Place<'s> {
    process: &'s Process,
    interaction: &'s Interaction,
    component: &'s str,
}

/// Puts a system together. Without a map, what the script says is checked for itself.
pub(super) fn system(
    script: &Script,
    map: Option<&Map>,
    name: String,
    whole: Span,
    reporter: &mut Reporter,
) -> SystemSpec {
    let names = component_names(&script.processes, reporter);
    let pairs = pairs::find(script, reporter);
    let motion = reading::of(&script.options.motion, 'u', reporter);
    let force = reading::of(&script.options.force, 'f', reporter);
    let Some(map) = map else {
        let mut spec = SystemSpec::new(name, whole);
        spec.components = names.into_iter().flatten().map(ComponentSpec::new).collect();
        spec.broken = true;
        return spec;
    };
    let mut spec = map.settings.clone();
    set_method(&mut spec.method, &script.options, whole, reporter);
    spec.broken |= script.broken;
    let mut roles = Vec::with_capacity(script.processes.len());
    for (process, name) in script.processes.iter().zip(&names) {
        let Some(name) = name else {
            roles.push(None);
            continue;
        };
        let mut component = map.component(process, name, reporter);
        check_address(process, &component, reporter);
        let role = role(process, &component, reporter);
        component.role = role
            .filter(|role| role.leads)
            .map(|role| Spanned::new("leader".to_owned(), role.place));
        roles.push(role);
        spec.components.push(component);
    }
    map.warn_of_idle(script, reporter);
    let usual = |chosen: Option<Reading>| match (chosen, spec.method.reading) {
        (None, Some(_)) => None,
        (chosen, _) => Some(chosen.unwrap_or(Reading::Quadratic)),
    };
    let readings = (usual(motion), usual(force));
    let mut wiring = Wiring {
        map,
        connections: Vec::new(),
        silent: HashSet::new(),
        quarrels: HashSet::new(),
    };
    let place = |end: End| {
        Some(Place {
            process: script.process(end)?,
            interaction: script.interaction(end)?,
            component: names.get(end.process)?.as_ref()?.value.as_str(),
        })
    };
    for (a, b) in pairs {
        let (Some(first), Some(second)) = (place(a), place(b)) else {
            continue;
        };
        let leads = |end: End| roles.get(end.process).copied().flatten().map(|role| role.leads);
        let (leader, follower) = match (leads(a), leads(b)) {
            (Some(true), Some(false)) => (first, second),
            (Some(false), Some(true)) => (second, first),
            (Some(both), Some(_)) => {
                if wiring.quarrels.insert((a.process, b.process)) {
                    say_leaderless(&first, &second, both, reporter);
                }
                continue;
            }
            _ => continue,
        };
        wiring.connect(Kind::Motion, &leader, &follower, readings.0, reporter);
        wiring.connect(Kind::Force, &follower, &leader, readings.1, reporter);
    }
    spec.connections = wiring.connections;
    spec
}

/// The name of each process as a component has it: dots, brackets and spaces mean something there, or would be in the way.
fn component_names(processes: &[Process], reporter: &mut Reporter) -> Vec<Option<Spanned<String>>> {
    let mut taken: HashMap<String, &Spanned<String>> = HashMap::new();
    let mut names = Vec::with_capacity(processes.len());
    for process in processes {
        let Some(written) = &process.name else {
            names.push(None);
            continue;
        };
        let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '.' | '[' | ']' | '*' | '?');
        let name = written.value.replace(odd, "_");
        match taken.get(&name) {
            Some(first) => {
                // Two that are written alike have been reported.
                if first.value != written.value {
                    reporter
                        .error(written.span, format!("two processes would be called `{name}`"))
                        .related(first.span, "the first")
                        .advice(
                            "names of components have `_` in place of spaces and dots: choose another name",
                        );
                }
                names.push(None);
            }
            None => {
                taken.insert(name.clone(), written);
                names.push(Some(Spanned::new(name, written.span)));
            }
        }
    }
    names
}

/// The script's say on the method. What both of them say is a mistake: nobody would see which one counts.
fn set_method(method: &mut MethodSpec, options: &Options, whole: Span, reporter: &mut Reporter) {
    method.kind.get_or_insert(Spanned::new(MethodKind::Glue, whole));
    let errors = [
        (
            "force_absolute_error",
            options.absolute,
            &mut method.force_absolute_error,
        ),
        (
            "force_relative_error",
            options.relative,
            &mut method.force_relative_error,
        ),
    ];
    for (name, script, map) in errors {
        match (script, &map) {
            (Some(script), Some(map)) => {
                reporter
                    .error(map.span, format!("`{name}` is given in the script too"))
                    .related(script.span, "there")
                    .advice("keep one of the two");
            }
            (Some(_), None) => *map = script,
            (None, _) => {}
        }
    }
}

/// A process on another machine cannot be started from here.
fn check_address(process: &Process, component: &ComponentSpec, reporter: &mut Reporter) {
    let Some(address) = process
        .address
        .as_ref()
        .filter(|address| !is_here(&address.value))
    else {
        return;
    };
    let reached = matches!(
        component.source,
        None | Some(ComponentSource::Connect(_) | ComponentSource::Listen(_))
    );
    if !reached {
        let message = format!(
            "process `{}` is on `{}`, and the map does not say how to reach it there",
            process.called(),
            address.value
        );
        let diagnostic = reporter.error(address.span, message);
        diagnostic.label("another machine").advice(
            "say so in the map with `connect = \"tcp://host:port\"` or `listen = \"tcp://0.0.0.0:port\"`, or leave \
             `ip_address` out to have it here",
        );
        if let Some(source) = &component.source {
            diagnostic.related(
                source.span(),
                format!("`{}` means: on this machine", source.kind()),
            );
        }
    }
}

/// Does a process lead, and what says so?
#[derive(Clone, Copy)]
struct Role {
    leads: bool,
    place: Span,
}

/// The part that the map gives to a process. Without a word there, whoever has forces applied to it leads: it gives motion
/// and receives force. None where the map was wrong.
fn role(process: &Process, component: &ComponentSpec, reporter: &mut Reporter) -> Option<Role> {
    if let Some(role) = &component.role {
        let leads = match role.value.as_str() {
            "leader" => true,
            "follower" => false,
            other => {
                reporter
                    .error(role.span, format!("there is no role `{other}`"))
                    .advice("a process is a leader or a follower");
                return None;
            }
        };
        let place = role.span;
        return Some(Role { leads, place });
    }
    let mut forces = process.interactions.iter().filter_map(|i| i.gforce_id.as_ref());
    let force = forces.next();
    Some(Role {
        leads: force.is_some(),
        place: force.map_or(process.place, |force| force.span),
    })
}

fn say_leaderless(first: &Place<'_>, second: &Place<'_>, both: bool, reporter: &mut Reporter) {
    let names = (first.process.called(), second.process.called());
    let place = |place: &Place<'_>| place.interaction.connection.as_ref().map(|text| text.span);
    let span = place(second).unwrap_or(second.process.place);
    let (message, advice) = match both {
        true => (
            format!("both `{}` and `{}` lead", names.0, names.1),
            "one gives motion and receives force, the other follows: add `role = \"follower\"` to that one in the map",
        ),
        false => (
            format!("neither `{}` nor `{}` leads", names.0, names.1),
            "whoever has `gforce_id` gives motion and receives force; or add `role = \"leader\"` to one of them in the map",
        ),
    };
    let diagnostic = reporter.error(span, message);
    diagnostic.advice(advice);
    if let Some(first) = place(first) {
        diagnostic.related(first, "the other end");
    }
}

struct Wiring<'m> {
    map: &'m Map,
    connections: Vec<ConnectionSpec>,
    /// Ports that the map does not name, by process: said once.
    silent: HashSet<(Span, &'static str)>,
    /// Pairs of processes of which not exactly one leads: said once.
    quarrels: HashSet<(usize, usize)>,
}

impl Wiring<'_> {
    /// Connects the ports of one kind; `from` gives what `to` takes. The leader's interaction gives the name.
    fn connect(
        &mut self,
        kind: Kind,
        from: &Place<'_>,
        to: &Place<'_>,
        usual: Option<Reading>,
        reporter: &mut Reporter,
    ) {
        let leader = match kind {
            Kind::Motion => from,
            Kind::Force => to,
        };
        let sources = self.map.ports(from.process, from.interaction, kind);
        let targets = self.map.ports(to.process, to.interaction, kind);
        for (ports, place) in [(sources, from), (targets, to)] {
            if ports.is_none() {
                self.say_silent(kind, place, reporter);
            }
        }
        let (Some(sources), Some(targets)) = (sources, targets) else {
            return;
        };
        if let (Some(source), Some(target)) = (sources.first(), targets.first())
            && sources.len() != targets.len()
        {
            let message = format!(
                "`{}` names {} for the {}, `{}` names {}",
                from.process.called(),
                counted(sources.len()),
                kind.key(),
                to.process.called(),
                targets.len()
            );
            reporter
                .error(target.span(), message)
                .related(source.span(), "the other end")
                .advice("they are connected in their order: name as many at both ends");
            return;
        }
        for (source, target) in sources.iter().zip(targets) {
            let full = |place: &Place<'_>, port: Spanned<String>| {
                port.map(|port| format!("{}.{port}", place.component))
            };
            let ports = (
                source.fill(from.process, from.interaction, reporter),
                target.fill(to.process, to.interaction, reporter),
            );
            if let (Some(source), Some(target)) = ports {
                self.connections.push(ConnectionSpec {
                    name: leader.interaction.name.clone(),
                    usual_reading: usual,
                    ..ConnectionSpec::new(Some(full(from, source)), Some(full(to, target)))
                });
            }
        }
    }

    fn say_silent(&mut self, kind: Kind, place: &Place<'_>, reporter: &mut Reporter) {
        // A process that the map does not know has been reported as such.
        let Some(span) = self
            .map
            .place(place.process)
            .filter(|_| !self.map.settings.broken)
        else {
            return;
        };
        if self.silent.insert((span, kind.key())) {
            reporter
                .error(
                    span,
                    format!(
                        "the map does not name the port of `{}` for the {} at an interaction",
                        place.process.called(),
                        kind.key()
                    ),
                )
                .advice(format!(
                    "add `{} = \"…\"`; {{interaction}}, {{gforce_id}}, {{node_id}} and {{geometry_name}} in it stand for \
                     what the script has",
                    kind.key()
                ));
        }
    }
}

fn counted(ports: usize) -> String {
    match ports {
        1 => "1 port".to_owned(),
        _ => format!("{ports} ports"),
    }
}
