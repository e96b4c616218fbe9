//! Components made from functions of Octave and Scilab.

use super::{Begun, Component, Workshop, link};
use cardan_describe::spec::ComponentSpec;
use cardan_describe::{Reporter, Spanned};
use cardan_link::launch::{Launch, Way};

/// A language that is interpreted by a program of its own, and how the client in it is started.
pub(super) struct Interpreter {
    name: &'static str,
    program: &'static str,
    /// The Debian package that brings it.
    package: &'static str,
    endings: &'static [&'static str],
    client: &'static str,
    /// For the shell. The streams of the protocol are its standard streams, and may not be those of the interpreter, or
    /// whatever a script prints would get between the messages.
    boot: &'static str,
}

pub(super) const OCTAVE: Interpreter = Interpreter {
    name: "Octave",
    program: "octave-cli",
    package: "octave",
    endings: &[".m"],
    client: include_str!("../../../../bindings/octave/cardan_serve.m"),
    boot: include_str!("../../../../bindings/octave/boot.sh"),
};

pub(super) const SCILAB: Interpreter = Interpreter {
    name: "Scilab",
    program: "scilab-cli",
    package: "scilab-cli",
    endings: &[".sci", ".sce"],
    client: include_str!("../../../../bindings/scilab/cardan_serve.sce"),
    boot: include_str!("../../../../bindings/scilab/boot.sh"),
};

impl Interpreter {
    pub(super) fn create(
        &self,
        file: &Spanned<String>,
        component: &ComponentSpec,
        workshop: &Workshop<'_>,
        reporter: &mut Reporter,
    ) -> Begun {
        let fits = self.endings.iter().any(|ending| file.value.ends_with(ending));
        if !fits || !workshop.folder.join(&file.value).is_file() {
            reporter
                .error(
                    file.span,
                    format!("there is no {} file `{}`", self.name, file.value),
                )
                .label("not found")
                .advice(format!(
                    "name a file that ends in {}; paths are relative to the folder of the description",
                    self.endings.join(" or ")
                ));
            return Component::Unknown.into();
        }
        if !self.is_installed() {
            reporter
                .error(
                    file.span,
                    format!(
                        "{} is not there: no program `{}` is found",
                        self.name, self.program
                    ),
                )
                .advice(format!(
                    "install it (Debian: apt install {}), or put it into PATH",
                    self.package
                ));
            return Component::Unknown.into();
        }
        let Some(manner) = link::manner(component, workshop, reporter) else {
            return Component::Unknown.into();
        };
        let order = Launch {
            command: ["sh", "-c", self.boot].map(str::to_owned).to_vec(),
            folder: workshop.folder.to_owned(),
            environment: vec![
                ("CARDAN_CLIENT".to_owned(), self.client.to_owned()),
                ("CARDAN_SCRIPT".to_owned(), file.value.clone()),
            ],
            way: Way::Pipe,
            log: None,
            grace: link::grace(component, reporter),
        };
        link::start(&order, &manner, file.span, component, reporter)
    }

    fn is_installed(&self) -> bool {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(self.program).is_file())
    }
}
