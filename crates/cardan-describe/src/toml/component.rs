//! `[components.NAME]`

use super::fields::{Entry, Fields};
use super::{Reader, keys};
use crate::diagnostic::{Reporter, Span, Spanned};
use crate::spec::{
    ComponentSource, ComponentSpec, HistoryPoint, HistorySpec, LinkSpec, Literal, LogSpec, ProcessSpec,
    SolverSpec,
};

impl Reader {
    pub(super) fn components(
        self,
        document: &Fields<'_>,
        start: f64,
        reporter: &mut Reporter,
    ) -> Vec<ComponentSpec> {
        let Some((span, entries)) = document.table("components") else {
            return Vec::new();
        };
        if entries.is_empty() && !self.broken {
            reporter
                .error(span, "there is no component")
                .advice("add one: [components.NAME]");
        }
        let mut components = Vec::new();
        for (name, value) in entries {
            check_name("component", name, reporter);
            let Literal::Table(entries) = &value.value else {
                continue;
            };
            let title = format!("[components.{}]", name.value);
            let place = self.place(&title, value.span);
            let fields = Fields::check(entries, keys::COMPONENT, place, reporter);
            if sources(entries).next().is_none() && !self.broken {
                say_sourceless(name, reporter);
            }
            components.push(self.component(name, entries, &fields, start, reporter));
        }
        components
    }

    /// A component from keys that were checked.
    pub(crate) fn component(
        self,
        name: &Spanned<String>,
        entries: &[Entry],
        fields: &Fields<'_>,
        start: f64,
        reporter: &mut Reporter,
    ) -> ComponentSpec {
        ComponentSpec {
            source: self.source(name, entries, fields, reporter),
            parameters: fields
                .table("parameters")
                .map(|(_, list)| list.to_vec())
                .unwrap_or_default(),
            incomplete: self.broken || fields.rejected("parameters"),
            step: fields.number("step"),
            substeps: fields.count("substeps"),
            isolate: fields.flag("isolate"),
            parallel: fields.flag("parallel"),
            role: fields.text("role"),
            discrete: fields.flag("discrete"),
            call_limit: self.call_limit(fields, reporter),
            solver: self.solver(fields, reporter),
            history: fields
                .table("history")
                .map(|(_, list)| histories(list, start, reporter))
                .unwrap_or_default(),
            fmi_kind: fields.choice("interface"),
            link: self.link(fields, reporter),
            log: log(fields),
            frame: self.frame(fields, reporter),
            scales: self.scales(fields, reporter),
            markers: self.markers(fields, reporter),
            ..ComponentSpec::new(name.clone())
        }
    }

    /// One of the keys that say what a component is made from.
    fn source(
        self,
        name: &Spanned<String>,
        entries: &[Entry],
        fields: &Fields<'_>,
        reporter: &mut Reporter,
    ) -> Option<ComponentSource> {
        let mut given = sources(entries);
        let first = given.next()?;
        for second in given {
            reporter
                .error(
                    second.span,
                    format!("component `{}` is made from two things", name.value),
                )
                .label(format!("`{}` here", second.value))
                .related(first.span, format!("and `{}` here", first.value))
                .advice("keep one of them");
        }
        match first.value.as_str() {
            "model" => fields.text("model").map(ComponentSource::Model),
            "multibody" => self.multibody(fields, reporter),
            "fmu" => fields.text("fmu").map(ComponentSource::Fmu),
            "python" => fields.text("python").map(ComponentSource::Python),
            "octave" => fields.text("octave").map(ComponentSource::Octave),
            "scilab" => fields.text("scilab").map(ComponentSource::Scilab),
            "connect" => fields.text("connect").map(ComponentSource::Connect),
            "listen" => fields.text("listen").map(ComponentSource::Listen),
            _ => self.process(fields, reporter).map(ComponentSource::Process),
        }
    }

    fn call_limit(self, fields: &Fields<'_>, reporter: &mut Reporter) -> Option<Spanned<f64>> {
        let (span, entries) = fields.table("limits")?;
        Fields::check(entries, keys::CALL_LIMITS, self.place("`limits`", span), reporter).number("call")
    }

    fn process(self, fields: &Fields<'_>, reporter: &mut Reporter) -> Option<ProcessSpec> {
        let (span, entries) = fields.table("process")?;
        let fields = Fields::check(entries, keys::PROCESS, self.place("`process`", span), reporter);
        let command = fields.texts("command")?;
        if command.value.is_empty() {
            reporter
                .error(command.span, "the command is empty")
                .advice("name a program: [\"python3\", \"brake.py\"]");
            return None;
        }
        Some(ProcessSpec {
            command: command.value,
            transport: fields.choice("transport"),
            folder: fields.text("folder"),
            environment: fields
                .table("environment")
                .map(|(_, list)| variables(list, reporter))
                .unwrap_or_default(),
            log: fields.text("log"),
            spin: fields.flag("spin"),
            span,
        })
    }

    fn link(self, fields: &Fields<'_>, reporter: &mut Reporter) -> Option<LinkSpec> {
        let (span, entries) = fields.table("link")?;
        let fields = Fields::check(entries, keys::LINK, self.place("`link`", span), reporter);
        Some(LinkSpec {
            start: fields.number("start"),
            stop: fields.number("stop"),
            secret: fields.text("secret"),
            certificate: fields.text("certificate"),
            key: fields.text("key"),
            span,
        })
    }

    fn solver(self, fields: &Fields<'_>, reporter: &mut Reporter) -> Option<SolverSpec> {
        let (span, entries) = fields.table("solver")?;
        let fields = Fields::check(entries, keys::SOLVER, self.place("`solver`", span), reporter);
        Some(solver(&fields, span))
    }
}

/// The keys that say what a component is made from.
pub(crate) fn sources(entries: &[Entry]) -> impl Iterator<Item = &Spanned<String>> {
    let keys = entries.iter().map(|(key, _)| key);
    keys.filter(|key| keys::SOURCES.contains(&key.value.as_str()))
}

/// None of them is there.
pub(crate) fn say_sourceless(name: &Spanned<String>, reporter: &mut Reporter) {
    reporter
        .error(
            name.span,
            format!("component `{}` does not say what it is made from", name.value),
        )
        .advice("add one of model, multibody, fmu, process, python, octave, scilab, connect, listen: model = \"…\"");
}

/// Variables of an environment: texts, and numbers as they would be typed in a shell.
fn variables(entries: &[Entry], reporter: &mut Reporter) -> Vec<(Spanned<String>, Spanned<String>)> {
    let mut variables = Vec::with_capacity(entries.len());
    for (name, value) in entries {
        let text = match &value.value {
            Literal::String(text) => text.clone(),
            Literal::Integer(number) => number.to_string(),
            Literal::Real(number) => number.to_string(),
            other => {
                reporter
                    .error(value.span, format!("expected a text, found {}", other.kind()))
                    .advice("variables of an environment are texts");
                continue;
            }
        };
        variables.push((name.clone(), Spanned::new(text, value.span)));
    }
    variables
}

/// The solver, from keys that were checked.
pub(crate) fn solver(fields: &Fields<'_>, span: Span) -> SolverSpec {
    SolverSpec {
        kind: fields.text("kind"),
        step: fields.number("step"),
        rtol: fields.number("rtol"),
        atol: fields.number("atol"),
        max_step: fields.number("max_step"),
        tolerance: fields.number("tolerance"),
        penalty: fields.number("penalty"),
        spectral_radius: fields.number("spectral_radius"),
        span,
    }
}

/// What to log, from keys that were checked.
pub(crate) fn log(fields: &Fields<'_>) -> Option<Spanned<LogSpec>> {
    let all = fields.flag("log").map(|flag| flag.map(LogSpec::All));
    all.or_else(|| fields.texts("log").map(|list| list.map(LogSpec::Categories)))
}

/// Names are joined with dots and followed by indices in brackets, so they may hold neither.
pub(super) fn check_name(whose: &str, name: &Spanned<String>, reporter: &mut Reporter) {
    let objection = if name.value.is_empty() {
        "is empty"
    } else if name.value.contains('.') {
        "contains a dot"
    } else if name.value.contains(['[', ']']) {
        "contains a bracket"
    } else if name.value.contains(char::is_whitespace) {
        "contains a space"
    } else if name.value.contains(['*', '?']) {
        "contains a `*` or `?`, which stand for others in patterns"
    } else if name.value.contains(char::is_control) {
        "contains a control character"
    } else {
        return;
    };
    reporter
        .error(
            name.span,
            format!("the {whose} name `{}` {objection}", name.value),
        )
        .advice("use letters, digits, `-` and `_`");
}

fn histories(entries: &[Entry], start: f64, reporter: &mut Reporter) -> Vec<HistorySpec> {
    let mut histories = Vec::new();
    for (port, value) in entries {
        let Literal::Array(items) = &value.value else {
            not_points(value, reporter);
            continue;
        };
        let points: Vec<HistoryPoint> = items.iter().filter_map(|item| point(item, reporter)).collect();
        check_times(&points, start, reporter);
        histories.push(HistorySpec {
            port: port.clone(),
            points,
        });
    }
    histories
}

fn point(item: &Spanned<Literal>, reporter: &mut Reporter) -> Option<HistoryPoint> {
    let pair = match &item.value {
        Literal::Array(pair) => pair.as_slice(),
        _ => &[],
    };
    let [time, value] = pair else {
        not_points(item, reporter);
        return None;
    };
    match time.value.number().filter(|t| t.is_finite()) {
        Some(seconds) => Some(HistoryPoint {
            time: Spanned::new(seconds, time.span),
            value: value.clone(),
        }),
        None => {
            reporter.error(
                time.span,
                format!("expected a time in seconds, found {}", time.value.kind()),
            );
            None
        }
    }
}

fn not_points(value: &Spanned<Literal>, reporter: &mut Reporter) {
    reporter
        .error(
            value.span,
            format!("expected pairs of time and value, found {}", value.value.kind()),
        )
        .advice("write [[-0.2, 1.0], [-0.1, 1.5]]");
}

fn check_times(points: &[HistoryPoint], start: f64, reporter: &mut Reporter) {
    for pair in points.windows(2) {
        if let [before, after] = pair
            && after.time.value <= before.time.value
        {
            reporter
                .error(after.time.span, "the times of a history must increase")
                .related(before.time.span, "comes before it")
                .advice("put the oldest point first, and each instant once");
        }
    }
    for late in points.iter().filter(|point| point.time.value >= start) {
        reporter
            .error(
                late.time.span,
                format!("a history ends before the start, which is at {start} s"),
            )
            .advice("leave this point out: the component itself gives the value at the start");
    }
}
