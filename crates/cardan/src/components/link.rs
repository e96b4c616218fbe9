//! What components in other processes have in common.

use super::{Begun, Component, Workshop};
use cardan_core::participant::Participant;
use cardan_describe::spec::{ComponentSpec, LinkSpec};
use cardan_describe::{Reporter, Span, Spanned, interface_parameters};
use cardan_link::handshake::Secret;
use cardan_link::launch::{Appointment, Launch};
use cardan_link::transport::{Address, TlsClient, TlsServer};
use cardan_link::{Error, Manner, Remote};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::Duration;

/// Seconds until a participant has introduced itself: an interpreter with large libraries takes its time.
const START: f64 = 30.0;

/// Seconds for a process to end by itself.
const STOP: f64 = 5.0;

/// Seconds as a duration; what is too long to be one means forever, as good as a day.
fn seconds(given: Option<&Spanned<f64>>, otherwise: f64) -> Duration {
    let seconds = given.map_or(otherwise, |given| given.value);
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(86_400))
}

/// How to treat the participant. None means a mistake, which the reporter knows.
pub(super) fn manner(
    component: &ComponentSpec,
    workshop: &Workshop<'_>,
    reporter: &mut Reporter,
) -> Option<Manner> {
    warn_of_idle_keys(component, reporter);
    let link = component.link.as_ref();
    Some(Manner {
        component: component.name.value.clone(),
        secret: secret(link, reporter)?,
        start: Some(seconds(link.and_then(|link| link.start.as_ref()), START)),
        call: call_limit(component, workshop),
    })
}

/// How long a call may take. The supervisor, who ends the whole run, begins to count later and so comes second.
pub(super) fn call_limit(component: &ComponentSpec, workshop: &Workshop<'_>) -> Option<Duration> {
    let own = component.call_limit.as_ref().map(|limit| limit.value);
    let limit = own.unwrap_or(workshop.call_limit);
    limit.is_finite().then(|| seconds(None, limit))
}

/// How long a process that Cardan starts may take to end by itself. Such a process needs neither a secret of the user's
/// nor a certificate: nobody else can come to where it connects.
pub(super) fn grace(component: &ComponentSpec, reporter: &mut Reporter) -> Duration {
    let given = component.link.iter().flat_map(|link| {
        let keys = [
            ("secret", &link.secret),
            ("certificate", &link.certificate),
            ("key", &link.key),
        ];
        keys.into_iter()
            .filter_map(|(key, text)| Some((key, text.as_ref()?.span)))
    });
    for (key, span) in given {
        reporter
            .warning(
                span,
                format!("`{key}` has no effect on a process that Cardan starts itself"),
            )
            .advice("leave it out: the line to it is private");
    }
    seconds(component.link.as_ref().and_then(|link| link.stop.as_ref()), STOP)
}

/// The secret behind the variable that the description names. The outer answer is none if the variable is not set.
fn secret(link: Option<&LinkSpec>, reporter: &mut Reporter) -> Option<Option<Secret>> {
    let Some(variable) = link.and_then(|link| link.secret.as_ref()) else {
        return Some(None);
    };
    match std::env::var(&variable.value) {
        Ok(secret) if !secret.is_empty() => Some(Some(Secret::new(secret))),
        _ => {
            let message = format!("the environment variable `{}` is not set", variable.value);
            reporter.error(variable.span, message).advice(
                "it holds the secret, which does not belong into a description; set it on both sides",
            );
            None
        }
    }
}

/// A participant that is on its way.
pub(super) struct Expected {
    appointment: Appointment,
    /// Where the description speaks of it.
    span: Span,
}

/// Calls a participant that listens.
pub(super) fn connect(
    text: &Spanned<String>,
    component: &ComponentSpec,
    workshop: &Workshop<'_>,
    reporter: &mut Reporter,
) -> Begun {
    let Some(manner) = manner(component, workshop, reporter) else {
        return Component::Unknown.into();
    };
    let begun = Address::parse(&text.value).and_then(|address| {
        let file = component.link.as_ref().and_then(|link| link.certificate.as_ref());
        let tls = file.map(|file| TlsClient::trusting(&path(file, workshop)));
        Appointment::call(&address, tls.transpose()?, &manner)
    });
    expected(begun, text.span, component, reporter)
}

/// Waits for a participant to come.
pub(super) fn listen(
    text: &Spanned<String>,
    component: &ComponentSpec,
    workshop: &mut Workshop<'_>,
    reporter: &mut Reporter,
) -> Begun {
    let Some(manner) = manner(component, workshop, reporter) else {
        return Component::Unknown.into();
    };
    let address = match Address::parse(&text.value) {
        Ok(address) => address,
        Err(error) => return refused(&error, text.span, component, reporter).into(),
    };
    if let Some((_, first)) = workshop
        .ports
        .iter()
        .find(|(port, _)| is_same_port(port, &address))
    {
        let message = format!(
            "`{}` cannot be made: `{}` listens at `{address}` already",
            component.name.value, first.value
        );
        reporter
            .error(text.span, message)
            .related(first.span, "taken here first")
            .advice("give each component an address of its own: another port, or another path");
        return Component::Unknown.into();
    }
    let owner = Spanned::new(component.name.value.clone(), text.span);
    workshop.ports.push((address.clone(), owner));
    let link = component.link.as_ref();
    let files = link.and_then(|link| link.certificate.as_ref().zip(link.key.as_ref()));
    let tls = files
        .map(|(certificate, key)| TlsServer::showing(&path(certificate, workshop), &path(key, workshop)));
    let begun = tls
        .transpose()
        .and_then(|tls| Appointment::listen(&address, tls.as_ref(), &manner));
    expected(begun, text.span, component, reporter)
}

/// With port 0 the system chooses one for each.
fn is_same_port(one: &Address, other: &Address) -> bool {
    let chosen = |address: &Address| {
        !matches!(
            address,
            Address::Tcp { port: 0, .. } | Address::Tls { port: 0, .. }
        )
    };
    one == other && chosen(one)
}

/// Paths are relative to the description.
pub(super) fn path(file: &Spanned<String>, workshop: &Workshop<'_>) -> PathBuf {
    workshop.folder.join(&file.value)
}

/// Starts a process for a component.
pub(super) fn start(
    order: &Launch,
    manner: &Manner,
    span: Span,
    component: &ComponentSpec,
    reporter: &mut Reporter,
) -> Begun {
    expected(Appointment::launch(order, manner), span, component, reporter)
}

fn expected(
    begun: Result<Appointment, Error>,
    span: Span,
    component: &ComponentSpec,
    reporter: &mut Reporter,
) -> Begun {
    match begun {
        Ok(appointment) => Begun::OnItsWay(Expected { appointment, span }),
        Err(error) => refused(&error, span, component, reporter).into(),
    }
}

/// Meets all who are on their way, side by side, and tells of them in the order of the description.
pub(super) fn meet(
    begun: Vec<Begun>,
    components: &[ComponentSpec],
    reporter: &mut Reporter,
) -> Vec<Component> {
    // There will be no run, so nobody waits for guests. Processes of our own are looked at all the same: there may be
    // more to tell of.
    let welcome = !reporter.has_errors();
    let is_awaited = |appointment: &Appointment| welcome || !appointment.needs_a_visitor();
    let coming = begun.iter().filter(|begun| {
        matches!(begun, Begun::OnItsWay(Expected { appointment, .. })
            if is_awaited(appointment) && !appointment.is_a_call())
    });
    // Those who are not called: one of them may start another that is.
    let coming = &AtomicUsize::new(coming.count());
    std::thread::scope(|scope| {
        let meetings = begun.into_iter().map(|begun| match begun {
            Begun::Done(component) => Meeting::Over(component),
            Begun::OnItsWay(Expected { appointment, span }) if is_awaited(&appointment) => {
                let meeting = scope.spawn(move || {
                    let comes = !appointment.is_a_call();
                    let met = appointment.keep_while(|| coming.load(Ordering::Relaxed) > 0);
                    coming.fetch_sub(comes.into(), Ordering::Relaxed);
                    met
                });
                Meeting::UnderWay(meeting, span)
            }
            Begun::OnItsWay(_) => Meeting::Over(Component::Unknown),
        });
        // All are begun before the first is waited for.
        let meetings: Vec<_> = meetings.collect();
        let met = meetings
            .into_iter()
            .zip(components)
            .map(|(meeting, component)| match meeting {
                Meeting::Over(done) => done,
                Meeting::UnderWay(meeting, span) => match meeting.join() {
                    Ok(met) => made(met, span, component, reporter),
                    Err(panic) => std::panic::resume_unwind(panic),
                },
            });
        met.collect()
    })
}

/// How far the meeting with a participant has come.
enum Meeting<'a> {
    Over(Component),
    UnderWay(ScopedJoinHandle<'a, Result<Remote, Error>>, Span),
}

/// The component, with the parameters of the description; or what prevents it.
fn made(
    met: Result<Remote, Error>,
    span: Span,
    component: &ComponentSpec,
    reporter: &mut Reporter,
) -> Component {
    match met {
        Ok(remote) => match interface_parameters(remote.interface(), component, reporter) {
            Some(settings) => Component::Made(Box::new(remote), settings),
            None => Component::Refused(remote.interface().clone()),
        },
        Err(error) => refused(&error, span, component, reporter),
    }
}

fn refused(error: &Error, span: Span, component: &ComponentSpec, reporter: &mut Reporter) -> Component {
    let message = shortened(&format!("`{}` cannot be made: {error}", component.name.value));
    let diagnostic = reporter.error(span, message.trim_end_matches('.'));
    if let Some(advice) = error.advice() {
        diagnostic.advice(advice);
    }
    Component::Unknown
}

/// A diagnostic has room for a few lines. Of the last words of a process the last ones tell most: a traceback ends with
/// what went wrong.
fn shortened(message: &str) -> String {
    const ROOM: usize = 450;
    let mut lines: Vec<&str> = message.lines().collect();
    while lines.len() > 2 && lines.iter().map(|line| line.len() + 1).sum::<usize>() > ROOM {
        lines.remove(1);
    }
    lines.join("\n")
}

/// Keys that mean something to other kinds of components only.
fn warn_of_idle_keys(component: &ComponentSpec, reporter: &mut Reporter) {
    let keys: [(&str, Option<Span>); 5] = [
        ("substeps", component.substeps.as_ref().map(|k| k.span)),
        ("isolate", component.isolate.as_ref().map(|k| k.span)),
        ("parallel", component.parallel.as_ref().map(|k| k.span)),
        ("interface", component.fmi_kind.as_ref().map(|k| k.span)),
        ("log", component.log.as_ref().map(|k| k.span)),
    ];
    for (key, span) in keys {
        if let Some(span) = span {
            reporter
                .warning(
                    span,
                    format!("`{key}` has no effect on a component in another process"),
                )
                .advice("leave it out");
        }
    }
    if let Some(solver) = &component.solver {
        reporter
            .warning(
                solver.span,
                "`solver` has no effect: the other process brings its own",
            )
            .advice("leave it out");
    }
}
